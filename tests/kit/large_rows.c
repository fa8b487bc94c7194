/* large_rows.c - see large_rows.h. */
#include "kit/large_rows.h"
#include "kit/check_fit.h"

#include <math.h>

/* Columns are undefined if gaps are below this fraction of the largest eigenvalue. */
static const double GAP = 1e-2;

/* The entry of row 0 in the unused columns, which makes them vary without any effect. */
static const double LITTLE = 1e-60;

large_rows large_new(pen_rng *rng, int64_t n, int64_t d, int64_t used)
{
    large_rows t = { .n = n, .d = d, .used = used };
    int64_t count = 0;

    t.starts = check_allocate(n + 1, sizeof *t.starts);
    t.columns = check_allocate(n * used + d, sizeof *t.columns);
    t.values = check_allocate(n * used + d, sizeof *t.values);
    t.dense = check_allocate(n * used, sizeof *t.dense);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < (i == 0 ? d : used); j++) {
            const int64_t at = i == 0 ? large_place(&t, j) : j;
            if (at < 0)
                t.columns[count] = (int32_t)j, t.values[count++] = LITTLE;
            if (at < 0 || (pen_rng_below(rng, 10) > 0 && at > 0)) /* column 0 is full */
                continue;
            t.columns[count] = (int32_t)(d / used * at + (d > used));
            t.dense[i * used + at] = t.values[count++] =
                (3 + check_normal(rng)) / sqrt((double)(at + 1));
        }
        t.starts[i + 1] = count;
    }
    return t;
}

pen_array large_sparse(const large_rows *t)
{
    return pen_csr(t->values, PEN_F64, t->starts, t->columns, t->n, t->d);
}

pen_array large_dense(const large_rows *t)
{
    return pen_dense(t->dense, PEN_F64, t->n, t->used, t->used);
}

int32_t *large_labels(pen_rng *rng, const large_rows *t, int64_t known)
{
    const int64_t n = t->n;
    int32_t *const y = check_allocate(n, sizeof *y);

    for (int64_t i = 0; i < n; i++)
        y[i] = PEN_UNLABELLED;
    for (int64_t left = known; left > 0;) {
        const int64_t row = pen_rng_below(rng, n);
        if (y[row] != PEN_UNLABELLED)
            continue;
        y[row] = (int32_t)(7 * (left % 3));
        left--;
    }
    return y;
}

void large_pairs(pen_rng *rng, const large_rows *t, int must, int64_t count, int64_t *pairs)
{
    const int64_t n = t->n;
    int64_t found = 0;

    while (found < count) {
        const int64_t i = pen_rng_below(rng, 60), j = pen_rng_below(rng, 60);
        if (i == j || (i % 3 == j % 3) != must)
            continue;
        pairs[2 * found] = i * (n / 60);
        pairs[2 * found++ + 1] = j * (n / 60);
    }
}

pen_model *large_fit(const pen_data *data, const char *text, int threads, pen_status code,
                     const char *phrase)
{
    const pen_control control = { .threads = threads };
    pen_model *model = NULL;
    pen_spec *const spec = spec_of(text);
    pen_error err;

    const pen_status status = pen_fit(spec, data, &control, &model, &err);
    if (code == PEN_OK)
        CHECK_OK(status, &err);
    else
        CHECK_STATUS(status, code, phrase, &err);
    return keep_model(model);
}

void large_same_bits(const large_rows *t, const pen_model *model, const pen_data *data,
                     const char *text)
{
    pen_model *const again = large_fit(data, text, 1, PEN_OK, NULL);
    assert_memory_equal(model_values(model, "projection"), model_values(again, "projection"),
                        (size_t)(t->d * pen_model_dim(model)) * sizeof(double));
}

int64_t large_place(const large_rows *t, int64_t j)
{
    const int64_t apart = t->d / t->used, first = t->d > t->used;

    return (j - first) % apart || (j - first) / apart >= t->used ? -1 : (j - first) / apart;
}

/* The used columns of projection and mean; the weights of the unused columns. */
static double in_use(const large_rows *t, const pen_model *model, double *w, double *mean)
{
    const int64_t k = pen_model_dim(model);
    double others = 0;

    for (int64_t j = 0; j < t->d; j++) {
        const int64_t at = large_place(t, j);
        const double *const from = model_values(model, "projection") + j * k;
        for (int64_t c = 0; c < k; c++)
            if (at < 0)
                others = fmax(others, fabs(from[c]));
            else
                w[at * k + c] = from[c];
        if (at >= 0)
            mean[at] = model_values(model, "mean")[j];
    }
    return others;
}

static double length_of(const double *w, int64_t d, int64_t k, int64_t c)
{
    double sum = 0;

    for (int64_t j = 0; j < d; j++)
        sum += w[j * k + c] * w[j * k + c];
    return sqrt(sum);
}

void large_compare(const large_rows *t, const pen_model *model, const pen_model *whole,
                   double tolerance, const char *what)
{
    const int64_t d = t->used, k = pen_model_dim(whole);
    const double *const e = model_values(whole, "eigenvalues"),
                        *const found = model_values(model, "eigenvalues"),
                        *const right = model_values(whole, "projection");
    double *const w = check_allocate(d * k, sizeof *w), *const mean = check_allocate(d, sizeof *w);
    const double largest = dense_largest(k, e, 1);
    int begins = 1;

    CHECK(pen_model_dim(model) == k, "%s: %lld dimensions, not %lld", what,
          (long long)pen_model_dim(model), (long long)k);
    const double others = in_use(t, model, w, mean);
    CHECK(others <= 1e-12, "%s: an unused column has the weight %g", what, others);
    for (int64_t j = 0; j < d; j++)
        CHECK_CLOSE(mean[j], model_values(whole, "mean")[j], 1e-13, 1e-13);
    for (int64_t c = 0; c < k; c++) {
        const double length = length_of(right, d, k, c);
        const int ends = c + 1 == k || fabs(e[c] - e[c + 1]) > GAP * largest;
        CHECK(fabs(found[c] - e[c]) <= tolerance * largest,
              "%s: eigenvalue %lld is %.17g, not %.17g", what, (long long)c, found[c], e[c]);
        CHECK(!ends || !begins || fabs(length_of(w, d, k, c) - length) <= tolerance * length,
              "%s: column %lld has length %.17g, not %.17g", what, (long long)c,
              length_of(w, d, k, c), length);
        begins = ends;
        if (!ends)
            continue;
        const double apart = check_subspaces(d, c + 1, w, k, right, k);
        CHECK(apart <= tolerance, "%s: the spans of the first %lld columns are %.3g apart", what,
              (long long)c + 1, apart);
    }
}
