/* model.h - the contents of a model. */
#ifndef PEN_MODEL_H
#define PEN_MODEL_H

#include "classifiers/classifier.h"
#include "classifiers/typical.h"
#include "core/cache.h"
#include "core/row_steps.h"
#include "kernels/kernel.h"
#include "model/safetensors.h"

#include <stdatomic.h>

/* The kernel map in front of a projection. */
typedef struct pen_model_kernel_map {
    pen_kernel form;   /* PEN_KERNEL_NONE: there is none, and nothing else is set */
    int64_t inputs;    /* columns of a row */
    double *rows;      /* [d] of the fit, which are landmarks */
    double *landmarks; /* [d x inputs]; NULL: precomputed */
    double *origin;    /* [inputs] rows are scale (u v - origin); NULL: precomputed */
    double *scale;     /* [inputs] or NULL: 1 */
} pen_model_kernel_map;

/* What happens to a row before anything else. */
typedef struct pen_model_row {
    pen_row_steps steps; /* columns 0: none */
    double *idf;         /* [columns] or NULL */
    double *selected;    /* [steps.kept] steps.selected as the file has it; or NULL */
} pen_model_row;

/* What a model says of itself: the object, the same as a tree, and the JSON of each value that is
 * no string, ended by a NUL. */
typedef struct pen_about {
    char *text;
    pen_json *tree;
    char *values;
} pen_about;

struct pen_model {
    char *method; /* first, as it is no number: place 0 in the table of tensors is none */
    /* d: columns of a row as given, or landmarks; rows of the projection that steps do not select
     * are 0 */
    int64_t d, k;
    pen_missing missing; /* what becomes of rows with NaN: ERROR, MEAN or DROP */
    double *fill;        /* [columns as given] with MEAN; NaN: the column counts as 0 */
    pen_model_row row;
    int unit;                    /* rows are normalized to unit length first */
    pen_model_kernel_map kernel; /* its values with landmarks are what is projected */
    double *projection;          /* [d x k] */
    double *mean;                /* [d] */
    double *scale;     /* [d] factors of the columns, 0: left out; NULL: all 1, or a kernel */
    double *deviation; /* [d] of the columns before that; NULL: a kernel */
    /* [k] bound on the rounding of the embedding of rows of the fit; NULL: not known; not in the
     * file */
    double *rounding;
    double *eigenvalues; /* [k] or NULL */
    double *picture;     /* [k x 2] or NULL: z picture shows the classes best */
    /* [class_count] or NULL: class scores are the first dimensions plus these */
    double *bias;
    /* [2 x class_count] or NULL: class scores become shares by these masses and priors */
    double *class_mass;
    /* [class_count] or NULL: those of a row whose kernel values are all 0 */
    double *class_shares;
    /* what tells the classes of rows: none, scores (the bias), or a classifier of the embedding */
    pen_classifier classifier;
    double *classifier_classes; /* [classifier.count] classifier.of as the file has it; or NULL */
    double temperature;         /* of its shares; 0: none */
    pen_typical typical;
    /* [member_count] models of the same classes, whose mean probabilities tell them in place of a
     * classifier; NULL: none */
    pen_model **members;
    int64_t member_count;
    double mean_temperature; /* of that mean; 0: none */
    int64_t rows;            /* of the fit; 0: the model was read from a file */
    double *propagated;      /* [rows x class_count] or NULL; not in the file */
    /* of the fit, not in the file: [pair_count] weights of listed pairs, must-links first; and
     * [derived_count x 3] must-links that closure has added, two rows and a weight; or NULL */
    double *pair_weights, *derived_pairs;
    int64_t pair_count, derived_count;
    char *parameters; /* JSON object */
    char *info;       /* JSON object */
    char *reading;    /* JSON object: pen_data.reading; or NULL */
    char **class_names;
    int64_t class_count;
    char **column_names;           /* [d] or NULL */
    struct pen_matrix_set *graphs; /* of the fit, where they were to be kept; or NULL */
    /* what it says of itself, made when it is first asked for; NULL: not yet */
    _Atomic(pen_about *) about;
};

/* The most models of an ensemble. */
enum { PEN_MOST_MEMBERS = 64 };

enum { MOST_COLUMNS = INT32_MAX / 2 };

/* The tensors of a model, in the order of the file. */
enum {
    PROJECTION,
    MEAN,
    SCALE,
    DEVIATION,
    EIGENVALUES,
    BIAS,
    CLASS_MASS,
    LANDMARK_ROWS,
    LANDMARKS,
    KERNEL_ORIGIN,
    KERNEL_SCALE,
    CLASSIFIER_CENTER,
    CLASSIFIER_ROWS,
    CLASSIFIER_CLASSES,
    CLASSIFIER_WEIGHTS,
    CLASSIFIER_BIAS,
    MEMBERS,
    IDF,
    SELECTED,
    CLASS_SHARES,
    FILL,
    PICTURE,
    CLASSIFIER_VOTES,
    MEAN_TEMPERATURE,
    TYPICAL_UNITS,
    TYPICAL_ROWS,
    TYPICAL_DISTANCES,
    TENSORS
};

/* What a program must know to use a file of format 2. */
enum {
    NEEDS_CLASS_MASS = 1,
    NEEDS_KERNEL = 2,
    NEEDS_CLASSIFIER = 4,
    NEEDS_MEMBERS = 8,
    NEEDS_ROW = 16,
    NEEDS_MISSING = 32,
    NEEDS_VOTES = 64,
    NEEDS_MEAN = 128,
    NEEDS_SPECTRA = 256,
    NEEDS_TYPICAL = 512
};
extern const char *const pen_need_names[];

/* What a file needs that has a tensor is in its `needs`. Their numbers are the arrays that a model
 * owns, all of them doubles in memory. */
extern const pen_tensor_kind pen_tensor_kinds[TENSORS];

/* What the file of a model needs. */
int pen_model_needs(const pen_model *model);

/* A model with zeroed projection and mean. Free with pen_model_free, also after a failure. */
pen_status pen_model_new(pen_run *run, int64_t d, int64_t k, pen_model **out);

/* Frees what pen_model_info and pen_model_value made when they were first asked. */
void pen_about_free(pen_about *about);

/* The classifier of a model, as the parameter `classifier` names it, never auto: scores, lda,
 * nearest, ..; ensemble: it has none, and its members predict; NULL: the model predicts no
 * classes. */
const char *pen_model_classifier(const pen_model *model);

/* A copy of from [count], or NULL if `from` is NULL. Free with free(). */
pen_status pen_model_numbers(pen_run *run, const double *from, int64_t count, double **out);

/* Sets row.steps.selected from row.selected, whole numbers. */
pen_status pen_model_number_columns(pen_run *run, pen_model *model);

/* Sets classifier.of from classifier_classes, whole numbers. */
pen_status pen_model_number_classes(pen_run *run, pen_model *model);

/* z [x->rows x k], rows `stride` apart, as pen_transform gives it. */
pen_status pen_model_embed(pen_run *run, const pen_model *model, const pen_array *x, double *z,
                           int64_t stride);

/* y [x->rows x (k + 1)]: the same, and the length of each row in the units of the columns, from the
 * mean of the fit; 0 of precomputed kernel values. */
pen_status pen_model_embed_measured(pen_run *run, const pen_model *model, const pen_array *x,
                                    double *y);

/* A copy of what tells how typical rows are, which the model has not yet; and it has none again. */
pen_status pen_model_keep_typical(pen_run *run, const pen_typical *typical, pen_model *model);
void pen_model_forget_typical(pen_model *model);

/* pen_fit with a cache that calls on the same x share; NULL: no cache. `temperature auto` is
 * none. */
pen_status pen_model_fit(pen_cache *cache, const pen_spec *spec, const pen_data *data,
                         const pen_control *control, pen_model **out, pen_error *err);

/* pen_fit of rows of which `moments` knows the sums, and `data` has those that are here: doubles
 * after row steps, with their labels and the pairs between them. */
pen_status pen_model_fit_moments(const pen_spec *spec, const pen_data *data,
                                 const pen_moments *moments, const pen_control *control,
                                 pen_model **out, pen_error *err);

/* A copy by way of the file of the model, which has all that maps and predicts. */
pen_status pen_model_copy(pen_run *run, const pen_model *model, pen_model **out);

/* Keeps how rows are read (pen_data.reading); NULL: it is not known. PEN_BAD_FORMAT: it is no JSON
 * object of values and lists of values; `name` is what it comes from. */
pen_status pen_model_keep_reading(pen_run *run, const char *name, const char *reading,
                                  pen_model *model);

#endif
