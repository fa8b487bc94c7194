/* ranking.h - ranks the candidates of a comparison by their trials. */
#ifndef PEN_RANKING_H
#define PEN_RANKING_H

#include "eval/comparison.h"

/* Sort the candidates and set p, chance, margin, alike and chosen, from the method, failure, score,
 * trials and stability of each. */
void pen_ranking_make(const pen_trial_set *trials, pen_comparison *c);

#endif
