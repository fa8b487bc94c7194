/* compare_result.h - the result of a comparison. */
#ifndef PEN_COMPARE_RESULT_H
#define PEN_COMPARE_RESULT_H

#include "classifiers/predictions.h"
#include "eval/choose/compare_list.h"
#include "eval/choose/tune.h"

/* The multiply-adds of effort 1, by the costs of the methods: about a minute on one core. */
#define PEN_COMPARE_BUDGET 1e11

typedef enum pen_tried {
    PEN_TRIED = 0,
    PEN_LEFT_OUT,   /* its trials exceed its part of the budget */
    PEN_NOT_REACHED /* stopped before its first trial */
} pen_tried;

/* A method and a classifier. */
typedef struct pen_compared {
    const pen_method *method;
    char name[64]; /* self/lda, self+rbf/lda, columns/lda */
    const char *classifier;
    int baseline;   /* 1: the standardized columns; `method` is pca */
    int named;      /* 1: given by the caller */
    pen_spec *spec; /* NULL: it failed */
    int64_t dim;    /* of `spec`; if the method decides, the least of the trials */
    double untuned; /* mean accuracy of the given spec; NaN: it failed */
    /* mean accuracy over the trials, tuned within each, or `untuned` if higher, and its standard
     * deviation; NaN: failed */
    double score, deviation;
    double aside;           /* like score, for labels that trials do not keep; NaN: none */
    double log_loss, brier; /* means over the trials */
    /* p of a paired t-test against the best candidate, corrected for shared rows of trials (Nadeau,
     * Bengio 2003); NaN for the best candidate */
    double p;
    /* mean fraction of unlabelled rows classified alike in two trials; NaN: no such rows, or only
     * one trial */
    double stability;
    double seconds;       /* for the untuned trials of its method */
    double cost;          /* the same, estimated, in units of the budget */
    int64_t grid;         /* the number of combinations of parameter values */
    int64_t combinations; /* the number tried in each trial; 0: none */
    pen_tried tried;
    int is_tuned;         /* 1: scores are of `found`, no worse than untuned */
    const char *same_as;  /* the best one with equal held-out predictions, or NULL */
    double *trials;       /* [trials] accuracy */
    double *curve;        /* [dim_count] mean accuracy, untuned; NaN: not given */
    double *curve_trials; /* [trials x dim_count] */
    pen_tuning *found;    /* the result of tuning on all labelled rows; NULL: not tuned */
    char failure[160];    /* the reason of a failure, or "" */
    pen_status code;      /* of the failure */
    int64_t order;        /* position in the list */
} pen_compared;

struct pen_comparison {
    int64_t trials, held_out; /* numbers of trials, and of rows held out at least once */
    int64_t labelled;
    int64_t folds, runs;
    int64_t inner_folds; /* for tuning within trials; 0: too few labels to tune */
    int64_t dim_count;
    int64_t *dims;            /* [dim_count] dimensions of the curves */
    int64_t count;            /* the number of candidates */
    int64_t tuned;            /* the number tuned */
    pen_compared *candidates; /* [count] best first; ties: baselines, then the cheapest */
    double margin;            /* standard error of the best score */
    int64_t alike;            /* the first `alike` candidates score within `margin` of the best */
    int64_t chosen;           /* the most stable of them, recommended; a baseline only if all are */
    double chance;            /* accuracy of always predicting the largest class */
    double p_value;           /* of labels unrelated to rows: eval/measures/chance.h */
    int predicts;             /* 0: these labels do not predict classes here */
    double shuffled;          /* its accuracy with shuffled labels; NaN: not requested */
    int interrupted;          /* 1: stopped; has what was finished */
    double seconds;
    /* of the recommended candidate, over the held-out rows of all trials */
    int64_t class_count, *confusion;  /* [class_count x class_count] true by predicted class */
    int32_t *classes;                 /* [class_count] their labels, ascending */
    pen_calibration_bin *calibration; /* [PEN_CALIBRATION_BINS] */
    char *picture;                    /* JSON, or NULL */
    char *json, *text[2];             /* text: the best candidates, or all */
};

/* Further facts for the texts. */
typedef struct pen_comparison_facts {
    const pen_data *data;
    const pen_trials *trials;
} pen_comparison_facts;

/* pen_compare of all methods, with the parameters `pairs` for methods that learn from pairs. */
pen_status pen_compare_all(const pen_pair_params *pairs, const pen_data *data,
                           const pen_trials *trials, const pen_control *control,
                           pen_comparison **out, pen_error *err);

/* An empty result. Free with pen_comparison_free, even after a failure. */
pen_status pen_comparison_new(pen_run *run, const pen_compared_list *list, int64_t trials,
                              int64_t dim_count, pen_comparison **out);

/* Sorts the candidates and sets p, chance, margin, alike and chosen, from the method, failure,
 * score, trials and stability of each. */
void pen_comparison_rank(const pen_trial_set *trials, pen_comparison *c);

/* Does it have accuracies in other numbers of dimensions? */
int pen_compared_has_curve(const pen_comparison *c, const pen_compared *e);

/* The rank of candidate m among different candidates, from 1; a copy has the rank of its
 * original. */
int64_t pen_comparison_place(const pen_comparison *c, int64_t m);

/* Set json and text. */
pen_status pen_comparison_describe(pen_run *run, const pen_comparison_facts *facts,
                                   pen_comparison *c);
pen_status pen_comparison_print(pen_run *run, const pen_comparison_facts *facts, pen_comparison *c);

#endif
