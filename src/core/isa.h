/* isa.h - the instruction set of the library's own products: the best that the CPU has and the
 * operating system permits, or the one that the environment variable PENUMBRA_ISA names. */
#ifndef PEN_ISA_H
#define PEN_ISA_H

/* From the least to the best; which of them exist depends on the architecture. */
typedef enum pen_isa {
    PEN_ISA_PORTABLE,    /* plain C */
    PEN_ISA_NEON,        /* 64-bit Arm with the dot products of bytes */
    PEN_ISA_AVX2,        /* with FMA */
    PEN_ISA_AVX_VNNI,    /* AVX2 with dot products of bytes */
    PEN_ISA_AVX512,      /* F, BW, DQ, VL */
    PEN_ISA_AVX512_VNNI, /* with dot products of bytes */
    PEN_ISA_AMX,         /* with tiles of bytes */
    PEN_ISA_COUNT
} pen_isa;

/* As PENUMBRA_ISA names it: "portable", "neon", "avx2", "avx-vnni", "avx512", "avx512-vnni",
 * "amx". */
const char *pen_isa_name(pen_isa isa);

/* 1 if this CPU has it and the process may use it. */
int pen_isa_has(pen_isa isa);

/* The set in use, found once in a process. */
pen_isa pen_isa_now(void);

/* The beginning of the value of PENUMBRA_ISA when it names no set of this CPU; NULL if it is as it
 * should be. */
const char *pen_isa_refused(void);

/* Uses another set from now on; for tests. `isa` must be one that pen_isa_has. No call of the
 * library may be under way. */
void pen_isa_use(pen_isa isa);

#endif
