/* memory_limit.c - how much memory a command may take. */
#define _XOPEN_SOURCE 700 /* getrlimit */

#include "memory_limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Of a further thread: its stack, and what the allocator maps for it; or what it touches of both,
 * and of the work buffer of the BLAS. */
#define THREAD_SPACE   (80e6)
#define THREAD_TOUCHED (8e6)

static const struct {
    const char *text;
    double bytes;
} units[] = { { "", 1 },         { "B", 1 },        { "k", 1e3 },      { "kB", 1e3 },
              { "K", 1e3 },      { "KB", 1e3 },     { "M", 1e6 },      { "MB", 1e6 },
              { "G", 1e9 },      { "GB", 1e9 },     { "T", 1e12 },     { "TB", 1e12 },
              { "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 }, { "TiB", 0x1p40 } };

/* Returns 0 for any other text. The locale of the command is that of C. */
static int read_size(const char *text, double *bytes)
{
    char *end;

    if (*text < '0' || *text > '9' || strspn(text, "0123456789.") == 0)
        return 0;
    *bytes = strtod(text, &end);
    if (end != text + strspn(text, "0123456789."))
        return 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].text, end) == 0) {
            *bytes *= units[i].bytes;
            return *bytes >= 1 && isfinite(*bytes);
        }
    return 0;
}

int memory_limit(const cli_args *args, double *limit, int *given)
{
    const char *const text = args_value(args, "memory");
    const double there = (double)pen_memory_limit();

    *limit = there;
    *given = text != NULL;
    if (!text)
        return CLI_OK;
    if (!read_size(text, limit))
        return cli_say(args->command, CLI_USAGE,
                       "--memory must be a size such as 500M, 2G or 1.5GiB, got \"%s\"", text);
    *limit = fmin(*limit, there);
    return CLI_OK;
}

/* Pages of address space, and those that are resident. Returns 0 where the system does not tell. */
static int read_pages(double *space, double *resident)
{
    FILE *const file = fopen("/proc/self/statm", "re");
    const int read = file ? fscanf(file, "%lf %lf", space, resident) : 0;

    if (file)
        fclose(file);
    return read == 2;
}

int memory_is_of_addresses(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

double memory_base(int threads)
{
    double space = 3e8, resident = 5e7;
    const double page = (double)sysconf(_SC_PAGESIZE),
                 all = threads > 0 ? threads : pen_default_threads();

    if (read_pages(&space, &resident)) {
        space *= page;
        resident *= page;
    }
    return memory_is_of_addresses() ? space + (all - 1) * THREAD_SPACE
                                    : resident + all * THREAD_TOUCHED;
}

double memory_peak(void)
{
    const char *const wanted = memory_is_of_addresses() ? "VmPeak: %lf" : "VmHWM: %lf";
    FILE *const file = fopen("/proc/self/status", "re");
    char line[128];
    double kilobytes = 0;

    while (file && kilobytes == 0 && fgets(line, sizeof line, file))
        if (sscanf(line, wanted, &kilobytes) != 1)
            kilobytes = 0;
    if (file)
        fclose(file);
    return kilobytes * 1024;
}

const char *memory_text(double bytes, char text[MEMORY_TEXT])
{
    static const char *const names[] = { "bytes", "kB", "MB", "GB", "TB", "PB", "EB" };
    int unit = 0;

    for (; bytes >= 999.5 && unit < 6; unit++)
        bytes /= 1000;
    snprintf(text, MEMORY_TEXT, "%.3g %s", bytes, names[unit]);
    return text;
}
