/* test_rca.c - relevant components against the oracle and their distances: Bar-Hillel, Hertz,
 * Shental, Weinshall: JMLR 6 (2005). */
#include "kit/oracle_fit.h"

TEST(matches_the_oracle)
{
    check_all_shapes(1001, 4,
                     "rca: total_rows=chunk; ridge=0.1; ridge=0.1 total_rows=chunk dim=1; dim=1; "
                     "dim=40; scale=standard ridge=0.01; scale=minmax ridge=1 dim=2; pca=3; "
                     "pca=3 total_rows=chunk ridge=0.5; pca=0.9 scale=standard ridge=0.1");
}

/* Covariance within chunklets of must-link chains: rows c, c + chunks, c + 2 chunks .. form
 * chunklet c. */
static void chain(linked *l, int64_t chunks, int64_t rows, double *within)
{
    const int64_t d = l->s.d;
    double *mean = check_allocate(d, sizeof *mean);

    for (int64_t c = 0; c < chunks; c++) {
        const int64_t size = (rows - c + chunks - 1) / chunks;
        memset(mean, 0, (size_t)d * sizeof *mean);
        for (int64_t i = c; i < rows; i += chunks)
            for (int64_t a = 0; a < d; a++)
                mean[a] += l->s.x[i * d + a] / (double)size;
        for (int64_t i = c; i < rows; i += chunks)
            for (int64_t a = 0; a < d * d; a++)
                within[a] += (l->s.x[i * d + a / d] - mean[a / d])
                             * (l->s.x[i * d + a % d] - mean[a % d]) / (double)rows;
        for (int64_t i = c; i + chunks < rows; i += chunks)
            linked_add(l, PEN_MUST_LINK, i + chunks, i);
    }
}

/* In all dimensions W W' is the inverse of the covariance within chunklets, for either total that
 * orders the columns. */
TEST(distances_of_the_inverse)
{
    enum { D = 5 };
    static const char *const texts[] = { "rca", "rca total_rows=chunk" };
    pen_rng rng = check_rng(1002);

    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        linked l = linked_random(&rng, 50, D, 3, 0, 0);
        double within[D * D] = { 0 };
        chain(&l, 6, 33, within);
        const pen_data data = linked_data(&l);
        pen_model *model = fit_data(texts[t], &data);
        const double *w = model_columns(model), *values = model_eigenvalues(model);
        CHECK(pen_model_dim(model) == D, "%s: %lld dimensions", texts[t],
              (long long)pen_model_dim(model));
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++) {
                double sum = 0; /* (W W' C)[i][j] */
                for (int c = 0; c < D * D; c++)
                    sum += w[i * D + c / D] * w[c % D * D + c / D] * within[c % D * D + j];
                CHECK_CLOSE(sum, i == j, 1e-9, 1e-9);
            }
        for (int j = 1; j < D; j++)
            CHECK(values[j] <= values[j - 1], "%s: eigenvalue %d is %g after %g", texts[t], j,
                  values[j], values[j - 1]);
        CHECK(info_number(model, "chunklets") == 6 && info_number(model, "chunklet_rows") == 33,
              "%s", pen_model_info(model));
    }
}

/* Columns in the order of cfld; the values are the inverse ratios. */
TEST(cfld_has_inverse_ratios)
{
    pen_rng rng = check_rng(1004);
    linked l = linked_random(&rng, 60, 4, 3, 60, 0);
    const pen_data data = linked_data(&l);
    pen_model *rca = fit_data("rca dim=2", &data),
              *cfld = fit_data("cfld total_rows=all column_scaling=within dim=2", &data);

    for (int i = 0; i < 8; i++)
        CHECK_CLOSE(model_columns(rca)[i], model_columns(cfld)[i], 1e-8, 1e-8);
    for (int j = 0; j < 2; j++)
        CHECK_CLOSE(model_eigenvalues(rca)[j] * model_eigenvalues(cfld)[j], 1, 1e-10, 0);
}

/* Fewer rows than directions within chunklets: an error, unless a ridge or components remove the
 * singularity. */
TEST(singular_scatters)
{
    pen_rng rng = check_rng(1005);
    linked few = linked_random(&rng, 60, 8, 4, 5, 0),
           constant = linked_random(&rng, 40, 4, 2, 50, 0),
           wide = linked_random(&rng, 12, 20, 2, 20, 0);
    for (int64_t i = 0; i < 40; i++)
        constant.s.x[4 * i + 2] = 0.1 * (1 + (double)constant.s.y[i]);
    const pen_data data[] = { linked_data(&few), linked_data(&constant), linked_data(&wide) };

    for (int i = 0; i < 3; i++) {
        CHECK_FIT_FAILS("rca", &data[i], PEN_SINGULAR_SCATTER, "ridge");
        CHECK_FIT_FAILS("rca total_rows=chunk dim=1", &data[i], PEN_SINGULAR_SCATTER, "pca");
        check_like("rca ridge=0.1", &data[i], NULL, 1e-8);
        check_like("rca ridge=0.1 dim=2", &data[i], NULL, 1e-8);
        fit_data("rca pca=2", &data[i]);
    }
}
