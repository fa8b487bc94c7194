/* labels_file.h - files of labels as text. */
#ifndef PEN_LABELS_FILE_H
#define PEN_LABELS_FILE_H

#include "io/table/file_input.h"

/* The reader (io/read.h). */
pen_status pen_read_text_labels(pen_run *run, const pen_input *input,
                                const pen_read_options *options, pen_table *table);

#endif
