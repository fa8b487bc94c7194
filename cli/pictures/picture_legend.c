/* picture_legend.c - the legend of a picture. */
#include "pictures/layout.h"

static const double LINE = 24, MARK = 22, EDGE = 16;
static const double MOST_WIDTH = 0.42;               /* of a picture */
enum { LONGEST = 80, SHORTEST = 7, REST_SIZE = 40 }; /* letters of a name */

typedef struct entry {
    const char *name;
    int class_index; /* or PICTURE_NO_CLASS, ANY_CLASS */
    int pale;        /* as of points */
} entry;

/* What is in it, for the points that there are. Returns the number of entries. */
static int list(const picture *pic, const layout *lay, entry *entries)
{
    const int any = pic->class_count > 0;
    const entry others[] = {
        { any && lay->most_known && lay->has_unknown ? "labelled" : NULL, ANY_CLASS,
          PICTURE_FILLED },
        { !any || !lay->has_unknown ? NULL
          : pic->predicted          ? "predicted"
          : lay->most_known         ? "unlabelled"
                                    : NULL,
          ANY_CLASS, PICTURE_HOLLOW },
        { lay->palest > 0 ? "doubtful" : NULL, ANY_CLASS, lay->palest },
        { any && lay->has_classless ? "unlabelled" : NULL, PICTURE_NO_CLASS, 0 },
    };
    int count = 0;

    for (; count < pic->class_count; count++)
        entries[count] = (entry){ pic->class_names[count], count,
                                  lay->most_known ? PICTURE_FILLED : PICTURE_HOLLOW };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].name)
            entries[count++] = others[i];
    return count;
}

static void write_mark(const layout *lay, const entry *of, double x, double y, FILE *script)
{
    point_mark marks[POINT_MARKS];
    const double size = point_is_dot(lay, of->pale) ? 1 : 1.6;
    const int count = point_marks(lay, of->class_index, of->pale, size, marks);

    for (int i = 0; i < count; i++)
        fprintf(script,
                "set label '' at screen %.5f,%.5f point pointtype %d pointsize %.2f linecolor rgb "
                "0x%08X linewidth %.2f\n",
                x / lay->width, y / lay->height, marks[i].type, marks[i].size * lay->scale,
                marks[i].color, 1.3 * lay->scale);
}

static double column_width(int letters)
{
    return MARK + EDGE + letters * LAYOUT_LETTER;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

void legend_write(const picture *pic, layout *lay, FILE *script)
{
    entry *const entries = cli_alloc(pic->class_count + 4, sizeof *entries);
    const int count = list(pic, lay, entries);
    const double most = MOST_WIDTH * lay->width;
    int letters = 1, lines = (int)((lay->height - 2 * EDGE) / LINE);

    if (count == 0)
        return;
    for (int i = 0; i < count; i++)
        letters = cli_width(entries[i].name) > letters ? cli_width(entries[i].name) : letters;
    letters = least(letters, LONGEST);
    lines = lines > 1 ? lines : 1;
    int columns = (count + lines - 1) / lines;
    if (!pic->fixed && columns * column_width(letters) > most) {
        letters = least(letters, (int)((lay->width - EDGE - column_width(0)) / LAYOUT_LETTER));
        columns = (int)((lay->width - EDGE) / column_width(letters));
        lines = (count + columns - 1) / columns;
        lay->below = lines * LINE + EDGE;
        lay->height += lay->below;
    } else {
        columns = least(columns, 1 + (int)(most / column_width(SHORTEST)));
        letters = least(letters, (int)((most / columns - column_width(0)) / LAYOUT_LETTER));
        letters = letters > SHORTEST ? letters : SHORTEST;
        lay->right = columns * column_width(letters);
    }
    const int shown = count <= columns * lines ? count : columns * lines - 1;
    const double left = lay->below > 0 ? EDGE : lay->width - lay->right + 0.4 * EDGE,
                 top = lay->below > 0 ? lay->below : lay->height - EDGE;
    for (int i = 0; i < least(count, shown + 1); i++) {
        const double x = left + i / lines * column_width(letters),
                     y = top - (i % lines + 0.5) * LINE;
        char rest[REST_SIZE];
        snprintf(rest, sizeof rest, "and %d more", count - shown);
        if (i < shown)
            write_mark(lay, &entries[i], x, y, script);
        fputs("set label ", script);
        gnuplot_text(script, i < shown ? entries[i].name : rest, i < shown ? letters : REST_SIZE);
        fprintf(script, " at screen %.5f,%.5f left font ',%.1f'\n", (x + 0.6 * MARK) / lay->width,
                y / lay->height, LAYOUT_FONT * lay->scale);
    }
}
