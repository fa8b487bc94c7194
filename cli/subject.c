/* subject.c - the scores of a method and a reader, by what is measured. */
#include "subject.h"

#include <math.h>

const double *subject_over_trials(const subject *s, int measure)
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
    case SUBJECT_BRIER:
        return s->scores->brier;
    case SUBJECT_NORMALIZED_RAND:
        return s->scores->normalized_rand;
    case SUBJECT_ADJUSTED_RAND:
        return s->scores->adjusted_rand;
    default:
        return NULL;
    }
}

by_neighbors subject_in_one_fit(const subject *s, int measure)
{
    const pen_scores *const z = s->scores;

    if (z && measure == SUBJECT_PURITY)
        return (by_neighbors){ z->purity, z->purity_sizes, z->purity_count };
    if (z && measure == SUBJECT_TRUST)
        return (by_neighbors){ z->trustworthiness, z->trust_sizes, z->trust_count };
    return (by_neighbors){ NULL, NULL, 0 };
}

int subject_has(const subject *s, int measure)
{
    const by_neighbors once = subject_in_one_fit(s, measure);

    return subject_over_trials(s, measure) || (once.values && once.count == 1);
}

void subject_number(const subject *s, int measure, int64_t i, double *mean, double *deviation)
{
    const double *const trials = subject_over_trials(s, measure), *const once =
                                                                      subject_in_one_fit(s, measure)
                                                                          .values;

    *mean = once ? once[i] : (double)NAN;
    *deviation = (double)NAN;
    if (trials)
        pen_scores_summary(s->scores, trials, i, mean, deviation);
    if (s->scores->done < 2)
        *deviation = (double)NAN;
}
