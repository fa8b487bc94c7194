/* old_names.h - the names that files of version 0.1.0 use: what they are called today. */
#ifndef PEN_OLD_NAMES_H
#define PEN_OLD_NAMES_H

#include "core/textbuf.h"
#include "model/json.h"

/* The name of today; the same if it has not changed. */
const char *pen_name_of_today(const char *name);

/* Gives the members of an object their names of today, and writes it so: free() text->data. */
void pen_renew_names(pen_json *object);
void pen_renewed_text(const pen_json *object, pen_string *text);

#endif
