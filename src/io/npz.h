/* npz.h - arrays in one file, a zip archive of npy files without compression. */
#ifndef PEN_NPZ_H
#define PEN_NPZ_H

#include "io/io.h"

/* Hand all bytes of a file to `put`; called twice, and the bytes must be the same. */
typedef pen_status (*zip_content)(const void *context, pen_put put, void *to);

/* One file of an archive. */
typedef struct zip_file {
    const char *name;
    zip_content content;
    const void *context;
} zip_file;

enum { ZIP_MOST_FILES = 8 };

/* An archive of files [count], count <= ZIP_MOST_FILES. Its sizes are written in 64 bits, so each
 * file may be of any size. */
pen_status pen_zip_write(const zip_file *files, int count, pen_put put, void *to);

/* The n x n matrix with the entries distance[i k + c] at (i, index[i k + c]) as
 * scipy.sparse.save_npz writes a csr_matrix. */
pen_status pen_npz_write_neighbors(int64_t n, int64_t k, const int64_t *index,
                                   const double *distance, pen_put put, void *to);

#endif
