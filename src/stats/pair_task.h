/* pair_task.h - a task of a pass over pairs of blocks: the rows of two blocks, or of one. */
#ifndef PEN_PAIR_TASK_H
#define PEN_PAIR_TASK_H

#include "stats/units.h"

typedef struct pen_pair_task {
    int sides;        /* 2, or 1: a block with itself */
    int64_t id[2];    /* ascending */
    int64_t first[2]; /* numbers of their first rows among all */
    int64_t rows[2];
    double *values[2]; /* [rows x d] as given, after `normalize`; one after the other */
} pen_pair_task;

/* PEN_BAD_ARGUMENT: the method has no such passes, or a block is unknown;
 * PEN_BAD_DATA: a block has other rows than in s; PEN_NOT_FINITE. */
pen_status pen_pair_task_open(pen_run *run, const pen_spec *spec, const pen_stats *s,
                              const pen_stats_pair *pair, pen_pair_task *out);

/* What the first pass and the graph ask of a spec: PEN_BAD_ARGUMENT as above. */
pen_status pen_pair_check(pen_run *run, const pen_spec *spec, const pen_stats *s);

/* The rows of a task, measured from the mean of all, in the units of the rows as given. */
pen_status pen_pair_rows(pen_run *run, const pen_stats *s, const pen_pair_task *task,
                         pen_rows *out);

/* Copies the part TOTAL. */
void pen_pair_total(const pen_stats *from, pen_stats *to);

/* An object with one part, of the blocks of s: names, and counts but for those of the part. */
pen_status pen_pair_object(pen_run *run, const pen_stats *s, int part, pen_stats **out);

/* Its memory, when all counts are set, and the blocks. */
pen_status pen_pair_allocate(pen_run *run, const pen_stats *s, pen_stats *out);

/* *blocks [*found]: the ids of the blocks of tasks [count x 2], ascending, of which s has all. */
pen_status pen_pair_blocks(pen_run *run, const pen_stats *s, const int64_t *tasks, int64_t count,
                           int64_t **blocks, int64_t *found);

/* PEN_BAD_ARGUMENT: not all pairs of the blocks of s are among tasks [count x 2]; the first is
 * named, and `what` is missing there. */
pen_status pen_pair_complete(pen_run *run, const pen_stats *s, const char *what,
                             const int64_t *tasks, int64_t count);

/* PEN_BAD_ARGUMENT: the lists of s are not complete; PEN_BAD_DATA: one is too short. */
pen_status pen_pair_lists_complete(pen_run *run, const pen_stats *s);

/* PEN_BAD_ARGUMENT: not every block of s is a task by itself; the first is named. */
pen_status pen_pair_blocks_complete(pen_run *run, const pen_stats *s, const char *what,
                                    const int64_t *tasks, int64_t count);

#endif
