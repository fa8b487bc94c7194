/* scores_text.h - the scores of evaluate as tables. */
#ifndef SCORES_TEXT_H
#define SCORES_TEXT_H

#include "flags/args.h"
#include "subject.h"

typedef struct scores_table {
    const subject *list; /* [count] of each method, one after the other */
    int64_t count;
    int all_dims; /* 1: also rows of dimensions that no method gives */
} scores_table;

/* One method and classifier: a table with a column for each measure. Several: a table for each
 * measure, with a column for each of them. At least one subject must have scores. Returns CLI_OK or
 * the exit status, with the error printed. */
int scores_print_tables(const cli_args *args, const scores_table *e);

#endif
