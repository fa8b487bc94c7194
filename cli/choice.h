/* choice.h - a comparison of methods, for compare and fit auto. */
#ifndef CHOICE_H
#define CHOICE_H

#include "learn.h"

enum { CHOICE_TEXT = 1200 };

/* What is compared, and how. */
typedef struct choice_rules {
    method_names names; /* none: all methods */
    pen_protocol protocol;
    char *classifiers; /* what protocol.classifiers points into, or NULL */
} choice_rules;

/* Compare. Ctrl-C before there is any result ends the process; later, progress_signal() reports
 * it. Free with pen_comparison_free. */
int choice_make(const cli_args *args, const choice_rules *rules, const learning *in,
                pen_comparison **out);

/* The most that `--effort` takes: everything is tried. */
#define CHOICE_MOST_EFFORT 1e9

/* The flags --effort and --kernels. */
int choice_limits(const cli_args *args, choice_rules *rules);

/* The flag --classifier, names separated by commas. Free with choice_classifiers_free in any case.
 * */
int choice_classifiers(const cli_args *args, choice_rules *rules);
void choice_classifiers_free(choice_rules *rules);

/* The recommended candidate. */
const pen_compared *choice_taken(const pen_comparison *found);

/* 1: no candidate of another method is as good within one standard error, and it is no baseline. */
int choice_is_clear(const pen_comparison *found);

/* Why it is recommended: "best of 60 candidates". Returns `text`. */
const char *choice_reason(const pen_comparison *found, char *text, size_t size);

/* What a candidate is: the title of its method. */
const char *choice_title(const pen_compared *candidate);

/* The methods that failed for the reason of candidate m, whatever its numbers, in a line, with
 * classifiers where others did not. Returns 0 if there are none, or m is not the first of them. */
int choice_failed(const pen_comparison *found, int64_t m, char *text, size_t size);

/* The methods that were not tried for this reason, in a line, with classifiers where others were;
 * those left out each with the cost of its trials in units of the budget. Returns their number. */
int64_t choice_untried(const pen_comparison *found, pen_tried why, char *text, size_t size);

/* "10 trials, 2 runs of 5 folds, 356 held-out rows". Returns `text`. */
const char *choice_trials(const choice_rules *rules, const pen_data *data,
                          const pen_comparison *found, char *text, size_t size);

/* Print the recommended candidate and the reason on standard error, and what limited the choice. */
void choice_report(const cli_args *args, const pen_comparison *found);

#endif
