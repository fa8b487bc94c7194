/* mapped.c - mapped files; a file that becomes shorter during the work ends the command. */
#define _XOPEN_SOURCE 700 /* SIGBUS */

#include "base/cli.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 64, TEXT_SIZE = 1024 };

/* Read by the signal handler. `count` grows only after an entry is complete. */
static struct file {
    char text[TEXT_SIZE]; /* the message */
    const char *path;
    struct stat begun;
} files[MOST_FILES];
static volatile sig_atomic_t count;

static int look(const char *path, struct stat *out)
{
    char file[CLI_PATH_SIZE];

    return strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, out) : stat(cli_file_of(path, file), out);
}

/* Calls only async-signal-safe functions. */
void mapped_check(void)
{
    struct stat now;

    for (int i = 0; i < count; i++)
        if (look(files[i].path, &now) == 0 && now.st_dev == files[i].begun.st_dev
            && now.st_ino == files[i].begun.st_ino && now.st_size < files[i].begun.st_size) {
            (void)!write(STDERR_FILENO, files[i].text, strlen(files[i].text));
            _exit(CLI_FAILED);
        }
}

/* If no file became shorter, the fault repeats and ends the process. */
static void note_bus_error(int signal_number)
{
    mapped_check();
    signal(signal_number, SIG_DFL);
}

void mapped_begin(const char *path)
{
    struct file *const file = &files[count < MOST_FILES ? count : 0];

    if (count == MOST_FILES || look(path, &file->begun) != 0)
        return;
    snprintf(file->text, sizeof file->text,
             "%spenumbra %s: %.900s: became shorter while it was read\n",
             isatty(STDERR_FILENO) ? "\r\033[K" : "", cli_command, cli_input_name(path));
    file->path = path;
    signal(SIGBUS, note_bus_error);
    count++;
}

void mapped_end(const pen_table *table)
{
    mapped_check();
    if (count > 0 && (!table || !table->mapped))
        count--;
}
