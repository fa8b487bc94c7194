/* main.c - penumbra: one command with sub-commands. */
#define _POSIX_C_SOURCE 200809L

#include "flags/args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define RESTARTED "PENUMBRA_RESTARTED" /* environment: so that it happens once */

static const cli_command commands[] = {
    { "fit", "learn a model from rows, labels and pairs", cmd_fit },
    { "transform", "embed rows with a model", cmd_transform },
    { "predict", "tell the classes of rows with a model, and how probable they are", cmd_predict },
    { "info", "show the contents of a model", cmd_info },
    { "methods", "list the methods, or describe one", cmd_methods },
    { "plot", "draw embedded rows as a picture", cmd_plot },
    { "sample", "draw a sample of labels or of pairs", cmd_sample },
    { "suggest", "suggest rows to label next", cmd_suggest },
    { "evaluate", "measure how accurately methods classify held-out rows", cmd_evaluate },
    { "tune", "tune the parameters of a method", cmd_tune },
    { "compare", "compare methods and recommend one, with a report", cmd_compare },
    { "convert", "write the rows of one kind of file as another", cmd_convert },
    { "stats", "write the statistics of a block of rows, to be merged", cmd_stats },
    { "merge", "merge the statistics of several blocks, to fit from", cmd_merge },
};
enum { COMMANDS = sizeof commands / sizeof *commands, SYSTEM_SIZE = 4096 };

static int print_help(void)
{
    printf("penumbra %s - semi-supervised dimensionality reduction\n\n"
           "usage: penumbra COMMAND [arguments]\n\n",
           pen_version());
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].brief);
    printf("\n"
           "  penumbra COMMAND --help       the flags of a command\n"
           "  penumbra fit METHOD --help    and those of a method\n"
           "  penumbra --version            the version; with --json, the environment too\n\n"
           "example:\n"
           "  penumbra fit wine.csv --label-column class -o wine.pen\n"
           "  penumbra transform wine.pen wine.csv --carry class -o z.csv\n"
           "  penumbra plot z.csv --label-column class -o z.png\n"
           "  penumbra predict wine.pen wine.csv --label-column class -o classes.csv\n"
           "  penumbra fit self wine.csv --label-column class --beta 0.3 --dim 2 -o self.pen\n"
           "  penumbra sample pairs wine.csv --label-column class --percent 1 -o pairs.csv\n"
           "  penumbra compare wine.csv --label-column class --report wine.html\n"
           "  penumbra convert rows.libsvm rows.npz\n\n"
           "Exit status: 0 success, 1 failure, 2 invalid command line.\n");
    return CLI_OK;
}

static const cli_command *command_named(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[COMMANDS];
    char list[200] = "";

    if (strcmp(name, "knn") == 0)
        return cli_say(NULL, CLI_USAGE,
                       "knn left the command: penumbra.neighbors_graph in Python and "
                       "pen_neighbors in C find the nearest neighbors of all rows");
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    }
    const char *const near = cli_nearest(name, names, COMMANDS);
    if (near)
        return cli_say(NULL, CLI_USAGE, "unknown command \"%s\"; did you mean %s?", name, near);
    return cli_say(NULL, CLI_USAGE, "unknown command \"%s\"; the commands are %s", name, list);
}

/* penumbra help [COMMAND [METHOD]] */
static int run_help(int argc, char **argv)
{
    char flag[] = "--help", *list[4] = { NULL };
    int count = 0;

    if (argc < 2)
        return print_help();
    const cli_command *const command = command_named(argv[1]);
    if (!command)
        return unknown_command(argv[1]);
    list[count++] = argv[1];
    if (argc > 2)
        list[count++] = argv[2];
    list[count++] = flag;
    return command->run(count, list);
}

static int print_version(int json)
{
    char text[SYSTEM_SIZE];

    if (!json)
        printf("penumbra %s\n", pen_version());
    else if (pen_system(text, sizeof text) > 0)
        puts(text);
    else
        return cli_say(NULL, CLI_FAILED, "out of memory");
    return CLI_OK;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: penumbra COMMAND [arguments]; penumbra --help lists the commands\n", stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        const int json = argc == 3 && strcmp(argv[2], "--json") == 0;
        if (argc > 2 && !json)
            return cli_say(NULL, CLI_USAGE, "%s takes --json or nothing, got \"%s\"", argv[1],
                           argv[argc - 1]);
        return print_version(json);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print_help();
    if (strcmp(argv[1], "help") == 0)
        return run_help(argc - 1, argv + 1);
    const cli_command *const command = command_named(argv[1]);
    if (!command && argv[1][0] == '-')
        return cli_say(NULL, CLI_USAGE,
                       "unknown flag %s; the command comes first: penumbra COMMAND [arguments]",
                       argv[1]);
    return command ? command->run(argc - 1, argv + 1) : unknown_command(argv[1]);
}

/* A file opened while a standard stream is closed would take its number, and messages would go
 * into it. Opened for reading only, so that printing there still fails. */
static int open_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return CLI_FAILED;
    return CLI_OK;
}

/* Output is complete only when the last buffer is written: a full disk shows here. */
static int close_output(int status)
{
    errno = 0;
    const int failed = ferror(stdout);
    if (fclose(stdout) != 0 || failed)
        return cli_say(NULL, CLI_FAILED, "standard output: cannot be written: %s",
                       errno ? strerror(errno) : "an earlier write failed");
    return status;
}

/* A BLAS older than the CPU may not know its model number and select its slowest kernels. It
 * selects them when the process starts, so the process restarts itself with the right ones named,
 * unless the user has named some. If that fails it continues: slower, and correct. */
static void take_better_kernels(char **argv)
{
    const char *const core = pen_better_core();

    if (!core || getenv("OPENBLAS_CORETYPE") || getenv(RESTARTED))
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
