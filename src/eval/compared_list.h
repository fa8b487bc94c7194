/* compared_list.h - what a comparison compares: methods, kernels, classifiers, and baselines. */
#ifndef PEN_COMPARED_LIST_H
#define PEN_COMPARED_LIST_H

#include "eval/trials.h"
#include "methods/method.h"

/* A method and its kernel, whose fits several candidates read. */
typedef struct pen_shared_fit {
    const pen_method *method;
    enum pen_kernel_kind kernel;
    int baseline;         /* 1: pca of all dimensions, that is, the standardized columns */
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

/* Those named (NULL: all methods), with the classifiers and kernels of the protocol, in scratch
 * memory. Errors of pen_compare. */
pen_status pen_compared_list_make(pen_run *run, const char *const *names, int64_t count,
                                  const pen_protocol *protocol, pen_compared_list *out);

/* self/lda, self+rbf/lda, columns/lda. */
void pen_compared_name(const pen_compared_list *list, int64_t candidate, char *name, size_t size);

/* Its classifier, with default parameters. */
pen_classifier_params pen_compared_classifier(const pen_compared_list *list, int64_t candidate);

/* Sets that of a spec. */
pen_status pen_compared_set_classifier(pen_run *run, const pen_compared_list *list,
                                       int64_t candidate, pen_spec *spec);

/* The default parameters of a fit, with `pca` where there are many columns; NULL: there are not. */
pen_status pen_compared_defaults(pen_run *run, const pen_shared_fit *fit, const pen_trials *trials,
                                 const char *pca, pen_spec **out);

#endif
