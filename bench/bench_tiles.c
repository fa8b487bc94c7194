/* bench_tiles.c - tiles of dot products of codes, against a loop of the same instructions that
 * stays in registers.
 *
 *   bench_tiles [DEPTH]
 *
 * Prints one JSON line for each instruction set of this CPU, for all bytes and, if their tiles
 * differ, for smaller codes: `gops`, 2 operations for each product of two of DEPTH codes (784), for
 * one panel pair on the left and all pairs on the right that fit into 256 KB; `limit`, the same for
 * the loop in registers (`instruction`); and `ratio`. CPU seconds are the best of many short
 * alternating runs. */
#define _XOPEN_SOURCE 700

#include "bench.h"

#include "registers.h"

#include <string.h>

enum { RUNS = 300, PANELS_BYTES = 256 << 10 };

static void *allocate(int64_t bytes)
{
    void *const memory = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
    if (!memory)
        exit(1);
    memset(memory, 1, (size_t)bytes);
    return memory;
}

static void measure(const pen_tiles *t, int64_t depth)
{
    const int64_t padded = (depth + t->unit - 1) / t->unit * t->unit,
                  bytes = 2 * pen_panel_bytes(padded),
                  pairs = bytes < PANELS_BYTES ? PANELS_BYTES / bytes : 1;
    int8_t *const panels = allocate(bytes), *const right = allocate(pairs * bytes);
    void *const left = allocate(bytes);
    int32_t *const products = allocate(PEN_AREA * 4);
    const registers_loop loop = registers_of_tiles(t);
    double best = 0, limit = 0;

    for (int run = 0; run < RUNS; run++) {
        const double start = thread_cpu_now();
        if (t->open)
            t->open();
        if (t->left)
            t->left(padded, panels, left);
        for (int round = 0; round < 8; round++)
            for (int64_t pair = 0; pair < pairs; pair++)
                t->multiply(padded, left, right + pair * bytes, products);
        if (t->close)
            t->close();
        const double seconds = thread_cpu_now() - start,
                     gops = 8e-9 * (double)pairs * 2 * PEN_AREA * (double)depth / seconds,
                     most = registers_rate(&loop) / 1e9;
        best = gops > best ? gops : best;
        limit = most > limit ? most : limit;
    }
    printf("{\"case\":\"tiles\",\"isa\":\"%s\",\"largest\":%d,\"depth\":%lld,\"gops\":%.1f,"
           "\"instruction\":\"%s\",\"limit\":%.1f,\"ratio\":%.3f}\n",
           pen_isa_name(t->isa), t->largest, (long long)depth, best, loop.instruction, limit,
           best / limit);
    free(panels);
    free(right);
    free(left);
    free(products);
}

int main(int argc, char **argv)
{
    const int64_t depth = argc > 1 ? atoll(argv[1]) : 784;

    if (argc > 2 || depth < 1 || depth > PEN_MOST_DEPTH) {
        fprintf(stderr, "usage: bench_tiles [DEPTH]\n");
        return 2;
    }
    for (int isa = 0; isa < PEN_ISA_COUNT; isa++) {
        const pen_tiles *const bytes = pen_tiles_of_bytes((pen_isa)isa), *const codes =
                                                                             pen_tiles_of_codes(
                                                                                 (pen_isa)isa);
        if (!pen_isa_has((pen_isa)isa))
            continue;
        if (bytes->isa == (pen_isa)isa)
            measure(bytes, depth);
        if (codes != bytes && codes->isa == (pen_isa)isa)
            measure(codes, depth);
    }
    return 0;
}
