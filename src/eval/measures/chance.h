/* chance.h - are predictions of held-out rows better than guesses? */
#ifndef PEN_CHANCE_H
#define PEN_CHANCE_H

#include "eval/trials/trials.h"

/* predicted [candidates]: the classes that each predicts of the rows that trials hold out, trial
 * after trial and within each in the order of the rows; NULL: it failed.
 * *p: the probability that one of the candidates is as right as the best of them if classes have
 * nothing to do with rows: true classes are permuted among the held-out rows, in all trials alike,
 * among groups as wholes where each has one class. What is compared is the largest of
 * (hits - expected hits) / standard deviation over the candidates, so what always says one class
 * decides nothing. All permutations where they are at most 1000, otherwise the true one and 99 to
 * 999 random ones; expected and deviation: over these.
 * *predicts: 0 if p is above 0.05, or 0.2 where all were tried: one mistake among six labels gives
 * more than 0.05. */
pen_status pen_chance_test(pen_run *run, const pen_trial_set *trials, int64_t candidates,
                           const int32_t *const *predicted, double *p, int *predicts);

#endif
