/* param_flags.h - names of methods and their parameters as flags. */
#ifndef PARAM_FLAGS_H
#define PARAM_FLAGS_H

#include "flags/args.h"

/* Print the help, if asked for; otherwise read the command line and run the command. Returns the
 * exit status. Where the form has params, the parameters of all methods are flags too, so that they
 * may come before METHOD, except those with the name of a flag of the form; the help has the
 * parameters of METHOD. */
int params_run(const args_form *form, int argc, char **argv);

/* The parameter that an argument is, or NULL. */
const cli_flag *params_flag(const cli_arg *arg);

/* The spec of the method, owned, with the values of the command line. Returns CLI_OK or the exit
 * status, with the error printed. */
int params_spec(const char *method, pen_spec **spec);

/* Print the error of a value, or of a parameter that the method does not have. */
int params_refuse(const pen_spec *spec, const char *name);

/* ---- METHODS ---- */

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
