/* cmd_info.c - penumbra info: show the contents of a model. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/method_text.h"
#include "loadings.h"
#include "stats_files.h"

#include <string.h>

static const cli_flag flags[] = {
    { "json", NULL, "as JSON, with every number", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

enum { CLASSES_SHOWN = 20, DIMENSIONS_SHOWN = 10, LANDMARKS_SHOWN = 8, NAME_WIDTH = 20 };

/* ---- as JSON ---- */

static void json_names(const pen_model *model, const char *(*name)(const pen_model *, int64_t))
{
    putchar('[');
    for (int64_t i = 0; name(model, i); i++) {
        fputs(i ? ", " : "", stdout);
        cli_json_text(stdout, name(model, i));
    }
    putchar(']');
}

/* null: the model has none of that name. */
static void json_tensor(const pen_model *model, const char *name, int is_matrix)
{
    const pen_matrix t = pen_model_tensor(model, name);

    printf(",\n  \"%s\": ", name);
    if (!t.values || !is_matrix) {
        cli_json_numbers(stdout, t.values, t.rows);
        return;
    }
    putchar('[');
    for (int64_t i = 0; i < t.rows; i++) {
        fputs(i ? ",\n    " : "\n    ", stdout);
        cli_json_numbers(stdout, t.values + i * t.cols, t.cols);
    }
    fputs("\n  ]", stdout);
}

/* The parts of a kernel, null where it has none. */
static void json_kernel(const pen_model *model)
{
    const pen_kernel_view *const kernel = pen_model_kernel(model);
    char gamma[CLI_NUMBER_SIZE], coef0[CLI_NUMBER_SIZE];

    if (!kernel)
        return;
    printf(",\n  \"kernel\": {\"name\": \"%s\", \"gamma\": %s, \"degree\": %lld, \"coef0\": %s}",
           kernel->name, cli_number(kernel->gamma, gamma), (long long)kernel->degree,
           cli_number(kernel->coef0, coef0));
    json_tensor(model, "landmark_rows", 0);
    json_tensor(model, "landmarks", 1);
    json_tensor(model, "kernel_origin", 0);
    json_tensor(model, "kernel_scale", 0);
}

static void print_json(const pen_model *model)
{
    static const char *const of_some[] = { "fill", "idf", "selected" };

    fputs("{\n  \"method\": ", stdout);
    cli_json_text(stdout, pen_model_method(model));
    printf(",\n  \"input_dim\": %lld,\n  \"output_dim\": %lld,\n  \"parameters\": ",
           (long long)pen_model_input_dim(model), (long long)pen_model_output_dim(model));
    cli_json_value(stdout, pen_model_parameters(model));
    json_tensor(model, "eigenvalues", 0);
    json_tensor(model, "bias", 0);
    json_tensor(model, "class_mass", 1);
    printf(",\n  \"classifier\": %s%s%s", pen_model_classifier(model) ? "\"" : "",
           pen_model_classifier(model) ? pen_model_classifier(model) : "null",
           pen_model_classifier(model) ? "\"" : "");
    if (pen_model_missing(model))
        printf(",\n  \"missing\": \"%s\"", input_missings[pen_model_missing(model)]);
    for (size_t i = 0; i < sizeof of_some / sizeof *of_some; i++)
        if (pen_model_tensor(model, of_some[i]).values)
            json_tensor(model, of_some[i], 0);
    json_tensor(model, "mean", 0);
    json_tensor(model, "scale", 0);
    json_tensor(model, "deviation", 0);
    json_tensor(model, "projection", 1);
    json_kernel(model);
    fputs(",\n  \"feature_names\": ", stdout);
    if (pen_model_feature_name(model, 0))
        json_names(model, pen_model_feature_name);
    else
        fputs("null", stdout);
    fputs(",\n  \"class_names\": ", stdout);
    json_names(model, pen_model_class_name);
    fputs(",\n  \"info\": ", stdout);
    cli_json_value(stdout, pen_model_info(model));
    puts("\n}");
}

/* ---- as text ---- */

static void print_line(const char *text)
{
    cli_put(stdout, text);
    putchar('\n');
}

/* A number, or a list of them by its ends. */
static void print_numbers(const pen_fact *fact)
{
    char number[CLI_NUMBER_SIZE];

    fputs(cli_number(fact->numbers[0], number), stdout);
    if (fact->count > 1)
        printf(" ... %s (%lld values)", cli_number(fact->numbers[fact->count - 1], number),
               (long long)fact->count);
    putchar('\n');
}

/* "name value" for each. */
static void print_facts(const char *title, const pen_facts *facts)
{
    for (int64_t i = 0; i < facts->count; i++) {
        const pen_fact *const fact = &facts->list[i];
        const int length = (int)strlen(fact->name);
        printf("%-14s ", i ? "" : title);
        cli_put(stdout, fact->name);
        printf("%*s ", length < NAME_WIDTH ? NAME_WIDTH - length : 0, "");
        if (fact->type == PEN_FACT_FLAG)
            puts(fact->numbers[0] != 0 ? "true" : "false");
        else if (fact->text)
            print_line(fact->text);
        else
            print_numbers(fact);
    }
}

static void print_classes(const pen_model *model)
{
    const int64_t count = pen_model_class_count(model);
    const pen_matrix votes = pen_model_tensor(model, "classifier_votes");
    /* it may embed alone, and leave classes to the members */
    const int is_member = pen_model_member(model, 0) == model;

    if (count == 0)
        return;
    printf("%-14s %lld:", "classes", (long long)count);
    for (int64_t i = 0; i < count && i < CLASSES_SHOWN; i++) {
        putchar(' ');
        cli_put(stdout, pen_model_class_name(model, i));
    }
    puts(count > CLASSES_SHOWN ? " ..." : "");
    if (pen_model_classifier(model))
        printf("%-14s classes, by %s%s: penumbra predict\n", "predicts",
               !is_member ? "the mean of its members"
               : pen_model_members(model) > 1
                   ? "the mean of its members, of which this is the first, "
                   : "",
               is_member ? pen_model_classifier(model) : "");
    if (votes.values)
        printf("%-14s the mean probabilities of the nearest of %lld rows of the fit; fit "
               "--classifier lda keeps none\n",
               "votes", (long long)votes.rows);
    for (int64_t m = is_member; m < pen_model_members(model); m++)
        printf("%-14s %s, %lld dimensions, %s%s\n", m == is_member ? "members" : "",
               pen_model_method(pen_model_member(model, m)),
               (long long)pen_model_output_dim(pen_model_member(model, m)),
               pen_model_classifier(pen_model_member(model, m)),
               pen_model_kernel(pen_model_member(model, m)) ? ", with a kernel" : "");
}

/* What a kernel model consists of, and its size. */
static void print_kernel(const pen_model *model)
{
    const pen_kernel_view *const kernel = pen_model_kernel(model);
    const pen_matrix rows = pen_model_tensor(model, "landmark_rows"),
                     of = pen_model_tensor(model, "landmarks"),
                     weights = pen_model_tensor(model, "projection");
    char number[CLI_NUMBER_SIZE];

    if (!kernel)
        return;
    const double landmarks = 8e-6 * (double)of.rows * (double)of.cols,
                 projection = 8e-6 * (double)weights.rows * (double)weights.cols;
    printf("%-14s %s", "kernel", kernel->name);
    if (kernel->gamma > 0)
        printf(", gamma %s", cli_number(kernel->gamma, number));
    if (kernel->degree > 0)
        printf(", degree %lld, coef0 %s", (long long)kernel->degree,
               cli_number(kernel->coef0, number));
    printf(": values with %lld landmarks\n%-14s rows", (long long)kernel->count, "landmarks");
    for (int64_t l = 0; l < kernel->count && l < LANDMARKS_SHOWN; l++)
        printf("%s %.0f", l ? "," : "", rows.values[l]);
    printf("%s of the fit, counted from 0\n", kernel->count > LANDMARKS_SHOWN ? ", ..." : "");
    printf("%-14s %.3g MB in memory: landmarks %.3g, projection %.3g\n", "size",
           landmarks + projection, landmarks, projection);
}

/* The features that contribute most to column `dim` of the projection. */
static void print_loadings(const pen_model *model, int64_t dim)
{
    loading list[LOADINGS_MOST];
    const int count = loadings_of(model, dim, list);

    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", stdout);
        cli_put(stdout, pen_model_feature_name(model, list[i].column));
        printf(" %.3g", list[i].size);
    }
}

static void print_dimensions(const pen_model *model)
{
    const int64_t k = pen_model_output_dim(model);
    const double *const eigenvalues = pen_model_eigenvalues(model);
    /* a kernel model has no weights of columns */
    const int named = pen_model_feature_name(model, 0) && !pen_model_kernel(model);

    if (!eigenvalues && !named)
        return;
    printf("\ndimension%s%s\n", eigenvalues ? "  eigenvalue" : "",
           !named        ? ""
           : eigenvalues ? "   largest weights times deviations"
                         : "  largest weights times deviations");
    for (int64_t i = 0; i < k && i < DIMENSIONS_SHOWN; i++) {
        printf("%9lld", (long long)i + 1);
        if (eigenvalues)
            printf("  %-10.6g", eigenvalues[i]);
        fputs(named ? "  " : "", stdout);
        if (named) {
            loadings_separates(stdout, model, i);
            print_loadings(model, i);
        }
        putchar('\n');
    }
    if (k > DIMENSIONS_SHOWN)
        printf("      ... (--json has all)\n");
}

/* "pca:fme - TITLE, then: TITLE" where the second was fitted to the embedding of the first. */
static void print_method(const char *name)
{
    const char *const start = name, *between = " - ";
    int experimental = 0;

    cli_put(stdout, name);
    while (*name) {
        char part[64];
        const size_t length = strcspn(name, ":");
        snprintf(part, sizeof part, "%.*s", length < sizeof part ? (int)length : 0, name);
        const pen_method *const method = pen_method_named(part);
        if (method) {
            printf("%s%s", between, method->title);
            experimental |= method_is_experimental(method);
            between = ", then: ";
        }
        name += length + (name[length] == ':');
    }
    puts(experimental                 ? "; experimental"
         : strcmp(start, "auto") == 0 ? " - one projection, learned from what several models say"
                                      : "");
}

static void print_text(const pen_model *model)
{
    printf("%-14s ", "method");
    print_method(pen_model_method(model));
    printf("%-14s %lld columns to %lld dimensions\n", "maps", (long long)pen_model_input_dim(model),
           (long long)pen_model_output_dim(model));
    print_kernel(model);
    print_classes(model);
    print_facts("parameters", pen_model_parameter_facts(model));
    if (pen_model_missing(model))
        printf("%-14s %s\n", "missing", input_missings[pen_model_missing(model)]);
    print_facts("info", pen_model_info_facts(model));
    print_dimensions(model);
}

/* ---- the command ---- */

static int info(const cli_args *args)
{
    pen_model *model = NULL;

    if (stats_are_in(args_operand(args, 0)))
        return stats_info_command(args, args_operand(args, 0));
    const int status = input_model(args, args_operand(args, 0), &model);
    if (status != CLI_OK)
        return status;
    if (args_value(args, "json"))
        print_json(model);
    else
        print_text(model);
    pen_model_free(model);
    return CLI_OK;
}

static const args_form form = {
    "penumbra info MODEL [--json]",
    "Show the method, sizes, parameters and eigenvalues of a model; or the rows and parts of "
    "statistics.\n",
    1,
    1,
    { { NULL, flags } },
    "Usage: penumbra info MODEL [flags]                            all flags: --help\n"
    "Show what is in a model: its method, sizes, classes and parameters, and the\n"
    "columns that each of its dimensions is made of.\n"
    "\n"
    "  penumbra info data.pen\n"
    "  penumbra info data.pen --json\n"
    "\n"
    "  --json                  all of it as JSON, with every number\n",
};

int cmd_info(int argc, char **argv)
{
    return args_run(&form, argc, argv, info);
}
