/* test_cores.c - the default number of threads: affinity, control groups, environment variables;
 * and the detected CPU features. */
#define _GNU_SOURCE

#include "check.h"

#include "core/cgroup.h"
#include "core/cpu.h"
#include "core/run.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>

/* A simulated system file tree in a temporary folder. */
static char root[64];

static void put(const char *path, const char *text)
{
    char whole[512];

    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *at = strchr(whole + strlen(root) + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(whole, 0700);
        *at = '/';
    }
    FILE *const file = fopen(whole, "w");
    CHECK(file != NULL, "%s cannot be written", whole);
    fputs(text, file);
    fclose(file);
}

static int new_root(void **state)
{
    const char *const folder = getenv("TMPDIR");
    (void)state;
    snprintf(root, sizeof root, "%.40s/penumbra-XXXXXX", folder ? folder : "/tmp");
    return mkdtemp(root) ? 0 : -1;
}

static int drop_root(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void version_2(void **state)
{
    (void)state;
    assert_int_equal(pen_cgroup_cpus(root), INT_MAX); /* no such files */
    put("/proc/self/cgroup", "0::/a/b\n");
    assert_int_equal(pen_cgroup_cpus(root), INT_MAX);
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_int_equal(pen_cgroup_cpus(root), INT_MAX);
    put("/sys/fs/cgroup/a/cpu.max", "350000 100000\n"); /* limit of a parent group */
    assert_int_equal(pen_cgroup_cpus(root), 4);
    put("/sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
    assert_int_equal(pen_cgroup_cpus(root), 1);
    put("/sys/fs/cgroup/a/b/cpu.max", "nonsense");
    assert_int_equal(pen_cgroup_cpus(root), 4);
}

/* In a container, the names may be those of the host, and only the root of the mount exists. */
static void names_of_the_host(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/docker/0123456789abcdef\n");
    put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    assert_int_equal(pen_cgroup_cpus(root), 2);
}

static void version_1(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/c\n3:cpuset:/s\n0::/\n");
    put("/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
    assert_int_equal(pen_cgroup_cpus(root), INT_MAX);
    put("/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "250000\n");
    assert_int_equal(pen_cgroup_cpus(root), 3);
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "0\n");
    assert_int_equal(pen_cgroup_cpus(root), 3);
}

static void memory_of_groups(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/m/n\n");
    assert_true(pen_cgroup_memory(root) == INT64_MAX);
    put("/sys/fs/cgroup/m/n/memory.max", "max\n");
    assert_true(pen_cgroup_memory(root) == INT64_MAX);
    put("/sys/fs/cgroup/m/memory.max", "536870912\n"); /* limit of a parent group */
    assert_true(pen_cgroup_memory(root) == 536870912);
    put("/proc/self/cgroup", "5:memory:/v\n4:cpu:/m\n");
    put("/sys/fs/cgroup/memory/v/memory.limit_in_bytes", "9223372036854771712\n");
    assert_true(pen_cgroup_memory(root) == INT64_MAX);
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576\n");
    assert_true(pen_cgroup_memory(root) == 1048576);
}

static void variables_bound(void **state)
{
    (void)state;
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

static void affinity_bounds(void **state)
{
    cpu_set_t before, one;
    (void)state;

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

/* Against the compiler's own CPU detection. */
static void features_are_the_compilers(void **state)
{
    const unsigned long long features = pen_cpu_features();
    (void)state;
    for (int i = 0; i < 64; i++)
        if (features >> i & 1)
            assert_non_null(pen_cpu_feature_name(i));
    assert_null(pen_cpu_feature_name(-1));
#if defined(__x86_64__)
    __builtin_cpu_init();
    assert_int_equal((features & CPU_SSE2) != 0, __builtin_cpu_supports("sse2") != 0);
    assert_int_equal((features & CPU_SSSE3) != 0, __builtin_cpu_supports("ssse3") != 0);
    assert_int_equal((features & CPU_AVX) != 0, __builtin_cpu_supports("avx") != 0);
    assert_int_equal((features & CPU_FMA) != 0, __builtin_cpu_supports("fma") != 0);
    assert_int_equal((features & CPU_AVX2) != 0, __builtin_cpu_supports("avx2") != 0);
    assert_int_equal((features & CPU_AVX512F) != 0, __builtin_cpu_supports("avx512f") != 0);
    assert_int_equal((features & CPU_AVX512DQ) != 0, __builtin_cpu_supports("avx512dq") != 0);
    assert_int_equal((features & CPU_AVX512BW) != 0, __builtin_cpu_supports("avx512bw") != 0);
    assert_int_equal((features & CPU_AVX512VL) != 0, __builtin_cpu_supports("avx512vl") != 0);
    assert_int_equal((features & CPU_AVX512VNNI) != 0, __builtin_cpu_supports("avx512vnni") != 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(version_2, new_root, drop_root),
        cmocka_unit_test_setup_teardown(names_of_the_host, new_root, drop_root),
        cmocka_unit_test_setup_teardown(version_1, new_root, drop_root),
        cmocka_unit_test_setup_teardown(memory_of_groups, new_root, drop_root),
        cmocka_unit_test(variables_bound),
        cmocka_unit_test(affinity_bounds),
        cmocka_unit_test(features_are_the_compilers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
