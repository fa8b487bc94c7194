/* chance.h - tests whether predictions of held-out rows beat guessing. */
#ifndef PEN_CHANCE_H
#define PEN_CHANCE_H

#include "eval/trials/trials.h"

/* predicted [candidates]: the predicted classes of the held-out rows, trial after trial, in row
 * order within each; NULL: the candidate failed.
 * *p: the probability that some candidate is as good as the best one if classes are unrelated to
 * rows. The test permutes true classes among the held-out rows, in all trials alike, or among whole
 * groups if each has one class. It compares the largest
 * (hits - expected hits) / standard deviation over the candidates, so a candidate that always
 * predicts one class has no influence. It uses all permutations if there are at most 1000,
 * otherwise the true one and 99 to 999 random ones, also for expectation and deviation.
 * *predicts: 0 if p is above 0.05, or above 0.2 if all permutations were tried: one mistake among
 * six labels gives more than 0.05. */
pen_status pen_chance_test(pen_run *run, const pen_trial_set *trials, int64_t candidates,
                           const int32_t *const *predicted, double *p, int *predicts);

#endif
