/* cmd_methods.c - penumbra methods: list the methods, or describe one. Everything comes from the
 * tables of the library. */
#define _POSIX_C_SOURCE 200809L

#include "flags/args.h"
#include "flags/method_text.h"
#include "flags/param_flags.h"
#include "lines.h"

#include <stdlib.h>
#include <string.h>

static int as_json;

static const cli_flag flags[] = {
    { "json", NULL, "as JSON", 0, FLAG_SWITCH, &as_json },
    { NULL },
};

enum { TEXT_SIZE = 64 };

/* ---- as text ---- */

static const char *predicts(const pen_method *method)
{
    static const char *const kinds[] = {
        [0] = "with labels, classes of any rows, by a classifier (predict)",
        [PEN_PREDICTS] = "classes of any rows, by its scores or another classifier (predict)",
        [PEN_PROPAGATES] = "classes of the rows of the fit, by its scores (fit --classes), and of "
                           "any rows, by a classifier (predict)",
        [PEN_PREDICTS | PEN_PROPAGATES] =
            "classes of any rows, by its scores or another classifier "
            "(predict), and of those of the fit (fit --classes)",
    };
    return kinds[method->traits & (PEN_PREDICTS | PEN_PROPAGATES)];
}

static void print_facts(const pen_method *method)
{
    static const char *const sources[] = {
        [PEN_SOURCE_PAPER] = "as printed in the paper",
        [PEN_SOURCE_PROGRAM] = "as in the authors' program where the paper leaves it open",
        [PEN_SOURCE_RECONSTRUCTED] = ("EXPERIMENTAL: reconstructed from secondary sources; results "
                                      "may differ from those published"),
    };

    line cost = { "" }, from = { "" };

    method_learns_from(method, 1, from.text, sizeof from.text);
    line_add(&cost,
             "%s (n rows, l of them labelled, d columns, k neighbors, c classes, p pairs, t "
             "iterations)",
             method->cost);
    const char *const facts[][2] = {
        { "learns from:", from.text },           { "dimensions:", method->dims },
        { "predicts:", predicts(method) },       { "not for:", method->not_for },
        { "formula:", sources[method->source] }, { "cost:", cost.text },
        { "reference:", method->cite },
    };
    method_print_title(method);
    putchar('\n');
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i][1])
            line_wrap(stdout, printf("%-13s", facts[i][0]), facts[i][1]);
    putchar('\n');
}

/* ---- as JSON ---- */

static void json_text(const char *before, const char *text)
{
    fputs(before, stdout);
    cli_json_text(stdout, text);
}

static void json_initial(const pen_param *param)
{
    if (param->type == PEN_PARAM_FLAG)
        fputs(param->initial != 0 ? "true" : "false", stdout);
    else if (param->type == PEN_PARAM_CHOICE)
        cli_json_text(stdout, param->choices[(int)param->initial]);
    else if (param->type == PEN_PARAM_TEXT)
        params_value_json(stdout, param, param->text);
    else
        cli_json_number(stdout, param->initial);
}

static void json_range(const pen_param *param)
{
    if (param->type == PEN_PARAM_CHOICE) {
        fputs(", \"choices\": [", stdout);
        for (int i = 0; param->choices[i]; i++) {
            fputs(i ? ", " : "", stdout);
            cli_json_text(stdout, param->choices[i]);
        }
        fputs("]", stdout);
    }
    if (param->type == PEN_PARAM_TEXT)
        json_text(", \"syntax\": ", param->syntax);
    if (param->type != PEN_PARAM_REAL && param->type != PEN_PARAM_INT)
        return;
    fputs(", \"min\": ", stdout);
    cli_json_number(stdout, param->min);
    fputs(param->open & PEN_OPEN_MIN ? ", \"exclusive_min\": true" : "", stdout);
    fputs(", \"max\": ", stdout);
    cli_json_number(stdout, param->max);
    fputs(param->open & PEN_OPEN_MAX ? ", \"exclusive_max\": true" : "", stdout);
    fputs(", \"words\": {", stdout);
    for (const pen_word *word = param->words; word && word->text; word++) {
        fputs(word == param->words ? "" : ", ", stdout);
        cli_json_text(stdout, word->text);
        fputs(": ", stdout);
        cli_json_number(stdout, word->value);
    }
    fputs("}", stdout);
}

/* The values that compare tries: numbers, choices, and words for special values. */
static void json_grid(const pen_param *param)
{
    const char *text = param->grid;
    char value[TEXT_SIZE];

    fputs(", \"grid\": [", stdout);
    while (text && *(text += strspn(text, " "))) {
        const int length = (int)strcspn(text, " ");
        char *end;
        snprintf(value, sizeof value, "%.*s", length, text);
        const double number = strtod(value, &end);
        fputs(text == param->grid ? "" : ", ", stdout);
        if (param->type == PEN_PARAM_CHOICE || *end)
            cli_json_text(stdout, value);
        else
            cli_json_number(stdout, number);
        text += length;
    }
    fputs("]", stdout);
}

static void json_param(const pen_param *param)
{
    static const char *const types[] = { [PEN_PARAM_REAL] = "real",
                                         [PEN_PARAM_INT] = "int",
                                         [PEN_PARAM_CHOICE] = "choice",
                                         [PEN_PARAM_FLAG] = "flag",
                                         [PEN_PARAM_TEXT] = "text" };

    json_text("{\"name\": ", param->name);
    printf(", \"type\": \"%s\", \"common\": %s, \"default\": ", types[param->type],
           param->common == 1 ? "true" : "false");
    json_initial(param);
    json_range(param);
    json_text(", \"help\": ", param->help);
    json_grid(param);
    fputs("}", stdout);
}

static void json_method(const pen_method *method)
{
    static const char *const sources[] = { [PEN_SOURCE_PAPER] = "paper",
                                           [PEN_SOURCE_PROGRAM] = "program",
                                           [PEN_SOURCE_RECONSTRUCTED] = "reconstructed" };
    static const struct {
        const char *name;
        int traits;
    } flags_of[] = {
        { "needs_labels", PEN_LABELS },       { "uses_unlabelled", PEN_USES_UNLABELLED },
        { "must_links", PEN_MUST_LINKS },     { "cannot_links", PEN_CANNOT_LINKS },
        { "predicts", PEN_PREDICTS },         { "propagates", PEN_PROPAGATES },
        { "seeks_neighbors", PEN_NEIGHBORS }, { "merges", PEN_MERGES | PEN_MERGES_ROWS }
    };
    const char *const texts[][2] = {
        { "name", method->name },
        { "title", method->title },
        { "cite", method->cite },
        { "dims", method->dims },
        { "cost", method->cost },
        { "not_for", method->not_for ? method->not_for : "" },
        { "source", sources[method->source] },
    };
    const pen_param *param;

    fputs("{", stdout);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        printf("\n      \"%s\": ", texts[i][0]);
        cli_json_text(stdout, texts[i][1]);
        putchar(',');
    }
    printf("\n      \"experimental\": %s,", method_is_experimental(method) ? "true" : "false");
    for (size_t i = 0; i < sizeof flags_of / sizeof *flags_of; i++)
        printf("\n      \"%s\": %s,", flags_of[i].name,
               method->traits & flags_of[i].traits ? "true" : "false");
    fputs("\n      \"parameters\": [", stdout);
    for (int64_t i = 0; (param = &method->params[i])->name; i++) {
        fputs(i ? ",\n        " : "\n        ", stdout);
        json_param(param);
    }
    fputs("\n      ]\n    }", stdout);
}

/* ---- the command ---- */

static void print_json(const pen_method *method)
{
    const pen_method *next;

    cli_json_open();
    cli_json_member("methods");
    putchar('[');
    for (int64_t i = 0; (next = method ? method : pen_method_at(i)); i++) {
        fputs(i ? ",\n    " : "\n    ", stdout);
        json_method(next);
        if (method)
            break;
    }
    fputs("\n  ]", stdout);
    cli_json_close();
}

static int methods(void)
{
    const char *const name = args_operand(0);
    const pen_method *const method = name ? pen_method_named(name) : NULL;
    pen_spec *spec = NULL;

    if (name && !method) { /* the library says which ones there are */
        const int known = pen_spec_new(name, &spec, &cli_error) == PEN_OK;
        pen_spec_free(spec);
        return cli_refuse("%s", known
                                    ? "auto tries several methods and has no parameters of its own"
                                    : cli_error.message);
    }
    if (as_json) {
        print_json(method);
    } else if (method) {
        print_facts(method);
        method_print_params(method);
    } else {
        method_print_all();
    }
    return CLI_OK;
}

static const args_form form = {
    "penumbra methods [METHOD] [--json]",
    "List the methods, or describe one and its parameters.",
    0,
    1,
    { { NULL, flags } },
    "Usage: penumbra methods [METHOD] [flags]                      all flags: --help\n"
    "List the methods: what each learns from, and what it does. With METHOD: what it\n"
    "is for, what it costs, its parameters, and where it was published.\n"
    "\n"
    "  penumbra methods\n"
    "  penumbra methods self\n"
    "\n"
    "  --json                  as JSON\n",
};

int cmd_methods(int argc, char **argv)
{
    return args_run(&form, argc, argv, methods);
}
