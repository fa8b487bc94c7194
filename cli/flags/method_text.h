/* method_text.h - methods and their parameters as text, from the tables of the library. */
#ifndef METHOD_TEXT_H
#define METHOD_TEXT_H

#include "base/cli.h"

/* A line "name - title", and its parameters as flags. */
void method_print_title(const pen_method *method);
void method_print_params(const pen_method *method);

/* What a method learns from, in a few words or in full. */
void method_learns_from(const pen_method *method, int in_full, char *text, size_t size);

/* The parameter of that name, or NULL; whether there is one. NULL has none. */
const pen_param *method_param(const pen_method *method, const char *name);
int method_has(const pen_method *method, const char *name);

/* Add "parameters of METHOD: ", and their names. */
void method_list_params(const pen_method *method, char *text, size_t size);

/* All methods, a line or two each. */
void method_print_all(void);

int method_is_experimental(const pen_method *method);

int method_learns_from_pairs(const pen_method *method);

#endif
