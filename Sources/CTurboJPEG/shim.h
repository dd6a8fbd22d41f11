// What Swift cannot import by itself from turbojpeg.h: macros and variadic calls.
#pragma once

// For mallopt: the decoder's arrays are the largest blocks in the process, and must not stay behind in its heap.
#include <malloc.h>
#include <turbojpeg.h>
