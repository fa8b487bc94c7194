/* cli.h - what the sub-commands share: messages, exit status, numbers and JSON. */
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

/* Return with the error of a call of the library, which is given &cli_error; input_failed says it.
 * CLI_ASK: of one that refuses what the command line says. */
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
 * What a command allocates, and what the library hands it, has one owner, which lets go of it when
 * the command has ended. No function of a command frees anything but what it made itself and would
 * otherwise make again and again. */

/* `pointer`, which is released at the end; NULL is fine. Once it is there, before anything else is
 * done with it. */
void *cli_own(void *pointer, void (*release)(void *pointer));

/* Releases of what the library hands out. */
void cli_free_model(void *object), cli_free_table(void *object), cli_free_spec(void *object);
void cli_free_stats(void *object), cli_free_pairs(void *object), cli_free_sparse(void *object);
void cli_free_folds(void *object), cli_free_comparison(void *object);
void cli_free_rows(void *object);

/* Zeros, owned. Without memory the command says so and ends with CLI_FAILED: never NULL. */
void *cli_alloc(int64_t count, size_t size);

/* main: release everything. */
void cli_release(void);

/* The error of the last call of the library, which is given its place. */
extern pen_error cli_error;

/* ---- commands ---- */

/* From here standard output is shown by pages (PAGER, else less), if it is a terminal; main waits
 * for the end. */
void cli_page(void);
void cli_page_end(void);

/* The sub-command that runs, or NULL; what --quiet, --verbose and --json say. */
extern const char *cli_command;
extern int cli_quiet, cli_verbose, cli_json;

/* Print "penumbra COMMAND: MESSAGE" on standard error, after all of standard output. Returns
 * CLI_FAILED; of a wrong command line, CLI_USAGE. */
int cli_fail(const char *format, ...);
int cli_refuse(const char *format, ...);

/* The same of what users may want to know; nothing with --quiet. */
void cli_note(const char *format, ...);

/* Whether two names are the same, '-' and '_' alike. */
int cli_same_name(const char *a, const char *b);

/* The text with '-' for each '_', in place: a name as a flag. */
char *cli_dashed(char *text);

/* The name of an input in messages. */
const char *cli_input_name(const char *path);

/* A path without its folders. */
const char *cli_last_part(const char *path);

/* The end of a file's name from its last '.', "" if there is none. */
const char *cli_extension(const char *path);

/* The file of FILE::MEMBER, or the path itself, in `file`; the path if that is too short. */
enum { CLI_PATH_SIZE = 4096 };
const char *cli_file_of(const char *path, char file[CLI_PATH_SIZE]);

/* Whether writing `out` would overwrite the file `in`. */
int cli_same_file(const char *out, const char *in);

/* Read the digits at *text, and advance past them. Returns 0 when there are none or the number is
 * above 2^64 - 1. */
int cli_whole(const char **text, uint64_t *out);

/* How many of labels [n] are some; NULL: none. */
int64_t cli_labelled(const int32_t *labels, int64_t n);

enum { CLI_NUMBER_SIZE = 32 };

/* What is printed after +-, in standard errors: 90 of 100 intervals hold the truth. */
#define CLI_HALF_WIDTH 1.645

/* The shortest of %.15g, %.16g and %.17g that reads back to the same number. */
const char *cli_number(double value, char text[CLI_NUMBER_SIZE]);

/* A value of pen_model_value as text, NULL: none; as a number, NaN: none. The key is a format. */
const char *cli_model_text(const pen_model *model, const char *key, ...);
double cli_model_number(const pen_model *model, const char *key, ...);

/* The JSON of pen_system from the value of that name on; "": there is none. */
const char *cli_system(const char *name);

/* Write text from outside: '?' for each control character and each byte that is not UTF-8. */
void cli_put(FILE *stream, const char *text);

/* The columns that a text takes on a terminal, roughly: two for a character of eastern Asia. */
int cli_width(const char *text);

/* The text, or with more than `most` columns its two ends with ... between: names often differ
 * at the end. Returns `out`. */
const char *cli_shorten(const char *text, int most, char *out, size_t size);

/* The report of a command as one object on standard output: begin it with the version and the name
 * of the command, then write members, and entries of lists (name NULL). A list '[' or object '{'
 * within it has a line for each of its parts if it is tall. */
void cli_json_begin(void);
void cli_json_open(const char *name, char bracket, int is_tall);
void cli_json_close(void);
void cli_json_count(const char *name, int64_t value);
void cli_json_bool(const char *name, int value);

/* null if it is not finite; NULL: null. */
void cli_json_real(const char *name, double value);
void cli_json_numbers(const char *name, const double *values, int64_t count);

/* NULL: null. Bytes that are not UTF-8 become U+FFFD, control characters \u00XX. */
void cli_json_string(const char *name, const char *value);

/* JSON from the library. */
void cli_json_raw(const char *name, const char *json);

/* ---- large files, which are mapped ---- */

/* From here the file `path` is read with pen_read_options.map, and may stay mapped until the end. A
 * SIGBUS then says which file became shorter, and ends the process with CLI_FAILED. */
void mapped_begin(const char *path);

/* What was read of it, or NULL. */
void mapped_end(const pen_table *table);

/* The same if a file became shorter without a signal, as one that still ends in the same page. Call
 * it before any result of the rows is written, so that none is left incomplete. */
void mapped_check(void);

/* ---- names of earlier versions ---- */

/* What to say of the flag of an earlier version, such as "is now --classes"; NULL: there was none
 * of that name. */
const char *old_flag(const char *name);

/* The same for a sub-command. */
const char *old_command(const char *name);

#endif
