/* mat.h - the variables of MATLAB files, version 5 (also those of versions 6 and 7). */
#ifndef PEN_MAT_H
#define PEN_MAT_H

#include "io/io.h"

/* Classes of arrays. */
enum pen_mat_class {
    PEN_MAT_CELL = 1,
    PEN_MAT_STRUCT,
    PEN_MAT_OBJECT,
    PEN_MAT_CHAR,
    PEN_MAT_SPARSE,
    PEN_MAT_DOUBLE,
    PEN_MAT_SINGLE,
    PEN_MAT_INT8,
    PEN_MAT_UINT8,
    PEN_MAT_UINT64 = 15,
    PEN_MAT_OPAQUE = 17 /* an object whose content only MATLAB knows */
};

/* Numbers as the file has them, often smaller than those of the array. */
typedef struct pen_mat_numbers {
    int type; /* miINT8 = 1, .. */
    int high_first;
    const unsigned char *values;
    int64_t count;
} pen_mat_numbers;

/* An array. */
typedef struct pen_mat {
    pen_text name;
    enum pen_mat_class class;
    int complex;
    int logical;
    int64_t dims; /* 2 or more; 0: opaque */
    int64_t rows, cols;
    pen_mat_numbers values;          /* numbers by columns, characters, entries of sparse ones */
    pen_mat_numbers indices, starts; /* sparse: rows of entries, starts of columns */
    const unsigned char *cells;      /* a cell array: its elements, [cell_bytes] */
    size_t cell_bytes;
    int high_first;
} pen_mat;

int pen_mat_recognizes(const pen_input *input);

/* Goes through the variables: *at begins as 0 and is 0 again after the last one. Of a compressed
 * variable only the beginning is looked at: name, class and dims are right. */
pen_status pen_mat_next(pen_run *run, const pen_input *input, size_t *at, pen_mat *out);

/* Opens the variable at that place, which pen_mat_next had before. A compressed one is expanded
 * into *expanded; free it with pen_bytes_free.
 * PEN_BAD_FORMAT: damaged, truncated, or of more values than the file has. */
pen_status pen_mat_open(pen_run *run, const pen_input *input, size_t at, pen_bytes *expanded,
                        pen_mat *out);

/* Element `index` of numbers; and as text [PEN_NUMBER_SIZE], whole numbers of 64 bits with all
 * their digits. Returns the length of the text. */
double pen_mat_value(const pen_mat_numbers *numbers, int64_t index);
size_t pen_mat_text(const pen_mat_numbers *numbers, int64_t index, char *text);

/* The characters of a char array of two dimensions, by columns, in scratch memory: code units of
 * UTF-16, whole characters or (*bytes = 1) bytes of UTF-8, whichever its shape counts. */
pen_status pen_mat_characters(pen_run *run, const pen_mat *array, uint32_t **out, int *bytes);

/* Goes through the elements of a cell array: *at is an offset in its cells, which begins as 0. */
pen_status pen_mat_cell(pen_run *run, const pen_input *input, const pen_mat *array, size_t *at,
                        pen_mat *out);

#endif
