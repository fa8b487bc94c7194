/* describe.h - the description of a fit in its model, as JSON. */
#ifndef PEN_DESCRIBE_H
#define PEN_DESCRIBE_H

#include "core/textbuf.h"
#include "core/json.h"
#include "model/model.h"
#include "model/spec.h"

/* Adds a parameter and its value. */
void pen_describe_parameter(pen_string *text, const pen_spec *spec, const pen_param *param);

/* Writes an object of the parameters and their values, without parameters of parts that the model
 * lacks. Free with free(). */
pen_status pen_describe_parameters(pen_run *run, const pen_spec *spec, const pen_model *model,
                                   char **out);

/* Parses the parameters or the info of a model. */
pen_status pen_describe_parse(pen_run *run, const char *object, pen_json **out);

/* Adds a parsed value, unless it is NULL. */
void pen_describe_add(pen_string *text, const char *name, const pen_json *value);

/* Describes `last` on the embedding of `first`. Parameters that prepare rows come from
 * `first`. The other parameters of `first`, and those of `last` that prepare its rows, get the name
 * of their method as a prefix. With `infos`, the info: that of `last`, and that of `first` as
 * METHOD.NAME. Free with free(). PEN_BAD_ARGUMENT: such names exist already. */
pen_status pen_describe_both(pen_run *run, const pen_model *first, const pen_model *last, int infos,
                             char **out);

#endif
