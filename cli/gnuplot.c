/* gnuplot.c - a picture drawn by gnuplot, which is spoken to over a pipe. */
#define _POSIX_C_SOURCE 200809L

#include "gnuplot.h"

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

enum { COMPLAINT_SIZE = 200, TAIL_SIZE = 16 };

static void forget(gnuplot *plot)
{
    output_close(&plot->picture, 0);
    if (plot->script)
        fclose(plot->script);
    if (plot->errors)
        fclose(plot->errors);
    *plot = (gnuplot){ 0 };
}

/* Run gnuplot with `in`, `out` and `errors` as its streams. posix_spawnp looks it up in PATH; no
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

static int start(gnuplot *plot, int out)
{
    int ends[2];

    plot->errors = tmpfile();
    if (!plot->errors || pipe(ends) != 0)
        return cli_say(plot->args->command, CLI_FAILED, "gnuplot cannot be started: %s",
                       strerror(errno));
    fcntl(fileno(plot->errors), F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    plot->script = fdopen(ends[1], "w");
    if (!plot->script)
        close(ends[1]);
    const int reason = plot->script ? spawn(plot, ends[0], out, fileno(plot->errors)) : errno;
    close(ends[0]);
    if (reason == ENOENT)
        return cli_say(
            plot->args->command, CLI_FAILED,
            "gnuplot is not installed; it draws the pictures (on Debian: apt install gnuplot-nox)");
    if (reason)
        return cli_say(plot->args->command, CLI_FAILED, "gnuplot cannot be started: %s",
                       strerror(reason));
    return CLI_OK;
}

int gnuplot_open(gnuplot *plot, const cli_args *args, const char *path)
{
    progress bar;

    *plot = (gnuplot){ .args = args };
    progress_begin(&bar, 1);
    int status = output_open(&plot->picture, args, path);
    if (status != CLI_OK)
        return status;
    signal(SIGPIPE, SIG_IGN); /* a gnuplot that died is seen by its exit status */
    status = start(plot, fileno(plot->picture.stream));
    if (status != CLI_OK)
        forget(plot);
    return status;
}

/* The last line gnuplot wrote that says something. */
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

/* Whether the file ends as a PNG or an SVG does: gnuplot does not notice a full disk. */
static int is_whole(const char *path)
{
    char tail[TAIL_SIZE + 1] = "";
    FILE *const file = fopen(path, "rb");

    if (!file)
        return 0;
    size_t got = 0;
    if (fseek(file, -TAIL_SIZE, SEEK_END) == 0)
        got = fread(tail, 1, TAIL_SIZE, file);
    fclose(file);
    for (size_t i = 0; i + 6 <= got; i++)
        if (memcmp(tail + i, "</svg>", 6) == 0 || memcmp(tail + i, "IEND", 4) == 0)
            return 1;
    return 0;
}

/* Why there is no picture, said. */
static int failed(const gnuplot *plot, int told, int state)
{
    char text[COMPLAINT_SIZE];
    const char *const command = plot->args->command;

    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return cli_say(
            command, CLI_FAILED,
            "gnuplot is not installed; it draws the pictures (on Debian: apt install gnuplot-nox)");
    if (!told || !WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return cli_say(command, CLI_FAILED, "gnuplot failed: %s", complaint(plot->errors, text));
    if (plot->picture.draft && !is_whole(plot->picture.draft))
        return cli_say(command, CLI_FAILED,
                       "%s: cannot be written: the picture is cut off; is the disk full?",
                       plot->picture.path);
    return CLI_OK;
}

int gnuplot_close(gnuplot *plot)
{
    const char *const command = plot->args->command;
    const int told = fclose(plot->script) == 0;

    plot->script = NULL;
    const int state = wait_for(plot->process), stopped = progress_signal();
    int status = stopped ? CLI_FAILED : failed(plot, told, state);
    if (status == CLI_OK)
        status = output_close(&plot->picture, 1);
    forget(plot);
    return stopped ? progress_die(command) : status;
}

/* Between double quotes gnuplot knows quotes, backslashes, backticks and macros, between single
 * quotes it loses its way where quotes stand side by side. So all but letters and blanks is written
 * by its number: digits, too, which would belong to a number before them. */
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
