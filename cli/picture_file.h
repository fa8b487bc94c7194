/* picture_file.h - pictures as files, and inside of pages. */
#ifndef PICTURE_FILE_H
#define PICTURE_FILE_H

#include "args.h"
#include "picture.h"

/* Check that the name of a picture ends in .png, .svg or .html. Returns CLI_OK or the exit status,
 * with the error printed. */
int picture_ending(const cli_args *args, const char *path);

/* Draw with gnuplot and hand the bytes over in *drawn, at their beginning: fclose() it. `path` is
 * the file they are meant for. Returns likewise; after a signal there is no message: ask
 * progress_signal. */
int picture_draw(const picture *pic, const cli_args *args, const char *path, FILE **drawn);

/* Draw to `path`: .png, .svg, or a page of HTML with `title` and the picture inside. */
int picture_save(picture *pic, const cli_args *args, const char *title, const char *path);

/* Put a drawn SVG into a page, with what it shows in words. Returns 0 if it cannot be read. */
int picture_embed(FILE *page, FILE *drawn, const char *alternative);

#endif
