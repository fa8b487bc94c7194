/* method.h - what a method is, and all that a method file includes. */
#ifndef PEN_METHOD_H
#define PEN_METHOD_H

#include "core/rows.h"
#include "methods/method_params.h"
#include "solve/stretch.h"

/* What a fit needs, or an error says what is missing. */
typedef struct pen_needs {
    int64_t classes; /* labelled rows of at least this number of classes */
    /* parameters that are shares of a blend, at most 1 in all, which need no labels: 2 classes
     * where they are 0, 1 where they sum to less than 1 */
    const char *unlabelled_shares[2];
    int pairs;           /* PEN_MUST_LINKS, PEN_CANNOT_LINKS: at least one pair of these kinds */
    int dim_of_classes;  /* dim: the number of classes */
    const char *missing; /* NULL, or why there are too few pairs for these parameters */
} pen_needs;

struct pen_method {
    const char *name;  /* what users type */
    const char *title; /* its full name */
    const char *cite;  /* where it comes from */
    const char *dims;  /* how many dimensions it can give: a phrase for listings */
    /* of a fit, likewise: n rows, l of them labelled, d columns, k neighbors */
    const char *cost;
    pen_source source; /* how its formula is established */
    int traits;        /* PEN_LABELS and the others of that enum */
    pen_needs needs;
    /* NULL, or the needs where they depend on parameters or rows */
    pen_needs (*needs_of)(const pen_rows *x, const void *params);
    const pen_param *params; /* its own parameters */
    size_t size;             /* of the struct they are bound to */
    /* NULL, or rows that take the place of those of the same name in pen_common_params: other
     * defaults */
    const pen_param *common;
    const char *ridge; /* the parameter that adds to the diagonal, for messages; NULL: ridge */

    /* Find the columns for rows x (n >= d, or x spans all its columns) into *out, which is zero
     * before. What the method needs is there; x->pairs is, too, for methods that learn from
     * pairs. */
    pen_status (*fit)(pen_run *run, const pen_rows *x, const void *params,
                      const pen_request *request, pen_map *out);
};

/* The end of a record: the table `params` of that struct, and `fit`. */
#define PEN_FIT(record) .params = params, .size = sizeof(record), .fit = fit

/* Is there what the method needs? PEN_NO_LABELS, PEN_ONE_CLASS, PEN_NO_PAIRS; PEN_RANK_TOO_SMALL,
 * PEN_BAD_ARGUMENT: dim. */
pen_status pen_method_check(pen_run *run, const pen_method *method, const pen_rows *x,
                            const void *params, const pen_request *request);

/* Parameters all methods have; bound to pen_common. */
extern const pen_param pen_common_params[];

#endif
