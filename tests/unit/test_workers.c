/* test_workers.c - the wines in ten blocks through the command, in two worker processes with files
 * of statistics between them, against a fit of all rows; and a fit that is killed. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"
#include "kit/check_fit.h"
#include "kit/wine_blocks.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 2, FLAGS = 400, KILLED = 50 };

static char folder[300];

/* ---- processes ---- */

/* Starts a shell in the folder, with the command as $P. */
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

/* A script of each worker, all at the same time. */
static void run_workers(FILE *const scripts[WORKERS], char *const texts[WORKERS])
{
    pid_t child[WORKERS];

    for (int w = 0; w < WORKERS; w++)
        CHECK(fclose(scripts[w]) == 0, "out of memory");
    for (int w = 0; w < WORKERS; w++)
        child[w] = start(texts[w]);
    for (int w = 0; w < WORKERS; w++)
        CHECK(end_of(child[w]) == 0, "worker %d fails: %s", w, texts[w]);
    for (int w = 0; w < WORKERS; w++)
        free(texts[w]);
}

static void open_scripts(FILE *scripts[WORKERS], char *texts[WORKERS], size_t sizes[WORKERS])
{
    for (int w = 0; w < WORKERS; w++) {
        scripts[w] = open_memstream(&texts[w], &sizes[w]);
        CHECK(scripts[w], "out of memory");
        fputs("set -e\n", scripts[w]);
    }
}

/* ---- files ---- */

static FILE *create(const char *name)
{
    char path[400];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    CHECK(file, "%s", path);
    return file;
}

static void write_blocks(const wine_blocks *b)
{
    char name[40];

    for (int j = 0; j < WINE_BLOCKS; j++) {
        snprintf(name, sizeof name, "part%d.csv", j);
        FILE *const rows = create(name);
        snprintf(name, sizeof name, "labels%d.txt", j);
        FILE *const labels = create(name);
        for (int64_t i = b->first[j]; i < b->first[j + 1]; i++) {
            for (int c = 0; c < WINE_COLUMNS; c++)
                fprintf(rows, "%s%.17g", c ? "," : "", b->w->x[i * WINE_COLUMNS + c]);
            fputc('\n', rows);
            fprintf(labels, "%d\n", (int)b->labels[i]);
        }
        fclose(rows);
        fclose(labels);
    }
}

static int make_folder(void **state)
{
    const char *const above = getenv("TMPDIR");

    (void)state;
    snprintf(folder, sizeof folder, "%s/penumbra-workers-XXXXXX", above ? above : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    DIR *const there = opendir(folder);
    char path[700];

    (void)state;
    for (struct dirent *e = there ? readdir(there) : NULL; e; e = readdir(there)) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    if (there)
        closedir(there);
    return rmdir(folder);
}

/* ---- passes ---- */

static const struct fit {
    const char *text;
    int nearest;
} fits[] = {
    { "pca scale=standard", 0 },
    { "fda scale=standard", 0 },
    { "lol scale=standard", 0 },
    { "sda alpha=0 scale=standard", 0 },
    { "stsd alpha=0 scale=standard", 0 },
    { "lfda ridge=0.01 scale=standard", 0 },
    { "lfda scaling_rows=labelled ridge=0.01 pca=6", 0 },
    { "self beta=1 scale=standard", 0 },
    { "self-mix beta=1 gamma=0 scale=standard", 0 },
    { "ssdr scale=standard", 0 },
    { "cmm scale=standard", 0 },
    { "bwdr scale=standard", 0 },
    { "wbdr scale=standard", 0 },
    { "npssdr mu=0 scale=standard", 0 },
    { "rca ridge=0.01 scale=standard", 0 },
    { "cfld scale=standard", 0 },
    { "lfda scaling_rows=all ridge=0.01 scale=standard", 1 },
    { "self beta=0.5 ridge=0.01 scale=standard", 1 },
    { "self-mix beta=0.5 gamma=0 ridge=0.01 scale=standard", 1 },
};

/* "lfda scaling_rows=all" as the flags "--scaling-rows all". */
static void flags_of(const char *text, char method[40], char flags[FLAGS])
{
    char *to = flags;

    while (*text && *text != ' ')
        *method++ = *text++;
    *method = '\0';
    for (; *text; text++)
        if (*text == ' ')
            to += sprintf(to, " --");
        else
            *to++ = *text == '=' ? ' ' : *text == '_' ? '-' : *text;
    *to = '\0';
}

struct job {
    const struct fit *fit;
    char method[40], flags[FLAGS];
};

/* A pass over all blocks; first: the statistics of the pass before it. */
static void run_blocks(const struct job *job, const char *first, const char *to)
{
    FILE *scripts[WORKERS];
    char *texts[WORKERS];
    size_t sizes[WORKERS];

    open_scripts(scripts, texts, sizes);
    for (int j = WINE_BLOCKS - 1; j >= 0; j--)
        fprintf(scripts[j % WORKERS],
                "$P fit %s part%d.csv %s%s --labels labels%d.txt --block %d --quiet -o %s%d.pens\n",
                job->method, j, first, job->flags, j, j, to, j);
    run_workers(scripts, texts);
}

static void run_job(const struct job *job)
{
    char script[1000];

    run_blocks(job, "", "part");
    if (job->fit->nearest)
        run_blocks(job, "part?.pens", "near");
    snprintf(script, sizeof script, "$P fit %s part?.pens%s%s --quiet -o model.pen", job->method,
             job->fit->nearest ? " near?.pens" : "", job->flags);
    run(script);
    run("rm -f *.pens");
}

static void check_fit_of(const wine_blocks *b, const struct fit *f)
{
    struct job job = { .fit = f };
    const pen_data data = wine_blocks_data(b, 1, 0);
    pen_spec *spec = spec_with_defaults(f->text);
    pen_model *all, *found;
    char path[400];
    pen_error err;

    flags_of(f->text, job.method, job.flags);
    run_job(&job);
    snprintf(path, sizeof path, "%s/model.pen", folder);
    CHECK_OK(pen_fit(spec, &data, NULL, &all, &err), &err);
    CHECK_OK(pen_model_load(path, &found, &err), &err);
    check_merged_model(found, all, f->text);
    pen_model_free(found), pen_model_free(all), pen_spec_free(spec);
}

static void test_workers(void **state)
{
    wine_blocks *b = wine_blocks_new();

    (void)state;
    write_blocks(b);
    for (int64_t i = 0; i < COUNT_OF(fits); i++)
        check_fit_of(b, &fits[i]);
    wine_blocks_free(b);
}

/* ---- a fit that is killed ---- */

/* The bytes of a file, a sum of them. */
static uint64_t sum_of(const char *name)
{
    char path[400];
    uint64_t sum = 0;
    int byte;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "rb");
    CHECK(file, "%s is not there", path);
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

/* Killed at any moment, a fit from statistics leaves the model that was there, or all of the new
 * one. */
static void test_killed(void **state)
{
    pen_rng rng = check_rng(50);
    int ended = 0, killed = 0;
    char script[300];

    (void)state;
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
    const double most = 1.3 * (seconds() - before); /* so that some come to an end */
    const uint64_t old = sum_of("old.pen"), new = sum_of("new.pen");
    CHECK(old != new, "the fits are alike");
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
        CHECK(left == old || left == new, "a part of a file is left after %g s", delay);
        killed += WIFSIGNALED(status);
        ended += left == new;
    }
    printf("%d of %d fits were killed, %d files are new (PENUMBRA_TEST_SEED=%llu)\n", killed,
           KILLED, ended, (unsigned long long)check_seed());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_killed),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
