/* cmd_plot.c - penumbra plot: draw embedded rows, or the objective of a model, as a picture. */
#define _POSIX_C_SOURCE 200809L

#include "gnuplot.h"
#include "input.h"
#include "mapped.h"
#include "objective.h"
#include "output.h"
#include "picture_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 36, MOST_CLASSES = 1000, SMALLEST = 100, LARGEST = 20000 };

static const cli_flag flags[] = {
    { "output", "FILE", "the picture: .png, .svg, or .html, a page with it", 'o' },
    { "columns", "A,B[,C]",
      "columns to draw, by name or number from 1 (1,2); three\ncolumns are drawn in three "
      "dimensions",
      0 },
    { "labels", "FILE",
      "the labels known in training, one for each row; once for\nall DATA, or once for each", 0 },
    { "truth", "FILE",
      "the true classes of all rows, likewise: points without a\nlabel are then drawn hollow in "
      "the color of their class",
      0 },
    { "objective", NULL, "draw the objective minimized in the fit of a MODEL, by\niteration", 0 },
    { "title", "TEXT", "title of a panel; once for each DATA", 0 },
    { "size", "WxH", "width and height in pixels (1000x800)", 0 },
    { "quiet", NULL, "no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

/* Everything that is read for one panel. */
typedef struct source {
    pen_table *rows, *labels, *truth;
} source;

typedef struct plot {
    const cli_args *args;
    int count;
    source *sources;       /* [count] */
    picture_panel *panels; /* [count] */
    const char **names;    /* names of the classes of all panels, sorted */
    int name_count;
} plot;

static int no_memory(const plot *work)
{
    return cli_say(work->args->command, CLI_FAILED, "out of memory");
}

/* ---- classes ---- */

/* As the library sorts classes: numbers by value and before other texts, those by bytes. */
static int by_name(const void *a, const void *b)
{
    const char *const p = *(const char *const *)a, *const q = *(const char *const *)b;
    char *p_end, *q_end;
    const double x = strtod(p, &p_end), y = strtod(q, &q_end);
    const int p_number = p_end != p && !*p_end, q_number = q_end != q && !*q_end;

    if (p_number != q_number)
        return p_number ? -1 : 1;
    if (p_number && x != y)
        return x < y ? -1 : 1;
    return strcmp(p, q);
}

/* The labels known in training: from their file, else those of the rows. */
static const pen_table *known_labels(const source *from)
{
    return from->labels ? from->labels : from->rows->labels ? from->rows : NULL;
}

static void add_names(plot *work, const pen_table *table, int *count)
{
    for (int64_t c = 0; table && c < table->class_count; c++, ++*count)
        if (work->names)
            work->names[*count] = table->class_names[c];
}

static int count_names(plot *work)
{
    int count = 0;
    for (int p = 0; p < work->count; p++) {
        add_names(work, known_labels(&work->sources[p]), &count);
        add_names(work, work->sources[p].truth, &count);
    }
    return count;
}

/* The classes of all panels, each once, so that a class has the same color in all of them. */
static int collect_names(plot *work)
{
    const int all = count_names(work);
    work->names = calloc((size_t)all + 1, sizeof *work->names);
    if (!work->names)
        return no_memory(work);
    count_names(work);
    qsort(work->names, (size_t)all, sizeof *work->names, by_name);
    for (int i = 0; i < all; i++)
        if (i == 0 || strcmp(work->names[i], work->names[work->name_count - 1]) != 0)
            work->names[work->name_count++] = work->names[i];
    if (work->name_count > MOST_CLASSES)
        return cli_say(
            work->args->command, CLI_FAILED,
            "%d classes are too many to draw, the most is %d; is the label column right?",
            work->name_count, MOST_CLASSES);
    return CLI_OK;
}

static int class_of(const plot *work, const pen_table *table, int64_t row)
{
    if (!table || !table->labels || table->labels[row] == PEN_UNLABELLED)
        return PICTURE_NO_CLASS;
    const char *const name = table->class_names[table->labels[row]];
    const char **const found =
        bsearch(&name, work->names, (size_t)work->name_count, sizeof *work->names, by_name);
    return found ? (int)(found - work->names) : PICTURE_NO_CLASS;
}

static void set_classes(const plot *work, int p)
{
    picture_panel *const panel = &work->panels[p];
    const source *const from = &work->sources[p];
    const pen_table *const labels = known_labels(from);

    for (int64_t i = 0; i < panel->count; i++) {
        const int known = class_of(work, labels, i);
        panel->known[i] = known != PICTURE_NO_CLASS;
        panel->classes[i] = known != PICTURE_NO_CLASS ? known : class_of(work, from->truth, i);
        if (work->name_count == 0) { /* no classes: plain points */
            panel->known[i] = 1;
            panel->classes[i] = 0;
        }
    }
}

/* ---- columns ---- */

static double value_at(const pen_array *x, int64_t i, int64_t j)
{
    const int64_t at = i * x->stride + j;
    if (x->dtype == PEN_F64)
        return ((const double *)x->values)[at];
    return x->dtype == PEN_F32 ? (double)((const float *)x->values)[at]
                               : (double)((const unsigned char *)x->values)[at];
}

/* The column called `name` [length], or the one of that number; -1: none. */
static int64_t find_column(const pen_table *rows, const char *name, size_t length)
{
    for (int64_t j = 0; rows->column_names && j < rows->x.cols; j++)
        if (strlen(rows->column_names[j]) == length
            && strncmp(rows->column_names[j], name, length) == 0)
            return j;
    if (length == 0 || length > 9 || strspn(name, "0123456789") < length)
        return -1;
    const int64_t number = strtol(name, NULL, 10);
    return number >= 1 && number <= rows->x.cols ? number - 1 : -1;
}

/* The columns to draw, into column [PICTURE_DIMS], and their number. A table of one column is
 * drawn over the row number. */
static int choose_columns(const plot *work, const pen_table *rows, const char *path,
                          int64_t *column, int *dims)
{
    const char *text = args_value(work->args, "columns");

    *dims = 2;
    column[0] = 0;
    column[1] = rows->x.cols > 1 ? 1 : -1;
    for (*dims = text ? 0 : 2; text; *dims += 1) {
        const size_t length = strcspn(text, ",");
        if (*dims == PICTURE_DIMS)
            return cli_say(work->args->command, CLI_USAGE,
                           "--columns takes two or three columns, got \"%s\"",
                           args_value(work->args, "columns"));
        column[*dims] = find_column(rows, text, length);
        if (column[*dims] < 0)
            return cli_say(work->args->command, CLI_FAILED,
                           "%s: no column \"%.*s\"; it has %lld columns, counted from 1", path,
                           (int)length, text, (long long)rows->x.cols);
        text = text[length] ? text + length + 1 : NULL;
    }
    if (*dims < 2)
        return cli_say(work->args->command, CLI_USAGE,
                       "--columns takes two or three columns, got \"%s\"",
                       args_value(work->args, "columns"));
    return CLI_OK;
}

static int set_points(const plot *work, int p, const char *path, const int64_t *column)
{
    picture_panel *const panel = &work->panels[p];
    const pen_array *const x = &work->sources[p].rows->x;

    for (int64_t i = 0; i < panel->count; i++) {
        for (int j = 0; j < panel->dims; j++) {
            const double value = column[j] < 0 ? (double)(i + 1) : value_at(x, i, column[j]);
            if (!isfinite(value))
                return cli_say(work->args->command, CLI_FAILED,
                               "%s: row %lld, column %lld is not finite", path, (long long)i + 1,
                               (long long)column[j] + 1);
            panel->points[i * panel->dims + j] = value;
        }
    }
    return CLI_OK;
}

/* ---- one panel ---- */

/* Value `p` of a flag given once for all panels or once for each. */
static const char *for_panel(const cli_args *args, const char *flag, int p)
{
    const char *const value = args_repeated(args, flag, p);
    return value || args_repeated(args, flag, 1) ? value : args_repeated(args, flag, 0);
}

static int read_source(const plot *work, const pen_read_options *options, int p)
{
    const cli_args *const args = work->args;
    const char *const path = args_operand(args, p), *const labels = for_panel(args, "labels", p),
                      *const truth = for_panel(args, "truth", p);
    source *const from = &work->sources[p];

    int status = input_rows(args, path, options, &from->rows);
    if (status == CLI_OK && labels)
        status = input_labels(args, labels, path, from->rows, &from->labels);
    if (status == CLI_OK && truth)
        status = input_labels(args, truth, path, from->rows, &from->truth);
    return status;
}

static void name_axes(picture_panel *panel, const pen_table *rows, const int64_t *column)
{
    for (int j = 0; j < panel->dims; j++) {
        snprintf(panel->axis_numbers[j], PICTURE_NUMBER, column[j] < 0 ? "row" : "column %lld",
                 (long long)column[j] + 1);
        panel->axis_names[j] = column[j] >= 0 && rows->column_names ? rows->column_names[column[j]]
                                                                    : panel->axis_numbers[j];
    }
}

static int make_panel(const plot *work, int p)
{
    picture_panel *const panel = &work->panels[p];
    const pen_table *const rows = work->sources[p].rows;
    const char *const path = input_name(args_operand(work->args, p));
    int64_t column[PICTURE_DIMS];

    int status = choose_columns(work, rows, path, column, &panel->dims);
    if (status != CLI_OK)
        return status;
    panel->count = rows->x.rows;
    panel->title = args_repeated(work->args, "title", p);
    panel->points = malloc((size_t)panel->count * (size_t)panel->dims * sizeof *panel->points);
    panel->classes = malloc((size_t)panel->count * sizeof *panel->classes);
    panel->known = malloc((size_t)panel->count);
    if (!panel->points || !panel->classes || !panel->known)
        return no_memory(work);
    name_axes(panel, rows, column);
    set_classes(work, p);
    return set_points(work, p, path, column);
}

static int make_panels(plot *work, const pen_read_options *options)
{
    int status = CLI_OK;
    for (int p = 0; p < work->count && status == CLI_OK; p++)
        status = read_source(work, options, p);
    if (status == CLI_OK)
        status = collect_names(work);
    for (int p = 0; p < work->count && status == CLI_OK; p++)
        status = make_panel(work, p);
    mapped_check();
    return status;
}

static int make_objectives(plot *work)
{
    int status = CLI_OK;
    for (int p = 0; p < work->count && status == CLI_OK; p++) {
        work->panels[p].title = args_repeated(work->args, "title", p);
        status = objective_panel(work->args, args_operand(work->args, p), &work->panels[p]);
    }
    return status;
}

static void plot_free(plot *work)
{
    for (int p = 0; work->sources && p < work->count; p++) {
        pen_table_free(work->sources[p].rows);
        pen_table_free(work->sources[p].labels);
        pen_table_free(work->sources[p].truth);
    }
    for (int p = 0; work->panels && p < work->count; p++) {
        free(work->panels[p].points);
        free(work->panels[p].classes);
        free(work->panels[p].known);
    }
    free(work->sources);
    free(work->panels);
    free(work->names);
}

/* ---- the command ---- */

/* "1000x800" */
static int read_size(const cli_args *args, int *width, int *height)
{
    const char *const text = args_value(args, "size");
    char *end = NULL;

    if (!text)
        return CLI_OK;
    const long w = strtol(text, &end, 10);
    const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || w < SMALLEST || w > LARGEST || h < SMALLEST || h > LARGEST)
        return cli_say(args->command, CLI_USAGE,
                       "--size must be WIDTHxHEIGHT, each from %d to %d pixels, got \"%s\"",
                       SMALLEST, LARGEST, text);
    *width = (int)w;
    *height = (int)h;
    return CLI_OK;
}

/* A flag that may be repeated is given once, or once for each panel. */
static int check_repeats(const cli_args *args, int count)
{
    static const char *const repeated[] = { "labels", "truth", "title" };

    for (int f = 0; f < 3; f++) {
        int given = 0;
        while (args_repeated(args, repeated[f], given))
            given++;
        if (given > 0 && given != count && !(given == 1 && f < 2))
            return cli_say(args->command, CLI_USAGE, "--%s was given %d time%s for %d panels",
                           repeated[f], given, given == 1 ? "" : "s", count);
    }
    return CLI_OK;
}

/* Flags that say how DATA is drawn do not apply to a MODEL. */
static int check_objective(const cli_args *args)
{
    static const char *const others[] = { "columns", "labels", "truth" };

    if (!args_value(args, "objective"))
        return CLI_OK;
    for (int f = 0; f < 3; f++)
        if (args_value(args, others[f]))
            return cli_say(args->command, CLI_USAGE, "--%s cannot be combined with --objective",
                           others[f]);
    for (const cli_flag *flag = input_flags; flag->name; flag++)
        if (args_value(args, flag->name))
            return cli_say(args->command, CLI_USAGE, "--%s cannot be combined with --objective",
                           flag->name);
    return CLI_OK;
}

static int check_output(const cli_args *args)
{
    const char *const out = args_value(args, "output");

    if (!out)
        return cli_say(args->command, CLI_USAGE, "-o FILE is required: a .png, .svg or .html file");
    int status = picture_ending(args, out);
    if (status == CLI_OK)
        status = output_ready(args);
    return status == CLI_OK ? gnuplot_check(args) : status;
}

static int draw(const plot *work, picture *pic)
{
    const char *const title = args_value(work->args, "title");

    pic->panel_count = work->count;
    pic->panels = work->panels;
    pic->class_count = work->name_count;
    pic->class_names = work->names;
    return picture_save(pic, work->args, title ? title : input_name(args_operand(work->args, 0)),
                        args_value(work->args, "output"));
}

static int plot_files(const cli_args *args)
{
    picture pic = {
        .width = 1000, .height = 800, .filled_name = "labelled", .hollow_name = "unlabelled"
    };
    plot work = { .args = args };
    pen_read_options options;

    while (args_operand(args, work.count))
        work.count++;
    int status = check_output(args);
    if (status == CLI_OK)
        status = check_objective(args);
    if (status == CLI_OK)
        status = check_repeats(args, work.count);
    if (status == CLI_OK)
        status = read_size(args, &pic.width, &pic.height);
    if (status == CLI_OK)
        status = input_options(args, &options);
    if (status != CLI_OK)
        return status;
    work.sources = calloc((size_t)work.count, sizeof *work.sources);
    work.panels = calloc((size_t)work.count, sizeof *work.panels);
    if (!work.sources || !work.panels)
        status = no_memory(&work);
    else
        status =
            args_value(args, "objective") ? make_objectives(&work) : make_panels(&work, &options);
    if (status == CLI_OK)
        status = draw(&work, &pic);
    plot_free(&work);
    return status;
}

static const args_form form = {
    "penumbra plot DATA...|--objective MODEL... [flags] -o FILE.png|FILE.svg|FILE.html",
    "Draw two or three columns of DATA as points colored by class, with gnuplot. Several DATA "
    "become panels of one picture.\n"
    "Rows whose label is known are filled, the others hollow. With --objective each MODEL is a "
    "panel: the objective of its fit, a\n"
    "point for each iteration.\n",
    1,
    MOST_PANELS,
    { { NULL, flags }, { "Reading DATA", input_flags } },
};

int cmd_plot(int argc, char **argv)
{
    return args_run(&form, argc, argv, plot_files);
}
