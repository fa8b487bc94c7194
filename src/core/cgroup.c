/* cgroup.c - CPU quotas of control groups, versions 1 and 2. The quota of every group on the way up
 * to the root holds; in a container the names may be those of the host, and then only the root of
 * what is mounted can be read, which is the container's own group. */
#define _POSIX_C_SOURCE 200809L

#include "core/cgroup.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 4096 };

static int cpus_of(double quota, double period)
{
    return quota > 0 && period > 0 && quota / period < INT_MAX ? (int)ceil(quota / period)
                                                               : INT_MAX;
}

/* Up to two numbers at the start of <folder>/<name>; how many there are. */
static int numbers_in(const char *folder, const char *name, double *first, double *second)
{
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = length < PATH_SIZE ? fopen(path, "re") : NULL;
    const int count = file ? fscanf(file, "%lf %lf", first, second) : 0;

    if (file)
        fclose(file);
    return count;
}

/* Version 2: "QUOTA PERIOD" or "max PERIOD". */
static int quota_2(const char *folder)
{
    double quota, period;

    return numbers_in(folder, "cpu.max", &quota, &period) == 2 ? cpus_of(quota, period) : INT_MAX;
}

/* Version 1: a file for each, -1 for no quota. */
static int quota_1(const char *folder)
{
    double quota, period, none;

    return numbers_in(folder, "cpu.cfs_quota_us", &quota, &none) >= 1
                   && numbers_in(folder, "cpu.cfs_period_us", &period, &none) >= 1
               ? cpus_of(quota, period)
               : INT_MAX;
}

/* The least quota of a group and of those above it, up to the mount. */
static int least(const char *mount, const char *group, int (*quota)(const char *folder))
{
    char folder[PATH_SIZE];
    int cpus = INT_MAX;

    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= PATH_SIZE)
        return INT_MAX;
    for (char *const first = folder + strlen(mount);;) {
        const int here = quota(folder);
        cpus = here < cpus ? here : cpus;
        char *const cut = strrchr(first, '/');
        if (!cut)
            return cpus;
        *cut = 0;
    }
}

/* 1 if `name` is one of the names in a list with commas. */
static int listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && memcmp(at, name, length) == 0)
            return 1;
    return 0;
}

/* A line "NUMBER:CONTROLLERS:GROUP"; no controllers: version 2. */
static int of_line(const char *root, char *line)
{
    char mount[PATH_SIZE];
    char *const controllers = strchr(line, ':');
    char *const group = controllers ? strchr(controllers + 1, ':') : NULL;

    if (!group)
        return INT_MAX;
    *group = 0;
    const int version_2 = controllers[1] == 0;
    if ((!version_2 && !listed(controllers + 1, "cpu"))
        || snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s", root, version_2 ? "" : "/cpu")
               >= PATH_SIZE)
        return INT_MAX;
    return least(mount, group + 1, version_2 ? quota_2 : quota_1);
}

int pen_cgroup_cpus(const char *root)
{
    char path[PATH_SIZE], line[LINE_SIZE];
    int cpus = INT_MAX;

    FILE *const file = snprintf(path, sizeof path, "%s/proc/self/cgroup", root) < PATH_SIZE
                           ? fopen(path, "re")
                           : NULL;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        const int here = of_line(root, line);
        cpus = here < cpus ? here : cpus;
    }
    if (file)
        fclose(file);
    return cpus;
}
