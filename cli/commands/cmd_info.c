/* cmd_info.c - penumbra info: show the contents of a model. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/method_text.h"
#include "work/fit_data.h"
#include "base/lines.h"
#include "work/loadings.h"

#include <stdarg.h>
#include <string.h>

enum {
    CLASSES_SHOWN = 20,
    DIMENSIONS_SHOWN = 10,
    LANDMARKS_SHOWN = 8,
    NAME_WIDTH = 20,
    NAME_SHOWN = 24, /* letters of the name of a column or of a class */
    TITLE = 15       /* columns of what a line is about */
};

/* The end of a value of compact JSON, or of a name and its value. */
static const char *json_end(const char *at)
{
    int depth = 0, inside = 0;

    for (; *at && (depth > 0 || inside || (*at != ',' && *at != '}')); at++) {
        inside ^= *at == '"';
        at += inside && *at == '\\' && at[1];
        depth += inside ? 0 : (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
    }
    return at;
}

/* ---- as JSON ---- */

/* null: the model has none of that name. */
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

/* What pen_model_info says, and then the tensors. */
static void print_json(const pen_model *model)
{
    static const struct {
        const char *name;
        int is_matrix, is_optional;
    } tensors[] = { { "eigenvalues", 0, 0 },   { "bias", 0, 0 },          { "class_mass", 1, 0 },
                    { "fill", 0, 1 },          { "idf", 0, 1 },           { "selected", 0, 1 },
                    { "mean", 0, 0 },          { "scale", 0, 0 },         { "deviation", 0, 0 },
                    { "projection", 1, 0 },    { "landmark_rows", 0, 1 }, { "landmarks", 1, 1 },
                    { "kernel_origin", 0, 1 }, { "kernel_scale", 0, 1 } };
    const char *at = pen_model_info(model), *end;
    char *const text = cli_alloc((int64_t)strlen(at) + 1, 1);

    cli_json_begin();
    for (; *at == '{' || *at == ','; at = end) {
        end = json_end(at + 1);
        snprintf(text, (size_t)(end - at), "%s", at + 1);
        cli_json_raw(NULL, text);
    }
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        if (!tensors[i].is_optional || pen_model_tensor(model, tensors[i].name).values)
            json_tensor(model, tensors[i].name, tensors[i].is_matrix);
    cli_json_close();
}

/* ---- as text ---- */

/* A line about something, what does not fit below. */
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

/* A text, a number, or a list of numbers by its ends. */
static void print_value(const pen_model *model, const char *key)
{
    const char *const text = cli_model_text(model, "%s", key);
    const double count = cli_model_number(model, "%s", key);
    line ends = { "" };

    if (text && *text == '[' && count >= 2)
        line_add(&ends, "%.*s ... %s (%.0f values)", (int)strcspn(text + 1, ","), text + 1,
                 cli_model_text(model, "%s.%.0f", key, count - 1), count);
    line_wrap(stdout, TITLE + NAME_WIDTH + 1, *ends.text ? ends.text : text ? text : "null");
}

/* "name value" for each; objects, such as the trials of a fit, are in the JSON alone. */
static void print_facts(const pen_model *model, const char *title)
{
    const char *at = cli_model_text(model, "%s", title);
    char key[160];

    for (int64_t i = 0; at && at[0] && at[1] == '"'; i++) {
        const char *const name = at + 2;
        const int length = (int)strcspn(name, "\"");
        const char *const value = name + length + 2;
        at = json_end(value);
        if (*value == '{')
            continue;
        printf("%-14s %-*.*s ", i ? "" : title, NAME_WIDTH, length, name);
        snprintf(key, sizeof key, "%s.%.*s", title, length, name);
        print_value(model, key);
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
                   "the mean probabilities of the nearest of %lld rows of the fit; fit "
                   "--classifier lda keeps none",
                   (long long)votes);
    print_members(model);
}

/* What a kernel model consists of. */
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
            loadings_add(model, list, loadings_of(model, i, list), 1, &text);
        }
        line_wrap(stdout, at, text.text);
    }
    if (k > DIMENSIONS_SHOWN)
        printf("      ... (--json has all)\n");
}

/* "pca:fme - TITLE, then: TITLE" where the second was fitted to the embedding of the first. */
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

static void print_text(const pen_model *model)
{
    print_method(cli_model_text(model, "method"));
    printf("%-14s %lld columns to %lld dimensions\n", "projects",
           (long long)pen_model_columns(model), (long long)pen_model_dim(model));
    print_kernel(model);
    print_classes(model);
    print_facts(model, "parameters");
    if (strcmp(cli_model_text(model, "missing"), "error") != 0)
        printf("%-14s %s\n", "missing", cli_model_text(model, "missing"));
    print_facts(model, "info");
    print_dimensions(model);
}

/* ---- the command ---- */

static int info(void)
{
    pen_model *model = NULL;

    if (stats_are_in(args_operand(0)))
        return stats_info(args_operand(0));
    CLI_TRY(input_model(args_operand(0), &model));
    if (cli_json)
        print_json(model);
    else
        print_text(model);
    return CLI_OK;
}

const args_form cmd_info = {
    "info",
    "show what is in a model",
    info,
    0,
    1,
    1,
    { { NULL, NULL } },
    "Usage: penumbra info MODEL [flags]                            all flags: --help\n"
    "Show what is in a model: its method, sizes, classes and parameters, and the\n"
    "columns that each of its dimensions is made of.\n"
    "\n"
    "  penumbra info data.pen\n"
    "  penumbra info data.pen --json\n"
    "\n"
    "  --json                  all of it as JSON, with every number\n",
};
