/* cmd_plot.c - penumbra plot: draw rows as a picture; with a model as it embeds them. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/mapped.h"
#include "flags/output.h"
#include "loadings.h"
#include "model_rows.h"
#include "pictures/cell.h"
#include "pictures/gnuplot.h"
#include "pictures/picture_file.h"
#include "progress.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PANELS = 36,
    MOST_CLASSES = 1000,
    SMALLEST = 100,
    LARGEST = 20000,
    AXIS_COLUMNS = 3,
    AXIS_LETTERS = 80,
    METHOD_SIZE = 8,
    TITLE_SIZE = 200
};

/* Predicted classes are the paler the more of these their probability is below. */
static const double DOUBTFUL[PICTURE_PALEST] = { 0.9, 0.7, 0.5 };

static const cli_flag flags[] = {
    { "output", "FILE", "the picture: .png or .svg", 'o' },
    { "columns", "A,B[,C]",
      "columns to draw, by name or number from 1 (the two that\nshow the classes of MODEL best, "
      "if it has such, else 1,2);\nthree columns are drawn in three dimensions",
      0 },
    { "labels", "FILE", "the known labels, one for each row; once for all DATA,\nor once for each",
      0 },
    { "truth", "FILE",
      "the true classes of all rows, likewise: points without a\nlabel are then drawn hollow in "
      "the color of their class",
      0 },
    { "title", "TEXT", "title of a panel; once for each DATA", 0 },
    { "size", "WxH",
      "width and height in pixels (1000x800, and more height\nfor a legend that does not fit "
      "beside)",
      0 },
    { "quiet", NULL, "no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

/* Everything that is read for one panel. */
typedef struct source {
    pen_table *rows, *labels, *truth;
    double *z;             /* [rows x pen_model_output_dim] with a model */
    pen_array x;           /* what is drawn: the rows, z, or the picture of z */
    int32_t *predicted;    /* [rows] where the classes of some are not known, and MODEL predicts */
    double *probabilities; /* [rows x pen_model_class_count] likewise */
    char title[TITLE_SIZE];
} source;

typedef struct plot {
    const cli_args *args;
    pen_model *model;    /* NULL: DATA are drawn as they are */
    const double *shows; /* [pen_model_output_dim x 2] what is drawn of z; NULL: columns */
    int first;           /* the operand that is the first panel */
    int count;
    source *sources;       /* [count] */
    picture_panel *panels; /* [count] */
    const char **names;    /* names of the classes of all panels, sorted */
    int name_count;
} plot;

/* The file of panel p. */
static const char *panel_path(const plot *work, int p)
{
    return args_operand(work->args, work->first + p);
}

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
    int count = 0, predicted = 0;

    for (int p = 0; p < work->count; p++) {
        add_names(work, known_labels(&work->sources[p]), &count);
        add_names(work, work->sources[p].truth, &count);
        predicted |= work->sources[p].predicted != NULL;
    }
    for (int64_t c = 0; predicted && c < pen_model_class_count(work->model); c++, count++)
        if (work->names)
            work->names[count] = pen_model_class_name(work->model, c);
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

static int class_named(const plot *work, const char *name)
{
    const char **const found =
        bsearch(&name, work->names, (size_t)work->name_count, sizeof *work->names, by_name);
    return (int)(found - work->names);
}

static int class_of(const plot *work, const pen_table *table, int64_t row)
{
    return !table || !table->labels || table->labels[row] == PEN_UNLABELLED
               ? PICTURE_NO_CLASS
               : class_named(work, table->class_names[table->labels[row]]);
}

/* A row whose class MODEL predicts. */
static void set_predicted(const plot *work, const source *from, int64_t row, picture_panel *panel)
{
    const int64_t c = from->predicted[row], count = pen_model_class_count(work->model);

    if (c < 0) /* it has gaps */
        return;
    panel->classes[row] = class_named(work, pen_model_class_name(work->model, c));
    while (panel->pale[row] < PICTURE_PALEST
           && from->probabilities[row * count + c] < DOUBTFUL[panel->pale[row]])
        panel->pale[row]++;
}

static void set_classes(const plot *work, int p)
{
    picture_panel *const panel = &work->panels[p];
    const source *const from = &work->sources[p];
    const pen_table *const labels = known_labels(from);

    for (int64_t i = 0; i < panel->count; i++) {
        const int known = class_of(work, labels, i);
        panel->pale[i] = known != PICTURE_NO_CLASS ? PICTURE_FILLED : PICTURE_HOLLOW;
        panel->classes[i] = known != PICTURE_NO_CLASS ? known : class_of(work, from->truth, i);
        if (from->predicted && panel->classes[i] == PICTURE_NO_CLASS)
            set_predicted(work, from, i, panel);
        if (work->name_count == 0) { /* no classes: plain points */
            panel->pale[i] = PICTURE_FILLED;
            panel->classes[i] = 0;
        }
    }
}

/* ---- columns ---- */

/* The name of a column to draw; NULL: it has a number. The dimensions of a model are z1, z2, .. */
static const char *column_name(const plot *work, const pen_table *rows, int64_t j)
{
    return !work->model && rows->column_names ? rows->column_names[j] : NULL;
}

/* The column called `name` [length], or the one of that number, from 1, or after # from 0; -1:
 * none, -2: these are two. Dimensions of a model are z1 or 1. */
static int64_t find_column(const plot *work, const source *from, const char *name, size_t length)
{
    const size_t mark = length > 1 && *name == (work->model ? 'z' : '#');
    const char *const digits = name + mark;
    int64_t named = -1, place = -1;

    for (int64_t j = 0; column_name(work, from->rows, 0) && j < from->x.cols; j++)
        if (strlen(column_name(work, from->rows, j)) == length
            && strncmp(column_name(work, from->rows, j), name, length) == 0)
            named = j;
    if (length > mark && length <= 9 && strspn(digits, "0123456789") >= length - mark)
        place = strtol(digits, NULL, 10) - (*name != '#');
    if (place < 0 || place >= from->x.cols || place == named)
        return named;
    return named < 0 ? place : -2;
}

/* The columns to draw, into column [PICTURE_DIMS], and their number. A table of one column is
 * drawn over the row number. */
static int choose_columns(const plot *work, const source *from, const char *path, int64_t *column,
                          int *dims)
{
    const char *text = args_value(work->args, "columns");

    *dims = 2;
    column[0] = 0;
    column[1] = from->x.cols > 1 ? 1 : -1;
    for (*dims = text ? 0 : 2; text; *dims += 1) {
        const size_t length = strcspn(text, ",");
        if (*dims == PICTURE_DIMS)
            return cli_say(work->args->command, CLI_USAGE,
                           "--columns takes two or three columns, got \"%s\"",
                           args_value(work->args, "columns"));
        column[*dims] = find_column(work, from, text, length);
        if (column[*dims] == -2)
            return cli_say(work->args->command, CLI_FAILED,
                           "%s: \"%.*s\" is the name of one column and the number of another; "
                           "'#0' is the first one, whatever its name",
                           path, (int)length, text);
        if (column[*dims] < 0)
            return cli_say(work->args->command, CLI_FAILED,
                           "%s: no column \"%.*s\"; it has %lld columns, counted from 1", path,
                           (int)length, text, (long long)from->x.cols);
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
    const pen_array *const x = &work->sources[p].x;

    for (int64_t i = 0; i < panel->count; i++) {
        for (int j = 0; j < panel->dims; j++) {
            const double value = column[j] < 0 ? (double)(i + 1) : cli_cell(x, i, column[j]);
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
    const char *const path = panel_path(work, p), *const labels = for_panel(args, "labels", p),
                      *const truth = for_panel(args, "truth", p);
    source *const from = &work->sources[p];

    int status = work->model ? model_rows_read(args, work->model, path, options, 1, &from->rows)
                             : input_rows(args, path, options, &from->rows);
    if (status == CLI_OK && labels)
        status = input_labels(args, labels, path, from->rows, &from->labels);
    if (status == CLI_OK && truth)
        status = input_labels(args, truth, path, from->rows, &from->truth);
    return status;
}

/* Whether the model is asked for classes: it predicts, and those of some rows are not given. */
static int needs_classes(const plot *work, const source *from)
{
    const pen_table *const labels = known_labels(from);
    int64_t known = 0;

    for (int64_t i = 0; labels && i < from->x.rows; i++)
        known += labels->labels[i] != PEN_UNLABELLED;
    return (pen_model_classifier(work->model) || pen_model_members(work->model) > 1) && !from->truth
           && known < from->x.rows;
}

/* z becomes its picture, in place. */
static void show(const plot *work, source *from, int64_t k)
{
    for (int64_t i = 0; i < from->x.rows; i++) {
        double seen[2] = { 0, 0 };
        for (int64_t j = 0; j < 2 * k; j++)
            seen[j % 2] += from->z[i * k + j / 2] * work->shows[j];
        from->z[2 * i] = seen[0];
        from->z[2 * i + 1] = seen[1];
    }
}

/* What is drawn of the rows of panel p: themselves, or what the model makes of them. After a signal
 * there is no message: ask progress_signal. */
static int embed_source(const plot *work, int p)
{
    source *const from = &work->sources[p];
    pen_error err;
    progress bar;

    from->x = from->rows->x;
    if (!work->model)
        return CLI_OK;
    const pen_array x = from->x;
    const int64_t n = x.rows, k = pen_model_output_dim(work->model);
    const int asks = needs_classes(work, from);
    from->z = calloc((size_t)n, (size_t)k * sizeof *from->z);
    if (asks) {
        from->predicted = calloc((size_t)n, sizeof *from->predicted);
        from->probabilities = calloc((size_t)n, (size_t)pen_model_class_count(work->model)
                                                    * sizeof *from->probabilities);
    }
    if (!from->z || (asks && (!from->predicted || !from->probabilities)))
        return cli_say(work->args->command, CLI_FAILED,
                       "out of memory for %lld rows of %lld dimensions", (long long)n,
                       (long long)k);
    progress_begin(&bar, args_value(work->args, "quiet") != NULL);
    const pen_control control = { 0, progress_show, &bar };
    pen_status status = pen_transform(work->model, &x, PEN_F64, from->z, k, &control, &err);
    if (status == PEN_OK && asks)
        status = pen_predict(work->model, &x, &control, from->predicted, from->probabilities, NULL,
                             &err);
    progress_end(&bar);
    if (progress_signal())
        return CLI_FAILED;
    if (status != PEN_OK)
        return cli_say(work->args->command, CLI_FAILED, "%s: %s", input_name(panel_path(work, p)),
                       err.message);
    if (work->shows)
        show(work, from, k);
    from->x =
        work->shows ? pen_dense(from->z, PEN_F64, n, 2, 2) : pen_dense(from->z, PEN_F64, n, k, k);
    return CLI_OK;
}

/* The coordinates of a picture are named by the columns that contribute most to them. */
static void name_axes(const plot *work, picture_panel *panel, const pen_table *rows,
                      const int64_t *column)
{
    const size_t most = AXIS_LETTERS / (size_t)ceil(sqrt(work->count));
    loading strong[LOADINGS_MOST];

    for (int j = 0; j < panel->dims; j++) {
        const char *const name = column[j] < 0 ? NULL : column_name(work, rows, column[j]);
        char *const text = panel->axis_texts[j];
        int count = work->shows ? loadings_mixed(work->model, work->shows + j, 2, strong) : 0;
        snprintf(text, PICTURE_AXIS, "%s%lld", work->model ? "z" : "column ",
                 (long long)column[j] + 1);
        for (count = count < AXIS_COLUMNS ? count : AXIS_COLUMNS; count > 0; count--)
            if (strlen(loadings_text(work->model, strong, count, text, PICTURE_AXIS)) < most)
                break;
        panel->axis_names[j] = column[j] < 0 ? "row" : name ? name : text;
    }
}

/* The name of a file without its folders. */
static const char *own_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* What is drawn, where --title does not say it. */
static const char *title_of(const plot *work, int p)
{
    const char *const given = args_repeated(work->args, "title", p);
    const pen_fact *const method = pen_fact_named(pen_model_info_facts(work->model), "picture");
    char *const title = work->sources[p].title, name[METHOD_SIZE] = "";

    for (size_t i = 0; method && method->text && method->text[i] && i < METHOD_SIZE - 1; i++)
        name[i] = (char)toupper((unsigned char)method->text[i]);
    if (given || !work->shows)
        return given;
    snprintf(title, TITLE_SIZE, "%.60s: the classes of %.60s%s%s",
             own_name(input_name(panel_path(work, p))), own_name(args_operand(work->args, 0)),
             *name ? " by " : "", name);
    return title;
}

static int make_panel(const plot *work, int p)
{
    picture_panel *const panel = &work->panels[p];
    const source *const from = &work->sources[p];
    const char *const path = input_name(panel_path(work, p));
    int64_t column[PICTURE_DIMS];

    int status = choose_columns(work, from, path, column, &panel->dims);
    if (status != CLI_OK)
        return status;
    panel->count = from->x.rows;
    panel->title = title_of(work, p);
    panel->points = malloc((size_t)panel->count * (size_t)panel->dims * sizeof *panel->points);
    panel->classes = malloc((size_t)panel->count * sizeof *panel->classes);
    panel->pale = malloc((size_t)panel->count);
    if (!panel->points || !panel->classes || !panel->pale)
        return no_memory(work);
    name_axes(work, panel, from->rows, column);
    set_classes(work, p);
    return set_points(work, p, path, column);
}

/* ---- all panels ---- */

static int make_panels(plot *work, const pen_read_options *options)
{
    int status = CLI_OK;
    for (int p = 0; p < work->count && status == CLI_OK; p++)
        status = read_source(work, options, p);
    for (int p = 0; p < work->count && status == CLI_OK; p++)
        status = embed_source(work, p);
    if (status == CLI_OK)
        status = collect_names(work);
    for (int p = 0; p < work->count && status == CLI_OK; p++)
        status = make_panel(work, p);
    mapped_check();
    return status;
}

static void plot_free(plot *work)
{
    for (int p = 0; work->sources && p < work->count; p++) {
        pen_table_free(work->sources[p].rows);
        pen_table_free(work->sources[p].labels);
        pen_table_free(work->sources[p].truth);
        free(work->sources[p].z);
        free(work->sources[p].predicted);
        free(work->sources[p].probabilities);
    }
    for (int p = 0; work->panels && p < work->count; p++) {
        free(work->panels[p].points);
        free(work->panels[p].classes);
        free(work->panels[p].pale);
    }
    free(work->sources);
    free(work->panels);
    free(work->names);
    pen_model_free(work->model);
}

/* ---- the command ---- */

/* "1000x800" */
static int read_size(const cli_args *args, picture *pic)
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
    pic->fixed = 1;
    pic->width = (int)w;
    pic->height = (int)h;
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

static int check_output(const cli_args *args)
{
    const char *const out = args_value(args, "output");

    if (!out)
        return cli_say(args->command, CLI_USAGE, "-o FILE is required: a .png or .svg file");
    int status = picture_ending(args, out);
    if (status == CLI_OK)
        status = output_ready(args);
    return status == CLI_OK ? gnuplot_check(args) : status;
}

static int draw(const plot *work, picture *pic)
{
    pic->panel_count = work->count;
    pic->panels = work->panels;
    pic->class_count = work->name_count;
    pic->class_names = work->names;
    for (int p = 0; p < work->count; p++)
        pic->predicted |= work->sources[p].predicted != NULL;
    return picture_save(pic, work->args, args_value(work->args, "output"));
}

/* Where the first operand is a model, the others are DATA that it embeds. */
static int take_operands(plot *work)
{
    const cli_args *const args = work->args;

    work->first = model_rows_is_model(args_operand(args, 0));
    while (args_operand(args, work->first + work->count))
        work->count++;
    if (work->count > MOST_PANELS)
        return cli_say(args->command, CLI_USAGE, "%d panels are too many, the most is %d",
                       work->count, MOST_PANELS);
    if (!work->first)
        return CLI_OK;
    if (work->count == 0)
        return cli_say(args->command, CLI_USAGE,
                       "%s: this is a model: DATA that it embeds is required",
                       args_operand(args, 0));
    int status = input_sources(args, args_operand(args, 1));
    if (status == CLI_OK)
        status = input_model(args, args_operand(args, 0), &work->model);
    if (status == CLI_OK && !args_value(args, "columns"))
        work->shows = pen_model_tensor(work->model, "picture").values;
    return status;
}

static int check_flags(plot *work, picture *pic, pen_read_options *options)
{
    const cli_args *const args = work->args;

    int status = check_output(args);
    if (status == CLI_OK)
        status = take_operands(work);
    if (status == CLI_OK)
        status = check_repeats(args, work->count);
    if (status == CLI_OK)
        status = read_size(args, pic);
    return status == CLI_OK ? input_options(args, options) : status;
}

static int plot_files(const cli_args *args)
{
    picture pic = { .width = 1000, .height = 800 };
    plot work = { .args = args };
    pen_read_options options;

    int status = check_flags(&work, &pic, &options);
    if (status == CLI_OK) {
        work.sources = calloc((size_t)work.count, sizeof *work.sources);
        work.panels = calloc((size_t)work.count, sizeof *work.panels);
        status = work.sources && work.panels ? CLI_OK : no_memory(&work);
    }
    if (status == CLI_OK)
        status = make_panels(&work, &options);
    if (status == CLI_OK)
        status = draw(&work, &pic);
    plot_free(&work);
    return progress_signal() && status != CLI_OK ? progress_die(args->command) : status;
}

static const args_form form = {
    "penumbra plot [MODEL] DATA... [flags] -o FILE.png|FILE.svg",
    "Draw two or three columns of DATA as points colored by class, with gnuplot. Several DATA "
    "become panels of one picture.\n"
    "A MODEL before DATA embeds the rows. Filled: the label is known. Hollow: the class is "
    "predicted, paler where it is doubtful.\n",
    1,
    MOST_PANELS + 1,
    { { NULL, flags }, { "Reading DATA", input_flags } },
    "Usage: penumbra plot [MODEL] DATA... -o FILE [flags]          all flags: --help\n"
    "Draw rows in the two dimensions that show their classes best. Filled: label\n"
    "known. Hollow: class predicted, paler where it is doubtful.\n"
    "\n"
    "  penumbra plot data.pen data.csv -o data.svg\n"
    "  penumbra plot data.pen data.csv --columns 1,3 -o data.png\n"
    "\n"
    "  -o, --output FILE       .png or .svg (required)\n"
    "  --columns A,B[,C]       other dimensions; columns of DATA if no MODEL is given\n"
    "  --label-column COLUMN   true classes, where DATA has them\n"
    "  --labels FILE           the labels known in the fit\n"
    "  --size WxH              in pixels (1000x800)\n",
};

int cmd_plot(int argc, char **argv)
{
    return args_run(&form, argc, argv, plot_files);
}
