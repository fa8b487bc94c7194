/* messages.c - messages, names, numbers and JSON. */
#define _POSIX_C_SOURCE 200809L

#include "base/cli.h"

#include "core/textbuf.h"
#include "core/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MESSAGE_SIZE = 512, KEY_SIZE = 160 };

pen_error cli_error;
const char *cli_command;
int cli_quiet, cli_verbose, cli_json;

static void say(const char *format, va_list list)
{
    char shortened[MESSAGE_SIZE], *text = shortened;
    va_list again;

    va_copy(again, list);
    const int length = vsnprintf(shortened, sizeof shortened, format, list);
    if (length >= MESSAGE_SIZE && (text = malloc((size_t)length + 1)))
        vsnprintf(text, (size_t)length + 1, format, again);
    fflush(stdout); /* keeps the order of both streams in one file */
    fprintf(stderr, "penumbra%s%s: ", cli_command ? " " : "", cli_command ? cli_command : "");
    cli_put(stderr, text ? text : shortened);
    fputc('\n', stderr);
    if (text != shortened)
        free(text);
    va_end(again);
}

#define SAY(format)                                                                                \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    say(format, list);                                                                             \
    va_end(list)

int cli_fail(const char *format, ...)
{
    SAY(format);
    return CLI_FAILED;
}

int cli_refuse(const char *format, ...)
{
    SAY(format);
    return CLI_USAGE;
}

void cli_note(const char *format, ...)
{
    if (cli_quiet)
        return;
    SAY(format);
}

/* ---- names ---- */

static char plain(char c)
{
    return c == '_' ? '-' : c;
}

int cli_same_name(const char *a, const char *b)
{
    while (*a && plain(*a) == plain(*b)) {
        a++;
        b++;
    }
    return plain(*a) == plain(*b);
}

char *cli_dashed(char *text)
{
    for (char *c = text; *c; c++)
        *c = plain(*c);
    return text;
}

/* ---- files ---- */

const char *cli_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *cli_last_part(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *cli_extension(const char *path)
{
    const char *const dot = strrchr(cli_last_part(path), '.');
    return dot ? dot : "";
}

const char *cli_file_of(const char *path, char file[CLI_PATH_SIZE])
{
    const char *const mark = strstr(path, "::");
    struct stat info;

    if (!mark || mark == path || stat(path, &info) == 0 || mark - path >= CLI_PATH_SIZE)
        return path;
    memcpy(file, path, (size_t)(mark - path));
    file[mark - path] = '\0';
    return file;
}

int cli_same_file(const char *out, const char *in)
{
    struct stat a, b;
    char file[CLI_PATH_SIZE];

    return stat(out, &a) == 0 && stat(cli_file_of(in, file), &b) == 0 && S_ISREG(a.st_mode)
           && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* ---- numbers and JSON ---- */

int cli_whole(const char **text, uint64_t *out)
{
    char *end;

    if (!isdigit((unsigned char)**text))
        return 0;
    errno = 0;
    *out = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

int64_t cli_labelled(const int32_t *labels, int64_t n)
{
    int64_t count = 0;

    for (int64_t i = 0; labels && i < n; i++)
        count += labels[i] != PEN_UNLABELLED;
    return count;
}

const char *cli_number(double value, char text[CLI_NUMBER_SIZE])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, CLI_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

void cli_put(FILE *stream, const char *text)
{
    while (*text) {
        const size_t n = pen_text_character(text, PEN_UTF8_SIZE);
        if (pen_text_is_shown(text, n))
            fwrite(text, 1, n, stream);
        else
            fputc('?', stream);
        text += n ? n : 1;
    }
}

/* Skips the characters of the first `most` columns. */
static const char *skip_columns(const char *text, int most)
{
    for (int width = 0; *text;) {
        width += 1 + ((unsigned char)*text >= 0xE3);
        if (width > most)
            break;
        const size_t length = pen_text_character(text, PEN_UTF8_SIZE);
        text += length ? length : 1;
    }
    return text;
}

int cli_width(const char *text)
{
    int width = 0;

    for (int wide; *text; width += 1 + wide) {
        wide = (unsigned char)*text >= 0xE3;
        text = skip_columns(text, 1 + wide);
    }
    return width;
}

const char *cli_shorten(const char *text, int most, char *out, size_t size)
{
    const int width = cli_width(text), after = (most - 3) / 2;

    if (width <= most)
        snprintf(out, size, "%s", text);
    else
        snprintf(out, size, "%.*s...%s", (int)(skip_columns(text, most - 3 - after) - text), text,
                 skip_columns(text, width - after));
    return out;
}

static void json_text(const char *text)
{
    pen_string quoted = { .data = NULL };

    pen_text_add_json(&quoted, text);
    fputs(quoted.failed ? "null" : quoted.data, stdout);
    free(quoted.data);
}

/* The open lists and objects. */
static struct {
    char end;
    int is_tall, is_begun;
} open[8];
static int depth;

static void next(const char *name)
{
    if (depth > 0 && open[depth - 1].is_begun)
        fputs(open[depth - 1].is_tall ? "," : ", ", stdout);
    if (depth > 0 && open[depth - 1].is_tall)
        printf("\n%*s", 2 * depth, "");
    if (depth > 0)
        open[depth - 1].is_begun = 1;
    if (name) {
        json_text(name);
        fputs(": ", stdout);
    }
}

void cli_json_open(const char *name, char bracket, int is_tall)
{
    next(name);
    putchar(bracket);
    open[depth].end = bracket == '{' ? '}' : ']';
    open[depth].is_tall = is_tall;
    open[depth++].is_begun = 0;
}

void cli_json_close(void)
{
    depth--;
    if (open[depth].is_tall && open[depth].is_begun)
        printf("\n%*s", 2 * depth, "");
    putchar(open[depth].end);
    if (depth == 0)
        putchar('\n');
}

void cli_json_begin(void)
{
    cli_json_open(NULL, '{', 1);
    cli_json_string("penumbra", pen_version());
    cli_json_string("command", cli_command);
}

void cli_json_count(const char *name, int64_t value)
{
    next(name);
    printf("%lld", (long long)value);
}

void cli_json_real(const char *name, double value)
{
    char text[CLI_NUMBER_SIZE];

    next(name);
    fputs(isfinite(value) ? cli_number(value, text) : "null", stdout);
}

void cli_json_numbers(const char *name, const double *values, int64_t count)
{
    if (!values) {
        cli_json_string(name, NULL);
        return;
    }
    cli_json_open(name, '[', 0);
    for (int64_t i = 0; i < count; i++)
        cli_json_real(NULL, values[i]);
    cli_json_close();
}

void cli_json_bool(const char *name, int value)
{
    next(name);
    fputs(value ? "true" : "false", stdout);
}

void cli_json_string(const char *name, const char *value)
{
    next(name);
    if (value)
        json_text(value);
    else
        fputs("null", stdout);
}

void cli_json_raw(const char *name, const char *json)
{
    next(name);
    fputs(json, stdout);
}

#define MAKE_KEY(name)                                                                             \
    char name[KEY_SIZE];                                                                           \
    va_list list;                                                                                  \
    va_start(list, key);                                                                           \
    vsnprintf(name, sizeof name, key, list);                                                       \
    va_end(list)

const char *cli_model_text(const pen_model *model, const char *key, ...)
{
    const char *text = NULL;

    MAKE_KEY(name);
    pen_model_value(model, name, NULL, &text);
    return text;
}

double cli_model_number(const pen_model *model, const char *key, ...)
{
    double number = (double)NAN;

    MAKE_KEY(name);
    pen_model_value(model, name, &number, NULL);
    return number;
}

const char *cli_system(const char *name)
{
    static char text[4096];
    const char *found = "";
    char key[KEY_SIZE];

    snprintf(key, sizeof key, "\"%s\":", name);
    if (pen_system(text, sizeof text) > 0) /* the last match: `blas` has the same key */
        for (const char *at = text; (at = strstr(at, key));)
            found = at += strlen(key);
    return found;
}
