/* cgroup.c - CPU quotas of control groups, versions 1 and 2. The quota of every group on the path
 * to the root applies. In a container the group names may be those of the host; then only the root
 * of the mounted hierarchy can be read, which is the container's own group. */
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
static int quota_v2(const char *folder)
{
    double quota, period;

    return read_numbers(folder, "cpu.max", &quota, &period) == 2 ? cpus_of(quota, period) : INT_MAX;
}

/* Version 1: one file for each number, quota -1 for no limit. */
static int quota_v1(const char *folder)
{
    double quota, period, none;

    return read_numbers(folder, "cpu.cfs_quota_us", &quota, &none) >= 1
                   && read_numbers(folder, "cpu.cfs_period_us", &period, &none) >= 1
               ? cpus_of(quota, period)
               : INT_MAX;
}

/* The smallest quota of a group and its ancestors, up to the mount point. */
static int smallest_quota(const char *mount, const char *group, int (*quota)(const char *folder))
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

/* 1 if `name` is in a comma-separated list. */
static int listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && memcmp(at, name, length) == 0)
            return 1;
    return 0;
}

/* The quota for a line "NUMBER:CONTROLLERS:GROUP"; an empty controller list means version 2. */
static int quota_of_line(const char *root, char *line)
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
    return smallest_quota(mount, group + 1, version_2 ? quota_v2 : quota_v1);
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
        const int here = quota_of_line(root, line);
        cpus = here < cpus ? here : cpus;
    }
    if (file)
        fclose(file);
    return cpus;
}
