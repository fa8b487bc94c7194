/* gnuplot.c - a picture drawn by gnuplot, which reads a script from a pipe. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/gnuplot.h"

#include "progress.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COMPLAINT_SIZE = 200, TAIL_SIZE = 16, FILE_SIZE = 4096 };

static void close_stream(FILE *stream)
{
    if (stream)
        fclose(stream);
}

static void forget(gnuplot *plot)
{
    close_stream(plot->script);
    close_stream(plot->picture);
    close_stream(plot->errors);
    *plot = (gnuplot){ 0 };
}

static int not_installed(const cli_args *args)
{
    return cli_say(
        args->command, CLI_FAILED,
        "gnuplot is not installed; it draws the pictures (on Debian: apt install gnuplot-nox)");
}

int gnuplot_check(const cli_args *args)
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
    return not_installed(args);
}

/* Run gnuplot with `in`, `out` and `errors` as its streams. posix_spawnp finds it in PATH; no
 * shell is involved. */
static int spawn(gnuplot *plot, int in, int out, int errors)
{
    char name[] = "gnuplot", defaults[] = "-d", dash[] = "-";
    char *const list[] = { name, defaults, dash, NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int reason = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    if (!reason)
        reason = posix_spawnp(&plot->process, name, &actions, &attributes, list, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return reason;
}

/* A temporary file that gnuplot does not inherit, or NULL. */
static FILE *temporary(void)
{
    FILE *const file = tmpfile();

    if (file)
        fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    return file;
}

static int start(gnuplot *plot)
{
    int ends[2];

    plot->errors = temporary();
    plot->picture = temporary();
    if (!plot->errors || !plot->picture || pipe(ends) != 0)
        return cli_say(plot->args->command, CLI_FAILED, "gnuplot cannot be started: %s",
                       strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    plot->script = fdopen(ends[1], "w");
    if (!plot->script)
        close(ends[1]);
    const int reason =
        plot->script ? spawn(plot, ends[0], fileno(plot->picture), fileno(plot->errors)) : errno;
    close(ends[0]);
    if (reason == ENOENT)
        return not_installed(plot->args);
    if (reason)
        return cli_say(plot->args->command, CLI_FAILED, "gnuplot cannot be started: %s",
                       strerror(reason));
    return CLI_OK;
}

int gnuplot_open(gnuplot *plot, const cli_args *args)
{
    progress bar;

    *plot = (gnuplot){ .args = args };
    progress_begin(&bar, 1);
    signal(SIGPIPE, SIG_IGN); /* the exit status shows that gnuplot died */
    const int status = start(plot);
    if (status != CLI_OK)
        forget(plot);
    return status;
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

static int wait_for(pid_t process)
{
    int state;
    while (waitpid(process, &state, 0) < 0)
        if (errno != EINTR)
            return -1;
    return state;
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

/* Print why there is no picture. */
static int failed(const gnuplot *plot, const char *path, int sent, int state)
{
    char text[COMPLAINT_SIZE];
    const char *const command = plot->args->command;

    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return not_installed(plot->args);
    if (!sent || !WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return cli_say(command, CLI_FAILED, "gnuplot failed: %s", complaint(plot->errors, text));
    if (!is_whole(plot->picture))
        return cli_say(command, CLI_FAILED,
                       "%s: cannot be written: the picture is cut off; is the disk full, or the "
                       "file size limited?",
                       path);
    return CLI_OK;
}

int gnuplot_close(gnuplot *plot, const char *path, FILE **picture)
{
    const int sent = fclose(plot->script) == 0;

    plot->script = NULL;
    *picture = NULL;
    const int state = wait_for(plot->process);
    const int status = progress_signal() ? CLI_FAILED : failed(plot, path, sent, state);
    if (status == CLI_OK) {
        rewind(plot->picture);
        *picture = plot->picture;
        plot->picture = NULL;
    }
    forget(plot);
    return status;
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
