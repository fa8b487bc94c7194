/* picture_file.c - pictures as files. */
#define _POSIX_C_SOURCE 200809L

#include "picture_file.h"

#include "gnuplot.h"
#include "output.h"
#include "page.h"
#include "picture_page.h"
#include "progress.h"

#include <string.h>

enum { LINE_SIZE = 1 << 12 };

static int is_page(const char *path)
{
    return strcmp(cli_extension(path), ".html") == 0 || strcmp(cli_extension(path), ".htm") == 0;
}

int picture_ending(const cli_args *args, const char *path)
{
    static const char *const endings[] = { ".png", ".svg", ".html", ".htm", NULL };

    return output_ending(args, path, "picture", endings, ".png, .svg or .html");
}

/* ---- drawing ---- */

/* Draw a part of it. */
static int draw_part(const picture *pic, picture_part part, const cli_args *args, const char *path,
                     FILE **drawn)
{
    gnuplot process;

    *drawn = NULL;
    const int status = gnuplot_open(&process, args);
    if (status != CLI_OK)
        return status;
    if (!picture_write(pic, part, process.script))
        fputs("exit error 'out of memory'\n", process.script);
    return gnuplot_close(&process, path, drawn);
}

/* Put the image of the points into an SVG, under all that it draws. Returns 0 if either cannot be
 * read. */
static int put_under(FILE *image, FILE *frame, FILE *out)
{
    static const char before[] = "</defs>";
    char line[LINE_SIZE];
    int is_in = 0;

    while (fgets(line, sizeof line, frame)) {
        fputs(line, out);
        if (is_in || !strstr(line, before))
            continue;
        fputs("<image width=\"100%\" height=\"100%\" preserveAspectRatio=\"none\" xlink:href=\"",
              out);
        is_in = page_data(out, image, "image/png");
        fputs("\"/>\n", out);
    }
    return is_in && !ferror(frame) && fflush(out) == 0;
}

/* An SVG of few elements whatever the number of points. */
static int draw_crowd(const picture *pic, const cli_args *args, const char *path, FILE **drawn)
{
    FILE *image = NULL, *frame = NULL;

    *drawn = NULL;
    int status = draw_part(pic, PICTURE_IMAGE, args, path, &image);
    if (status == CLI_OK)
        status = draw_part(pic, PICTURE_FRAME, args, path, &frame);
    if (status == CLI_OK) {
        *drawn = gnuplot_temporary();
        if (!*drawn || !put_under(image, frame, *drawn))
            status = cli_say(args->command, CLI_FAILED,
                             "%s: the picture cannot be put together: is the disk full?", path);
    }
    if (image)
        fclose(image);
    if (frame)
        fclose(frame);
    if (status == CLI_OK)
        rewind(*drawn);
    else if (*drawn)
        fclose(*drawn);
    *drawn = status == CLI_OK ? *drawn : NULL;
    return status;
}

int picture_draw(const picture *pic, const cli_args *args, const char *path, FILE **drawn)
{
    if (pic->svg && picture_is_crowded(pic))
        return draw_crowd(pic, args, path, drawn);
    return draw_part(pic, PICTURE_WHOLE, args, path, drawn);
}

/* ---- as a file ---- */

/* The picture alone, or a page with it. */
static int draw_file(picture *pic, const cli_args *args, const picture_page *about,
                     const char *path, FILE **drawn)
{
    pic->svg = strcmp(cli_extension(path), ".png") != 0;
    return is_page(path) ? picture_figure(pic, args, about->title, path, drawn)
                         : picture_draw(pic, args, path, drawn);
}

static int write_file(FILE *drawn, const picture_page *about, const char *path, FILE *out)
{
    if (!is_page(path))
        return page_copy(out, drawn);
    page_begin(out, about->title);
    const int written = page_copy(out, drawn);
    if (about->more)
        about->more(out, about->user);
    page_end(out);
    return written;
}

int picture_save(picture *pic, const cli_args *args, const picture_page *about, const char *path)
{
    output_file file;
    FILE *drawn;

    int status = draw_file(pic, args, about, path, &drawn);
    if (progress_signal())
        return progress_die(args->command);
    if (status != CLI_OK)
        return status;
    status = output_open(&file, args, path);
    if (status == CLI_OK) {
        if (!write_file(drawn, about, path, file.stream))
            status =
                cli_say(args->command, CLI_FAILED, "%s: the picture cannot be read back", path);
        const int closed = output_close(&file, status == CLI_OK);
        status = status == CLI_OK ? closed : status;
    }
    fclose(drawn);
    return status;
}
