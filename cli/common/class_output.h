/* class_output.h - the classes of rows that predict and fit write. */
#ifndef CLASS_OUTPUT_H
#define CLASS_OUTPUT_H

#include "flags/args.h"

typedef struct row_classes {
    pen_class_rows rows;      /* the output, whose parts are the members below */
    int32_t *of_row;          /* [n] */
    int32_t *labels;          /* [n] */
    double *scores;           /* [n x class_count] */
    double *typical;          /* [n]; NULL: the model cannot tell */
    const char **names;       /* [class_count] of the model */
    const char **row_names;   /* [n] */
    int64_t checked, correct; /* held-out labels */
    int64_t total, doubtful;  /* all rows; rows with a probability below 0.8 */
} row_classes;

/* Check the file name in `flag`, if it is given. */
int classes_check(const char *flag);

/* Allocate the output for all rows of a table, including dropped ones. */
void classes_new(const pen_model *model, const pen_table *table, row_classes *out);

/* Complete the output after of_row and scores of the rows of the table are set: add labels (named
 * by label_names), row names, and empty rows for dropped ones. */
void classes_place(row_classes *all, const pen_table *table, const int32_t *labels,
                   const char *const *label_names, int64_t label_count);

#endif
