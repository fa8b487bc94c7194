/* param_flags.h - flags for the parameters of methods. */
#ifndef PARAM_FLAGS_H
#define PARAM_FLAGS_H

#include "flags/args.h"

/* Print the help, or read the command line and run the command. Returns the exit status. If the
 * form has params, the parameters of all methods are also flags, so that they may precede METHOD,
 * except parameters with the name of a flag of the form. The help then lists the parameters of
 * METHOD. */
int params_run(const args_form *form, int argc, char **argv);

/* The parameter that an argument sets, or NULL. */
const cli_flag *params_flag(const cli_arg *arg);

/* Make the spec of the method, owned, with the parameters of the command line. Returns CLI_OK, or
 * the exit status after printing an error. */
int params_spec(const char *method, pen_spec **spec);

/* Refuse a value, or a parameter that the method does not have. */
int params_refuse(const pen_spec *spec, const char *name);

/* ---- METHODS ---- */

/* count 0: all methods with default parameters. */
typedef struct spec_list {
    pen_spec **list; /* [count] */
    int64_t count;
} spec_list;

/* Read names separated by commas, such as self+rbf/lda (method, kernel, classifier). `all` and a
 * NULL text mean all methods. Each method gets the parameters of the command line that it has.
 * Returns CLI_OK, or the exit status after printing an error. */
int spec_list_read(const char *text, spec_list *out);

#endif
