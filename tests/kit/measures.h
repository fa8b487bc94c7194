/* measures.h - the results of every call that only reads rows. */
#ifndef TEST_MEASURES_H
#define TEST_MEASURES_H

#include "kit/check_fit.h"

enum { MEASURES_ROWS = 66, MEASURES_NEIGHBORS = 4, MEASURES_LISTS = 66 * 4, MEASURES_SCORES = 6 };

/* No padding before `accuracy`, so that measures compare as bytes. */
struct measures {
    int64_t index[MEASURES_LISTS], of_some[MEASURES_LISTS], relative[MEASURES_LISTS];
    double distance[MEASURES_LISTS];
    pen_leak leak;
    int64_t leaks;
    double accuracy[MEASURES_SCORES];
};

/* data: at most MEASURES_ROWS rows with labels of 3 classes and at least 5 columns; queries: rows
 * whose neighbors are of_some. */
void measure(pen_data data, const pen_array *queries, struct measures *out);

#endif
