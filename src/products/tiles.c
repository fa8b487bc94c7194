/* tiles.c - the tiles of each instruction set. */
#include "products/tiles.h"

/* For all bytes, for codes. */
static const pen_tiles *const tables[PEN_ISA_COUNT][2] = {
    [PEN_ISA_PORTABLE] = { &pen_tiles_portable, &pen_tiles_portable },
#if defined(PEN_TILES_NEON)
    [PEN_ISA_NEON] = { &pen_tiles_neon, &pen_tiles_neon },
#endif
#if defined(__x86_64__)
    [PEN_ISA_AVX2] = { &pen_tiles_avx2_bytes, &pen_tiles_avx2_codes },
    [PEN_ISA_AVX_VNNI] = { &pen_tiles_avx_vnni, &pen_tiles_avx_vnni },
    /* such a CPU may lack AVX-VNNI */
    [PEN_ISA_AVX512] = { &pen_tiles_avx2_bytes, &pen_tiles_avx2_codes },
    [PEN_ISA_AVX512_VNNI] = { &pen_tiles_avx512_vnni, &pen_tiles_avx512_vnni },
    [PEN_ISA_AMX] = { &pen_tiles_amx, &pen_tiles_amx },
#endif
};

/* The best tiles available at `isa` or below. */
static const pen_tiles *best(pen_isa isa, int codes)
{
    int i = (int)isa;
    while (!tables[i][codes])
        i--;
    return tables[i][codes];
}

const pen_tiles *pen_tiles_of_bytes(pen_isa isa)
{
    return best(isa, 0);
}

const pen_tiles *pen_tiles_of_codes(pen_isa isa)
{
    return best(isa, 1);
}
