/* subject.h - what evaluate measures: a method, a classifier of its embedding, and their scores. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <penumbra.h>

enum { SUBJECT_NAME_SIZE = 64 };

/* What is measured in each number of dimensions. */
enum { SUBJECT_ACCURACY, SUBJECT_DROPPED, SUBJECT_LOG_LOSS, SUBJECT_BRIER, SUBJECT_MEASURES };

/* A method, a classifier of its embedding, and what came of it. */
typedef struct subject {
    const pen_method *method; /* of the spec */
    const char *classifier;   /* NULL: that of the spec */
    pen_spec *spec;           /* with this classifier */
    pen_scores *scores;       /* NULL: not tried */
    char name[SUBJECT_NAME_SIZE];
} subject;

/* The values of a measure, [trials x dim_count]; NULL: not measured, or not tried. */
const double *subject_scores(const subject *s, int measure);

#endif
