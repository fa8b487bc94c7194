/* test_pair_input.c - pairs as input of the pair methods: samples of label pairs, contradictory
 * pairs and labels, chains of must-links, and every route that sums a scatter. */
#include "kit/oracle_fit.h"

#include <stdio.h>

/* Lists the pairs that are drawn from the labels of l. */
static void add_sample(linked *l, const char *text, uint64_t seed)
{
    pen_pairs *pairs;
    pen_error err;

    CHECK_OK(pen_sample_pairs(l->s.y, l->s.n, text, seed, NULL, &pairs, &err), &err);
    for (int64_t p = 0; p < pairs->must_link_count; p++)
        linked_add(l, PEN_MUST_LINK, pairs->must_link[2 * p], pairs->must_link[2 * p + 1]);
    for (int64_t p = 0; p < pairs->cannot_link_count; p++)
        linked_add(l, PEN_CANNOT_LINK, pairs->cannot_link[2 * p], pairs->cannot_link[2 * p + 1]);
    pen_pairs_free(pairs);
}

static const char *const ways[] = { "", " closure=true", " contradictions=drop",
                                    " contradictions=drop closure=true" };

/* Lists together with a sample of label pairs equal the lists of `listed`, under every rule. */
static void check_sample_and_lists(const char *text, pen_rng *rng, const linked *l,
                                   const char *drawn, const linked *listed)
{
    linked both = linked_copy(l), other = linked_copy(listed);
    char ruled[256];

    for (int64_t p = 0; p < 20; p++) {
        const int64_t i = pen_rng_below(rng, l->s.n),
                      j = (i + 1 + pen_rng_below(rng, l->s.n - 1)) % l->s.n;
        const int kind = i % 3 == j % 3 ? PEN_MUST_LINK : PEN_CANNOT_LINK;
        linked_add(&both, kind, i, j);
        linked_add(&other, kind, i, j);
    }
    const pen_data data = linked_data(&both), right = linked_data(&other);
    for (int64_t rule = 0; rule < COUNT_OF(ways); rule++) {
        snprintf(ruled, sizeof ruled, "%s%s%s", text, ways[rule], drawn);
        check_like(ruled, &right, &data, 1e-8);
    }
}

/* All label pairs can be drawn, but not more; none without labels. */
static void check_sample_limits(const char *text, const linked *l)
{
    pen_data data = linked_data(l);
    long long kinds[2] = { 0, 0 };
    char sampled[256];

    for (int64_t i = 0; i < l->s.n; i++)
        for (int64_t j = 0; j < i; j++)
            if (l->s.y[i] != PEN_UNLABELLED && l->s.y[j] != PEN_UNLABELLED)
                kinds[l->s.y[i] != l->s.y[j]]++;
    for (int more = 0; more < 5; more++) { /* more of the first kind, of the second, of any */
        if (more < 3)
            snprintf(sampled, sizeof sampled, "%s sample_pairs=%lld+%lld", text,
                     kinds[0] + (more == 1), kinds[1] + (more == 2));
        else
            snprintf(sampled, sizeof sampled, "%s sample_pairs=%lld", text,
                     kinds[0] + kinds[1] + (more == 4));
        if (more % 3 == 0)
            fit_data(sampled, &data);
        else
            CHECK_FIT_FAILS(sampled, &data, PEN_BAD_ARGUMENT, NULL);
    }
    snprintf(sampled, sizeof sampled, "%s sample_pairs=50%%", text);
    data.labels = NULL;
    CHECK_FIT_FAILS(sampled, &data, PEN_NO_LABELS, "label");
}

static void check_pair_sample(const char *text, uint64_t tag)
{
    static const char *const texts[] = { "30%", "120", "40+60", "100%" };
    pen_rng rng = check_rng(tag);
    linked l = linked_random(&rng, 50, 4, 3, 0, 0);
    linked_label(&rng, &l, 35);

    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        linked listed = linked_copy(&l);
        char drawing[64], label[256];
        listed.labels = 0;
        snprintf(drawing, sizeof drawing, " sample_pairs=%s seed=%lld", texts[i], (long long)i);
        snprintf(label, sizeof label, "%s%s", text, drawing);
        add_sample(&listed, texts[i], (uint64_t)i);
        const pen_data data = linked_data(&l), of_list = linked_data(&listed);
        check_like(text, &of_list, NULL, 1e-8);
        pen_model *drawn = fit_data(label, &data), *model = fit_data(text, &of_list);
        CHECK(info_number(drawn, "must_links") == (double)listed.must_count
                  && info_number(drawn, "cannot_links") == (double)listed.cannot_count,
              "%s: %s, expected %lld and %lld", label, pen_model_info(drawn),
              (long long)listed.must_count, (long long)listed.cannot_count);
        check_related(drawn, model, &(relation){ .columns = 1, .values = 1 }, 1e-10, label);
        check_sample_and_lists(text, &rng, &l, drawing, &listed);
    }
    check_sample_limits(text, &l);
}

static const char *without_svd(const char *route)
{
    return strcmp(route, "svd") == 0 ? "differences" : route;
}

static void check_route(const pen_model *model, const char *name, const char *route)
{
    char member[96];
    snprintf(member, sizeof member, "\"%s\":\"%s\"", name, route);
    CHECK(strstr(pen_model_info(model), member), "expected %s: %s", member, pen_model_info(model));
}

/* All routes that sum a scatter agree; every route is tested. */
static void check_pair_routes(const char *text, uint64_t tag, int svd)
{
    static const struct {
        int64_t n, d, must, cannot, labelled;
        const char *must_route, *cannot_route;
    } cases[] = {
        { 60, 5, 0, 0, 40, "labels", "labels" },
        { 60, 5, 40, 50, 0, "differences", "differences" },
        { 60, 30, 8, 9, 0, "svd", "svd" },
        { 60, 30, 5, 1500, 0, "differences", "laplacian-dense" },
        { 60, 40, 900, 1000, 0, "laplacian-dense", "laplacian-dense" },
        { 60, 80, 900, 1000, 0, "laplacian-dense", "laplacian-dense" },
        { 1500, 40, 10000, 11000, 0, "laplacian", "laplacian" },
        { 1500, 40, 100, 11000, 200, "labels+differences", "labels+laplacian" },
        { 80, 50, 900, 1000, 30, "labels+laplacian", "labels+laplacian-dense" },
    };
    pen_rng rng = check_rng(tag);

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        linked l = linked_random(&rng, cases[i].n, cases[i].d, 3, cases[i].must, cases[i].cannot);
        if (cases[i].labelled > 0)
            linked_label(&rng, &l, cases[i].labelled);
        sample_to_bytes(&l.s);
        const pen_data data = linked_data(&l);
        for (int kind = 0; kind < 3; kind++) {
            pen_data other = data;
            other.x = recast(&l.s, (pen_dtype)kind, kind);
            check_like(text, &data, &other, 1e-8);
            pen_model *model = fit_data(text, &other);
            check_route(model, "must_route",
                        svd ? cases[i].must_route : without_svd(cases[i].must_route));
            check_route(model, "cannot_route",
                        svd ? cases[i].cannot_route : without_svd(cases[i].cannot_route));
        }
    }
}

/* One more pair of this kind is an error. */
static void check_added(const char *text, const linked *l, int kind, int64_t i, int64_t j,
                        pen_status code, const char *phrase)
{
    linked bad = linked_copy(l);
    linked_add(&bad, kind, i, j);
    const pen_data data = linked_data(&bad);
    CHECK_FIT_FAILS(text, &data, code, phrase);
}

/* A fit with closure notes the added must-links: those of a table with closure that are not in one
 * without. */
static void check_derived(const char *text, const pen_data *data)
{
    const int64_t n = data->x.rows;
    fit_options o = options_read(text);
    const pair_rules rules = pair_rules_of(o.spec), plain = { .drop = rules.drop };
    pen_model *model = NULL;
    pen_status status;
    pen_error err;

    if (fit_status(text, data, &model, &err) == PEN_OK) {
        int *const all = pair_table(rules, data, &status, NULL, NULL);
        int *const listed = pair_table(plain, data, &status, NULL, NULL);
        double *const weights = pair_weights(rules, data, all, 0);
        const pen_matrix found = pen_model_tensor(model, "derived_pairs");
        int64_t count = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++)
                count += all[i * n + j] == 1 && listed[i * n + j] != 1;
        CHECK(found.rows == count && found.cols == (count > 0 ? 3 : 0),
              "%s: %lld derived, not %lld", text, (long long)found.rows, (long long)count);
        for (int64_t p = 0; p < count; p++) {
            const double *const at = found.values + 3 * p;
            const int64_t entry = (int64_t)at[0] * n + (int64_t)at[1];
            CHECK(at[0] < at[1] && all[entry] == 1 && listed[entry] != 1 && at[2] == weights[entry],
                  "%s: %g and %g with weight %g", text, at[0], at[1], at[2]);
            listed[entry] = 1; /* once */
        }
    }
}

/* The fit of `l` under every rule, which may fail, matches the oracle's. */
static void check_all_rules(const char *text, const linked *l)
{
    const pen_data data = linked_data(l);
    char ruled[256];

    for (int64_t rule = 0; rule < COUNT_OF(ways); rule++) {
        snprintf(ruled, sizeof ruled, "%s%s", text, ways[rule]);
        check_like(ruled, &data, NULL, 1e-8);
        check_derived(ruled, &data);
    }
}

/* A pair of two labelled rows of one class, or of two. */
static void labelled_pair(const linked *l, int same, int64_t *i, int64_t *j)
{
    for (*i = 0; *i < l->s.n; ++*i)
        for (*j = *i + 1; *j < l->s.n; ++*j)
            if (l->s.y[*i] != PEN_UNLABELLED && l->s.y[*j] != PEN_UNLABELLED
                && (l->s.y[*i] == l->s.y[*j]) == same)
                return;
    abort();
}

static void check_contradictions(const char *text, pen_rng *rng)
{
    linked l = linked_random(rng, 50, 4, 3, 60, 70);
    char phrase[32];
    int64_t i, j;

    check_all_rules(text, &l);
    linked_add(&l, PEN_CANNOT_LINK, l.must[1], l.must[0]); /* in both lists */
    const pen_data data = linked_data(&l);
    for (int end = 0; end < 2; end++) {
        snprintf(phrase, sizeof phrase, "%lld", (long long)l.must[end]);
        CHECK_FIT_FAILS(text, &data, PEN_CONTRADICTION, phrase);
    }
    check_all_rules(text, &l);
    for (int64_t p = 10; p < 13; p++)
        linked_add(&l, PEN_MUST_LINK, l.cannot[2 * p], l.cannot[2 * p + 1]);
    check_all_rules(text, &l);

    l = linked_nearly_all(rng, 150, 4, 3);
    for (int64_t p = 0; p < 1000; p += 37) {
        linked_add(&l, PEN_CANNOT_LINK, l.must[2 * p], l.must[2 * p + 1]);
        linked_add(&l, PEN_MUST_LINK, l.cannot[2 * p + 1], l.cannot[2 * p]);
    }
    check_all_rules(text, &l);

    l = linked_random(rng, 50, 4, 3, 30, 30);
    linked_label(rng, &l, 30);
    check_all_rules(text, &l);
    labelled_pair(&l, 1, &i, &j);
    check_added(text, &l, PEN_CANNOT_LINK, j, i, PEN_CONTRADICTION, NULL);
    linked_add(&l, PEN_CANNOT_LINK, j, i); /* against the labels */
    labelled_pair(&l, 0, &i, &j);
    check_added(text, &l, PEN_MUST_LINK, i, j, PEN_CONTRADICTION, NULL);
    linked_add(&l, PEN_MUST_LINK, i, j);
    check_all_rules(text, &l);
    /* repeated: a duplicate, and the same single contradiction */
    linked_add(&l, PEN_MUST_LINK, j, i);
    check_all_rules(text, &l);
}

/* 20 - 21 - 22 - 23 must, 20 - 23 cannot. */
static void check_chains(const char *text, pen_rng *rng)
{
    linked l = linked_random(rng, 50, 4, 3, 0, 0);
    int64_t kept = 0;

    for (int64_t i = 0; i < 50; i++)
        l.s.y[i] = (int32_t)(i >= 20 && i < 24 ? 0 : 1 + i % 3);
    linked_draw(rng, &l, 25, 40);
    for (int64_t p = 0; p < l.must_count; p++)
        if (l.s.y[l.must[2 * p]] != 0) {
            memcpy(l.must + 2 * kept, l.must + 2 * p, 2 * sizeof *l.must);
            kept++;
        }
    l.must_count = kept;
    for (int64_t i = 20; i < 23; i++)
        linked_add(&l, PEN_MUST_LINK, i, i + 1);
    check_all_rules(text, &l);
    linked_add(&l, PEN_CANNOT_LINK, 20, 23);
    const pen_data data = linked_data(&l);
    CHECK_FIT_FAILS(text, &data, PEN_CONTRADICTION, "20-21-22-23");
    check_all_rules(text, &l);
    /* and through labels: 22 and 30 share a class, 30 - 31 must, 23 - 31 cannot */
    linked_label(rng, &l, 0);
    l.s.y[22] = l.s.y[30] = 7;
    check_all_rules(text, &l);
    linked_add(&l, PEN_MUST_LINK, 31, 30);
    linked_add(&l, PEN_CANNOT_LINK, 23, 31);
    check_all_rules(text, &l);
}

static void check_pair_errors(const char *text, uint64_t tag)
{
    pen_rng rng = check_rng(tag);

    check_contradictions(text, &rng);
    check_chains(text, &rng);
}

TEST(samples)
{
    static const char *const texts[] = {
        "bwdr", "bwdr threshold=1 scale=standard", "wbdr", "wbdr threshold=0.7 scale=standard",
        "ssdr", "ssdr beta=1 scale=standard",      "cmm",  "cfld total_rows=all",
        "rca",
    };
    for (int64_t i = 0; i < COUNT_OF(texts); i++)
        check_pair_sample(texts[i], 520 + (uint64_t)i);
}

TEST(routes_agree)
{
    static const char *const texts[] = { "bwdr", "wbdr", "ssdr", "cmm" };
    for (int64_t i = 0; i < COUNT_OF(texts); i++)
        check_pair_routes(texts[i], 526, i < 2);
}

TEST(contradictions)
{
    static const char *const texts[] = {
        "bwdr", "wbdr", "ssdr", "cmm", "cfld total_rows=all", "rca ridge=0.1"
    };
    for (int64_t i = 0; i < COUNT_OF(texts); i++)
        check_pair_errors(texts[i], 540 + (uint64_t)i);
}
