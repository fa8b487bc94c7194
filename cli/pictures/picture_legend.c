/* picture_legend.c - the legend of a picture. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/picture_legend.h"

#include "pictures/gnuplot.h"
#include "pictures/picture_points.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const double LINE = 24, MARK = 22;
static const double MOST_WIDTH = 0.42, MOST_HEIGHT = 0.45; /* of a picture */
static const double LONGEST = 48; /* names are cut beyond it, in letters as wide as high */
static const double SHORTEST = 4; /* and never to less */
static const double FONTS[] = { 1, 0.85, 0.7 };
enum { FONT_COUNT = 3, TEXT_SIZE = 400, START_SIZE = 200, REST_SIZE = 40 };

/* ---- what is in it ---- */

static void list(const picture *pic, layout *lay)
{
    legend *const names = &lay->names;

    names->entries = cli_alloc(pic->class_count + 4, sizeof *names->entries);
    for (int c = 0; c < pic->class_count; c++)
        names->entries[names->count++] =
            (legend_entry){ pic->class_names[c], c,
                            lay->has_known ? PICTURE_FILLED : PICTURE_HOLLOW };
    if (pic->class_count > 0 && lay->has_known && lay->has_unknown)
        names->entries[names->count++] = (legend_entry){ "labelled", ANY_CLASS, PICTURE_FILLED };
    if (pic->class_count > 0 && lay->has_unknown && (lay->has_known || pic->predicted))
        names->entries[names->count++] =
            (legend_entry){ pic->predicted ? "predicted" : "unlabelled", ANY_CLASS,
                            PICTURE_HOLLOW };
    if (lay->palest > 0)
        names->entries[names->count++] = (legend_entry){ "doubtful", ANY_CLASS, lay->palest };
    if (pic->class_count > 0 && lay->has_classless)
        names->entries[names->count++] = (legend_entry){ "unlabelled", PICTURE_NO_CLASS, 0 };
}

/* ---- where it is ---- */

/* About how wide a character is, in letters as wide as high. */
static double character_width(const char *s)
{
    const unsigned char c = (unsigned char)*s;

    if (c >= 0xE3) /* Chinese, Japanese, Korean; most others of their length are rare */
        return 1;
    if (c >= 0x80)
        return 0.6;
    if (strchr("MWmw@%", c))
        return 0.87;
    if (strchr("fijlrtI.,:;|!'()[]/ ", c))
        return 0.36;
    return isupper(c) ? 0.7 : 0.59;
}

static int is_first_byte(const char *s)
{
    return ((unsigned char)*s & 0xC0) != 0x80;
}

static double text_width(const char *text)
{
    double width = 0;

    for (; *text; text++)
        width += is_first_byte(text) ? character_width(text) : 0;
    return width;
}

static double widest_name(const legend *names)
{
    double widest = 0;

    for (int i = 0; i < names->count; i++)
        widest = fmax(widest, text_width(names->entries[i].name));
    return fmin(widest, LONGEST);
}

/* The room for lines right of the panels. */
static double side_height(const layout *lay)
{
    return lay->height - LAYOUT_TOP - LAYOUT_EDGE;
}

static void set_font(legend *names, double font, double widest)
{
    names->font = font;
    names->line_height = LINE * font;
    names->name_width = widest;
    names->column_width = MARK + widest * LAYOUT_EM * font + LAYOUT_EDGE;
    names->shown = names->count;
}

static int fits_right(const layout *lay, legend *names)
{
    names->below = 0;
    names->lines = (int)fmax(1, side_height(lay) / names->line_height);
    names->columns = (names->count + names->lines - 1) / names->lines;
    names->width = names->columns * names->column_width;
    return names->width <= MOST_WIDTH * lay->width;
}

static int fits_below(const picture *pic, const layout *lay, legend *names)
{
    names->below = 1;
    names->columns = (int)((lay->width - LAYOUT_EDGE) / names->column_width);
    names->columns = names->columns < names->count ? names->columns : names->count;
    if (names->columns < 1)
        return 0;
    names->lines = (names->count + names->columns - 1) / names->columns;
    names->columns = (names->count + names->lines - 1) / names->lines;
    names->height = names->lines * names->line_height + LAYOUT_EDGE;
    return !pic->fixed || names->height <= MOST_HEIGHT * lay->height;
}

/* Names cut to the room there is, and as many entries as there is room for. */
static void cut_to_fit(const layout *lay, legend *names)
{
    const double least = MARK + SHORTEST * LAYOUT_EM * names->font + LAYOUT_EDGE;
    const int most = (int)fmax(1, MOST_WIDTH * lay->width / least);

    fits_right(lay, names);
    names->columns = names->columns < most ? names->columns : most;
    names->width = MOST_WIDTH * lay->width;
    names->column_width = names->width / names->columns;
    names->name_width = (names->column_width - MARK - LAYOUT_EDGE) / (LAYOUT_EM * names->font);
    if (names->count > names->columns * names->lines)
        names->shown = names->columns * names->lines - 1;
}

void legend_place(const picture *pic, layout *lay)
{
    legend *const names = &lay->names;

    list(pic, lay);
    const double widest = widest_name(names);
    if (names->count == 0)
        return;
    for (int f = 0; f < FONT_COUNT; f++) {
        set_font(names, FONTS[f], widest);
        if (fits_right(lay, names) || fits_below(pic, lay, names))
            return;
    }
    cut_to_fit(lay, names);
}

/* ---- as labels ---- */

/* The upper left corner. */
static void find_corner(const layout *lay, double *left, double *top)
{
    if (lay->names.below) {
        *left = LAYOUT_EDGE;
        *top = lay->names.height;
        return;
    }
    *left = lay->width - lay->names.width + 0.4 * LAYOUT_EDGE;
    *top = lay->height - LAYOUT_TOP;
}

/* The bytes of the first letters that are not wider than `room`. */
static size_t fitting(const char *text, double room)
{
    double width = 0;
    size_t used = 0;

    for (; text[used]; used++) {
        width += is_first_byte(text + used) ? character_width(text + used) : 0;
        if (is_first_byte(text + used) && width > room)
            break;
    }
    return used;
}

void legend_name(FILE *script, const char *name, double room)
{
    char text[TEXT_SIZE];
    const char *end = name;

    if (text_width(name) <= room + 1e-9) {
        gnuplot_text(script, name);
        return;
    }
    while (!is_first_byte(end) || text_width(end) > 0.4 * room)
        end++;
    const size_t start = fitting(name, 0.6 * room - 1);
    snprintf(text, sizeof text, "%.*s...%s",
             (int)(start < START_SIZE ? start : cli_cut(name, START_SIZE)), name, end);
    gnuplot_text(script, text);
}

static void write_mark(const layout *lay, const legend_entry *entry, double x, double y,
                       FILE *script)
{
    point_mark marks[POINT_MARKS];
    const double size = point_is_dot(lay, entry->pale) ? 1 : 1.6;
    const int count = point_marks(lay, entry->class_index, entry->pale, size, marks);

    for (int i = 0; i < count; i++)
        fprintf(script,
                "set label '' at screen %.5f,%.5f point pointtype %d pointsize %.2f linecolor rgb "
                "0x%08X linewidth %.2f\n",
                x / lay->width, y / lay->height, marks[i].type,
                marks[i].size * lay->scale * lay->names.font, marks[i].color, 1.3 * lay->scale);
}

void legend_write(const layout *lay, FILE *script)
{
    const legend *const names = &lay->names;
    char rest[REST_SIZE];
    double left, top;

    if (names->count == 0)
        return;
    find_corner(lay, &left, &top);
    for (int i = 0; i < names->shown + (names->shown < names->count); i++) {
        const double x = left + i / names->lines * names->column_width;
        const double y = top - (i % names->lines + 0.5) * names->line_height;
        snprintf(rest, sizeof rest, "and %d more", names->count - names->shown);
        if (i < names->shown)
            write_mark(lay, &names->entries[i], x, y, script);
        fputs("set label ", script);
        legend_name(script, i < names->shown ? names->entries[i].name : rest,
                    i < names->shown ? names->name_width : LONGEST);
        fprintf(script, " at screen %.5f,%.5f left font ',%.1f'\n", (x + 0.6 * MARK) / lay->width,
                y / lay->height, LAYOUT_FONT * names->font * lay->scale);
    }
}
