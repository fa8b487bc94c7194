/* options.h - parses a text, "METHOD NAME=VALUE ...", with the names, types and defaults of the
 * method's own table. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <penumbra.h>

typedef struct fit_options {
    const pen_method *method;
    pen_spec *spec;
} fit_options;

/* Every name and value in the text must be accepted. */
fit_options options_read(const char *text);

/* The method's name is `name`. */
int options_are_of(const fit_options *o, const char *name);

/* A value as a number; words give the number they represent. The method must have the parameter. */
double option(const fit_options *o, const char *name);
int64_t option_int(const fit_options *o, const char *name);

/* The text of a value is `word`. */
int option_is(const fit_options *o, const char *name, const char *word);

/* A spec from text; every name and value in it must be accepted. Unless the text sets them, `ridge`
 * and `beta` that would be auto, `origin`, `pca` of soda and tr-fsda and `beta` of ssda are those
 * of the papers, `scale` and `temperature` are none, and `prior`, of what propagates, is labels. It
 * stays until the program ends. */
pen_spec *spec_of(const char *text);

/* The same with the defaults of the library. */
pen_spec *spec_with_defaults(const char *text);

#endif
