// What Swift cannot import by itself from turbojpeg.h: macros and variadic calls.
#pragma once

#include <turbojpeg.h>
