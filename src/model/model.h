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

/* The kernel before a projection. */
typedef struct pen_model_kernel_map {
    pen_kernel form;   /* PEN_KERNEL_NONE: no kernel, and nothing else is set */
    int64_t inputs;    /* columns of a row */
    double *rows;      /* [d] rows of the fit that are landmarks */
    double *landmarks; /* [d x inputs]; NULL: precomputed */
    double *origin;    /* [inputs] rows are scale (u v - origin); NULL: precomputed */
    double *scale;     /* [inputs] or NULL: 1 */
} pen_model_kernel_map;

/* The steps that a row takes first. */
typedef struct pen_model_row {
    pen_row_steps steps; /* columns 0: none */
    double *idf;         /* [columns] or NULL */
    double *selected;    /* [steps.kept] steps.selected as the file has it; or NULL */
} pen_model_row;

/* The description of a model: the JSON object, its parsed tree, and the JSON text of each value
 * that is not a string, with a final NUL. */
typedef struct pen_about {
    char *text;
    pen_json *tree;
    char *values;
} pen_about;

struct pen_model {
    char *method; /* first: it is no number, and place 0 in the table of tensors means none */
    /* d: columns of a row as given, or landmarks; rows of the projection that steps do not select
     * are 0 */
    int64_t d, k;
    pen_missing missing; /* how it treats rows with NaN: ERROR, MEAN or DROP */
    double *fill;        /* [columns as given] with MEAN; NaN: the column counts as 0 */
    pen_model_row row;
    int unit;                    /* rows are normalized to unit length first */
    pen_model_kernel_map kernel; /* the projection applies to its values with landmarks */
    double *projection;          /* [d x k] */
    double *mean;                /* [d] */
    double *scale;     /* [d] factors of the columns, 0: left out; NULL: all 1, or a kernel */
    double *deviation; /* [d] deviations of the columns before scaling; NULL: a kernel */
    /* [k] bound on the rounding of embedded rows of the fit; NULL: unknown; not in the file */
    double *rounding;
    double *eigenvalues; /* [k] or NULL */
    double *picture;     /* [k x 2] or NULL: z picture separates the classes best */
    /* [class_count] or NULL: class scores are the first dimensions plus these */
    double *bias;
    /* [2 x class_count] or NULL: masses and priors that turn class scores into probabilities */
    double *class_mass;
    /* [class_count] or NULL: probabilities of a row whose kernel values are all 0 */
    double *class_shares;
    /* predicts classes: none, scores (by the bias), or a classifier of the embedding */
    pen_classifier classifier;
    double *classifier_classes; /* [classifier.count] classifier.of as the file has it; or NULL */
    double temperature;         /* of its probabilities; 0: none */
    pen_typical typical;
    /* [member_count] models of an ensemble with the same classes. Their mean probabilities predict,
     * and replace a classifier; NULL: none */
    pen_model **members;
    int64_t member_count;
    double mean_temperature; /* of that mean; 0: none */
    int64_t rows;            /* number of rows of the fit; 0: the model was read from a file */
    double *propagated;      /* [rows x class_count] or NULL; not in the file */
    /* from the fit, not in the file: [pair_count] weights of listed pairs, must-links first; and
     * [derived_count x 3] must-links added by closure, two rows and a weight; or NULL */
    double *pair_weights, *derived_pairs;
    int64_t pair_count, derived_count;
    char *parameters; /* JSON object */
    char *info;       /* JSON object */
    char *reading;    /* JSON object: pen_data.reading; or NULL */
    char **class_names;
    int64_t class_count;
    char **column_names;           /* [d] or NULL */
    struct pen_matrix_set *graphs; /* graphs of the fit, if it was to keep them; or NULL */
    /* its description, made at the first request; NULL: not yet */
    _Atomic(pen_about *) about;
};

/* Maximum number of models in an ensemble. */
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

/* Features that a program must know to use a file of format 2. */
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

/* A file with a tensor lists the need of that tensor in `needs`. The numbers of the tensors are the
 * arrays that a model owns, all doubles in memory. */
extern const pen_tensor_kind pen_tensor_kinds[TENSORS];

/* The needs of the file of a model. */
int pen_model_needs(const pen_model *model);

/* A model with zeroed projection and mean. Free with pen_model_free, also after a failure. */
pen_status pen_model_new(pen_run *run, int64_t d, int64_t k, pen_model **out);

/* Frees what pen_model_info and pen_model_value made. */
void pen_about_free(pen_about *about);

/* The classifier of a model, named as the parameter `classifier` but never auto: scores, lda,
 * nearest, ..; ensemble: its models predict; NULL: the model predicts no classes. */
const char *pen_model_classifier(const pen_model *model);

/* A copy of from [count], or NULL if `from` is NULL. Free with free(). */
pen_status pen_model_numbers(pen_run *run, const double *from, int64_t count, double **out);

/* Sets row.steps.selected from row.selected, whole numbers. */
pen_status pen_model_number_columns(pen_run *run, pen_model *model);

/* Sets classifier.of from classifier_classes, whole numbers. */
pen_status pen_model_number_classes(pen_run *run, pen_model *model);

/* z [x->rows x k], rows `stride` apart, as pen_transform returns it. */
pen_status pen_model_embed(pen_run *run, const pen_model *model, const pen_array *x, double *z,
                           int64_t stride);

/* y [x->rows x (k + 1)]: the same, and the length of each row from the mean of the fit in the units
 * of the columns; 0 for precomputed kernel values. */
pen_status pen_model_embed_measured(pen_run *run, const pen_model *model, const pen_array *x,
                                    double *y);

/* Copies the data on typical rows into a model that has none; and removes them. */
pen_status pen_model_keep_typical(pen_run *run, const pen_typical *typical, pen_model *model);
void pen_model_forget_typical(pen_model *model);

/* pen_fit with a cache that calls on the same x share; NULL: no cache. `temperature auto` means
 * none. */
pen_status pen_model_fit(pen_cache *cache, const pen_spec *spec, const pen_data *data,
                         const pen_control *control, pen_model **out, pen_error *err);

/* pen_fit to rows whose sums are in `moments`. `data` has the available rows: doubles after row
 * steps, with their labels and the pairs between them. */
pen_status pen_model_fit_moments(const pen_spec *spec, const pen_data *data,
                                 const pen_moments *moments, const pen_control *control,
                                 pen_model **out, pen_error *err);

/* Copies a model through its file, which has everything that projects and predicts. */
pen_status pen_model_copy(pen_run *run, const pen_model *model, pen_model **out);

/* Keeps the reading of rows (pen_data.reading); NULL: unknown. PEN_BAD_FORMAT: not a JSON object of
 * values and lists of values; `name` is its source. */
pen_status pen_model_keep_reading(pen_run *run, const char *name, const char *reading,
                                  pen_model *model);

#endif
