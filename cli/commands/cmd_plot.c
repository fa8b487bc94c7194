/* cmd_plot.c - penumbra plot: draw rows, or their embedding by a model. */
#define _POSIX_C_SOURCE 200809L

#include "core/array.h"
#include "flags/input.h"
#include "flags/output.h"
#include "base/lines.h"
#include "common/loadings.h"
#include "common/model_rows.h"
#include "pictures/picture.h"
#include "common/progress.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 37, MOST_CLASSES = 1000, SMALLEST = 100, LARGEST = 20000 };
enum { AXIS_COLUMNS = 3, TITLE_SIZE = 200, START_SIZE = 9, LENGTH_HIGH = 4 };

static const double FAINTEST = 0.1; /* least opacity of a predicted class */

static struct {
    const char *output, *size;
} given;

static const cli_flag flags[] = {
    { "output", "FILE", "the picture: a .html, .png or .svg file", 'o', FLAG_TEXT, &given.output,
      .required = 1 },
    { "columns", "COLUMNS",
      "two or three columns to draw, by name or number from 1; three are drawn in 3D (the two "
      "dimensions that show the classes of MODEL best, if it has them, else 1,2)" },
    { "size", "WxH",
      "width and height of a .png or .svg in pixels (1000x800, or taller if the legend does not "
      "fit next to the panels)",
      0, FLAG_TEXT, &given.size },
    { NULL },
};

/* The input of one panel. */
typedef struct source {
    const char *path;
    pen_table *rows, *known; /* known: has the labels known in the fit; or NULL */
    const pen_table *truth;  /* has true classes in addition; or NULL */
    pen_array x;             /* the drawn array: the rows, z, or a view of z */
    double *z;               /* [rows x pen_model_dim] with a model */
    int32_t *predicted;      /* [rows] if MODEL predicts */
    double *probabilities;   /* [rows x pen_model_class_count] in that case */
} source;

typedef struct plot {
    int is_page;         /* -o FILE.html */
    pen_model *model;    /* NULL: draws DATA itself */
    const double *shows; /* [pen_model_dim x 2] maps z to the picture; NULL: draws columns */
    const char *const *columns;
    int64_t column_count; /* of --columns, or 0 */
    source *sources;      /* [picture.panel_count] */
    int64_t rows;         /* of all */
    picture picture;
} plot;

static plot work = { .picture = { .width = 1000, .height = 800 } };

/* ---- classes ---- */

/* Numbers classes for the whole picture, so that a class has the same color in all panels. */
static int number_classes(const char *const *names, int64_t count, int **out)
{
    picture *const pic = &work.picture;
    int *const numbers = cli_alloc(count, sizeof *numbers);

    for (int64_t c = 0; c < count; c++) {
        int at = 0;
        while (at < pic->class_count && strcmp(pic->class_names[at], names[c]) != 0)
            at++;
        if (at == MOST_CLASSES)
            return cli_fail("more than %d classes are too many to draw; is the label column right?",
                            MOST_CLASSES);
        pic->class_count += at == pic->class_count;
        pic->class_names[at] = names[c];
        numbers[c] = at;
    }
    *out = numbers;
    return CLI_OK;
}

static int number_labels(const pen_table *table, int **out)
{
    return table ? number_classes((const char *const *)table->class_names, table->class_count, out)
                 : CLI_OK;
}

static int number_of_model(int **out)
{
    const int64_t count = pen_model_class_count(work.model);
    const char **const names = cli_alloc(count, sizeof *names);

    for (int64_t c = 0; c < count; c++)
        names[c] = pen_model_class_name(work.model, c);
    return number_classes(names, count, out);
}

static int class_of(const pen_table *table, const int *numbers, int64_t row)
{
    return table && table->labels && table->labels[row] != PEN_UNLABELLED
               ? numbers[table->labels[row]]
               : PICTURE_NO_CLASS;
}

/* Sets the predicted class of a row; rows with missing values have class -1. */
static void set_predicted(const source *from, const int *numbers, int64_t row, picture_panel *panel)
{
    const int64_t c = from->predicted[row], count = pen_model_class_count(work.model);
    const double p = c < 0 ? 0 : fmin(1, fmax(0, from->probabilities[row * count + c]));

    panel->predicted[row] = (uint16_t)(c < 0 ? PICTURE_NO_CLASS : numbers[c]);
    panel->probabilities[row] = (uint16_t)(UINT16_MAX * p + 0.5);
    if (c < 0 || panel->classes[row] != PICTURE_NO_CLASS)
        return;
    work.picture.predicted = 1;
    panel->classes[row] = numbers[c];
    panel->opacity[row] = (unsigned char)(PICTURE_HOLLOW * fmax(FAINTEST, p));
}

/* Sets the classes, in the order of the model or, without one, of DATA. */
static int set_classes(int p)
{
    picture_panel *const panel = &work.picture.panels[p];
    const source *const from = &work.sources[p];
    int *of_model, *of_truth, *of_known;

    if (from->predicted) {
        CLI_TRY(number_of_model(&of_model));
        panel->predicted = cli_alloc(panel->count, sizeof *panel->predicted);
        panel->probabilities = cli_alloc(panel->count, sizeof *panel->probabilities);
    }
    CLI_TRY(number_labels(from->truth, &of_truth));
    CLI_TRY(number_labels(from->known, &of_known));
    for (int64_t i = 0; i < panel->count; i++) {
        const int known = class_of(from->known, of_known, i);
        panel->known[i] = known != PICTURE_NO_CLASS;
        panel->opacity[i] = panel->known[i] ? PICTURE_FILLED : PICTURE_HOLLOW;
        panel->classes[i] = panel->known[i] ? known : class_of(from->truth, of_truth, i);
        panel->labels[i] = (uint16_t)panel->classes[i];
        if (from->predicted)
            set_predicted(from, of_model, i, panel);
    }
    return CLI_OK;
}

/* ---- columns ---- */

/* The name of a column to draw; NULL if it has only a number. Dimensions of a model have none. */
static const char *column_name(const pen_table *rows, int64_t j)
{
    return !work.model && rows->column_names ? rows->column_names[j] : NULL;
}

/* The column with that name or number (from 1, or from 0 after #; dimensions of a model are z1 or
 * 1). -1: none; -2: the name of one column is the number of another. */
static int64_t find_column(const source *from, const char *name)
{
    const char *const digits = name + (*name == (work.model ? 'z' : '#'));
    const size_t length = strlen(digits);
    int64_t named = -1, place = -1;

    for (int64_t j = 0; column_name(from->rows, 0) && j < from->x.cols; j++)
        if (strcmp(column_name(from->rows, j), name) == 0)
            named = j;
    if (length > 0 && length <= 9 && !digits[strspn(digits, "0123456789")])
        place = strtol(digits, NULL, 10) - (*name != '#');
    if (place < 0 || place >= from->x.cols || place == named)
        return named;
    return named < 0 ? place : -2;
}

/* Finds the columns to draw, column [PICTURE_DIMS], and their number. A single column is drawn over
 * the row number. */
static int choose_columns(const source *from, int64_t *column, int *dims)
{
    *dims = work.column_count ? (int)work.column_count : 2;
    column[0] = 0;
    column[1] = from->x.cols > 1 ? 1 : -1;
    for (int64_t j = 0; j < work.column_count; j++) {
        const char *const name = work.columns[j];
        column[j] = find_column(from, name);
        if (column[j] == -2)
            return cli_fail(
                "%s: \"%s\" is the name of one column and the number of another; '#0' is "
                "the first one, whatever its name",
                cli_input_name(from->path), name);
        if (column[j] < 0)
            return cli_fail("%s: no column \"%s\"; it has %lld columns, counted from 1",
                            cli_input_name(from->path), name, (long long)from->x.cols);
    }
    return CLI_OK;
}

static int set_points(picture_panel *panel, const source *from, const int64_t *column)
{
    const int64_t *const numbers = from->rows->row_numbers; /* in the file */

    for (int64_t i = 0; i < panel->count; i++) {
        for (int j = 0; j < panel->dims; j++) {
            const double value = column[j] >= 0 ? pen_value_at(&from->x, i, column[j])
                                                : (double)(numbers ? numbers[i] : i);
            if (!(fabs(value) <= (work.is_page ? FLT_MAX : DBL_MAX)))
                return cli_fail("%s: row %lld, column %lld is not %s", cli_input_name(from->path),
                                (long long)i + 1, (long long)column[j] + 1,
                                isfinite(value) ? "within 3.4e38 of 0, as a page needs" : "finite");
            panel->points[i * panel->dims + j] = value;
        }
    }
    return CLI_OK;
}

/* ---- one panel ---- */

static int read_source(const pen_read_options *options, source *from)
{
    CLI_TRY(work.model ? model_rows_read(work.model, from->path, options, 1, &from->rows)
                       : input_rows(from->path, options, &from->rows));
    CLI_TRY(model_rows_labels(work.model, from->path, from->rows, &from->known));
    from->truth = from->known != from->rows && from->rows->labels ? from->rows : NULL;
    return CLI_OK;
}

/* Replaces z by its view, in place. */
static void show(source *from, int64_t k)
{
    for (int64_t i = 0; i < from->x.rows; i++) {
        double seen[2] = { 0, 0 };
        for (int64_t j = 0; j < 2 * k; j++)
            seen[j % 2] += from->z[i * k + j / 2] * work.shows[j];
        from->z[2 * i] = seen[0];
        from->z[2 * i + 1] = seen[1];
    }
}

static pen_status embed(void *context, const pen_control *control)
{
    source *const from = context;
    const pen_array *const x = &from->rows->x;

    const pen_status status = pen_transform(work.model, x, control, PEN_F64, from->z,
                                            pen_model_dim(work.model), &cli_error);
    if (status != PEN_OK || !from->predicted)
        return status;
    return pen_predict(work.model, x, control, from->predicted, from->probabilities, NULL,
                       &cli_error);
}

/* Computes what is drawn: the rows, or their embedding by the model. */
static int embed_source(source *from)
{
    from->x = from->rows->x;
    if (!work.model)
        return CLI_OK;
    const int64_t n = from->x.rows, k = pen_model_dim(work.model), drawn = work.shows ? 2 : k;
    from->z = cli_alloc(n, (size_t)k * sizeof *from->z);
    if (cli_model_text(work.model, "classifier")) {
        from->predicted = cli_alloc(n, sizeof *from->predicted);
        from->probabilities =
            cli_alloc(n, (size_t)pen_model_class_count(work.model) * sizeof *from->probabilities);
    }
    CLI_TRY(cli_work(from->path, embed, from));
    if (work.shows)
        show(from, k);
    from->x = pen_dense(from->z, PEN_F64, n, drawn, drawn);
    return CLI_OK;
}

/* Names an axis by the columns that contribute most to it. */
static void name_axis(const source *from, int64_t column, int j, line *out)
{
    const int most = work.picture.panel_count > 1 ? 1 : AXIS_COLUMNS;
    const char *const name = column < 0 ? "row" : column_name(from->rows, column);
    loading strong[LOADINGS_MOST];
    const int64_t dim = work.shows ? j : column;
    const int count = work.model && dim >= 0 ? loadings_of(work.model, work.shows, dim, strong) : 0;

    if (name)
        line_add(out, "%s", name);
    else if (!work.shows || count == 0)
        line_add(out, "%s%lld%s", work.model ? "z" : "column ", (long long)column + 1,
                 count ? ": " : "");
    loadings_add(work.model, strong, count < most ? count : most, 0, out);
}

/* The title of a panel: the file, if there are several, and how the model shows its classes. */
static const char *title_of(const source *from)
{
    const char *const method = cli_model_text(work.model, "info.picture");
    const char *const name = cli_last_part(cli_input_name(from->path));
    char *const title = cli_alloc(1, TITLE_SIZE);

    if (work.shows)
        snprintf(title, TITLE_SIZE, "%.60s: the classes of %.60s%s%s", name,
                 cli_last_part(args_operand(0)), method ? " by " : "", method ? method : "");
    else if (work.picture.panel_count > 1)
        snprintf(title, TITLE_SIZE, "%.*s", (int)(strlen(name) - strlen(cli_extension(name))),
                 name);
    return title;
}

static int make_panel(int p)
{
    picture_panel *const panel = &work.picture.panels[p];
    const source *const from = &work.sources[p];

    CLI_TRY(choose_columns(from, panel->column, &panel->dims));
    panel->count = from->x.rows;
    work.rows += panel->count;
    panel->title = title_of(from);
    panel->points = cli_alloc(panel->count * panel->dims, sizeof *panel->points);
    panel->classes = cli_alloc(panel->count, sizeof *panel->classes);
    panel->opacity = cli_alloc(panel->count, 1);
    panel->known = cli_alloc(panel->count, 1);
    panel->labels = cli_alloc(panel->count, sizeof *panel->labels);
    panel->rows = from->rows;
    panel->model = work.model;
    panel->mix = work.shows;
    for (int j = 0; j < panel->dims; j++)
        name_axis(from, panel->column[j], j, &panel->axes[j]);
    CLI_TRY(set_classes(p));
    return set_points(panel, from, panel->column);
}

/* ---- the command ---- */

/* "1000x800" */
static int read_size(picture *pic)
{
    char *end = NULL;

    if (!given.size)
        return CLI_OK;
    if (work.is_page)
        return cli_refuse("--size is for .png and .svg only, got \"%s\": a page fills its window",
                          given.size);
    const long w = strtol(given.size, &end, 10);
    const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || w < SMALLEST || w > LARGEST || h < SMALLEST || h > LARGEST)
        return cli_refuse("--size must be WIDTHxHEIGHT, each from %d to %d pixels, got \"%s\"",
                          SMALLEST, LARGEST, given.size);
    pic->fixed = 1;
    pic->width = (int)w;
    pic->height = (int)h;
    return CLI_OK;
}

static void report(const picture *pic)
{
    if (cli_json) {
        cli_json_begin();
        cli_json_count("rows", work.rows);
        cli_json_count("classes", pic->class_count);
        cli_json_string("output", given.output);
        cli_json_close();
    } else {
        line_print("wrote", "%s (%lld rows, %d classes)", given.output, (long long)work.rows,
                   pic->class_count);
    }
}

/* A model begins with the length of its header (8 bytes, little endian) and "{". */
static int is_model(const char *path)
{
    static const char zeros[LENGTH_HIGH] = { 0 };
    size_t size;

    const unsigned char *const head = input_head(path, &size);
    return size >= START_SIZE && head[START_SIZE - 1] == '{'
           && memcmp(head + LENGTH_HIGH, zeros, LENGTH_HIGH) == 0;
}

/* If the first operand is a model, the other operands are DATA to embed. */
static int take_operands(void)
{
    const char *const first = args_operand(0);
    const int with_model = is_model(first);
    picture *const pic = &work.picture;

    while (args_operand(with_model + pic->panel_count))
        pic->panel_count++;
    if (pic->panel_count == 0)
        return cli_refuse("%s is a model: DATA to draw is required", first);
    pic->panels = cli_alloc(pic->panel_count, sizeof *pic->panels);
    pic->class_names = cli_alloc(MOST_CLASSES + 1, sizeof *pic->class_names);
    work.sources = cli_alloc(pic->panel_count, sizeof *work.sources);
    for (int p = 0; p < pic->panel_count; p++)
        work.sources[p].path = args_operand(with_model + p);
    CLI_TRY(input_sources(args_operand(with_model)));
    if (!with_model)
        return CLI_OK;
    CLI_TRY(model_rows_load(0, &work.model));
    if (!work.columns)
        work.shows = pen_model_tensor(work.model, "picture").values;
    return CLI_OK;
}

static int plot_files(void)
{
    pen_read_options options;

    CLI_TRY(output_ending(given.output, "picture", ".html, .png or .svg"));
    work.is_page = strcmp(cli_extension(given.output), ".html") == 0;
    CLI_TRY(output_ready());
    work.columns = args_list("columns", &work.column_count);
    if (work.columns && (work.column_count < 2 || work.column_count > PICTURE_DIMS))
        return cli_refuse("--columns takes two or three columns, got %lld",
                          (long long)work.column_count);
    CLI_TRY(take_operands());
    CLI_TRY(read_size(&work.picture));
    CLI_TRY(input_options(&options));
    for (int p = 0; p < work.picture.panel_count; p++) {
        CLI_TRY(read_source(&options, &work.sources[p]));
        CLI_TRY(embed_source(&work.sources[p]));
        CLI_TRY(make_panel(p));
    }
    for (int p = 0; p < work.picture.panel_count && work.picture.class_count == 0; p++) {
        picture_panel *const panel = &work.picture.panels[p]; /* without classes */
        memset(panel->classes, 0, (size_t)panel->count * sizeof *panel->classes);
        memset(panel->opacity, PICTURE_FILLED, (size_t)panel->count);
    }
    mapped_check();
    CLI_TRY(work.is_page ? picture_page(&work.picture, work.sources[0].path,
                                        work.model ? args_operand(0) : NULL, given.output)
                         : picture_save(&work.picture, given.output));
    report(&work.picture);
    return CLI_OK;
}

const args_form cmd_plot = {
    "plot",
    "draw rows in two or three dimensions",
    plot_files,
    0,
    1,
    MOST_OPERANDS,
    { { NULL, flags }, { NULL, input_labels_flag }, { "Reading DATA", input_flags } },
    "Usage: penumbra plot [MODEL] DATA... -o FILE [flags]          all flags: --help\n"
    "Draw rows in the two dimensions that show their classes best. Filled: label\n"
    "known. Hollow: class predicted, paler where it is doubtful.\n"
    "\n"
    "  penumbra plot data.pen data.csv -o data.html\n"
    "  penumbra plot data.pen data.csv --columns 1,3 -o data.png\n"
    "\n"
    "  -o, --output FILE       .html (zoom, names on hover), .png or .svg (required)\n"
    "  --columns A,B[,C]       other dimensions; columns of DATA if no MODEL is given\n"
    "  --label-column COLUMN   true classes, where DATA has them\n"
    "  --labels FILE           the labels known in the fit\n"
    "  --size WxH              in pixels (1000x800)\n",
};
