/* test_kernel_errors.c - input that kernels refuse, with messages; stopped fits and embeddings. */
#include "kit/embedded.h"

#include <stdio.h>

enum { ROWS = 20, D = 4 };

static sample problem(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    return sample_random(&rng, ROWS, D, 3, 12);
}

/* The complete message of a failing fit. */
static void check_message(const char *text, const pen_data *data, pen_status code,
                          const char *message)
{
    pen_model *none;
    pen_error err;

    CHECK_STATUS(fit_status(text, data, &none, &err), code, NULL, &err);
    CHECK(strcmp(err.message, message) == 0, "%s: the message is\n    %s\nexpected\n    %s", text,
          err.message, message);
}

/* tests/cli/kernels.session has more errors of parameters. */
TEST(values_that_do_not_fit)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        { "self kernel_gamma=auto*4", "kernel_gamma is set, but kernel is none" },
        { "self kernel_degree=2", "kernel_degree is set, but kernel is none" },
        { "self kernel=rbf kernel_landmarks=random:21",
          "kernel_landmarks must be at most 20, the number of rows, got 21" },
        { "pca kernel=rbf kernel_ridge=0.1",
          "kernel_ridge is added to the denominator of a ratio of scatters, and pca has none" },
        { "fme kernel=rbf kernel_ridge=0.1",
          "kernel_ridge is added to the denominator of a ratio of scatters, and fme has none" },
        { "self kernel=precomputed scale=standard",
          "kernel precomputed takes rows of kernel values unchanged, without row_steps and "
          "with scale none or auto" },
    };
    sample s = problem(3401);
    const pen_data data = sample_data(&s);
    for (int64_t i = 0; i < COUNT_OF(bad); i++)
        check_message(bad[i].text, &data, PEN_BAD_ARGUMENT, bad[i].message);
}

/* The identity with changed entries, some on both sides of the diagonal. */
TEST(invalid_kernel_matrices)
{
    static const struct {
        int i, j;
        double value; /* at (i, j) and (j, i) */
        pen_status code;
        const char *message;
    } cases[] = {
        { 3, 0, 0.5, PEN_OK, NULL },
        { 3, 0, 1 + 1e-10, PEN_OK, NULL },
        { 3, 0, 1 + 1e-6, PEN_BAD_DATA, "not positive semidefinite" },
        { 3, 0, 1.5, PEN_BAD_DATA,
          "got 1.5 at row 3, column 0 (counted from 0), 1 and 1 on the diagonal" },
        { 2, 2, NAN, PEN_NOT_FINITE,
          "values must be finite, got NaN at row 2, column 2 (counted from 0)" },
    };
    static const int negative[] = { 3, 4, 3 * ROWS, 4 * ROWS, 3 * ROWS + 4, 4 * ROWS + 3 };
    sample s = sample_new(ROWS, ROWS), rows = problem(3402);
    const pen_data data = sample_data(&s);
    memcpy(s.y, rows.y, ROWS * sizeof *s.y);
    check_message("self kernel=precomputed", &data, PEN_BAD_DATA,
                  "the precomputed kernel matrix is zero");
    for (int i = 0; i < ROWS; i++)
        s.x[i * (ROWS + 1)] = 1;
    for (int64_t c = 0; c < COUNT_OF(cases); c++) {
        double *const here = s.x + cases[c].i * ROWS + cases[c].j,
                      *const across = s.x + cases[c].j * ROWS + cases[c].i, before = *here;
        *here = *across = cases[c].value;
        if (cases[c].code == PEN_OK)
            fit_data("self kernel=precomputed", &data);
        else
            CHECK_FIT_FAILS("self kernel=precomputed", &data, cases[c].code, cases[c].message);
        *here = *across = before;
    }
    for (int64_t i = 0; i < COUNT_OF(negative); i++)
        s.x[negative[i]] = -0.75;
    CHECK_FIT_FAILS("self kernel=precomputed", &data, PEN_BAD_DATA,
                    "the precomputed kernel matrix is not positive semidefinite: eigenvalue -0.5");
}

/* Distances, their squares, 1 - cosine and its negative, also with rounding on or across the
 * diagonal; exp(-gamma D^2) of them is a kernel. */
TEST(distances_are_refused)
{
    sample s = sample_new(ROWS, ROWS), rows = problem(3405);
    const pen_data data = sample_data(&s);
    memcpy(s.y, rows.y, ROWS * sizeof *s.y);
    for (int kind = 0; kind < 7; kind++) {
        for (int64_t e = 0; e < ROWS * ROWS; e++) {
            const double *const a = rows.x + e / ROWS * D, *const b = rows.x + e % ROWS * D;
            const double square = dense_distance2(D, a, b);
            s.x[e] = kind == 1 ? square
                     : kind == 2
                         ? 1 - dense_dot(D, a, b) / sqrt(dense_dot(D, a, a) * dense_dot(D, b, b))
                     : kind == 3 ? -square / 2
                     : kind == 6 ? exp(-square / 8)
                                 : sqrt(square);
            s.x[e] += kind == 4 && e % (ROWS + 1) == 0 ? 1e-9 : kind == 5 && e == 3 ? 1e-15 : 0;
        }
        if (kind < 6)
            CHECK_FIT_FAILS("pca kernel=precomputed", &data, PEN_BAD_DATA, "distances");
        else
            fit_data("pca kernel=precomputed", &data);
    }
}

TEST(magnitudes)
{
    sample s = problem(3403), large = sample_of(ROWS, D, s.x, s.y);
    const pen_data data = sample_data(&large);
    const text_list all = text_list_of(
        "self kernel=linear; self kernel=rbf; self kernel=laplacian; self kernel=polynomial; "
        "self kernel=cosine; self kernel=rbf kernel_gamma=1; pca kernel=linear; "
        "fda kernel=rbf ridge=0.1; self kernel=polynomial kernel_gamma=1");
    for (int64_t i = 0; i < ROWS * D; i++)
        large.x[i] *= 0x1p400;
    CHECK_FIT_FAILS(
        "self kernel=polynomial kernel_gamma=1", &data, PEN_BAD_DATA,
        "row 0 (counted from 0): its polynomial kernel value with itself must be finite "
        "and >= 0, got inf");
    for (int power = -1000; power <= 1000;
         power += check_in_turn(1, 2) ? 100 : 250) /* a model that is finite, or an error */
        for (int64_t m = 0; m < all.count; m++) {
            pen_model *model;
            pen_error err;
            for (int64_t i = 0; i < ROWS * D; i++)
                large.x[i] = ldexp(s.x[i], power);
            const pen_status status = fit_status(all.text[m], &data, &model, &err);
            CHECK(status == PEN_OK || status == PEN_BAD_DATA || status == PEN_RANK_TOO_SMALL
                      || status == PEN_SINGULAR_SCATTER,
                  "%s times 2^%d: %d %s", all.text[m], power, (int)status, err.message);
            if (status == PEN_OK)
                CHECK(all_finite(pen_model_tensor(model, "projection").rows * pen_model_dim(model),
                                 pen_model_tensor(model, "projection").values),
                      "%s times 2^%d: not finite", all.text[m], power);
        }
}

TEST(nothing_to_learn)
{
    static const char *const all[] = { "linear", "rbf", "laplacian", "polynomial", "cosine" };
    sample s = problem(3404);
    const pen_data data = sample_data(&s);
    char text[80];
    for (int64_t i = 0; i < ROWS * D; i++)
        s.x[i] = 3;
    for (int64_t k = 0; k < COUNT_OF(all); k++) {
        snprintf(text, sizeof text, "self kernel=%s", all[k]);
        CHECK_FIT_FAILS(text, &data, PEN_RANK_TOO_SMALL, "the numerator scatter is zero");
    }
    memset(s.x, 0, ROWS * D * sizeof *s.x);
    check_message("self kernel=linear", &data, PEN_BAD_DATA, "the linear kernel matrix is zero");
    check_message(
        "self kernel=linear kernel_landmarks=3", &data, PEN_BAD_DATA,
        "the sum of the linear kernel values of rows with themselves must be finite and > "
        "0, got 0");
}

TEST(rows_that_do_not_fit)
{
    static const char several[] = "rows must have 20 kernel values (with the rows of the fit) or 5 "
                                  "(with the landmarks), got 6";
    static const struct {
        int precomputed;
        int64_t columns;
        double value;
        pen_dtype type;
        pen_status code;
        const char *message; /* NULL: any */
    } cases[] = {
        { 0, D + 1, 1, PEN_F64, PEN_BAD_DATA,
          "rows must have 4 columns, as the model was fitted on, got 5" },
        { 0, ROWS, 1, PEN_F64, PEN_BAD_DATA, NULL }, /* nor landmark values */
        { 0, D, NAN, PEN_F64, PEN_NOT_FINITE,
          "values must be finite, got NaN at row 0, column 0 (counted from 0)" },
        { 0, D, 1e120, PEN_F64, PEN_BAD_DATA,
          "row 0 (counted from 0): its polynomial kernel value with landmark 0 overflows" },
        { 0, D, 1e30, PEN_F64, PEN_OK, NULL },
        { 0, D, 1e30, PEN_F32, PEN_BAD_DATA, "row 0 (counted from 0): values are too large" },
        { 1, ROWS, 1, PEN_F64, PEN_OK, NULL },
        { 1, 5, 1, PEN_F64, PEN_OK, NULL },
        { 1, 6, 1, PEN_F64, PEN_BAD_DATA, several },
    };
    sample s = problem(3405), identity = sample_new(ROWS, ROWS);
    for (int i = 0; i < ROWS; i++) {
        identity.x[i * (ROWS + 1)] = 1;
        identity.y[i] = s.y[i];
    }
    pen_model *const models[] = { fit_sample("self dim=2 kernel=polynomial kernel_gamma=1", &s),
                                  fit_sample("self dim=2 kernel=precomputed kernel_landmarks=5",
                                             &identity) };
    for (int64_t c = 0; c < COUNT_OF(cases); c++) {
        double row[ROWS + 1], z[2];
        const pen_array x = pen_dense(row, PEN_F64, 1, cases[c].columns, cases[c].columns);
        pen_error err;
        for (int64_t j = 0; j < cases[c].columns; j++)
            row[j] = cases[c].value;
        CHECK_STATUS(
            pen_transform(models[cases[c].precomputed], &x, NULL, cases[c].type, z, 2, &err),
            cases[c].code, cases[c].message, &err);
    }
}

struct stop {
    struct check_stop stop;
    int64_t kernel, embedding; /* calls in this phase */
};

static int stop_at(void *user, const char *phase, int64_t done, int64_t total)
{
    struct stop *const s = user;

    s->kernel += strstr(phase, "kernel") != NULL || strstr(phase, "landmark") != NULL;
    s->embedding += strcmp(phase, "embedding rows") == 0;
    return check_stop_at(&s->stop, phase, done, total);
}

/* Stops a fit, or the embedding of the rows by `model`, at each of some reports; returns the total
 * number of reports. */
static struct stop check_stopped(const pen_spec *spec, const pen_data *data, const pen_model *model)
{
    double *const z = check_allocate(2 * data->x.rows, sizeof *z);
    struct stop all = { .stop.at = -1 }, stop = all;
    const pen_control control = { .threads = 1, .progress = stop_at, .user = &stop };
    int64_t step = 1;

    for (int64_t at = -1; at < all.stop.reports; at += at < 0 ? 1 : step) {
        pen_model *fitted = NULL;
        pen_error err;
        stop = (struct stop){ .stop.at = at };
        CHECK_STATUS(spec ? pen_fit(spec, data, &control, &fitted, &err)
                          : pen_transform(model, &data->x, &control, PEN_F64, z, 2, &err),
                     at < 0 ? PEN_OK : PEN_CANCELLED, NULL, &err);
        CHECK(stop.stop.after == 0 && (at < 0 || !fitted), "called after the stop");
        all = at < 0 ? stop : all;
        step = 1 + all.stop.reports / check_repeats(30);
        pen_model_free(fitted);
    }
    return all;
}

TEST(stopped)
{
    static const char *const texts[] = { "self dim=2 kernel=rbf",
                                         "self dim=2 kernel=rbf kernel_landmarks=70",
                                         "fme kernel=laplacian kernel_landmarks=random:70" };
    pen_rng rng = check_rng(3406);
    sample s = sample_random(&rng, 200, D, 3, 30), many = sample_random(&rng, 3000, D, 3, 30);
    const pen_data data = sample_data(&s), of_many = sample_data(&many);
    pen_model *const model = fit_sample("pca dim=2 kernel=rbf kernel_landmarks=20", &many);
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        pen_spec *const spec = spec_of(texts[i]);
        CHECK(check_stopped(spec, &data, NULL).kernel >= 2, "%s: the kernel is silent", texts[i]);
    }
    CHECK(check_stopped(NULL, &of_many, model).embedding >= 2, "embedding is silent");
}
