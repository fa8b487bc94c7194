/* compare_list.h - the candidates of a comparison: methods with their parameters, classifiers, and
 * baselines. */
#ifndef PEN_COMPARE_LIST_H
#define PEN_COMPARE_LIST_H

#include "eval/trials/trials.h"
#include "methods/method.h"

/* A spec whose fits several candidates share. */
typedef struct pen_shared_fit {
    pen_spec *spec;       /* owned by the list */
    int baseline;         /* 1: pca with all dimensions, that is, the standardized columns */
    int named;            /* 1: given by the caller */
    int has_grid;         /* 1: with values to try */
    int again;            /* n: the n-th with its method and kernel; 0: the first */
    unsigned classifiers; /* bit i: enum pen_classifier_kind i */
    int64_t first, count; /* its candidates */
} pen_shared_fit;

typedef struct pen_compared_pair {
    int64_t fit;
    enum pen_classifier_kind classifier;
} pen_compared_pair;

typedef struct pen_compared_list {
    int64_t fit_count, count;
    pen_shared_fit *fits;     /* [fit_count] baseline first */
    pen_compared_pair *pairs; /* [count] by fit, then by kind of classifier */
} pen_compared_list;

/* Lists the given specs (NULL: all methods) with the classifiers and the grid of the trials. The
 * list is in scratch memory, but pen_compared_list_free must free the specs, even after a failure.
 * Errors of pen_compare. */
pen_status pen_compared_list_make(pen_run *run, const pen_spec *const *specs, int64_t count,
                                  const pen_trials *trials, pen_compared_list *out);
void pen_compared_list_free(const pen_compared_list *list);

/* Writes the name of a candidate: self/lda, self+rbf/lda, columns/lda. */
void pen_compared_name(const pen_compared_list *list, int64_t candidate, char *name, size_t size);

/* The classifier of a candidate, with the parameters of its spec. */
pen_classifier_params pen_compared_classifier(const pen_compared_list *list, int64_t candidate);

/* Sets the classifier of a spec. */
pen_status pen_compared_set_classifier(pen_run *run, const pen_compared_list *list,
                                       int64_t candidate, pen_spec *spec);

/* Sets `pca` if there are many columns, unless the spec has it. */
pen_status pen_compared_reduce(pen_run *run, const pen_trial_set *trials,
                               const pen_compared_list *list);

#endif
