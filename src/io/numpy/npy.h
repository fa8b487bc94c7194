/* npy.h - the header and the values of NumPy arrays. */
#ifndef PEN_NPY_H
#define PEN_NPY_H

#include "io/table/cell_value.h"
#include "io/table/file_input.h"
#include "io/table/file_output.h"

typedef struct pen_npy {
    char kind;      /* f i u b; S U: texts, of bytes or of four-byte characters */
    size_t size;    /* bytes per value */
    int high_first; /* big-endian */
    int fortran;
    int64_t dims; /* 0 (one value), 1 or 2 */
    int64_t rows, cols;
    const unsigned char *values;
    size_t bytes; /* from values to the end of the file */
} pen_npy;

int pen_npy_is(const pen_input *input); /* by its first bytes */

/* Parse the header of an array of numbers in one or two dimensions, or of any array. The shape is
 * only a claim; pen_npy_fits checks that the file holds exactly as many values. */
pen_status pen_npy_open(pen_run *run, const pen_input *input, pen_npy *npy);
pen_status pen_npy_open_any(pen_run *run, const pen_input *input, pen_npy *npy);
pen_status pen_npy_fits(pen_run *run, const pen_input *input, const pen_npy *npy);

/* The texts of a column, or of its numbers, in scratch memory. `what` is their name in messages,
 * such as label.
 * PEN_BAD_FORMAT: not valid text. */
pen_status pen_npy_texts(pen_run *run, const pen_input *input, const pen_npy *npy, const char *what,
                         pen_text **out);

/* The readers (io/read.h). Labels are whole numbers; texts; or 0 and 1 in a column for each
 * class. */
pen_status pen_read_npy(pen_run *run, const pen_input *input, const pen_read_options *options,
                        pen_table *table);
pen_status pen_read_npy_block(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_block *block, pen_table *table);
pen_status pen_read_npy_labels(pen_run *run, const pen_input *input,
                               const pen_read_options *options, pen_table *table);

/* The index in file order of the value in row i and column j. */
static inline size_t pen_npy_index(const pen_npy *npy, int64_t i, int64_t j)
{
    return (size_t)(npy->fortran ? j * npy->rows + i : i * npy->cols + j);
}

/* The value at an index in file order, as a whole number, and as text [PEN_NUMBER_SIZE]. */
enum pen_whole pen_npy_whole(const pen_npy *npy, size_t index, int64_t *value);
const char *pen_npy_text(const pen_npy *npy, size_t index, char *text);
double pen_npy_value(const pen_npy *npy, size_t index);

/* The type of the values in a table. */
pen_dtype pen_npy_dtype(const pen_npy *npy);

/* Dense or sparse rows as an array of their type. */
pen_status pen_write_npy(const pen_array *z, pen_put put, void *context);

/* Writes doubles that are whole numbers as integers. */
pen_status pen_write_npy_wholes(const pen_array *z, pen_put put, void *context);

/* The header of an array [rows x cols] (cols 0: [rows]; rows -1: of one value, without dimensions)
 * with this kind (f, i, u, S) and these bytes per value, in the byte order of this machine. */
pen_status pen_write_npy_header(char kind, size_t size, int64_t rows, int64_t cols, pen_put put,
                                void *context);

/* The same, followed by the items. */
pen_status pen_write_npy_items(char kind, size_t size, int64_t rows, int64_t cols,
                               const void *items, pen_put put, void *context);

#endif
