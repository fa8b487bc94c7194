/* mapped.c - large files are mapped, and one that becomes shorter meanwhile ends the command. */
#define _XOPEN_SOURCE 700 /* SIGBUS, siginfo_t */

#include "flags/mapped.h"

#include "flags/input.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 64, NAME_SIZE = 1024 };

/* A file that was or is being read. */
struct file {
    char said[NAME_SIZE]; /* the beginning of messages about it */
    struct stat begun;    /* at the beginning */
    const char *path;
    uintptr_t begin, end; /* of its rows in memory; 0, 0: it is being read */
};

/* What the signal handler reads. `count` grows when an entry is complete. */
static struct file files[MOST_FILES];
static volatile sig_atomic_t count, on_terminal;
static atomic_flag dying = ATOMIC_FLAG_INIT;

static int look(const char *path, struct stat *out)
{
    char file[CLI_PATH_SIZE];

    return strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, out) : stat(cli_file_of(path, file), out);
}

static int became_shorter(const struct file *file)
{
    struct stat now;
    return look(file->path, &now) == 0 && now.st_dev == file->begun.st_dev
           && now.st_ino == file->begun.st_ino && now.st_size < file->begun.st_size;
}

static void say(const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        const ssize_t wrote = write(STDERR_FILENO, text, left);
        if (wrote <= 0)
            return;
        text += wrote;
        left -= (size_t)wrote;
    }
}

/* Calls only what a signal handler may call. The first thread to come here does not return; others
 * wait. */
static void end_process(const struct file *file, const char *what)
{
    while (atomic_flag_test_and_set(&dying))
        pause();
    if (on_terminal)
        say("\r\033[K"); /* a bar */
    say(file->said);
    say(what);
    _exit(CLI_FAILED);
}

/* The file whose rows contain the address, else the one that is being read. */
static const struct file *file_at(uintptr_t address)
{
    for (int i = 0; i < count; i++)
        if (address >= files[i].begin && address < files[i].end)
            return &files[i];
    for (int i = 0; i < count; i++)
        if (files[i].end == 0)
            return &files[i];
    return NULL;
}

static void note_bus_error(int signal_number, siginfo_t *info, void *context)
{
    const struct file *const file = file_at((uintptr_t)info->si_addr);

    (void)context;
    if (file)
        end_process(file, became_shorter(file) ? ": became shorter while it was read\n"
                                               : ": can no longer be read\n");
    signal(signal_number, SIG_DFL); /* not from a file: the repeated fault ends the process */
}

static void install(void)
{
    const char *const terminal = getenv("TERM");
    struct sigaction action;

    on_terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = note_bus_error;
    sigaction(SIGBUS, &action, NULL);
}

void mapped_begin(const char *path)
{
    struct file *const file = &files[count < MOST_FILES ? count : 0];

    if (count == MOST_FILES || look(path, &file->begun) != 0)
        return;
    snprintf(file->said, sizeof file->said, "penumbra %s: %s", cli_command, input_name(path));
    file->path = path;
    file->begin = file->end = 0;
    if (count == 0)
        install();
    count++;
}

void mapped_end(const pen_table *table)
{
    static const size_t sizes[] = {
        [PEN_F64] = sizeof(double), [PEN_F32] = sizeof(float), [PEN_U8] = 1
    };
    struct file *const file = &files[count > 0 ? count - 1 : 0];

    if (count == 0 || file->end != 0)
        return;
    mapped_check();
    if (!table || !table->mapped) {
        count--;
        return;
    }
    file->begin = (uintptr_t)table->x.values;
    file->end =
        file->begin + (size_t)table->x.rows * (size_t)table->x.stride * sizes[table->x.dtype];
}

void mapped_check(void)
{
    for (int i = 0; i < count; i++)
        if (became_shorter(&files[i]))
            end_process(&files[i], ": became shorter while it was read\n");
}
