/* model_tensors.h - the tensors of a model file: which there are, their numbers as bytes, and where
 * they are in a file that is read. */
#ifndef PEN_MODEL_TENSORS_H
#define PEN_MODEL_TENSORS_H

#include "core/textbuf.h"
#include "model/model_source.h"

/* The tensors of a model, in the order of the file. The first two are required. */
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

/* What the file of a model needs, and as a JSON list. */
int pen_model_needs(const pen_model *model);
void pen_needs_list(pen_string *list, int needs);

/* A tensor: its name, dimensions, and what a file that has it needs; optional: a file may lack
 * it. */
typedef struct pen_tensor_kind {
    const char *name;
    int rank, needs, optional;
} pen_tensor_kind;
extern const pen_tensor_kind pen_tensor_kinds[TENSORS];

/* The types of numbers in a file. All tensors of a model are F64 but landmarks, whose values take
 * the narrowest type that holds them: they are rows of the fit, and may be bytes; members, which
 * are bytes; selected columns, which are I64; and rows with votes, and typical ones, which are
 * F32. */
enum pen_number_type { NUMBER_F64, NUMBER_F32, NUMBER_U8, NUMBER_I64, NUMBER_I32, NUMBER_TYPES };

size_t pen_number_size(enum pen_number_type type);

/* ---- in a model ---- */

/* A tensor to write; values and items are NULL if there is none. */
typedef struct pen_part {
    const double *values;
    int64_t rows, cols; /* cols 0: one dimension */
    enum pen_number_type type;
    const void *items; /* of that type, in place of values */
    const char *name;  /* NULL: it is not in the file */
} pen_part;

pen_part pen_part_new(const double *values, int64_t rows, int64_t cols);

int64_t pen_part_count(const pen_part *part); /* of numbers */

/* The narrowest type that holds all values. */
enum pen_number_type pen_part_narrowest(const pen_part *part);

/* A number, of values or of items of 4 or 8 bytes, as it stands in the file; returns its size. */
size_t pen_part_item(const pen_part *part, int64_t index, unsigned char bytes[8]);

/* The entry of a tensor in the header of a file; *offset is where it begins, and then ends. */
void pen_part_describe(pen_string *text, const pen_part *part, int64_t *offset);

/* ---- in a file ---- */

typedef struct pen_tensor {
    int64_t shape[2]; /* 0: the file does not have it */
    int64_t begin, end;
    enum pen_number_type type;
} pen_tensor;

/* The place of a tensor in the file, of `rank` dimensions and of t->type, NUMBER_TYPES: of F64, F32
 * or U8, checked against the size of the file. A dimension may be 0. */
pen_status pen_tensor_find(const pen_model_source *s, const pen_json *root, const char *name,
                           int rank, pen_tensor *t);

/* Find all tensors of a model, [0, 0) for those the file does not have, and check that there are
 * no others and no gaps. */
pen_status pen_tensors_find(const pen_model_source *s, const pen_json *root, pen_tensor t[TENSORS]);

/* Files written by version 0.1.0 have a checksum of their tensors alone, or none. */
pen_status pen_tensors_check(const pen_model_source *s, const pen_json *metadata);

/* The items of a tensor of 4 or 8 bytes each, in that type. */
void pen_tensor_items(const pen_model_source *s, const pen_tensor *t, void *items);

/* The numbers of a tensor, which must be finite, or NaN in "fill". */
pen_status pen_tensor_numbers(const pen_model_source *s, const pen_tensor *t, const char *name,
                              double *values);

/* The same into new memory, if the file has the tensor. Free with free(). */
pen_status pen_tensor_keep(const pen_model_source *s, const pen_tensor tensors[TENSORS], int which,
                           double **values);

#endif
