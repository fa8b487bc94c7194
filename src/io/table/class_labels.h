/* class_labels.h - the classes that texts of labels name. */
#ifndef PEN_CLASS_LABELS_H
#define PEN_CLASS_LABELS_H

#include "core/rows.h"
#include "io/table/strings.h"

/* How labels are compared. TEXT: as text, except that whole numbers as numeric types print them, 1
 * and 1.0, are one class; 1, +1 and 01 are three. NUMBERS: equal numbers are one class, named by
 * the shortest text of the number; other texts as in TEXT. */
enum pen_labels { PEN_LABELS_TEXT, PEN_LABELS_NUMBERS };

/* Set table->labels [count], class_names and class_count from the label texts [count], and its
 * marks, of a file of labels with those of options->labels. Classes are sorted by name, numerically
 * if all are numbers, otherwise by bytes, so codes do not depend on the order of the rows. Of the
 * options, `unlabelled` counts, and for a file of labels `rows`: labels of rows that it dropped are
 * left out, and classes without another row. */
pen_status pen_table_label(pen_run *run, pen_table *table, const pen_text *texts, int64_t count,
                           const pen_read_options *options, enum pen_labels kind);

/* Does the text mean unlabelled where the options name no others? */
int pen_is_mark(pen_text text);

/* ids [count]: the number of each text among the different ones, by their first occurrence. Their
 * number in *distinct, unless NULL. */
pen_status pen_number_texts(pen_run *run, const pen_text *texts, int64_t count, int32_t *ids,
                            int64_t *distinct);

#endif
