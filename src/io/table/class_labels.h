/* class_labels.h - the classes of label texts. */
#ifndef PEN_CLASS_LABELS_H
#define PEN_CLASS_LABELS_H

#include "io/table/strings.h"

/* The comparison of labels. TEXT: as text, except that whole numbers in the forms of numeric types,
 * 1 and 1.0, are one class; 1, +1 and 01 are three classes. NUMBERS: equal numbers are one class,
 * named by the shortest text of the number; other texts as in TEXT. */
enum pen_labels { PEN_LABELS_TEXT, PEN_LABELS_NUMBERS };

/* Sets table->labels [count], class_names, class_count and marks from the label texts [count]; a
 * file of labels is joined with options->labels. Classes are sorted by name, numerically if all are
 * numbers, otherwise by bytes, so codes do not depend on row order. Uses options->unlabelled and,
 * for a file of labels, options->rows: labels of rows that it dropped are left out, and so are
 * classes without another row. */
pen_status pen_table_label(pen_run *run, pen_table *table, const pen_text *texts, int64_t count,
                           const pen_read_options *options, enum pen_labels kind);

/* Does the text mean unlabelled by default? */
int pen_is_mark(pen_text text);

/* Numbers the distinct texts by first occurrence: ids [count], and their count in *distinct (may be
 * NULL). */
pen_status pen_number_texts(pen_run *run, const pen_text *texts, int64_t count, int32_t *ids,
                            int64_t *distinct);

#endif
