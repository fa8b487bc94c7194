/* test_blas_check.c - the check of the BLAS finds a fault in one element of any result. */
#include "check.h"

#include <cblas.h>

/* The call with this number, from 1, spoils its result. */
static int wrong_call, calls;
static const char *wrong_name;

#define SPOIL(routine, result, element, ...)                                                       \
    (routine(__VA_ARGS__),                                                                         \
     ++calls == wrong_call ? (wrong_name = #routine, (result)[element] += 1) : 0)
#define cblas_dgemm(...)  SPOIL((cblas_dgemm), m->c, 5 * N + 31, __VA_ARGS__)
#define cblas_sgemm(...)  SPOIL((cblas_sgemm), m->fc, 36 * N + 36, __VA_ARGS__)
#define cblas_dsyrk(...)  SPOIL((cblas_dsyrk), m->c, 36 * N, __VA_ARGS__)
#define cblas_ssyrk(...)  SPOIL((cblas_ssyrk), m->fc, 0, __VA_ARGS__)
#define cblas_dsyr2k(...) SPOIL((cblas_dsyr2k), m->c, 36 * N + 36, __VA_ARGS__)
#define cblas_ssyr2k(...) SPOIL((cblas_ssyr2k), m->fc, 17 * N + 16, __VA_ARGS__)
#define cblas_dsymm(...)  SPOIL((cblas_dsymm), m->c, 36, __VA_ARGS__)
#define cblas_dtrsm(...)  SPOIL((cblas_dtrsm), m->c, 36 * N + 1, __VA_ARGS__)
#define pen_blas_check    check_of_this_file
#include "../../src/linalg/blas_check.c"

TEST(a_fault_is_found)
{
    assert_null(check_of_this_file());
    const int all = calls;
    assert_true(all > 20);
    for (wrong_call = 1; wrong_call <= all; wrong_call++) {
        calls = 0;
        const char *const found = check_of_this_file();
        CHECK(found && strstr(wrong_name, found), "call %d of %s is wrong, found: %s", wrong_call,
              wrong_name, found ? found : "nothing");
    }
}
