/* unzip.h - reading the files of a zip archive, stored or deflated. */
#ifndef PEN_UNZIP_H
#define PEN_UNZIP_H

#include "io/io.h"

/* Finds the file `name` in an archive and expands it into scratch memory; stored files are not
 * copied. *out is an input named "ARCHIVE: NAME", or has no data if there is no such file.
 * PEN_BAD_FORMAT: no zip archive, damaged, encrypted or compressed in another way. */
pen_status pen_unzip(pen_run *run, const pen_input *archive, const char *name, pen_input *out);

/* The same; what is expanded is in *expanded, which out->owner then is. Free it with
 * pen_bytes_free. */
pen_status pen_unzip_bytes(pen_run *run, const pen_input *archive, const char *name,
                           pen_bytes *expanded, pen_input *out);

/* The form of a sparse matrix, csr, csc, coo, .., from format.npy in its archive: the text of three
 * bytes or, in files of SciPy before 1.0, of three characters of four bytes. Empty: there is no
 * such file. */
enum { PEN_FORM_SIZE = 4 };
pen_status pen_unzip_form(pen_run *run, const pen_input *archive, char form[PEN_FORM_SIZE]);

/* The names of its files [count], in scratch memory; they point into the archive. */
pen_status pen_unzip_names(pen_run *run, const pen_input *archive, pen_text **names,
                           int64_t *count);

#endif
