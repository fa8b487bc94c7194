/* method.h - the record of a method, and all that a method file includes. */
#ifndef PEN_METHOD_H
#define PEN_METHOD_H

#include "problem/problem.h"
#include "methods/method_params.h"
#include "solve/stretch.h"

/* What a fit needs. If it is missing, the fit fails. */
typedef struct pen_needs {
    int64_t classes; /* labelled rows from at least this number of classes */
    /* parameters that weight the unlabelled parts of a blend and sum to at most 1. The rest of the
     * blend needs 2 classes if both are 0, and 1 class if they sum to less than 1 */
    const char *unlabelled_shares[2];
    /* NULL, or the separate weight in the denominator: below 1 it needs labels */
    const char *share_within;
    int pairs;           /* PEN_MUST_LINKS, PEN_CANNOT_LINKS: at least one pair of these kinds */
    int dim_of_classes;  /* dim must be the number of classes */
    const char *missing; /* NULL, or the message if the parameters need more pairs */
} pen_needs;

/* What a method seeks among all rows of a fit, besides sums over them. */
enum pen_sought { PEN_SOUGHT_NOTHING, PEN_SOUGHT_NEAREST, PEN_SOUGHT_ALL };

/* The internal part of a method. */
struct pen_method_inner {
    int wide;      /* 1: copes with many columns, so that trials do not reduce them first */
    int leading;   /* 1: its first k columns lie in the first k principal components */
    int any_units; /* 1: without a ridge, the units of columns do not matter */
    int unreduced; /* 1: with fewer rows than columns it gets all columns, not components */
    /* 1: it sees only labelled or paired rows, and its columns lie in the span of their
     * differences; a ridge adds a multiple of I */
    int of_known_rows;
    /* 1: it only adds scatters and solves for `dim` dimensions, so that matrices of all columns
     * need not be stored (linalg/implicit.h) */
    int direct;
    /* for methods with PEN_MERGES or PEN_MERGES_ROWS: what they seek with these parameters, the
     * rows nearest to labelled ones or all rows; NULL: nothing */
    enum pen_sought (*sought)(const void *params);
    pen_needs needs;
    /* NULL, or computes needs that depend on parameters or rows */
    pen_needs (*needs_of)(const pen_problem *problem, const void *params);
    const char *ridge; /* the parameter that adds to the diagonal, for messages; NULL: ridge */
    size_t size;       /* of the struct that holds its own parameters */

    /* Finds the columns for the rows (n >= d, or they span all their columns, unless `unreduced`).
     * *out is zero on entry. The needs have been checked; methods that learn from pairs have
     * problem->pairs. */
    pen_status (*fit)(pen_run *run, const pen_problem *problem, const void *params,
                      const pen_request *request, pen_projection *out);
};

/* The end of a record: the table `params` and the internal part, which PEN_FIT ends with the struct
 * of the method's own parameters and `fit`. With PEN_MERGES or PEN_MERGES_ROWS, a method reads rows
 * that have no label and no pair only through scatters and neighbors. These use pen_view.moments or
 * refuse with pen_problem_need_all. */
#define PEN_INNER(...)                                                                             \
    .params = params, .inner = &(const struct pen_method_inner)                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define PEN_FIT(record) .size = sizeof(record), .fit = fit

/* The field `sought` of a record, from its parameters p. */
#define PEN_SOUGHT(record, what)                                                                   \
    static enum pen_sought sought(const void *params_)                                             \
    {                                                                                              \
        const record *p = params_;                                                                 \
        return (what);                                                                             \
    }

/* For affinities of labelled rows whose scale comes from all rows. */
static inline enum pen_sought pen_affinity_sought(const pen_class_affinity *how)
{
    return pen_affinity_seeks(how) ? PEN_SOUGHT_NEAREST : PEN_SOUGHT_NOTHING;
}

int64_t pen_method_count(void);

/* Checks the needs. PEN_NO_LABELS, PEN_ONE_CLASS, PEN_NO_PAIRS; PEN_RANK_TOO_SMALL,
 * PEN_BAD_ARGUMENT: dim. */
pen_status pen_method_check(pen_run *run, const pen_method *method, const pen_problem *problem,
                            const void *params, const pen_request *request);

/* The parts of statistics (PEN_PART_TOTAL ..) that a fit needs for some values of its parameters;
 * 0: every parameter setting needs all rows. */
int pen_method_parts(const pen_method *method);

#endif
