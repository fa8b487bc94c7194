/* picture_file.c - pictures as files. */
#include "pictures/picture_file.h"

#include "flags/output.h"
#include "pictures/gnuplot.h"

#include <string.h>

int picture_ending(const char *path)
{
    if (strcmp(cli_extension(path), ".html") == 0)
        return cli_refuse("%s: the picture must be .png or .svg, which a page can show; "
                          "penumbra compare --report writes a page of its own",
                          path);
    return output_ending(path, "picture", ".png or .svg");
}

int picture_save(picture *pic, const char *path)
{
    FILE *const script = gnuplot_file(), *drawn;

    pic->svg = strcmp(cli_extension(path), ".svg") == 0;
    if (pic->svg && picture_is_crowded(pic) && !cli_quiet)
        cli_note("%s: every point is an element of it; a .png is smaller", path);
    if (script)
        picture_write(pic, script);
    CLI_TRY(gnuplot_draw(path, script, &drawn));
    const long size = fseek(drawn, 0, SEEK_END) == 0 ? ftell(drawn) : -1;
    char *const bytes = cli_alloc(size, 1);
    rewind(drawn);
    if (size < 0 || fread(bytes, 1, (size_t)size, drawn) != (size_t)size)
        return cli_fail("%s: the picture cannot be read back", path);
    return output_bytes(path, bytes, (size_t)size);
}
