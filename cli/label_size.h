/* label_size.h - the memory that a file of labels takes when it is read at once. */
#ifndef LABEL_SIZE_H
#define LABEL_SIZE_H

#include <stdint.h>

/* The bytes that reading the labels of `path`, which are to be as many as `rows`, takes: of a text
 * at most, by a pass over it; of other files by their size and `rows`. 0: no regular file. */
double label_size(const char *path, int64_t rows);

#endif
