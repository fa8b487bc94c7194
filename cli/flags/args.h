/* args.h - reads the flags of a command line by tables.
 *
 * Each command is a file in commands/ that contains
 * - a static struct for the values of its flags, initialized with the defaults;
 * - tables of flags that point to its members. The flags are read before the command runs, so it
 *   checks only rules between flags;
 * - a function that does the work. It uses CLI_TRY, CLI_CALL, cli_own and cli_alloc (cli.h) and
 *   cli_work (progress.h), so that it frees nothing and handles no errors or signals itself;
 * - cmd_NAME, an args_form with the function, the operands, the tables in groups, and the text of
 *   -h. --help is generated from the tables. main.c lists the forms.
 * --quiet, --verbose, --json, --threads, --version and --help are flags of every command.
 */
#ifndef ARGS_H
#define ARGS_H

#include "base/cli.h"

/* Tables omit members that a flag does not need. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* The type of `to`, which keeps its value if the flag is not given. */
typedef enum flag_type {
    FLAG_SWITCH, /* int: 1 if the flag is given */
    FLAG_TEXT,   /* const char * */
    FLAG_CHOICE, /* int: index of a word in `value`, which '|' separates */
    FLAG_COUNT,  /* int64_t of at least min, and at most max if that is not 0 */
    FLAG_REAL,   /* double in min .. max */
    FLAG_SEED    /* uint64_t */
} flag_type;

typedef struct cli_flag {
    const char *name; /* words joined by '-' or '_' */
    /* name of the value in the help; NULL: takes none; "": only after '='. "FILE" must not be
     * empty; "COLUMNS", "TEXTS" and "LIST" are lists separated by commas (args_list) */
    const char *value;
    const char *help; /* wrapped to 80 columns */
    char letter;      /* -o for --output, or 0 */
    flag_type type;
    void *to; /* receives the value; NULL: use args_value */
    double min, max;
    int required; /* the error prints `help` */
} cli_flag;

/* A flag with its value ("" if it takes none), or an operand (name NULL). */
typedef struct cli_arg {
    const char *name; /* as in the table */
    const char *value;
    int is_list; /* the value is an entry of a list */
} cli_arg;

/* The command line, which args_run reads. */
typedef struct cli_args {
    const cli_flag *params; /* the table of parameters, or NULL */
    cli_arg *list;
    int count;
} cli_args;
extern cli_args args_all;

/* ---- a command ---- */

/* A table of flags and its title in the help (NULL: none). */
typedef struct args_group {
    const char *title;
    const cli_flag *flags;
} args_group;

enum { ARGS_GROUPS = 8 };

/* ARGS_PARAMS: the first operand is METHOD, and parameters are also flags. ARGS_AUTO: METHOD may be
 * omitted, which means auto. */
enum { ARGS_PARAMS = 1, ARGS_AUTO };

/* The operands and flags of a command, and its help. */
typedef struct args_form {
    const char *name, *does;        /* the sub-command and its description in a line */
    int (*run)(void);               /* returns the exit status */
    int params;                     /* ARGS_PARAMS, ARGS_AUTO or 0 */
    int least, most;                /* operands */
    args_group groups[ARGS_GROUPS]; /* flags NULL after the last */
    /* text of -h: at most 25 lines of 80 columns. The first line is "Usage: ", the call and, after
     * blanks, a reference to --help; flags follow the second empty line */
    const char *brief;
} args_form;

/* ARGS_BRIEF for -h, ARGS_FULL for --help, else 0. */
enum { ARGS_BRIEF = 1, ARGS_FULL };
int args_want_help(int argc, char **argv);

/* Print the text of -h, or all flags in a pager. */
void args_print_help(const args_form *form, int wanted);

/* Flags of every command. */
extern const cli_flag args_common[];

/* The flag of that name in a table (may be NULL); NULL: none. */
const cli_flag *args_in(const cli_flag *table, const char *name);

/* Whether the form has a flag of that name. */
int args_has(const args_form *form, const char *name);

/* Read `--name value`, `--name=value`, `-o value` and operands in any order; all arguments after
 * "--" are operands. `extra`: a table of parameters or NULL. The error for an unknown flag
 * names the nearest flag or the parameters of `method` (may be NULL). The form limits the number of
 * operands; none may be empty. Returns CLI_OK, or the exit status after printing the error. */
int args_read(const args_form *form, int argc, char **argv, const cli_flag *extra,
              const pen_method *method);

/* ---- values ---- */

/* The flags of all commands that name an output file, NULL after the last. */
extern const char *const args_outputs[];

/* --threads; 0: all cores. */
extern int64_t args_threads;

/* The last value given to a flag ("" for one that takes none), or NULL. */
const char *args_value(const char *name);

/* Value `index` of a flag that may be repeated, or NULL. */
const char *args_repeated(const char *name, int index);

/* All values of a repeated or list flag, or the operands if the name is NULL, with NULL after the
 * last, and their number; NULL: none. */
const char *const *args_list(const char *name, int64_t *count);

/* Operand `index`, or NULL. */
const char *args_operand(int index);

/* Check that two mutually exclusive flags are not both given. */
int args_not_both(const char *one, const char *other);

/* Read a flag that must be a whole number of at least `least` into *out, which keeps its value if
 * the flag is not given. */
int args_count(const char *name, int64_t least, int64_t *out);

/* Read --seed in the same way, a whole number from 0 to 2^64 - 1. */
int args_seed(uint64_t *out);

#endif
