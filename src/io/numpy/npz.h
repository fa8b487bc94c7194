/* npz.h - several arrays in one file: a zip archive of npy files. */
#ifndef PEN_NPZ_H
#define PEN_NPZ_H

#include "core/rows.h"
#include "io/table/file_input.h"
#include "io/table/file_output.h"

/* Arrays in an archive of rows besides their values. */
#define PEN_NPZ_LABELS       "labels.npy"
#define PEN_NPZ_ROW_NAMES    "row_names.npy"
#define PEN_NPZ_COLUMN_NAMES "column_names.npy"

/* An array to write. */
typedef struct pen_npz_array {
    const char *name; /* NAME.npy */
    const pen_array *x;
    const char *const *texts; /* [count] if x is NULL; padded with zeros to equal length */
    const int32_t *codes;     /* [count] of texts [text_count], -1: empty; NULL: 0, 1, .. */
    int64_t text_count;
    char kind; /* type of items [count] if x, texts and codes are NULL (pen_write_npy_items) */
    size_t size;
    int64_t count; /* -1: an array without dimensions */
    const void *items;
} pen_npz_array;

enum { PEN_NPZ_MOST = 8 };

/* Writes an archive of arrays [count], count <= PEN_NPZ_MOST, not compressed. Sizes are 64-bit
 * (zip64), so an array may have any size. */
pen_status pen_npz_write(const pen_npz_array *arrays, int count, pen_put put, void *to);

/* Writes rows as the array X, or sparse rows in the form of scipy.sparse.save_npz for a csr_matrix,
 * with further arrays [count]. */
pen_status pen_npz_write_rows(pen_run *run, const pen_array *rows, const pen_npz_array *more,
                              int count, pen_put put, void *to);

/* Writes a sparse matrix. */
pen_status pen_npz_write_sparse(pen_run *run, const pen_sparse *matrix, pen_put put, void *to);

/* Reads the matrix in a SciPy archive, in csr, csc or coo form, as the rows of a table. *entries is
 * the number of entries in the file; entries at the same place are added. PEN_BAD_FORMAT: not such
 * an archive, another form, or inconsistent arrays. Otherwise as pen_table_entries. */
pen_status pen_npz_read_sparse(pen_run *run, const pen_input *archive,
                               const pen_read_options *options, pen_table *table, int64_t *entries);

/* The readers (io/read.h): of rows, and of labels. */
pen_status pen_read_npz(pen_run *run, const pen_input *input, const pen_read_options *options,
                        pen_table *table);
pen_status pen_read_npz_labels(pen_run *run, const pen_input *input,
                               const pen_read_options *options, pen_table *table);

#endif
