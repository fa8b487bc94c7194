/* choice.h - methods compared, for compare and for fit auto. */
#ifndef CHOICE_H
#define CHOICE_H

#include "learn.h"

enum { CHOICE_SECONDS = 50, CHOICE_MOST_SECONDS = 100000000, CHOICE_TEXT = 400 };

/* What is compared, and how long. */
typedef struct choice_rules {
    method_names names; /* none: all methods */
    pen_protocol protocol;
    double seconds; /* 0: no limit */
} choice_rules;

/* Compare. Ctrl-C before there is anything to tell ends the process; later, progress_signal() says
 * that it came. Free with pen_comparison_free. */
int choice_make(const cli_args *args, const choice_rules *rules, const learning *in,
                pen_comparison **out);

/* The method to take. */
const pen_compared *choice_taken(const pen_comparison *found);

/* Say which method is taken and why, on standard error. */
void choice_report(const cli_args *args, const pen_comparison *found);

#endif
