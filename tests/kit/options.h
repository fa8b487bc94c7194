/* options.h - parses "METHOD NAME=VALUE ..." with the names, types and defaults of the method's
 * table. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <penumbra.h>

typedef struct fit_options {
    const pen_method *method;
    pen_spec *spec;
} fit_options;

/* Rejects unknown names and values. */
fit_options options_read(const char *text);

/* True if the method is named `name`. */
int options_are_of(const fit_options *o, const char *name);

/* A value as a number; words give their number. The method must have the parameter. */
double option(const fit_options *o, const char *name);
int64_t option_int(const fit_options *o, const char *name);

/* True if the text of a value is `word`. */
int option_is(const fit_options *o, const char *name, const char *word);

/* A spec from text; unknown names and values fail. Unless the text sets them, `ridge` and `beta`
 * with the default auto, `origin`, `pca` of soda and tr-fsda and `beta` of ssda are those of the
 * papers; `scale` and `temperature` are none; `prior`, for methods that propagate, is labels. The
 * spec lasts until the program ends. */
pen_spec *spec_of(const char *text);

/* The same with the library defaults. */
pen_spec *spec_with_defaults(const char *text);

#endif
