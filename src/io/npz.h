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

/* Write a matrix in the form in which scipy.sparse.save_npz writes a csr_matrix. */
pen_status pen_npz_write_sparse(const pen_sparse *matrix, pen_put put, void *to);

/* The same of sparse rows, with one more file (NULL: none). */
pen_status pen_npz_write_csr(const pen_array *rows, const zip_file *more, pen_put put, void *to);

/* The matrix in such an archive, in the form csr, csc or coo, as the rows of a table; *entries is
 * the number of those in the file, of which several of one place are added. PEN_BAD_FORMAT: not
 * such an archive, another form, or arrays that do not agree. Otherwise as pen_table_sparse. */
pen_status pen_npz_read_sparse(pen_run *run, const pen_input *archive,
                               const pen_read_options *options, pen_table *table, int64_t *entries);

#endif
