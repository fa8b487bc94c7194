/* folder.h - a temporary folder for a test program; GROUP or EACH creates and removes it. */
#ifndef FOLDER_H
#define FOLDER_H

extern char folder[128];

int folder_make(void **state);
/* Removes the folder and its contents. */
int folder_remove(void **state);
/* Fails if a file remains, such as a temporary file of the library. */
int folder_remove_empty(void **state);

/* The path of a name in the folder; the text lasts until the program ends. */
char *in_folder(const char *name);

#endif
