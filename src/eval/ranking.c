/* ranking.c - orders the candidates, tests them against the best, and chooses one. */
#include "eval/ranking.h"

#include "eval/student.h"
#include "eval/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The highest score first, of equal ones baselines, then the cheapest. */
static int by_score(const void *a, const void *b)
{
    const pen_compared *p = a, *q = b;

    if (isnan(p->score) != isnan(q->score))
        return isnan(p->score) - isnan(q->score);
    if (!isnan(p->score) && fabs(p->score - q->score) > PEN_SAME_SCORE)
        return p->score < q->score ? 1 : -1;
    if (p->baseline != q->baseline)
        return q->baseline - p->baseline;
    if (p->cost != q->cost)
        return p->cost > q->cost ? 1 : -1;
    return strcmp(p->name, q->name);
}

/* A paired t-test, corrected because trials share most of the rows they learn from, so that their
 * differences vary less than those of independent trials. Nadeau, Bengio 2003. */
static double paired_test(const pen_trial_set *trials, const pen_compared *a, const pen_compared *b)
{
    const double count = (double)trials->count, held = pen_trials_share(trials);
    double mean = 0, variance = 0;

    if (trials->count < 2)
        return (double)NAN;

    for (int64_t t = 0; t < trials->count; t++)
        mean += (a->trials[t] - b->trials[t]) / count;
    for (int64_t t = 0; t < trials->count; t++)
        variance += pow(a->trials[t] - b->trials[t] - mean, 2) / (count - 1);
    if (variance == 0)
        return mean == 0 ? 1 : 0;
    return pen_student_two_sided(mean / sqrt((1 / count + held / (1 - held)) * variance),
                                 count - 1);
}

/* The most stable of the candidates within one standard error of the best that are, or are not,
 * baselines; -1: there is none. */
static int64_t most_stable(const pen_comparison *c, int baseline)
{
    int64_t best = -1;

    for (int64_t m = 0; m < c->alike; m++)
        if (c->candidates[m].baseline == baseline
            && (best < 0
                || c->candidates[m].stability > c->candidates[best].stability + PEN_SAME_SCORE))
            best = m;
    return best;
}

/* A baseline is there to be compared with: it is chosen only where it stands alone. */
static void choose(pen_comparison *c)
{
    const double best = c->candidates[0].score;

    c->margin = pen_standard_error(best, c->held_out);
    while (c->alike < c->count
           && c->candidates[c->alike].score >= best - c->margin - PEN_SAME_SCORE)
        c->alike++;
    const int64_t method = most_stable(c, 0);
    c->chosen = method >= 0 ? method : most_stable(c, 1);
}

/* Of the candidates with the same answers, which name the first of them in the list, all but the
 * best get the name of the best. */
static void name_same(pen_comparison *c)
{
    pen_compared *const e = c->candidates;

    for (int64_t m = c->count - 1; m >= 0; m--) {
        const char *const group = e[m].same_as;
        int64_t first = 0;
        while (first < m && (!group || e[first].same_as != group))
            first++;
        e[m].same_as = first < m ? e[first].name : NULL;
    }
}

void pen_ranking_make(const pen_trial_set *trials, pen_comparison *c)
{
    pen_compared *const candidates = c->candidates;

    c->chance = (double)pen_class_largest(&trials->classes) / (double)trials->classes.labelled;
    qsort(candidates, (size_t)c->count, sizeof *candidates, by_score);
    for (int64_t m = 0; m < c->count; m++)
        candidates[m].p = m == 0 || isnan(candidates[m].score)
                              ? (double)NAN
                              : paired_test(trials, &candidates[0], &candidates[m]);
    choose(c);
    name_same(c);
}
