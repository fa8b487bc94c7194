/* h5ad.h - the parts of .h5ad files around their matrices. */
#ifndef PEN_H5AD_H
#define PEN_H5AD_H

#include "io/h5.h"

/* Has it the groups obs and var? */
int pen_h5ad_is(const pen_h5 *h5);

/* PEN_BAD_FORMAT: it is an h5ad file whose obs and var are of an older form. */
pen_status pen_h5ad_check_age(const pen_h5 *h5);

/* A column of the data frame /FRAME (obs, var, raw/var) as texts: texts, numbers, categories; what
 * is missing is the empty text. *kind is how labels of such a column are compared.
 * PEN_UNKNOWN_NAME: there is no such column; the message names those there are. */
pen_status pen_h5ad_column(const pen_h5 *h5, const char *frame, const char *name, pen_text **texts,
                           int64_t *count, enum pen_labels *kind);

/* Likewise some rows of the column. */
pen_status pen_h5ad_part(const pen_h5 *h5, const char *frame, const char *name, pen_h5_part *part,
                         pen_text **texts, enum pen_labels *kind);

/* The names of its rows. count 0: it has none. */
pen_status pen_h5ad_index(const pen_h5 *h5, const char *frame, pen_text **texts, int64_t *count);

/* Fails with the texts that could be meant: "FILE: no WHAT "NAME"; there are A, B, ..". */
pen_status pen_h5_no_such(const pen_h5 *h5, const char *what, const char *name, char *const *names,
                          int64_t count);

#endif
