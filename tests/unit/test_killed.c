/* test_killed.c - the command, killed at any moment of a fit from statistics, leaves either the old
 * model or the complete new one. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"
#include "kit/folder.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILLED = 50 };

/* Starts a shell in the folder; the command is $P. */
static pid_t start(const char *script)
{
    const pid_t child = fork();

    if (child == 0) {
        if (chdir(folder) == 0 && setenv("P", PENUMBRA_COMMAND, 1) == 0)
            execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(127);
    }
    CHECK(child > 0, "no process");
    return child;
}

static int end_of(pid_t child)
{
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child, "no process to wait for");
    return status;
}

static void run(const char *script)
{
    CHECK(end_of(start(script)) == 0, "fails: %s", script);
}

GROUP(folder_make, folder_remove);

/* A checksum of a file. */
static uint64_t sum_of(const char *name)
{
    uint64_t sum = 0;
    int byte;

    FILE *const file = fopen(in_folder(name), "rb");
    CHECK(file, "%s does not exist", name);
    while ((byte = fgetc(file)) != EOF)
        sum = sum * 1099511628211u + (uint64_t)byte + 1;
    fclose(file);
    return sum;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

TEST(killed_at_any_moment)
{
    pen_rng rng = check_rng(50);
    int ended = 0, killed = 0;
    char script[300];

    for (int j = 0; j < 4; j++) {
        snprintf(script, sizeof script,
                 "seq 1 60000 | awk '{ printf \"%%s%%s\", ($1 * %d %% 9973) / 7, NR %% 200 ? \",\" "
                 ": \"\\n\" }' | $P fit pca - --classifier none --block %d -o wide%d.pens -q",
                 7919 + 2 * j, j, j);
        run(script);
    }
    run("$P fit pca wide0.pens --classifier none -o old.pen --quiet");
    const double before = seconds();
    run("$P fit pca wide?.pens --classifier none -o new.pen --quiet");
    const double most = 2 * (seconds() - before); /* so that some runs finish */
    const uint64_t old = sum_of("old.pen"), new = sum_of("new.pen");
    CHECK(old != new, "the fits do not differ");
    for (int i = 0; i < KILLED; i++) {
        const double delay = pen_rng_uniform(&rng) * most;
        run("cp old.pen out.pen");
        const pid_t child =
            start("exec $P fit pca wide?.pens --classifier none -o out.pen --quiet");
        nanosleep(
            &(struct timespec){ .tv_sec = (time_t)delay, .tv_nsec = (long)(fmod(delay, 1) * 1e9) },
            NULL);
        kill(child, SIGKILL);
        const int status = end_of(child);
        const uint64_t left = sum_of("out.pen");
        CHECK(left == old || left == new, "a partial file remains after %g s", delay);
        killed += WIFSIGNALED(status);
        ended += left == new;
    }
    printf("%d of %d fits were killed, %d files are new (PENUMBRA_TEST_SEED=%llu)\n", killed,
           KILLED, ended, (unsigned long long)check_seed());
    CHECK(killed > 0 && ended > 0, "all fits finished, or none");
}
