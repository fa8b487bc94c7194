/* test_neighbor_source.c - fits of every method that searches neighbors, by search and with given
 * neighbors; the graphs of a fit against literal ones; refused graphs. */
#include "kit/embedded.h"

/* Equal to nine digits. */
#define NEAR(value, expected, tolerance) CHECK_CLOSE(value, expected, tolerance, tolerance)

enum { N = 60, D = 5, MANY = N - 1 };

/* A graph in memory that can be written. */
struct lists {
    int64_t n, k;
    int64_t starts[N + 1];
    int64_t columns[N * MANY];
    double values[N * MANY];
    pen_sparse graph;
};

static void refer(struct lists *l)
{
    l->graph = (pen_sparse){ l->n, l->n, l->starts, l->columns, l->values };
}

/* The k nearest rows, as the library finds them. */
static struct lists *lists_of(const sample *s, int64_t k)
{
    struct lists *const l = check_allocate(1, sizeof *l);
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    pen_error err;

    l->n = s->n;
    l->k = k;
    for (int64_t i = 0; i <= s->n; i++)
        l->starts[i] = i * k;
    CHECK_OK(pen_neighbors(&x, NULL, k, NULL, l->columns, l->values, &err), &err);
    refer(l);
    return l;
}

static pen_model *fit(const char *text, const sample *s, const pen_sparse *graph, int keep)
{
    const pen_control control = { .keep_graphs = keep };
    pen_data data = sample_data(s);
    pen_spec *const spec = spec_of(text);
    pen_model *model;
    pen_error err;

    data.graph = graph;
    CHECK_OK(pen_fit(spec, &data, &control, &model, &err), &err);
    return keep_model(model);
}

/* The largest difference of the projections, relative to the largest entry. */
static double apart(const pen_model *a, const pen_model *b)
{
    const int64_t k = pen_model_dim(a);

    assert_int_equal(pen_model_dim(b), k);
    return columns_apart(pen_model_columns(a), k, pen_model_tensor(a, "projection").values, k,
                         pen_model_tensor(b, "projection").values, k);
}

static void check_given(const char *text, const sample *s, int64_t k)
{
    struct lists *const l = lists_of(s, k);
    pen_model *const searched = fit(text, s, NULL, 0), *const given = fit(text, s, &l->graph, 0);
    const double difference = apart(searched, given);

    CHECK(difference < 1e-6, "%s, %lld given: %g", text, (long long)k, difference);
}

TEST(given_neighbors)
{
    const text_list seeking = text_list_of(
        "lpp graph=mutual; ilpp graph=mutual neighbors=3; sda; sda graph=heat neighbors=8; clpp; "
        "sodrpac; npssdr; npssdr form=ratio; tr-fsda dim=2; soda dim=2; stsd; ssda beta=0.1; fme; "
        "soge; self beta=0.5; lfda scaling_rows=all; lpp graph=dense; "
        "self-ilpp beta=0.5 graph=mutual; self-ilpp beta=0.5 graph=dense; "
        "self-mix beta=0.3 gamma=0.3 graph=mutual; saloe dim=2 pca=off; salwe dim=2 pca=off");
    pen_rng rng = check_rng(7402);
    sample s = sample_random(&rng, N, D, 3, 24);
    for (int64_t i = 0; i < seeking.count; i++) {
        check_given(seeking.text[i], &s, 10);
        check_given(seeking.text[i], &s, MANY);
    }
    /* Equal rows: lists with ties at distance 0. Graphs that carry labels search places instead
     * (test_one_row), but use a given graph unchanged. */
    for (int64_t i = 30; i < N; i++)
        memcpy(s.x + i * D, s.x + i % 10 * D, D * sizeof *s.x);
    check_given("lpp graph=mutual neighbors=5", &s, MANY);
    check_given("lfda scaling_rows=all", &s, MANY);
}

/* With integer distances the bits equal those of a search, for any order of entries; longer lists
 * and additional distant rows change nothing. */
TEST(the_same_bits)
{
    static const char *const texts[] = { "sda graph=heat", "npssdr", "soda dim=2 graph=heat",
                                         "lpp graph=mutual" };
    sample s = sample_new(N, 2);
    for (int64_t i = 0; i < N; i++) { /* on the axis of multiples of 3, 4: whole distances */
        s.x[2 * i] = 3.0 * (double)(i * i % 97);
        s.x[2 * i + 1] = 4.0 * (double)(i * i % 97);
        s.y[i] = i < 20 ? (int32_t)(i % 2) : PEN_UNLABELLED;
    }
    s.x[1] += 4; /* two dimensions, and still 60 rows; only its distances are not integers */
    struct lists *const near = lists_of(&s, 20), *const all = lists_of(&s, MANY),
                        *const sorted = lists_of(&s, MANY);
    for (int64_t e = 0; e < N * MANY; e++) { /* in reverse order */
        const int64_t from = e / MANY * MANY + MANY - 1 - e % MANY;
        all->columns[e] = sorted->columns[from];
        all->values[e] = sorted->values[from];
    }
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        pen_model *const a = fit(texts[i], &s, &near->graph, 0), *const b = fit(texts[i], &s,
                                                                                &all->graph, 0);
        assert_memory_equal(pen_model_tensor(a, "projection").values,
                            pen_model_tensor(b, "projection").values,
                            (size_t)(2 * pen_model_dim(a)) * sizeof(double));
    }
}

static double entry(const pen_sparse *m, int64_t i, int64_t j)
{
    for (int64_t e = m->starts[i]; e < m->starts[i + 1]; e++)
        if (m->columns[e] == j)
            return m->values[e];
    return 0;
}

static int is_near(const struct lists *l, int64_t i, int64_t j)
{
    for (int64_t c = 0; c < l->k; c++)
        if (l->columns[i * l->k + c] == j)
            return 1;
    return 0;
}

/* Heat weights of the union of the lists, and their width, by loops over all pairs. */
static void check_affinities(const sample *s)
{
    struct lists *const l = lists_of(s, 4);
    double heat = 0;

    for (int64_t e = 0; e < 4 * N; e++)
        heat += l->values[e] * l->values[e] / (4 * N);
    pen_model *const model = fit("sda graph=heat neighbors=4", s, NULL, 1);
    const char *name;
    const pen_sparse *const A = pen_model_graph(model, 0, &name);
    assert_string_equal(name, "affinities");
    assert_null(pen_model_graph(model, 1, &name));
    assert_null(name);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) {
            const double far = sqrt(dense_distance2(s->d, s->x + i * s->d, s->x + j * s->d));
            const int joined = i != j && (is_near(l, i, j) || is_near(l, j, i));
            NEAR(entry(A, i, j), joined ? exp(-far * far / heat) : 0, 1e-9);
        }
}

/* Rows of weights sum to 1. */
static void check_weights(const pen_sparse *m, int may_be_empty)
{
    for (int64_t i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int64_t e = m->starts[i]; e < m->starts[i + 1]; e++) {
            assert_true(m->columns[e] != i);
            sum += m->values[e];
        }
        if (!may_be_empty || m->starts[i + 1] > m->starts[i])
            NEAR(sum, 1, 1e-9);
    }
}

TEST(fitted_graphs)
{
    static const char *const alternating = "saloe dim=2 neighbors=7 within_neighbors=2";
    pen_rng rng = check_rng(7404);
    sample s = sample_random(&rng, N, D, 3, 24);
    pen_model *const reconstructed = fit("npssdr neighbors=6", &s, NULL, 1),
                     *const model = fit(alternating, &s, NULL, 1),
                     *const plain = fit(alternating, &s, NULL, 0);
    const struct {
        const pen_model *model;
        int64_t at;
        const char *name;
        int64_t entries;
    } graphs[] = { { reconstructed, 0, "reconstruction", 6 * N },
                   { model, 0, "neighbors", 7 * N },
                   { model, 1, "within", 2 * 24 } };

    check_affinities(&s);
    for (int g = 0; g < 3; g++) {
        const char *name;
        const pen_sparse *const graph = pen_model_graph(graphs[g].model, graphs[g].at, &name);
        assert_string_equal(name, graphs[g].name);
        assert_int_equal(graph->starts[N], graphs[g].entries);
        check_weights(graph, g == 2);
    }
    assert_true(apart(model, plain) == 0);
    assert_true(!pen_model_graph(plain, 0, NULL) && !pen_model_graph(model, -1, NULL));
    assert_null(pen_model_graph(model, 2, NULL));
}

/* Of several starts, the graphs are those of the best one, not of the last. */
TEST(the_best_start)
{
    pen_rng rng = check_rng(7405);
    sample s = sample_random(&rng, N, D, 3, 24);
    pen_model *const model =
        fit("saloe dim=2 alpha=1 init=random restarts=6 tol=1e-12", &s, NULL, 1);
    const pen_array x = pen_dense(s.x, PEN_F64, s.n, s.d, s.d);
    double *z = check_allocate(2 * N, sizeof *z);
    pen_error err;

    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, 2, &err), &err);
    const char *name;
    const pen_sparse *const S = pen_model_graph(model, 0, &name);
    assert_string_equal(name, "neighbors");
    for (int64_t i = 0; i < N; i++) { /* the neighbors in the embedding of the model */
        double farthest = 0;
        int64_t nearer = 0;
        for (int64_t e = S->starts[i]; e < S->starts[i + 1]; e++)
            farthest = fmax(farthest, hypot(z[2 * i] - z[2 * S->columns[e]],
                                            z[2 * i + 1] - z[2 * S->columns[e] + 1]));
        for (int64_t j = 0; j < N; j++)
            nearer +=
                j != i
                && hypot(z[2 * i] - z[2 * j], z[2 * i + 1] - z[2 * j + 1]) < farthest * (1 - 1e-9);
        assert_true(nearer < 10);
    }
}

static void refuse(const char *text, const sample *s, const pen_sparse *graph, pen_status status,
                   const char *part)
{
    pen_data data = sample_data(s);

    data.graph = graph;
    CHECK_FIT_FAILS(text, &data, status, part);
}

TEST(bad_graphs)
{
    enum { START, COLUMN, VALUE };
    static const struct {
        int what;
        int64_t at;
        double to;
        const char *part;
    } cases[] = {
        { START, 0, 1, "must begin with 0" },
        { START, 5, 500, "must ascend" },
        { START, N, 6 * N - 2, "row 59 (counted from 0) has 4 neighbors in the neighbor graph" },
        { COLUMN, 7, N, "row 1 (counted from 0) of the neighbor graph: a column" },
        { COLUMN, 7, -1, "got -1" },
        { COLUMN, 7, 1, "row 1 (counted from 0) of the neighbor graph lists itself" },
        { VALUE, 7, -0.5, "got -0.5" },
        { VALUE, 7, NAN, "nan" },
        { VALUE, 7, INFINITY, "inf" },
        { VALUE, 7, 1e200, "got 1e+200" },
    };
    pen_rng rng = check_rng(7406);
    sample s = sample_random(&rng, N, D, 3, 24);
    struct lists *const good = lists_of(&s, 6), *const l = check_allocate(1, sizeof *l);

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        *l = *good;
        refer(l);
        if (cases[i].what == VALUE)
            l->values[cases[i].at] = cases[i].to;
        else
            (cases[i].what == START ? l->starts : l->columns)[cases[i].at] = (int64_t)cases[i].to;
        refuse("sda", &s, &l->graph, PEN_BAD_DATA, cases[i].part);
    }
    *l = *good;
    refer(l);
    l->graph.rows = N - 1;
    refuse("sda", &s, &l->graph, PEN_BAD_DATA, "must be 60 x 60");
    l->graph.rows = N, l->graph.cols = N + 1;
    refuse("sda", &s, &l->graph, PEN_BAD_DATA, "got 60 x 61");
    l->graph.cols = N, l->columns[6] = l->columns[7];
    refuse("sda", &s, &l->graph, PEN_BAD_DATA, "twice");
    l->columns[6] = good->columns[6];
    for (int64_t e = 0; e < 6 * N; e++) /* a row that is also listed by its nearest row */
        if (is_near(l, l->columns[e], e / 6)) {
            l->values[e] *= 1.01;
            break;
        }
    refuse("sda", &s, &l->graph, PEN_BAD_DATA, "must be symmetric");
    refuse("sda neighbors=7", &s, &good->graph, PEN_BAD_DATA, "fewer than neighbors, 7");
    refuse("sodrpac manifold_neighbors=7", &s, &good->graph, PEN_BAD_DATA,
           "fewer than manifold_neighbors, 7");
    refuse("self", &s, &good->graph, PEN_BAD_DATA, "fewer than neighbors, 7");
}

/* Gives a row the length exp(size). */
static void stretch(double *row, double size)
{
    const double length = sqrt(dense_dot(D, row, row));
    for (int c = 0; c < D; c++)
        row[c] *= exp(size) / length;
}

/* Unsuitable graphs, as short lists and of all rows. Distances in other metrics and units, and
 * approximate ones, are accepted. */
TEST(unsuitable_graphs)
{
    static const struct {
        const char *what, *phrase; /* NULL: accepted */
    } kinds[] = {
        { "squares", NULL },
        { "manhattan", NULL },
        { "single precision, the nearest is missed", NULL },
        { "of one column less", NULL },
        { "connectivities", "connectivities?" },
        { "half of one-sided ones", "similarities?" },
        { "rbf", "similarities?" },
        { "1 / (1 + d)", "similarities?" },
        { "of other rows", "in this order?" },
        { "cosine, of rows of any length", NULL },
    };
    pen_rng rng = check_rng(6125);
    for (int kind = 0; kind < COUNT_OF(kinds); kind++)
        for (int64_t k = 6; k <= MANY; k += MANY - 6) {
            sample s = sample_random(&rng, N, D, 3, 20);
            for (int64_t i = 0; kind == 9 && i < N * D; i++)
                s.x[i] += 20; /* spectra, which are all similar */
            for (int64_t i = 0; kind == 9 && i < N; i++)
                stretch(s.x + i * D, 0);
            struct lists *const l = lists_of(&s, k), *const near = lists_of(&s, k);
            int64_t kept = 0;
            for (int64_t i = 0; kind == 9 && i < N; i++)
                stretch(s.x + i * D, check_normal(&rng));
            if (kind == 8)
                for (int64_t i = 0; i < N * D; i++)
                    s.x[i] = check_normal(&rng);
            for (int64_t i = 0; i < N; i++) {
                const int64_t first = l->starts[i];
                l->starts[i] = kept;
                for (int64_t e = first; e < first + k; e++) {
                    const int64_t j = near->columns[e];
                    const double d = near->values[e];
                    const double less = dense_distance2(D - 1, s.x + i * D + 1, s.x + j * D + 1);
                    double manhattan = 0;
                    for (int c = 0; c < D; c++)
                        manhattan += fabs(s.x[i * D + c] - s.x[j * D + c]);
                    const double values[] = {
                        d * d,           manhattan,   (float)d,
                        sqrt(less),      1,           is_near(near, j, i) ? 1 : 0.5,
                        exp(-d * d / 8), 1 / (1 + d), d,
                        d * d / 2
                    };
                    l->columns[kept] = j;
                    l->values[kept] = values[kind];
                    kept += kind != 2 || e > first;
                }
            }
            l->starts[N] = kept;
            const int sided = kind == 5 && k == MANY, all = kind == 8 && k == MANY;
            if (sided || all) /* connectivity only; a graph of all rows does not list near ones */
                ;
            else if (kinds[kind].phrase)
                refuse("sda scale=none neighbors=4", &s, &l->graph, PEN_BAD_DATA,
                       kinds[kind].phrase);
            else
                fit("sda scale=none neighbors=4", &s, &l->graph, 0);
        }
}

TEST(methods_without_a_graph)
{
    pen_rng rng = check_rng(7407);
    sample s = sample_random(&rng, N, D, 3, 24);
    struct lists *const l = lists_of(&s, 10);
    static const char *const none[] = { "pca", "fda", "lol", "asl dim=3", "rca", "rssdr" },
                             *const unused[] = { "sda alpha=0", "lfda", "self beta=1",
                                                 "saloe dim=2 init=random" };
    pen_data data = sample_data(&s);
    const pen_control keeping = { .keep_graphs = 1 };
    pen_model *model;
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(none); i++)
        refuse(none[i], &s, &l->graph, PEN_BAD_ARGUMENT, "takes no neighbor graph");
    for (int64_t i = 0; i < COUNT_OF(unused); i++)
        refuse(unused[i], &s, &l->graph, PEN_BAD_ARGUMENT, "leave out the neighbor graph");
    data.graph = &l->graph;
    CHECK_FIT_FAILS("auto", &data, PEN_BAD_ARGUMENT, "data.graph must be NULL");
    for (int i = 0; i < 2; i++) {
        pen_spec *const spec = spec_of(i ? "self beta=0" : "lfda");
        data = sample_data(&s);
        CHECK_OK(pen_fit(spec, &data, &keeping, &model, &err), &err);
        assert_null(pen_model_graph(model, 0, NULL));
        pen_model_free(model);
    }
}
