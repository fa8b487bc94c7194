/* pair_parse.h - checks of what passes over pairs of blocks find, as read from a file. */
#ifndef PEN_PAIR_PARSE_H
#define PEN_PAIR_PARSE_H

#include "model/model_source.h"
#include "stats/stats.h"

/* PEN_BAD_FORMAT: lists, a graph or edges whose numbers do not agree, or name what is not there.
 * The blocks have been checked. */
pen_status pen_pair_check_numbers(const pen_model_source *s, const pen_stats *x);

#endif
