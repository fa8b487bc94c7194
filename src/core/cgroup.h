/* cgroup.h - limits that Linux control groups set on this process. */
#ifndef PEN_CGROUP_H
#define PEN_CGROUP_H

/* CPUs that the quotas of its groups grant, a part of one counted as one; INT_MAX: no limit. `root`
 * comes before every path, "" for this machine: <root>/proc/self/cgroup names the groups,
 * <root>/sys/fs/cgroup holds their files (cpu.max; cpu.cfs_quota_us in version 1). */
int pen_cgroup_cpus(const char *root);

#endif
