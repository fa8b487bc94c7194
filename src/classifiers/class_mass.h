/* class_mass.h - class-mass normalization: turns class scores into probabilities. */
#ifndef PEN_CLASS_MASS_H
#define PEN_CLASS_MASS_H

#include "classifiers/class_prior.h"
#include "solve/ratio.h"

/* Added to every score, so that no sum is 0. */
#define PEN_SCORE_FLOOR 1e-12

/* Upper bound of a mass. */
#define PEN_MOST_MASS 1e200

/* max(score, 0) + PEN_SCORE_FLOOR, at most 1e100; NaN counts as 0. */
double pen_score_above_zero(double score);

/* Replaces a row of scores [classes] by the probabilities
 *
 *   p_c = prior_c (max(score_c, 0) / mass_c + PEN_SCORE_FLOOR / largest mass), divided by their sum
 *
 * so that a row without a score above 0 has the priors. Scores of NaN count as 0.
 * class_mass [2 x classes]: the masses, in [PEN_SCORE_FLOOR, PEN_MOST_MASS], then the priors, which
 * sum to 1. */
void pen_class_shares(int64_t classes, const double *class_mass, double *row);

/* Replaces out->propagated by probabilities and sets out->class_mass. mass_c is the sum of
 * max(score_c, 0) + PEN_SCORE_FLOOR over the unlabelled rows, each adding at most 2. It is at least
 * a millionth of the largest mass, so that a class that scores no unlabelled row is not scaled up
 * to its prior. Without unlabelled rows, probabilities are proportional to scores.
 * PEN_PRIOR_AUTO: prior_c ~ exp(b (v_c + lc(mass)_c) / 2) with b and v of class_prior.h, noise 0.4,
 * from the counts of the largest F_c / mass_c and those of pen_prior_count on rows x.
 * Nothing changes for PEN_PRIOR_NONE. Notes "undecided" unless it is 0: the number of unlabelled
 * rows without a score above 0, or with equal largest scores or probabilities.
 * Cost: order n classes. Zhu, Ghahramani, Lafferty 2003, section 4. */
pen_status pen_normalize_class_mass(pen_run *run, const pen_view *x, enum pen_prior prior,
                                    pen_projection *out);

#endif
