/* emulated_tiles.h - tiles for instructions that this CPU may lack: the library's sources with
 * literal functions instead of intrinsics. */
#ifndef EMULATED_TILES_H
#define EMULATED_TILES_H

#include "products/tiles.h"

/* x86-64 only. Otherwise both are the library's: the first needs AVX-512 (F, BW, DQ, VL), the
 * second AVX2. Not safe for several threads. */
extern const pen_tiles emulated_tiles_amx, emulated_tiles_avx_vnni;

#endif
