/* isa.h - the instruction set of the library's own products: the best one that the CPU has and the
 * operating system permits, or the one in the environment variable PENUMBRA_ISA. */
#ifndef PEN_ISA_H
#define PEN_ISA_H

/* In ascending order; which ones exist depends on the architecture. */
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

/* The name used in PENUMBRA_ISA: "portable", "neon", "avx2", "avx-vnni", "avx512", "avx512-vnni",
 * "amx". */
const char *pen_isa_name(pen_isa isa);

/* 1 if this CPU has it and the process may use it. */
int pen_isa_has(pen_isa isa);

/* The set in use, found once in a process. */
pen_isa pen_isa_now(void);

/* The beginning of the value of PENUMBRA_ISA if it names no set of this CPU; NULL: no error. */
const char *pen_isa_refused(void);

/* Switches to another set, for tests. pen_isa_has(isa) must hold, and no call of the library may be
 * running. */
void pen_isa_use(pen_isa isa);

#endif
