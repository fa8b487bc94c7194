/* compare_json.h - what penumbra compare found, as JSON. */
#ifndef COMPARE_JSON_H
#define COMPARE_JSON_H

#include "choice.h"

typedef struct compare_result {
    const choice_rules *rules;
    const learning *in;
    const pen_comparison *found;
    /* of the recommended candidate on randomly permuted labels; NaN: not measured */
    double shuffled, shuffled_deviation;
    int interrupted; /* this is what was finished by then */
} compare_result;

/* An object a line: a candidate each, best first, then the permuted labels. NULL when there is no
 * memory. free() it. */
char *compare_json(const compare_result *result);

#endif
