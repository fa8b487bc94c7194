/* cores.c - the cores of this process, as threads are counted by them. */
#define _GNU_SOURCE /* sched_getaffinity; POSIX has no word for it */

#include "core/cgroup.h"

#include <penumbra.h>

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_CPUS = 1 << 16 };

#ifdef __linux__
static int affinity(void)
{
    for (int cpus = CPU_SETSIZE; cpus <= MOST_CPUS; cpus *= 4) {
        cpu_set_t *const set = CPU_ALLOC((size_t)cpus);
        if (!set)
            break;
        const size_t size = CPU_ALLOC_SIZE((size_t)cpus);
        const int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
    return INT_MAX;
}
#else
static int affinity(void)
{
    return INT_MAX;
}
#endif

/* The number an environment variable begins with ("4,2" is 4: that of the outermost level);
 * INT_MAX: none. */
static int variable(const char *name)
{
    const char *const text = getenv(name);
    const long number = text ? strtol(text, NULL, 10) : 0;

    return number >= 1 && number < INT_MAX ? (int)number : INT_MAX;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

int pen_default_threads(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int cores = lesser(affinity(), online >= 1 && online < INT_MAX ? (int)online : 1);

    return lesser(lesser(cores, pen_cgroup_cpus("")),
                  lesser(variable("PENUMBRA_THREADS"), variable("OMP_NUM_THREADS")));
}
