// What Swift cannot import by itself from openssl/crypto.h: macros and variadic calls.
#pragma once

#include <openssl/crypto.h>
