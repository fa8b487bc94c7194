/* picture_file.c - pictures as files, and inside of pages. */
#define _POSIX_C_SOURCE 200809L

#include "picture_file.h"

#include "gnuplot.h"
#include "output.h"
#include "page.h"
#include "progress.h"

#include <string.h>

enum { COPY_SIZE = 1 << 14, QUANTA_SIZE = 3 << 12 };

static int is_page(const char *path)
{
    return strcmp(cli_extension(path), ".html") == 0 || strcmp(cli_extension(path), ".htm") == 0;
}

int picture_ending(const cli_args *args, const char *path)
{
    static const char *const endings[] = { ".png", ".svg", ".html", ".htm", NULL };

    return output_ending(args, path, "picture", endings, ".png, .svg or .html");
}

int picture_draw(const picture *pic, const cli_args *args, const char *path, FILE **drawn)
{
    gnuplot process;

    *drawn = NULL;
    const int status = gnuplot_open(&process, args);
    if (status != CLI_OK)
        return status;
    if (!picture_write(pic, process.script))
        fputs("exit error 'out of memory'\n", process.script);
    return gnuplot_close(&process, path, drawn);
}

/* An error of writing is seen when the file is closed. */
static int copy(FILE *from, FILE *to)
{
    char bytes[COPY_SIZE];
    size_t got;

    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, got, to);
    return !ferror(from);
}

/* ---- inside of a page ---- */

/* Base64 of up to three bytes. */
static void write_quantum(FILE *page, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned all = (unsigned)bytes[0] << 16 | (count > 1 ? (unsigned)bytes[1] << 8 : 0)
                         | (count > 2 ? bytes[2] : 0);

    fputc(digits[all >> 18], page);
    fputc(digits[all >> 12 & 63], page);
    fputc(count > 1 ? digits[all >> 6 & 63] : '=', page);
    fputc(count > 2 ? digits[all & 63] : '=', page);
}

int picture_embed(FILE *page, FILE *drawn, const char *alternative)
{
    unsigned char bytes[QUANTA_SIZE];
    size_t got;

    fputs("<img alt=\"", page);
    page_text(page, alternative);
    fputs("\" src=\"data:image/svg+xml;base64,", page);
    while ((got = fread(bytes, 1, sizeof bytes, drawn)) > 0)
        for (size_t i = 0; i < got; i += 3)
            write_quantum(page, bytes + i, got - i);
    fputs("\"/>\n", page);
    return !ferror(drawn);
}

/* ---- as a file ---- */

static int write_picture(FILE *drawn, const char *title, const char *path, FILE *out)
{
    if (!is_page(path))
        return copy(drawn, out);
    page_begin(out, title);
    const int written = picture_embed(out, drawn, title);
    page_end(out);
    return written;
}

int picture_save(picture *pic, const cli_args *args, const char *title, const char *path)
{
    output_file file;
    FILE *drawn;

    pic->svg = strcmp(cli_extension(path), ".png") != 0;
    int status = picture_draw(pic, args, path, &drawn);
    if (progress_signal())
        return progress_die(args->command);
    if (status != CLI_OK)
        return status;
    status = output_open(&file, args, path);
    if (status == CLI_OK) {
        if (!write_picture(drawn, title, path, file.stream))
            status =
                cli_say(args->command, CLI_FAILED, "%s: the picture cannot be read back", path);
        const int closed = output_close(&file, status == CLI_OK);
        status = status == CLI_OK ? closed : status;
    }
    fclose(drawn);
    return status;
}
