/* trial_score.h - how a method scores in a trial. */
#ifndef PEN_TRIAL_SCORE_H
#define PEN_TRIAL_SCORE_H

#include "eval/embedding.h"
#include "eval/trials.h"

/* All rows of the data as the trial embeds them (eval/embedding.h): dim 0 is the number that the
 * method takes by itself. */
pen_status pen_trial_embed(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t dim,
                           const pen_control *control, pen_embedding *out);

/* Readers that read the same fit. PEN_READER_AUTO: the nearest known rows vote. */
typedef struct pen_reader_list {
    const pen_reader_params *list;
    int64_t count;
} pen_reader_list;

/* The scores of a trial for each number of dimensions: arrays [dim_count], or NULL if not wanted;
 * NaN where the method does not give that many. */
typedef struct pen_trial_scores {
    double *accuracy, *dropped, *normalized_rand, *adjusted_rand;
    double *log_loss, *brier; /* of the reader; NULL if not wanted. NaN of votes */
    /* of the last number of dimensions; NULL if not wanted: classes of the stability sample
     * [stability_count] and of the held-out rows [hidden], -1 if the method does not give that
     * many; and that number, 0 if it does not */
    int32_t *predicted, *told;
    int64_t *given;
} pen_trial_scores;

/* Fit and score. dims is as for pen_evaluate, ascending and not NULL. Nested methods are fitted
 * once, and classes read by the reader of the spec. `control` is for the fits. PEN_RANK_TOO_SMALL:
 * the method gives none of the dimensions. */
pen_status pen_trial_score(pen_run *run, const pen_trial *c, const pen_spec *spec,
                           int64_t dim_count, const int64_t *dims, const pen_control *control,
                           const pen_trial_scores *scores);

/* The same for several readers, which read the same fits: scores [readers->count]. Clusters are
 * set in the first ones. The reader of the spec does not count. */
pen_status pen_trial_score_readers(pen_run *run, const pen_trial *c, const pen_spec *spec,
                                   const pen_reader_list *readers, int64_t dim_count,
                                   const int64_t *dims, const pen_control *control,
                                   const pen_trial_scores *scores);

#endif
