/* test_cores.c - the default number of threads: affinity, control groups, environment variables;
 * the detected CPU features. */
#define _GNU_SOURCE

#include "check.h"

#include "core/cgroup.h"
#include "core/cpu.h"
#include "core/run.h"
#include "kit/folder.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>

/* A file of a simulated system file tree. */
static void put(const char *path, const char *text)
{
    char whole[512];

    snprintf(whole, sizeof whole, "%s%s", folder, path);
    for (char *at = strchr(whole + strlen(folder) + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(whole, 0700);
        *at = '/';
    }
    FILE *const file = fopen(whole, "w");
    CHECK(file != NULL, "%s cannot be written", whole);
    fputs(text, file);
    fclose(file);
}

EACH(folder_make, folder_remove);

/* Writes a file and expects these limits; -1: none. */
struct group_file {
    const char *path, *text;
    int cpus;
    int64_t bytes;
};

static void check_groups(const struct group_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(files[i].path, files[i].text);
        const int cpus = pen_cgroup_cpus(folder);
        const int64_t bytes = pen_cgroup_memory(folder);
        CHECK(cpus == (files[i].cpus < 0 ? INT_MAX : files[i].cpus)
                  && bytes == (files[i].bytes < 0 ? INT64_MAX : files[i].bytes),
              "%s with %s: %d CPUs, %lld bytes", files[i].path, files[i].text, cpus,
              (long long)bytes);
    }
}

TEST(version_2)
{
    static const struct group_file files[] = {
        { "/none", "", -1, -1 },
        { "/proc/self/cgroup", "0::/a/b\n", -1, -1 },
        { "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n", -1, -1 },
        { "/sys/fs/cgroup/a/cpu.max", "350000 100000\n", 4, -1 }, /* limit of a parent group */
        { "/sys/fs/cgroup/a/b/cpu.max", "50000 100000\n", 1, -1 },
        { "/sys/fs/cgroup/a/b/cpu.max", "nonsense", 4, -1 },
        { "/sys/fs/cgroup/a/b/memory.max", "max\n", 4, -1 },
        { "/sys/fs/cgroup/a/memory.max", "536870912\n", 4, 536870912 },
        /* in a container, names may be those of the host, and only the root of the mount exists */
        { "/proc/self/cgroup", "0::/docker/0123456789abcdef\n", -1, -1 },
        { "/sys/fs/cgroup/cpu.max", "200000 100000\n", 2, -1 },
    };
    check_groups(files, sizeof files / sizeof *files);
}

TEST(version_1)
{
    static const struct group_file files[] = {
        { "/proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/c\n3:cpuset:/s\n0::/\n", -1, -1 },
        { "/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\n", -1, -1 },
        { "/sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n", -1, -1 },
        { "/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "250000\n", 3, -1 },
        { "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n", 3, -1 },
        { "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "0\n", 3, -1 },
        { "/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "9223372036854771712\n", 3, -1 },
        { "/sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576\n", 3, 1048576 },
    };
    check_groups(files, sizeof files / sizeof *files);
}

TEST(variables_bound)
{
    unsetenv("PENUMBRA_THREADS");
    unsetenv("OMP_NUM_THREADS");
    const int all = pen_default_threads();
    assert_true(all >= 1);
    setenv("PENUMBRA_THREADS", "1", 1);
    assert_int_equal(pen_default_threads(), 1);
    setenv("PENUMBRA_THREADS", "100000", 1); /* an upper bound only */
    assert_int_equal(pen_default_threads(), all);
    setenv("OMP_NUM_THREADS", "1,4", 1);
    assert_int_equal(pen_default_threads(), 1);
    static const char *const nothing[] = { "", "0", "-3", "many" };
    for (int i = 0; i < 4; i++) {
        setenv("PENUMBRA_THREADS", nothing[i], 1);
        setenv("OMP_NUM_THREADS", nothing[i], 1);
        assert_int_equal(pen_default_threads(), all);
    }
    unsetenv("PENUMBRA_THREADS");
    unsetenv("OMP_NUM_THREADS");
}

TEST(affinity_bounds)
{
    cpu_set_t before, one;

    if (sched_getaffinity(0, sizeof before, &before) != 0)
        skip();
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const int cores = pen_default_threads();
    sched_setaffinity(0, sizeof before, &before);
    assert_int_equal(cores, 1);
}

/* Compares with the compiler's CPU detection. */
TEST(features_match_the_compiler)
{
    const unsigned long long features = pen_cpu_features();
    for (int i = 0; i < 64; i++)
        if (features >> i & 1)
            assert_non_null(pen_cpu_feature_name(i));
    assert_null(pen_cpu_feature_name(-1));
#if defined(__x86_64__)
    __builtin_cpu_init();
#define AGREES(name, text)                                                                         \
    assert_int_equal((features & CPU_##name) != 0, __builtin_cpu_supports(text) != 0)
    AGREES(SSE2, "sse2");
    AGREES(SSSE3, "ssse3");
    AGREES(AVX, "avx");
    AGREES(FMA, "fma");
    AGREES(AVX2, "avx2");
    AGREES(AVX512F, "avx512f");
    AGREES(AVX512DQ, "avx512dq");
    AGREES(AVX512BW, "avx512bw");
    AGREES(AVX512VL, "avx512vl");
    AGREES(AVX512VNNI, "avx512vnni");
#undef AGREES
#endif
}
