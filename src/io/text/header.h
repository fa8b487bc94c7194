/* header.h - is the first line of a text a header? */
#ifndef PEN_HEADER_H
#define PEN_HEADER_H

#include "io/table/cell_value.h"
#include "io/text/cells.h"

/* ASK: it has numbers that look like names, such as wavelengths. */
enum pen_top { PEN_TOP_ROW, PEN_TOP_HEADER, PEN_TOP_ASK };

/* What the first line is: its cells [count], which `after` follows.
 *
 * It is a header if a name that the options give stands in it; if a cell that is no number is above
 * one; if its first cell is empty and numbers that rise or fall follow; or if quoted numbers are
 * above numbers without quotes. A header may omit the name of the column of row names. */
enum pen_top pen_top_of(pen_cursor after, const pen_cell *first, int64_t count,
                        const pen_read_options *options, const pen_value_rules *rules);

#endif
