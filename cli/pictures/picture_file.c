/* picture_file.c - pictures as files. */
#include "pictures/picture_file.h"

#include "flags/output.h"
#include "pictures/gnuplot.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

static int is_svg(const char *path)
{
    return strcmp(cli_extension(path), ".svg") == 0;
}

int picture_ending(const cli_args *args, const char *path)
{
    if (strcmp(cli_extension(path), ".html") == 0)
        return cli_say(args->command, CLI_USAGE,
                       "%s: the picture must be .png or .svg, which a page can show; "
                       "penumbra compare --report writes a page of its own",
                       path);
    return output_ending(args, path, "picture", ".png or .svg");
}

/* Draw with gnuplot and hand the bytes over in *drawn, at their beginning: fclose() it. `path` is
 * the file they are meant for. After a signal there is no message: ask progress_signal. */
static int draw(const picture *pic, const cli_args *args, const char *path, FILE **drawn)
{
    gnuplot process;

    *drawn = NULL;
    CLI_TRY(gnuplot_open(&process, args));
    picture_write(pic, process.script);
    return gnuplot_close(&process, path, drawn);
}

/* The bytes of a file go to `path`. */
static int copy(const cli_args *args, FILE *from, const char *path)
{
    const long size = fseek(from, 0, SEEK_END) == 0 ? ftell(from) : -1;
    char *const bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;

    rewind(from);
    const int whole = bytes && fread(bytes, 1, (size_t)size, from) == (size_t)size;
    const int status =
        whole ? output_bytes(args, path, bytes, (size_t)size)
              : cli_say(args->command, CLI_FAILED, "%s: the picture cannot be read back", path);
    free(bytes);
    return status;
}

int picture_save(picture *pic, const cli_args *args, const char *path)
{
    FILE *drawn;

    pic->svg = is_svg(path);
    if (pic->svg && picture_is_crowded(pic) && !args_value(args, "quiet"))
        cli_say(args->command, 0, "%s: every point is an element of it; a .png is smaller", path);
    int status = draw(pic, args, path, &drawn);
    if (progress_signal())
        return progress_die(args->command);
    if (status != CLI_OK)
        return status;
    status = copy(args, drawn, path);
    fclose(drawn);
    return status;
}
