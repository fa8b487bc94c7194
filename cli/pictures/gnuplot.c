/* gnuplot.c - a picture drawn by gnuplot, which reads a script from a file. */
#define _POSIX_C_SOURCE 200809L

#include "core/utf8.h"
#include "flags/output.h"
#include "pictures/layout.h"
#include "common/progress.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

enum { COMPLAINT_SIZE = 200, TAIL_SIZE = 16, TEXT_SIZE = 1000 };

static void close_file(void *file)
{
    fclose(file);
}

FILE *gnuplot_file(void)
{
    return cli_own(tmpfile(), close_file);
}

/* Run gnuplot with these as its streams. posix_spawnp finds it in PATH; no shell is involved.
 * Returns an errno, or 0 with *state as waitpid gives it. */
static int run(FILE *script, FILE *drawn, FILE *errors, int *state)
{
    char name[] = "gnuplot", defaults[] = "-d", dash[] = "-";
    char *const list[] = { name, defaults, dash, NULL };
    FILE *const streams[] = { script, drawn, errors };
    posix_spawn_file_actions_t actions;
    pid_t process;

    int reason = posix_spawn_file_actions_init(&actions);
    if (reason)
        return reason;
    for (int i = 0; i < 3 && !reason; i++)
        reason = posix_spawn_file_actions_adddup2(&actions, fileno(streams[i]), i);
    if (!reason)
        reason = posix_spawnp(&process, name, &actions, NULL, list, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!reason && waitpid(process, state, 0) < 0)
        reason = errno == EINTR ? 0 : errno;
    return reason;
}

/* The last line of gnuplot's messages that is not empty. */
static const char *complaint(FILE *errors, char text[COMPLAINT_SIZE])
{
    snprintf(text, COMPLAINT_SIZE, "it says nothing about the reason");
    rewind(errors);
    while (fscanf(errors, " %199[^\n]", text) == 1)
        continue;
    return text + strspn(text, "^ ");
}

/* The bytes of a picture that ends as a PNG or an SVG does, owned: gnuplot does not notice a full
 * disk; or NULL. */
static char *whole_picture(FILE *drawn, size_t *size)
{
    const long length = fseek(drawn, 0, SEEK_END) == 0 ? ftell(drawn) : -1;
    char *const bytes = length > TAIL_SIZE ? cli_alloc(length, 1) : NULL;

    rewind(drawn);
    *size = bytes ? fread(bytes, 1, (size_t)length, drawn) : 0;
    for (size_t i = *size - TAIL_SIZE; *size > TAIL_SIZE && i + 6 <= *size; i++)
        if (memcmp(bytes + i, "</svg>", 6) == 0 || memcmp(bytes + i, "IEND", 4) == 0)
            return bytes;
    return NULL;
}

int gnuplot_draw(const char *path, FILE *script)
{
    FILE *const errors = gnuplot_file(), *const drawn = gnuplot_file();
    char text[COMPLAINT_SIZE];
    size_t size;
    int state;

    progress_watch();
    if (!script || !errors || !drawn || fflush(script) != 0 || ferror(script))
        return cli_fail("%s: cannot be drawn: a temporary file cannot be written: %s", path,
                        strerror(errno));
    rewind(script);
    const int reason = run(script, drawn, errors, &state);
    if (progress_signal())
        return progress_die();
    if (reason == ENOENT || (!reason && WIFEXITED(state) && WEXITSTATUS(state) == 127))
        return cli_fail("gnuplot is not installed; it draws .png and .svg (on Debian: apt install "
                        "gnuplot-nox), -o FILE.html needs none");
    if (reason)
        return cli_fail("gnuplot cannot be started: %s", strerror(reason));
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return cli_fail("gnuplot failed: %s", complaint(errors, text));
    const char *const bytes = whole_picture(drawn, &size);
    if (!bytes)
        return cli_fail("%s: cannot be written: the picture is cut off; is the disk full, or the "
                        "file size limited?",
                        path);
    return output_bytes(path, bytes, size);
}

/* In double quotes gnuplot interprets quotes, backslashes, backticks and macros; in single quotes
 * it misreads adjacent quotes. So all characters but letters and blanks are written as octal
 * numbers: digits too, which would be read as part of a number before them. */
static void write_character(FILE *script, const char *s, size_t length)
{
    if (length == 0)
        fputs("\xEF\xBF\xBD", script);
    else if (!pen_text_is_shown(s, length))
        fputc(' ', script);
    else if (length > 1 || isalpha((unsigned char)*s) || *s == ' ')
        fwrite(s, 1, length, script);
    else
        fprintf(script, "\\%03o", (unsigned)*s);
}

void gnuplot_text(FILE *script, const char *text, int most)
{
    char cut[TEXT_SIZE];

    text = cli_shorten(text, most, cut, sizeof cut);
    fputc('"', script);
    while (*text) {
        const size_t length = pen_text_character(text, PEN_UTF8_SIZE);
        write_character(script, text, length);
        text += length ? length : 1;
    }
    fputc('"', script);
}
