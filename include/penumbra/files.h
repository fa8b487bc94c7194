/* files.h - read and write rows, labels, pairs, folds and graphs. Conventions: model.h. */
#ifndef PENUMBRA_FILES_H
#define PENUMBRA_FILES_H

#include <penumbra/model.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* the shared library exports only these declarations */
#pragma GCC visibility push(default)
#endif

/* ---- hints ---------------------------------------------------------------------------------- */

/* Bits of pen_error.hints, for programs that phrase advice in their own terms. The message is
 * complete without them. */
enum {
    /* pen_read: a cell is text; its column may hold labels (pen_read_options.label_column) */
    PEN_HINT_LABEL_COLUMN = 1,
    /* pen_read: without `select`, columns are taken in file order */
    PEN_HINT_BY_POSITION = 2,
    /* pen_read: the first line may be names or values (`header`) */
    PEN_HINT_HEADER = 4,
    /* pen_read: try the other decimal sign (`decimal`) */
    PEN_HINT_DECIMAL = 8,
    /* pen_read: a value is missing (`missing`) */
    PEN_HINT_MISSING = 16,
    /* pen_read: some lines look like comments (`comment`) */
    PEN_HINT_COMMENT = 32,
    /* pen_read: two columns have the same name (`drop`, `ignore_names`) */
    PEN_HINT_SAME_NAME = 64,
    /* pen_read_labels: the file names rows, but the rows have no names */
    PEN_HINT_ROW_NAMES = 128,
    /* pen_read_pairs: the file looks like a file of labels (pen_read_labels) */
    PEN_HINT_LABEL_FILE = 256,
    /* pen_read_pairs: three columns give the kind of each pair (PEN_ANY_LINK) */
    PEN_HINT_ANY_LINK = 512,
    /* pen_read_pairs: two columns do not give it (PEN_MUST_LINK or PEN_CANNOT_LINK) */
    PEN_HINT_ONE_LINK = 1024,
    /* pen_read: a cell among numbers looks like a missing value, such as n.d. (`na`) */
    PEN_HINT_NA = 2048
};

/* ---- rows and labels ------------------------------------------------------------------------ */

/* The texts that mean unlabelled, besides an empty one, unless pen_read_options.unlabelled is set:
 * an initializer of an array. -1 may have any notation. */
#define PEN_UNLABELLED_TEXTS                                                                       \
    "-1", "NA", "NaN", "nan", "N/A", "#N/A", "NULL", "None", "<NA>", ".", "?"

/* The treatment of missing values (pen_read_options.missing). */
typedef enum pen_missing {
    PEN_MISSING_ERROR = 0,
    PEN_MISSING_MEAN,
    PEN_MISSING_DROP,
    PEN_MISSING_KEEP
} pen_missing;

/* How to read a file. All zero gives the defaults. A column of a text file is given by its name in
 * the header; by #0, its 0-based position (negative: from the end); or by 0, if no column has that
 * name. PEN_BAD_FORMAT: two columns have the name. */
typedef struct pen_read_options {
    /* text: the column of labels; or, if no column has that name, several columns separated by
     * commas, one for each class: 1 in the rows of the class, 0 or unlabelled elsewhere. NULL:
     * none */
    const char *label_column;
    /* text: the column of groups, read like labels; NULL: none */
    const char *group_column;
    /* text: the column of row names; NULL: the first column if it has no name. If another column is
     * given, a nameless first column is not read */
    const char *name_column;
    /* [drop_count] columns not to read; npy and libsvm have positions only (libsvm index 1 is
     * column 0) */
    const char *const *drop;
    int64_t drop_count;
    /* text: [carry_count] columns to carry along as text, not as values */
    const char *const *carry;
    int64_t carry_count;
    /* text with a header, npz with names: [select_count] names of the columns to read as values, in
     * this order, and no other ones. 0: all columns */
    const char *const *select;
    int64_t select_count;
    /* [unlabelled_count] texts that mean unlabelled, besides an empty one; letters must match
     * exactly, numbers may have any notation. NULL: PEN_UNLABELLED_TEXTS */
    const char *const *unlabelled;
    int64_t unlabelled_count;
    /* text, libsvm: [na_count] more texts that mean a missing value; a number in any notation */
    const char *const *na;
    int64_t na_count;
    /* if a value is empty, NA, NaN, N/A, #N/A, NULL, None, . or ?: fail, naming line and column;
     * replace it by the column's mean (0: it has no values); drop the row; keep NaN for a model */
    pen_missing missing;
    /* text: 1: the first line is a header; -1: it is not; 0: it is one if it has a name from these
     * options, a word above a number, or an empty first cell. PEN_BAD_FORMAT with PEN_HINT_HEADER
     * if it could be either: numbers that only rise or only fall, such as wavelengths, unlike the
     * lines below */
    int header;
    /* text, npz: nonzero: ignore the names of value columns; 0: PEN_BAD_FORMAT if a column of
     * values has the name of another column, blanks around it aside, and neither is dropped */
    int ignore_names;
    /* text: any sign except letters, digits, quotes, point, plus and minus; '\t'; or ' ' (any run
     * of blanks; then a quote that is not closed in its line is a plain character). 0: ',' ';' '\t'
     * or ' ', detected from the first lines */
    char delimiter;
    /* text: '.' or ','; 0: detected from the first lines, see docs/text-files.md */
    char decimal;
    /* text: a sign, such as # or %, that begins a comment outside quotes, up to the end of the
     * line; lines with only a comment are skipped. 0: none */
    char comment;
    /* 1: files of 16 MiB or more are mapped and may be larger than memory. If a mapped file is
     * truncated, SIGBUS is raised or the rest of a page reads as 0: the caller must handle the
     * signal and compare sizes. 0: files are read into memory */
    int map;
    /* nonzero: a table with known columns, such as a text with only a header, may have no rows, and
     * so may a file of labels. 0: PEN_BAD_DATA */
    int allow_empty;
    /* libsvm: the least number of columns, not counting dropped ones: trailing columns may be 0 */
    int64_t columns;
    /* pen_read_labels: the rows that the file labels, with their numbers and names; or NULL */
    const struct pen_table *rows;
    /* pen_read_labels: labels of the same rows from an earlier file: a row gets the label of either
     * file. PEN_BAD_DATA: two labels differ (the message names the row and both), or the numbers of
     * rows differ. NULL: none */
    const struct pen_table *labels;
    /* pen_read: the bytes [size] of the file, and path is only its name; NULL: the file is read */
    const void *bytes;
    size_t size;
    /* text, also of labels: the number of lines to skip at the start, such as a title */
    int64_t skip;
    /* text: 1: lines are columns, and columns are rows. Messages count lines and cells of the
     * transposed text. Blocks and files of labels are refused. 0: lines are rows */
    int64_t transpose;
    /* pen_read, pen_blocks_open: NULL, or the model to read rows for: its columns, by name if it
     * has names. Options not set here are as in the file of the fit (pen_data.reading): label,
     * name, dropped and carried columns, by name, or by position in a file with as many columns;
     * comment, decimal, unlabelled; delimiter, skip and transpose, unless the first line has the
     * names or the width without them; and header, where the file does not show it. The texts of
     * `na` here and there all count. left_out lists columns dropped by position and, if the file is
     * an array, the label, name and carried columns. `missing` must be ERROR, to let the model fill
     * values or drop rows, or KEEP: no row is dropped.
     * pen_read_labels: NULL, or the model whose texts mean unlabelled */
    const pen_model *model;
    int64_t reserved[8]; /* zero: options to come */
} pen_read_options;

/* The contents of a file, owned by the table. Free with pen_table_free (NULL is fine). */
typedef struct pen_table {
    /* f32 and u8 keep their type and use the bytes of the file directly if possible; text and all
     * other types become f64 */
    pen_array x;
    int32_t *labels; /* [x.rows] or NULL: index into class_names, or PEN_UNLABELLED */
    /* [class_count] or NULL: in numerical order if all are numbers, otherwise in byte order */
    char **class_names;
    int64_t class_count;
    int32_t *groups;         /* [x.rows] as in pen_data, or NULL: no group column was given */
    char *label_name;        /* text: the header of the label column; or NULL */
    char **column_names;     /* [x.cols] or NULL */
    char **row_names;        /* [x.rows + dropped_rows] in the order of row_numbers, or NULL */
    int64_t dropped_rows;    /* the number of rows that PEN_MISSING_DROP dropped */
    int64_t *row_numbers;    /* [same length] in the file or block, dropped last; NULL: 0, 1, .. */
    int64_t filled_cells;    /* the number of cells that PEN_MISSING_MEAN filled, or _KEEP kept */
    int mapped;              /* 1: x points into the mapped file until the table is freed */
    int64_t *column_numbers; /* [x.cols] 0-based columns of the file; NULL: 0, 1, 2, .. */
    char **carried; /* [x.rows x carried_count] the cells of pen_read_options.carry, or NULL */
    char **carried_names; /* [carried_count] or NULL; column3 without a header */
    int64_t carried_count;
    char **left_out; /* [left_out_count] names of columns not selected, or NULL */
    int64_t left_out_count;
    char **marks; /* [mark_count] the nonempty texts that meant unlabelled; or NULL */
    int64_t *mark_rows, mark_count; /* [mark_count] their numbers of rows */
    int short_header;   /* 1: the header has one cell less than the rows, which begin with names */
    int decimal_commas; /* 1: decimal commas were detected */
    int index_dropped;  /* 1: the nameless first column was not read; another has row names */
    double *fill;       /* [x.cols] with PEN_MISSING_MEAN; NaN: no row has a value; or NULL */
    char *reading;      /* the options used, as a JSON object, for pen_data.reading */
    struct pen_table_owner *owner;
} pen_table;

/* Read rows, and labels if the file has them (a label column; the first field of libsvm lines).
 * path "-": standard input; FILE::NAME: an array in an npz archive (docs/formats.md). Gzip files
 * are decompressed. Sparse matrices become sparse rows; so do libsvm files with more than 2^20
 * cells of which fewer than a quarter are listed. `options` may be NULL.
 * PEN_FILE_ERROR: the message gives the system's reason; or the file shrank while it was read.
 * PEN_BAD_FORMAT: the message begins with file:line:column (text) or the file (npy), or gives the
 * kind of file and advice.
 * PEN_UNKNOWN_NAME: no such column (PEN_HINT_BY_POSITION: it was in `select`).
 * PEN_BAD_ARGUMENT: the options; or one column serves two purposes.
 * PEN_BAD_DATA: no rows; no columns; or the largest libsvm index would take more than 4 GiB and
 * more than a thousand times the size of the file, in dense rows or in one sparse row.
 * PEN_NO_MEMORY: the file needs more than the memory of the machine or the limit of the process. */
pen_status pen_read(const char *path, const pen_read_options *options, pen_table **out,
                    pen_error *err);

/* Read a file of labels. npy (FILE::NAME: in an npz): one label per row, integers or texts, or
 * [rows x classes] with one 1 in each row. Text: one label per line, or a table of rows and their
 * classes (docs/cli.md#labels), which labels options->rows. x.cols is 0, x.rows is the number of
 * labels. Labels of rows dropped from options->rows are left out, and dropped_rows counts them. In
 * text, 1, +1 and 01 are three classes, named as written; 1, 1.0 and 1.0e+00, which are how numeric
 * types print a whole number, are one class. In npy and libsvm equal numbers are one class. With
 * options->labels the result joins several files.
 * Errors as for pen_read. PEN_BAD_FORMAT: a text with several columns that is not such a table.
 * PEN_BAD_DATA: a line of the table names no row, several rows, or the row of another line. */
pen_status pen_read_labels(const char *path, const pen_read_options *options, pen_table **out,
                           pen_error *err);
void pen_table_free(pen_table *table);

/* Read the rows of an npy array or a text in blocks, in memory that does not grow with the file. A
 * block is the table that pen_read would make of its rows. The format (delimiter, decimal sign,
 * header, columns) is decided for the whole file, but classes are those of the block: compare them
 * by name. `options` is as for pen_read; its pointers, including the model, must stay valid until
 * pen_blocks_free (NULL is fine).
 * PEN_BAD_ARGUMENT: missing mean, which needs all rows. PEN_BAD_FORMAT: compressed files, UTF-16
 * text, other formats. PEN_FILE_ERROR: not a regular file. Other errors: as for pen_read. */
typedef struct pen_blocks pen_blocks;
pen_status pen_blocks_open(const char *path, const pen_read_options *options, pen_blocks **out,
                           pen_error *err);

/* The next `rows` >= 1 rows of the file, or the remaining ones, as a table, freed with
 * pen_table_free. It has fewer rows, perhaps none, if rows with missing values are dropped. NULL:
 * no rows remain. PEN_FILE_ERROR: the size of the file has changed. Memory: twice the block. */
pen_status pen_blocks_next(pen_blocks *blocks, int64_t rows, pen_table **out, pen_error *err);
void pen_blocks_rewind(pen_blocks *blocks); /* the next block is the first one */

/* After the first block: the number of rows, if the file states it (npy); otherwise -1. */
int64_t pen_blocks_rows(const pen_blocks *blocks);
void pen_blocks_free(pen_blocks *blocks);

/* ---- pairs and folds ------------------------------------------------------------------------ */

/* A link: two rows have the same class (must-link) or different classes (cannot-link). */
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
 * ([m x 2], [m x 3] or [m x 4], integers or floats). Two columns are pairs of the kind `link`; a
 * third one has weights. If `link` is PEN_ANY_LINK, three columns are i, j and 1 (must-link) or -1
 * (cannot-link); a fourth one has weights. Weights are finite and >= 0. path "-": standard input.
 * rows: the number of rows that the pairs refer to; 0: row numbers are not checked. An empty text
 * file holds no pairs.
 * PEN_FILE_ERROR: the message gives the system's reason. PEN_BAD_FORMAT: not a file of pairs.
 * PEN_BAD_PAIR: a row number is not in [0, rows - 1], a row is paired with itself, or a weight is
 * negative, infinite or NaN.
 * Messages begin with file:line:column (text) or give the pair and the column (npy). */
pen_status pen_read_pairs(const char *path, pen_link link, int64_t rows, pen_pairs **out,
                          pen_error *err);
void pen_pairs_free(pen_pairs *pairs);

/* Write pairs as lines i,j,1 and i,j,-1, must-links first, with a fourth cell of weights if either
 * kind has weights; no header. A path ending in .tsv: separated by '\t'; .npy: [m x 3] of int64, or
 * [m x 4] of doubles; "-": standard output, as text. The file is written completely or not at all.
 * PEN_FILE_ERROR: the message gives the system's reason. */
pen_status pen_write_pairs(const char *path, const pen_pairs *pairs, pen_error *err);

/* Published splits: the fold that holds out each row. Free with pen_folds_free (NULL is fine). */
typedef struct pen_folds {
    int64_t rows, runs;
    int64_t folds;          /* the number of different folds in the first run */
    const int32_t *fold_of; /* [runs x rows] as pen_trials.fold_of */
} pen_folds;

/* Read folds for `rows` rows, text or npy: a line for each row, a column for each run. Cells are
 * whole numbers >= 0; -1, empty or NaN: the run never holds out this row. A first line of words is
 * a header. Blank lines are rows.
 * PEN_BAD_DATA: another number of rows. PEN_BAD_FORMAT: other values, or lines of different length;
 * messages begin with file:line:column (text) or give the row and the column (npy). */
pen_status pen_read_folds(const char *path, int64_t rows, pen_folds **out, pen_error *err);
void pen_folds_free(pen_folds *folds);

/* ---- writing rows --------------------------------------------------------------------------- */

/* Write rows in the format of the path's extension: .csv .tsv .txt .npy .npz .libsvm .svm .svmlight
 * (docs/formats.md); "-", a pipe or a device: CSV. z NULL: the contents of `table`, with row names,
 * carried columns, labels and values. Otherwise coordinates [table->x.rows x k] in columns z1, z2,
 * .., after the row names and carried columns of `table` (NULL: none). Numbers are written in the
 * shortest form that reads back to the same number of their type, NaN in text as an empty cell. The
 * file is written completely or not at all. PEN_FILE_ERROR: the message gives the system's reason.
 * PEN_UNKNOWN_NAME: an unknown extension. PEN_BAD_ARGUMENT: no columns; z and `table` differ in
 * rows; carried columns for .npy or .npz; labels for .npy. */
pen_status pen_write(const char *path, const pen_array *z, const pen_table *table, pen_error *err);

/* The classes of n rows, or of more rows in several parts. */
typedef struct pen_class_rows {
    int64_t n, class_count, label_count; /* the last two count the names below */
    const int32_t *classes, *labels;     /* [n] PEN_UNLABELLED: an empty cell; labels: or NULL */
    const double *probabilities;         /* [n x class_count] */
    const double *typical;               /* [n] or NULL: no column; NaN: an empty cell */
    const char *const *class_names, *const *label_names, *const *row_names; /* or NULL */
    int every; /* 1: also write the probabilities of all classes */
    /* NULL, or sets n and the arrays of the next rows (n = 0: the end); a failure ends the call */
    pen_status (*next)(void *user, struct pen_class_rows *rows);
    void *user;
    int64_t reserved[8]; /* zero: options to come */
} pen_class_rows;

/* Write the classes of rows as text with a header: `name`, or without names the 0-based `row`;
 * `class`, `probability`, `typical`, `label`, p_CLASS for every class. Numbers have six digits.
 * Otherwise like pen_write. PEN_UNKNOWN_NAME: a .npy file. PEN_BAD_ARGUMENT: a class is not in [-1,
 * class_count - 1]. */
pen_status pen_write_classes(const char *path, const pen_class_rows *rows, pen_error *err);

/* ---- graphs --------------------------------------------------------------------------------- */

/* Read and write sparse matrices in .npz files, as scipy.sparse.save_npz writes csr_matrix,
 * compressed or not. Reading also takes csc_matrix and coo_matrix, and sorts the entries of a row
 * by column. Free with pen_sparse_free (NULL is fine). Otherwise like pen_read and pen_write.
 * PEN_BAD_FORMAT: two entries at the same place. PEN_UNKNOWN_NAME: another extension.
 * PEN_BAD_ARGUMENT: starts or columns out of range. */
pen_status pen_read_graph(const char *path, pen_sparse **out, pen_error *err);
void pen_sparse_free(pen_sparse *matrix);
pen_status pen_write_graph(const char *path, const pen_sparse *matrix, pen_error *err);

/* ---- prepared rows -------------------------------------------------------------------------- */

/* Save the results that prepared rows keep (pen_rows_new), without the rows, for later programs.
 * The file is a cache and not an exchange format: only the same version on the same kind of machine
 * reads it, and its contents are trusted. It is written completely or not at all. PEN_FILE_ERROR:
 * the message gives the system's reason; PEN_NO_MEMORY. Memory: the size of the file. Cost: writing
 * it, and a pass over the rows. */
pen_status pen_rows_save(const pen_rows *rows, const char *path, pen_error *err);

/* Prepared rows x, as from pen_rows_new, with the results in such a file; fits give the same bits
 * as without it. PEN_BAD_DATA: the file belongs to other rows or another version, or is damaged; a
 * new file may replace it. PEN_BAD_FORMAT: it is not such a file at all. Memory: the size of the
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
