/* libsvm.h - sparse rows in the LIBSVM and SVMlight format. */
#ifndef PEN_LIBSVM_H
#define PEN_LIBSVM_H

#include "io/table/file_input.h"

int pen_is_libsvm(const pen_input *input);

/* The reader (io/read.h). */
pen_status pen_read_libsvm(pen_run *run, const pen_input *input, const pen_read_options *options,
                           pen_table *table);

#endif
