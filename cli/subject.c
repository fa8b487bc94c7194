/* subject.c - the scores of a method and a classifier, by what is measured. */
#include "subject.h"

const double *subject_scores(const subject *s, int measure)
{
    if (!s->scores)
        return NULL;
    switch (measure) {
    case SUBJECT_ACCURACY:
        return s->scores->accuracy;
    case SUBJECT_DROPPED:
        return s->scores->dropped;
    case SUBJECT_LOG_LOSS:
        return s->scores->log_loss;
    default:
        return s->scores->brier;
    }
}
