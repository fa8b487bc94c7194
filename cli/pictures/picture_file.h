/* picture_file.h - pictures as files. */
#ifndef PICTURE_FILE_H
#define PICTURE_FILE_H

#include "flags/args.h"
#include "pictures/picture.h"

/* Check that the name of a picture ends in .png or .svg. Returns CLI_OK or the exit status, with
 * the error printed. */
int picture_ending(const char *path);

/* Draw to `path`, .png or .svg. Returns likewise. */
int picture_save(picture *pic, const char *path);

#endif
