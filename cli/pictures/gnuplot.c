/* gnuplot.c - a picture drawn by gnuplot, which reads a script from a file. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/gnuplot.h"

#include "progress.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COMPLAINT_SIZE = 200, TAIL_SIZE = 16, FILE_SIZE = 4096 };

static int not_installed(void)
{
    return cli_fail(
        "gnuplot is not installed; it draws the pictures (on Debian: apt install gnuplot-nox)");
}

int gnuplot_check(void)
{
    const char *folders = getenv("PATH");
    char file[FILE_SIZE];

    while (folders) {
        const int length = (int)strcspn(folders, ":");
        snprintf(file, sizeof file, "%.*s/gnuplot", length ? length : 1, length ? folders : ".");
        if (access(file, X_OK) == 0)
            return CLI_OK;
        folders = folders[length] ? folders + length + 1 : NULL;
    }
    return not_installed();
}

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
static int run(FILE *script, FILE *picture, FILE *errors, int *state)
{
    char name[] = "gnuplot", defaults[] = "-d", dash[] = "-";
    char *const list[] = { name, defaults, dash, NULL };
    FILE *const streams[] = { script, picture, errors };
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
    char line[COMPLAINT_SIZE];

    snprintf(text, COMPLAINT_SIZE, "it says nothing about the reason");
    rewind(errors);
    while (fgets(line, sizeof line, errors)) {
        line[strcspn(line, "\n")] = '\0';
        const size_t blanks = strspn(line, " \t^");
        if (line[blanks])
            snprintf(text, COMPLAINT_SIZE, "%s", line + blanks);
    }
    return text;
}

/* Whether the picture ends as a PNG or an SVG does: gnuplot does not notice a full disk. */
static int is_whole(FILE *picture)
{
    char tail[TAIL_SIZE];
    size_t got = 0;

    if (fseek(picture, -TAIL_SIZE, SEEK_END) == 0)
        got = fread(tail, 1, TAIL_SIZE, picture);
    for (size_t i = 0; i + 6 <= got; i++)
        if (memcmp(tail + i, "</svg>", 6) == 0 || memcmp(tail + i, "IEND", 4) == 0)
            return 1;
    return 0;
}

int gnuplot_draw(const char *path, FILE *script, FILE **picture)
{
    FILE *const errors = gnuplot_file();
    char text[COMPLAINT_SIZE];
    progress bar;
    int state;

    progress_begin(&bar, 1);
    *picture = gnuplot_file();
    if (!script || !errors || !*picture || fflush(script) != 0 || ferror(script))
        return cli_fail("%s: cannot be drawn: a temporary file cannot be written: %s", path,
                        strerror(errno));
    rewind(script);
    const int reason = run(script, *picture, errors, &state);
    if (progress_signal())
        return progress_die();
    if (reason == ENOENT || (!reason && WIFEXITED(state) && WEXITSTATUS(state) == 127))
        return not_installed();
    if (reason)
        return cli_fail("gnuplot cannot be started: %s", strerror(reason));
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return cli_fail("gnuplot failed: %s", complaint(errors, text));
    if (!is_whole(*picture))
        return cli_fail("%s: cannot be written: the picture is cut off; is the disk full, or the "
                        "file size limited?",
                        path);
    rewind(*picture);
    return CLI_OK;
}

/* In double quotes gnuplot interprets quotes, backslashes, backticks and macros; in single quotes
 * it misreads adjacent quotes. So all characters but letters and blanks are written as octal
 * numbers: digits too, which would be read as part of a number before them. */
static void write_character(FILE *script, const char *s, int length)
{
    if (length == 0)
        fputs("\xEF\xBF\xBD", script);
    else if (cli_is_control(s))
        fputc(' ', script);
    else if (length > 1 || isalpha((unsigned char)*s) || *s == ' ')
        fwrite(s, 1, (size_t)length, script);
    else
        fprintf(script, "\\%03o", (unsigned)*s);
}

void gnuplot_text(FILE *script, const char *text)
{
    fputc('"', script);
    while (*text) {
        const int length = cli_utf8_length(text);
        write_character(script, text, length);
        text += length ? length : 1;
    }
    fputc('"', script);
}
