/* pairs_file.h - lists of pairs. */
#ifndef PEN_PAIRS_FILE_H
#define PEN_PAIRS_FILE_H

#include "core/run.h"

/* Memory for these numbers of pairs in one block. weighted: with weights. */
pen_status pen_pairs_new(pen_run *run, int64_t must, int64_t cannot, int weighted, pen_pairs **out);

#endif
