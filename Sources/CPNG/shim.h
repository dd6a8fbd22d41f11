// What Swift cannot import by itself from png.h: macros and variadic calls.
#pragma once

#include <png.h>
