/* class_output.h - the classes of rows, as predict and fit write them. */
#ifndef CLASS_OUTPUT_H
#define CLASS_OUTPUT_H

#include "flags/args.h"

typedef struct row_classes {
    pen_class_rows rows;      /* what is written, of which the members below are the parts */
    int32_t *of_row;          /* [n] */
    int32_t *labels;          /* [n] */
    double *scores;           /* [n x class_count] */
    double *typical;          /* [n]; NULL: the model does not tell it */
    const char **names;       /* [class_count] those of the model */
    const char **row_names;   /* [n] */
    int64_t checked, correct; /* of labels that were held out */
    int64_t total, doubtful;  /* rows; those whose class has a probability below 0.8 */
} row_classes;

/* Check the name of the file that `flag` gives, if it was given. */
int classes_check(const char *flag);

/* Room for the rows of a table, also for those that were dropped. */
void classes_new(const pen_model *model, const pen_table *table, row_classes *out);

/* With of_row and scores of the rows that the table has: their labels, by label_names, and their
 * names, and empty rows in the places of those that were dropped. */
void classes_place(row_classes *all, const pen_table *table, const int32_t *labels,
                   const char *const *label_names, int64_t label_count);

#endif
