/* test_blas_turn.c - concurrent BLAS and LAPACK calls give the results of one thread for every
 * build of the BLAS, and keep its settings. tests/blas.cmake reruns this test with other OpenBLAS
 * builds and sets TEST_BLAS to the expected result. */
#define _GNU_SOURCE

#include "check.h"

#include "core/cpu.h"
#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/blas_turn.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>

enum { N = 96, K = 61, TASKS = 400, THREADS = 8 };

struct inputs {
    double a[N * K], b[N * K], spd[N * N];
    double product[N * N], factor[N * N], values[N]; /* results of one thread */
    atomic_int wrong;
};

static void literal_product(const double *a, const double *b, double *c)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int l = 0; l < K; l++)
                sum += a[i * K + l] * b[j * K + l];
            c[i * N + j] = sum;
        }
}

/* Computes everything of one task into its own arrays. */
static void compute(const struct inputs *in, double *product, double *factor, double *values)
{
    lapack_eig_work work;
    double *const copy = check_allocate(N * N, sizeof *copy);

    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, N, N, K, 1, in->a, K, in->b, K, 0, product,
                  N);
    memcpy(factor, in->spd, sizeof in->spd);
    CHECK(pen_lapack_cholesky(N, factor) == 0, "not positive definite");
    memcpy(copy, in->spd, sizeof in->spd);
    pen_lapack_eig_sizes(N, N, 0, &work);
    work.real = check_allocate(work.reals, sizeof *work.real);
    work.integer = check_allocate(work.ints, sizeof *work.integer);
    CHECK(pen_lapack_eig(N, N, copy, values, NULL, &work) == 0, "no eigenvalues");
}

/* Many short calls: if two overlap, a build without locks gives both the same buffer. */
static int short_calls(const struct inputs *in)
{
    enum { SMALL = 40, CALLS = 300 };
    double first[SMALL * SMALL] = { 0 }, again[SMALL * SMALL] = { 0 };
    int wrong = 0;

    pen_blas_syrk(PEN_F64, SMALL, K, in->a, SMALL, 0, first, SMALL);
    for (int i = 0; i < CALLS; i++) {
        pen_blas_syrk(PEN_F64, SMALL, K, in->a, SMALL, 0, again, SMALL);
        wrong += memcmp(first, again, sizeof first) != 0;
    }
    return wrong;
}

static void one_task(void *context, int64_t task, int worker)
{
    struct inputs *const in = context;
    double *const memory = check_allocate(2 * N * N + N, sizeof *memory),
                  *const factor = memory + N * N, *const values = factor + N * N;

    compute(in, memory, factor, values);
    if (memcmp(memory, in->product, sizeof in->product) != 0
        || memcmp(factor, in->factor, sizeof in->factor) != 0
        || memcmp(values, in->values, sizeof in->values) != 0 || short_calls(in) != 0)
        atomic_fetch_add(&in->wrong, 1);
}

static struct inputs *new_inputs(void)
{
    struct inputs *const in = check_allocate(1, sizeof *in);
    double *const product = check_allocate(N * N, sizeof *product);
    pen_rng rng = check_rng(91);

    for (int i = 0; i < N * K; i++) {
        in->a[i] = check_normal(&rng);
        in->b[i] = check_normal(&rng);
    }
    literal_product(in->a, in->a, in->spd);
    for (int i = 0; i < N; i++)
        in->spd[i * N + i] += 1;
    compute(in, in->product, in->factor, in->values);
    literal_product(in->a, in->b, product);
    for (int i = 0; i < N * N; i++)
        CHECK_CLOSE(in->product[i], product[i], 0, 1e-12 * K);
    return in;
}

/* A setting of the BLAS or of OpenMP, by its getter; -1 if there is no such function. */
static int setting(const char *name)
{
    int (*ask)(void);
    void *const symbol = dlsym(RTLD_DEFAULT, name);

    memcpy(&ask, &symbol, sizeof ask);
    return ask ? ask() : -1;
}

TEST(threads_match_one_thread)
{
    struct inputs *const in = new_inputs();
    const int blas_threads = setting("openblas_get_num_threads"),
              omp_threads = setting("omp_get_max_threads");

    pen_run *const run = check_run(THREADS, NULL);
    assert_int_equal(pen_parallel(run, PEN_SILENT, TASKS, one_task, in), PEN_OK);
    pen_run_close(run);
    CHECK(atomic_load(&in->wrong) == 0, "the results of %d of %d tasks differ",
          atomic_load(&in->wrong), TASKS);
    assert_int_equal(setting("openblas_get_num_threads"), blas_threads);
    assert_int_equal(setting("omp_get_max_threads"), omp_threads);
}

TEST(the_loaded_blas_is_identified)
{
    const blas_facts facts = pen_blas_ask();
    const char *const expected_facts = getenv("TEST_BLAS");
    char found[256];

    if (!expected_facts)
        skip();
    snprintf(found, sizeof found, "%s, %s", facts.threads,
             facts.in_turn ? "in turn" : "side by side");
    assert_string_equal(found, expected_facts);
}

/* Kernel names against CPU features: only a known, less capable core is replaced. */
TEST(better_cores)
{
    const unsigned long long sse = CPU_SSE2 | CPU_SSSE3, avx = sse | CPU_AVX,
                             avx2 = avx | CPU_AVX2 | CPU_FMA | CPU_F16C,
                             skx = avx2 | CPU_AVX512F | CPU_AVX512DQ | CPU_AVX512BW | CPU_AVX512VL,
                             knl = avx2 | CPU_AVX512F;

    assert_string_equal(pen_blas_better_core("Prescott", skx, 0), "SkylakeX");
    assert_string_equal(pen_blas_better_core("prescott", skx | CPU_AVX512BF16 | CPU_AMX_INT8, 0),
                        "SkylakeX");
    assert_string_equal(pen_blas_better_core("Haswell", skx, 0), "SkylakeX");
    assert_string_equal(pen_blas_better_core("Prescott", knl, 0), "Haswell");
    assert_string_equal(pen_blas_better_core("Nehalem", avx2, 0), "Haswell");
    assert_string_equal(pen_blas_better_core("Core2", avx, 0), "Sandybridge");
    assert_null(pen_blas_better_core("SkylakeX", skx, 0));
    assert_null(pen_blas_better_core("Cooperlake", skx, 0));
    assert_null(pen_blas_better_core("Zen", avx2, 0));
    assert_null(pen_blas_better_core("Prescott", sse, 0));
    assert_null(pen_blas_better_core("SkylakeX", avx2, 0));
    assert_null(pen_blas_better_core("neoversen1", 0, 0));
    assert_null(pen_blas_better_core(NULL, skx, 0));
    assert_string_equal(pen_blas_better_core("armv9sme", CPU_NEON | CPU_SVE, 1), "NEOVERSEN1");
    assert_null(pen_blas_better_core("armv9sme", CPU_NEON | CPU_SVE, 0));
    assert_null(pen_blas_better_core("neoversen1", CPU_NEON, 1));
    assert_string_equal(pen_blas_better_core("SkylakeX", skx, 1), "Prescott");
    assert_null(pen_blas_better_core(NULL, skx, 1));
}

TEST(the_system_is_reported_as_json)
{
    char text[4096], part[8];

    const size_t length = pen_system(text, sizeof text);
    assert_true(length > 0 && length < sizeof text && strlen(text) == length);
    assert_true(text[0] == '{' && text[length - 1] == '}');
    assert_non_null(strstr(text, "\"version\":\"" PEN_VERSION "\""));
    assert_non_null(strstr(text, "\"calls\":\""));
    assert_int_equal(pen_system(NULL, 0), length);
    assert_int_equal(pen_system(part, sizeof part), length);
    assert_int_equal(strlen(part), sizeof part - 1);
}
