/* model.h - what a model holds. */
#ifndef PEN_MODEL_H
#define PEN_MODEL_H

#include "core/run.h"

struct pen_model {
    int64_t d, k;
    int unit;            /* rows are divided by their length first */
    double *projection;  /* [d x k] */
    double *mean;        /* [d] */
    double *eigenvalues; /* [k] */
    char *method;
    char *parameters; /* JSON object */
    char *info;       /* JSON object */
    char **class_names;
    int64_t class_count;
    char **feature_names; /* [d] or NULL */
};

/* An empty model with room for its numbers; free it with pen_model_free. */
pen_status model_new(pen_run *run, int64_t d, int64_t k, pen_model **out);

/* A copy of a string; free() it. */
pen_status model_text(pen_run *run, const char *text, char **out);

#endif
