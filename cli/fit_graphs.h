/* fit_graphs.h - the neighbor graph that a fit is given, and the graphs that it gives. */
#ifndef FIT_GRAPHS_H
#define FIT_GRAPHS_H

#include "learn.h"

extern const cli_flag graphs_flags[];

/* Check --write-graph. */
int graphs_check(const cli_args *args);

/* Read --neighbors-graph into in->data, and have the graphs of a fit put into *wanted where
 * --write-graph is given. */
int graphs_read(const cli_args *args, learning *in, pen_graphs **wanted);

/* Fail if graphs are wanted and the fit of `method` made none. */
int graphs_there(const cli_args *args, const learning *in, const char *method);

/* Write the graphs where they are wanted: all or none. Bit i of *made: the file of graph i is
 * new. */
pen_status graphs_save(const cli_args *args, const learning *in, unsigned *made, pen_error *err);

/* Remove the new ones: what follows has failed. */
void graphs_remove(const cli_args *args, const learning *in, unsigned made);

/* A line for each file. */
void graphs_report(const cli_args *args, const learning *in);

#endif
