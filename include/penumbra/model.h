/* model.h - learn a projection to few dimensions from many rows and a little supervision, apply it
 * to new rows, and save it to a file.
 *
 *     pen_spec *spec = NULL;
 *     pen_model *model = NULL;
 *     pen_error err;
 *     pen_data train = { .x = pen_dense(X, PEN_F64, n, d, d), .labels = y }; // int32_t, -1: none
 *
 *     if (pen_spec_new("self", &spec, &err) || pen_spec_set_number(spec, "beta", 0.3, &err)
 *         || pen_spec_set_number(spec, "dim", 2, &err) || pen_fit(spec, &train, NULL, &model, &err)
 *         || pen_transform(model, &train.x, NULL, PEN_F64, Z, 2, &err))
 *         fprintf(stderr, "%s\n", err.message);
 *     pen_model_free(model);
 *     pen_spec_free(spec);
 *
 * Conventions for every function here:
 *   - Matrices are row-major, except for a pen_array with a step; [n x d] means n rows and d
 *     columns. `stride` is the distance between the starts of consecutive rows, in elements.
 *   - Inputs are borrowed for the duration of the call and never modified. Memory that a call
 *     returns is freed by the function named with its type.
 *   - A function that can fail returns a pen_status: PEN_OK (0) on success. On failure it fills
 *     `err` (which may be NULL), sets the pointer that it would return to NULL, and leaves the
 *     contents of output arrays unspecified.
 *   - NULL for a required argument is PEN_BAD_ARGUMENT, and the message names the argument.
 *     Comments say which arguments may be NULL. A function that returns no status accepts a NULL
 *     object and then returns NULL or 0. Sizes beyond any memory are PEN_BAD_ARGUMENT,
 *     PEN_BAD_DATA or PEN_NO_MEMORY.
 *   - Any function may return PEN_NO_MEMORY. In names, '-' and '_' are interchangeable.
 *   - There is no global state: calls on different objects may run concurrently. A call uses up to
 *     half a megabyte of its thread's stack.
 */
#ifndef PENUMBRA_MODEL_H
#define PENUMBRA_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* the shared library exports only these declarations */
#pragma GCC visibility push(default)
#endif

#define PEN_VERSION       "1.0.0"
#define PEN_VERSION_MAJOR 1
#define PEN_VERSION_MINOR 0
#define PEN_VERSION_PATCH 0

/* The version of the library at run time, in the form of PEN_VERSION. */
const char *pen_version(void);

/* Describes the library and the machine as a JSON object. `version`. `blas`: its `name`; the `core`
 * whose kernels it selected (null: unknown); its threading build (`threads`); whether concurrent
 * `calls` run "side by side" or "one at a time" (`because`); a routine with `wrong` results, if
 * there is one; and, if other kernels are right or faster, `better_core`: the value to set
 * OPENBLAS_CORETYPE to before the process starts. `cpu`: the features detected. `isa`: the
 * instruction set of the library's own products, the best one of this CPU unless the environment
 * variable PENUMBRA_ISA names another. `threads`: the meaning of pen_control.threads 0, the cores
 * that the process may use (affinity, CPU quota of its control groups), at most PENUMBRA_THREADS
 * and OMP_NUM_THREADS. `memory`: allocations of more bytes are refused; it is the smallest of
 * physical memory and the limits of the process (null: unknown). Writes at most `size` bytes
 * including the final NUL, like snprintf, and returns the length of the whole text (4096 bytes are
 * enough), or 0 when out of memory. `text` may be NULL if `size` is 0. */
size_t pen_system(char *text, size_t size);

/* ---- status and error ---------------------------------------------------------------------- */

typedef enum pen_status {
    PEN_OK = 0,
    PEN_BAD_ARGUMENT = 10,     /* an argument or a parameter is outside its range */
    PEN_UNKNOWN_NAME = 11,     /* no method, parameter, choice, column or format has that name */
    PEN_BAD_DATA = 20,         /* sizes that do not match, no rows, values that overflow */
    PEN_NOT_FINITE = 21,       /* NaN or infinity in the rows */
    PEN_NO_LABELS = 22,        /* the method needs labelled rows; all are unlabelled */
    PEN_ONE_CLASS = 23,        /* the method needs two classes, and there is one */
    PEN_NO_PAIRS = 24,         /* the method needs must-links or cannot-links that are absent */
    PEN_BAD_PAIR = 25,         /* a pair names a row that does not exist, or one row twice */
    PEN_CONTRADICTION = 26,    /* two rows are both must-linked and cannot-linked */
    PEN_NO_MEMORY = 30,        /* an allocation failed */
    PEN_SINGULAR_SCATTER = 40, /* the scatter to minimize is not positive definite */
    PEN_RANK_TOO_SMALL = 41,   /* more dimensions requested than the method gives on these rows */
    PEN_NOT_CONVERGED = 42,    /* an iteration ended without a solution */
    PEN_FILE_ERROR = 50,       /* a file cannot be opened, read or written */
    PEN_BAD_FORMAT = 51,       /* the contents of a file are invalid */
    PEN_NEWER_FORMAT = 52,     /* a file was written by a later version of the library */
    PEN_CANCELLED = 60,        /* the progress function requested a stop */
    PEN_INTERNAL = 90,         /* a bug in the library */
    PEN_WRONG_BLAS = 91        /* the BLAS is wrong: the process computes nothing more */
} pen_status;

typedef struct pen_error {
    pen_status code;
    /* one line, no newline, NUL-terminated: what is wrong, the rule, the value received */
    char message[256];
    int hints; /* set by functions that read: PEN_HINT_ bits (files.h); 0: none */
} pen_error;

/* ---- data ---------------------------------------------------------------------------------- */

typedef enum pen_dtype { PEN_F64 = 0, PEN_F32 = 1, PEN_U8 = 2 } pen_dtype;

/* Rows owned by the caller: element (i, j) is values[i * stride + j * step]. A step allows any
 * spacing of rows and columns: column-major arrays (stride 1, step rows), views of every second
 * column, reversed views (negative). Rows are read in blocks and never copied as a whole. The
 * result has the same bits as for the same values in row-major order.
 *
 * With `starts`, the rows are sparse (CSR): row i has values[e] in column columns[e], for e in
 * starts[i] .. starts[i + 1] - 1, with columns in strictly ascending order; its other values are 0.
 * Explicit zeros are allowed. Use pen_dense or pen_csr, or set all other members to 0. */
typedef struct pen_array {
    const void *values; /* [rows x cols], aligned as its type; its element (0, 0) */
    pen_dtype dtype;
    int64_t rows;
    int64_t cols;
    int64_t stride;         /* elements from a row to the next; >= cols where step is 0 */
    int64_t step;           /* elements from a column to the next; 0: 1, rows that do not overlap */
    const int64_t *starts;  /* [rows + 1], starts[0] is 0; NULL: dense */
    const int32_t *columns; /* [starts[rows]] in [0, cols); NULL: dense, or no entries */
} pen_array;

static inline pen_array pen_dense(const void *values, pen_dtype dtype, int64_t rows, int64_t cols,
                                  int64_t stride)
{
    const pen_array x = { values, dtype, rows, cols, stride, 0, NULL, NULL };
    return x;
}

/* Sparse rows: values [starts[rows]]. */
static inline pen_array pen_csr(const void *values, pen_dtype dtype, const int64_t *starts,
                                const int32_t *columns, int64_t rows, int64_t cols)
{
    const pen_array x = { values, dtype, rows, cols, 0, 0, starts, columns };
    return x;
}

#define PEN_UNLABELLED (-1)

/* A sparse matrix in CSR form: row i has values[e] in column columns[e], for e in
 * starts[i] .. starts[i + 1] - 1, in any order. */
typedef struct pen_sparse {
    int64_t rows, cols;
    const int64_t *starts;  /* [rows + 1], starts[0] is 0 */
    const int64_t *columns; /* [starts[rows]] */
    const double *values;   /* [starts[rows]] */
} pen_sparse;

/* The data for a fit. Members left zero are absent.
 * A pair is two 0-based row numbers in either order. A list of pairs is a set: duplicates count
 * once. Pairs may have weights, finite and >= 0. A weight multiplies the term of its pair in every
 * sum of a method; means over pairs are weighted means; a pair of weight 0 is absent
 * (docs/pairs.md). Pairs from labels have weight 1. Methods that learn from pairs treat labels as
 * pairs too: rows of the same class are must-linked and rows of different classes cannot-linked,
 * for all pairs of labelled rows or, with the parameter `sample_pairs`, for a random sample of them
 * (docs/sampling.md). Two rows in both lists, or in one list with different weights, are a
 * contradiction, and so are pairs against labels. A chain of must-links that joins two
 * cannot-linked rows, or rows of two classes, is also one, except with `pair_weights` agreement. */
typedef struct pen_data {
    pen_array x;
    /* NULL, or prepared rows, with x all 0 or their array. Not for statistics */
    struct pen_rows *rows;
    /* [x.rows] or NULL: no labels. PEN_UNLABELLED, or any other integer, which names a class */
    const int32_t *labels;
    /* [x.rows] or NULL: rows that belong together, such as scans of one patient, have the same
     * number, any integer; -1: a row by itself. Rows of one group are held out together */
    const int32_t *groups;
    /* [class_count] or NULL: names of the labels 0 .. class_count - 1, stored in the model */
    const char *const *class_names;
    int64_t class_count;
    const char *class_type; /* or NULL: the caller's type of the labels, stored in the model */
    const char *const *column_names; /* [x.cols] or NULL: stored in the model */
    const int64_t *must_link;        /* [must_link_count x 2] or NULL */
    int64_t must_link_count;
    const int64_t *cannot_link; /* [cannot_link_count x 2] or NULL */
    int64_t cannot_link_count;
    const double *must_link_weights;   /* [must_link_count] or NULL: all 1 */
    const double *cannot_link_weights; /* [cannot_link_count] or NULL: all 1 */
    /* NULL, or for a fit of a method with PEN_NEIGHBORS [x.rows x x.rows]: distances from each row
     * to nearby rows, from any search. Instead of searching, the method takes the k nearest entries
     * of a row, ties by row number (docs/knn.md) */
    const pen_sparse *graph;
    /* how the model treats NaN in new rows (x has no NaN): fill [x.cols] replaces it
     * (pen_table.fill); with drop_missing 1 the row has no result; without either the call fails */
    const double *fill;
    int drop_missing;
    const char *reading; /* pen_table.reading of these rows, stored in the model; or NULL */
    int64_t reserved[8]; /* zero: options to come */
} pen_data;

/* ---- how a call runs -----------------------------------------------------------------------
 * Options that change the result belong to pen_spec; the options here do not. The same call gives
 * the same bits for any number of threads. */

/* Receives the progress of a call: `phase` is a word or two, 0 <= done <= total. The calling thread
 * calls it at least once per phase and between blocks of work, sometimes with the same numbers
 * again, so that a call stops within about a tenth of a second. It is not called within a single
 * factorization, eigenproblem or block product. Return nonzero to stop: PEN_CANCELLED. */
typedef int (*pen_progress_fn)(void *user, const char *phase, int64_t done, int64_t total);

typedef struct pen_control {
    int threads;              /* 1 .. 1024, or 0: the cores that the process may use (pen_system) */
    pen_progress_fn progress; /* or NULL */
    void *user;               /* passed to progress */
    int keep_graphs;          /* 1: the model of a fit keeps its graphs (pen_model_graph) */
    int64_t reserved[8];      /* zero: options to come */
} pen_control;

/* Prepared rows keep what does not depend on labels (statistics, components, nearest rows, graphs,
 * scatters) for later calls. A fit of prepared rows gives the same bits as a fit of the rows
 * themselves. Several calls may use them at the same time, but a progress function may not use them
 * within such a call. They grow: each scale, pca, kernel, number of neighbors and set of row steps
 * adds its own results. The values of x must stay unchanged until pen_rows_free (NULL is fine).
 * PEN_BAD_ARGUMENT, PEN_BAD_DATA: x, as in pen_fit. */
typedef struct pen_rows pen_rows;
pen_status pen_rows_new(const pen_array *x, const pen_control *control, pen_rows **out,
                        pen_error *err);
void pen_rows_free(pen_rows *rows);
size_t pen_rows_memory(const pen_rows *rows); /* bytes now, besides the values of x */

/* ---- methods and their parameters ----------------------------------------------------------
 * One table describes every method, and one record every parameter. The command line, the model
 * file and the reference documentation follow from them. */

typedef enum pen_param_type {
    PEN_PARAM_REAL,
    PEN_PARAM_INT,
    PEN_PARAM_CHOICE,
    PEN_PARAM_FLAG,
    PEN_PARAM_TEXT /* a text such as "total:10000,log1p"; a number is also a text */
} pen_param_type;

enum { PEN_OPEN_MIN = 1, PEN_OPEN_MAX = 2 };

/* A word for a value, such as "all" for `dim` 0. Only the word can set a value out of range. */
typedef struct pen_word {
    const char *text;
    double value;
} pen_word;

typedef struct pen_param {
    const char *name; /* words joined by '_' */
    pen_param_type type;
    double initial;             /* the default; for a choice its index, for a flag 0 or 1 */
    double min, max;            /* an infinite max: no limit */
    int open;                   /* PEN_OPEN_MIN, PEN_OPEN_MAX: that end is excluded */
    const char *const *choices; /* names of the choices, NULL-terminated; for a choice only */
    const pen_word *words;      /* names of special values, ended by a NULL text; or NULL */
    const char *help;           /* one line */
    /* values worth trying, separated by blanks, as pen_spec_set reads them: the default, then
     * others, first the ones that changed most on measured data; NULL: the default is enough */
    const char *grid;
    int common;         /* 1: a parameter of every method; 2: of every one that learns from pairs */
    const char *syntax; /* for a text: the values it may have; otherwise NULL */
    const char *text;   /* for a text: the default */
    size_t offset;      /* private: where the value is stored */
    const struct pen_text_form *form; /* private: for a text */
} pen_param;

/* Traits of a method: the data it learns from and the results of its models. */
enum {
    PEN_LABELS = 1, /* needs labelled rows (some methods: for some parameter values only) */
    PEN_USES_UNLABELLED = 2, /* rows with neither label nor pair influence the result */
    PEN_MUST_LINKS = 4,      /* learns from must-links, and from labels as must-links */
    PEN_CANNOT_LINKS = 8,    /* learns from cannot-links, and from labels as cannot-links */
    PEN_PREDICTS = 16,       /* its models score classes: classifier scores, pen_predict */
    PEN_PROPAGATES = 32,     /* a fit gives class scores of its own rows: tensor probabilities */
    PEN_UNNESTED = 64,       /* the first columns are not the solution for fewer dimensions */
    PEN_NEIGHBORS = 128,     /* uses the nearest of all rows; takes pen_data.graph instead */
    PEN_BASELINE = 256,      /* a baseline for comparisons: pen_compare takes it if named */
    PEN_MERGES = 512,        /* pen_stats_fit: from sums over rows, and over classes */
    PEN_MERGES_ROWS = 1024   /* the same, plus the labelled rows and the rows in pairs */
};

/* The source of a method's formula. */
typedef enum pen_source {
    PEN_SOURCE_PAPER,   /* printed in the paper */
    PEN_SOURCE_PROGRAM, /* taken from the authors' program where the paper is unclear */
    /* experimental: from descriptions by other authors; results may differ from published ones */
    PEN_SOURCE_RECONSTRUCTED
} pen_source;

/* Records grow at their end: callers never make one. */
typedef struct pen_method {
    const char *name;  /* as passed to pen_spec_new */
    const char *title; /* its full name */
    const char *cite;  /* authors, title, journal, year */
    const char *dims;  /* the dimensions it can give, in words */
    const char *cost;  /* multiply-adds of a fit, roughly: a formula */
    /* NULL, or data for which measurements with its defaults (docs/results.md) advise against it,
     * and an alternative */
    const char *not_for;
    int traits; /* PEN_LABELS .. PEN_MERGES_ROWS, or-ed */
    pen_source source;
    const pen_param *params;              /* its own, then the common ones; ended by a NULL name */
    const struct pen_method_inner *inner; /* private */
} pen_method;

/* The methods in the order of listings; NULL after the last one. */
const pen_method *pen_method_at(int64_t index);
const pen_method *pen_method_named(const char *name); /* also auto; NULL: none */

/* A method and the values of its parameters, initially the defaults. "self+rbf/lda" also sets a
 * kernel and a classifier. Free with pen_spec_free (NULL is fine). With NULL or "auto", pen_fit
 * chooses a method; "auto" is not in the list of methods, and trials refuse it. PEN_UNKNOWN_NAME:
 * no such method; the message lists the methods. */
typedef struct pen_spec pen_spec;
pen_status pen_spec_new(const char *method, pen_spec **out, pen_error *err);
void pen_spec_free(pen_spec *spec);
const pen_method *pen_spec_method(const pen_spec *spec);

/* A copy: the same method with the same values. */
pen_status pen_spec_copy(const pen_spec *spec, pen_spec **out, pen_error *err);

/* Set a parameter by name.
 * pen_spec_set parses text: numbers in C notation in every locale, names of choices, special words,
 * true or false for flags. pen_spec_set_number takes a number: for a choice its index. A number
 * outside the range is an error even if a special word stands for it.
 * PEN_UNKNOWN_NAME: the method has no such parameter or choice; the message lists the known ones.
 * PEN_BAD_ARGUMENT: the value is out of range, not a number, or of the wrong type. The parameter
 * keeps its old value. */
pen_status pen_spec_set(pen_spec *spec, const char *name, const char *text, pen_error *err);
pen_status pen_spec_set_number(pen_spec *spec, const char *name, double value, pen_error *err);

/* The value of a parameter as pen_spec_set reads it. Writes at most `size` bytes including the
 * final NUL, like snprintf, and returns the length of the whole text (128 bytes are enough). The
 * length is 0 if the value is "" or the method has no such parameter. `text` may be NULL if `size`
 * is 0. */
size_t pen_spec_get(const pen_spec *spec, const char *name, char *text, size_t size);

/* ---- models -------------------------------------------------------------------------------- */

/* A projection z = (x - mean) W and everything learned along with it. Models are immutable: threads
 * may share one. Free with pen_model_free (NULL is fine). */
typedef struct pen_model pen_model;

/* Learn a model; `control` may be NULL. A spec of "auto" learns what suits the data. From labels of
 * two classes or more: one linear projection of few dimensions, by trials of up to eighteen
 * candidates on held-out labels, with the probabilities of all rows (tensor `probabilities`). From
 * labels and pairs: the method that a comparison recommends. From pairs alone: wbdr or ssdr. From
 * rows alone, or labels of one class: principal components. `trials` of pen_model_info reports the
 * trials and the expected accuracy (docs/evaluation.md). The parameters `ensemble` and `classifier`
 * of auto need labels of two classes and no pairs: PEN_NO_LABELS, PEN_ONE_CLASS, PEN_BAD_ARGUMENT.
 * PEN_BAD_DATA, PEN_NOT_FINITE: the rows; the message names row and column, or says that squares of
 * the values underflow or overflow (`scale` helps).
 * PEN_BAD_DATA: data->graph, if a row lists itself, lists a neighbor twice, or lists fewer than k;
 * if a distance is negative, not finite, or differs in the two directions; if all entries are
 * equal, decrease with the distances of the rows, or list rows no nearer than others.
 * PEN_NO_LABELS, PEN_ONE_CLASS, PEN_NO_PAIRS: the supervision.
 * PEN_BAD_PAIR, PEN_CONTRADICTION: the message names the pair, and the chain.
 * PEN_BAD_ARGUMENT: pairs or a graph for a method that does not use them; a count that is negative
 * or lacks its list; a NULL name.
 * PEN_SINGULAR_SCATTER: set `ridge` to auto or above 0, or `pca`.
 * PEN_RANK_TOO_SMALL: the message gives the number of dimensions, which `allow_fewer` accepts. It
 * also names columns lost to rounding next to one that varies far more; so does "warning" in
 * pen_model_info.
 * PEN_NOT_CONVERGED. PEN_CANCELLED: stopped by `control`.
 * Cost: see docs/methods/ for each method. Rows are read in blocks. Further memory is proportional
 * to cols^2 (rows^2 with fewer rows than columns; rows times components with `pca`; classes or
 * chunklets times cols if they outnumber the columns). Sparse rows, which are never made dense as a
 * whole, take 24 to 40 bytes more for each entry. */
pen_status pen_fit(const pen_spec *spec, const pen_data *data, const pen_control *control,
                   pen_model **out, pen_error *err);

/* Embed rows: z[i] = (x[i] - mean) W, after the row steps of the model, and with kernel values
 * instead of x[i] if the model has a kernel. z is [x.rows x pen_model_dim] of `type` (PEN_F64 or
 * PEN_F32), its rows `stride` elements apart. A row gives the same bits alone and in any batch, for
 * any number of threads; the same row stored sparse may differ in the last digits. `control` may be
 * NULL. `missing` of pen_model_info decides about NaN. error: PEN_NOT_FINITE. mean: the tensor fill
 * [d] replaces it before all steps; the value is 0 where fill is NaN. drop: the row becomes NaN,
 * and pen_predict gives it the class PEN_UNLABELLED and NaN probabilities.
 * PEN_BAD_ARGUMENT: type or stride.
 * PEN_BAD_DATA: x.cols is not pen_model_columns (or, for a precomputed kernel, the number of
 * landmarks); a result overflows PEN_F32; a kernel value overflows.
 * PEN_NOT_FINITE, PEN_CANCELLED: as for pen_fit.
 * Cost: 2 x.rows columns dim flops; with m landmarks 2 x.rows m (columns + dim). */
pen_status pen_transform(const pen_model *model, const pen_array *x, const pen_control *control,
                         pen_dtype type, void *z, int64_t stride, pen_error *err);

/* Predict classes by the classifier of the model. Each output may be NULL.
 * classes [x.rows]: an index as for pen_model_class_name: the class of largest probability, the
 * first among equals; with classifier nearest, the class of the nearest labelled row.
 * probabilities [x.rows x pen_model_class_count]: each row sums to 1; raw scores with classifier
 * scores and `prior none`. A `temperature` T has made them p^(1/T). A row whose kernel values are
 * all 0 (except with linear and polynomial kernels) gets the classifier's priors, or the class
 * fractions of the labelled rows. typical [x.rows], in (0, 1]: the fraction of rows of the fit at
 * least as far from other rows as this one (docs/classifiers.md). Requires a model with the tensor
 * `typical_units`.
 * PEN_BAD_ARGUMENT: the model gives no classes, or no typical. Other errors, cost and bits: see
 * pen_transform. */
pen_status pen_predict(const pen_model *model, const pen_array *x, const pen_control *control,
                       int32_t *classes, double *probabilities, double *typical, pen_error *err);

void pen_model_free(pen_model *model);

/* ---- contents of a model ---- */

int64_t pen_model_columns(const pen_model *model); /* d: columns of the rows it embeds */
int64_t pen_model_dim(const pen_model *model);     /* k: dimensions of the embedding */
/* The name of column `index`; NULL unless 0 <= index < d, or if no names were given. */
const char *pen_model_column_name(const pen_model *model, int64_t index);
/* The number of classes among the labelled rows of the fit; 0: there were no labels. */
int64_t pen_model_class_count(const pen_model *model);
/* The name of class `index`; NULL unless 0 <= index < pen_model_class_count. */
const char *pen_model_class_name(const pen_model *model, int64_t index);

/* Model `index` of an ensemble. It predicts by its own probabilities and can be saved separately.
 * It belongs to the ensemble. NULL: no such index, or the model is not an ensemble. */
const pen_model *pen_model_member(const pen_model *model, int64_t index);

/* Numbers of a model, row by row; a vector has one column. */
typedef struct pen_matrix {
    const double *values; /* [rows x cols], or NULL: no values, rows and cols are 0 */
    int64_t rows, cols;
} pen_matrix;

/* A tensor by its name in the file that pen_model_save writes. docs/model-file.md lists names and
 * shapes, and how to embed a row from them, all steps included: projection W [d x k] and mean [d]
 * of z = (x - mean) W, with a kernel [m x k] and [m] for values with m landmarks; eigenvalues [k],
 * bias [classes], class_mass [2 x classes], landmarks, fill, .. A newly fitted model may also have
 * `probabilities` [x.rows x classes]: the method's result for the rows of the fit, raw scores with
 * `prior none`; `pair_weights` [must_link_count + cannot_link_count]: the weights of the listed
 * pairs in their order, if pairs have weights and without `closure` (0: left out); and
 * `derived_pairs` [m x 3]: the must-links that `closure` added, two rows and a weight, if there are
 * at most 4 million must-links. No values: the model has no such tensor. The models of an ensemble
 * have their own tensors (pen_model_member). */
pen_matrix pen_model_tensor(const pen_model *model, const char *name);

/* Describes the model as a JSON object: `method`; `columns`, `dim`; `classifier`, its name (never
 * auto; ensemble: the mean of the models), or null: no classifier; `missing`, the treatment of NaN
 * in new rows (error, mean, drop); `reading`, how to read files of its rows (pen_data.reading), or
 * null; `steps`, the row steps; `kernel` (name, landmarks, and gamma, degree, coef0 if it has
 * them), or null; `needs`, the features that a program must know to use its file; `members` of an
 * ensemble (method, dim, classifier, kernel); `info` of the fit: rows, labelled, classes, ridge,
 * warning, ..; `parameters`, each with its value; `class_names`; `column_names`, or null. The text
 * belongs to the model. NULL: out of memory. */
const char *pen_model_info(const pen_model *model);

/* A value of that object by its path of names and 0-based list positions: "info.ridge",
 * "parameters.beta", "classifier", "kernel.gamma", "members.0.method". Returns 0 if the value is
 * absent or null; then *number and *text stay unchanged. Both pointers may be NULL. *number: 1 or 0
 * for a flag, the count for a list or an object, NaN for a text. *text: a text as it is, other
 * values as JSON; it belongs to the model. */
int pen_model_value(const pen_model *model, const char *key, double *number, const char **text);

/* ---- files ---- */

/* Write a model as a safetensors file (docs/model-file.md), completely or not at all; path "-":
 * standard output. PEN_FILE_ERROR: the message gives the system's reason. */
pen_status pen_model_save(const pen_model *model, const char *path, pen_error *err);

/* Read a model back. Sizes that the file claims are checked before memory is allocated.
 * PEN_FILE_ERROR: cannot be read.
 * PEN_BAD_FORMAT: the file is truncated, oversized, not a model, or has overlapping tensors, a
 * duplicate key or a wrong checksum.
 * PEN_NEWER_FORMAT: update the library. */
pen_status pen_model_load(const char *path, pen_model **out, pen_error *err);

/* Convert a model to the bytes [*size] of its file in memory, and back. Errors as for files. Free
 * *bytes with pen_free (NULL is fine). */
pen_status pen_model_to_bytes(const pen_model *model, void **bytes, size_t *size, pen_error *err);
pen_status pen_model_from_bytes(const void *bytes, size_t size, pen_model **out, pen_error *err);
void pen_free(void *bytes);

/* ---- which rows to label next --------------------------------------------------------------- */

/* A row to label. */
typedef struct pen_suggestion {
    int64_t row;
    /* the two likeliest classes, as for pen_model_class_name, and their probabilities; -1 and NaN:
     * the model has no classes; second -1 and p_second 0: it has one class */
    int32_t first, second;
    double p_first, p_second;
    /* the fraction of all uncertainty that the label would remove, beyond the labels and the
     * earlier suggestions (docs/suggest.md) */
    double share;
} pen_suggestion;

/* Suggest rows of data->x to label: rows whose classes are uncertain, that represent many such
 * rows, and that are apart in the embedding from labelled rows and from each other; if the model
 * has no classes, rows that cover the data. Rows with a label in data->labels (or NULL) are never
 * suggested, nor are rows whose distance from a labelled or suggested row is at most a thousandth
 * of the root mean square distance from the mean. out [most], best first; a larger `most` begins
 * with the same rows. *count is less than `most` if no other rows are left. Ties go to the lower
 * row number; the same bits for any number of threads.
 * PEN_BAD_ARGUMENT: most < 1; or the model has classes but no classifier. Other errors: as for
 * pen_predict.
 * Cost: that of pen_predict, n log n, and for every 64 suggestions m (m + labels) dim with m <=
 * 2048 rows. Memory: about 40 MB and x.rows (dim + 2 classes) doubles. */
pen_status pen_suggest(const pen_model *model, const pen_data *data, int64_t most,
                       const pen_control *control, pen_suggestion *out, int64_t *count,
                       pen_error *err);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
