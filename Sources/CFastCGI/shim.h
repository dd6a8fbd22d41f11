// What Swift cannot import by itself from fcgiapp.h: macros and variadic calls.
#pragma once

#include <fcgiapp.h>
