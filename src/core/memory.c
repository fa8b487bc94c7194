/* memory.c - how much memory the process may use. */
#define _XOPEN_SOURCE 700 /* getrlimit */

#include "core/memory.h"

#include "core/cgroup.h"
#include "core/run.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FEW_BYTES = 1 << 24 };

/* Physical memory. _SC_PHYS_PAGES is not part of POSIX, but common. */
static int64_t physical_memory(void)
{
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? pen_times(pages, size) : INT64_MAX;
#else
    return INT64_MAX;
#endif
}

static int64_t address_space(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
                   || limit.rlim_cur >= (rlim_t)INT64_MAX
               ? INT64_MAX
               : (int64_t)limit.rlim_cur;
}

int64_t pen_memory(void)
{
    return pen_min(pen_min(physical_memory(), pen_cgroup_memory("")), address_space());
}

int pen_memory_has(int64_t bytes)
{
    return bytes <= FEW_BYTES || bytes <= pen_memory();
}

const char *pen_bytes_text(int64_t bytes, char text[PEN_BYTES_SIZE])
{
    static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB", "PB", "EB" };
    double number = (double)bytes;
    int unit = 0;

    for (; number >= 999.5; unit++)
        number /= 1000;
    snprintf(text, PEN_BYTES_SIZE, "%.3g %s", number, units[unit]);
    return text;
}

pen_status pen_memory_check(struct pen_run *run, int64_t bytes, const char *what)
{
    char wanted[PEN_BYTES_SIZE], most[PEN_BYTES_SIZE];

    PEN_REQUIRE(run, pen_memory_has(bytes), PEN_NO_MEMORY,
                "out of memory: %s take %s, the limit is %s", what, pen_bytes_text(bytes, wanted),
                pen_bytes_text(pen_memory(), most));
    return PEN_OK;
}
