/* method.h - the record of a method, and all that a method file includes. */
#ifndef PEN_METHOD_H
#define PEN_METHOD_H

#include "problem/problem.h"
#include "methods/method_params.h"
#include "solve/stretch.h"

/* What a fit needs; otherwise it is an error. */
typedef struct pen_needs {
    int64_t classes; /* labelled rows of at least this number of classes */
    /* parameters that are the shares, at most 1 in total, of the parts of a blend that need no
     * labels: the rest needs 2 classes where they are 0, and 1 where they sum to less than 1 */
    const char *unlabelled_shares[2];
    /* NULL, or a share of its own in the denominator: it needs labels where it is below 1 */
    const char *share_within;
    int pairs;           /* PEN_MUST_LINKS, PEN_CANNOT_LINKS: at least one pair of these kinds */
    int dim_of_classes;  /* dim must be the number of classes */
    const char *missing; /* NULL, or the message if there are too few pairs for the parameters */
} pen_needs;

/* What a method looks for among all rows of a fit, besides sums over them. */
enum pen_sought { PEN_SOUGHT_NOTHING, PEN_SOUGHT_NEAREST, PEN_SOUGHT_ALL };

/* What a method is to the library. */
struct pen_method_inner {
    int wide;      /* 1: many columns are no trouble, and trials put no components before it */
    int leading;   /* 1: its first k columns lie in the first k principal components */
    int any_units; /* 1: without a ridge the units of columns do not matter */
    int unreduced; /* 1: with fewer rows than columns it gets the columns, not their span */
    /* 1: it sees labelled or paired rows alone, and its columns lie in the span of their
     * differences; a ridge adds a multiple of I */
    int of_known_rows;
    /* 1: it only adds scatters and solves for `dim` dimensions: matrices of all columns need not be
     * stored (linalg/implicit.h) */
    int direct;
    /* of methods with PEN_MERGES or PEN_MERGES_ROWS: what it seeks with these parameters, the
     * nearest rows of labelled ones or every row; NULL: nothing */
    enum pen_sought (*sought)(const void *params);
    pen_needs needs;
    /* NULL, or the needs if they depend on parameters or rows */
    pen_needs (*needs_of)(const pen_problem *problem, const void *params);
    const char *ridge; /* the parameter that adds to the diagonal, for messages; NULL: ridge */
    size_t size;       /* of the struct that its own parameters are bound to */

    /* Finds the columns for the rows (n >= d, or they span all their columns, unless `unreduced`).
     * *out is zero before. The needs have been checked; methods that learn from pairs have
     * problem->pairs. */
    pen_status (*fit)(pen_run *run, const pen_problem *problem, const void *params,
                      const pen_request *request, pen_projection *out);
};

/* The end of a record: the table `params`, and what the method is to the library, of which PEN_FIT
 * is the end: the struct of its own parameters, and `fit`. With PEN_MERGES or PEN_MERGES_ROWS a
 * method asks for rows other than labelled and paired ones only through scatters and neighbors that
 * know of pen_view.moments, or that refuse with pen_problem_need_all. */
#define PEN_INNER(...)                                                                             \
    .params = params, .inner = &(const struct pen_method_inner)                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define PEN_FIT(record) .size = sizeof(record), .fit = fit

/* `sought` of a record, of its parameters p. */
#define PEN_SOUGHT(record, what)                                                                   \
    static enum pen_sought sought(const void *params_)                                             \
    {                                                                                              \
        const record *p = params_;                                                                 \
        return (what);                                                                             \
    }

/* For affinities of labelled rows that are scaled among all rows. */
static inline enum pen_sought pen_affinity_sought(const pen_class_affinity *how)
{
    return pen_affinity_seeks(how) ? PEN_SOUGHT_NEAREST : PEN_SOUGHT_NOTHING;
}

int64_t pen_method_count(void);

/* Checks the needs. PEN_NO_LABELS, PEN_ONE_CLASS, PEN_NO_PAIRS; PEN_RANK_TOO_SMALL,
 * PEN_BAD_ARGUMENT: dim. */
pen_status pen_method_check(pen_run *run, const pen_method *method, const pen_problem *problem,
                            const void *params, const pen_request *request);

/* The parts of statistics (PEN_PART_TOTAL ..) that fits of the method need with some values of its
 * parameters; 0: all of them need every row. */
int pen_method_parts(const pen_method *method);

#endif
