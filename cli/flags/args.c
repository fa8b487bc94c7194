/* args.c - flags of a command line, read by tables. */
#define _POSIX_C_SOURCE 200809L

#include "flags/args.h"

#include "flags/method_text.h"
#include "flags/old_flags.h"
#include "flags/pair_flags.h"
#include "lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 32, MOST_FLAGS = 256, MOST_THREADS = 1024, NAME_SIZE = 256, MORE_SIZE = 600 };

int args_threads;

/* Of every command. */
static const cli_flag common_flags[] = {
    { "quiet", NULL, "errors only: no report, no warnings, no progress bar", 'q' },
    { "verbose", NULL, "all that was tried, times, and more numbers" },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0, FLAG_INT,
      &args_threads, 1, MOST_THREADS },
    { "version", NULL, "print the version" },
    { "help", NULL, "all flags; -h: the usual ones", 'h' },
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

static const cli_flag *flag_named(const cli_flag *const *tables, const char *name)
{
    const cli_flag *found = NULL;

    while (*tables && !(found = args_in(*tables, name)))
        tables++;
    return found;
}

static const cli_flag *flag_lettered(const cli_flag *const *tables, char letter)
{
    for (; *tables; tables++)
        for (const cli_flag *flag = *tables; flag->name; flag++)
            if (flag->letter == letter)
                return flag;
    return NULL;
}

/* Only what `method` has, unless it is NULL: the last table has parameters of all methods. */
static const char *nearest_flag(const cli_flag *const *tables, const pen_method *method,
                                const char *name)
{
    const char *names[MOST_FLAGS];
    int count = 0;

    for (; *tables; tables++)
        for (const cli_flag *flag = *tables; flag->name && count < MOST_FLAGS; flag++)
            if (!method
                || (*tables == pairs_flags ? method_learns_from_pairs(method)
                                           : tables[1] || method_has(method, flag->name)))
                names[count++] = flag->name;
    return cli_nearest(name, names, count);
}

/* A name as users type it: names of parameters have '_'. */
static void print_name(FILE *stream, const char *name)
{
    for (; *name; name++)
        fputc(*name == '_' ? '-' : *name, stream);
}

static int unknown_flag(const cli_args *args, const cli_flag *const *tables, const char *text,
                        const pen_method *method)
{
    char name[NAME_SIZE], known[MORE_SIZE] = "";

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    const char *const bare = name + strspn(name, "-");
    const char *const now = old_flag(bare);
    if (now) /* "is now" or "left" and what to type */
        return cli_say(args->command, CLI_USAGE, "--%s %s", bare, now);
    const char *const near = nearest_flag(tables, method, bare);
    method_list_params(method, known, sizeof known);
    fputs("unknown flag ", cli_tell(args->command));
    cli_put(stderr, name);
    if (near) {
        fputs("; did you mean --", stderr);
        print_name(stderr, near);
        fputc('?', stderr);
    } else if (!*known) {
        fprintf(stderr, "; penumbra %s --help lists them", args->command);
    }
    fprintf(stderr, "%s%s\n", *known && !near ? "; " : *known ? " " : "", known);
    return CLI_USAGE;
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

/* Each entry of a list is an argument of its own. */
static void add_list(cli_args *args, const cli_flag *flag, const char *value)
{
    char *entry = args->texts + args->text_size;

    strcpy(entry, value);
    args->text_size += strlen(value) + 1;
    while (entry) {
        char *const comma = strchr(entry, ',');
        if (comma)
            *comma = '\0';
        args->list[args->count++] = (cli_arg){ flag->name, entry, 0, 1 };
        entry = comma ? comma + 1 : NULL;
    }
}

static void add(cli_args *args, const cli_flag *flag, const char *value)
{
    if (flag && is_list(flag))
        add_list(args, flag, value);
    else
        args->list[args->count++] = flag ? (cli_arg){ flag->name, value, is_file(flag), 0 }
                                         : (cli_arg){ NULL, value, 0, 0 };
}

/* Note `flag`. Its value is `inside` (after '=' or after the letter) or, if that is NULL, the next
 * argument. */
static int take_flag(cli_args *args, const cli_flag *flag, const char *typed, const char *inside,
                     char **next, int *used)
{
    const char *value = inside;

    *used = 0;
    if (!flag->value && inside)
        return cli_say(args->command, CLI_USAGE, "%s takes no value, got \"%s\"", typed, inside);
    if (!inside && (!flag->value || !*flag->value)) {
        add(args, flag, "");
        return CLI_OK;
    }
    if (!value) {
        value = *next;
        *used = 1;
        if (!value || strncmp(value, "--", 2) == 0)
            return cli_say(args->command, CLI_USAGE, "%s needs a value: %s", typed, flag->value);
    }
    if (is_file(flag) && !*value)
        return cli_say(args->command, CLI_USAGE, "%s needs the name of a file, got an empty text",
                       typed);
    add(args, flag, value);
    return CLI_OK;
}

/* argv[0] is `--name`, `--name=value`, `-x`, `-xvalue`. *used: the number of further arguments it
 * took. */
static int take_argument(cli_args *args, char **argv, const cli_flag *const *tables,
                         const pen_method *method, int *used)
{
    const char *const text = argv[0];
    char typed[80];

    if (text[1] != '-') {
        const cli_flag *const flag = flag_lettered(tables, text[1]);
        if (!flag)
            return unknown_flag(args, tables, text, method);
        snprintf(typed, sizeof typed, "-%c", text[1]);
        return take_flag(args, flag, typed, text[2] ? text + 2 + (text[2] == '=') : NULL, argv + 1,
                         used);
    }
    const char *const equals = strchr(text, '=');
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(text, "="), text);
    const cli_flag *const flag = flag_named(tables, typed + 2);
    /* a parameter of other methods may have the name that a flag had */
    if (!flag
        || (args_in(args->params, typed + 2) == flag && old_flag(typed + 2)
            && !method_has(method, typed + 2)))
        return unknown_flag(args, tables, text, method);
    return take_flag(args, flag, typed, equals ? equals + 1 : NULL, argv + 1, used);
}

/* No argument has more entries than commas and one. */
static void make_room(int argc, char **argv, const cli_flag *params, cli_args *args)
{
    size_t size = 1, most = (size_t)argc + 1;

    for (int i = 0; i < argc; i++) {
        size += strlen(argv[i]) + 1;
        for (const char *c = argv[i]; *c; c++)
            most += *c == ',';
    }
    *args = (cli_args){ .command = argv[0],
                        .params = params,
                        .list = cli_alloc((int64_t)most, sizeof *args->list),
                        .texts = cli_alloc((int64_t)size, 1) };
}

static int parse(int argc, char **argv, const cli_flag *const *tables, const pen_method *method,
                 cli_args *args)
{
    int only_operands = 0;

    for (int i = 1; i < argc; i++) {
        int used = 0;
        if (only_operands || argv[i][0] != '-' || !argv[i][1] || argv[i][1] == ':') {
            add(args, NULL, argv[i]);
        } else if (strcmp(argv[i], "--") == 0) {
            only_operands = 1;
        } else {
            CLI_TRY(take_argument(args, argv + i, tables, method, &used));
        }
        i += used;
    }
    return CLI_OK;
}

/* ---- values ---- */

const char *args_value(const cli_args *args, const char *name)
{
    for (int i = args->count - 1; i >= 0; i--)
        if (args->list[i].name && cli_same_name(args->list[i].name, name))
            return args->list[i].value;
    return NULL;
}

const char *args_file(const cli_args *args, const char *name)
{
    for (int i = args->count - 1; i >= 0; i--)
        if (args->list[i].name && args->list[i].is_file && cli_same_name(args->list[i].name, name))
            return args->list[i].value;
    return NULL;
}

const char *args_repeated(const cli_args *args, const char *name, int index)
{
    for (int i = 0; i < args->count; i++)
        if (args->list[i].name && cli_same_name(args->list[i].name, name) && index-- == 0)
            return args->list[i].value;
    return NULL;
}

const char *const *args_list(const cli_args *args, const char *name, int64_t *count)
{
    *count = 0;
    while (args_repeated(args, name, (int)*count))
        ++*count;
    if (*count == 0)
        return NULL;
    const char **const list = cli_alloc(*count, sizeof *list);
    for (int64_t i = 0; i < *count; i++)
        list[i] = args_repeated(args, name, (int)i);
    return list;
}

const char *args_operand(const cli_args *args, int index)
{
    for (int i = 0; i < args->count; i++)
        if (!args->list[i].name && index-- == 0)
            return args->list[i].value;
    return NULL;
}

int args_not_both(const cli_args *args, const char *one, const char *other)
{
    if (args_value(args, one) && args_value(args, other))
        return cli_say(args->command, CLI_USAGE,
                       "--%s and --%s are mutually exclusive; give one of them", one, other);
    return CLI_OK;
}

int args_count(const cli_args *args, const char *name, int64_t least, int64_t *out)
{
    const char *const value = args_value(args, name), *end = value;
    uint64_t number;

    if (!value)
        return CLI_OK;
    if (!cli_whole(&end, &number) || *end || number > INT64_MAX || (int64_t)number < least)
        return cli_say(args->command, CLI_USAGE,
                       "--%s must be a whole number of at least %lld, got \"%s\"", name,
                       (long long)least, value);
    *out = (int64_t)number;
    return CLI_OK;
}

int args_seed(const cli_args *args, const char *name, uint64_t *out)
{
    const char *const value = args_value(args, name), *end = value;

    if (value && (!cli_whole(&end, out) || *end))
        return cli_say(args->command, CLI_USAGE,
                       "--%s must be a whole number from 0 to 2^64 - 1, got \"%s\"", name, value);
    return CLI_OK;
}

int args_refuse_h5ad(const cli_args *args, const char *out)
{
    if (strcmp(cli_extension(out), ".h5ad") != 0)
        return CLI_OK;
    return cli_say(args->command, CLI_USAGE,
                   "%s: h5ad is not written here: in Python penumbra.pp adds an embedding to an "
                   "AnnData",
                   out);
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

void args_print_flag(const cli_flag *flag, const char *range)
{
    char left[100] = "  ";

    if (flag->letter)
        snprintf(left, sizeof left, "  -%c, ", flag->letter);
    const size_t start = strlen(left);
    snprintf(left + start, sizeof left - start, "--%s%s%s", flag->name,
             flag->value && *flag->value ? " " : "", flag->value ? flag->value : "");
    for (char *c = left + start; *c && *c != ' '; c++)
        if (*c == '_')
            *c = '-';
    printf("%-*s ", HELP_COLUMN - 1, left);
    if (strlen(left) >= HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    line_wrap(stdout, HELP_COLUMN, flag->help);
    if (range) {
        printf("%*s", HELP_COLUMN, "");
        line_wrap(stdout, HELP_COLUMN, range);
    }
}

void args_print_help(const args_form *form, const char *command, int wanted)
{
    if (wanted == ARGS_BRIEF && form->brief) {
        fputs(form->brief, stdout);
        return;
    }
    cli_page();
    printf("All flags; penumbra %s -h prints the usual ones.\nUsage: %s\n\n", command, form->usage);
    line_wrap(stdout, 0, form->about);
    for (const args_group *group = form->groups; group->flags; group++) {
        line title = { "" };
        if (group->title) {
            line_add(&title, "%s:", group->title);
            putchar('\n');
            line_wrap(stdout, 0, title.text);
        }
        for (const cli_flag *flag = group->flags; flag->name; flag++)
            args_print_flag(flag, NULL);
    }
    puts("\nEverywhere:");
    for (const cli_flag *flag = common_flags; flag->name; flag++)
        if (!args_has(form, flag->name))
            args_print_flag(flag, NULL);
}

/* ---- a command ---- */

int args_has(const args_form *form, const char *name)
{
    const args_group *group = form->groups;

    while (group->flags && !args_in(group->flags, name))
        group++;
    return group->flags != NULL;
}

static int check_operands(const cli_args *args, const args_form *form)
{
    int count = 0;

    for (int i = 0; i < args->count; i++) {
        if (args->list[i].name)
            continue;
        if (count++ == form->most)
            return cli_say(args->command, CLI_USAGE, "too many arguments at \"%s\"; usage: %s",
                           args->list[i].value, form->usage);
        if (!*args->list[i].value)
            return cli_say(args->command, CLI_USAGE, "argument %d is empty; usage: %s", count,
                           form->usage);
    }
    if (count < form->least)
        return cli_say(args->command, CLI_USAGE, "too few arguments; usage: %s", form->usage);
    return CLI_OK;
}

/* ---- where values go ---- */

static int set_choice(const cli_args *args, const cli_flag *flag)
{
    const char *const value = args_value(args, flag->name);
    int *const to = flag->to;
    int index = 0;

    for (const char *word = flag->value; *word; index++) {
        const size_t length = strcspn(word, "|");
        if (strlen(value) == length && strncmp(word, value, length) == 0) {
            *to = index;
            return CLI_OK;
        }
        word += length + (word[length] == '|');
    }
    return cli_say(args->command, CLI_USAGE, "--%s must be one of %s; got \"%s\"", flag->name,
                   flag->value, value);
}

static int set_int(const cli_args *args, const cli_flag *flag)
{
    const char *const value = args_value(args, flag->name);
    char *end;

    errno = 0;
    const long number = strtol(value, &end, 10);
    if (errno || end == value || *end || (double)number < flag->min || (double)number > flag->max)
        return cli_say(args->command, CLI_USAGE,
                       "--%s must be a whole number from %.0f to %.0f, got \"%s\"", flag->name,
                       flag->min, flag->max, value);
    *(int *)flag->to = (int)number;
    return CLI_OK;
}

static int set_real(const cli_args *args, const cli_flag *flag)
{
    const char *const value = args_value(args, flag->name);
    char *end, low[CLI_NUMBER_SIZE], high[CLI_NUMBER_SIZE];

    const double number = strtod(value, &end);
    if (end == value || *end || !(number >= flag->min && number <= flag->max))
        return cli_say(args->command, CLI_USAGE, "--%s must be a number from %s to %s, got \"%s\"",
                       flag->name, cli_number(flag->min, low), cli_number(flag->max, high), value);
    *(double *)flag->to = number;
    return CLI_OK;
}

static int set_value(const cli_args *args, const cli_flag *flag)
{
    switch (flag->type) {
    case FLAG_SWITCH:
        *(int *)flag->to = 1;
        return CLI_OK;
    case FLAG_TEXT:
        *(const char **)flag->to = args_value(args, flag->name);
        return CLI_OK;
    case FLAG_CHOICE:
        return set_choice(args, flag);
    case FLAG_INT:
        return set_int(args, flag);
    case FLAG_COUNT:
        return args_count(args, flag->name, (int64_t)flag->min, (int64_t *)flag->to);
    case FLAG_REAL:
        return set_real(args, flag);
    case FLAG_SEED:
        return args_seed(args, flag->name, (uint64_t *)flag->to);
    }
    return CLI_OK;
}

static int check_flag(const cli_args *args, const cli_flag *flag)
{
    if (args_value(args, flag->name))
        return flag->to ? set_value(args, flag) : CLI_OK;
    if (!flag->required)
        return CLI_OK;
    return cli_say(args->command, CLI_USAGE, "-%c %s is required: %s", flag->letter, flag->value,
                   flag->help);
}

int args_read(const args_form *form, int argc, char **argv, const cli_flag *extra,
              const pen_method *method, cli_args *args)
{
    const cli_flag *tables[ARGS_GROUPS + 3] = { NULL };
    int count = 0;

    for (; form->groups[count].flags; count++)
        tables[count] = form->groups[count].flags;
    tables[count++] = common_flags;
    tables[count] = extra;
    make_room(argc, argv, extra, args);
    CLI_TRY(parse(argc, argv, tables, method, args));
    CLI_TRY(check_operands(args, form));
    for (int t = 0; tables[t]; t++)
        for (const cli_flag *flag = tables[t]; flag->name; flag++)
            CLI_TRY(check_flag(args, flag));
    const char *const out = args_value(args, "output");
    if (out && strcmp(out, "-") == 0 && args_value(args, "json"))
        return cli_say(args->command, CLI_USAGE,
                       "--json and -o - both write to standard output; give one of them");
    return CLI_OK;
}

int args_run(const args_form *form, int argc, char **argv, int (*command)(const cli_args *args))
{
    cli_args args;
    const int help = args_want_help(argc, argv);

    if (help) {
        args_print_help(form, argv[0], help);
        return CLI_OK;
    }
    CLI_TRY(args_read(form, argc, argv, NULL, NULL, &args));
    return command(&args);
}
