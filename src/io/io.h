/* io.h - what the readers and writers of files share. A format is one file and one record in the
 * list of read.c. */
#ifndef PEN_IO_H
#define PEN_IO_H

#include "core/file.h"
#include "core/run.h"

/* ---- what is read ---- */

/* A file in memory. */
typedef struct pen_input {
    const char *name; /* as messages call it */
    const unsigned char *data;
    size_t size;
    pen_bytes *owner; /* of data, when a table may take it over; NULL: data is the caller's */
} pen_input;

typedef pen_status (*pen_reader)(pen_run *run, const pen_input *input,
                                 const pen_read_options *options, pen_table *table);

typedef struct pen_format {
    const char *name;
    const char *const *extensions;             /* with the dot, NULL at the end */
    int (*recognizes)(const pen_input *input); /* by its content */
    pen_reader read;
    pen_reader read_labels; /* NULL: no lists of labels in this format */
    int has_columns;        /* with names: the options may name some */
} pen_format;

extern const pen_format pen_format_text, pen_format_npy, pen_format_libsvm;

/* pen_read and pen_read_labels from bytes in memory, which are borrowed for the call; `name` is
 * what messages and extensions go by. */
pen_status pen_read_bytes(const char *name, const void *data, size_t size,
                          const pen_read_options *options, pen_table **out, pen_error *err);
pen_status pen_read_labels_bytes(const char *name, const void *data, size_t size,
                                 const pen_read_options *options, pen_table **out, pen_error *err);

/* pen_read_pairs likewise. */
pen_status pen_read_pairs_bytes(const char *name, const void *data, size_t size, pen_link link,
                                int64_t rows, pen_pair_table **out, pen_error *err);

/* The bytes of a file, or of standard input for "-", under the name that messages have for it, read
 * or, if large, mapped (core/file.h). They are freed by pen_bytes_free. */
pen_status pen_input_read(pen_run *run, const char *path, int map, pen_bytes *bytes,
                          pen_input *out);

/* PEN_BAD_FORMAT if the content is of a kind that is not read here, as gzip or HDF5: the message
 * says which kind, and what to do. */
pen_status pen_refuse_kind(pen_run *run, const pen_input *input);

/* Does the path end in this extension, in any case of letters? */
int pen_has_extension(const char *path, const char *extension);

/* ---- texts and values ---- */

/* Characters somebody else owns, without a final NUL. */
typedef struct pen_text {
    const char *start;
    size_t length;
} pen_text;

pen_text pen_text_of(const char *string);
int pen_text_equal(pen_text a, pen_text b);
pen_text pen_trim(pen_text text); /* without blanks and tabs at its ends */

/* Empty, NA, NaN or ?, in any case of letters. */
int pen_is_missing(pen_text text);

/* A text as messages quote it: cut if it is long, on one line. */
enum { PEN_QUOTE_SIZE = 48 };
const char *pen_quote(pen_text text, char quoted[PEN_QUOTE_SIZE]);

/* The value of a cell: a finite number; or NaN for a missing one unless `missing` makes that an
 * error. The message begins with file:line:column; both count from 1. */
pen_status pen_value(pen_run *run, const char *name, int64_t line, int64_t column, pen_text cell,
                     pen_missing missing, double *value);

/* Is the text the whole number *index? */
int pen_is_index(pen_text text, int64_t *index);

/* A number that has to be whole: it is none or not whole; or it is *value; or it is beyond what can
 * be told exactly: 64 bits, 53 in a float. */
enum pen_whole { PEN_NOT_WHOLE, PEN_WHOLE, PEN_TOO_LARGE };

/* A double as such. */
enum pen_whole pen_whole_of(double number, int64_t *value);

/* ---- cells of a text ---- */

/* A place in the text. */
typedef struct pen_cursor {
    const char *p, *end;
    int64_t line;   /* 1 .. */
    int64_t column; /* of the next cell, 1 .. */
    char delimiter; /* '\n': none, a line is a cell */
} pen_cursor;

typedef struct pen_cell {
    pen_text text;
    int escaped; /* it was in quotes and holds "" for each quote */
} pen_cell;

/* What comes behind a cell: one more, a line end, or an error in its quotes. */
enum pen_follows { PEN_CELL, PEN_LINE, PEN_MALFORMED };

/* The start of a text, behind its byte order mark. The delimiter is yet to be set. */
pen_cursor pen_text_open(const pen_input *input);

/* The delimiter that suits the first lines best. */
char pen_find_delimiter(pen_cursor at);

/* To the next line that holds something. Returns 0 at the end. */
int pen_next_line(pen_cursor *at);

/* The next cell of the line. PEN_MALFORMED: line and column are those of the cell, and the text
 * ends where a quote is missing or goes on where a quote was closed. */
enum pen_follows pen_next_cell(pen_cursor *at, pen_cell *cell);

/* The error of the cell at the cursor. */
pen_status pen_malformed(pen_run *run, const char *name, const pen_cursor *at);

/* No more rows than this are behind the cursor. */
int64_t pen_most_rows(const pen_cursor *at, int64_t columns);

/* ---- arrays of numpy ---- */

typedef struct pen_npy {
    char kind;      /* f i u b */
    size_t size;    /* bytes of a value */
    int high_first; /* the high byte of a value comes first */
    int fortran;
    int64_t dims; /* 1 or 2 */
    int64_t rows, cols;
    const unsigned char *values;
    size_t bytes; /* how many the file has for the values */
} pen_npy;

/* The header. The shape is what it claims; pen_npy_fits checks that the values are there, all of
 * them and no more. */
pen_status pen_npy_open(pen_run *run, const pen_input *input, pen_npy *npy);
pen_status pen_npy_fits(pen_run *run, const pen_input *input, const pen_npy *npy);

/* Value `index` in the order of the file as a whole number, and as text of PEN_NUMBER_SIZE. */
enum pen_whole pen_npy_whole(const pen_npy *npy, size_t index, int64_t *value);
void pen_npy_text(const pen_npy *npy, size_t index, char *text);

/* ---- tables ---- */

/* An empty table; pen_table_free frees it with all that was kept for it. */
pen_status pen_table_new(pen_run *run, pen_table **out);

/* Cleared memory that lives as long as the table, `count` elements of `size` bytes. NULL when there
 * is none (the error is noted). */
void *pen_table_keep(pen_run *run, pen_table *table, int64_t count, size_t size);

/* Such memory for rows x cols values of that type. The error names the input, and what there is of
 * memory: more is refused even where the system would promise it. */
void *pen_table_rows(pen_run *run, const pen_input *input, pen_table *table, int64_t rows,
                     int64_t cols, pen_dtype dtype);

/* Let the table own the bytes of a file. */
void pen_table_keep_bytes(pen_table *table, pen_bytes *bytes);

/* Copies of texts [count], with a final NUL each, that live as long as the table. */
pen_status pen_table_keep_texts(pen_run *run, pen_table *table, const pen_text *texts,
                                int64_t count, char ***out);

/* Put the column's mean in the place of each NaN of table->x, which is the table's own f64 or f32
 * without gaps. */
pen_status pen_table_fill(pen_run *run, const pen_input *input, pen_table *table);

/* What labels are. Texts are what they are: 1, 1.0 and 01 are three classes. Numbers are one class
 * if they are equal, under the shortest text of the number; texts among them are as above. So are
 * those of libsvm, but a -1 there is a class where 1 is the only other one. */
enum pen_labels { PEN_LABELS_TEXT, PEN_LABELS_NUMBERS, PEN_LABELS_LIBSVM };

/* table->labels [count], class_names and class_count from the texts of labels [count]. Codes follow
 * the order of the names, of numbers if all are, else of bytes, so the order of the rows does not
 * matter. */
pen_status pen_table_label(pen_run *run, pen_table *table, const pen_text *texts, int64_t count,
                           const char *unlabelled, enum pen_labels kind);

/* A text of labels has one a line: PEN_BAD_FORMAT if its lines are rows of cells, or of libsvm.
 * `at` is the start of the text. */
pen_status pen_check_label_lines(pen_run *run, const pen_input *input, pen_cursor at);

/* ---- what is written ---- */

/* Where written bytes go. */
typedef pen_status (*pen_put)(void *context, const void *bytes, size_t size);

/* One of them: into a pen_output. */
pen_status pen_put_output(void *context, const void *bytes, size_t size);

/* The end of an output: it appears if the status is PEN_OK, else nothing does. */
pen_status pen_output_close(pen_output *output, pen_status status);

/* What is between the cells of a text of that name. */
char pen_delimiter_of(const char *path);

/* A cell of text, quoted if it would not come back as it is. */
pen_status pen_write_name(const char *name, char delimiter, pen_put put, void *context);

pen_status pen_write_text(const pen_array *z, const char *const *column_names,
                          const char *const *row_names, char delimiter, pen_put put, void *context);
pen_status pen_write_npy(const pen_array *z, pen_put put, void *context);

/* The header of an array of that kind (f, i) and size of values in the order of bytes of this
 * machine, [rows x cols]; cols 0: [rows]. */
pen_status pen_write_npy_header(char kind, size_t size, int64_t rows, int64_t cols, pen_put put,
                                void *context);

/* Bytes of a value, and whether this machine puts the low byte first. */
size_t pen_dtype_size(pen_dtype dtype);
int pen_low_byte_first(void);

#endif
