/* spec_list.h - METHODS of a command line, with parameters. */
#ifndef SPEC_LIST_H
#define SPEC_LIST_H

#include "flags/args.h"

/* count 0: all methods, as they are. */
typedef struct spec_list {
    pen_spec **list; /* [count] */
    int64_t count;
} spec_list;

/* Names separated by commas, such as self+rbf/lda: a method, a kernel, a classifier; `all` stands
 * for all methods, and so does a NULL text. Each gets those of the parameters of the command line
 * that it has. Returns CLI_OK or the exit status, with the error printed. */
int spec_list_read(const char *text, spec_list *out);

#endif
