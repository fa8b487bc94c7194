/* npz.h - several arrays in one file: an uncompressed zip archive of npy files. */
#ifndef PEN_NPZ_H
#define PEN_NPZ_H

#include "io/io.h"

/* Pass all bytes of a file to `put`. Called twice (checksum, then output) and must pass the same
 * bytes. */
typedef pen_status (*zip_content)(const void *context, pen_put put, void *to);

/* One file in an archive. */
typedef struct zip_file {
    const char *name;
    zip_content content;
    const void *context;
} zip_file;

enum { ZIP_MOST_FILES = 8 };

/* Write an archive of files [count], count <= ZIP_MOST_FILES. Sizes are 64-bit (zip64), so a file
 * may have any size. */
pen_status pen_zip_write(const zip_file *files, int count, pen_put put, void *to);

/* Write the n x n matrix with entries distance[i k + c] at (i, index[i k + c]) in the form in which
 * scipy.sparse.save_npz writes a csr_matrix. */
pen_status pen_npz_write_neighbors(int64_t n, int64_t k, const int64_t *index,
                                   const double *distance, pen_put put, void *to);

#endif
