/* text_table.h - tables as text. */
#ifndef PEN_TEXT_TABLE_H
#define PEN_TEXT_TABLE_H

#include "io/table/file_input.h"

#define PEN_NO_TRANSPOSE "a transposed text cannot be read in blocks"

/* Is the input free of control characters except white space? */
int pen_is_text(const pen_input *input);

/* The readers (io/read.h). For a block, the input is the head of the file. */
pen_status pen_read_text(pen_run *run, const pen_input *input, const pen_read_options *options,
                         pen_table *table);
pen_status pen_read_text_block(pen_run *run, const pen_input *input,
                               const pen_read_options *options, pen_block *block, pen_table *table);

/* Do the first bytes of a text include all lines that decide how to read it? */
int pen_is_text_head(const pen_input *head, const pen_read_options *options);

#endif
