/* emulated_tiles.h - tiles whose instructions this CPU need not have: the sources of the library
 * with literal functions in place of intrinsics. */
#ifndef EMULATED_TILES_H
#define EMULATED_TILES_H

#include "products/tiles.h"

/* On x86-64 only. The rest of both is what the library has: the first needs AVX-512 (F, BW, DQ,
 * VL), the second AVX2. Not for several threads. */
extern const pen_tiles emulated_tiles_amx, emulated_tiles_avx_vnni;

#endif
