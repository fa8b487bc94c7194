/* cpu.h - what this CPU supports and the operating system enables: feature bits, never model
 * numbers. */
#ifndef PEN_CPU_H
#define PEN_CPU_H

#define CPU_SSE2       (1ULL << 0)
#define CPU_SSSE3      (1ULL << 1)
#define CPU_AVX        (1ULL << 2)
#define CPU_F16C       (1ULL << 3)
#define CPU_FMA        (1ULL << 4)
#define CPU_AVX2       (1ULL << 5)
#define CPU_AVXVNNI    (1ULL << 6)
#define CPU_AVX512F    (1ULL << 7)
#define CPU_AVX512DQ   (1ULL << 8)
#define CPU_AVX512BW   (1ULL << 9)
#define CPU_AVX512VL   (1ULL << 10)
#define CPU_AVX512VNNI (1ULL << 11)
#define CPU_AVX512BF16 (1ULL << 12)
#define CPU_AVX512FP16 (1ULL << 13)
#define CPU_AMX_TILE   (1ULL << 14)
#define CPU_AMX_INT8   (1ULL << 15)
#define CPU_AMX_BF16   (1ULL << 16)
#define CPU_NEON       (1ULL << 17)
#define CPU_DOTPROD    (1ULL << 18)
#define CPU_I8MM       (1ULL << 19)
#define CPU_SVE        (1ULL << 20)

/* The feature bits of this CPU; 0 on architectures this file does not know. On Linux a process must
 * request AMX from the kernel before it uses it. */
unsigned long long pen_cpu_features(void);

/* The name of feature bit `index` (0, 1, ...) as in Linux's /proc/cpuinfo; NULL after the last
 * one. */
const char *pen_cpu_feature_name(int index);

/* ---- the instruction set of the library's own products: the best that the CPU has and the
 * operating system permits, or the one that the environment variable PENUMBRA_ISA names ---- */

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
