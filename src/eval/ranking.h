/* ranking.h - what the trials of a comparison say of its candidates. */
#ifndef PEN_RANKING_H
#define PEN_RANKING_H

#include "eval/trials.h"

/* From method, failure, score, trials and stability of the candidates: their order, p, chance,
 * margin and chosen. */
void pen_ranking_make(const pen_trials *trials, pen_comparison *c);

#endif
