/* h5_matrix.h - matrices in HDF5 files, dense and sparse, as tables. */
#ifndef PEN_H5_MATRIX_H
#define PEN_H5_MATRIX_H

#include "io/h5.h"

/* A matrix and how it is to be read. */
typedef struct pen_h5_matrix {
    const char *path;
    int sparse;         /* a group of data, indices and indptr (MATLAB: data, ir, jc) */
    int transposed;     /* the file holds it by columns: MATLAB, and 10x with genes x cells */
    int by_columns;     /* sparse: starts are those of columns of the table */
    int64_t rows, cols; /* of the table */
    int64_t first;      /* dense: the row of the matrix that is the first one of the table */
    int is_block;       /* the table is a block of the rows */
    const char *indices, *starts; /* sparse: the names of these datasets */
} pen_h5_matrix;

/* What is at a path: 1 if it is a matrix of numbers. A sparse one says its kind and shape in
 * attributes, as anndata and MATLAB write them, or is a group of 10x.
 * PEN_BAD_FORMAT: a damaged one. */
pen_status pen_h5_find_matrix(const pen_h5 *h5, const char *path, pen_h5_matrix *out, int *found);

/* The class of a dataset of MATLAB 7.3; NULL: it is of another program. *empty: the dataset is the
 * shape of an empty array. */
pen_status pen_h5_matlab_class(const pen_h5 *h5, const char *path, const char **class, int *empty);

/* Is it a class of numbers, or NULL? Characters and strings are also stored as numbers. */
int pen_h5_are_numbers(const char *class);

/* Is the group one of Cell Ranger: genes x cells with their barcodes? */
int pen_h5_is_tenx(const pen_h5 *h5, const char *group);

pen_status pen_h5_read_matrix(const pen_h5 *h5, const pen_input *input,
                              const pen_read_options *options, const pen_h5_matrix *matrix,
                              const pen_row_texts *texts, const pen_text *column_names,
                              pen_table *table);

#endif
