/* compare_list.h - what a comparison compares: methods with their parameters, classifiers, and
 * baselines. */
#ifndef PEN_COMPARE_LIST_H
#define PEN_COMPARE_LIST_H

#include "eval/trials/trials.h"
#include "methods/method.h"

/* A spec, whose fits several candidates read. */
typedef struct pen_shared_fit {
    pen_spec *spec;       /* which the list owns */
    int baseline;         /* 1: pca of all dimensions, that is, the standardized columns */
    int named;            /* 1: it was given */
    int has_grid;         /* 1: with values to try */
    int again;            /* n: the n-th of its method and kernel, after others; 0: the first */
    unsigned classifiers; /* bit i: enum pen_classifier_kind i */
    int64_t first, count; /* of its candidates */
} pen_shared_fit;

typedef struct pen_compared_pair {
    int64_t fit;
    enum pen_classifier_kind classifier;
} pen_compared_pair;

typedef struct pen_compared_list {
    int64_t fit_count, count;
    pen_shared_fit *fits;     /* [fit_count] the baseline first */
    pen_compared_pair *pairs; /* [count] fit after fit, classifiers in the order of their kinds */
} pen_compared_list;

/* Those given (NULL: all methods), with the classifiers and the grid of the trials, in scratch
 * memory but for the specs: free with pen_compared_list_free, also where this fails. Errors of
 * pen_compare. */
pen_status pen_compared_list_make(pen_run *run, const pen_spec *const *specs, int64_t count,
                                  const pen_trials *trials, pen_compared_list *out);
void pen_compared_list_free(const pen_compared_list *list);

/* self/lda, self+rbf/lda, columns/lda. */
void pen_compared_name(const pen_compared_list *list, int64_t candidate, char *name, size_t size);

/* Its classifier, with the parameters that the spec has. */
pen_classifier_params pen_compared_classifier(const pen_compared_list *list, int64_t candidate);

/* Sets that of a spec. */
pen_status pen_compared_set_classifier(pen_run *run, const pen_compared_list *list,
                                       int64_t candidate, pen_spec *spec);

/* Principal components first where there are many columns, unless that is asked otherwise. */
pen_status pen_compared_reduce(pen_run *run, const pen_trial_set *trials,
                               const pen_compared_list *list);

#endif
