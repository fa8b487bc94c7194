/* units.h - rows of blocks in the units of a fit, which follow from the sums of all blocks. */
#ifndef PEN_UNITS_H
#define PEN_UNITS_H

#include "linalg/reduce.h"
#include "stats/stats.h"

typedef struct pen_units {
    const pen_common *common;
    pen_moments moments;
    int reduced;
    pen_rows scaled; /* without rows */
    pen_reduction reduction;
    pen_rows reduced_to; /* its coordinates, or the scaled columns; without rows */
} pen_units;

/* Columns are scaled and reduced as in a fit of `spec` from the statistics s of all blocks. */
pen_status pen_units_open(pen_run *run, const pen_spec *spec, const pen_stats *s, pen_units *out);

/* The checksum of what these units depend on. */
uint32_t pen_units_digest(const pen_spec *spec, const pen_stats *s);

/* values [n x d], rows as given after `normalize`, in these units; out->moments is NULL: for a
 * search they are all. The values must live as long. */
pen_status pen_units_rows(pen_run *run, const pen_units *units, const double *values, int64_t n,
                          pen_rows *out);

/* A block as given, after `normalize`, measured from 0. Checks that it is the block `id` of s.
 * *first (may be NULL): the number of its first row. PEN_BAD_ARGUMENT, PEN_BAD_DATA. */
pen_status pen_units_block(pen_run *run, const pen_spec *spec, const pen_stats *s,
                           const pen_data *data, int64_t id, pen_rows *out, int64_t *first);

/* Rows as given, after row steps and `normalize`, measured from 0; possibly none. */
pen_status pen_units_given(pen_run *run, const pen_spec *spec, const pen_data *data, pen_rows *out);

/* The checksum of numbers as they stand in a file. */
uint32_t pen_stats_crc(uint32_t crc, const double *numbers, int64_t count);

#endif
