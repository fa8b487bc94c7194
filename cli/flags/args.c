/* args.c - reads the flags of a command line by tables. */
#define _POSIX_C_SOURCE 200809L

#include "flags/args.h"

#include "core/meant.h"
#include "flags/method_text.h"
#include "base/lines.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FLAGS = 256, MOST_THREADS = 1024, NAME_SIZE = 256, MOST_WORDS = 16, MORE_SIZE = 600 };

const char *const args_outputs[] = { "output", "classes", "report", "cache", NULL };
int64_t args_threads;
cli_args args_all;

/* While the command line is read: the tables, with parameters last, and the METHOD. */
static const cli_flag *tables[ARGS_GROUPS + 3];
static const pen_method *method;

const cli_flag args_common[] = {
    { "quiet", NULL, "print errors only: no report, warnings or progress bar", 'q', FLAG_SWITCH,
      &cli_quiet },
    { "verbose", NULL, "also print all candidates, times and more numbers", 0, FLAG_SWITCH,
      &cli_verbose },
    { "json", NULL, "print the report, with every number, as one JSON object on standard output", 0,
      FLAG_SWITCH, &cli_json },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0, FLAG_COUNT,
      &args_threads, 1, MOST_THREADS },
    { "version", NULL, "print the version" },
    { "help", NULL, "print all flags; -h prints the usual ones", 'h' },
    { NULL },
};

/* ---- looking up ---- */

const cli_flag *args_in(const cli_flag *table, const char *name)
{
    for (; table && table->name; table++)
        if (cli_same_name(table->name, name))
            return table;
    return NULL;
}

/* The flag of that name, or, if the name is NULL, of that letter; NULL: none. */
static const cli_flag *known_flag(const char *name, char letter)
{
    for (int t = 0; tables[t]; t++)
        for (const cli_flag *flag = tables[t]; flag->name; flag++)
            if (name ? cli_same_name(flag->name, name) : flag->letter == letter)
                return flag;
    return NULL;
}

/* Considers only parameters of `method`, unless it is NULL; the last table has those of all. */
static const char *nearest_flag(const char *name)
{
    const char *names[MOST_FLAGS];
    int count = 0;

    for (int t = 0; tables[t]; t++)
        for (const cli_flag *flag = tables[t]; flag->name && count < MOST_FLAGS; flag++)
            if (!method
                || (args_in(tables[t], "pairs") ? method_learns_from_pairs(method)
                                                : tables[t + 1] || method_has(method, flag->name)))
                names[count++] = flag->name;
    return pen_nearest(name, names, count);
}

static int unknown_flag(const char *text)
{
    char name[NAME_SIZE], more[MORE_SIZE] = "";

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    const char *const bare = name + strspn(name, "-"), *const now = old_flag(bare);
    if (now) /* "is now" or "was removed", and what to type */
        return cli_refuse("--%s %s", bare, now);
    const char *const near = nearest_flag(bare);
    if (near)
        snprintf(more, sizeof more, "did you mean --%s?", near);
    else if (method)
        method_list_params(method, more, sizeof more);
    else
        snprintf(more, sizeof more, "penumbra %s --help lists them", cli_command);
    return cli_refuse("unknown flag %s; %s", name, cli_dashed(more));
}

/* ---- parsing ---- */

static int is_file(const cli_flag *flag)
{
    return flag->value && strcmp(flag->value, "FILE") == 0;
}

static int is_list(const cli_flag *flag)
{
    return flag->value
           && (strcmp(flag->value, "COLUMNS") == 0 || strcmp(flag->value, "TEXTS") == 0
               || strcmp(flag->value, "LIST") == 0);
}

/* Adds each entry of a list as one argument. */
static void add(const cli_flag *flag, const char *value)
{
    const int split = flag && is_list(flag);
    char *const copy = split ? strcpy(cli_alloc((int64_t)strlen(value) + 1, 1), value) : NULL;

    for (const char *entry = copy ? copy : value; entry;) {
        char *const comma = split ? strchr(entry, ',') : NULL;
        if (comma)
            *comma = '\0';
        args_all.list[args_all.count++] = (cli_arg){ flag ? flag->name : NULL, entry, split };
        entry = comma ? comma + 1 : NULL;
    }
}

/* Adds `flag`. Its value is `inside` (after '=' or the letter) or, if that is NULL, `next`. *used:
 * whether `next` was taken. */
static int take_flag(const cli_flag *flag, const char *typed, const char *inside, const char *next,
                     int *used)
{
    *used = !inside && flag->value && *flag->value;
    const char *const value = *used ? next : inside ? inside : "";
    if (!flag->value && inside)
        return cli_refuse("%s takes no value, got \"%s\"", typed, inside);
    if (*used && (!value || strncmp(value, "--", 2) == 0))
        return cli_refuse("%s needs a value: %s", typed, flag->value);
    if (is_file(flag) && !*value)
        return cli_refuse("%s needs a file name, got an empty text", typed);
    add(flag, value);
    return CLI_OK;
}

/* `--name`, `--name=value`, `-x`, `-xvalue`. */
static int take_argument(const char *text, const char *next, int *used)
{
    const int is_long = text[1] == '-';
    const char *inside = is_long ? strchr(text, '=') : text[2] ? text + 2 - (text[2] != '=') : NULL;
    char typed[80];

    snprintf(typed, sizeof typed, "%.*s", is_long ? (int)strcspn(text, "=") : 2, text);
    const cli_flag *const flag = known_flag(is_long ? typed + 2 : NULL, text[1]);
    /* another method may have a parameter of the name that a flag once had */
    if (!flag
        || (args_in(args_all.params, flag->name) == flag && old_flag(flag->name)
            && !method_has(method, flag->name)))
        return unknown_flag(text);
    return take_flag(flag, typed, inside ? inside + 1 : NULL, next, used);
}

static int parse(int argc, char **argv)
{
    int only_operands = 0, most = argc; /* an argument has at most one entry more than commas */

    for (int i = 0; i < argc; i++)
        for (const char *c = argv[i]; *c; c++)
            most += *c == ',';
    args_all.list = cli_alloc(most, sizeof *args_all.list);

    for (int i = 1, used; i < argc; i += 1 + used) {
        used = 0;
        if (only_operands || argv[i][0] != '-' || !argv[i][1] || argv[i][1] == ':')
            add(NULL, argv[i]);
        else if (strcmp(argv[i], "--") == 0)
            only_operands = 1;
        else
            CLI_TRY(take_argument(argv[i], argv[i + 1], &used));
    }
    return CLI_OK;
}

/* ---- values ---- */

/* Argument `index` of that name; a NULL name finds operands. */
static const cli_arg *find(const char *name, int index)
{
    for (int i = 0; i < args_all.count; i++) {
        const cli_arg *const arg = &args_all.list[i];
        if ((name && arg->name ? cli_same_name(arg->name, name) : arg->name == name)
            && index-- == 0)
            return arg;
    }
    return NULL;
}

const char *args_value(const char *name)
{
    const char *value = NULL;

    for (int i = 0; find(name, i); i++)
        value = find(name, i)->value;
    return value;
}

const char *args_repeated(const char *name, int index)
{
    const cli_arg *const arg = find(name, index);
    return arg ? arg->value : NULL;
}

const char *const *args_list(const char *name, int64_t *count)
{
    *count = 0;
    while (args_repeated(name, (int)*count))
        ++*count;
    if (*count == 0)
        return NULL;
    const char **const list = cli_alloc(*count + 1, sizeof *list);
    for (int64_t i = 0; i < *count; i++)
        list[i] = args_repeated(name, (int)i);
    return list;
}

const char *args_operand(int index)
{
    return args_repeated(NULL, index);
}

int args_not_both(const char *one, const char *other)
{
    if (args_value(one) && args_value(other))
        return cli_refuse("--%s and --%s are mutually exclusive; give one of them", one, other);
    return CLI_OK;
}

/* most: INT64_MAX or UINT64_MAX if there is no limit. */
static int whole(const char *name, uint64_t least, uint64_t most, uint64_t *out)
{
    const char *const value = args_value(name), *end = value;
    char to[24] = "or more";
    uint64_t number;

    if (!value)
        return CLI_OK;
    if (cli_whole(&end, &number) && !*end && number >= least && number <= most) {
        *out = number;
        return CLI_OK;
    }
    if (most != INT64_MAX)
        snprintf(to, sizeof to, most == UINT64_MAX ? "to 2^64 - 1" : "to %lld", (long long)most);
    return cli_refuse("--%s must be a whole number, %lld %s, got \"%s\"", name, (long long)least,
                      to, value);
}

int args_count(const char *name, int64_t least, int64_t *out)
{
    return whole(name, (uint64_t)least, INT64_MAX, (uint64_t *)out);
}

int args_seed(uint64_t *out)
{
    return whole("seed", 0, UINT64_MAX, out);
}

int args_want_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return ARGS_FULL;
        if (strcmp(argv[i], "-h") == 0)
            return ARGS_BRIEF;
    }
    return 0;
}

/* ---- help ---- */

static void print_flags(const cli_flag *flags, const args_form *unless)
{
    for (const cli_flag *flag = flags; flag->name; flag++)
        if (!unless || !args_has(unless, flag->name))
            line_flag(flag->letter, flag->name, flag->value, flag->help, NULL);
}

/* "penumbra COMMAND ..." */
static const char *usage_of(const args_form *form)
{
    static char text[NAME_SIZE];

    const char *const start = strchr(form->brief, ' ') + 1; /* after "Usage:" */

    snprintf(text, sizeof text, "%.*s", (int)(strstr(start, "  ") - start), start);
    return text;
}

void args_print_help(const args_form *form, int wanted)
{
    if (wanted == ARGS_BRIEF) {
        fputs(form->brief, stdout);
        return;
    }
    cli_page();
    const char *const examples = strstr(form->brief, "\n\n") + 2;
    printf("All flags; penumbra %s -h prints the usual ones.\nUsage: %s%.*s", cli_command,
           usage_of(form), (int)(strstr(examples, "\n\n") + 2 - strchr(form->brief, '\n')),
           strchr(form->brief, '\n'));
    for (const args_group *group = form->groups; group->flags; group++) {
        line title = { "" };
        if (group->title) {
            line_add(&title, "%s:", group->title);
            putchar('\n');
            line_wrap(stdout, 0, title.text);
        }
        print_flags(group->flags, NULL);
    }
    puts("\nFlags of all commands:");
    print_flags(args_common, form);
}

/* ---- a command ---- */

int args_has(const args_form *form, const char *name)
{
    const args_group *group = form->groups;

    while (group->flags && !args_in(group->flags, name))
        group++;
    return group->flags != NULL;
}

static int check_operands(const args_form *form)
{
    int count = 0;

    for (int i = 0; i < args_all.count; i++) {
        if (args_all.list[i].name)
            continue;
        if (count++ == form->most)
            return cli_refuse("too many arguments at \"%s\"; usage: %s", args_all.list[i].value,
                              usage_of(form));
        if (!*args_all.list[i].value)
            return cli_refuse("argument %d is empty; usage: %s", count, usage_of(form));
    }
    if (count < form->least)
        return cli_refuse("too few arguments; usage: %s", usage_of(form));
    return CLI_OK;
}

/* ---- where values go ---- */

static int set_choice(const cli_flag *flag)
{
    const char *const value = args_value(flag->name);
    char words[NAME_SIZE], meant[PEN_MEANT_SIZE], *all[MOST_WORDS];
    int count = 0;

    snprintf(words, sizeof words, "%s", flag->value);
    for (char *word = strtok(words, "|"); word; word = strtok(NULL, "|")) {
        if (strcmp(word, value) == 0) {
            *(int *)flag->to = count;
            return CLI_OK;
        }
        all[count++] = word;
    }
    return cli_refuse("--%s must be one of %s; got \"%s\"%s", flag->name, flag->value, value,
                      pen_meant(value, (const char *const *)all, count, meant));
}

static int set_real(const cli_flag *flag)
{
    const char *const value = args_value(flag->name);
    char *end, low[CLI_NUMBER_SIZE], high[CLI_NUMBER_SIZE];

    const double number = strtod(value, &end);
    if (end == value || *end || !(number >= flag->min && number <= flag->max))
        return cli_refuse("--%s must be a number from %s to %s, got \"%s\"", flag->name,
                          cli_number(flag->min, low), cli_number(flag->max, high), value);
    *(double *)flag->to = number;
    return CLI_OK;
}

static int set_value(const cli_flag *flag)
{
    switch (flag->type) {
    case FLAG_SWITCH:
        *(int *)flag->to = 1;
        return CLI_OK;
    case FLAG_TEXT:
        *(const char **)flag->to = args_value(flag->name);
        return CLI_OK;
    case FLAG_CHOICE:
        return set_choice(flag);
    case FLAG_COUNT:
        return whole(flag->name, (uint64_t)flag->min,
                     flag->max > 0 ? (uint64_t)flag->max : INT64_MAX, flag->to);
    case FLAG_REAL:
        return set_real(flag);
    case FLAG_SEED:
        return args_seed(flag->to);
    }
    return CLI_OK;
}

static int check_flag(const cli_flag *flag)
{
    if (args_value(flag->name))
        return flag->to ? set_value(flag) : CLI_OK;
    if (!flag->required)
        return CLI_OK;
    return cli_refuse("-%c %s is required: %s", flag->letter, flag->value, flag->help);
}

/* With --json no result may go to standard output. */
static int check_streams(void)
{
    for (int i = 0; args_outputs[i]; i++)
        if (args_value(args_outputs[i]) && strcmp(args_value(args_outputs[i]), "-") == 0)
            return cli_refuse("--json and --%s - both write to standard output; give one of them",
                              args_outputs[i]);
    return CLI_OK;
}

int args_read(const args_form *form, int argc, char **argv, const cli_flag *extra,
              const pen_method *named)
{
    int count = 0;

    for (; form->groups[count].flags; count++)
        tables[count] = form->groups[count].flags;
    tables[count++] = args_common;
    tables[count] = args_all.params = extra;
    method = named;
    CLI_TRY(parse(argc, argv));
    CLI_TRY(check_operands(form));
    for (int t = 0; tables[t]; t++)
        for (const cli_flag *flag = tables[t]; flag->name; flag++)
            CLI_TRY(check_flag(flag));
    return cli_json ? check_streams() : CLI_OK;
}
