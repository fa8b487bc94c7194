/* h5ad_write.h - h5ad files, written. */
#ifndef PEN_H5AD_WRITE_H
#define PEN_H5AD_WRITE_H

#include "io/io.h"

/* Writes the table to a file that is there and empty; `name` is for messages. */
pen_status pen_h5ad_write(pen_run *run, const char *name, const char *path, const pen_table *table,
                          const char *label_name);

/* Adds z to the h5ad file at `path` as obsm/KEY. */
pen_status pen_h5ad_add_obsm(pen_run *run, const char *name, const char *path, const char *key,
                             const pen_array *z);

#endif
