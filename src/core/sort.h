/* sort.h - integers in ascending order. */
#ifndef PEN_SORT_H
#define PEN_SORT_H

#include "core/run.h"

/* Sorts keys [count], all at most `most`. Scratch memory: the size of the keys. Reports progress as
 * `phase`. */
pen_status pen_sort_keys(pen_run *run, const char *phase, uint64_t *keys, int64_t count,
                         uint64_t most);

#endif
