/* cli.h - shared by all sub-commands: messages, exit status, numbers and JSON. */
#ifndef CLI_H
#define CLI_H

#include <penumbra.h>

#include <stdio.h>

/* Exit status: 0 success, 1 failure, 2 invalid command line. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* Return the status of `call` unless it is CLI_OK. */
#define CLI_TRY(call)                                                                              \
    do {                                                                                           \
        const int cli_status = (call);                                                             \
        if (cli_status != CLI_OK)                                                                  \
            return cli_status;                                                                     \
    } while (0)

/* Return after printing the error of a library call, which gets &cli_error. CLI_CALL prints it with
 * input_failed; CLI_ASK treats it as an error of the command line. */
#define CLI_CALL(call)                                                                             \
    do {                                                                                           \
        if ((call) != PEN_OK)                                                                      \
            return input_failed();                                                                 \
    } while (0)
#define CLI_ASK(call)                                                                              \
    do {                                                                                           \
        if ((call) != PEN_OK)                                                                      \
            return cli_refuse("%s", cli_error.message);                                            \
    } while (0)

/* ---- memory ----
 *
 * One owner holds everything that a command allocates or gets from the library, and releases it
 * when the command ends. A function frees only what it would otherwise allocate repeatedly. */

/* Return `pointer` (NULL is fine), which `release` frees at the end. Call this right after the
 * pointer is made. */
void *cli_own(void *pointer, void (*release)(void *pointer));

/* Release functions for objects of the library. */
void cli_free_model(void *object), cli_free_table(void *object), cli_free_spec(void *object);
void cli_free_stats(void *object), cli_free_pairs(void *object), cli_free_sparse(void *object);
void cli_free_folds(void *object), cli_free_comparison(void *object);
void cli_free_rows(void *object);

/* Owned zeros, never NULL: if memory is exhausted, prints an error and exits with CLI_FAILED. */
void *cli_alloc(int64_t count, size_t size);

/* main: release everything. */
void cli_release(void);

/* The error of the last library call that got its address. */
extern pen_error cli_error;

/* ---- commands ---- */

/* Show standard output in a pager (PAGER, else less) from here on, if it is a terminal. main waits
 * for the pager. */
void cli_page(void);
void cli_page_end(void);

/* The sub-command that runs, or NULL; the values of --quiet, --verbose and --json. */
extern const char *cli_command;
extern int cli_quiet, cli_verbose, cli_json;

/* Print "penumbra COMMAND: MESSAGE" on standard error after flushing standard output. cli_fail
 * returns CLI_FAILED; cli_refuse, for a wrong command line, returns CLI_USAGE. */
int cli_fail(const char *format, ...);
int cli_refuse(const char *format, ...);

/* Print a remark in the same form, unless --quiet is given. */
void cli_note(const char *format, ...);

/* Whether two names are equal if '-' and '_' count as equal. */
int cli_same_name(const char *a, const char *b);

/* Replace each '_' by '-' in place, to make a flag of a name. Returns text. */
char *cli_dashed(char *text);

/* The name of an input in messages. */
const char *cli_input_name(const char *path);

/* A path without its folders. */
const char *cli_last_part(const char *path);

/* The extension of a file with its dot; "" if it has none. */
const char *cli_extension(const char *path);

/* The FILE of FILE::MEMBER, stored in `file`; the path itself if it exists or has no MEMBER. */
enum { CLI_PATH_SIZE = 4096 };
const char *cli_file_of(const char *path, char file[CLI_PATH_SIZE]);

/* Whether writing `out` would overwrite the file `in`. */
int cli_same_file(const char *out, const char *in);

/* Read the digits at *text and advance past them. Returns 0 if there are none or the number is
 * above 2^64 - 1. */
int cli_whole(const char **text, uint64_t *out);

/* The number of labelled rows in labels [n]; 0 for NULL. */
int64_t cli_labelled(const int32_t *labels, int64_t n);

enum { CLI_NUMBER_SIZE = 32 };

/* Half the width of printed intervals, in standard errors: 90 of 100 hold the truth. */
#define CLI_HALF_WIDTH 1.645

/* The shortest of %.15g, %.16g and %.17g that reads back as the same number. */
const char *cli_number(double value, char text[CLI_NUMBER_SIZE]);

/* A value of pen_model_value as text (NULL: none) or as a number (NaN: none); key is a format. */
const char *cli_model_text(const pen_model *model, const char *key, ...);
double cli_model_number(const pen_model *model, const char *key, ...);

/* The JSON of pen_system, beginning at the value of that name; "": it has none. */
const char *cli_system(const char *name);

/* Write text from outside, with '?' for control characters and bytes that are not UTF-8. */
void cli_put(FILE *stream, const char *text);

/* The approximate width of a text on a terminal: two columns for an East Asian character. */
int cli_width(const char *text);

/* The text, or, if it has more than `most` columns, its two ends with ... between, because names
 * often differ at the end. Returns `out`. */
const char *cli_shorten(const char *text, int most, char *out, size_t size);

/* Write the report of a command as one object on standard output. cli_json_begin writes version and
 * command; the other functions write members, or entries of lists (name NULL). A tall list '[' or
 * object '{' has a line for each part. */
void cli_json_begin(void);
void cli_json_open(const char *name, char bracket, int is_tall);
void cli_json_close(void);
void cli_json_count(const char *name, int64_t value);
void cli_json_bool(const char *name, int value);

/* Numbers that are not finite and NULL become null. */
void cli_json_real(const char *name, double value);
void cli_json_numbers(const char *name, const double *values, int64_t count);

/* NULL becomes null, bytes that are not UTF-8 become U+FFFD, control characters \u00XX. */
void cli_json_string(const char *name, const char *value);

/* JSON from the library. */
void cli_json_raw(const char *name, const char *json);

/* ---- mapped files ---- */

/* Call this before reading `path` with pen_read_options.map; the file may stay mapped to the end.
 * After a SIGBUS the process names the file that became shorter and ends with CLI_FAILED. */
void mapped_begin(const char *path);

/* Call this after reading, with the table or NULL. */
void mapped_end(const pen_table *table);

/* End the process if a file became shorter without a signal, which happens within a page. Call this
 * before writing results, so that none is incomplete. */
void mapped_check(void);

/* ---- names of earlier versions ---- */

/* What to say about a flag of an earlier version, such as "is now --classes"; NULL: there was no
 * such flag. */
const char *old_flag(const char *name);

/* The same for a sub-command. */
const char *old_command(const char *name);

#endif
