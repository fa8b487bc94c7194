/* io.h - what readers and writers of files share. Each format has its own source file and one
 * record in the list in read.c. */
#ifndef PEN_IO_H
#define PEN_IO_H

#include "core/file.h"
#include "core/rows.h"

/* ---- input ---- */

/* Borrowed characters, not NUL-terminated. */
typedef struct pen_text {
    const char *start;
    size_t length;
} pen_text;

/* A file in memory. */
typedef struct pen_input {
    const char *name; /* for messages */
    const unsigned char *data;
    size_t size;
    pen_bytes *owner;       /* of data, if a table may take ownership; NULL: the caller owns data */
    const char *member;     /* what follows :: in FILE::MEMBER; NULL: none */
    int64_t first_row;      /* the number of the first row of the data, for messages */
    const pen_text *header; /* [header_count] of an array: the names of its columns; NULL: none */
    int64_t header_count;
} pen_input;

typedef pen_status (*pen_reader)(pen_run *run, const pen_input *input,
                                 const pen_read_options *options, pen_table *table);

/* A block of the rows of a file (io/block.h). */
struct pen_block;
typedef pen_status (*pen_block_reader)(pen_run *run, const pen_input *input,
                                       const pen_read_options *options, struct pen_block *block,
                                       pen_table *table);

typedef struct pen_format {
    const char *name;
    const char *const *extensions;             /* with the dot, NULL-terminated */
    int (*recognizes)(const pen_input *input); /* by content */
    pen_reader read;
    pen_reader read_labels;      /* NULL: the format has no label lists */
    pen_block_reader read_block; /* NULL: its rows are read all at once */
    int has_columns;             /* 1: the options may name columns */
    int has_members;             /* 1: FILE::MEMBER names an array in it */
    int is_sure;                 /* 1: what it recognizes is of that kind, whatever the extension */
} pen_format;

extern const pen_format pen_format_text, pen_format_npy, pen_format_libsvm, pen_format_npz,
    pen_format_mtx;

/* pen_read and pen_read_labels from bytes in memory, borrowed for the duration of the call; `name`
 * is used in messages and for its extension. */
pen_status pen_read_bytes(const char *name, const void *data, size_t size,
                          const pen_read_options *options, pen_table **out, pen_error *err);
pen_status pen_read_labels_bytes(const char *name, const void *data, size_t size,
                                 const pen_read_options *options, pen_table **out, pen_error *err);

/* Likewise pen_read_graph. */
pen_status pen_read_graph_bytes(const char *name, const void *data, size_t size, pen_sparse **out,
                                pen_error *err);

/* Likewise pen_read_pairs. */
pen_status pen_read_pairs_bytes(const char *name, const void *data, size_t size, pen_link link,
                                int64_t rows, pen_pairs **out, pen_error *err);

/* Room for these numbers of pairs in one block of memory, weighted: with weights. */
pen_status pen_pairs_new(pen_run *run, int64_t must, int64_t cannot, int weighted, pen_pairs **out);

/* The bytes of a file, or of standard input for "-", with the name that messages use for it. They
 * are read or, with `map`, mapped if large (core/file.h); gzip is expanded (io/expand.h). Free with
 * pen_bytes_free. */
pen_status pen_input_read(pen_run *run, const char *path, int map, pen_bytes *bytes,
                          pen_input *out);

/* The format of the rows in `input`, after the checks of pen_read. */
pen_status pen_read_find_format(pen_run *run, const pen_input *input,
                                const pen_read_options *options, const pen_format **out);

/* FILE::MEMBER in its parts, in scratch memory; member NULL: `path` is a file. */
pen_status pen_path_split(pen_run *run, const char *path, const char **file, const char **member);

/* PEN_BAD_FORMAT if the content is of a kind that is not supported, such as zstd or HDF5: the
 * message names the kind and has the line to type. label_column: the one the caller names, which
 * that line keeps; or NULL. */
pen_status pen_refuse_kind(pen_run *run, const pen_input *input, const char *label_column);

/* Likewise if it is a folder of Cell Ranger. */
pen_status pen_refuse_folder(pen_run *run, const char *path);

/* PEN_BAD_FORMAT if the text, whose first line is number `line`, is not UTF-8: the message has the
 * line to type. */
pen_status pen_check_letters(pen_run *run, const pen_input *input, int64_t line);

/* Are the first bytes [length] of two texts equal, ignoring case? */
int pen_is_alike(const char *a, const char *b, size_t length);

/* Does the path end in this extension, ignoring case? */
int pen_has_extension(const char *path, const char *extension);

/* ---- texts and values ---- */

pen_text pen_text_of(const char *string);
int pen_text_equal(pen_text a, pen_text b);
int pen_text_order(pen_text a, pen_text b);       /* by bytes: < 0, 0 or > 0 */
int pen_is_word(pen_text text, const char *word); /* equal, ignoring case */
pen_text pen_trim(pen_text text);                 /* without leading and trailing blanks and tabs */

/* Is the text a whole number of at most 18 digits, without a sign? */
int pen_is_count(pen_text text, int64_t *out);

/* Empty, ?, ., NA, NaN, N/A, #N/A, #NA, <NA> or NULL, ignoring case. */
int pen_is_missing(pen_text text);

/* A text as quoted in messages: on one line, truncated if long. */
enum { PEN_QUOTE_SIZE = 48 };
const char *pen_quote(pen_text text, char quoted[PEN_QUOTE_SIZE]);

/* The name of a file [size] in a message that needs room: the end of a long one, after dots. */
void pen_short_name(const char *name, char *shown, size_t size);

/* A word of a line for a shell, in quotes where it needs them. Returns 0 if it does not fit, is
 * empty or like an option, or has a character that messages do not show. */
int pen_shell_word(pen_text word, char *quoted, size_t size);

/* Adds a quoted text to a list [size] for a message, after a comma unless it is the first; "..."
 * ends a list in which it does not fit. */
void pen_list_add(char *list, size_t size, pen_text text);

/* Is the text a number with this decimal sign, '.' or ','? With ',' a point is no part of it. */
int pen_is_number(pen_text text, char decimal, double *value);

/* Is it a number with a decimal comma, as spreadsheets write in some languages? */
int pen_has_decimal_comma(pen_text cell);

/* Has a number separators between groups of three digits: 1.234,5? PERHAPS: 1,234 may also have
 * three decimals. */
enum pen_groups { PEN_GROUPS_NONE, PEN_GROUPS_PERHAPS, PEN_GROUPS_SURE };
enum pen_groups pen_groups_of(pen_text text);

/* Also a number that is refused for its decimal comma or thousands separators. */
int pen_is_meant_as_number(pen_text text);

/* TRUE and yes, which are 1, or FALSE and no, which are 0, in any case. */
int pen_is_logical(pen_text text, double *value);

/* How cells are read as values. */
typedef struct pen_value_rules {
    char decimal; /* '.' or ',' */
    pen_missing missing;
    const char *const *na; /* [na_count] pen_read_options.na */
    int64_t na_count;
    const double *na_numbers; /* [na_number_count] those that are numbers */
    int64_t na_number_count;
    int mixed; /* there are numbers of the other decimal sign, too */
} pen_value_rules;

/* Scratch memory. */
pen_status pen_value_rules_open(pen_run *run, const pen_read_options *options, char decimal,
                                pen_value_rules *out);

/* pen_is_missing, or None, or one of those the caller names. */
int pen_is_missing_value(const pen_value_rules *rules, pen_text text);

/* NUMBER: also TRUE and yes, FALSE and no, which are 1 and 0. REFUSED: a number that is not finite,
 * or written in another way. */
enum pen_meaning { PEN_MEANS_NUMBER, PEN_MEANS_MISSING, PEN_MEANS_REFUSED, PEN_MEANS_WORD };

/* What a cell means; *value is the number, NaN if it is missing, or undefined. */
enum pen_meaning pen_meaning_of(const pen_value_rules *rules, pen_text cell, double *value);

/* The value of a cell: a finite number, or NaN for a missing value unless that is an error. The
 * message begins with file:line:column, both counted from 1. */
pen_status pen_value(pen_run *run, const char *name, int64_t line, int64_t column, pen_text cell,
                     const pen_value_rules *rules, double *value);

/* The error of pen_value, whose message ends with `more`; PEN_HINT_MISSING is one of the hints of a
 * missing value only. */
pen_status pen_value_refuse(pen_run *run, const char *name, int64_t line, int64_t column,
                            pen_text cell, const pen_value_rules *rules, const char *more,
                            int hints);

/* Is the text a whole number below 2^53 in magnitude? If so, *index is its value. */
int pen_is_index(pen_text text, int64_t *index);

/* The result of reading a whole number: not a number or not whole; *value; or too large to be
 * exact, which is more than 64 bits, or 53 bits for a float. */
enum pen_whole { PEN_NOT_WHOLE, PEN_WHOLE, PEN_TOO_LARGE };

/* Of a double; of a text, in which digits with an optional sign are exact, and any other number is
 * one of these. */
enum pen_whole pen_whole_of(double number, int64_t *value);
enum pen_whole pen_whole_of_text(pen_text text, int64_t *value);

/* ---- cells of a text ---- */

/* Signs that may be between cells, and those that may begin a comment. */
#define PEN_DELIMITERS    ",;\t !#$%&()*/:<=>?@[\\]^_`{|}~"
#define PEN_COMMENT_SIGNS "!#$%&*/:<=>?@\\^_`{|}~"

/* A position in the text. */
typedef struct pen_cursor {
    const char *p, *end;
    int64_t line;   /* 1 .. */
    int64_t column; /* of the next cell, 1 .. */
    char delimiter; /* '\n': none, each line is one cell */
    char comment;   /* begins a comment, up to the end of the line; '\n': there are none */
} pen_cursor;

typedef struct pen_cell {
    pen_text text;
    int quoted;
    int escaped; /* it was quoted and contains "" for each quote */
} pen_cell;

/* What follows a cell: another cell, the end of the line, or an error in its quotes. */
enum pen_follows { PEN_CELL, PEN_LINE, PEN_MALFORMED };

/* The start of a text, after any byte order mark and the lines that the options (may be NULL) skip.
 * The caller sets the delimiter. */
pen_cursor pen_text_open(const pen_input *input, const pen_read_options *options);

/* The delimiter that fits the first lines best, and the decimal sign, '.' or ','. */
char pen_find_delimiter(pen_cursor at);
char pen_find_decimal(pen_cursor at);

/* The lines from the cursor on as columns, in scratch memory. Lines must have as many cells as the
 * second one, but for the first, in which the name of the first column may lack. */
pen_status pen_text_transpose(pen_run *run, const pen_cursor *at, const char *name, char delimiter,
                              pen_input *out);

/* Go to the next line that is not blank. Returns 0 at the end of the text. */
int pen_next_line(pen_cursor *at);

/* The next cell of the line. PEN_MALFORMED: `at` has the line and column of the cell; at->p is at
 * the end of the text if the closing quote is missing, otherwise after the closing quote. */
enum pen_follows pen_next_cell(pen_cursor *at, pen_cell *cell);

/* The fast path: a number with a decimal point, followed by a delimiter or the end of the line.
 * PEN_MALFORMED: the cell is anything else, and the cursor does not move. */
enum pen_follows pen_next_number(pen_cursor *at, double *value);

/* The cells of the line at the cursor, which moves to the next line; 0 if it is malformed. */
int64_t pen_count_cells(pen_cursor *at);

/* The cells of the next lines, up to `most` of them, of which the last begins in these bytes. */
typedef struct pen_sample {
    pen_cursor at, line; /* after the cell; at the first cell of its line */
    const char *begin;
    enum pen_follows then; /* the cell; PEN_MALFORMED: it is not given, and nothing follows */
    int64_t most, bytes;
    int64_t lines, column; /* the number of lines so far; the place of the cell in its line, 0 .. */
} pen_sample;

enum { PEN_SAMPLE_LINES = 8, PEN_SAMPLE_BYTES = 1 << 16 };
pen_sample pen_sample_of(pen_cursor at, int64_t most, int64_t bytes);

/* The next of them; 0: there is none. */
int pen_sample_next(pen_sample *sample, pen_cell *cell);

/* The error for PEN_MALFORMED at the cursor. */
pen_status pen_malformed(pen_run *run, const char *name, const pen_cursor *at);

/* An upper bound of the number of rows from the cursor on. */
int64_t pen_most_rows(const pen_cursor *at, int64_t columns);

/* ---- NumPy arrays ---- */

typedef struct pen_npy {
    char kind;      /* f i u b; S U: texts, of bytes or of characters of four bytes */
    size_t size;    /* bytes per value */
    int high_first; /* big-endian */
    int fortran;
    int64_t dims; /* 0 (one value), 1 or 2 */
    int64_t rows, cols;
    const unsigned char *values;
    size_t bytes; /* from values to the end of the file */
} pen_npy;

int pen_npy_is(const pen_input *input); /* by its first bytes */

/* Parse the header: of an array of one or two dimensions of numbers; or of any. The shape is only
 * claimed by the header; pen_npy_fits checks that the file holds exactly that many values. */
pen_status pen_npy_open(pen_run *run, const pen_input *input, pen_npy *npy);
pen_status pen_npy_open_any(pen_run *run, const pen_input *input, pen_npy *npy);
pen_status pen_npy_fits(pen_run *run, const pen_input *input, const pen_npy *npy);

/* Its texts, or those of its numbers, in scratch memory; `what` they are is for messages: label.
 * PEN_BAD_FORMAT: not valid text. */
pen_status pen_npy_texts(pen_run *run, const pen_input *input, const pen_npy *npy, const char *what,
                         pen_text **out);

/* The reader of labels: whole numbers; texts; or 0 and 1 in a column for each class. */
pen_status pen_npy_read_labels(pen_run *run, const pen_input *input,
                               const pen_read_options *options, pen_table *table);

/* Value `index`, in file order, as a whole number, and as text [PEN_NUMBER_SIZE]. */
enum pen_whole pen_npy_whole(const pen_npy *npy, size_t index, int64_t *value);
void pen_npy_text(const pen_npy *npy, size_t index, char *text);
double pen_npy_value(const pen_npy *npy, size_t index);

/* The type that its values have in a table. */
pen_dtype pen_npy_dtype(const pen_npy *npy);

/* ---- tables ---- */

/* An empty table; pen_table_free frees it with all memory kept for it. */
pen_status pen_table_new(pen_run *run, pen_table **out);

/* Zeroed memory that lives as long as the table, `count` elements of `size` bytes. NULL if out of
 * memory (the error is recorded in the run). */
void *pen_table_keep(pen_run *run, pen_table *table, int64_t count, size_t size);

/* The same for rows x cols values of that type. The error names the input and the memory limit: a
 * request beyond it is refused even if the system would overcommit. */
void *pen_table_rows(pen_run *run, const pen_input *input, pen_table *table, int64_t rows,
                     int64_t cols, pen_dtype dtype);

/* PEN_BAD_DATA: a shape without columns, or, unless the options allow it, without rows; or another
 * number of columns than there are names. */
pen_status pen_check_shape(pen_run *run, const pen_input *input, const pen_read_options *options,
                           int64_t rows, int64_t cols);

/* Give the table ownership of the bytes of a file. */
void pen_table_keep_bytes(pen_table *table, pen_bytes *bytes);

/* NUL-terminated copies of texts [count] that live as long as the table. */
pen_status pen_table_keep_texts(pen_run *run, pen_table *table, const pen_text *texts,
                                int64_t count, char ***out);

/* Counts NaN values. PEN_BAD_FORMAT: infinite values, and NaN unless the options allow it; the
 * message has the number of the column in the file, where the table knows it. */
pen_status pen_table_holes(pen_run *run, const pen_input *input, const pen_read_options *options,
                           const pen_table *table, int64_t *holes);

/* Texts of rows, [rows x each]; NULL: there are none. */
typedef struct pen_row_texts {
    pen_text *texts;
    int64_t each;
} pen_row_texts;

/* Treats the missing values of a table as the options say: dense with stride = cols, or sparse, and
 * then zeros that are not stored count for means. The table owns its values if any is missing.
 * texts: NULL, or lists that take the order of table->row_numbers, up to one with each = 0. Of a
 * block all rows may be dropped. */
pen_status pen_table_treat(pen_run *run, const pen_input *input, const pen_read_options *options,
                           int is_block, pen_table *table, const pen_row_texts *texts);

/* How labels are compared. TEXT: as text, except that whole numbers as numeric types print them, 1
 * and 1.0, are one class; 1, +1 and 01 are three. NUMBERS: equal numbers are one class, named by
 * the shortest text of the number; other texts as in TEXT. */
enum pen_labels { PEN_LABELS_TEXT, PEN_LABELS_NUMBERS };

/* Set table->labels [count], class_names and class_count from the label texts [count], and its
 * marks, of a file of labels with those of options->labels. Classes are sorted by name, numerically
 * if all are numbers, otherwise by bytes, so codes do not depend on the order of the rows. Of the
 * options, `unlabelled` counts, and for a file of labels `rows`: labels of rows that it dropped are
 * left out, and classes without another row. */
pen_status pen_table_label(pen_run *run, pen_table *table, const pen_text *texts, int64_t count,
                           const pen_read_options *options, enum pen_labels kind);

/* Does the text mean unlabelled where the options name no others? */
int pen_is_mark(pen_text text);

/* ids [count]: the number of each text among the different ones, by their first occurrence. Their
 * number in *distinct, unless NULL. */
pen_status pen_number_texts(pen_run *run, const pen_text *texts, int64_t count, int32_t *ids,
                            int64_t *distinct);

/* ---- numbers in bytes ---- */

/* The whole number in bytes [size], of which the first is the highest, or else the lowest. */
static inline uint64_t pen_number_at(const unsigned char *bytes, size_t size, int high_first)
{
    uint64_t number = 0;

    for (size_t i = 0; i < size; i++)
        number = number << 8 | bytes[high_first ? i : size - 1 - i];
    return number;
}

/* Is this machine little-endian? */
static inline int pen_low_byte_first(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one == 1;
}

/* ---- output ---- */

/* Receives the bytes written. */
typedef pen_status (*pen_put)(void *context, const void *bytes, size_t size);

/* A pen_put whose context is a pen_output. */
pen_status pen_put_output(void *context, const void *bytes, size_t size);

/* Commit the output if the status is PEN_OK, otherwise discard it. */
pen_status pen_output_close(pen_output *output, pen_status status);

/* Columns side by side, of one of these; or empty. */
typedef struct pen_band {
    int64_t count;            /* of columns */
    const char *const *names; /* [count] in the header; NULL: empty cells */
    const char *const *texts; /* [rows x count], quoted where they would read back differently */
    const pen_array *values;  /* [rows x count] */
    /* [rows] of words [word_count], count 1, other codes are empty cells; or with values: which of
     * them is the only column; rows of a code below 0 are empty cells */
    const int32_t *codes;
    const char *const *words;
    int64_t word_count;
    int is_rounded; /* 1: values have six digits */
    int numbered;   /* 1: the numbers of the rows from `first` */
    int64_t first;
} pen_band;

/* What a file of columns holds. The values of the last band alone are written as npy. */
enum { PEN_BANDS = 6 };
typedef struct pen_sheet {
    int64_t rows;
    int has_header, is_whole;  /* is_whole: values for npy, which are doubles, become int64 */
    pen_band bands[PEN_BANDS]; /* at least one column in all */
} pen_sheet;

/* The delimiter of a text file of that name. */
char pen_delimiter_of(const char *path);

pen_status pen_write_text(pen_run *run, const pen_sheet *sheet, char delimiter, pen_put put,
                          void *context);

/* As text or npy, as the extension says. */
pen_status pen_write_sheet(pen_run *run, const char *path, const pen_sheet *sheet);

/* The names prefixN, N = first, first + 1, .., in scratch memory. */
pen_status pen_number_names(pen_run *run, const char *prefix, int64_t first, int64_t count,
                            const char *const **out);

/* Dense or sparse rows as an array of their type. */
pen_status pen_write_npy(const pen_array *z, pen_put put, void *context);

/* The header of an array [rows x cols] (cols 0: [rows]; rows -1: of one value, without dimensions)
 * of that kind (f, i, u, S) and bytes per value, in the byte order of this machine. */
pen_status pen_write_npy_header(char kind, size_t size, int64_t rows, int64_t cols, pen_put put,
                                void *context);

/* The same, with its items. */
pen_status pen_write_npy_items(char kind, size_t size, int64_t rows, int64_t cols,
                               const void *items, pen_put put, void *context);

#endif
