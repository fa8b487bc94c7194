/* penumbra.h - semi-supervised dimensionality reduction.
 *
 * Learn a small projection from many rows and a little supervision, apply it to any row, keep it in
 * a file.
 *
 *     pen_spec *spec = NULL;  pen_model *model = NULL;  pen_error err;
 *     pen_data train = { .x = pen_dense(X, PEN_F64, n, d, d), .labels = y };
 *         // y[i] = -1: unlabelled
 *
 *     if (pen_spec_new("self", &spec, &err) || pen_spec_set_real(spec, "beta", 0.3, &err)
 *         || pen_spec_set_int(spec, "dim", 2, &err) || pen_fit(spec, &train, NULL, &model, &err)
 *         || pen_transform(model, &train.x, PEN_F64, Z, 2, NULL, &err))
 *         fprintf(stderr, "%s\n", err.message);
 *     pen_model_free(model);  pen_spec_free(spec);
 *
 * Conventions, true of every function here:
 *   - matrices are row-major; [n x d] means n rows of d columns;
 *       `stride` is the distance between the starts of two rows, in elements;
 *   - inputs are borrowed for the call and never written;
 *       what a function allocates is freed by the function named at its type;
 *   - a fallible function returns a pen_status, PEN_OK (0) on success,
 *       and fills `err` (which may be NULL) on failure; a pointer it would
 *     have returned is then NULL and an array it would have filled holds nothing to rely on;
 *   - NULL for what must be there is PEN_BAD_ARGUMENT, which names it;
 *       what may be NULL says so. A function that answers no status takes NULL for an
 *     object too, and answers NULL or 0; sizes no memory can hold are PEN_BAD_ARGUMENT,
 *         PEN_BAD_DATA or PEN_NO_MEMORY;
 *   - any function may return PEN_NO_MEMORY; names are matched with '-' and '_' alike;
 *   - there is no global state: calls on different objects may run in different threads at once.
 */
#ifndef PENUMBRA_H
#define PENUMBRA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PEN_VERSION "0.1.0"

/* The version of the library that is running, as PEN_VERSION. */
const char *pen_version(void);

/* What the library runs on, as a JSON object: `version`; `blas`, with its `name`, the `core` whose
 * kernels it took (null: unknown), how it was built (`threads`), and whether `calls` of several
 * threads run "side by side" or "one at a time" (`because`); `cpu`, the features found; `threads`,
 * pen_default_threads(); `parts`, the optional parts that are built in. Writes at most `size` bytes
 * with the final NUL, like snprintf, and returns the length of the whole text (4096 bytes are
 * enough); 0: out of memory. text may be NULL with size 0. */
size_t pen_system(char *text, size_t size);

/* What 0 threads stand for in pen_control: the cores this process may use (affinity, and the CPU
 * quota of its control groups), at most PENUMBRA_THREADS and OMP_NUM_THREADS where they are set; >=
 * 1. */
int pen_default_threads(void);

/* The name that the environment variable OPENBLAS_CORETYPE should have had when the process
 * started, because the BLAS took slower kernels than those for what this CPU can do (one that is
 * newer than the BLAS); NULL: all is well, or nothing is known. */
const char *pen_better_core(void);

/* ---- status and error
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef enum pen_status {
    PEN_OK = 0,
    /* an argument or a parameter is outside its range */
    PEN_BAD_ARGUMENT = 10,
    /* no method, parameter, choice, column or format of that name */
    PEN_UNKNOWN_NAME = 11,
    /* sizes that do not fit, no rows, values that overflow */
    PEN_BAD_DATA = 20,
    /* NaN or infinity in the rows */
    PEN_NOT_FINITE = 21,
    /* the method needs labelled rows and there is none */
    PEN_NO_LABELS = 22,
    /* the method needs two classes and there is one */
    PEN_ONE_CLASS = 23,
    /* the method needs must-links or cannot-links and there is none */
    PEN_NO_PAIRS = 24,
    /* a pair names a row that is not there, or a row twice */
    PEN_BAD_PAIR = 25,
    /* two rows must and cannot link */
    PEN_CONTRADICTION = 26,
    /* an allocation failed */
    PEN_NO_MEMORY = 30,
    /* the scatter to be made small is not positive definite */
    PEN_SINGULAR_SCATTER = 40,
    /* more dimensions asked for than the method gives on these rows */
    PEN_RANK_TOO_SMALL = 41,
    /* an iteration ended without an answer */
    PEN_NOT_CONVERGED = 42,
    /* a file cannot be opened, read or written */
    PEN_FILE_ERROR = 50,
    /* a file is not what it should be */
    PEN_BAD_FORMAT = 51,
    /* a file was written by a later version of the library */
    PEN_NEWER_FORMAT = 52,
    /* the progress function said stop */
    PEN_CANCELLED = 60,
    /* a defect of the library */
    PEN_INTERNAL = 90
} pen_status;

typedef struct pen_error {
    pen_status code;
    /* one line, no final newline: the thing, the rule, the value received; always terminated */
    char message[256];
} pen_error;

/* A short text for a status, "ok" for PEN_OK, "unknown status" for a number that is none. Never
 * NULL. */
const char *pen_status_text(pen_status status);

/* ---- data
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef enum pen_dtype { PEN_F64 = 0, PEN_F32 = 1, PEN_U8 = 2 } pen_dtype;

/* Rows somebody else owns. */
typedef struct pen_array {
    const void *values; /* [rows x cols], row i starts at element i * stride */
    pen_dtype dtype;
    int64_t rows;
    int64_t cols;
    int64_t stride; /* elements, >= cols */
} pen_array;

static inline pen_array pen_dense(const void *values, pen_dtype dtype, int64_t rows, int64_t cols,
                                  int64_t stride)
{
    pen_array a;
    a.values = values;
    a.dtype = dtype;
    a.rows = rows;
    a.cols = cols;
    a.stride = stride;
    return a;
}

#define PEN_UNLABELLED (-1)

/* What is known of two rows: they are of one class, or of different ones. */
typedef enum pen_link { PEN_CANNOT_LINK = -1, PEN_ANY_LINK = 0, PEN_MUST_LINK = 1 } pen_link;

/* A random part of all pairs of labelled rows: a share, or a number of them, or a number of each
 * kind; exactly one of the three ways. The same seed draws the same pairs everywhere
 * (docs/sampling.md). */
typedef struct pen_pair_sample {
    double percent;      /* of all T pairs: floor(percent / 100 T + 1/2) of them, in (0, 100]; or */
    int64_t count;       /* so many of all pairs; or */
    int64_t must_link;   /* so many must-links and */
    int64_t cannot_link; /* so many cannot-links */
    /* this share of the pairs drawn, in [0, 1], is said to be of the other kind */
    double noise;
    uint64_t seed;
} pen_pair_sample;

/* The same two rows must and cannot link: an error; or such pairs are left out, of both lists, or
 * of the lists where labels say otherwise. (That must-links join two classes is always an error
 * where chains are followed.) */
typedef enum pen_contradiction {
    PEN_CONTRADICTION_ERROR = 0,
    PEN_CONTRADICTION_DROP
} pen_contradiction;

/* Must-links as they are; an error if rows that cannot link are joined by a chain of must-links; or
 * all pairs of rows so joined become must-links, after that check. */
typedef enum pen_transitive {
    PEN_TRANSITIVE_OFF = 0,
    PEN_TRANSITIVE_CHECK,
    PEN_TRANSITIVE_CLOSE
} pen_transitive;

/* What a model learns from. Members left zero are absent.
 *
 * A pair is two row numbers from 0, in either order; a list of pairs is a set: what is said twice
 * counts once. Methods that learn from pairs take labels as pairs too: rows of one class must link,
 * rows of different classes cannot, all pairs of labelled rows, or a random part of them. */
typedef struct pen_data {
    pen_array x;
    /* [x.rows] or NULL: none. PEN_UNLABELLED, or any other integer: the name of a class */
    const int32_t *labels;
    /* [class_count] or NULL: the text of labels 0 .. class_count - 1, kept in the model */
    const char *const *class_names;
    int64_t class_count;
    /* [x.cols] or NULL: names of the columns, kept in the model */
    const char *const *feature_names;
    const int64_t *must_link; /* [must_link_count x 2] or NULL */
    int64_t must_link_count;
    const int64_t *cannot_link; /* [cannot_link_count x 2] or NULL */
    int64_t cannot_link_count;
    /* which pairs of labelled rows count; NULL: all. For methods that learn from pairs */
    const pen_pair_sample *sample;
    pen_contradiction on_contradiction;
    pen_transitive transitive;
} pen_data;

/* ---- how a call runs
 * -------------------------------------------------------------------------------------------------
 *
 * What changes the answer is in the pen_spec; what does not is here. The same call gives the same
 * bits for any number of threads. */

/* Told how far the work is: `phase` is a word or two, 0 <= done <= total. Called from the calling
 * thread only, at least once a phase and between blocks of work, but not inside one factorization
 * or eigendecomposition, nor one product of a block. Return nonzero to stop: the call answers
 * PEN_CANCELLED. */
typedef int (*pen_progress_fn)(void *user, const char *phase, int64_t done, int64_t total);

typedef struct pen_control {
    int threads;              /* 0: pen_default_threads(); else 1 .. 1024 */
    pen_progress_fn progress; /* NULL: none */
    void *user;               /* handed to progress */
} pen_control;

/* ---- methods and their parameters
 * -------------------------------------------------------------------------------------------------
 *
 * One table describes every method and one record every parameter; the command line, the model file
 * and the reference are made from them. */

typedef enum pen_param_type {
    PEN_PARAM_REAL,
    PEN_PARAM_INT,
    PEN_PARAM_CHOICE,
    PEN_PARAM_FLAG
} pen_param_type;

enum { PEN_OPEN_MIN = 1, PEN_OPEN_MAX = 2 };

/* A word that stands for a value, as "all" for a dim of 0. Where that lies outside the range only
 * the word says it. */
typedef struct pen_word {
    const char *text;
    double value;
} pen_word;

typedef struct pen_param {
    const char *name; /* words joined by '_' */
    pen_param_type type;
    double initial;             /* the default; of a choice, its index; of a flag, 0 or 1 */
    double min, max;            /* an infinite max: no limit */
    int open;                   /* PEN_OPEN_MIN, PEN_OPEN_MAX: that end itself is outside */
    const char *const *choices; /* of a choice: its names, NULL at the end */
    const pen_word *words;      /* names of special values, NULL text at the end; or NULL */
    const char *help;           /* one line */
    /* values worth trying, as pen_spec_set reads them, with blanks between; NULL: the default will
     * do */
    const char *grid;
    size_t offset; /* private: where the value lives */
} pen_param;

/* What a method learns from. */
enum {
    /* needs labelled rows of at least one class, for some value of its parameters */
    PEN_LABELS = 1,
    PEN_USES_UNLABELLED = 2, /* rows that are neither labelled nor in a pair change the answer */
    PEN_MUST_LINKS = 4,      /* learns from must-links, and from labels as such */
    PEN_CANNOT_LINKS = 8,    /* learns from cannot-links, and from labels as such */
    PEN_PREDICTS = 16,       /* its models predict classes: pen_predict */
    PEN_PROPAGATES = 32,     /* a fit gives class scores of its own rows: pen_model_propagated */
    /* columns depend on how many are wanted: the first are not the answer for fewer */
    PEN_UNNESTED = 64
};

/* How the formula of a method is established. */
typedef enum pen_source {
    /* printed in the paper */
    PEN_SOURCE_PAPER,
    /* where the paper leaves it open, as its authors' program has it */
    PEN_SOURCE_PROGRAM,
    /* from what others say of it: experimental, its answers may not be those that were published */
    PEN_SOURCE_RECONSTRUCTED
} pen_source;

typedef struct pen_method pen_method;

int64_t pen_method_count(void);
/* NULL unless 0 <= index < pen_method_count() */
const pen_method *pen_method_at(int64_t index);
const pen_method *pen_method_named(const char *name);   /* NULL if there is none */
const char *pen_method_name(const pen_method *method);  /* as given to pen_spec_new */
const char *pen_method_title(const pen_method *method); /* its full name */
const char *pen_method_cite(const pen_method *method);  /* authors, title, journal, year */
int pen_method_traits(const pen_method *method);        /* bits of the enum above */
/* how many dimensions it can give, in words */
const char *pen_method_dims(const pen_method *method);
const char *pen_method_cost(const pen_method *method); /* the cost of a fit, in words */
pen_source pen_method_source(const pen_method *method);

/* Parameter `index` of a method: first its own, then those common to all methods. NULL behind the
 * last. */
const pen_param *pen_method_param(const pen_method *method, int64_t index);

/* How many of them are the method's own. */
int64_t pen_method_own_params(const pen_method *method);

/* A method with values for its parameters, all at their defaults to begin with. Free with
 * pen_spec_free (NULL is fine).
 * PEN_UNKNOWN_NAME: the message lists the methods. */
typedef struct pen_spec pen_spec;
pen_status pen_spec_new(const char *method, pen_spec **out, pen_error *err);
void pen_spec_free(pen_spec *spec);

/* The same method with the same values. */
pen_status pen_spec_copy(const pen_spec *spec, pen_spec **out, pen_error *err);

/* 1 if the parameter was set, by any of the functions below; 0 if it has its default, or there is
 * none. */
int pen_spec_is_set(const pen_spec *spec, const char *name);

/* Set a parameter by name. PEN_UNKNOWN_NAME: the method has no such parameter or choice (the
 * message lists those there are).
 * PEN_BAD_ARGUMENT: the value is outside the range, is no number, or does not fit the type; the old
 * value stays.
 * pen_spec_set reads numbers in the C notation whatever the locale, names of choices, special
 * words, and true/false for flags. The other two take numbers, of a choice its index; a special
 * word is said as a word: a number outside the range is an error though a word stands for it. */
pen_status pen_spec_set(pen_spec *spec, const char *name, const char *text, pen_error *err);
pen_status pen_spec_set_real(pen_spec *spec, const char *name, double value, pen_error *err);
pen_status pen_spec_set_int(pen_spec *spec, const char *name, int64_t value, pen_error *err);

/* The value of a parameter, choices as their index, words as what they stand for; pen_spec_set
 * takes it back as pen_param_text writes it. PEN_UNKNOWN_NAME as above. */
pen_status pen_spec_get(const pen_spec *spec, const char *name, double *value, pen_error *err);

/* The text of a value as pen_spec_set reads it, into `text` of `size` bytes (32 are enough). */
void pen_param_text(const pen_param *param, double value, char *text, size_t size);

/* ---- models
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* An affine map z = (x - mean) W with what was learnt beside it. Free with pen_model_free (NULL is
 * fine). Immutable: threads may share it. */
typedef struct pen_model pen_model;

/* Learn a model. `control` may be NULL.
 * PEN_BAD_DATA, PEN_NOT_FINITE: the rows (the message names row and column, or says that squares of
 * the values underflow or overflow; `scale` helps). PEN_NO_LABELS, PEN_ONE_CLASS, PEN_NO_PAIRS: the
 * supervision.
 * PEN_BAD_PAIR, PEN_CONTRADICTION: the message names the pair. PEN_BAD_ARGUMENT: pairs for a method
 * that does not learn from pairs; a count of classes or pairs that is negative, or without its
 * list; a name that is NULL.
 * PEN_SINGULAR_SCATTER: set `ridge` or `pca`. PEN_RANK_TOO_SMALL: the message says how many
 * dimensions there are; `allow_fewer` takes those. Columns lost next to one that varies far more
 * are named in that message, or as "warning" in pen_model_info.
 * PEN_CANCELLED: as `control` said.
 * Cost: docs/methods/ says it for each method; rows are read in blocks, and memory beside them
 * follows cols^2 (rows^2 if there are fewer rows than columns; rows times the components with
 * `pca`; classes or chunklets times cols where they are more), never rows^2 otherwise. */
pen_status pen_fit(const pen_spec *spec, const pen_data *data, const pen_control *control,
                   pen_model **out, pen_error *err);

/* Embed rows: z[i] = (x[i] - mean) W, z [x.rows x pen_model_output_dim] of type `dtype` (PEN_F64 or
 * PEN_F32), rows `stride` elements apart. A row gives the same bits alone and in any batch, for any
 * number of threads. `control` may be NULL.
 * PEN_BAD_ARGUMENT: dtype or stride. PEN_BAD_DATA: x.cols is not pen_model_input_dim, or a result
 * that a PEN_F32 cannot hold.
 * PEN_NOT_FINITE, PEN_CANCELLED as pen_fit. Cost: 2 x.rows input_dim output_dim flops. */
pen_status pen_transform(const pen_model *model, const pen_array *x, pen_dtype dtype, void *z,
                         int64_t stride, const pen_control *control, pen_error *err);

/* Predict classes, with a model of a method that does: class [x.rows] is that of the largest score,
 * the first among equal ones, as an index for pen_model_class_name; scores [x.rows x
 * pen_model_class_count], or NULL: not wanted: the first dimensions of the embedding plus
 * pen_model_bias.
 * PEN_BAD_ARGUMENT: the model predicts no classes. Otherwise as pen_transform, whose remarks on
 * bits and cost hold. */
pen_status pen_predict(const pen_model *model, const pen_array *x, int32_t *classes, double *scores,
                       const pen_control *control, pen_error *err);

void pen_model_free(pen_model *model);

const char *pen_model_method(const pen_model *model);       /* name of the method */
int64_t pen_model_input_dim(const pen_model *model);        /* d: columns a row must have */
int64_t pen_model_output_dim(const pen_model *model);       /* k: dimensions of the embedding */
const double *pen_model_projection(const pen_model *model); /* W [d x k] */
const double *pen_model_mean(const pen_model *model);       /* [d] */
/* [k], of the criterion, best first; NULL: it is no eigenproblem */
const double *pen_model_eigenvalues(const pen_model *model);
/* [class_count]; NULL: the model predicts no classes */
const double *pen_model_bias(const pen_model *model);
/* rows it was learnt from; 0 if it was read from a file */
int64_t pen_model_fitted_rows(const pen_model *model);
const double *
/* [fitted_rows x class_count] class scores of the rows it was learnt from, or NULL */
pen_model_propagated(const pen_model *model);
/* classes among the labelled rows of the fit; 0: no labels were given */
int64_t pen_model_class_count(const pen_model *model);
/* text of the label; NULL outside 0 .. count - 1 */
const char *pen_model_class_name(const pen_model *model, int64_t index);
/* NULL outside 0 .. d - 1, or if none were given */
const char *pen_model_feature_name(const pen_model *model, int64_t index);
/* JSON object: every parameter with its value */
const char *pen_model_parameters(const pen_model *model);
const char *
/* JSON object: rows, labelled, classes, precision, residual, ridge; components, variance */
pen_model_info(const pen_model *model);

/* Write a model (path "-": to standard output) as a safetensors file: projection [d x k], mean [d],
 * and where there are some eigenvalues [k] and bias [classes], all f64, and the rest as metadata;
 * docs/model-file.md.
 * The file appears whole or not at all. PEN_FILE_ERROR: with the reason the system gives. */
pen_status pen_model_save(const pen_model *model, const char *path, pen_error *err);

/* Read one back. PEN_FILE_ERROR: cannot be read. PEN_BAD_FORMAT: truncated, oversized, overlapping,
 * or not such a model; tensors that do not have the checksum noted in the file; a key that comes
 * twice.
 * PEN_NEWER_FORMAT: update the library. Everything is checked before anything of the size the file
 * claims is allocated. */
pen_status pen_model_load(const char *path, pen_model **out, pen_error *err);

/* The same from memory. */
pen_status pen_model_parse(const void *bytes, size_t size, pen_model **out, pen_error *err);

/* ---- files
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef enum pen_header { PEN_HEADER_AUTO = 0, PEN_HEADER_YES, PEN_HEADER_NO } pen_header;
typedef enum pen_missing { PEN_MISSING_ERROR = 0, PEN_MISSING_MEAN, PEN_MISSING_DROP } pen_missing;

/* How to read a file; all zero is the usual. */
typedef struct pen_read_options {
    /* "text", "npy", "libsvm"; NULL: known by its content, then by its extension */
    const char *format;
    /* text: name in the header, or a 0-based index, negative from the end; NULL: the file has no
     * labels */
    const char *label_column;
    /* text: likewise; NULL: the first column if the header leaves its name empty, else none */
    const char *row_name_column;
    /* text: is the first line names? AUTO: yes if it has a cell that is no number above one that
     * is */
    pen_header header;
    /* text: ',' ';' '\t' or ' ' (any blanks); 0: found from the first lines */
    char delimiter;
    /* empty, NA, NaN, ? among the values: an error naming line and column; the column's mean; drop
     * the row */
    pen_missing missing;
    /* a label that means unlabelled, beside -1, empty, NA, NaN and ?; NULL: none */
    const char *unlabelled;
    /* libsvm: no fewer than these: zeros at the end of a row are not written; 0: as many as the
     * largest index */
    int64_t columns;
    /* 0: files are read into memory. 1: those of 16 MiB or more are mapped, and may be larger than
     * memory. If one becomes shorter meanwhile, SIGBUS is raised, or the rest of a page reads as 0:
     * the caller handles the signal and compares sizes. */
    int map;
} pen_read_options;

/* What a file held. Free with pen_table_free (NULL is fine); the members belong to the table. */
typedef struct pen_table {
    pen_array
        /* f64 from text and from types without one of their own; f32 and u8 stay as they are, in
         * the bytes of the file if possible */
        x;
    int32_t *labels; /* [x.rows] or NULL: index into class_names, or PEN_UNLABELLED */
    /* [class_count], in the order of numbers if all are, else of bytes; or NULL */
    char **class_names;
    int64_t class_count;
    char **column_names;  /* [x.cols] or NULL */
    char **row_names;     /* [x.rows] or NULL */
    int64_t dropped_rows; /* how many rows PEN_MISSING_DROP left out */
    int64_t filled_cells; /* how many cells PEN_MISSING_MEAN filled */
    /* 1: x is in the mapped file (pen_read_options.map) until the table is freed */
    int mapped;
    struct pen_table_owner *owner;
} pen_table;

/* Read rows, and labels where the file has them (a label column; the first field of libsvm lines).
 * path "-": standard input. `options` may be NULL. PEN_FILE_ERROR: with the reason the system
 * gives, or the file became shorter while it was read. PEN_BAD_FORMAT: the message begins with
 * file:line:column (text) or the file (npy); or says of which other kind the file is.
 * PEN_UNKNOWN_NAME: no such column or format. PEN_BAD_DATA: no rows, no columns, or a largest index
 * that asks for far more memory than a libsvm file of that size justifies: a thousand times its
 * bytes, and more than 4 GiB. PEN_NO_MEMORY: the machine, or the limit of the process, has not as
 * much. */
pen_status pen_read(const char *path, const pen_read_options *options, pen_table **out,
                    pen_error *err);

/* Read a file of labels, one a row: text (a line each) or npy (integers). x.cols is 0, x.rows the
 * number of labels. A text of several columns is PEN_BAD_FORMAT; labels may hold blanks. Errors as
 * pen_read.
 *
 * Labels of text are texts: 1, +1 and 01 are three classes, named as they are written; but whole
 * numbers as numeric types write them, 1 and 1.0, are one. Those of npy and libsvm are numbers
 * where they can be. A number that means unlabelled does however it is written. */
pen_status pen_read_labels(const char *path, const pen_read_options *options, pen_table **out,
                           pen_error *err);

void pen_table_free(pen_table *table);

/* Pairs from a file. Free with pen_pair_table_free (NULL is fine). */
typedef struct pen_pair_table {
    int64_t *must_link; /* [must_link_count x 2] as pen_data has them */
    int64_t must_link_count;
    int64_t *cannot_link; /* [cannot_link_count x 2] */
    int64_t cannot_link_count;
} pen_pair_table;

/* Read pairs of row numbers, counted from 0: text (a pair a line, with or without a header) or npy
 * (integers, [m x 2] or [m x 3]). Two columns are pairs of the kind `link`; three are i, j and 1
 * (must-link) or -1 (cannot-link), read if `link` is PEN_ANY_LINK. path "-": standard input. rows >
 * 0: the row numbers there are; 0: not checked.
 * PEN_FILE_ERROR: with the reason the system gives. PEN_BAD_FORMAT: not such a file. PEN_BAD_PAIR:
 * a row number outside 0 .. rows - 1, or a row paired with itself. Messages begin with
 * file:line:column (text) or name the pair's number (npy). An empty file of text holds no pairs. */
pen_status pen_read_pairs(const char *path, pen_link link, int64_t rows, pen_pair_table **out,
                          pen_error *err);
void pen_pair_table_free(pen_pair_table *table);

/* Write rows of type PEN_F64 or PEN_F32 as text (',' between the cells, '\t' for a path ending in
 * .tsv) or npy (.npy). path "-": standard output, text. column_names [z.cols] and row_names
 * [z.rows] (text only) may be NULL. Numbers are the shortest text that reads back to the same
 * number. The file appears whole or not at all. PEN_FILE_ERROR: with the reason the system
 * gives. */
pen_status pen_write(const char *path, const pen_array *z, const char *const *column_names,
                     const char *const *row_names, pen_error *err);

/* Write labels [n], a line each: class_names[label], or the number where there is no name;
 * unlabelled rows as -1. A path ending in .npy: int32. class_names [class_count] may be NULL.
 * Otherwise as pen_write. */
pen_status pen_write_labels(const char *path, const int32_t *labels, int64_t n,
                            const char *const *class_names, int64_t class_count, pen_error *err);

/* Write classes [n] with their scores, a row each under the names of the columns: `class`
 * (class_names[classes[i]], or its number), `given` where given [n] is not NULL (1 or 0), and the
 * scores [n x class_count], named as the classes. class_names [class_count], scores, and row_names
 * [n] (they come first) may be NULL. Text, as pen_write. PEN_UNKNOWN_NAME: a path ending in .npy.
 * PEN_BAD_ARGUMENT: a class is not in [0, class_count - 1]. */
pen_status pen_write_classes(const char *path, int64_t n, const int32_t *classes,
                             int64_t class_count, const char *const *class_names,
                             const int32_t *given, const double *scores,
                             const char *const *row_names, pen_error *err);

/* ---- a part of the labels
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* Which labels are kept: so many of each class, or that share of each. Exactly one is given. */
typedef struct pen_label_sample {
    int64_t per_class; /* min(per_class, n_c) rows of class c; or */
    /* floor(percent / 100 n_c + 1/2) rows of it, but at least one, in (0, 100] */
    double percent;
    uint64_t seed;
} pen_label_sample;

/* out [n]: labels, but PEN_UNLABELLED for rows that were not drawn. PEN_BAD_ARGUMENT: the sample.
 * PEN_NO_LABELS: all rows are unlabelled. */
pen_status pen_sample_labels(const int32_t *labels, int64_t n, const pen_label_sample *sample,
                             int32_t *out, pen_error *err);

/* Takes pairs [count x 3]: i < j and a pen_link. Nonzero: stop; the call that hands them out
 * answers PEN_CANCELLED. */
typedef int (*pen_pair_fn)(void *user, const int64_t *pairs, int64_t count);

/* Hand out the pairs that `sample` draws from labels [n], in blocks, ascending (i, j): the pairs
 * that pen_fit takes for the same sample. All of them are never in memory as numbers: 3 T / 8 bytes
 * are, or about 42 a pair where that is less, T the pairs of labelled rows. `control` may be NULL.
 * PEN_BAD_ARGUMENT: the sample. PEN_NO_LABELS: fewer than two labelled rows. PEN_CANCELLED. */
pen_status pen_sample_pairs(const int32_t *labels, int64_t n, const pen_pair_sample *sample,
                            const pen_control *control, pen_pair_fn put, void *user,
                            pen_error *err);

/* The same into a file of text, a line "i,j,1" or "i,j,-1" for each (tabs for a path ending in
 * .tsv), or npy (int64 [k x 3]); as pen_write. */
pen_status pen_sample_pairs_write(const char *path, const int32_t *labels, int64_t n,
                                  const pen_pair_sample *sample, const pen_control *control,
                                  pen_error *err);

/* ---- nearest neighbors
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* The k nearest other rows of each row, in Euclidean distance between the rows as they are: index
 * [x.rows x k], nearest first, rows counted from 0; distance [x.rows x k], how far they are, or
 * NULL: not wanted. Equally distant rows come in the order of their numbers. The search is exact:
 * distances are those of direct differences in double, and an equal row is at distance 0. The same
 * bits for any number of threads. `control` may be NULL. PEN_BAD_ARGUMENT: k is not in [1, x.rows -
 * 1], or index is NULL. PEN_BAD_DATA, PEN_NOT_FINITE, PEN_CANCELLED as pen_fit.
 * Cost: x.rows^2 x.cols flops, in single precision, or in double where its rounding rules too
 * little out; and x.rows k (1 + log(x.rows / k)) direct differences, none for PEN_U8 up to 1024
 * columns. Memory: 16 x.rows k + 56 x.rows bytes, 4 more a value for up to 64 columns, and for each
 * thread a few MB (128 rows if they are longer than that). */
pen_status pen_neighbors(const pen_array *x, int64_t k, const pen_control *control, int64_t *index,
                         double *distance, pen_error *err);

/* Write what pen_neighbors found among n rows, in the form that the end of the path tells: .npy:
 * index (int64 [n x k]); .npz: the n x n matrix of distances as CSR, k numbers a row, nearest
 * first, as scipy.sparse.load_npz reads it; .mtx: the same matrix as Matrix Market text. distance
 * may be NULL for .npy. PEN_UNKNOWN_NAME: another ending. PEN_BAD_ARGUMENT: a number in index is
 * not in [0, n - 1]. Otherwise as pen_write. */
pen_status pen_neighbors_write(const char *path, int64_t n, int64_t k, const int64_t *index,
                               const double *distance, pen_error *err);

/* ---- how good is it
 * -------------------------------------------------------------------------------------------------
 *
 * docs/evaluation.md defines each of these exactly. */

/* Folds of cross-validation: fold [n], 0 .. k - 1 for labelled rows, -1 for others; sizes differ by
 * one at most, stratified: in each class too. The same seed deals the same folds everywhere.
 * PEN_NO_LABELS; PEN_BAD_ARGUMENT: k is not in [2, labelled rows]. */
pen_status pen_folds(const int32_t *labels, int64_t n, int64_t k, int stratified, uint64_t seed,
                     int32_t *fold, pen_error *err);

/* k-means of rows: cluster [x.rows], 0 .. k - 1, and *sum (may be NULL) of squared distances to the
 * means, the best of `restarts` k-means++ starts. The same bits for any number of threads.
 * PEN_BAD_ARGUMENT: k is not in [1, x.rows], restarts not in [1, PEN_MOST_RUNS]. Cost: restarts x
 * 300 x 2 x.rows k x.cols at most. */
pen_status pen_kmeans(const pen_array *x, int64_t k, int64_t restarts, uint64_t seed,
                      const pen_control *control, int32_t *cluster, double *sum, pen_error *err);

/* How far two divisions of the same rows agree on pairs of rows: the share of pairs that both join
 * or both part; that share for pairs that the first joins and for those it parts, averaged (chance
 * is near 1/2); and the share less what chance gives, 1 for equal divisions, about 0 for chance. */
typedef struct pen_agreement {
    double rand;
    double normalized_rand; /* Xing et al. 2002 */
    double adjusted_rand;   /* Hubert, Arabie 1985 */
} pen_agreement;

/* a [n] is the truth, b [n] what is compared with it; names of labels do not matter. PEN_NO_LABELS:
 * a row without a label. Cost: n, and a number for each pair of classes. */
pen_status pen_compare_labels(const int32_t *a, const int32_t *b, int64_t n, pen_agreement *out,
                              pen_error *err);

/* purity [k]: the mean share of rows of the same label among the first 1, 2, .., k nearest of a
 * row. Errors and cost of pen_neighbors, PEN_NO_LABELS. */
pen_status pen_purity(const pen_array *z, const int32_t *labels, int64_t k,
                      const pen_control *control, double *purity, pen_error *err);

/* Trustworthiness of an embedding z of rows x: 1 less how far the k nearest in z are from being
 * among the k nearest in x. Venna, Kaski 2001.
 * PEN_BAD_ARGUMENT: k is not in [1, (x.rows - 1) / 2]. Cost: x.rows^2 (x.cols + k). */
pen_status pen_trustworthiness(const pen_array *x, const pen_array *z, int64_t k,
                               const pen_control *control, double *trust, pen_error *err);

/* ---- trying methods
 * -------------------------------------------------------------------------------------------------
 *
 * Cross-validation on the labelled rows. A trial holds one fold of them out, learns from the rest,
 * and counts how many held-out rows get their class from the nearest of the rows whose labels were
 * known, in the embedding. No label of a held-out row, and no pair with one, is ever learnt from or
 * chosen by. */

/* Runs of trials, or restarts of k-means, at most. */
enum { PEN_MOST_RUNS = 100000 };

/* How methods are tried. All zero is the usual. */
typedef struct pen_protocol {
    int64_t folds; /* >= 2; 0: 5 */
    int64_t runs;  /* times that folds are dealt anew, 1 .. PEN_MOST_RUNS; 0: 3 */
    int plain;     /* folds are dealt without regard to classes */
    uint64_t seed;
    /* held-out rows are no part of the rows learnt from; else they are unlabelled rows among
     * them */
    int inductive;
    /* of the other labelled rows so many keep their labels, all zero: all; `seed` is not read */
    pen_label_sample labels;
    /* learn from these pairs of them in place of all; NULL: as data->sample says; `seed` is not
     * read */
    const pen_pair_sample *pairs;
    int64_t neighbors; /* how many nearest rows vote; 0: 1 */
    /* each dimension divided by its standard deviation over the known rows first */
    int standardize;
    int clusters; /* k-means of the held-out rows too */
    int shuffle;  /* labels change places at random first: what chance gives */
} pen_protocol;

/* What came of it. Free with pen_scores_free (NULL is fine). Numbers are NaN where a method does
 * not give that many dimensions. */
typedef struct pen_scores {
    int64_t trials;    /* runs x folds, run after run: */
    int64_t done;      /* so many of them are finished; the rows of the others are NaN */
    int64_t dim_count; /* numbers of dimensions: */
    int64_t *dims;     /* [dim_count] */
    double *accuracy;  /* [trials x dim_count] of held-out rows */
    /* likewise of the rows whose labels were not kept (pen_protocol.labels); NULL: there are
     * none */
    double *dropped;
    double *normalized_rand, *adjusted_rand; /* likewise of clusters; NULL: not asked for */
} pen_scores;

/* Try one method in the first dims[0], dims[1], .. dimensions of its embedding; dims NULL: 1 to 9,
 * or what the parameter `dim` says. A method whose columns depend on how many there are is fitted
 * for each number; 0 stands for the number it takes by itself. Trials run side by side on the
 * threads.
 * PEN_NO_LABELS: no labelled row, or none is left to hold out. PEN_BAD_ARGUMENT: the protocol;
 * every class has fewer rows than there are folds.
 * PEN_RANK_TOO_SMALL: no trial gives the dimensions. Errors of pen_fit, naming the trial.
 * PEN_CANCELLED: stopped before the first trial was finished; later, `done` tells. */
pen_status pen_evaluate(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                        const int64_t *dims, int64_t dim_count, const pen_control *control,
                        pen_scores **out, pen_error *err);
void pen_scores_free(pen_scores *scores);

/* Values of parameters, with what trials gave them. */
typedef struct pen_candidate {
    pen_spec *spec;    /* with its best `dim` */
    double score;      /* share of the held-out rows of all trials classified correctly */
    double deviation;  /* standard deviation over the trials; 0 for one */
    int64_t order;     /* its place in the grid */
    char failure[160]; /* why there is no score, which is then NaN; or "" */
} pen_candidate;

/* Free with pen_tuning_free (NULL is fine). */
typedef struct pen_tuning {
    int64_t planned; /* candidates of the grid, */
    int64_t count;   /* of which so many were tried: */
    /* [count] best first; equal scores: fewer dimensions, then the earlier one */
    pen_candidate *candidates;
    int64_t room; /* private */
} pen_tuning;

/* Find values for the parameters that have a grid (pen_param.grid), and were not set in `spec`, and
 * the number of dimensions, up to `most_dims` (0: 30, or all), by trials on the labelled rows.
 * seconds > 0: try no more once they are over. Errors as pen_evaluate; PEN_CANCELLED: nothing was
 * tried to the end. */
pen_status pen_tune(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                    int64_t most_dims, double seconds, const pen_control *control, pen_tuning **out,
                    pen_error *err);
void pen_tuning_free(pen_tuning *tuning);

/* A method in a comparison. */
typedef struct pen_compared {
    const pen_method *method;
    /* as tuned on all labelled rows, or the defaults, if they score more; NULL: it has failed */
    pen_spec *spec;
    double untuned; /* mean accuracy with all parameters at their defaults; NaN: it has failed */
    /* mean accuracy over the trials, tuned anew in each on what is not held out; or untuned, if
     * that is more */
    double score;
    double deviation; /* standard deviation over the trials */
    /* of a paired t-test against the first, corrected for trials that share rows (Nadeau, Bengio
     * 2003); NaN for the first */
    double p;
    /* share of unlabelled rows that get the same class in two trials; NaN: there are none, or one
     * trial only */
    double stability;
    double seconds; /* that its trials took as it is */
    double *trials; /* [trials] accuracy of each */
    /* [dim_count] mean accuracy, parameters at their defaults, in so many dimensions; NaN: not
     * given */
    double *curve;
    char failure[160]; /* why it failed; or "" */
} pen_compared;

/* Free with pen_comparison_free (NULL is fine). */
typedef struct pen_comparison {
    int64_t trials, dim_count;
    int64_t *dims; /* [dim_count] of the curves */
    int64_t count; /* methods, */
    /* of which the time was enough to tune so many; the others are scored as they are */
    int64_t tuned;
    pen_compared *candidates; /* [count] best first, those that failed last */
    double margin; /* standard error of the best score, as a share of the labelled rows */
    /* how many score no less than the best by more than that, itself among them: the first */
    int64_t alike;
    int64_t chosen; /* the one to take: the most stable of these */
    double chance;  /* accuracy of naming the largest class always */
} pen_comparison;

/* Compare methods (names [count], or NULL: all) within about `seconds` (0: no limit). Runs and
 * folds 0: two runs of five. Where the time is too short for all trials, those count that all
 * methods were tried in but for the slow, which fail after one. A caller who says stop gets what is
 * finished by then. Errors as pen_evaluate;
 * PEN_CANCELLED: nothing was finished. */
pen_status pen_compare(const char *const *names, int64_t count, const pen_data *data,
                       const pen_protocol *protocol, double seconds, const pen_control *control,
                       pen_comparison **out, pen_error *err);
void pen_comparison_free(pen_comparison *comparison);

#ifdef __cplusplus
}
#endif

#endif
