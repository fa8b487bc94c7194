/* penumbra.h - semi-supervised dimensionality reduction.
 *
 * Learn a low-dimensional projection from many rows and a little supervision, apply it to new rows,
 * and store it in a file.
 *
 *     pen_spec *spec = NULL;
 *     pen_model *model = NULL;
 *     pen_error err;
 *     pen_data train = { .x = pen_dense(X, PEN_F64, n, d, d), .labels = y }; // -1: unlabelled
 *
 *     if (pen_spec_new("self", &spec, &err) || pen_spec_set_real(spec, "beta", 0.3, &err)
 *         || pen_spec_set_int(spec, "dim", 2, &err) || pen_fit(spec, &train, NULL, &model, &err)
 *         || pen_transform(model, &train.x, PEN_F64, Z, 2, NULL, &err))
 *         fprintf(stderr, "%s\n", err.message);
 *     pen_model_free(model);
 *     pen_spec_free(spec);
 *
 * Conventions that hold for every function here:
 *   - Matrices are row-major, except for a pen_array with a step; [n x d] means n rows and d
 *     columns. `stride` is the distance between the starts of consecutive rows, in elements.
 *   - Inputs are borrowed for the duration of the call and never written. What a function allocates
 *     is freed by the function named at its type.
 *   - A function that can fail returns a pen_status, PEN_OK (0) on success. On failure it fills
 *     `err` (which may be NULL), sets the pointer it would have returned to NULL, and leaves the
 *     contents of output arrays unspecified.
 *   - NULL for a required argument is PEN_BAD_ARGUMENT, and the message names the argument;
 *     arguments that may be NULL are documented as such. A function that returns no status accepts
 *     a NULL object and then returns NULL or 0. Sizes that no memory can hold are PEN_BAD_ARGUMENT,
 *     PEN_BAD_DATA or PEN_NO_MEMORY.
 *   - Any function may return PEN_NO_MEMORY. In names, '-' and '_' are interchangeable.
 *   - There is no global state: calls on different objects may run concurrently. A call takes up to
 *     half a megabyte of the stack of its thread.
 */
#ifndef PENUMBRA_H
#define PENUMBRA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* what is declared here is visible in the shared library, and nothing else */
#pragma GCC visibility push(default)
#endif

#define PEN_VERSION "0.1.0"

/* The version of the library at run time, in the form of PEN_VERSION. */
const char *pen_version(void);

/* Describes the environment of the library as a JSON object: `version`; `blas` with its `name`, the
 * `core` whose kernels it selected (null: unknown), its threading build (`threads`), and whether
 * concurrent `calls` run "side by side" or "one at a time" (`because`); `cpu`, the features
 * detected; `isa`, the instruction set of the library's own products: the best of this CPU, or the
 * one that the environment variable PENUMBRA_ISA names; `threads`, the value of
 * pen_default_threads(). Writes at most `size` bytes including the final NUL, like snprintf, and
 * returns the length of the whole text (4096 bytes are enough), or 0 when out of memory. `text` may
 * be NULL if `size` is 0. */
size_t pen_system(char *text, size_t size);

/* The number of threads that `threads` = 0 in pen_control stands for: the cores available to this
 * process (by affinity and by the CPU quota of its control groups), capped by PENUMBRA_THREADS and
 * OMP_NUM_THREADS where they are set; >= 1. */
int pen_default_threads(void);

/* The memory that this process may use in bytes: the least of physical memory, the limit of its
 * address space, and those of its control groups. More is refused. INT64_MAX: unknown. */
int64_t pen_memory_limit(void);

/* If the BLAS selected slower kernels than this CPU supports (as it does for a CPU newer than
 * itself): the value to set the environment variable OPENBLAS_CORETYPE to before the process
 * starts. NULL: the kernels fit, or nothing is known. */
const char *pen_better_core(void);

/* ---- status and error ---------------------------------------------------------------------- */

typedef enum pen_status {
    PEN_OK = 0,
    PEN_BAD_ARGUMENT = 10,     /* an argument or a parameter is outside its range */
    PEN_UNKNOWN_NAME = 11,     /* no method, parameter, choice, column or format of that name */
    PEN_BAD_DATA = 20,         /* sizes that do not match, no rows, values that overflow */
    PEN_NOT_FINITE = 21,       /* NaN or infinity in the rows */
    PEN_NO_LABELS = 22,        /* labelled rows are required and there are none */
    PEN_ONE_CLASS = 23,        /* two classes are required and there is one */
    PEN_NO_PAIRS = 24,         /* must-links or cannot-links are required and there are none */
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
    PEN_INTERNAL = 90          /* a bug in the library */
} pen_status;

/* Bits of pen_error.hints: what may help, for programs that phrase it in their own terms. The
 * message is complete without them. */
enum {
    /* pen_read: a cell is text; its column may hold labels (pen_read_options.label_column) */
    PEN_HINT_LABEL_COLUMN = 1,
    /* pen_read_pairs: the file looks like a file of labels (pen_read_labels) */
    PEN_HINT_LABEL_FILE = 2,
    /* pen_read_pairs: three columns give the kind of each pair (PEN_ANY_LINK) */
    PEN_HINT_ANY_LINK = 4,
    /* pen_read_pairs: two columns do not (PEN_MUST_LINK or PEN_CANNOT_LINK) */
    PEN_HINT_ONE_LINK = 8,
    /* contradictory pairs: PEN_CONTRADICTION_DROP leaves them out */
    PEN_HINT_DROP = 16,
    /* pen_evaluate: a trial of this method failed; another method may work on the same data */
    PEN_HINT_OTHER_METHOD = 32,
    /* pen_read: without pen_read_options.select, columns are taken in their order */
    PEN_HINT_BY_POSITION = 64,
    /* pen_read: the first line may be names or values (pen_read_options.header) */
    PEN_HINT_HEADER = 128,
    /* pen_read: the other decimal sign (pen_read_options.decimal) */
    PEN_HINT_DECIMAL = 256,
    /* pen_read: a value is missing (pen_read_options.missing) */
    PEN_HINT_MISSING = 512,
    /* pen_read: lines that look like comments (pen_read_options.comment) */
    PEN_HINT_COMMENT = 1024,
    PEN_HINT_SAME_NAME = 2048, /* pen_read: two columns of one name (drop, ignore_names) */
    PEN_HINT_ROW_NAMES = 4096  /* pen_read_labels: rows that are named have no names */
};

typedef struct pen_error {
    pen_status code;
    /* one line without a newline, NUL-terminated: what is wrong, the rule, the value received */
    char message[256];
    int hints; /* PEN_HINT_ bits; 0: none */
} pen_error;

/* A short text for a status: "ok" for PEN_OK, "unknown status" for any other number. Never NULL. */
const char *pen_status_text(pen_status status);

/* ---- data ---------------------------------------------------------------------------------- */

typedef enum pen_dtype { PEN_F64 = 0, PEN_F32 = 1, PEN_U8 = 2 } pen_dtype;

/* Rows owned by the caller: element (i, j) is values[i * stride + j * step]. With a step, rows and
 * columns may be apart in any way, as in arrays in column-major order (stride 1, step rows) and in
 * views of every second or in reverse order (negative). Rows are read in blocks and never copied as
 * a whole, and the result has the same bits as for the same values in row-major order.
 *
 * With `starts`, the rows are sparse (CSR): row i has values[e] in the columns columns[e], for e in
 * starts[i] .. starts[i + 1] - 1, in strictly ascending order of columns; its other values are 0.
 * Explicit zeros are allowed. Make one by pen_dense or pen_csr, or set all other members to 0. */
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
    pen_array a;
    a.values = values;
    a.dtype = dtype;
    a.rows = rows;
    a.cols = cols;
    a.stride = stride;
    a.step = 0;
    a.starts = NULL;
    a.columns = NULL;
    return a;
}

/* Sparse rows: values [starts[rows]]. */
static inline pen_array pen_csr(const void *values, pen_dtype dtype, const int64_t *starts,
                                const int32_t *columns, int64_t rows, int64_t cols)
{
    pen_array a;
    a.values = values;
    a.dtype = dtype;
    a.rows = rows;
    a.cols = cols;
    a.stride = 0;
    a.step = 0;
    a.starts = starts;
    a.columns = columns;
    return a;
}

#define PEN_UNLABELLED (-1)

/* A sparse matrix in CSR form: row i has values[e] in the columns columns[e], for e in
 * starts[i] .. starts[i + 1] - 1, in any order. */
typedef struct pen_sparse {
    int64_t rows, cols;
    const int64_t *starts;  /* [rows + 1], starts[0] is 0 */
    const int64_t *columns; /* [starts[rows]] */
    const double *values;   /* [starts[rows]] */
} pen_sparse;

/* What is known about two rows: same class (must-link) or different classes (cannot-link). */
typedef enum pen_link { PEN_CANNOT_LINK = -1, PEN_ANY_LINK = 0, PEN_MUST_LINK = 1 } pen_link;

/* A random subset of all pairs of labelled rows. Its size is given in exactly one of three ways: as
 * a percentage, as a count, or as a count of each kind. The same seed draws the same pairs on every
 * machine (docs/sampling.md). */
typedef struct pen_pair_sample {
    double percent;      /* in (0, 100]: floor(percent / 100 T + 1/2) of all T pairs; or */
    int64_t count;       /* the number of pairs of either kind; or */
    int64_t must_link;   /* the number of must-links and */
    int64_t cannot_link; /* the number of cannot-links */
    double noise;        /* in [0, 1]: flip this fraction of the drawn pairs to the other kind */
    uint64_t seed;
} pen_pair_sample;

/* What to do if the same two rows are both must-linked and cannot-linked: fail, or drop the pair
 * from both lists (from the list that has it, where it contradicts the labels). Where a chain of
 * must-links joins two cannot-linked rows, the cannot-link is dropped; where it joins rows of two
 * labels, so are all must-links of the rows that are joined. */
typedef enum pen_contradiction {
    PEN_CONTRADICTION_ERROR = 0,
    PEN_CONTRADICTION_DROP
} pen_contradiction;

/* Chains of must-links: one that joins two cannot-linked rows, or rows of two labels, is a
 * contradiction, but for pairs of which some are known to be wrong (PEN_PAIR_WEIGHTS_AGREEMENT, a
 * sample with noise); ignore chains; or, after that check in any case, add every pair of rows
 * joined by a chain to the must-links. With weights a chain is as strong as its weakest link, and
 * the weight of a pair is that of its strongest chain. Cost: proportional to rows and pairs. */
typedef enum pen_transitive {
    PEN_TRANSITIVE_CHECK = 0,
    PEN_TRANSITIVE_OFF,
    PEN_TRANSITIVE_CLOSE
} pen_transitive;

/* The weights of pairs: those given; or these times what the agreement with other pairs says of
 * them, in [0.01, 1], for pairs of which some are wrong (docs/pairs.md). Pairs implied by labels
 * keep theirs. */
typedef enum pen_pair_weights {
    PEN_PAIR_WEIGHTS_GIVEN = 0,
    PEN_PAIR_WEIGHTS_AGREEMENT
} pen_pair_weights;

/* What becomes of NaN: pen_model_missing; KEEP is for pen_read_options alone. */
typedef enum pen_missing {
    PEN_MISSING_ERROR = 0,
    PEN_MISSING_MEAN,
    PEN_MISSING_DROP,
    PEN_MISSING_KEEP
} pen_missing;

/* What a model learns from. Members left zero are absent.
 * A pair is two 0-based row numbers in either order. A list of pairs is a set: duplicates count
 * once. Pairs may have weights: finite, >= 0; a weight multiplies the term of its pair in whatever
 * a method sums, means over pairs are weighted means, and a pair of weight 0 is absent
 * (docs/pairs.md). Pairs from labels have the weight 1. The same pair with two weights contradicts
 * itself. Methods that learn from pairs treat labels as pairs too: rows of the same class are
 * must-linked, rows of different classes cannot-linked, for all pairs of labelled rows or for a
 * random sample of them. */
typedef struct pen_data {
    pen_array x;
    /* [x.rows] or NULL: no labels. PEN_UNLABELLED, or any other integer as the name of a class */
    const int32_t *labels;
    /* [x.rows] or NULL: rows of one sample, as scans of a patient, have the same number, any
     * integer; -1: a sample by itself. Wherever labels are held out, all rows of a sample are */
    const int32_t *groups;
    /* [class_count] or NULL: names of the labels 0 .. class_count - 1, stored in the model */
    const char *const *class_names;
    int64_t class_count;
    const char *class_type; /* or NULL: what the labels are to the caller, a fact of the model */
    const char *const *feature_names; /* [x.cols] or NULL: column names, stored in the model */
    const int64_t *must_link;         /* [must_link_count x 2] or NULL */
    int64_t must_link_count;
    const int64_t *cannot_link; /* [cannot_link_count x 2] or NULL */
    int64_t cannot_link_count;
    /* for methods that learn from pairs: which pairs of labelled rows to use; NULL: all */
    const pen_pair_sample *sample;
    pen_contradiction on_contradiction;
    pen_transitive transitive;
    const double *must_link_weights;   /* [must_link_count] or NULL: all 1 */
    const double *cannot_link_weights; /* [cannot_link_count] or NULL: all 1 */
    pen_pair_weights pair_weights;     /* not with PEN_TRANSITIVE_CLOSE */
    /* NULL, or for a fit of a method with PEN_NEIGHBORS [x.rows x x.rows]: distances from each row
     * to rows near it, from any search. The method takes the k nearest entries of a row instead of
     * searching, ties by row number (docs/knn.md) */
    const pen_sparse *neighbors;
    pen_missing missing; /* what the model does with NaN in new rows; x has none */
    const double *fill;  /* [x.cols] pen_table.fill, with PEN_MISSING_MEAN, and only then */
} pen_data;

/* ---- how a call runs -----------------------------------------------------------------------
 * Options that change the result are in pen_spec; options that do not are here. The same call
 * gives the same bits for any number of threads. */

/* Receives the progress of a call: `phase` is a word or two, 0 <= done <= total. Called from the
 * calling thread only, at least once per phase and between blocks of work, also with the same
 * numbers again, so that a call can be stopped within about a tenth of a second; but not within a
 * single factorization, eigenproblem or block product. Return nonzero to stop: PEN_CANCELLED. */
typedef int (*pen_progress_fn)(void *user, const char *phase, int64_t done, int64_t total);

typedef struct pen_control {
    int threads;              /* 1 .. 1024, or 0: pen_default_threads() */
    pen_progress_fn progress; /* or NULL */
    void *user;               /* passed to progress */
} pen_control;

/* ---- methods and their parameters ----------------------------------------------------------
 * One table describes every method and one record every parameter. The command line, the model
 * file and the reference documentation are generated from them. */

typedef enum pen_param_type {
    PEN_PARAM_REAL,
    PEN_PARAM_INT,
    PEN_PARAM_CHOICE,
    PEN_PARAM_FLAG
} pen_param_type;

enum { PEN_OPEN_MIN = 1, PEN_OPEN_MAX = 2 };

enum { PEN_MOST_GRID_VALUES = 100 }; /* of pen_spec_set_grid */

/* A word that stands for a value, such as "all" for `dim` 0. A value outside the range of the
 * parameter can only be set by its word. */
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
    /* values worth trying, separated by blanks, as pen_spec_set reads them: the default, and then
     * the others, those first that changed most on measured data; NULL: the default is enough */
    const char *grid;
    size_t offset; /* private: where the value is stored */
} pen_param;

/* Traits of a method: what it learns from and what its models give. */
enum {
    PEN_LABELS = 1, /* needs labelled rows (some methods: for some parameter values only) */
    PEN_USES_UNLABELLED = 2, /* rows with neither label nor pair influence the result */
    PEN_MUST_LINKS = 4,      /* learns from must-links, and from labels as must-links */
    PEN_CANNOT_LINKS = 8,    /* learns from cannot-links, and from labels as cannot-links */
    PEN_PREDICTS = 16,       /* its models score classes: classifier scores, pen_predict */
    PEN_PROPAGATES = 32,     /* a fit gives class scores of its own rows: pen_model_propagated */
    PEN_UNNESTED = 64,       /* the first columns are not the solution for fewer dimensions */
    PEN_NEIGHBORS = 128,     /* uses the nearest of all rows; takes pen_data.neighbors instead */
    PEN_BASELINE = 256,      /* what methods are compared with: pen_compare takes it if named */
    PEN_MERGES = 512,        /* pen_stats_fit: from sums over rows, and over classes */
    PEN_MERGES_ROWS = 1024   /* the same, with the labelled rows and those of pairs */
};

/* How the formula of a method is established. */
typedef enum pen_source {
    PEN_SOURCE_PAPER,   /* printed in the paper */
    PEN_SOURCE_PROGRAM, /* where the paper leaves it open, taken from the authors' program */
    /* experimental: from descriptions by others; results may differ from the published ones */
    PEN_SOURCE_RECONSTRUCTED
} pen_source;

typedef struct pen_method pen_method;

int64_t pen_method_count(void);
/* Method `index`, or NULL unless 0 <= index < pen_method_count(). */
const pen_method *pen_method_at(int64_t index);
const pen_method *pen_method_named(const char *name);   /* NULL: there is none */
const char *pen_method_name(const pen_method *method);  /* as passed to pen_spec_new */
const char *pen_method_title(const pen_method *method); /* its full name */
const char *pen_method_cite(const pen_method *method);  /* authors, title, journal, year */
int pen_method_traits(const pen_method *method);        /* PEN_LABELS .. PEN_MERGES_ROWS, or-ed */
const char *pen_method_dims(const pen_method *method);  /* the dimensions it can give, in words */
const char *pen_method_cost(const pen_method *method);  /* the cost of a fit, in words */
/* What the method is not for, by measurements with its defaults (docs/results.md), and what to take
 * instead; "": nothing is known against it; NULL for a NULL method. */
const char *pen_method_not_for(const pen_method *method);
pen_source pen_method_source(const pen_method *method);

/* Parameter `index` of a method: the method's own come first, then those common to all methods.
 * NULL: there is none of that index. */
const pen_param *pen_method_param(const pen_method *method, int64_t index);

/* The number of parameters that are the method's own. */
int64_t pen_method_own_params(const pen_method *method);

/* A method and the values of its parameters, initially the defaults. Free with pen_spec_free (NULL
 * is fine). PEN_UNKNOWN_NAME: no such method; the message lists the methods. */
typedef struct pen_spec pen_spec;
pen_status pen_spec_new(const char *method, pen_spec **out, pen_error *err);
void pen_spec_free(pen_spec *spec);

const pen_method *pen_spec_method(const pen_spec *spec);

/* A copy: the same method with the same values, and the same to try. */
pen_status pen_spec_copy(const pen_spec *spec, pen_spec **out, pen_error *err);

/* 1 if the parameter was set by one of the functions below; 0: by default, or it does not exist. */
int pen_spec_is_set(const pen_spec *spec, const char *name);

/* Set a parameter by name.
 * pen_spec_set parses text: numbers in C notation in every locale, names of choices, special words,
 * true or false for flags. The other two take a number, for a choice its index; a number outside
 * the range is an error even if a special word stands for it.
 * PEN_UNKNOWN_NAME: the method has no such parameter or choice; the message lists those it has.
 * PEN_BAD_ARGUMENT: a value out of range, no number, or of the wrong type. The old value stays. */
pen_status pen_spec_set(pen_spec *spec, const char *name, const char *text, pen_error *err);
pen_status pen_spec_set_real(pen_spec *spec, const char *name, double value, pen_error *err);
pen_status pen_spec_set_int(pen_spec *spec, const char *name, int64_t value, pen_error *err);

/* The value of a parameter: for a choice its index, for a special word the value it stands for.
 * Formatted by pen_param_text it can be passed to pen_spec_set.
 * PEN_UNKNOWN_NAME: the method has no such parameter. */
pen_status pen_spec_get(const pen_spec *spec, const char *name, double *value, pen_error *err);

/* Give a parameter values that pen_tune tries, in place of its grid (pen_param.grid) or where it
 * has none: `values` as pen_spec_set reads them, at most PEN_MOST_GRID_VALUES, separated by blanks
 * or commas, the most promising first; also those of kernels and classifiers. The value that the spec
 * has is tried only if it is among them; pen_fit takes it as ever. The last call counts: setting
 * the parameter takes its values away, and NULL gives it its own grid again.
 * PEN_UNKNOWN_NAME: as for pen_spec_set. PEN_BAD_ARGUMENT: a value, as for pen_spec_set; a value
 * that occurs twice; no value; or `dim`, of which pen_tune tries all numbers. The old values
 * stay. */
pen_status pen_spec_set_grid(pen_spec *spec, const char *name, const char *values, pen_error *err);

/* 1 if the parameter has values of pen_spec_set_grid. */
int pen_spec_has_grid(const pen_spec *spec, const char *name);

/* The values that pen_tune would try of a parameter, separated by blanks; NULL: only the one it
 * has. Valid until the parameter is set or the spec is freed. */
const char *pen_spec_grid(const pen_spec *spec, const char *name);

/* Format a value as pen_spec_set reads it, into `text` of `size` bytes (32 are enough). */
void pen_param_text(const pen_param *param, double value, char *text, size_t size);

/* ---- models -------------------------------------------------------------------------------- */

/* An affine map z = (x - mean) W with everything learned along with it. Immutable: threads may
 * share it. Free with pen_model_free (NULL is fine). */
typedef struct pen_model pen_model;

/* Learn a model. `control` may be NULL.
 * PEN_BAD_DATA, PEN_NOT_FINITE: the rows; the message names row and column, or says that squares of
 * the values underflow or overflow (`scale` helps).
 * PEN_NO_LABELS, PEN_ONE_CLASS, PEN_NO_PAIRS: the supervision.
 * PEN_BAD_PAIR, PEN_CONTRADICTION: the message names the pair, and the chain.
 * PEN_BAD_ARGUMENT: pairs for a method that does not learn from pairs; a count of classes or pairs
 * that is negative, or has no list; a name that is NULL; data->neighbors where none are needed.
 * PEN_BAD_DATA: also data->neighbors where a row names itself, a row twice or too few rows, or a
 * distance is negative, not finite, or another in the opposite direction; or where entries are all
 * equal, fall with the distances of the rows, or name rows that are no nearer than others.
 * PEN_SINGULAR_SCATTER: set `ridge` to auto or above 0, or `pca`.
 * PEN_RANK_TOO_SMALL: the message says how many dimensions there are; `allow_fewer` accepts those.
 * Columns lost to rounding next to one that varies far more are named in that message, or as
 * "warning" in pen_model_info.
 * PEN_CANCELLED: stopped by `control`.
 * Cost: see docs/methods/ for each method. Rows are read in blocks. Additional memory is
 * proportional to cols^2 (rows^2 if there are fewer rows than columns; rows times the number of
 * components with `pca`; classes or chunklets times cols if they outnumber the columns), otherwise
 * never to rows^2; and 24 to 40 bytes for each entry of sparse rows, which are never made dense as
 * a whole. */
pen_status pen_fit(const pen_spec *spec, const pen_data *data, const pen_control *control,
                   pen_model **out, pen_error *err);

/* pen_fit, and the graphs that it used or learned: matrices [x.rows x x.rows] with names, which
 * docs/knn.md lists; none if the method, or these parameters, made no sparse graph. Free with
 * pen_graphs_free (NULL is fine). The model is that of pen_fit. Memory: 16 bytes for each entry. */
typedef struct pen_graphs pen_graphs;
pen_status pen_fit_graphs(const pen_spec *spec, const pen_data *data, const pen_control *control,
                          pen_model **out, pen_graphs **graphs, pen_error *err);
int64_t pen_graphs_count(const pen_graphs *graphs);
/* NULL unless 0 <= index < pen_graphs_count. */
const char *pen_graphs_name(const pen_graphs *graphs, int64_t index);
const pen_sparse *pen_graphs_at(const pen_graphs *graphs, int64_t index);
void pen_graphs_free(pen_graphs *graphs);

/* Embed rows: z[i] = (x[i] - mean) W, or of kernel values (pen_model_kernel), where z is
 * [x.rows x pen_model_output_dim] of type `dtype` (PEN_F64 or PEN_F32) and its rows are `stride`
 * elements apart. A row gives the same bits alone and in any batch, for any number of threads;
 * stored as a sparse one it gives other last digits. `control` may be NULL.
 * PEN_BAD_ARGUMENT: dtype or stride.
 * PEN_BAD_DATA: x.cols is not pen_model_input_dim (a precomputed kernel: or the number of
 * landmarks), a result overflows PEN_F32, or a kernel value overflows.
 * PEN_NOT_FINITE, PEN_CANCELLED: as for pen_fit.
 * Cost: 2 x.rows input_dim output_dim flops; with m landmarks 2 x.rows m (input_dim + output_dim).
 */
pen_status pen_transform(const pen_model *model, const pen_array *x, pen_dtype dtype, void *z,
                         int64_t stride, const pen_control *control, pen_error *err);

/* Predict classes, as the classifier of the model tells them (pen_model_classifier); NULL: not wanted.
 * classes [x.rows]: an index as for pen_model_class_name, that of the largest probability, the
 * first among equals; for classifier nearest that of the nearest labelled row. probabilities [x.rows x
 * pen_model_class_count]: sum to 1, and become p^(1/T) with `temperature` T; raw scores with
 * classifier scores and `prior none`. Of a row whose kernel values are all 0 (not of linear, polynomial
 * kernels) the priors of the classifier, or the shares of labelled rows. typical [x.rows], in (0, 1]:
 * the fraction of rows of the fit as far from others as this one, or farther (docs/classifiers.md);
 * models with the tensor `typical_units` tell it: all that pen_fit makes of rows.
 * PEN_BAD_ARGUMENT: it tells no classes, or no typical. Others, cost and bits: as pen_transform. */
pen_status pen_predict(const pen_model *model, const pen_array *x, const pen_control *control,
                       int32_t *classes, double *probabilities, double *typical, pen_error *err);

void pen_model_free(pen_model *model);

/* Several models that answer together: *out embeds rows as the first one does, and predicts the
 * mean of the probabilities of all. They must map the same columns and have the same classes, in
 * 1 .. 64 models that predict probabilities and are not joined themselves; they are copied. The
 * first of several may have no classifier: it embeds, and the others predict.
 * PEN_BAD_ARGUMENT: they do not. */
pen_status pen_join(const pen_model *const *models, int64_t count, pen_model **out, pen_error *err);

/* The number of models that answer together, 1 for a model alone; and each of them, the first being
 * the model itself, if it has a classifier of its own. NULL unless 0 <= index < pen_model_members. */
int64_t pen_model_members(const pen_model *model);
const pen_model *pen_model_member(const pen_model *model, int64_t index);
/* A copy of one member, alone: pen_predict of the copy gives its own probabilities, and
 * pen_model_bytes its own file, also for the first. PEN_BAD_ARGUMENT: there is no such member. */
pen_status pen_model_copy_member(const pen_model *model, int64_t index, pen_model **out,
                                 pen_error *err);

const char *pen_model_method(const pen_model *model); /* name of the method */
int64_t pen_model_input_dim(const pen_model *model);  /* d: columns of the rows it maps */
int64_t pen_model_output_dim(const pen_model *model); /* k: dimensions of the embedding */
/* W [d x k] and mean [d]; of a model with a kernel, [m x k] and [m] for values with m landmarks.
 * z = (x - mean) W is of rows x after their steps: row_total to select, and normalize. */
const double *pen_model_projection(const pen_model *model);
const double *pen_model_mean(const pen_model *model);

/* Numbers of a model, row by row; a vector has one column. */
typedef struct pen_matrix {
    const double *values; /* [rows x cols], or NULL: there are none, and both are 0 */
    int64_t rows, cols;
} pen_matrix;

/* A tensor of the file that pen_model_save writes, by its name there: docs/model-file.md has names
 * and shapes, and how a row is embedded from them, all steps included (`idf`, `selected`, and the
 * parameters of row steps and normalize). No values: the model has no such tensor; members
 * are models of their own (pen_model_member). */
pen_matrix pen_model_tensor(const pen_model *model, const char *name);

/* pen_data.missing of the fit: of NaN in new rows. PEN_MISSING_ERROR: PEN_NOT_FINITE. _MEAN: tensor
 * fill [d] takes its place before all else; where fill is NaN the column counts as 0. _DROP: the
 * row is mapped to NaN, and its class is PEN_UNLABELLED, of probabilities NaN. */
pen_missing pen_model_missing(const pen_model *model);

/* The kernel of a model: z = (k(u, landmarks) - mean) W, where u = kernel_scale (v - kernel_origin)
 * for a row v after its steps. The tensors landmarks [m x s], kernel_origin [s] and kernel_scale
 * [s] have the columns that these leave, s of d with `select`; landmark_rows [m] are the numbers of
 * the landmarks among the rows of the fit. */
typedef struct pen_kernel_view {
    const char *name; /* linear, rbf, laplacian, polynomial, cosine, precomputed */
    /* exp(-gamma |u - l|^2), exp(-gamma |u - l|_1), (gamma u.l + coef0)^degree; 0 where the kernel
     * has no such number */
    double gamma;
    int64_t degree;
    double coef0;
    int64_t count; /* m, the number of landmarks */
} pen_kernel_view;
const pen_kernel_view *pen_model_kernel(const pen_model *model); /* NULL: none */

/* Eigenvalues of the criterion [k], best first; NULL: the method solves no eigenproblem. */
const double *pen_model_eigenvalues(const pen_model *model);

/* The classifier of a model, as the parameter `classifier` names it, never auto: scores, lda, nearest, ..;
 * ensemble: it has none, and its members predict; NULL: the model predicts no classes. */
const char *pen_model_classifier(const pen_model *model);

/* Added to the first dimensions to give class scores [class_count]; NULL: the classifier is not
 * `scores`. */
const double *pen_model_bias(const pen_model *model);

/* The masses of the classes and then their priors [2 x class_count]; NULL: class scores are used as
 * they are (`prior none`, methods without that parameter, files of format 1). They turn the scores
 * of a row into shares, which sum to 1:
 *
 *   p_c = prior_c (F_c / mass_c + 1e-12 / the largest mass), divided by their sum
 *   F_c = min(max(score_c, 0), 1e100), a score that is not a number counting as 0
 * mass_c is the sum of min(F_c + 1e-12, 2) over the unlabelled rows of the fit, at least a
 * millionth of the largest; 1 if all rows were labelled. prior_c is the share that these rows tell
 * (`prior auto`), that of the labels, or 1 / class_count (`uniform`, or all rows labelled).
 * Zhu, Ghahramani, Lafferty: International Conference on Machine Learning (2003), section 4. */
const double *pen_model_class_mass(const pen_model *model);

/* The number of rows the model was fitted to; 0: it was read from a file. */
int64_t pen_model_fitted_rows(const pen_model *model);

/* Class scores of the rows of the fit [fitted_rows x class_count], or NULL; shares if the model has
 * a pen_model_class_mass. Not stored in files. */
const double *pen_model_propagated(const pen_model *model);

/* The number of classes among the labelled rows of the fit; 0: there were no labels. */
int64_t pen_model_class_count(const pen_model *model);

/* The name of class `index`; NULL unless 0 <= index < pen_model_class_count. */
const char *pen_model_class_name(const pen_model *model, int64_t index);

/* The name of column `index`; NULL unless 0 <= index < d, or if no names were given. */
const char *pen_model_feature_name(const pen_model *model, int64_t index);

/* A JSON object of every parameter and its value. */
const char *pen_model_parameters(const pen_model *model);

/* A JSON object: rows, labelled, classes, precision, residual, ridge; components, variance. */
const char *pen_model_info(const pen_model *model);

typedef enum pen_fact_type {
    PEN_FACT_NUMBER,  /* numbers[0] */
    PEN_FACT_FLAG,    /* numbers[0] is 0 or 1 */
    PEN_FACT_TEXT,    /* text */
    PEN_FACT_NUMBERS, /* numbers [count], count >= 1 */
    PEN_FACT_JSON     /* text: any other JSON value, from a model file */
} pen_fact_type;

/* One member of pen_model_parameters or pen_model_info. Everything in it belongs to the model. */
typedef struct pen_fact {
    const char *name;
    pen_fact_type type;
    const char *text;      /* NULL where there are numbers */
    const double *numbers; /* [count]; NULL where there is text */
    int64_t count;
} pen_fact;

/* All members, in their order. */
typedef struct pen_facts {
    const pen_fact *list; /* [count] */
    int64_t count;
} pen_facts;

/* The contents of pen_model_parameters and pen_model_info as values. NULL for a NULL model. */
const pen_facts *pen_model_parameter_facts(const pen_model *model);
const pen_facts *pen_model_info_facts(const pen_model *model);

/* The fact called `name`; NULL if there is none. */
const pen_fact *pen_fact_named(const pen_facts *facts, const char *name);

/* Write a model (path "-": to standard output) as a safetensors file: projection [d x k], mean [d],
 * and, where the model has them, eigenvalues [k], bias [class_count], for models with a bias
 * class_mass [2 x class_count], and class_shares [class_count], all f64; the rest is metadata
 * (docs/model-file.md). The file is written completely or not at all.
 * PEN_FILE_ERROR: with the reason reported by the system. */
pen_status pen_model_save(const pen_model *model, const char *path, pen_error *err);

/* Read a model back. Everything is checked before any allocation of a size that the file claims.
 * PEN_FILE_ERROR: cannot be read.
 * PEN_BAD_FORMAT: truncated, oversized, overlapping, or not such a model; bytes that do not match
 * the checksum in the file; a duplicate key.
 * PEN_NEWER_FORMAT: update the library. */
pen_status pen_model_load(const char *path, pen_model **out, pen_error *err);

/* A model in memory: *bytes [*size] are those of the file that pen_model_save writes. Free with
 * pen_model_bytes_free (NULL is fine). */
pen_status pen_model_bytes(const pen_model *model, void **bytes, size_t *size, pen_error *err);
void pen_model_bytes_free(void *bytes);

/* Read a model from memory, as pen_model_load does from a file. */
pen_status pen_model_parse(const void *bytes, size_t size, pen_model **out, pen_error *err);

/* The model of rows that embeds them by `first`, and the embedding by `second`, which was fitted to
 * embeddings by `first`: such as components of many rows in blocks, and a method fitted to these.
 * The method is FIRST:SECOND, and classes are told by the classifier of `second`. The signs of columns
 * are those of pen_fit: they go by the projection of both, unless the columns score classes.
 * PEN_BAD_ARGUMENT: `second` has other columns, a kernel or normalize l2, or is composed of such a
 * model already; a model has members. */
pen_status pen_compose(const pen_model *first, const pen_model *second, pen_model **out,
                       pen_error *err);

/* ---- statistics of rows in blocks ----------------------------------------------------------
 * Rows that lie in many files or on many machines, or that arrive over time, are divided into
 * blocks. What a method needs of a block is put into an object, the objects are merged, and a fit
 * from them gives the model that all rows together give, up to rounding: the same bits for any
 * number of workers, in any order, if the merges follow the canonical tree (docs/statistics.md). */

enum {
    PEN_PART_TOTAL = 1,   /* number, mean and scatter of all rows, minimum and maximum of columns */
    PEN_PART_CLASSES = 2, /* means of classes, and the scatter within them */
    PEN_PART_CHUNKS = 4,  /* the same of chunks of rows that must-links join */
    PEN_PART_ROWS = 8,    /* the labelled rows themselves, and rows that are in pairs */
    /* from a second pass: from each labelled row to the nearest of all rows */
    PEN_PART_NEAREST = 16
};

/* "total", "classes", "chunks", "rows", "nearest"; NULL: not one of these. */
const char *pen_part_name(int part);

/* What a fit from statistics needs, PEN_PART_TOTAL .. or-ed, with some values of its parameters; 0:
 * every row, so that the method is fitted to coordinates of all rows. */
int pen_method_parts(const pen_method *method);

typedef struct pen_stats pen_stats;

/* A block. All zero but `id` is usual. */
typedef struct pen_stats_block {
    int64_t id;          /* >= 0: rows of a lower id come first, and no two blocks have the same */
    const int64_t *keep; /* [keep_count] rows of this block that pairs name; or NULL */
    int64_t keep_count;
    /* [rows] the chunk of each row, >= 0, or -1 for none; or NULL. All blocks have chunks, or none
     * has */
    const int64_t *chunks;
    int parts; /* PEN_PART_TOTAL with CLASSES or ROWS or both; 0: what the method needs */
} pen_stats_block;

/* The statistics of a block: of the parameters of `spec` row steps and normalize count, and
 * what says which parts are needed (the method, and whether classifier is none). Rows may be none.
 * data: x, labels, class_names and feature_names. Free with pen_stats_free (NULL is fine).
 * PEN_BAD_ARGUMENT: id, keep, chunks or parts, a kernel, row steps that are learned from all rows;
 * PEN_BAD_DATA: more than 8191 columns, values that row steps do not take;
 * PEN_NOT_FINITE; messages name the block. Cost: four passes, n d^2 flops; memory: 2 d^2 doubles
 * and the rows kept. */
pen_status pen_stats_new(const pen_spec *spec, const pen_data *data, const pen_stats_block *block,
                         const pen_control *control, pen_stats **out, pen_error *err);

/* The second pass, for methods with PEN_PART_NEAREST that scale affinities among all rows: from
 * each labelled row of `all`, the merged statistics, the distances to the `neighbors` nearest rows
 * of this block. The spec is that of the fit: neighbors, scale, pca. Merge these objects of all
 * blocks with `all`. PEN_BAD_ARGUMENT: the method needs no such pass, or the block is not in `all`;
 * PEN_BAD_DATA: it had other rows, which a checksum of their values tells. Cost: l n d flops. */
pen_status pen_stats_nearest(const pen_spec *spec, const pen_stats *all, const pen_data *data,
                             int64_t block, const pen_control *control, pen_stats **out,
                             pen_error *err);

/* The statistics of all blocks of `count` >= 1 objects, in whatever order they are listed. Where
 * these are subtrees of the canonical tree over all blocks, such as single blocks, the tree is
 * followed. Objects of the second pass are merged with each other, and then belong to those of the
 * first, which must be of the same blocks. blocks: the number of all blocks, whatever their ids; or
 * 0: blocks with the ids between are all there, though others may come before and after. Where it
 * was given, pen_stats_fit does not ask again.
 * PEN_BAD_ARGUMENT: a block in two of them; another normalize, other parts, another number of
 * nearest rows, or distances in other units. PEN_BAD_DATA: other columns, other names of these, or
 * class names in some objects and numbers in others; blocks are missing, which the message names.
 * Cost: d^2 for each. */
pen_status pen_stats_merge(const pen_stats *const *list, int64_t count, int64_t blocks,
                           const pen_control *control, pen_stats **out, pen_error *err);

/* pen_fit from statistics. pairs: NULL, or must_link, cannot_link and what belongs to them, by the
 * numbers of rows among all; nothing else of it is read. The info of the model has `merges`.
 * PEN_BAD_ARGUMENT: the method needs a part that is absent, or every row; PEN_BAD_PAIR: a row that
 * was not kept; PEN_BAD_DATA: blocks are missing, of those from 0 on; errors of pen_fit. */
pen_status pen_stats_fit(const pen_spec *spec, const pen_stats *stats, const pen_data *pairs,
                         const pen_control *control, pen_model **out, pen_error *err);
void pen_stats_free(pen_stats *stats);

int pen_stats_parts(const pen_stats *stats);          /* PEN_PART_TOTAL .. */
int64_t pen_stats_columns(const pen_stats *stats);    /* of a row */
int64_t pen_stats_rows(const pen_stats *stats);       /* of all blocks */
int64_t pen_stats_kept(const pen_stats *stats);       /* rows that are kept */
int64_t pen_stats_near(const pen_stats *stats);       /* nearest rows of each labelled one, or 0 */
const char *pen_stats_merges(const pen_stats *stats); /* "canonical" or "free" */
const char *pen_stats_normalize(const pen_stats *stats); /* "none" or "l2" */
/* Writes row steps, such as "row_total 10, log1p", or "", and returns the length, at most 95. */
size_t pen_stats_row_steps(const pen_stats *stats, char *text, size_t size);
/* The number of blocks; *blocks [x 3] (may be NULL): id, ascending, rows, labelled rows. */
int64_t pen_stats_blocks(const pen_stats *stats, const int64_t **blocks);
/* NULL: there is none of that index. */
const char *pen_stats_class_name(const pen_stats *stats, int64_t index);
const char *pen_stats_feature_name(const pen_stats *stats, int64_t index);

/* Statistics as a safetensors file, or as its bytes, freed with pen_model_bytes_free. Written
 * completely or not at all; the same object gives the same bytes. Errors as for models, which are
 * refused, as pen_model_load refuses statistics. */
pen_status pen_stats_save(const pen_stats *stats, const char *path, pen_error *err);
pen_status pen_stats_load(const char *path, pen_stats **out, pen_error *err);
pen_status pen_stats_bytes(const pen_stats *stats, void **bytes, size_t *size, pen_error *err);
pen_status pen_stats_parse(const void *bytes, size_t size, pen_stats **out, pen_error *err);

/* ---- files --------------------------------------------------------------------------------- */

typedef enum pen_header { PEN_HEADER_AUTO = 0, PEN_HEADER_YES, PEN_HEADER_NO } pen_header;

/* How to read a file. All zero gives the defaults. */
typedef struct pen_read_options {
    /* "text", "npy", "libsvm", "npz" or "mtx"; NULL: detected by content, then by extension */
    const char *format;
    /* text: name in the header or place from 0 (negative: from the end), also after #; NULL: none.
     * PEN_BAD_FORMAT if that may mean two columns; the message says what means either of them */
    const char *label_column;
    /* text: likewise, the groups of rows, read as labels are; NULL: none */
    const char *group_column;
    /* text: likewise; NULL: a first one without a name, which is not read if this is another */
    const char *row_name_column;
    /* text: whether the first line is a header. AUTO: if it has a name that these options give, a
     * word above a number, or an empty first cell. PEN_BAD_FORMAT with PEN_HINT_HEADER if it could
     * be either: numbers that only rise or fall, as wavelengths, unlike the lines below */
    pen_header header;
    /* text: ',' ';' '\t' or ' ' (any run of blanks); 0: detected from the first lines */
    char delimiter;
    /* empty, NA, NaN, N/A, #N/A, NULL, None, . or ? in place of a value: fail, naming line and
     * column; replace it by the mean of the column, or 0; drop the row; keep NaN for a model */
    pen_missing missing;
    /* [unlabelled_count] what means unlabelled, besides an empty text, in exactly these letters; a
     * number in any notation. NULL: -1, NA, NaN, nan, N/A, #N/A, NULL, None, <NA>, . and ? */
    const char *const *unlabelled;
    int64_t unlabelled_count;
    /* libsvm: the least number of columns, without those dropped: trailing ones may be 0 */
    int64_t columns;
    /* 1: files of 16 MiB or more are mapped and may be larger than memory. If one is truncated
     * meanwhile, SIGBUS is raised or the rest of a page reads as 0: the caller handles the signal
     * and compares sizes. 0: files are read into memory */
    int map;
    /* [drop_count] columns that are not read: by name or place, as for label_column; npy and libsvm
     * have indices only (index 1 of libsvm is column 0) */
    const char *const *drop;
    int64_t drop_count;
    /* text: [keep_count] columns, likewise, that are no values but kept as text */
    const char *const *keep;
    int64_t keep_count;
    /* text with a header: [select_count] names of the columns to read as values, in this order;
     * other columns are left out. 0: all columns */
    const char *const *select;
    int64_t select_count;
    /* text: '.' or ','; 0: detected from the first lines, see docs/text-files.md */
    char decimal;
    /* text: a sign, such as # and %, that begins a comment, outside of quotes, up to the end of the
     * line; lines of nothing else are skipped. 0: none */
    char comment;
    /* text, libsvm: [na_count] further texts among values that mean a missing one; a number does so
     * in any notation */
    const char *const *na;
    int64_t na_count;
    const struct pen_table *rows; /* pen_read_labels: numbers and names of these; or NULL */
    /* nonzero: a table may be without rows where its columns are known, as those of a text with a
     * header alone, and so may be a file of labels. 0: PEN_BAD_DATA */
    int allow_empty;
    /* text: nonzero: values have no names, as without a header; 0: PEN_BAD_FORMAT if a value has
     * the name of another column, but for blanks around it, that is not dropped either */
    int ignore_names;
    /* pen_read: the bytes [size] of the file, of which path is only the name; NULL: it is read */
    const void *bytes;
    size_t size;
} pen_read_options;

/* The contents of a file. Members belong to the table. Free with pen_table_free (NULL is fine). */
typedef struct pen_table {
    /* f32 and u8 keep their type, and the bytes of the file are used in place if possible; text and
     * all other types become f64 */
    pen_array x;
    int32_t *labels; /* [x.rows] or NULL: index into class_names, or PEN_UNLABELLED */
    /* [class_count] or NULL: in numerical order if all are numbers, otherwise in byte order */
    char **class_names;
    int64_t class_count;
    int32_t *groups;      /* [x.rows] as in pen_data, or NULL: no column of them was named */
    char *label_name;     /* of a text: the label column in its header; or NULL */
    char **column_names;  /* [x.cols] or NULL */
    char **row_names;     /* [x.rows + dropped_rows] in the order of row_numbers, or NULL */
    int64_t dropped_rows; /* the number of rows that PEN_MISSING_DROP dropped */
    int64_t *row_numbers; /* [likewise] in the file (or block), the dropped last; NULL: 0, 1, .. */
    int64_t filled_cells; /* the number of cells that PEN_MISSING_MEAN filled, or _KEEP kept */
    int mapped;           /* 1: x points into the mapped file until the table is freed */
    int64_t *column_numbers; /* [x.cols] 0-based columns of the file; NULL: 0, 1, 2, .. */
    char **kept;             /* [x.rows x kept_count] the cells of pen_read_options.keep, or NULL */
    char **kept_names;       /* [kept_count] or NULL; column3 where there is no header */
    int64_t kept_count;
    char **left_out; /* [left_out_count] names of columns that were not selected, or NULL */
    int64_t left_out_count;
    char **marks; /* [mark_count] the texts, not empty, that meant unlabelled; or NULL */
    int64_t *mark_rows, mark_count; /* [mark_count] their numbers of rows */
    int short_header;   /* 1: the header has a cell less than the rows: the first are their names */
    int decimal_commas; /* 1: they were detected */
    int index_dropped;  /* 1: the first column has no name; it is not read, others are the names */
    double *fill;       /* [x.cols] with PEN_MISSING_MEAN; NaN: no row has a value; or NULL */
    struct pen_table_owner *owner;
} pen_table;

/* Read rows, and labels where the file has them (a label column; the first field of libsvm lines).
 * path "-": standard input; FILE::NAME: an array in an npz archive (docs/formats.md). Files of gzip
 * are expanded. Sparse matrices become sparse rows; and so do libsvm lines of more than 2^20 cells
 * of which less than a quarter are listed. `options` may be NULL.
 * PEN_FILE_ERROR: the reason that the system gives; or the file became shorter meanwhile.
 * PEN_BAD_FORMAT: the message begins with file:line:column (text) or the file (npy), or says what
 * kind of file it is and what to do.
 * PEN_UNKNOWN_NAME: no such column or format; PEN_HINT_BY_POSITION if it was selected.
 * PEN_BAD_ARGUMENT: the options; or one column is named for two purposes.
 * PEN_BAD_DATA: no rows; no columns; or a largest libsvm index that would take more than 4 GiB and
 * more than a thousand times the size of the file, as dense rows or as one row of sparse ones.
 * PEN_NO_MEMORY: more is needed than the machine has or the limit of the process allows. */
pen_status pen_read(const char *path, const pen_read_options *options, pen_table **out,
                    pen_error *err);

/* Read a file of labels. npy (FILE::NAME: in an npz): one per row, integers or texts, or [rows x
 * classes] with one 1 in each row. Text: one per line, or a table of rows and their classes
 * (docs/cli.md#labels-by-name), whose labels are those of options->rows. x.cols is 0, x.rows is the
 * number of labels. Where options->rows has dropped rows, their labels are left out, and their
 * number is dropped_rows. In text, 1, +1 and 01 are three classes, named as they are written; 1,
 * 1.0 and 1.0e+00, as numeric types print a whole number, are one. In npy and libsvm equal numbers
 * are.
 * Errors as for pen_read. PEN_BAD_FORMAT: text with several columns that is no such table.
 * PEN_BAD_DATA: a line of it names no row, more than one, or that of another line. */
pen_status pen_read_labels(const char *path, const pen_read_options *options, pen_table **out,
                           pen_error *err);
int pen_label_is_mark(const char *text); /* 1: in a file of labels it means unlabelled */
void pen_table_free(pen_table *table);

/* Names [count] that look alike: equal but for case, blanks, encoding of accents or notation of a
 * number: the first of them, quoted, in text [size]; empty if there are none. */
pen_status pen_find_alike(const char *const *names, int64_t count, char *text, size_t size,
                          pen_error *err);

/* The rows of a file, some at a time, in memory that does not grow with the file: npy arrays and
 * text. A block is the table that pen_read would make of these rows: how the file is read
 * (delimiter, decimal sign, header, columns) is decided as for the whole, but classes are those of
 * the block, and their names tell which. `options` is as for pen_read, and what it points to must
 * stay while it is used.
 * PEN_BAD_ARGUMENT: missing mean, which needs all rows. PEN_BAD_FORMAT: compressed files, text of
 * UTF-16, other formats. PEN_FILE_ERROR: no regular file. Otherwise the errors
 * of pen_read. Free with pen_blocks_free (NULL is fine). */
typedef struct pen_blocks pen_blocks;
pen_status pen_blocks_open(const char *path, const pen_read_options *options, pen_blocks **out,
                           pen_error *err);

/* The same of a file of labels, as pen_read_labels reads it: npy. */
pen_status pen_blocks_open_labels(const char *path, const pen_read_options *options,
                                  pen_blocks **out, pen_error *err);

/* The next `rows` >= 1 rows of the file, or those that are left, as a table of its own, freed with
 * pen_table_free; with fewer rows, even none, where rows with missing values are dropped. NULL:
 * there are no more. PEN_FILE_ERROR: the size of the file has changed. Memory: the block twice. */
pen_status pen_blocks_next(pen_blocks *blocks, int64_t rows, pen_table **out, pen_error *err);
void pen_blocks_rewind(pen_blocks *blocks); /* the next block is the first one */

/* After the first block: the rows of the file where it tells their number, or -1. */
int64_t pen_blocks_rows(const pen_blocks *blocks);
/* The bytes of text that the largest block so far took, and of what is kept of the file. */
int64_t pen_blocks_bytes(const pen_blocks *blocks);
void pen_blocks_free(pen_blocks *blocks);

/* Pairs from a file. Free with pen_pair_table_free (NULL is fine). */
typedef struct pen_pair_table {
    int64_t *must_link; /* [must_link_count x 2], as in pen_data */
    int64_t must_link_count;
    int64_t *cannot_link; /* [cannot_link_count x 2] */
    int64_t cannot_link_count;
    double *must_link_weights;   /* [must_link_count], or NULL: the file has no weights */
    double *cannot_link_weights; /* [cannot_link_count], or NULL */
} pen_pair_table;

/* Read pairs of 0-based row numbers: text (one pair per line, with or without a header) or npy
 * ([m x 2], [m x 3] or [m x 4], integers or floats). Two columns are pairs of the kind `link`, and
 * a third one is their weights. If `link` is PEN_ANY_LINK three columns are i, j and 1 (must-link)
 * or -1 (cannot-link), and a fourth one is the weights: finite, >= 0. path "-": standard input.
 * rows: the number of rows that the pairs refer to; 0: row numbers are not checked. An empty text
 * file holds no pairs.
 * PEN_FILE_ERROR: with the reason reported by the system.
 * PEN_BAD_FORMAT: not such a file.
 * PEN_BAD_PAIR: a row number is not in [0, rows - 1], a row is paired with itself, or a weight is
 * negative, infinite or NaN.
 * Messages begin with file:line:column (text) or give the pair and the column (npy). */
pen_status pen_read_pairs(const char *path, pen_link link, int64_t rows, pen_pair_table **out,
                          pen_error *err);
void pen_pair_table_free(pen_pair_table *table);

/* Write pairs as lines i,j,1 and i,j,-1, must-links first, with a fourth cell of weights if either
 * kind has weights; no header. A path ending in .tsv: separated by '\t'; .npy: [m x 3] of int64, or
 * [m x 4] of doubles; "-": standard output, as text. The file is written completely or not at all.
 * PEN_FILE_ERROR: with the reason reported by the system. */
pen_status pen_write_pairs(const char *path, const pen_pair_table *pairs, pen_error *err);

/* The weights that a fit with PEN_PAIR_WEIGHTS_AGREEMENT gives the pairs of `data`, of the rows as
 * they are: must_link [data->must_link_count], cannot_link [data->cannot_link_count]; 0 for pairs
 * that are absent or dropped. Pairs of two labelled rows that the labels imply have the weight 1.
 * Cost: r p (d + 2) for p pairs of r rows. Errors as in pen_fit. */
pen_status pen_weigh_pairs(const pen_data *data, const pen_control *control, double *must_link,
                           double *cannot_link, pen_error *err);

/* Published splits: in which fold a row is held out. Free with pen_fold_table_free, also NULL. */
typedef struct pen_fold_table {
    int64_t rows, runs;
    int64_t folds;          /* the number of different folds in the first run */
    const int32_t *fold_of; /* [runs x rows] as pen_protocol.fold_of */
} pen_fold_table;

/* Read folds for `rows` rows, text or npy: a line for each row, a column for each run; whole
 * numbers >= 0, or -1, empty or NaN for a row that the run never holds out. A first line of words
 * is a header. Blank lines are rows.
 * PEN_BAD_DATA: another number of rows. PEN_BAD_FORMAT: other values, or lines of different length;
 * messages begin with file:line:column (text) or give the row and the column (npy). */
pen_status pen_read_folds(const char *path, int64_t rows, pen_fold_table **out, pen_error *err);
void pen_fold_table_free(pen_fold_table *table);

/* Write rows of type PEN_F64 or PEN_F32 as text (cells separated by ',', or by '\t' for a path
 * ending in .tsv) or npy (.npy). path "-": standard output, as text. column_names [z.cols] and
 * row_names [z.rows] (text only) may be NULL. Numbers are written in the shortest form that reads
 * back to the same number, NaN in text as an empty cell. The file is written completely or not at
 * all. PEN_FILE_ERROR: with the reason reported by the system. */
pen_status pen_write(const char *path, const pen_array *z, const char *const *column_names,
                     const char *const *row_names, pen_error *err);

/* The same with the columns that pen_read kept of `rows`, which z was computed from: row names,
 * kept columns, values. PEN_BAD_ARGUMENT: z has another number of rows; column_names is NULL and
 * there are kept columns; or these and a path ending in .npy. */
pen_status pen_write_kept(const char *path, const pen_array *z, const char *const *column_names,
                          const pen_table *rows, pen_error *err);

/* Write what pen_read read, as the extension says: .csv .tsv .npy .npz .libsvm .svm .svmlight
 * (docs/formats.md); "-", a pipe or a device: CSV. label_name (NULL: "label") is the column of the
 * labels. PEN_UNKNOWN_NAME: another ending. PEN_BAD_ARGUMENT: labels or kept columns for .npy or
 * .npz. Others as pen_write. */
pen_status pen_write_table(const char *path, const pen_table *table, const char *label_name,
                           pen_error *err);

/* Write bytes that were made elsewhere, as those of a picture. path and errors as for pen_write. */
pen_status pen_write_bytes(const char *path, const void *bytes, size_t size, pen_error *err);

/* Write labels [n], one per line: class_names[label], or the number if there is no name, and -1 if
 * unlabelled; int32 for a path ending in .npy. class_names may be NULL. Otherwise as pen_write. */
pen_status pen_write_labels(const char *path, const int32_t *labels, int64_t n,
                            const char *const *class_names, int64_t class_count, pen_error *err);

typedef struct pen_class_rows {
    int64_t n, class_count, label_count;
    const int32_t *classes, *labels; /* [n] PEN_UNLABELLED: an empty cell; labels: or NULL */
    const double *probabilities;     /* [n x class_count] */
    const double *typical;           /* [n] or NULL: no column; NaN: an empty cell */
    const char *const *class_names, *const *label_names, *const *row_names; /* or NULL */
    int every; /* 1: the probabilities of all classes are written, too */
    /* NULL, or sets n and the members [n] of further rows, n = 0: none; PEN_OK, or it ends */
    pen_status (*next)(void *user, struct pen_class_rows *rows);
    void *user;
} pen_class_rows;

/* Write the classes of rows as text with a header: `name`, or without names `row`, from 0; `class`,
 * `probability`, `typical`, `label`, p_CLASS of every class. Six digits. Otherwise as pen_write.
 * PEN_UNKNOWN_NAME: a .npy file. PEN_BAD_ARGUMENT: a class is not in [-1, class_count - 1]. */
pen_status pen_write_classes(const char *path, const pen_class_rows *rows, pen_error *err);

/* ---- samples of labels and pairs ----------------------------------------------------------- */

/* Which labels to keep: a number or a percentage of each class. Exactly one is given. */
typedef struct pen_label_sample {
    int64_t per_class; /* min(per_class, n_c) rows of class c; or */
    double percent;    /* in (0, 100]: floor(percent / 100 n_c + 1/2) rows of it, at least one */
    uint64_t seed;
} pen_label_sample;

/* out [n]: the labels of the rows drawn, PEN_UNLABELLED for all others. Classes are taken by size,
 * rows by number (docs/sampling.md): their names decide nothing.
 * PEN_BAD_ARGUMENT: the sample.
 * PEN_NO_LABELS: all rows are unlabelled. */
pen_status pen_sample_labels(const int32_t *labels, int64_t n, const pen_label_sample *sample,
                             int32_t *out, pen_error *err);

/* Receives pairs [count x 3]: i < j and a pen_link. Return nonzero to stop: PEN_CANCELLED. */
typedef int (*pen_pair_fn)(void *user, const int64_t *pairs, int64_t count);

/* Pass the pairs that `sample` draws from labels [n] to `put`, in blocks, in ascending order of
 * (i, j): the same pairs that pen_fit uses for the same sample. `control` may be NULL.
 * PEN_BAD_ARGUMENT: the sample.
 * PEN_NO_LABELS: fewer than two labelled rows.
 * PEN_CANCELLED: stopped by `put` or `control`.
 * Memory: 3 T / 8 bytes, where T is the number of pairs of labelled rows, or about 42 bytes for
 * each pair drawn if that is less; the list of pairs is never held as a whole. */
pen_status pen_sample_pairs(const int32_t *labels, int64_t n, const pen_pair_sample *sample,
                            const pen_control *control, pen_pair_fn put, void *user,
                            pen_error *err);

/* Write the same pairs to a file: text with a line "i,j,1" or "i,j,-1" for each pair (separated by
 * tabs for a path ending in .tsv), or npy (int64 [k x 3]). Otherwise as pen_write. */
pen_status pen_sample_pairs_write(const char *path, const int32_t *labels, int64_t n,
                                  const pen_pair_sample *sample, const pen_control *control,
                                  pen_error *err);

/* ---- nearest neighbors --------------------------------------------------------------------- */

/* The k nearest other rows of each row by Euclidean distance: index [x.rows x k], 0-based row
 * numbers, nearest first, equal distances in ascending order of row number; distance [x.rows x k],
 * or NULL if not wanted. The search is exact: distances are computed by direct differences in
 * double precision, and an equal row is at distance 0. The same bits for any number of threads and
 * any instruction set. `control` may be NULL.
 * PEN_BAD_ARGUMENT: k is not in [1, x.rows - 1], or index is NULL.
 * PEN_BAD_DATA, PEN_NOT_FINITE, PEN_CANCELLED: as for pen_fit.
 * Cost: with 32 columns or more, x.rows^2 x.cols / 2 multiply-adds of bytes, and about x.rows (k +
 * 5) direct differences, none for whole numbers that span at most 255. With fewer columns, or where
 * bounds by bytes rule out too few pairs, x.rows^2 x.cols flops in single precision or in double.
 * Memory: 16 x.rows k bytes, and x.cols + 8 k + 72 bytes for each row, 24 k + 200 more unless
 * values are such whole numbers; plus a few MB for each thread. */
pen_status pen_neighbors(const pen_array *x, int64_t k, const pen_control *control, int64_t *index,
                         double *distance, pen_error *err);

/* The k nearest rows of x of each row of `queries`, which has the same columns: index [queries.rows
 * x k], rows of x; distance [queries.rows x k], or NULL. A query that is also a row of x finds that
 * row, at distance 0. Otherwise as pen_neighbors.
 * PEN_BAD_ARGUMENT: k is not in [1, x.rows], or the numbers of columns differ. PEN_BAD_DATA also: a
 * query is so far from the rows of x that squares of distances may overflow.
 * Cost: queries.rows x.rows x.cols multiply-adds. Memory: x.cols + 72 bytes for each row of both,
 * and for each query as above. */
pen_status pen_neighbors_of(const pen_array *queries, const pen_array *x, int64_t k,
                            const pen_control *control, int64_t *index, double *distance,
                            pen_error *err);

/* Sparse matrices in .npz files, as scipy.sparse.save_npz writes csr_matrix, compressed or not.
 * Free what was read with pen_sparse_free (NULL is fine). Otherwise as pen_read and pen_write.
 * PEN_UNKNOWN_NAME: another extension. PEN_BAD_ARGUMENT: starts or columns out of range. */
pen_status pen_sparse_read(const char *path, pen_sparse **out, pen_error *err);
void pen_sparse_free(pen_sparse *matrix);
pen_status pen_sparse_write(const char *path, const pen_sparse *matrix, pen_error *err);

/* ---- folds and leaks ------------------------------------------------------------------------ */

/* Deal the labelled rows to k folds for cross-validation: fold [n] is 0 .. k - 1 for labelled rows
 * and -1 for the others. Fold sizes differ by at most one; if stratified, within each class too.
 * With groups [n] (pen_data.groups; or NULL) rows of a group are in one fold, and sizes are as even
 * as whole groups allow, dealt from the largest one. Classes are taken by size, rows by number;
 * trials take rows by their content (docs/sampling.md), so their folds are others. The same seed
 * gives the same folds on every machine.
 * PEN_NO_LABELS: all rows are unlabelled.
 * PEN_BAD_ARGUMENT: k is not in [2, the number of labelled rows, or of groups that have any]. */
pen_status pen_folds(const int32_t *labels, const int32_t *groups, int64_t n, int64_t k,
                     int stratified, uint64_t seed, int32_t *fold, pen_error *err);

/* The seed by which pen_evaluate, pen_tune and pen_compare deal the folds of run `run`, for
 * pen_protocol.seed `seed` (docs/evaluation.md). */
uint64_t pen_run_seed(uint64_t seed, int64_t run);

/* A column from which the labels follow, or adjacent indicator columns: 0 or 1, and in every row
 * exactly one of them 1; or a column that numbers the rows. */
typedef struct pen_leak {
    int64_t first, count; /* columns first .. first + count - 1; count 1: one column */
    int64_t numbers_rows; /* 1: it numbers the rows, whatever the labels */
    double p;             /* at least the probability that a column does so by chance */
} pen_leak;

/* Free with pen_leaks_free (NULL is fine). */
typedef struct pen_leaks {
    int64_t count;
    pen_leak *list; /* [count] in the order of the columns */
} pen_leaks;

/* Find columns that determine the labels, such as the classes themselves left among the values:
 * each value occurs in labelled rows of one class only, there are at most two values for each class
 * or one for each five labelled rows, and that is improbable (p < 1e-3) if labels are permuted,
 * given the number of columns with few values. Also, without labels, too, columns that number the
 * rows: in equal steps or in whole numbers with gaps, if that is improbable (p < 0.01) in another
 * order of the rows; or different whole numbers under a name of an index, such as id.
 * PEN_BAD_DATA: as for pen_fit. Values may be NaN, which are all different.
 * Cost: for most columns a few rows; x.rows for an indicator. */
pen_status pen_find_leaks(const pen_data *data, pen_leaks **out, pen_error *err);
void pen_leaks_free(pen_leaks *leaks);

/* The share of the labelled rows (of some 100 of them) that have near copies among those of their
 * class, where it is a third or more; otherwise 0. In trials a copy tells the class of a held-out
 * row, unless data->groups keep them together; with these *share is 0. A row has near copies if all
 * but a few rows of its class are more than five times as far as these, in standardized columns.
 * PEN_BAD_DATA, PEN_NOT_FINITE: as for pen_fit. Cost: two passes and 2e8 flops at most. */
pen_status pen_find_copies(const pen_data *data, double *share, pen_error *err);

/* ---- evaluation, tuning and comparison -----------------------------------------------------
 * Cross-validation on the labelled rows. A trial holds out one fold, learns from the rest, and
 * classifies each held-out row as pen_predict does, by the classifier of the model. Neither the label
 * of a held-out row nor a pair that contains one is used to learn or to choose anything. */

enum {
    PEN_MOST_RUNS = 100000,         /* the largest number of runs */
    PEN_MOST_TUNED_DIMS = 30,       /* the largest number of dimensions that pen_tune tries */
    PEN_MOST_COMBINATIONS = 100000, /* the most combinations of values that it tries */
    /* those of a method that pen_compare tries, times an effort above 1 */
    PEN_COMPARE_COMBINATIONS = 24,
    /* the defaults of pen_protocol.folds, if the largest class has as many rows, and .runs */
    PEN_DEFAULT_FOLDS = 5,
    PEN_EVALUATE_RUNS = 3,
    PEN_TUNE_RUNS = 1,
    PEN_COMPARE_RUNS = 2
};

/* Multiply-adds that pen_compare may take, roughly, by the costs of the methods (pen_method_cost):
 * about a minute on one core. */
#define PEN_COMPARE_BUDGET 1e11

/* How trials are made. All zero gives the defaults. */
typedef struct pen_protocol {
    /* >= 2; 0: PEN_DEFAULT_FOLDS, or the number of labelled rows of the largest class, or of groups
     * with rows of one class, if that is less */
    int64_t folds;
    int64_t runs; /* repetitions with newly dealt folds, 1 .. PEN_MOST_RUNS; 0: the default */
    int plain;    /* 1: folds are not stratified by class */
    uint64_t seed;
    int inductive; /* 1: held-out rows are left out of the fit; 0: they stay as unlabelled rows */
    /* which of the other labelled rows keep their labels; all zero: all. Its `seed` is not used */
    pen_label_sample labels;
    /* learn from this sample of pairs; NULL: from data->sample. Its `seed` is not used */
    const pen_pair_sample *pairs;
    int shuffle;   /* 1: permute the labels at random first, to measure chance */
    double effort; /* pen_compare: the budget, in units of PEN_COMPARE_BUDGET; 0: 1 */
    /* pen_compare, pen_tune: 1: methods with the rbf kernel, too, besides those that are named, or
     * unless `kernel` is set */
    int kernels;
    /* pen_compare: names, as of the parameter `classifier`; NULL: nearest, lda, scores */
    const char *const *classifiers;
    int64_t classifier_count;
    /* NULL, or the folds instead of dealt ones [runs x rows], run after run: the number of the fold
     * in which a row is held out, or -1: in none of this run. Unlabelled rows may have any of the
     * numbers that labelled rows have, or -1. Each run has the same number of folds, its different
     * numbers in ascending order, one for a single test set; `folds` is 0 or that number, `runs` 0
     * is 1 */
    const int32_t *fold_of;
} pen_protocol;

enum { PEN_CALIBRATION_BINS = 10 };

/* Held-out rows whose predicted class has a probability in [i, i + 1) / PEN_CALIBRATION_BINS. */
typedef struct pen_calibration_bin {
    double predicted; /* mean of these probabilities; NaN without rows, as is the next */
    double right;     /* the fraction of rows that are of that class */
    int64_t rows;
} pen_calibration_bin;

/* The result of pen_evaluate. Scores are NaN for dimensions that the method does not give. Free
 * with pen_scores_free (NULL is fine). */
typedef struct pen_scores {
    const char *classifier; /* which tells the classes: of auto the one that it is, scores or lda */
    int64_t trials;     /* runs x folds, run after run */
    int64_t done;      /* the number of trials finished, from the first; scores of others are NaN */
    int64_t held_out;  /* the number of rows held out at least once in these */
    int64_t dim_count; /* the number of dimensions tried */
    int64_t *dims;     /* [dim_count] */
    double *accuracy;  /* [trials x dim_count] of the held-out rows */
    double *dropped;   /* likewise of the rows whose labels pen_protocol.labels dropped; or NULL */
    /* likewise of the probabilities: means of -ln p of the true class, each p at least 1e-4, and
     * of sum_c (p_c - [c is true])^2 */
    double *log_loss, *brier;
} pen_scores;

/* Evaluate one method in the first dims[0], dims[1], .. dimensions of its embedding; dims NULL: 1
 * to 9, or the value of the parameter `dim`. Held-out rows get the classes that pen_predict gives
 * them with a model that is fitted to the trial. A method with the trait PEN_UNNESTED is fitted
 * anew for each number of dimensions, others have a classifier for each; 0 stands for the number it
 * chooses by default. Trials run in parallel.
 * PEN_NO_LABELS: no row is labelled, or none is left to hold out; or no class has two labelled rows
 * and `folds` is 0.
 * PEN_BAD_ARGUMENT: the protocol; every class has fewer rows than there are folds; classifier none, or
 * scores of a method without them.
 * PEN_RANK_TOO_SMALL: no trial gives these dimensions.
 * PEN_CANCELLED: stopped before the first trial finished; if stopped later, the call succeeds and
 * `done` counts the finished trials.
 * Errors of pen_fit, naming the trial, with PEN_HINT_OTHER_METHOD.
 * Cost: a fit for each trial, or for each trial and number of dimensions (PEN_UNNESTED). */
pen_status pen_evaluate(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                        const int64_t *dims, int64_t dim_count, const pen_control *control,
                        pen_scores **out, pen_error *err);
void pen_scores_free(pen_scores *scores);

/* The same by several classifiers (names [count] as of the parameter `classifier`), which read the same
 * fits: out [count], each to be freed. PEN_UNKNOWN_NAME: no such classifier. Cost: that of one, and
 * reading. */
pen_status pen_evaluate_classifiers(const pen_spec *spec, const char *const *classifiers, int64_t count,
                                const pen_data *data, const pen_protocol *protocol,
                                const int64_t *dims, int64_t dim_count, const pen_control *control,
                                pen_scores **out, pen_error *err);

/* The number of folds that pen_protocol.folds 0 stands for with labels [n]: PEN_DEFAULT_FOLDS, or
 * the number of labelled rows of the largest class if that is less; with groups [n] (or NULL) of
 * groups with such rows. 0: labels is NULL, or there is no memory. */
int64_t pen_default_folds(const int32_t *labels, const int32_t *groups, int64_t n);

/* The standard error of an accuracy a measured on l rows, sqrt(max(a (1 - a), 1 / (4 l)) / l): few
 * rows that are all classified correctly do not make it certain. NaN unless rows > 0. */
double pen_standard_error(double accuracy, int64_t rows);

/* The mean and standard deviation over the finished trials of `values`, one of the [trials x
 * dim_count] members of `scores`, in dims[index]: NaN unless every such trial has a value; the
 * deviation of a single trial is NaN. `mean` and `deviation` may be NULL. */
void pen_scores_summary(const pen_scores *scores, const double *values, int64_t index, double *mean,
                        double *deviation);

/* The index in dims of the highest mean accuracy, the first of equal ones; -1: there is none. */
int64_t pen_scores_best(const pen_scores *scores);

/* The area under the curve of mean error over dimensions, divided by their range
 * (docs/evaluation.md); NaN for fewer than two numbers of dimensions. */
double pen_scores_error_area(const pen_scores *scores);

/* The error, 1 - accuracy, averaged over the numbers of dimensions of that curve (Sugiyama et al.
 * 2010, Tables 1 and 2): its mean over the finished trials, and its standard deviation over them.
 * NaN for fewer than two numbers of dimensions; the deviation also for a single trial. `mean` and
 * `deviation` may be NULL. */
void pen_scores_mean_error(const pen_scores *scores, double *mean, double *deviation);

/* One combination of parameter values, and its score. */
typedef struct pen_candidate {
    pen_spec *spec; /* with its `dim`: the fewest within one standard error of the best score */
    int64_t dim;    /* that number; where `spec` leaves it to the method, the least of the trials */
    const char *classifier; /* which tells the classes, as in pen_scores */
    double score;       /* accuracy over the held-out rows of all trials, in these dimensions */
    double deviation;   /* standard deviation over the trials; NaN for a single trial */
    int64_t order;      /* position in the grid */
    char failure[160];  /* why there is no score (which is NaN); or "" */
} pen_candidate;

/* The result of pen_tune. Free with pen_tuning_free (NULL is fine). */
typedef struct pen_tuning {
    int64_t planned;  /* the number of candidates in the grid */
    int64_t count;    /* the number of candidates tried */
    int64_t held_out; /* the number of rows held out in the trials */
    /* [count] best first; equal scores: fewer dimensions first, then the order of the grid */
    pen_candidate *candidates;
    int64_t room; /* private */
} pen_tuning;

/* Tune the parameters that have a grid (pen_param.grid) and are not set in `spec`, or values to try
 * (pen_spec_set_grid), and the number of dimensions up to `most_dims` (0: up to
 * PEN_MOST_TUNED_DIMS, and all there are), by trials on the labelled rows. The standard error of a
 * score is pen_standard_error of the labelled rows.
 * PEN_BAD_ARGUMENT: most_dims is not in [0, PEN_MOST_TUNED_DIMS]; more than PEN_MOST_COMBINATIONS;
 * or the protocol, as for pen_evaluate.
 * PEN_CANCELLED: stopped before the first candidate was finished.
 * Other errors as for pen_evaluate. */
pen_status pen_tune(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                    int64_t most_dims, const pen_control *control, pen_tuning **out,
                    pen_error *err);
void pen_tuning_free(pen_tuning *tuning);

/* A map and its classifier. */
typedef struct pen_chosen {
    char name[48];          /* the method, its kernel and its classifier: pca/lda, self+rbf/nearest */
    pen_spec *spec;         /* with the classifier and its temperature */
    double accuracy;        /* over the held-out rows of all trials; NaN: not tried, or failed */
    double score;           /* accuracy - 0.001 brier: what decides */
    double brier, log_loss; /* of the probabilities; log_loss: of the tempered ones */
    double temperature;
    int member;        /* 1: part of the average */
    char failure[160]; /* why there is no score, or "" */
} pen_chosen;

/* The result of pen_select. Free with pen_selection_free (NULL is fine). */
typedef struct pen_selection {
    int64_t rows, labelled, classes; /* of the sample, on which everything is learned */
    int64_t *sample;                 /* [rows] its rows of the data, ascending; NULL: all */
    int64_t folds, runs;             /* 0: no trials, as no class has three labels */
    int64_t count; /* 0: no labels alone; no projection is learned, and `spec` tells what is */
    pen_chosen *candidates; /* [count] */
    int64_t best;           /* the highest score, the first of equal ones */
    double margin;          /* standard error of that score: members are within it of the best */
    double mean_temperature; /* of the mean of the members' tempered probabilities */
    double temperature;      /* of the classifier of the projection that is learned from it */
    /* what to expect of that: the accuracy on rows that trials held out from all that is learned,
     * and an error, 1.645 times which to either side hold the truth in 90 of 100; NaN: no trials */
    double accuracy, error;
    double chance; /* the share of the largest class among the labels */
    /* how often labels that mean nothing are predicted as well by one of the candidates; NaN: no
     * trials. predicts: 0 if that is above 0.05, or 0.2 of few labels (docs/evaluation.md) */
    double p_value;
    int predicts;
    uint64_t seed;
    pen_spec *spec;   /* what is fitted without trials; NULL, with count 0: pen_compare decides */
    char reason[160]; /* why, in a few words, where there are no trials; or "" */
} pen_selection;

/* Choose what to fit where no method is named: to labels of two classes alone by trials of up to
 * eighteen pairs of map and classifier (docs/results.md#fit-auto), on a sample of at most 5000 rows
 * times effort (0: 1): labelled rows, and others drawn by what they contain. If no class has three
 * labels there are no trials, and the class scores of FME are the only member. To other data
 * without trials: wbdr to pairs of both kinds, ssdr to pairs of one kind, fme where pairs are
 * sampled of classes of one label each, and pca to rows alone, or labels of one class: the
 * components with 95 % of the variance, at most 50.
 * PEN_BAD_ARGUMENT: effort is not in [0, 1e6]. Errors of pen_fit if every candidate fails. */
pen_status pen_select(const pen_data *data, uint64_t seed, double effort,
                      const pen_control *control, pen_selection **out, pen_error *err);
void pen_selection_free(pen_selection *selection);

/* What pen_fit_selected is to give. Zeros: the defaults. */
typedef struct pen_wanted {
    int64_t dim;  /* dimensions of the projection, up to the rank of the rows; 0: chosen */
    int ensemble; /* 1: the model keeps the members, whose mean predicts */
    int rows;     /* 1: it has the probabilities of the rows of the data, pen_model_propagated */
    const char *classifier; /* NULL: neighbors; or another classifier: nearest, means, lda, logistic */
} pen_wanted;

/* Fit what was selected. Of labels alone: one linear projection, learned from what the mean of the
 * members says of all rows of the sample: first the directions of the classes, then what is left
 * within classes, as many as agree best with that mean on rows left out (docs/evaluation.md). Its
 * classifier, `neighbors`, are the rows of the sample, which vote with their probabilities; another
 * classifier learns from the labels and from the classes that the members give the other rows. The rows
 * of a sample have the probabilities of the members, others those that the model predicts.
 * PEN_NO_LABELS, PEN_ONE_CLASS, PEN_BAD_ARGUMENT: what is wanted needs labels alone, or there is
 * nothing selected, as pen_compare decides. PEN_RANK_TOO_SMALL: dim is above the rank. Errors of
 * pen_fit. Cost: a fit of each member to the sample; with `rows` a pass over all rows. */
pen_status pen_fit_selected(const pen_selection *selection, const pen_data *data,
                            const pen_wanted *wanted, const pen_control *control, pen_model **out,
                            pen_error *err);

/* Whether a method of a comparison was tried. */
typedef enum pen_tried {
    PEN_TRIED = 0,
    PEN_LEFT_OUT,   /* its trials cost more than its part of the budget */
    PEN_NOT_REACHED /* the call was stopped before its first trial */
} pen_tried;

/* A method and a classifier in a comparison. */
typedef struct pen_compared {
    const pen_method *method;
    char name[48]; /* method, its kernel if it has one, and classifier: self/lda, self+rbf/lda */
    const char *classifier;
    int baseline; /* 1: the standardized columns, columns/lda; `method` is pca, of all */
    /* tuned on all labelled rows, or the defaults if they score higher, with its `classifier`; NULL: it
     * failed. With more than 100 columns most methods get principal components first (`pca`) */
    pen_spec *spec;
    int64_t dim; /* of `spec`; where it leaves the number to the method, the least of the trials */
    double untuned; /* mean accuracy with default parameters; NaN: it failed with these */
    /* mean accuracy over the trials, tuned within each trial on the rows not held out; or
     * `untuned`, if that is higher */
    double score;
    double deviation;       /* standard deviation over the trials */
    double log_loss, brier; /* means over the trials, as in pen_scores */
    /* of a paired t-test against the best one, corrected for trials that share rows (Nadeau,
     * Bengio 2003); NaN for the best one itself */
    double p;
    /* mean fraction of unlabelled rows classified alike in two trials; NaN: there are no such rows
     * or only one trial */
    double stability;
    double seconds; /* taken by the trials of its method with default parameters */
    double cost;    /* of these, estimated in units of the budget */
    /* the number of combinations of parameter values, at most PEN_COMPARE_COMBINATIONS x effort */
    int64_t grid;
    int64_t combinations; /* how many of them were tried in each trial; 0: the defaults only */
    pen_tried tried;
    /* name of the best one with the same predictions for all held-out rows; NULL: this is it */
    const char *same_as;
    double *trials; /* [trials] accuracy in each trial */
    double *curve;  /* [dim_count] mean accuracy by dimension, default parameters; NaN: not given */
    char failure[160]; /* why it failed; or "" */
    int64_t order;     /* private */
} pen_compared;

/* The result of pen_compare. Free with pen_comparison_free (NULL is fine). */
typedef struct pen_comparison {
    int64_t trials, held_out; /* the number of trials, and of rows held out at least once */
    int64_t folds;            /* runs x folds trials are planned, fewer if the budget is small */
    int64_t inner_folds;      /* of the tuning within trials; 0: too few labels to tune */
    int64_t dim_count;
    int64_t *dims;            /* [dim_count] dimensions of the curves */
    int64_t count;            /* the number of candidates */
    int64_t tuned;            /* how many were tuned; the others use the defaults */
    pen_compared *candidates; /* [count] best first; of equal ones baselines, then the cheapest */
    double margin;            /* standard error of the best score, as for pen_tune */
    int64_t alike;            /* the first `alike` candidates score within `margin` of the best */
    int64_t chosen; /* the recommended one: the most stable of them; a baseline if all are */
    double chance;  /* accuracy of always predicting the largest class */
    double p_value; /* that labels have nothing to do with rows: see pen_selection */
    int predicts;   /* 0: these labels do not predict classes here */
    /* of the recommended one, over the held-out rows of all trials */
    int64_t class_count, *confusion;  /* [class_count x class_count] true by predicted class */
    int32_t *classes;                 /* [class_count] their labels, ascending */
    pen_calibration_bin *calibration; /* [PEN_CALIBRATION_BINS] */
} pen_comparison;

/* Compare methods (names [count], or NULL: all), each with pen_protocol.classifiers (scores: if its
 * models have them), or one: self/lda. A name such as self+rbf is a method with a kernel (other
 * than precomputed), whose kernel_gamma is tuned; with more than 100 coordinates most get principal
 * components (`pca`) of these first. Baselines come first: the standardized columns, with classifiers
 * lda and, where the budget allows, nearest and logistic. The default is two runs of trials. What
 * is tried follows from the costs of the methods and a budget (pen_protocol.effort), cheapest
 * first, so the result depends on data, seed and settings only. What costs too much is left out.
 * A call stopped by `control` returns what is finished: the trials that every method completed.
 * PEN_CANCELLED: nothing was finished. Other errors as for pen_evaluate. */
pen_status pen_compare(const char *const *names, int64_t count, const pen_data *data,
                       const pen_protocol *protocol, const pen_control *control,
                       pen_comparison **out, pen_error *err);
void pen_comparison_free(pen_comparison *comparison);

/* ---- which rows to label next --------------------------------------------------------------- */

/* A row whose label would help. */
typedef struct pen_suggestion {
    int64_t row;
    /* the two likeliest classes, as for pen_model_class_name, and their probabilities; -1 and NaN:
     * the model has no classes; second -1 and p_second 0: it has one */
    int32_t first, second;
    double p_first, p_second;
    /* what the label would tell of all that is uncertain, beyond the labels and the suggestions
     * before it: a fraction (docs/suggest.md) */
    double share;
} pen_suggestion;

/* Suggest rows of x to label: rows whose classes the model leaves open, typical of many such rows,
 * and apart in its embedding from labelled rows and from each other; if the model has no classes,
 * rows that cover the data. labels [x.rows] or NULL: rows with a label (not PEN_UNLABELLED) are
 * never suggested, nor is a row within a thousandth of the root mean square distance from the mean
 * of a labelled or a suggested one. out [most], best first: the first ones for any larger `most`
 * too; *count is less than `most` if no other rows are left. Of equally good rows the lower one;
 * the same bits for any number of threads.
 * PEN_BAD_ARGUMENT: most < 1; or the model has classes and does not predict them. Other errors: as
 * for pen_predict.
 * Cost: that of pen_predict, n log n, and for every 64 suggestions m (m + labels) dim with m = 2048
 * rows or fewer. Memory: 40 MB and x.rows (dim + 2 classes) doubles, roughly. */
pen_status pen_suggest(const pen_model *model, const pen_array *x, const int32_t *labels,
                       int64_t most, const pen_control *control, pen_suggestion *out,
                       int64_t *count, pen_error *err);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
