/* cmd_plot.c - penumbra plot: draw rows as a picture; with a model as it embeds them. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/mapped.h"
#include "flags/output.h"
#include "lines.h"
#include "loadings.h"
#include "model_rows.h"
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

static struct {
    const char *output, *columns, *size;
    int json;
} given;

static const cli_flag flags[] = {
    { "output", "FILE", "the picture: a .png or .svg file", 'o', FLAG_TEXT, &given.output,
      .required = 1 },
    { "columns", "A,B[,C]",
      "columns to draw, by name or number from 1 (the two that show the classes of MODEL best, "
      "if it has such, else 1,2); three columns are drawn in three dimensions",
      0, FLAG_TEXT, &given.columns },
    { "labels", "FILE",
      "the labels known in the fit, one for each row, or lines that name rows; once for all DATA, "
      "or once for each. With --label-column other rows are hollow, in the color of their class "
      "in that column" },
    { "size", "WxH",
      "width and height in pixels (1000x800, and more height for a legend that does not fit "
      "next to the panels)",
      0, FLAG_TEXT, &given.size },
    { "json", NULL, "print the summary as JSON", 0, FLAG_SWITCH, &given.json },
    { NULL },
};

/* Everything that is read for one panel. */
typedef struct source {
    pen_table *rows;
    const pen_table *known, *truth; /* labels known in the fit, true classes; or NULL */
    double *z;                      /* [rows x pen_model_dim] with a model */
    pen_array x;                    /* what is drawn: the rows, z, or the picture of z */
    int32_t *predicted;    /* [rows] where the classes of some are not known, and MODEL predicts */
    double *probabilities; /* [rows x pen_model_class_count] likewise */
    char title[TITLE_SIZE];
} source;

typedef struct plot {
    pen_model *model;    /* NULL: DATA are drawn as they are */
    const double *shows; /* [pen_model_dim x 2] what is drawn of z; NULL: columns */
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
    return args_operand(work->first + p);
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

static int64_t class_count(const pen_table *table)
{
    return table ? table->class_count : 0;
}

static void add_names(plot *work, const pen_table *table)
{
    for (int64_t c = 0; c < class_count(table); c++)
        work->names[work->name_count++] = table->class_names[c];
}

/* The classes of all panels, each once, so that a class has the same color in all of them. */
static int collect_names(plot *work)
{
    const int64_t of_model = work->model ? pen_model_class_count(work->model) : 0;
    int64_t most = of_model;
    int predicted = 0, count = 0;

    for (int p = 0; p < work->count; p++)
        most += class_count(work->sources[p].known) + class_count(work->sources[p].truth);
    work->names = cli_alloc(most, sizeof *work->names);
    for (int p = 0; p < work->count; p++) {
        add_names(work, work->sources[p].known);
        add_names(work, work->sources[p].truth);
        predicted |= work->sources[p].predicted != NULL;
    }
    for (int64_t c = 0; predicted && c < of_model; c++)
        work->names[work->name_count++] = pen_model_class_name(work->model, c);
    qsort(work->names, (size_t)work->name_count, sizeof *work->names, by_name);
    for (int i = 0; i < work->name_count; i++)
        if (i == 0 || strcmp(work->names[i], work->names[count - 1]) != 0)
            work->names[count++] = work->names[i];
    work->name_count = count;
    if (count > MOST_CLASSES)
        return cli_fail(
            "%d classes are too many to draw, the most is %d; is the label column right?", count,
            MOST_CLASSES);
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

    for (int64_t i = 0; i < panel->count; i++) {
        const int known = class_of(work, from->known, i);
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
    const char *text = given.columns;

    *dims = 2;
    column[0] = 0;
    column[1] = from->x.cols > 1 ? 1 : -1;
    for (*dims = text ? 0 : 2; text; *dims += 1) {
        const size_t length = strcspn(text, ",");
        if (*dims == PICTURE_DIMS)
            return cli_refuse("--columns takes two or three columns, got \"%s\"", given.columns);
        column[*dims] = find_column(work, from, text, length);
        if (column[*dims] == -2)
            return cli_fail("%s: \"%.*s\" is the name of one column and the number of another; "
                            "'#0' is the first one, whatever its name",
                            path, (int)length, text);
        if (column[*dims] < 0)
            return cli_fail("%s: no column \"%.*s\"; it has %lld columns, counted from 1", path,
                            (int)length, text, (long long)from->x.cols);
        text = text[length] ? text + length + 1 : NULL;
    }
    if (*dims < 2)
        return cli_refuse("--columns takes two or three columns, got \"%s\"", given.columns);
    return CLI_OK;
}

/* The entry of row i in column j; -1: none. */
static int64_t entry_of(const pen_array *x, int64_t i, int64_t j)
{
    for (int64_t e = x->starts[i]; e < x->starts[i + 1]; e++)
        if (x->columns[e] == j)
            return e;
    return -1;
}

static double value_of(const pen_array *x, int64_t i, int64_t j)
{
    const int64_t at = x->starts ? entry_of(x, i, j) : i * x->stride + j * (x->step ? x->step : 1);

    return at < 0                ? 0
           : x->dtype == PEN_F64 ? ((const double *)x->values)[at]
           : x->dtype == PEN_F32 ? (double)((const float *)x->values)[at]
                                 : (double)((const unsigned char *)x->values)[at];
}

static int set_points(const plot *work, int p, const char *path, const int64_t *column)
{
    picture_panel *const panel = &work->panels[p];
    const pen_array *const x = &work->sources[p].x;

    for (int64_t i = 0; i < panel->count; i++) {
        for (int j = 0; j < panel->dims; j++) {
            const double value = column[j] < 0 ? (double)(i + 1) : value_of(x, i, column[j]);
            if (!isfinite(value))
                return cli_fail("%s: row %lld, column %lld is not finite", path, (long long)i + 1,
                                (long long)column[j] + 1);
            panel->points[i * panel->dims + j] = value;
        }
    }
    return CLI_OK;
}

/* ---- one panel ---- */

/* Value `p` of a flag given once for all panels or once for each. */
static const char *for_panel(const char *flag, int p)
{
    const char *const value = args_repeated(flag, p);
    return value || args_repeated(flag, 1) ? value : args_repeated(flag, 0);
}

static int read_source(const plot *work, const pen_read_options *options, int p)
{
    const char *const path = panel_path(work, p), *const labels = for_panel("labels", p);
    source *const from = &work->sources[p];

    CLI_TRY(work->model ? model_rows_read(work->model, path, options, 1, &from->rows)
                        : input_rows(path, options, &from->rows));
    if (!labels) {
        from->known = from->rows->labels ? from->rows : NULL;
        return CLI_OK;
    }
    pen_table *known;
    CLI_TRY(input_labels(labels, path, from->rows, &known));
    from->known = known;
    from->truth = from->rows->labels ? from->rows : NULL;
    return CLI_OK;
}

/* Whether the model is asked for classes: it predicts, and those of some rows are not given. */
static int needs_classes(const plot *work, const source *from)
{
    int64_t known = 0;

    for (int64_t i = 0; from->known && i < from->x.rows; i++)
        known += from->known->labels[i] != PEN_UNLABELLED;
    return cli_model_text(work->model, "classifier") && !from->truth && known < from->x.rows;
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

/* A call of the library for one panel. */
typedef struct call {
    const plot *work;
    source *from;
} call;

static pen_status embed(void *context, const pen_control *control)
{
    const pen_model *const model = ((call *)context)->work->model;
    source *const from = ((call *)context)->from;
    const pen_array *const x = &from->rows->x;

    const pen_status status =
        pen_transform(model, x, control, PEN_F64, from->z, pen_model_dim(model), &cli_error);
    if (status != PEN_OK || !from->predicted)
        return status;
    return pen_predict(model, x, control, from->predicted, from->probabilities, NULL, &cli_error);
}

/* What is drawn of the rows of panel p: themselves, or what the model makes of them. */
static int embed_source(const plot *work, int p)
{
    source *const from = &work->sources[p];

    from->x = from->rows->x;
    if (!work->model)
        return CLI_OK;
    const int64_t n = from->x.rows, k = pen_model_dim(work->model);
    from->z = cli_alloc(n, (size_t)k * sizeof *from->z);
    if (needs_classes(work, from)) {
        from->predicted = cli_alloc(n, sizeof *from->predicted);
        from->probabilities =
            cli_alloc(n, (size_t)pen_model_class_count(work->model) * sizeof *from->probabilities);
    }
    CLI_TRY(cli_work(panel_path(work, p), embed, &(call){ work, from }));
    if (work->shows)
        show(work, from, k);
    const int64_t drawn = work->shows ? 2 : k;
    from->x = pen_dense(from->z, PEN_F64, n, drawn, drawn);
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
        for (count = count < AXIS_COLUMNS ? count : AXIS_COLUMNS; count > 0; count--) {
            line names = { "" };
            loadings_add(work->model, strong, count, 0, &names);
            snprintf(text, PICTURE_AXIS, "%s", names.text);
            if (strlen(text) < most)
                break;
        }
        panel->axis_names[j] = column[j] < 0 ? "row" : name ? name : text;
    }
}

/* The name of a file without its folders. */
static const char *own_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* What is drawn: the file, if there are several, and how a model shows its classes. */
static const char *title_of(const plot *work, int p)
{
    const char *const method = cli_model_text(work->model, "info.picture");
    const char *const name = own_name(input_name(panel_path(work, p)));
    char *const title = work->sources[p].title, by[METHOD_SIZE] = "";

    for (size_t i = 0; method && method[i] && i < METHOD_SIZE - 1; i++)
        by[i] = (char)toupper((unsigned char)method[i]);
    if (work->shows)
        snprintf(title, TITLE_SIZE, "%.60s: the classes of %.60s%s%s", name,
                 own_name(args_operand(0)), *by ? " by " : "", by);
    else if (work->count > 1)
        snprintf(title, TITLE_SIZE, "%.*s", (int)(strlen(name) - strlen(cli_extension(name))),
                 name);
    return *title ? title : NULL;
}

static int make_panel(const plot *work, int p)
{
    picture_panel *const panel = &work->panels[p];
    const source *const from = &work->sources[p];
    const char *const path = input_name(panel_path(work, p));
    int64_t column[PICTURE_DIMS];

    CLI_TRY(choose_columns(work, from, path, column, &panel->dims));
    panel->count = from->x.rows;
    panel->title = title_of(work, p);
    panel->points = cli_alloc(panel->count * panel->dims, sizeof *panel->points);
    panel->classes = cli_alloc(panel->count, sizeof *panel->classes);
    panel->pale = cli_alloc(panel->count, 1);
    name_axes(work, panel, from->rows, column);
    set_classes(work, p);
    return set_points(work, p, path, column);
}

/* ---- all panels ---- */

static int make_panels(plot *work, const pen_read_options *options)
{
    for (int p = 0; p < work->count; p++)
        CLI_TRY(read_source(work, options, p));
    for (int p = 0; p < work->count; p++)
        CLI_TRY(embed_source(work, p));
    CLI_TRY(collect_names(work));
    for (int p = 0; p < work->count; p++)
        CLI_TRY(make_panel(work, p));
    mapped_check();
    return CLI_OK;
}

/* ---- the command ---- */

/* "1000x800" */
static int read_size(picture *pic)
{
    const char *const text = given.size;
    char *end = NULL;

    if (!text)
        return CLI_OK;
    const long w = strtol(text, &end, 10);
    const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || w < SMALLEST || w > LARGEST || h < SMALLEST || h > LARGEST)
        return cli_refuse("--size must be WIDTHxHEIGHT, each from %d to %d pixels, got \"%s\"",
                          SMALLEST, LARGEST, text);
    pic->fixed = 1;
    pic->width = (int)w;
    pic->height = (int)h;
    return CLI_OK;
}

/* --labels is given once, or once for each panel. */
static int check_labels(int count)
{
    int times = 0;

    while (args_repeated("labels", times))
        times++;
    if (times > 1 && times != count)
        return cli_refuse("--labels was given %d times for %d panels", times, count);
    return CLI_OK;
}

static void report(const plot *work)
{
    int64_t points = 0;

    for (int p = 0; p < work->count; p++)
        points += work->panels[p].count;
    if (given.json) {
        cli_json_open(cli_command);
        cli_json_count("rows", points);
        cli_json_count("classes", work->name_count);
        cli_json_string("output", given.output);
        cli_json_close();
    } else if (!cli_quiet) {
        line_print("wrote", "%s (%lld rows, %d classes)", given.output, (long long)points,
                   work->name_count);
    }
}

static int draw(const plot *work, picture *pic)
{
    pic->panel_count = work->count;
    pic->panels = work->panels;
    pic->class_count = work->name_count;
    pic->class_names = work->names;
    for (int p = 0; p < work->count; p++)
        pic->predicted |= work->sources[p].predicted != NULL;
    CLI_TRY(picture_save(pic, given.output));
    report(work);
    return CLI_OK;
}

/* Where the first operand is a model, the others are DATA that it embeds. */
static int take_operands(plot *work)
{

    work->first = model_rows_is_model(args_operand(0));
    while (args_operand(work->first + work->count))
        work->count++;
    if (work->count > MOST_PANELS)
        return cli_refuse("%d panels are too many, the most is %d", work->count, MOST_PANELS);
    if (!work->first)
        return CLI_OK;
    if (work->count == 0)
        return cli_refuse("%s: this is a model: DATA that it embeds is required", args_operand(0));
    CLI_TRY(input_sources(args_operand(1)));
    CLI_TRY(model_rows_load(0, &work->model));
    if (!given.columns)
        work->shows = pen_model_tensor(work->model, "picture").values;
    return CLI_OK;
}

static int plot_files(void)
{
    static plot work;
    picture pic = { .width = 1000, .height = 800 };
    pen_read_options options;
    CLI_TRY(picture_ending(given.output));
    CLI_TRY(output_ready());
    CLI_TRY(gnuplot_check());
    CLI_TRY(take_operands(&work));
    CLI_TRY(check_labels(work.count));
    CLI_TRY(read_size(&pic));
    CLI_TRY(input_options(&options));
    work.sources = cli_alloc(work.count, sizeof *work.sources);
    work.panels = cli_alloc(work.count, sizeof *work.panels);
    CLI_TRY(make_panels(&work, &options));
    return draw(&work, &pic);
}

static const args_form form = {
    "penumbra plot [MODEL] DATA... -o FILE [flags]",
    "Draw two or three columns of DATA as points colored by class, with gnuplot. Several DATA "
    "become panels of one picture. A MODEL before DATA embeds the rows. Filled: the label is "
    "known. Hollow: the class is predicted, paler where it is doubtful.",
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
