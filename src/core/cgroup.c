/* cgroup.c - limits of control groups, versions 1 and 2. Limits of all groups up to the root apply.
 * In a container the group names may be those of the host; then only the root of the mounted
 * hierarchy can be read, which is the container's own group. */
#define _POSIX_C_SOURCE 200809L

#include "core/cgroup.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 4096 };

/* A kind of limit: how to read it from a group of version 2 and of version 1; INFINITY: none. */
struct limit {
    const char *controller;
    double (*of_v2)(const char *folder);
    double (*of_v1)(const char *folder);
};

static double cpus_of(double quota, double period)
{
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* Reads up to two numbers from the start of <folder>/<name>. Returns how many were read. */
static int read_numbers(const char *folder, const char *name, double *first, double *second)
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
static double cpus_v2(const char *folder)
{
    double quota, period;

    return read_numbers(folder, "cpu.max", &quota, &period) == 2 ? cpus_of(quota, period)
                                                                 : INFINITY;
}

/* Version 1: one file for each number, quota -1 for no limit. */
static double cpus_v1(const char *folder)
{
    double quota, period, none;

    return read_numbers(folder, "cpu.cfs_quota_us", &quota, &none) >= 1
                   && read_numbers(folder, "cpu.cfs_period_us", &period, &none) >= 1
               ? cpus_of(quota, period)
               : INFINITY;
}

static double bytes_in(const char *folder, const char *name)
{
    double bytes, none;
    return read_numbers(folder, name, &bytes, &none) >= 1 ? bytes : INFINITY;
}

static double bytes_v2(const char *folder)
{
    return bytes_in(folder, "memory.max");
}

static double bytes_v1(const char *folder)
{
    return bytes_in(folder, "memory.limit_in_bytes");
}

/* The lowest limit of a group and its ancestors, up to the mount point. */
static double least_of(const char *mount, const char *group, double (*of)(const char *folder))
{
    char folder[PATH_SIZE];
    double least = INFINITY;

    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= PATH_SIZE)
        return INFINITY;
    for (char *const first = folder + strlen(mount);;) {
        least = fmin(least, of(folder));
        char *const cut = strrchr(first, '/');
        if (!cut)
            return least;
        *cut = 0;
    }
}

/* 1 if `name` is in a comma-separated list. */
static int listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && memcmp(at, name, length) == 0)
            return 1;
    return 0;
}

/* The limit for a line "NUMBER:CONTROLLERS:GROUP"; an empty controller list means version 2. */
static double limit_of_line(const char *root, char *line, const struct limit *limit)
{
    char mount[PATH_SIZE];
    char *const controllers = strchr(line, ':');
    char *const group = controllers ? strchr(controllers + 1, ':') : NULL;

    if (!group)
        return INFINITY;
    *group = 0;
    const int version_2 = controllers[1] == 0;
    if ((!version_2 && !listed(controllers + 1, limit->controller))
        || snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s%s", root, version_2 ? "" : "/",
                    version_2 ? "" : limit->controller)
               >= PATH_SIZE)
        return INFINITY;
    return least_of(mount, group + 1, version_2 ? limit->of_v2 : limit->of_v1);
}

static double limit_of(const char *root, const struct limit *limit)
{
    char path[PATH_SIZE], line[LINE_SIZE];
    double least = INFINITY;

    FILE *const file = snprintf(path, sizeof path, "%s/proc/self/cgroup", root) < PATH_SIZE
                           ? fopen(path, "re")
                           : NULL;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        least = fmin(least, limit_of_line(root, line, limit));
    }
    if (file)
        fclose(file);
    return least;
}

int pen_cgroup_cpus(const char *root)
{
    static const struct limit cpus = { "cpu", cpus_v2, cpus_v1 };
    const double least = limit_of(root, &cpus);

    return least < INT_MAX ? (int)ceil(least) : INT_MAX;
}

int64_t pen_cgroup_memory(const char *root)
{
    static const struct limit bytes = { "memory", bytes_v2, bytes_v1 };
    const double least = limit_of(root, &bytes);

    return least < 0x1p62 ? (int64_t)least : INT64_MAX;
}
