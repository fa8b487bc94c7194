/* select_map.h - the single map of a choice by trials. */
#ifndef PEN_SELECT_MAP_H
#define PEN_SELECT_MAP_H

#include "eval/trials.h"

/* A candidate in some of its dimensions. */
typedef struct pen_map_choice {
    int candidate;
    int64_t dims;                           /* 0: all */
    double temperature, temperature_of_all; /* in these dimensions, and in all */
} pen_map_choice;

/* The map that answers most like the members of the choice together: of the rows without a label,
 * those that the member gives the same class as the mean of all members does, each fitted to all
 * rows and labels of the trials. Equal numbers: the higher score, then the first. Where its first
 * columns are the answer for fewer dimensions, the fewest of 1, 2, 3, 4, 6, 8, 12, 16, ... with
 * which that share falls by at most PEN_MAP_LOSS. The temperature makes its probabilities most like
 * those of the mean.
 *
 * Why not the member with the highest score: scores of a few labelled rows are equal or differ by
 * chance, while the rows without labels are many, and the mean is right more often than any member
 * (docs/results.md#fit-auto).
 * There must be rows without a label. Errors of pen_fit. Cost: a trial of each member. Memory: n c
 * doubles for each. */
pen_status pen_select_map(pen_run *run, const pen_trials *trials, const pen_selection *selection,
                          pen_map_choice *out);

#define PEN_MAP_LOSS 0.02

#endif
