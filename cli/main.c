/* main.c - the command penumbra and its sub-commands. */
#define _POSIX_C_SOURCE 200809L

#include "core/meant.h"
#include "flags/param_flags.h"
#include "base/lines.h"
#include "common/blas_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define RESTARTED "PENUMBRA_RESTARTED" /* environment variable: set after a restart */

extern const args_form cmd_fit, cmd_predict, cmd_transform, cmd_plot, cmd_compare, cmd_suggest,
    cmd_explore, cmd_convert, cmd_info, cmd_methods;
static const args_form *const commands[] = { &cmd_fit,     &cmd_predict, &cmd_transform,
                                             &cmd_plot,    &cmd_compare, &cmd_suggest,
                                             &cmd_explore, &cmd_convert, &cmd_info,
                                             &cmd_methods };
enum { COMMANDS = sizeof commands / sizeof *commands, SYSTEM_SIZE = 4096 };

static void print_help(FILE *out)
{
    fputs("Usage: penumbra COMMAND ... [flags]                        penumbra COMMAND -h\n"
          "Dimensionality reduction that learns from a few labels or pairs as well as from\n"
          "all the rows without them.\n\n"
          "  penumbra fit data.csv --label-column class -o data.pen\n"
          "  penumbra predict data.pen new.csv -o classes.csv\n\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->does);
    fputs("\nExit status: 0 done, 1 failed, 2 wrong command line.\n", out);
}

static const args_form *command_named(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[COMMANDS], *const now = old_command(name);
    char meant[PEN_MEANT_SIZE];
    line list = { "; the commands are " };

    if (now) /* "is now" or "was removed", and what to type */
        return cli_refuse("%s %s", name, now);
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->name;
        line_add(&list, "%s%s", i ? ", " : "", names[i]);
    }
    pen_meant(name, names, COMMANDS, meant);
    return cli_refuse("unknown command \"%s\"%s", name, *meant ? meant : list.text);
}

static int print_version(int json)
{
    char text[SYSTEM_SIZE];

    if (!json)
        printf("penumbra %s\n", pen_version());
    else if (pen_system(text, sizeof text) > 0)
        puts(text);
    else
        return cli_fail("out of memory");
    return CLI_OK;
}

static int run(int argc, char **argv)
{
    static char all_flags[] = "--help";

    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        const int json = argc == 3 && strcmp(argv[2], "--json") == 0;
        if (argc > 2 && !json)
            return cli_refuse("%s accepts only --json, got \"%s\"", argv[1], argv[argc - 1]);
        return print_version(json);
    }
    const int help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help && argc == 2)) {
        print_help(stdout);
        return CLI_OK;
    }
    if (help) { /* COMMAND [METHOD] */
        memmove(argv + 1, argv + 2, (size_t)(argc - 2) * sizeof *argv);
        argv[argc - 1] = all_flags;
    }
    const args_form *const found = command_named(argv[1]);
    if (!found && argv[1][0] == '-')
        return cli_refuse("unknown flag %s; the command comes first: penumbra COMMAND ... [flags]",
                          argv[1]);
    for (int i = 2; found && i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--version") == 0)
            return print_version(0);
    if (!found)
        return unknown_command(argv[1]);
    cli_command = found->name;
    return params_run(found, argc - 1, argv + 1);
}

/* Replaces closed standard streams, so that no other file gets their descriptors and receives
 * messages. /dev/null is opened for reading only, so that printing still fails. */
static int open_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return CLI_FAILED;
    return CLI_OK;
}

/* Closing standard output writes the last buffer, which fails on a full disk. */
static int close_output(int status)
{
    cli_page_end();
    cli_release();
    errno = 0;
    const int failed = ferror(stdout);
    if (fclose(stdout) != 0 || failed)
        return cli_fail("standard output: cannot be written: %s",
                        errno ? strerror(errno) : "an earlier write failed");
    return status;
}

/* A BLAS that is older than the CPU may not recognize it and select slow kernels, and some select
 * wrong ones. The BLAS selects kernels at process start, so the process restarts itself with better
 * ones in the environment, unless the user chose some. If the restart fails, it continues. */
static void take_better_kernels(char **argv)
{
    char core[80];

    blas_memory_watch(1); /* the library checks its BLAS now, once */
    const int found = sscanf(cli_system("better_core"), "\"%79[^\"]", core);
    blas_memory_watch(0);
    if (getenv("OPENBLAS_CORETYPE") || getenv(RESTARTED) || found != 1)
        return;
    if (setenv("OPENBLAS_CORETYPE", core, 1) == 0 && setenv(RESTARTED, "1", 1) == 0)
        execv("/proc/self/exe", argv);
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv(RESTARTED);
}

int main(int argc, char **argv)
{
    take_better_kernels(argv);
    if (open_streams() != CLI_OK)
        return CLI_FAILED;
    signal(SIGXFSZ, SIG_IGN); /* a file that gets too large is a reported error */
    return close_output(run(argc, argv));
}
