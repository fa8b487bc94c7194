/* block_plan.h - whether a fit reads its rows in blocks, in which way, and the memory it takes
 * then. */
#ifndef BLOCK_PLAN_H
#define BLOCK_PLAN_H

#include "block_rows.h"
#include "learn.h"

/* One pass, or two with the distances to nearest rows; or the rows in their principal
 * components. */
enum block_way { BLOCK_MERGE, BLOCK_COORDINATES };

typedef struct block_plan {
    enum block_way way;
    int64_t rows, columns, dropped;
    int64_t labelled, classes;
    double name_bytes;  /* of the names of the classes */
    int64_t pair_rows;  /* rows that pairs name */
    int64_t kept;       /* rows that statistics keep: labelled ones, and those in pairs */
    int64_t components; /* COORDINATES */
    double bytes;       /* the most that is taken in all */
} block_plan;

/* Whether the rows are read in blocks: they do not fit into the memory there is, or into --memory.
 * *wanted 0: they are not. */
int block_plan_wanted(const cli_args *args, const char *path, const learning *in, int *wanted);

/* Look at the rows, once over all of them where their number is not told, and check that the memory
 * allows the fit, and print it. Reads the labels of rows->labels and the pairs, into `in`. */
int block_plan_make(const cli_args *args, const pen_spec *spec, block_rows *rows, learning *in,
                    block_plan *out);

#endif
