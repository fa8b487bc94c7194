/* files.h - rows, labels, pairs, folds and graphs, from and into files. Conventions: model.h. */
#ifndef PENUMBRA_FILES_H
#define PENUMBRA_FILES_H

#include <penumbra/model.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* what is declared here is visible in the shared library, and nothing else */
#pragma GCC visibility push(default)
#endif

/* ---- what may help -------------------------------------------------------------------------- */

/* Bits of pen_error.hints: what may help, for programs that phrase it in their own terms. The
 * message is complete without them. */
enum {
    /* pen_read: a cell is text; its column may hold labels (pen_read_options.label_column) */
    PEN_HINT_LABEL_COLUMN = 1,
    /* pen_read: without `select`, columns are taken in their order */
    PEN_HINT_BY_POSITION = 2,
    /* pen_read: the first line may be names or values (`header`) */
    PEN_HINT_HEADER = 4,
    /* pen_read: the other decimal sign (`decimal`) */
    PEN_HINT_DECIMAL = 8,
    /* pen_read: a value is missing (`missing`) */
    PEN_HINT_MISSING = 16,
    /* pen_read: lines that look like comments (`comment`) */
    PEN_HINT_COMMENT = 32,
    /* pen_read: two columns of one name (`drop`, `ignore_names`) */
    PEN_HINT_SAME_NAME = 64,
    /* pen_read_labels: rows that are named have no names */
    PEN_HINT_ROW_NAMES = 128,
    /* pen_read_pairs: the file looks like one of labels (pen_read_labels) */
    PEN_HINT_LABEL_FILE = 256,
    /* pen_read_pairs: three columns give the kind of each pair (PEN_ANY_LINK) */
    PEN_HINT_ANY_LINK = 512,
    /* pen_read_pairs: two columns do not (PEN_MUST_LINK or PEN_CANNOT_LINK) */
    PEN_HINT_ONE_LINK = 1024,
    /* pen_read: a cell among numbers looks like a missing value, as n.d. does (`na`) */
    PEN_HINT_NA = 2048
};

/* ---- rows and labels ------------------------------------------------------------------------ */

/* What means unlabelled, besides an empty text, where pen_read_options.unlabelled does not say: the
 * initializer of an array of texts. -1 does so in any notation. */
#define PEN_UNLABELLED_TEXTS                                                                       \
    "-1", "NA", "NaN", "nan", "N/A", "#N/A", "NULL", "None", "<NA>", ".", "?"

/* What becomes of missing values (pen_read_options.missing). */
typedef enum pen_missing {
    PEN_MISSING_ERROR = 0,
    PEN_MISSING_MEAN,
    PEN_MISSING_DROP,
    PEN_MISSING_KEEP
} pen_missing;

/* How to read a file. All zero gives the defaults. A column of a text is named by its name in the
 * header; or by #0, its place from 0 (negative: from the end); or by 0, where no column has that
 * name. PEN_BAD_FORMAT: two columns have the name. */
typedef struct pen_read_options {
    /* text: the column of the labels; or several, separated by commas, where no column has that
     * name: one for each class, of 1 in its rows, and of 0 or unlabelled in others. NULL: none */
    const char *label_column;
    /* text: the groups of rows, read as labels are; NULL: none */
    const char *group_column;
    /* text: the names of rows; NULL: a first one without a name, which is not read if this is
     * another */
    const char *name_column;
    /* [drop_count] columns that are not read; npy and libsvm have places only (index 1 of libsvm is
     * column 0) */
    const char *const *drop;
    int64_t drop_count;
    /* text: [carry_count] columns that are no values but carried along as text */
    const char *const *carry;
    int64_t carry_count;
    /* text with a header, npz with names: [select_count] names of the columns to read as values, in
     * this order; other columns are left out. 0: all columns */
    const char *const *select;
    int64_t select_count;
    /* [unlabelled_count] what means unlabelled, besides an empty text, in exactly these letters; a
     * number in any notation. NULL: PEN_UNLABELLED_TEXTS */
    const char *const *unlabelled;
    int64_t unlabelled_count;
    /* text, libsvm: [na_count] further texts among values that mean a missing one; a number does so
     * in any notation */
    const char *const *na;
    int64_t na_count;
    /* empty, NA, NaN, N/A, #N/A, NULL, None, . or ? in place of a value: fail, naming line and
     * column; replace it by the mean of the column, or 0; drop the row; keep NaN for a model */
    pen_missing missing;
    /* text: 1: the first line is a header; -1: it is not; 0: if it has a name that these options
     * give, a word above a number, or an empty first cell. PEN_BAD_FORMAT with PEN_HINT_HEADER if
     * it could be either: numbers that only rise or fall, as wavelengths, unlike the lines below */
    int header;
    /* text, npz: nonzero: values have no names, as without a header; 0: PEN_BAD_FORMAT if a value
     * has the name of another column, but for blanks around it, that is not dropped either */
    int ignore_names;
    /* text: a sign that is no letter, digit, quote, point, plus or minus, '\t', or ' ' (any run of
     * blanks, and then a quote that none closes in its line is a character); 0: ',' ';' '\t' or
     * ' ', detected from the first lines */
    char delimiter;
    /* text: '.' or ','; 0: detected from the first lines, see docs/text-files.md */
    char decimal;
    /* text: a sign, such as # and %, that begins a comment, outside of quotes, up to the end of the
     * line; lines of nothing else are skipped. 0: none */
    char comment;
    /* 1: files of 16 MiB or more are mapped and may be larger than memory. If one is truncated
     * meanwhile, SIGBUS is raised or the rest of a page reads as 0: the caller handles the signal
     * and compares sizes. 0: files are read into memory */
    int map;
    /* nonzero: a table may be without rows where its columns are known, as those of a text with a
     * header alone, and so may be a file of labels. 0: PEN_BAD_DATA */
    int allow_empty;
    /* libsvm: the least number of columns, without those dropped: trailing ones may be 0 */
    int64_t columns;
    /* pen_read_labels: numbers and names of these rows; or NULL */
    const struct pen_table *rows;
    /* pen_read_labels: labels of the same rows that are known already, by another file: a row has
     * the label of either. PEN_BAD_DATA: two that differ, naming row and both; or another number of
     * rows. NULL: none */
    const struct pen_table *labels;
    /* pen_read: the bytes [size] of the file, of which path is only the name; NULL: it is read */
    const void *bytes;
    size_t size;
    /* text, also of labels: the number of lines above the first that is read, such as a title */
    int64_t skip;
    /* text: 1: its lines are the columns, and its columns the rows; messages count lines and cells
     * of the text that results, and blocks and files of labels are refused. 0: as usual */
    int64_t transpose;
    /* pen_read, pen_blocks_open: NULL, or read rows for this model: the columns that it was fitted
     * on, by their names if it has them. What these options do not say is as in the file of the fit
     * (pen_data.reading): label, name, dropped and carried columns, by their names, or by their
     * places in a file of as many columns; comment, decimal, unlabelled; delimiter, skip and
     * transpose, unless the first line has the names or the width without them; and header, where
     * one cannot tell. Of na both count. Columns that are dropped by place are in left_out; so are
     * label, name and carried columns where the file is an array. `missing` must be ERROR, for what
     * the model does: fill, or drop rows; or KEEP: no row is dropped.
     * pen_read_labels: NULL, or what means unlabelled is that of this model */
    const pen_model *model;
    int64_t reserved[8]; /* zero: options to come */
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
    char **carried; /* [x.rows x carried_count] the cells of pen_read_options.carry, or NULL */
    char **carried_names; /* [carried_count] or NULL; column3 where there is no header */
    int64_t carried_count;
    char **left_out; /* [left_out_count] names of columns that were not selected, or NULL */
    int64_t left_out_count;
    char **marks; /* [mark_count] the texts, not empty, that meant unlabelled; or NULL */
    int64_t *mark_rows, mark_count; /* [mark_count] their numbers of rows */
    int short_header;   /* 1: the header has a cell less than the rows: the first are their names */
    int decimal_commas; /* 1: they were detected */
    int index_dropped;  /* 1: the first column has no name; it is not read, others are the names */
    double *fill;       /* [x.cols] with PEN_MISSING_MEAN; NaN: no row has a value; or NULL */
    char *reading;      /* how it was read, for pen_data.reading: a JSON object of the options */
    struct pen_table_owner *owner;
} pen_table;

/* Read rows, and labels where the file has them (a label column; the first field of libsvm lines).
 * path "-": standard input; FILE::NAME: an array in an npz archive (docs/formats.md). Files of gzip
 * are expanded. Sparse matrices become sparse rows; and so do libsvm lines of more than 2^20 cells
 * of which less than a quarter are listed. `options` may be NULL.
 * PEN_FILE_ERROR: the reason that the system gives; or the file became shorter meanwhile.
 * PEN_BAD_FORMAT: the message begins with file:line:column (text) or the file (npy), or says what
 * kind of file it is and what to do.
 * PEN_UNKNOWN_NAME: no such column; PEN_HINT_BY_POSITION if it was selected.
 * PEN_BAD_ARGUMENT: the options; or one column is named for two purposes.
 * PEN_BAD_DATA: no rows; no columns; or a largest libsvm index that would take more than 4 GiB and
 * more than a thousand times the size of the file, as dense rows or as one row of sparse ones.
 * PEN_NO_MEMORY: more is needed than the machine has or the limit of the process allows. */
pen_status pen_read(const char *path, const pen_read_options *options, pen_table **out,
                    pen_error *err);

/* Read a file of labels. npy (FILE::NAME: in an npz): one per row, integers or texts, or [rows x
 * classes] with one 1 in each row. Text: one per line, or a table of rows and their classes
 * (docs/cli.md#labels), whose labels are those of options->rows. x.cols is 0, x.rows is the
 * number of labels. Where options->rows has dropped rows, their labels are left out, and their
 * number is dropped_rows. In text, 1, +1 and 01 are three classes, named as they are written; 1,
 * 1.0 and 1.0e+00, as numeric types print a whole number, are one. In npy and libsvm equal numbers
 * are. With options->labels: of several files.
 * Errors as for pen_read. PEN_BAD_FORMAT: text with several columns that is no such table.
 * PEN_BAD_DATA: a line of it names no row, more than one, or that of another line. */
pen_status pen_read_labels(const char *path, const pen_read_options *options, pen_table **out,
                           pen_error *err);
void pen_table_free(pen_table *table);

/* The rows of a file, some at a time, in memory that does not grow with the file: npy arrays and
 * text. A block is the table that pen_read would make of these rows: how the file is read
 * (delimiter, decimal sign, header, columns) is decided as for the whole, but classes are those of
 * the block, and their names tell which. `options` is as for pen_read, and what it points to must
 * stay while it is used, as must its model.
 * PEN_BAD_ARGUMENT: missing mean, which needs all rows. PEN_BAD_FORMAT: compressed files, text of
 * UTF-16, other formats. PEN_FILE_ERROR: no regular file. Otherwise the errors
 * of pen_read. Free with pen_blocks_free (NULL is fine). */
typedef struct pen_blocks pen_blocks;
pen_status pen_blocks_open(const char *path, const pen_read_options *options, pen_blocks **out,
                           pen_error *err);

/* The next `rows` >= 1 rows of the file, or those that are left, as a table of its own, freed with
 * pen_table_free; with fewer rows, even none, where rows with missing values are dropped. NULL:
 * there are no more. PEN_FILE_ERROR: the size of the file has changed. Memory: the block twice. */
pen_status pen_blocks_next(pen_blocks *blocks, int64_t rows, pen_table **out, pen_error *err);
void pen_blocks_rewind(pen_blocks *blocks); /* the next block is the first one */

/* After the first block: the rows of the file where it tells their number, or -1. */
int64_t pen_blocks_rows(const pen_blocks *blocks);
void pen_blocks_free(pen_blocks *blocks);

/* ---- pairs and folds ------------------------------------------------------------------------ */

/* What is known about two rows: same class (must-link) or different classes (cannot-link). */
typedef enum pen_link { PEN_CANNOT_LINK = -1, PEN_ANY_LINK = 0, PEN_MUST_LINK = 1 } pen_link;

/* Pairs from a file. Free with pen_pairs_free (NULL is fine). */
typedef struct pen_pairs {
    int64_t *must_link; /* [must_link_count x 2], as in pen_data */
    int64_t must_link_count;
    int64_t *cannot_link; /* [cannot_link_count x 2] */
    int64_t cannot_link_count;
    double *must_link_weights;   /* [must_link_count], or NULL: the file has no weights */
    double *cannot_link_weights; /* [cannot_link_count], or NULL */
} pen_pairs;

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
pen_status pen_read_pairs(const char *path, pen_link link, int64_t rows, pen_pairs **out,
                          pen_error *err);
void pen_pairs_free(pen_pairs *pairs);

/* Write pairs as lines i,j,1 and i,j,-1, must-links first, with a fourth cell of weights if either
 * kind has weights; no header. A path ending in .tsv: separated by '\t'; .npy: [m x 3] of int64, or
 * [m x 4] of doubles; "-": standard output, as text. The file is written completely or not at all.
 * PEN_FILE_ERROR: with the reason reported by the system. */
pen_status pen_write_pairs(const char *path, const pen_pairs *pairs, pen_error *err);

/* Published splits: in which fold a row is held out. Free with pen_folds_free, also NULL. */
typedef struct pen_folds {
    int64_t rows, runs;
    int64_t folds;          /* the number of different folds in the first run */
    const int32_t *fold_of; /* [runs x rows] as pen_trials.fold_of */
} pen_folds;

/* Read folds for `rows` rows, text or npy: a line for each row, a column for each run; whole
 * numbers >= 0, or -1, empty or NaN for a row that the run never holds out. A first line of words
 * is a header. Blank lines are rows.
 * PEN_BAD_DATA: another number of rows. PEN_BAD_FORMAT: other values, or lines of different length;
 * messages begin with file:line:column (text) or give the row and the column (npy). */
pen_status pen_read_folds(const char *path, int64_t rows, pen_folds **out, pen_error *err);
void pen_folds_free(pen_folds *folds);

/* ---- writing rows --------------------------------------------------------------------------- */

/* Write rows in the format that the ending of the path says: .csv .tsv .txt .npy .npz .libsvm .svm
 * .svmlight (docs/formats.md); "-", a pipe or a device: CSV on it. z NULL: what pen_read read, with
 * row names, carried columns, labels and values. Otherwise coordinates [table->x.rows x k] of these
 * rows, with columns z1, z2, ..; row names and carried columns of `table` before them; table NULL:
 * there are none. Numbers are written in the shortest form that reads back to the same number of
 * their type, NaN in text as an empty cell. The file is written completely or not at all.
 * PEN_FILE_ERROR: with the reason reported by the system. PEN_UNKNOWN_NAME: another ending.
 * PEN_BAD_ARGUMENT: no columns; z has another number of rows; carried columns for .npy or .npz, or
 * labels for .npy. */
pen_status pen_write(const char *path, const pen_array *z, const pen_table *table, pen_error *err);

/* The classes of n rows, or of more that come in turn. */
typedef struct pen_class_rows {
    int64_t n, class_count, label_count; /* the last two: the numbers of the names below */
    const int32_t *classes, *labels;     /* [n] PEN_UNLABELLED: an empty cell; labels: or NULL */
    const double *probabilities;         /* [n x class_count] */
    const double *typical;               /* [n] or NULL: no column; NaN: an empty cell */
    const char *const *class_names, *const *label_names, *const *row_names; /* or NULL */
    int every; /* 1: the probabilities of all classes are written, too */
    /* NULL, or sets n and the members [n] of further rows, n = 0: none; PEN_OK, or it ends */
    pen_status (*next)(void *user, struct pen_class_rows *rows);
    void *user;
    int64_t reserved[8]; /* zero: options to come */
} pen_class_rows;

/* Write the classes of rows as text with a header: `name`, or without names `row`, from 0; `class`,
 * `probability`, `typical`, `label`, p_CLASS of every class. Six digits. Otherwise as pen_write.
 * PEN_UNKNOWN_NAME: a .npy file. PEN_BAD_ARGUMENT: a class is not in [-1, class_count - 1]. */
pen_status pen_write_classes(const char *path, const pen_class_rows *rows, pen_error *err);

/* ---- graphs --------------------------------------------------------------------------------- */

/* Sparse matrices in .npz files, as scipy.sparse.save_npz writes csr_matrix, compressed or not;
 * read also as it writes csc_matrix and coo_matrix, with the entries of a row by column.
 * PEN_BAD_FORMAT: two entries of one place.
 * Free what was read with pen_sparse_free (NULL is fine). Otherwise as pen_read and pen_write.
 * PEN_UNKNOWN_NAME: another extension. PEN_BAD_ARGUMENT: starts or columns out of range. */
pen_status pen_read_graph(const char *path, pen_sparse **out, pen_error *err);
void pen_sparse_free(pen_sparse *matrix);
pen_status pen_write_graph(const char *path, const pen_sparse *matrix, pen_error *err);

/* ---- prepared rows -------------------------------------------------------------------------- */

/* What prepared rows keep (pen_rows_new), as a file, without the rows themselves: later programs
 * start from it. It is a cache and no format to exchange: only the same version on such a
 * machine reads it, and what it says is trusted. It is written completely or not at all.
 * PEN_FILE_ERROR: with the reason reported by the system; PEN_NO_MEMORY. Memory: as the file. Cost:
 * writing it, and a pass over the rows. */
pen_status pen_rows_save(const pen_rows *rows, const char *path, pen_error *err);

/* Prepared rows x, as of pen_rows_new, with what such a file of them keeps: fits of them give the
 * same bits as those of others. PEN_BAD_DATA: the file is of other rows, of another version, or
 * damaged: a new one may take its place. PEN_BAD_FORMAT: it is no such file at all. Memory: the
 * file. Cost: reading it, and a pass over x. */
pen_status pen_rows_load(const char *path, const pen_array *x, const pen_control *control,
                         pen_rows **out, pen_error *err);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
