/* gnuplot.c - draws a picture by a script for gnuplot. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/picture.h"
#include "base/cli.h"
#include "common/progress.h"
#include "core/utf8.h"
#include "flags/output.h"

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

/* Runs gnuplot with these streams. posix_spawnp finds it in PATH; no shell is involved. Returns an
 * errno, or 0 with *state from waitpid. */
static int run(FILE *const streams[3], int *state)
{
    char name[] = "gnuplot", defaults[] = "-d", dash[] = "-";
    char *const list[] = { name, defaults, dash, NULL };
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

/* The last nonempty line of gnuplot's messages. */
static const char *complaint(FILE *errors, char text[COMPLAINT_SIZE])
{
    snprintf(text, COMPLAINT_SIZE, "it gave no reason");
    rewind(errors);
    while (fscanf(errors, " %199[^\n]", text) == 1)
        continue;
    return text + strspn(text, "^ ");
}

/* The bytes of a picture, owned; NULL if it lacks the end of a PNG or SVG, because gnuplot ignores
 * a full disk. */
static char *whole_picture(FILE *drawn, size_t *size)
{
    const long length = fseek(drawn, 0, SEEK_END) == 0 ? ftell(drawn) : 0;
    char *const bytes = cli_alloc(length + TAIL_SIZE, 1);

    rewind(drawn);
    *size = fread(bytes, 1, (size_t)length, drawn);
    const char *const end = bytes + (*size > TAIL_SIZE ? *size - TAIL_SIZE : 0);
    return strstr(end, "</svg>") || memcmp(end + 8, "IEND", 4) == 0 ? bytes : NULL;
}

int gnuplot_draw(const char *path, FILE *script)
{
    FILE *const drawn = gnuplot_file(), *const errors = gnuplot_file();
    FILE *const streams[] = { script, drawn, errors };
    char text[COMPLAINT_SIZE];
    size_t size;
    int state;

    progress_watch();
    if (!script || !errors || !drawn || fflush(script) != 0 || ferror(script))
        return cli_fail("%s: cannot be drawn: a temporary file cannot be written: %s", path,
                        strerror(errno));
    rewind(script);
    const int reason = run(streams, &state);
    if (progress_signal())
        return progress_die();
    if (reason == ENOENT || (!reason && WIFEXITED(state) && WEXITSTATUS(state) == 127))
        return cli_fail("gnuplot draws .png and .svg and is not installed (on Debian: apt install "
                        "gnuplot-nox); -o FILE.html does not need it");
    if (reason)
        return cli_fail("gnuplot cannot be started: %s", strerror(reason));
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return cli_fail("gnuplot failed: %s", complaint(errors, text));
    const char *const bytes = whole_picture(drawn, &size);
    if (!bytes)
        return cli_fail("%s: cannot be written: the picture is incomplete; is the disk full or the "
                        "file size limited?",
                        path);
    return output_bytes(path, bytes, size);
}

/* gnuplot interprets quotes, backslashes, backticks and macros in double quotes, and misreads
 * adjacent quotes in single ones. So each byte is written as an octal number. */
void gnuplot_text(FILE *script, const char *command, const char *text, int most)
{
    char cut[TEXT_SIZE];

    fprintf(script, "%s \"", command);
    for (text = cli_shorten(text, most, cut, sizeof cut); *text;) {
        const size_t length = pen_text_character(text, PEN_UTF8_SIZE);
        if (!pen_text_is_shown(text, length))
            fputc('?', script);
        for (size_t i = 0; i < length && pen_text_is_shown(text, length); i++)
            fprintf(script, "\\%03o", (unsigned)(unsigned char)text[i]);
        text += length ? length : 1;
    }
    fputc('"', script);
}
