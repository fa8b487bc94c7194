/* public_calls.h - a call of every public function that returns a status, for tests with a missing
 * argument (test_null_arguments) and with a failing allocation (test_allocation). */
#ifndef PUBLIC_CALLS_H
#define PUBLIC_CALLS_H

#include "kit/check_fit.h"

/* Arguments of the calls, set before a call. */
extern struct given {
    const char *text, *path;
    const pen_spec *spec;
    pen_spec *changed;
    pen_data data;
    pen_rows *rows; /* the rows, prepared */
    pen_model *model, *second;
    void *bytes;
    size_t size;
    pen_read_options options;
    const pen_array *queries;
    pen_table table;
    pen_blocks *blocks;
    pen_control control;
    pen_trials trials;
    const pen_spec *const *specs;
    int64_t spec_count;
    pen_stats_block block;
    pen_stats *stats[3];
    int64_t stats_count;
    void *made; /* set by the call */
} given;

typedef struct public_call {
    const char *function;
    const char *required; /* the arguments that must not be NULL, separated by blanks */
    /* passes NULL for required argument `missing`, counted from 0; -1: for none */
    pen_status (*call)(int missing, pen_error *err);
    void (*release)(void *made); /* NULL: it makes no object */
} public_call;

enum { CALL_ROWS = 64, CALL_COLUMNS = 8 }; /* the most rows to embed or predict */
extern const public_call public_calls[];   /* a NULL function ends the list */

const public_call *public_call_of(const char *function);

#endif
