/* old_names.h - names of version 0.1.0: what they are called today. */
#ifndef PEN_OLD_NAMES_H
#define PEN_OLD_NAMES_H

#include "core/textbuf.h"
#include "core/json.h"

/* The name of today of a tensor, a member of metadata or a word of `needs`; the same if it has not
 * changed. */
const char *pen_name_of_today(const char *name);

/* Gives the members of an object their names of today; and writes it so: free() text->data. */
void pen_renew_names(pen_json *object);
void pen_renewed_text(const pen_json *object, pen_string *text);

/* Writes the parameters of a method as they are called today, where several were one: free()
 * text->data. Those of a model composed of two have names such as "pca.dim". */
void pen_renew_parameters(const pen_json *object, const char *method, pen_string *text);

/* What a parameter of 0.1.0 is called today, as "row_steps l2", for this method; NULL: it was none.
 */
const char *pen_param_today(const char *method, const char *name);

#endif
