/* cmd_info.c - penumbra info: describe a model. */
#define _POSIX_C_SOURCE 200809L

#include "core/json.h"
#include "flags/input.h"
#include "flags/method_text.h"
#include "common/fit_data.h"
#include "base/lines.h"
#include "common/loadings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLASSES_SHOWN = 20,
    DIMENSIONS_SHOWN = 10,
    LANDMARKS_SHOWN = 8,
    NAME_WIDTH = 20,
    NAME_SHOWN = 24, /* letters of the name of a column or of a class */
    TITLE = 15       /* width of the titles of lines */
};

/* ---- as JSON ---- */

/* Writes null if the model has no tensor of that name. */
static void json_tensor(const pen_model *model, const char *name, int is_matrix)
{
    const pen_matrix t = pen_model_tensor(model, name);

    if (!t.values || !is_matrix) {
        cli_json_numbers(name, t.values, t.rows);
        return;
    }
    cli_json_open(name, '[', 1);
    for (int64_t i = 0; i < t.rows; i++)
        cli_json_numbers(NULL, t.values + i * t.cols, t.cols);
    cli_json_close();
}

/* Writes the JSON of pen_model_info and the tensors. */
static void print_json(const pen_model *model, const pen_json *about)
{
    static const struct {
        const char *name;
        int is_matrix, is_optional;
    } tensors[] = { { "eigenvalues", 0, 0 },   { "bias", 0, 0 },          { "class_mass", 1, 0 },
                    { "fill", 0, 1 },          { "idf", 0, 1 },           { "selected", 0, 1 },
                    { "mean", 0, 0 },          { "scale", 0, 0 },         { "deviation", 0, 0 },
                    { "projection", 1, 0 },    { "landmark_rows", 0, 1 }, { "landmarks", 1, 1 },
                    { "kernel_origin", 0, 1 }, { "kernel_scale", 0, 1 } };
    const size_t size = strlen(pen_model_info(model)) + 1;
    char *const text = cli_alloc((int64_t)size, 1);

    cli_json_begin();
    for (const pen_json *part = about->first; part; part = part->next) {
        snprintf(text, size, "\"%s\":%.*s", part->name, (int)part->source_size, part->source);
        cli_json_raw(NULL, text);
    }
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        if (!tensors[i].is_optional || pen_model_tensor(model, tensors[i].name).values)
            json_tensor(model, tensors[i].name, tensors[i].is_matrix);
    cli_json_close();
}

/* ---- as text ---- */

/* Prints a title and a text, which is wrapped. */
static void print_line(const char *title, const char *format, ...)
{
    line text;
    va_list list;

    va_start(list, format);
    vsnprintf(text.text, sizeof text.text, format, list);
    va_end(list);
    printf("%-*s", TITLE, title);
    line_wrap(stdout, TITLE, text.text);
}

/* Prints "name value" for each text, number and list (only its ends). Objects, such as the trials
 * of a fit, appear only in the JSON. */
static void print_facts(const pen_json *about, const char *title)
{
    const pen_json *fact = pen_json_member(about, title);

    for (fact = fact ? fact->first : NULL; fact; fact = fact->next, title = "") {
        const pen_json *const last = pen_json_item(fact, fact->count - 1);
        line value = { "" };
        if (fact->type == PEN_JSON_OBJECT)
            continue;
        if (last && fact->count >= 2)
            line_add(&value, "%.*s ... %.*s (%lld values)", (int)fact->first->source_size,
                     fact->first->source, (int)last->source_size, last->source,
                     (long long)fact->count);
        else
            line_add(&value, "%.*s", (int)fact->source_size, fact->source);
        printf("%-14s %-*s ", title, NAME_WIDTH, fact->name);
        line_wrap(stdout, TITLE + NAME_WIDTH + 1, fact->text ? fact->text : value.text);
    }
}

static void print_members(const pen_model *model)
{
    const pen_model *member;

    for (int64_t m = 0; (member = pen_model_member(model, m)); m++)
        print_line(m == 0 ? "members" : "", "%s, %lld dimensions, %s%s",
                   cli_model_text(member, "method"), (long long)pen_model_dim(member),
                   cli_model_text(member, "classifier"),
                   cli_model_text(member, "kernel") ? ", with a kernel" : "");
}

static void print_classes(const pen_model *model)
{
    const int64_t count = pen_model_class_count(model);
    const int64_t votes = pen_model_tensor(model, "classifier_votes").rows;
    const char *const classifier = cli_model_text(model, "classifier");
    char name[4 * NAME_SHOWN + 8];
    line classes = { "" };

    if (count == 0)
        return;
    for (int64_t i = 0; i < count && i < CLASSES_SHOWN; i++)
        line_add(&classes, "%s%s", i ? ", " : " ",
                 cli_shorten(pen_model_class_name(model, i), NAME_SHOWN, name, sizeof name));
    print_line("classes", "%lld:%s%s", (long long)count, classes.text,
               count > CLASSES_SHOWN ? " ..." : "");
    if (classifier)
        print_line("predicts", "classes, by %s: penumbra predict",
                   pen_model_member(model, 0) ? "the mean of its members" : classifier);
    if (votes > 0)
        print_line("votes",
                   "the nearest of %lld rows of the fit, by their mean probabilities; fit "
                   "--classifier lda keeps no rows",
                   (long long)votes);
    print_members(model);
}

/* Prints the parts of a kernel model. */
static void print_kernel(const pen_model *model)
{
    const char *const kernel = cli_model_text(model, "kernel.name");
    const pen_matrix rows = pen_model_tensor(model, "landmark_rows");

    if (!kernel)
        return;
    printf("%-14s %s", "kernel", kernel);
    if (cli_model_text(model, "kernel.gamma"))
        printf(", gamma %s", cli_model_text(model, "kernel.gamma"));
    if (cli_model_text(model, "kernel.degree"))
        printf(", degree %s, coef0 %s", cli_model_text(model, "kernel.degree"),
               cli_model_text(model, "kernel.coef0"));
    printf(": values with %lld landmarks\n%-14s rows", (long long)rows.rows, "landmarks");
    for (int64_t l = 0; l < rows.rows && l < LANDMARKS_SHOWN; l++)
        printf("%s %.0f", l ? "," : "", rows.values[l]);
    printf("%s of the fit, counted from 0\n", rows.rows > LANDMARKS_SHOWN ? ", ..." : "");
}

static void print_dimensions(const pen_model *model)
{
    const int64_t k = pen_model_dim(model);
    const double *const eigenvalues = pen_model_tensor(model, "eigenvalues").values;
    loading list[LOADINGS_MOST];
    const int has_columns = !cli_model_text(model, "kernel");

    if (!eigenvalues && !has_columns)
        return;
    printf("\ndimension%s%s\n", eigenvalues ? "  eigenvalue" : "",
           !has_columns  ? ""
           : eigenvalues ? "   largest weights times deviations"
                         : "  largest weights times deviations");
    for (int64_t i = 0; i < k && i < DIMENSIONS_SHOWN; i++) {
        int at = printf("%9lld", (long long)i + 1);
        if (eigenvalues)
            at += printf("  %-10.6g", eigenvalues[i]);
        line text = { "" };
        if (has_columns) {
            at += printf("  ");
            loadings_separates(model, i, &text);
            loadings_add(model, list, loadings_of(model, NULL, i, list), 1, &text);
        }
        line_wrap(stdout, at, text.text);
    }
    if (k > DIMENSIONS_SHOWN)
        printf("      ... (--json has all)\n");
}

/* Prints "pca:fme - TITLE, then: TITLE" if fme was fitted to the output of pca. */
static void print_method(const char *name)
{
    const char *between = " - ";
    int experimental = 0;
    line text = { "" };

    line_add(&text, "%s", name);
    while (*name) {
        char part[64];
        const size_t length = strcspn(name, ":");
        snprintf(part, sizeof part, "%.*s", length < sizeof part ? (int)length : 0, name);
        const pen_method *const method = pen_method_named(part);
        if (method) {
            line_add(&text, "%s%s", between, method->title);
            experimental |= method_is_experimental(method);
            between = ", then: ";
        }
        name += length + (name[length] == ':');
    }
    print_line("method", "%s%s", text.text, experimental ? "; experimental" : "");
}

static void print_text(const pen_model *model, const pen_json *about)
{
    print_method(cli_model_text(model, "method"));
    printf("%-14s %lld columns to %lld dimensions\n", "projects",
           (long long)pen_model_columns(model), (long long)pen_model_dim(model));
    print_kernel(model);
    print_classes(model);
    print_facts(about, "parameters");
    if (strcmp(cli_model_text(model, "missing"), "error") != 0)
        printf("%-14s %s\n", "missing", cli_model_text(model, "missing"));
    print_facts(about, "info");
    print_dimensions(model);
}

/* ---- the command ---- */

/* Parses the JSON of pen_model_info; the caller frees the result. */
static pen_status parsed_info(const pen_model *model, pen_json **out)
{
    const char *const text = pen_model_info(model);

    PEN_CALL(NULL, &cli_error, pen_json_parse_kept(run, "model", "info", text, strlen(text), out));
}

static int info(void)
{
    pen_model *model = NULL;
    pen_json *about;

    if (stats_are_in(args_operand(0)))
        return stats_info(args_operand(0));
    CLI_TRY(input_model(args_operand(0), &model));
    CLI_CALL(parsed_info(model, &about));
    cli_own(about, free);
    if (cli_json)
        print_json(model, about);
    else
        print_text(model, about);
    return CLI_OK;
}

const args_form cmd_info = {
    "info",
    "describe a model",
    info,
    0,
    1,
    1,
    { { NULL, NULL } },
    "Usage: penumbra info MODEL [flags]                            all flags: --help\n"
    "Describe a model (its method, size, classes and parameters, and the columns that\n"
    "contribute most to each dimension) or a file of statistics.\n"
    "\n"
    "  penumbra info data.pen\n"
    "  penumbra info data.pen --json\n"
    "\n"
    "  --json                  print everything as JSON, with every number\n",
};
