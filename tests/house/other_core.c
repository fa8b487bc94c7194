/* other_core.c - preloaded with OpenBLAS, simulates one that chooses the kernels in TEST_CORE,
 * unless a setting selects others: the oldest ones, as if it did not know this CPU, or "wrong",
 * whose dsyrk is wrong in one element. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef void syrk(int order, int triangle, int op, int n, int k, double alpha, const double *a,
                  int lda, double beta, double *c, int ldc);
const char *openblas_get_corename(void);
syrk cblas_dsyrk;

const char *openblas_get_corename(void)
{
    const char *const told = getenv("OPENBLAS_CORETYPE");
    return told ? told : getenv("TEST_CORE");
}

void cblas_dsyrk(int order, int triangle, int op, int n, int k, double alpha, const double *a,
                 int lda, double beta, double *c, int ldc)
{
    syrk *right;
    void *const symbol = dlsym(RTLD_NEXT, "cblas_dsyrk");

    memcpy(&right, &symbol, sizeof right);
    right(order, triangle, op, n, k, alpha, a, lda, beta, c, ldc);
    if (strcmp(openblas_get_corename(), "wrong") == 0)
        c[(n - 1) * ldc] += 1;
}
