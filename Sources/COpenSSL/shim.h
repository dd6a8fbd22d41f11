// OpenSSL: password hashing, digests, and comparison in constant time.
#pragma once

#include <openssl/crypto.h>
#include <openssl/evp.h>
