/* args.h - flags of a command line, read by tables.
 *
 * A command is a file of commands/, which has
 * - a static struct with what its flags say, with the defaults in it;
 * - tables of flags that point at its members, so that the flags are read when the command begins,
 *   and only rules between flags are left to check;
 * - a function that does the work, written with CLI_TRY, CLI_CALL, cli_own and cli_alloc (cli.h)
 *   and cli_work (progress.h), so that it frees nothing, and asks neither for errors nor for
 *   signals;
 * - cmd_NAME, an args_form with the function, the operands, the tables in groups, and the text of
 *   -h; --help is made of the tables. main.c lists the forms.
 * --quiet, --verbose, --json, --threads, --version and --help are flags of every command.
 */
#ifndef ARGS_H
#define ARGS_H

#include "base/cli.h"

/* Members that a flag does not need are left out in the tables. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* What `to` of a flag is. Without the flag it keeps its value. */
typedef enum flag_type {
    FLAG_SWITCH, /* int: 1 if the flag is given */
    FLAG_TEXT,   /* const char * */
    FLAG_CHOICE, /* int: which of the words in `value`, which '|' separates, from 0 */
    FLAG_COUNT,  /* int64_t of at least min, and at most max if that is not 0 */
    FLAG_REAL,   /* double in min .. max */
    FLAG_SEED    /* uint64_t */
} flag_type;

typedef struct cli_flag {
    const char *name; /* words joined by '-' or '_' */
    /* the name of its value in the help; NULL: it takes none; "": only after '='. A "FILE" must
     * not be empty; "COLUMNS", "TEXTS" and "LIST" are lists separated by commas (args_list). */
    const char *value;
    const char *help; /* printed in lines of 80 columns */
    char letter;      /* -o for --output, or 0 */
    flag_type type;
    void *to; /* where the value goes; NULL: ask args_value */
    double min, max;
    int required; /* `help` says what is missing */
} cli_flag;

/* One thing found: a flag with its value ("" if it takes none), or an operand (name NULL). */
typedef struct cli_arg {
    const char *name; /* as in the table */
    const char *value;
    int is_list; /* the value is one, separated by commas */
} cli_arg;

/* The command line, which args_run reads. */
typedef struct cli_args {
    const cli_flag *params; /* the table of parameters, or NULL */
    cli_arg *list;
    int count;
} cli_args;
extern cli_args args_all;

/* ---- a command ---- */

/* A table of flags, and its title in the help (NULL: none). */
typedef struct args_group {
    const char *title;
    const cli_flag *flags;
} args_group;

enum { ARGS_GROUPS = 8 };

/* ARGS_PARAMS: METHOD is the first operand, whose parameters are flags, too; ARGS_AUTO: it may be
 * left out, and is auto then. */
enum { ARGS_PARAMS = 1, ARGS_AUTO };

/* What a command takes, and what its help says. */
typedef struct args_form {
    const char *name, *does;        /* the sub-command, and what it does, in a line */
    int (*run)(void);               /* returns the exit status */
    int params;                     /* ARGS_PARAMS, ARGS_AUTO or 0 */
    int least, most;                /* operands */
    args_group groups[ARGS_GROUPS]; /* flags NULL after the last */
    /* what -h prints: at most 25 lines of 80 columns. The first one is "Usage: ", how it is called,
     * and after blanks where all flags are; flags come after the second empty line */
    const char *brief;
} args_form;

/* ARGS_BRIEF for -h, ARGS_FULL for --help, else 0. */
enum { ARGS_BRIEF = 1, ARGS_FULL };
int args_want_help(int argc, char **argv);

/* What is wanted: the short text, or all flags by pages. */
void args_print_help(const args_form *form, int wanted);

/* Of every command. */
extern const cli_flag args_common[];

/* The flag of that name in a table, which may be NULL; or NULL. */
const cli_flag *args_in(const cli_flag *table, const char *name);

/* Whether the form has a flag of that name. */
int args_has(const args_form *form, const char *name);

/* Read `--name value`, `--name=value`, `-o value` and operands, flags and operands in any order,
 * operands only after "--". `extra`: one more table of flags, parameters, or NULL. An unknown flag
 * is an error that names the nearest one, and the parameters of `method` (may be NULL). The number
 * of operands must be as the form says, none of them empty. Returns CLI_OK or the exit status, with
 * the error printed. */
int args_read(const args_form *form, int argc, char **argv, const cli_flag *extra,
              const pen_method *method);

/* ---- values ---- */

/* The flags of all commands that name a file which is written, NULL after the last. */
extern const char *const args_outputs[];

/* --threads; 0: all cores. */
extern int64_t args_threads;

/* The last value given to a flag ("" for one that takes none), or NULL. */
const char *args_value(const char *name);

/* Value `index` of a flag that may be repeated, or NULL. */
const char *args_repeated(const char *name, int index);

/* The values of a flag over all its repetitions, such as the entries of a list, or of NULL the
 * operands, NULL after the last, and their number; NULL: none. */
const char *const *args_list(const char *name, int64_t *count);

/* Operand `index`, or NULL. */
const char *args_operand(int index);

/* Check that two mutually exclusive flags are not both given. */
int args_not_both(const char *one, const char *other);

/* A flag that must be a whole number of at least `least`: into *out, which keeps its value if the
 * flag was not given. */
int args_count(const char *name, int64_t least, int64_t *out);

/* --seed, a whole number from 0 to 2^64 - 1, likewise. */
int args_seed(uint64_t *out);

#endif
