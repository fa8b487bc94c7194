/* picture_file.h - pictures as files, and pages with one. */
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

/* What a page with a picture has besides it. */
typedef struct picture_page {
    const char *title;
    void (*more)(FILE *page, const void *user); /* below the picture; NULL: nothing */
    const void *user;
} picture_page;

/* Draw to `path`: .png, .svg, or a page of HTML with the picture inside. */
int picture_save(picture *pic, const cli_args *args, const picture_page *about, const char *path);

#endif
