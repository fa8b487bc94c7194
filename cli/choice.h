/* choice.h - a comparison of methods, for compare and fit auto. */
#ifndef CHOICE_H
#define CHOICE_H

#include "learn.h"

enum { CHOICE_SECONDS = 50, CHOICE_MOST_SECONDS = 100000000, CHOICE_TEXT = 400 };

/* What is compared, how, and for how long. */
typedef struct choice_rules {
    method_names names; /* none: all methods */
    pen_protocol protocol;
    double seconds; /* 0: no limit */
} choice_rules;

/* Compare. Ctrl-C before there is any result ends the process; later, progress_signal() reports
 * it. Free with pen_comparison_free. */
int choice_make(const cli_args *args, const choice_rules *rules, const learning *in,
                pen_comparison **out);

/* The recommended method. */
const pen_compared *choice_taken(const pen_comparison *found);

/* Print the recommended method and the reason on standard error. */
void choice_report(const cli_args *args, const pen_comparison *found);

#endif
