/* tenx.h - counts of genes in cells as Cell Ranger writes them. */
#ifndef PEN_TENX_H
#define PEN_TENX_H

#include "io/io.h"

/* Reads a folder of matrix.mtx, barcodes.tsv and features.tsv (or genes.tsv), each as it is or .gz
 * or .zst: a row is a barcode, a column a gene by its name.
 * PEN_FILE_ERROR: a file is not there. PEN_BAD_DATA: they do not match. */
pen_status pen_tenx_folder(pen_run *run, const char *folder, const pen_read_options *options,
                           pen_table *table);

/* Makes names [count] unique, as anndata does: the second X is X-1, the third X-2, unless that is
 * another name. */
pen_status pen_names_unique(pen_run *run, pen_text *names, int64_t count);

#endif
