/* old_names.h - translates names of version 0.1.0 to those of today. */
#ifndef PEN_OLD_NAMES_H
#define PEN_OLD_NAMES_H

#include "core/textbuf.h"
#include "core/json.h"

/* Today's name of a tensor, a member of metadata or a word of `needs`; the same name if
 * unchanged. */
const char *pen_name_of_today(const char *name);

/* Gives the members of an object today's names; and writes it with these: free() text->data. */
void pen_renew_names(pen_json *object);
void pen_renewed_text(const pen_json *object, pen_string *text);

/* Writes the parameters of a method under their names of today, and merges some into one:
 * free() text->data. A model composed of two has names such as "pca.dim". */
void pen_renew_parameters(const pen_json *object, const char *method, pen_string *text);

/* What replaces a parameter of 0.1.0 for this method, such as "row_steps l2"; NULL: no such
 * parameter. */
const char *pen_param_today(const char *method, const char *name);

#endif
