/* header.h - decides whether the first line of a text is a header. */
#ifndef PEN_HEADER_H
#define PEN_HEADER_H

#include "io/table/cell_value.h"
#include "io/text/cells.h"

/* ASK: its numbers look like names, such as wavelengths. */
enum pen_top { PEN_TOP_ROW, PEN_TOP_HEADER, PEN_TOP_ASK };

/* Classifies the first line from its cells [count]; `after` is the position after it.
 *
 * The line is a header if it contains a name from the options; if a word is above a number; if its
 * first cell is empty and numbers that rise or fall follow; or if quoted numbers are above unquoted
 * numbers. A header may omit the name of the column of row names. */
enum pen_top pen_top_of(pen_cursor after, const pen_cell *first, int64_t count,
                        const pen_read_options *options, const pen_value_rules *rules);

#endif
