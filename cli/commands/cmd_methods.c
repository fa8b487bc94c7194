/* cmd_methods.c - penumbra methods: list the methods or describe one, from the tables of the
 * library. */
#define _POSIX_C_SOURCE 200809L

#include "flags/args.h"
#include "flags/method_text.h"
#include "base/lines.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 64 };

/* ---- as text ---- */

static const char *predicts(const pen_method *method)
{
    static const char *const kinds[] = {
        [0] = "classes of any rows, by a classifier if there are labels (predict)",
        [PEN_PREDICTS] = "classes of any rows, by its scores or another classifier (predict)",
        [PEN_PROPAGATES] = "classes of the rows of the fit, by its scores (fit --classes), and of "
                           "any rows, by a classifier (predict)",
        [PEN_PREDICTS | PEN_PROPAGATES] =
            "classes of any rows, by its scores or another classifier "
            "(predict), and of the rows of the fit (fit --classes)",
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

/* Writes the value of a parameter, given as text. */
static void json_value(const char *name, const pen_param *param, const char *value)
{
    char *end;
    const double number = strtod(value, &end);

    if (param->type == PEN_PARAM_FLAG)
        cli_json_bool(name, number != 0);
    else if (*value && !*end && param->type != PEN_PARAM_CHOICE)
        cli_json_real(name, number);
    else
        cli_json_string(name, value);
}

static void json_range(const pen_param *param)
{
    if (param->type == PEN_PARAM_CHOICE) {
        cli_json_open("choices", '[', 0);
        for (int i = 0; param->choices[i]; i++)
            cli_json_string(NULL, param->choices[i]);
        cli_json_close();
    }
    if (param->type == PEN_PARAM_TEXT)
        cli_json_string("syntax", param->syntax);
    if (param->type != PEN_PARAM_REAL && param->type != PEN_PARAM_INT)
        return;
    cli_json_real("min", param->min);
    if (param->open & PEN_OPEN_MIN)
        cli_json_bool("exclusive_min", 1);
    cli_json_real("max", param->max);
    if (param->open & PEN_OPEN_MAX)
        cli_json_bool("exclusive_max", 1);
    cli_json_open("words", '{', 0);
    for (const pen_word *word = param->words; word && word->text; word++)
        cli_json_real(word->text, word->value);
    cli_json_close();
}

/* Writes the values that compare tries: numbers, choices, and words for special values. */
static void json_grid(const pen_param *param)
{
    const char *text = param->grid;
    char value[TEXT_SIZE];

    cli_json_open("grid", '[', 0);
    while (text && *(text += strspn(text, " "))) {
        const int length = (int)strcspn(text, " ");
        snprintf(value, sizeof value, "%.*s", length, text);
        json_value(NULL, param, value);
        text += length;
    }
    cli_json_close();
}

static void json_param(const pen_param *param)
{
    static const char *const types[] = { [PEN_PARAM_REAL] = "real",
                                         [PEN_PARAM_INT] = "int",
                                         [PEN_PARAM_CHOICE] = "choice",
                                         [PEN_PARAM_FLAG] = "flag",
                                         [PEN_PARAM_TEXT] = "text" };
    char initial[TEXT_SIZE] = "";

    cli_json_open(NULL, '{', 0);
    cli_json_string("name", param->name);
    cli_json_string("type", types[param->type]);
    cli_json_bool("common", param->common == 1);
    if (param->type != PEN_PARAM_CHOICE && param->type != PEN_PARAM_TEXT)
        snprintf(initial, sizeof initial, "%.17g", param->initial);
    json_value("default", param,
               param->type == PEN_PARAM_CHOICE ? param->choices[(int)param->initial]
               : param->type == PEN_PARAM_TEXT ? param->text
                                               : initial);
    json_range(param);
    cli_json_string("help", param->help);
    json_grid(param);
    cli_json_close();
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

    cli_json_open(NULL, '{', 1);
    cli_json_string("name", method->name);
    cli_json_string("title", method->title);
    cli_json_string("cite", method->cite);
    cli_json_string("dims", method->dims);
    cli_json_string("cost", method->cost);
    cli_json_string("not_for", method->not_for ? method->not_for : "");
    cli_json_string("source", sources[method->source]);
    cli_json_bool("experimental", method_is_experimental(method));
    for (size_t i = 0; i < sizeof flags_of / sizeof *flags_of; i++)
        cli_json_bool(flags_of[i].name, (method->traits & flags_of[i].traits) != 0);
    cli_json_open("parameters", '[', 1);
    for (const pen_param *param = method->params; param->name; param++)
        json_param(param);
    cli_json_close();
    cli_json_close();
}

/* ---- the command ---- */

static void print_json(const pen_method *method)
{
    cli_json_begin();
    cli_json_open("methods", '[', 1);
    for (int64_t i = 0; !method && pen_method_at(i); i++)
        json_method(pen_method_at(i));
    if (method)
        json_method(method);
    cli_json_close();
    cli_json_close();
}

static int methods(void)
{
    const char *const name = args_operand(0);
    const pen_method *const method = name ? pen_method_named(name) : NULL;
    pen_spec *spec = NULL;

    if (name && !method) { /* the error of the library lists the methods */
        const int known = pen_spec_new(name, &spec, &cli_error) == PEN_OK;
        pen_spec_free(spec);
        return cli_refuse(
            "%s", known ? "auto tries several methods; penumbra fit auto -h lists its parameters"
                        : cli_error.message);
    }
    if (cli_json) {
        print_json(method);
    } else if (method) {
        print_facts(method);
        method_print_params(method);
    } else {
        method_print_all();
    }
    return CLI_OK;
}

const args_form cmd_methods = {
    "methods",
    "list the methods or describe one",
    methods,
    0,
    0,
    1,
    { { NULL, NULL } },
    "Usage: penumbra methods [METHOD] [flags]                      all flags: --help\n"
    "List the methods and what each learns from. With METHOD, describe it: what it\n"
    "learns from, its dimensions, cost, parameters and publication.\n"
    "\n"
    "  penumbra methods\n"
    "  penumbra methods self\n"
    "\n"
    "  --json                  print them as JSON\n",
};
