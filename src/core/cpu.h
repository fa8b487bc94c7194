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

#endif
