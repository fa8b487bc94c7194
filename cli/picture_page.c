/* picture_page.c - pictures inside of pages: a panel each, and a legend of text. */
#define _POSIX_C_SOURCE 200809L

#include "picture_page.h"

#include "gnuplot.h"
#include "marks.h"
#include "page.h"
#include "palette.h"
#include "picture_file.h"
#include "picture_points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ONE_LINE = 12, MOST_LETTERS = 30 };

static int embed(FILE *page, FILE *drawn, const char *alternative)
{
    fputs("<img alt=\"", page);
    page_text(page, alternative);
    fputs("\" src=\"", page);
    const int written = page_data(page, drawn, "image/svg+xml");
    fputs("\"/>\n", page);
    return written;
}

/* Panel p as a picture of its own. */
static int embed_panel(const picture *pic, int p, const cli_args *args, const char *alternative,
                       const char *path, FILE *page)
{
    const int columns = (int)ceil(sqrt((double)pic->panel_count));
    const int rows = (pic->panel_count + columns - 1) / columns;
    picture one = *pic;
    FILE *drawn;

    one.width /= columns;
    one.height /= rows;
    one.use = PICTURE_ON_PAGE;
    one.svg = 1;
    one.crowded = picture_is_crowded(pic);
    one.panel_count = 1;
    one.panels = &pic->panels[p];
    const int status = picture_draw(&one, args, path, &drawn);
    if (status != CLI_OK)
        return status;
    const int written = embed(page, drawn, alternative);
    fclose(drawn);
    return written ? CLI_OK
                   : cli_say(args->command, CLI_FAILED, "%s: a picture cannot be read back", path);
}

/* The mark of an entry of the legend. */
static void write_mark(const layout *lay, const legend_entry *entry, FILE *page)
{
    const int is_dot = point_is_dot(lay, entry->filled);
    const mark_shape *const shape = mark_of_class(entry->class_index);
    const unsigned color = point_color(entry->class_index),
                   line = entry->filled ? PALETTE_OUTLINE : color;

    fputs("<svg class=\"mark\" viewBox=\"-1.6 -1.6 3.2 3.2\" aria-hidden=\"true\">", page);
    if (is_dot)
        fprintf(page, "<circle r=\".5\" fill=\"#%06x\"/></svg>", color);
    else if (entry->filled)
        fprintf(page, "<path d=\"%s\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\".15\"/>",
                shape->outer, color, line);
    else
        fprintf(page, "<path d=\"%s\" fill=\"none\" stroke=\"#%06x\" stroke-width=\".3\"/>",
                shape->outer, color);
    if (is_dot)
        return;
    if (shape->inner)
        fprintf(page, "<path d=\"%s\" stroke=\"#%06x\" stroke-width=\".3\"/>", shape->inner,
                entry->filled ? palette_ink(color) : color);
    fputs("</svg>", page);
}

/* A line of entries, or columns as wide as most names need. */
static void begin_legend(const layout *lay, FILE *page)
{
    size_t widest = 0;

    for (int i = 0; i < lay->names.count; i++)
        widest = strlen(lay->names.entries[i].name) > widest ? strlen(lay->names.entries[i].name)
                                                             : widest;
    if (lay->names.count <= ONE_LINE)
        fputs("<figcaption class=\"legend\">\n", page);
    else
        fprintf(page, "<figcaption class=\"legend many\" style=\"column-width:%.1fem\">\n",
                2.5 + 0.56 * fmin((double)widest, MOST_LETTERS));
}

/* The legend is text of the page: it wraps, and no name is cut. Returns 0 when there is no
 * memory. */
static int write_legend(const picture *pic, FILE *page)
{
    layout lay;
    const int looked = layout_look(pic, &lay);

    if (looked && lay.names.count > 0) {
        begin_legend(&lay, page);
        for (int i = 0; i < lay.names.count; i++) {
            fputs("<span>", page);
            write_mark(&lay, &lay.names.entries[i], page);
            page_text(page, lay.names.entries[i].name);
            fputs("</span>\n", page);
        }
        fputs("</figcaption>\n", page);
    }
    free(lay.names.entries);
    return looked;
}

static int write_figure(const picture *pic, const cli_args *args, const char *alternative,
                        const char *path, FILE *page)
{
    int status = CLI_OK;

    fprintf(page, "<figure%s>\n<div class=\"panels\">\n",
            pic->panel_count > 1 ? " class=\"several\"" : "");
    for (int p = 0; p < pic->panel_count && status == CLI_OK; p++) {
        const char *const title = pic->panels[p].title;
        status = embed_panel(pic, p, args, title ? title : alternative, path, page);
    }
    fputs("</div>\n", page);
    if (status == CLI_OK && !write_legend(pic, page))
        status = cli_say(args->command, CLI_FAILED, "out of memory for the pictures");
    fputs("</figure>\n", page);
    return status;
}

int picture_figure(const picture *pic, const cli_args *args, const char *alternative,
                   const char *path, FILE **drawn)
{
    *drawn = gnuplot_temporary();
    if (!*drawn)
        return cli_say(args->command, CLI_FAILED, "no temporary file can be made: %s",
                       strerror(errno));
    const int status = write_figure(pic, args, alternative, path, *drawn);
    rewind(*drawn);
    if (status != CLI_OK) {
        fclose(*drawn);
        *drawn = NULL;
    }
    return status;
}
