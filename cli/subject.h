/* subject.h - what evaluate measures: a method, a reader of its embedding, and their scores. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <penumbra.h>

enum { SUBJECT_NAME_SIZE = 64 };

/* What is measured in each number of dimensions. Those up to the Brier score depend on the
 * reader. */
enum {
    SUBJECT_ACCURACY,
    SUBJECT_DROPPED,
    SUBJECT_LOG_LOSS,
    SUBJECT_BRIER,
    SUBJECT_NORMALIZED_RAND,
    SUBJECT_ADJUSTED_RAND,
    SUBJECT_PURITY,
    SUBJECT_TRUST,
    SUBJECT_MEASURES
};

/* A method, a reader of its embedding, and what came of it. */
typedef struct subject {
    const char *method_name;
    const pen_method *method; /* of the spec */
    const char *reader;       /* NULL: that of the spec */
    pen_spec *spec;           /* with this reader */
    pen_scores *scores;       /* NULL: not tried */
    int is_first;             /* of the subjects of the method: has what depends on no reader */
    char name[SUBJECT_NAME_SIZE];
} subject;

/* Numbers [dim_count x count] for `sizes` [count] of neighborhoods; values NULL: not asked for. */
typedef struct by_neighbors {
    const double *values;
    const int64_t *sizes;
    int64_t count;
} by_neighbors;

/* What is measured over the trials, [trials x dim_count]; NULL: not asked for. */
const double *subject_over_trials(const subject *s, int measure);

/* What is measured in a fit to all rows. */
by_neighbors subject_in_one_fit(const subject *s, int measure);

/* Whether there is one number for each number of dimensions. */
int subject_has(const subject *s, int measure);

/* The mean and standard deviation in the i-th number of dimensions of subjects with scores; NaN
 * where there is none. */
void subject_number(const subject *s, int measure, int64_t i, double *mean, double *deviation);

#endif
