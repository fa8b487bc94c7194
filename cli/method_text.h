/* method_text.h - methods and their parameters as text, from the tables of the library. */
#ifndef METHOD_TEXT_H
#define METHOD_TEXT_H

#include "cli.h"

/* A line "name - title", and its parameters as flags. */
void method_print_title(const pen_method *method);
void method_print_params(const pen_method *method);

/* All methods, a line or two each. */
void method_print_all(void);

int method_is_experimental(const pen_method *method);

/* The methods that have one of these traits, as "asl, fme and soge"; "" if there is none. */
enum { METHOD_LIST_SIZE = 400 };
void method_list(int traits, char *text, size_t size);

#endif
