/* picture_page.h - pictures inside of pages. */
#ifndef PICTURE_PAGE_H
#define PICTURE_PAGE_H

#include "args.h"
#include "picture.h"

/* Draw each panel, readable on a phone and on a screen, and hand the HTML of all of them and of
 * their legend over in *drawn, at its beginning: page_copy it, and fclose() it. `alternative` says
 * what panels without a title show; `path` is the page. Returns as picture_draw. */
int picture_figure(const picture *pic, const cli_args *args, const char *alternative,
                   const char *path, FILE **drawn);

#endif
