/* picture_file.c - pictures as files. */
#include "picture_file.h"

#include "gnuplot.h"
#include "output.h"
#include "progress.h"

#include <string.h>

enum { COPY_SIZE = 1 << 14 };

static int is_svg(const char *path)
{
    return strcmp(cli_extension(path), ".svg") == 0;
}

int picture_ending(const cli_args *args, const char *path)
{
    static const char *const endings[] = { ".png", ".svg", NULL };

    if (strcmp(cli_extension(path), ".html") == 0)
        return cli_say(args->command, CLI_USAGE,
                       "%s: the picture must be .png or .svg, which a page can show; "
                       "penumbra compare --report writes a page of its own",
                       path);
    return output_ending(args, path, "picture", endings, ".png or .svg");
}

/* Draw with gnuplot and hand the bytes over in *drawn, at their beginning: fclose() it. `path` is
 * the file they are meant for. After a signal there is no message: ask progress_signal. */
static int draw(const picture *pic, const cli_args *args, const char *path, FILE **drawn)
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

/* The bytes of a file, as they are. Returns 0 if they cannot be read. */
static int copy(FILE *from, output_file *to)
{
    char bytes[COPY_SIZE];
    size_t got;

    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        output_write(to, bytes, got);
    return !ferror(from);
}

int picture_save(picture *pic, const cli_args *args, const char *path)
{
    output_file file;
    FILE *drawn;

    pic->svg = is_svg(path);
    if (pic->svg && picture_is_crowded(pic) && !args_value(args, "quiet"))
        cli_say(args->command, 0, "%s: every point is an element of it; a .png is smaller", path);
    int status = draw(pic, args, path, &drawn);
    if (progress_signal())
        return progress_die(args->command);
    if (status != CLI_OK)
        return status;
    status = output_open(&file, args, path);
    if (status == CLI_OK) {
        if (!copy(drawn, &file))
            status =
                cli_say(args->command, CLI_FAILED, "%s: the picture cannot be read back", path);
        const int closed = output_close(&file, status == CLI_OK);
        status = status == CLI_OK ? closed : status;
    }
    fclose(drawn);
    return status;
}
