/* panels.c - the panels of each instruction set. */
#include "products/panels.h"

static const pen_panels *const tables[PEN_ISA_COUNT] = {
    [PEN_ISA_PORTABLE] = pen_panels_portable,
#if defined(__aarch64__)
    [PEN_ISA_NEON] = pen_panels_neon,
#elif defined(__x86_64__)
    [PEN_ISA_AVX2] = pen_panels_avx2,
    [PEN_ISA_AVX512] = pen_panels_avx512,
#endif
};

const pen_panels *pen_panels_of(pen_isa isa, pen_dtype type)
{
    int i = (int)isa;
    while (!tables[i])
        i--;
    return tables[i] + (type == PEN_F64);
}
