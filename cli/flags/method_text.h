/* method_text.h - prints methods and parameters from the tables of the library. */
#ifndef METHOD_TEXT_H
#define METHOD_TEXT_H

#include "base/cli.h"

/* Print a line "name - title"; print the parameters as flags. */
void method_print_title(const pen_method *method);
void method_print_params(const pen_method *method);

/* Write what a method learns from, in brief or in full. */
void method_learns_from(const pen_method *method, int in_full, char *text, size_t size);

/* The parameter of that name, or NULL; whether there is one. A NULL method has none. */
const pen_param *method_param(const pen_method *method, const char *name);
int method_has(const pen_method *method, const char *name);

/* Append "parameters of METHOD: " and their names. */
void method_list_params(const pen_method *method, char *text, size_t size);

/* Print all methods. */
void method_print_all(void);

int method_is_experimental(const pen_method *method);

int method_learns_from_pairs(const pen_method *method);

#endif
