/* scores_json.h - the scores of evaluate as JSON. */
#ifndef SCORES_JSON_H
#define SCORES_JSON_H

#include "subject.h"

/* An object on a line of its own. `s` must have scores. */
void scores_print_json(const subject *s, const pen_data *data, const pen_protocol *protocol);

#endif
