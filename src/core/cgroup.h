/* cgroup.h - limits that Linux control groups set on this process. */
#ifndef PEN_CGROUP_H
#define PEN_CGROUP_H

#include <stdint.h>

/* The number of CPUs that the quotas of the process's groups allow, rounded up; INT_MAX if there is
 * no limit. `root` is prepended to every path, "" for this machine: <root>/proc/self/cgroup names
 * the groups, <root>/sys/fs/cgroup holds their files (cpu.max; cpu.cfs_quota_us in version 1). */
int pen_cgroup_cpus(const char *root);

/* The bytes of memory that the groups allow; INT64_MAX if there is no limit. */
int64_t pen_cgroup_memory(const char *root);

#endif
