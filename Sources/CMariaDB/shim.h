// What Swift cannot import by itself from mysql.h: macros and variadic calls.
#pragma once

#include <mysql.h>
