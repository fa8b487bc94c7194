/* method_text.c - prints methods and parameters from the tables of the library. */
#include "flags/method_text.h"

#include "base/lines.h"

#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 128, HELP_SIZE = 600 };

static void append(char *text, size_t size, const char *format, const char *value)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, format, value);
}

static void describe_range(const pen_param *param, char *text, size_t size)
{
    char number[CLI_NUMBER_SIZE];

    if (param->type == PEN_PARAM_CHOICE)
        for (int i = 0; param->choices[i]; i++)
            append(text, size, i ? "|%s" : "%s", param->choices[i]);
    if (param->type == PEN_PARAM_TEXT)
        append(text, size, "%s", param->syntax);
    if (param->type != PEN_PARAM_REAL && param->type != PEN_PARAM_INT)
        return;
    append(text, size, param->open & PEN_OPEN_MIN ? "above %s" : "%s",
           cli_number(param->min, number));
    if (isfinite(param->max))
        append(text, size, param->open & PEN_OPEN_MAX ? " to below %s" : " to %s",
               cli_number(param->max, number));
    else if (!(param->open & PEN_OPEN_MIN))
        append(text, size, "%s", " or more");
    for (const pen_word *word = param->words; word && word->text; word++)
        append(text, size, ", %s", word->text);
}

/* Prints the help, and "[range; default]" below it. */
static void print_param(const pen_spec *usual, const pen_param *param)
{
    char range[HELP_SIZE] = "", initial[TEXT_SIZE];

    if (param->type != PEN_PARAM_FLAG) {
        pen_spec_get(usual, param->name, initial, sizeof initial);
        append(range, sizeof range, "%s", "[");
        describe_range(param, range, sizeof range);
        append(range, sizeof range, "; default %s", *initial ? initial : "''");
        append(range, sizeof range, param->grid ? "; compare tries %s]" : "]", param->grid);
    } else if (param->initial != 0) {
        append(range, sizeof range, "[on unless --%s=false]", param->name);
    }
    line_flag(0, param->name, param->type == PEN_PARAM_FLAG ? "" : "VALUE", param->help,
              *range ? range : NULL);
}

void method_print_params(const pen_method *method)
{
    const pen_param *param = method->params;
    pen_spec *usual;

    if (pen_spec_new(method->name, &usual, NULL) != PEN_OK)
        return;
    for (; param->name; param++) {
        const int first = param == method->params;
        if (first || param->common != param[-1].common)
            printf("%sParameters of %s:\n", first ? "" : "\n",
                   param->common == 2 ? "methods that learn from pairs"
                   : param->common    ? "every method"
                                      : method->name);
        print_param(usual, param);
    }
    pen_spec_free(usual);
}

int method_learns_from_pairs(const pen_method *method)
{
    return (method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS)) != 0;
}

int method_is_experimental(const pen_method *method)
{
    return method->source == PEN_SOURCE_RECONSTRUCTED;
}

/* Prints "name - title". */
void method_print_title(const pen_method *method)
{
    line title = { "" };

    line_add(&title, "%s%s", method->title, method_is_experimental(method) ? "; experimental" : "");
    line_wrap(stdout, printf("%s - ", method->name), title.text);
}

void method_learns_from(const pen_method *method, int in_full, char *text, size_t size)
{
    static const char *const pairs[] = { [PEN_MUST_LINKS] = "must-links",
                                         [PEN_CANNOT_LINKS] = "cannot-links",
                                         [PEN_MUST_LINKS | PEN_CANNOT_LINKS] = "pairs" };
    const int traits = method->traits, of_pairs = traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS);
    const char *const from = of_pairs                ? pairs[of_pairs]
                             : traits & PEN_BASELINE ? "nothing"
                             : traits & PEN_LABELS   ? "labels"
                                                     : NULL;
    const char *const more = !in_full                ? ""
                             : of_pairs              ? ", or labels as pairs"
                             : traits & PEN_BASELINE ? ": a baseline"
                             : from                  ? ""
                                                     : "; labels are not used";
    const int rows = from && !(traits & PEN_BASELINE) && traits & PEN_USES_UNLABELLED;

    snprintf(text, size, "%s%s%s", from ? from : "rows", more,
             !rows     ? ""
             : in_full ? ", and all rows"
                       : ", rows");
}

static void print_line(const pen_method *method)
{
    const int traits = method->traits;
    char text[HELP_SIZE] = "", from[TEXT_SIZE];

    method_learns_from(method, 0, from, sizeof from);
    append(text, sizeof text, "%s", method->title);
    if (traits & (PEN_PREDICTS | PEN_PROPAGATES))
        append(text, sizeof text, "; %s",
               traits & PEN_PREDICTS ? "scores classes" : "scores classes of its rows");
    if (method_is_experimental(method))
        append(text, sizeof text, "%s", "; experimental");
    line_wrap(stdout, printf("  %-10s %-16s ", method->name, from), text);
}

void method_print_all(void)
{
    int any_experimental = 0;

    printf("  %-10s %s\n", "method", "learns from");
    for (int64_t i = 0; pen_method_at(i); i++) {
        print_line(pen_method_at(i));
        any_experimental |= method_is_experimental(pen_method_at(i));
    }
    puts("\n  rows: all rows, labelled or not; pairs: must-links and cannot-links, or\n"
         "  labels as pairs");
    if (any_experimental)
        puts("  experimental: the formula is reconstructed from secondary sources");
}

const pen_param *method_param(const pen_method *method, const char *name)
{
    for (const pen_param *param = method ? method->params : NULL; param && param->name; param++)
        if (cli_same_name(param->name, name))
            return param;
    return NULL;
}

int method_has(const pen_method *method, const char *name)
{
    return method_param(method, name) != NULL;
}

void method_list_params(const pen_method *method, char *text, size_t size)
{
    append(text, size, "parameters of %s: ", method->name);
    for (const pen_param *param = method->params; param->name; param++)
        append(text, size, param == method->params ? "%s" : ", %s", param->name);
}
