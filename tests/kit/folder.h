/* folder.h - a temporary folder for the files of a test program: GROUP or EACH makes and removes
 * it. */
#ifndef FOLDER_H
#define FOLDER_H

extern char folder[128];

int folder_make(void **state);
/* With what is in it. */
int folder_remove(void **state);
/* Fails if something was left in it, as a temporary file of the library is. */
int folder_remove_empty(void **state);

/* The path of a name in it; the text stays until the program ends. */
char *in_folder(const char *name);

#endif
