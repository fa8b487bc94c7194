/* picture_file.c - pictures as files. */
#include "pictures/picture_file.h"

#include "flags/output.h"
#include "pictures/gnuplot.h"

#include <string.h>

int picture_ending(const cli_args *args, const char *path)
{
    if (strcmp(cli_extension(path), ".html") == 0)
        return cli_say(args->command, CLI_USAGE,
                       "%s: the picture must be .png or .svg, which a page can show; "
                       "penumbra compare --report writes a page of its own",
                       path);
    return output_ending(args, path, "picture", ".png or .svg");
}

int picture_save(picture *pic, const cli_args *args, const char *path)
{
    FILE *const script = gnuplot_file(), *drawn;

    pic->svg = strcmp(cli_extension(path), ".svg") == 0;
    if (pic->svg && picture_is_crowded(pic) && !args_value(args, "quiet"))
        cli_say(args->command, 0, "%s: every point is an element of it; a .png is smaller", path);
    if (script)
        picture_write(pic, script);
    CLI_TRY(gnuplot_draw(args, path, script, &drawn));
    const long size = fseek(drawn, 0, SEEK_END) == 0 ? ftell(drawn) : -1;
    char *const bytes = cli_alloc(size, 1);
    rewind(drawn);
    if (size < 0 || fread(bytes, 1, (size_t)size, drawn) != (size_t)size)
        return cli_say(args->command, CLI_FAILED, "%s: the picture cannot be read back", path);
    return output_bytes(args, path, bytes, (size_t)size);
}
