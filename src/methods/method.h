/* method.h - what a method is, and all that a method file includes. */
#ifndef PEN_METHOD_H
#define PEN_METHOD_H

#include "core/params.h"
#include "core/rows.h"
#include "solve/stretch.h"
#include "solve/ratio.h"
#include "scatter/scatter.h"

struct pen_method {
    const char *name;  /* what users type */
    const char *title; /* its full name */
    const char *cite;  /* where it comes from */
    const char *dims;  /* how many dimensions it can give: a phrase for listings */
    /* of a fit: likewise; n rows, l of them labelled, d columns, k neighbors */
    const char *cost;
    pen_source source;       /* how its formula is established */
    int traits;              /* PEN_LABELS and the others of that enum */
    const pen_param *params; /* its own parameters */
    size_t size;             /* of the struct they are bound to */
    /* NULL, or rows that take the place of those of the same name in pen_common_params: other
     * defaults */
    const pen_param *common;

    const char *ridge; /* the parameter that adds to the diagonal, for messages; NULL: ridge */

    /* Find the columns for rows x (n >= d, or x spans all its columns) into *out, which is zero
     * before. x->pairs is there for methods that learn from pairs. */
    pen_status (*fit)(pen_run *run, const pen_rows *x, const void *params,
                      const pen_request *request, pen_map *out);
};

/* Words that stand for values of `pca`, and for 0: found from the rows. */
extern const pen_word pen_pca_words[], pen_auto_words[];

/* `dim`, for methods whose columns depend on how many are wanted: auto, as many as help says. */
#define PEN_DIM_AUTO(help_)                                                                        \
    {                                                                                              \
        .name = "dim", .type = PEN_PARAM_INT, .min = 1, .max = PEN_NO_LIMIT,                       \
        .words = pen_auto_words, .help = (help_), .offset = offsetof(pen_common, dim)              \
    }

/* `pca`, for methods with another default, or for which components are worth trying. */
#define PEN_PCA(initial_, grid_)                                                                   \
    {                                                                                              \
        .name = "pca", .type = PEN_PARAM_REAL, .initial = (initial_), .min = 0,                    \
        .max = PEN_NO_LIMIT, .words = pen_pca_words, .grid = (grid_),                              \
        .help = "then, principal components: a fraction of the variance, a count, or rank: all "   \
                "there are",                                                                       \
        .offset = offsetof(pen_common, pca)                                                        \
    }

/* Parameters all methods have; bound to pen_common. */
extern const pen_param pen_common_params[];

#endif
