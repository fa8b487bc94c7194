/* opened.h - calls of the library's inner functions, rows as methods get them, random graphs. */
#ifndef OPENED_H
#define OPENED_H

#include "check.h"

#include "graph/graph.h"
#include "linalg/sym.h"
#include "problem/problem.h"

/* A call that must succeed, where no error is kept. */
#define CHECK_CALL(call) assert_int_equal((call), PEN_OK)

/* A number that the run notes; NAN: it notes none of that name. */
double note_of(const pen_run *run, const char *name);

/* The rows of data, and their pairs if they were opened. It must not be moved. */
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

/* About `each` random edges of every row to later ones, some with negative weights; a hub is joined
 * to all later ones. */
pen_graph random_graph(pen_run *run, pen_rng *rng, int64_t n, int64_t each, int hub);

/* The lower triangle of S is that of factor * right [d x d], a scatter: entries differ by at most
 * `tolerance` of the root of the product of their diagonal entries. */
void check_scatter_is(const pen_sym *S, const double *right, double factor, double tolerance,
                      const char *what);

#endif
