/* opened.h - calls of internal functions, opened rows, random graphs. */
#ifndef OPENED_H
#define OPENED_H

#include "check.h"

#include "graph/graph.h"
#include "linalg/sym.h"
#include "problem/problem.h"

/* A call that must succeed, without an error object. */
#define CHECK_CALL(call) assert_int_equal((call), PEN_OK)

/* A number noted by the run, or NAN. */
double note_of(const pen_run *run, const char *name);

/* The rows of data, and their pairs if opened. It must not be moved. */
typedef struct opened {
    pen_run *run;
    pen_error err;
    pen_problem p;
    pen_pair_set pairs;
} opened;

/* Close the run at the end. */
void open_rows(const pen_data *data, int threads, opened *o);
void open_pairs(const pen_data *data, int threads, const pen_pair_params *how, enum pen_order order,
                opened *o);

/* About `each` random edges from every row to later ones, some with negative weights; one hub has
 * edges to all later rows. */
pen_graph random_graph(pen_run *run, pen_rng *rng, int64_t n, int64_t each, int hub);

/* The lower triangle of S is factor * right [d x d], a scatter: entries differ by at most
 * `tolerance` times the root of the product of their diagonal entries. */
void check_scatter_is(const pen_sym *S, const double *right, double factor, double tolerance,
                      const char *what);

#endif
