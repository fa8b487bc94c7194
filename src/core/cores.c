/* cores.c - the default number of threads: the cores this process may use. */
#define _GNU_SOURCE /* sched_getaffinity, which POSIX lacks */

#include "core/cgroup.h"
#include "core/run.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_CPUS = 1 << 16 };

#ifdef __linux__
static int cores_by_affinity(void)
{
    for (int cpus = CPU_SETSIZE; cpus <= MAX_CPUS; cpus *= 4) {
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
static int cores_by_affinity(void)
{
    return INT_MAX;
}
#endif

/* The number at the start of an environment variable ("4,2" gives 4, the outermost level); INT_MAX
 * if there is none. */
static int threads_from_variable(const char *name)
{
    const char *const text = getenv(name);
    const long number = text ? strtol(text, NULL, 10) : 0;

    return number >= 1 && number < INT_MAX ? (int)number : INT_MAX;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

int pen_default_threads(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int cores =
        smaller(cores_by_affinity(), online >= 1 && online < INT_MAX ? (int)online : 1);

    return smaller(smaller(cores, pen_cgroup_cpus("")),
                   smaller(threads_from_variable("PENUMBRA_THREADS"),
                           threads_from_variable("OMP_NUM_THREADS")));
}
