/* test_prepared_rows.c - fits of prepared rows have the bytes of fits of the rows (every method:
 * test_same_bits.c), whatever was fitted before or at the same time. */
#include "core/cache.h"
#include "kit/check_fit.h"
#include "kit/model_bytes.h"

#include <pthread.h>

enum { N = 400, D = 12, CLASSES = 3, LABELLED = 30 };

static sample rows;
static text_list texts;
static int32_t fewer[N];

static int set_up(void **state)
{
    pen_rng rng = check_rng(4401);

    (void)state;
    texts = text_list_of(
        "fda; sda alpha=1; sda alpha=3 neighbors=9; sda scale=standard; self beta=0.5; lfda; fme; "
        "fme pca=5; soge max_iter=20; pca dim=3; auto; fda pca=4; "
        "fda kernel=rbf kernel_landmarks=40 ridge=0.1; sda temperature=auto; fme temperature=auto");
    rows = sample_random(&rng, N, D, CLASSES, LABELLED);
    for (int64_t i = 0; i < N; i++) {
        rows.x[i * D + 7] = 2; /* a constant column, which is dropped */
        fewer[i] = i % 4 ? rows.y[i] : PEN_UNLABELLED;
    }
    return 0;
}
GROUP(set_up, NULL);

static void release(void *prepared)
{
    pen_rows_free(prepared);
}

static pen_rows *prepare(const sample *s)
{
    const pen_data data = sample_data(s);
    pen_rows *made = NULL;
    pen_error err;

    CHECK_OK(pen_rows_new(&data.x, NULL, &made, &err), &err);
    return keep_until_end(made, release);
}

static pen_model *fit_of(const char *text, const sample *s, const int32_t *labels,
                         pen_rows *prepared)
{
    const pen_data data = { .x = prepared ? (pen_array){ .rows = 0 } : sample_data(s).x,
                            .labels = labels,
                            .rows = prepared };
    pen_model *model = NULL;
    pen_error err;

    CHECK_OK(fit_status(text, &data, &model, &err), &err);
    return model;
}

static pen_model *fit(const char *text, const int32_t *labels, pen_rows *prepared)
{
    return fit_of(text, &rows, labels, prepared);
}

/* The same file bytes and information. Returns the model of the prepared rows. */
static pen_model *check_of(const char *text, const sample *s, const int32_t *labels,
                           pen_rows *prepared)
{
    pen_model *const models[] = { fit_of(text, s, labels, NULL),
                                  fit_of(text, s, labels, prepared) };
    size_t sizes[2];
    unsigned char *const bytes[] = { model_bytes(models[0], &sizes[0]),
                                     model_bytes(models[1], &sizes[1]) };

    check_same_bits(models[1], models[0], text);
    CHECK(strcmp(pen_model_info(models[0]), pen_model_info(models[1])) == 0, "%s: %s\n%s", text,
          pen_model_info(models[0]), pen_model_info(models[1]));
    CHECK(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0, "%s: the bytes differ",
          text);
    return models[1];
}

static void check_fit_of(const char *text, const int32_t *labels, pen_rows *prepared)
{
    check_of(text, &rows, labels, prepared);
}

/* One after another, with other labels in between. */
TEST(bytes_of_fits_of_the_rows)
{
    pen_rows *const prepared = prepare(&rows);

    for (int64_t t = 0; t < texts.count; t++) {
        if (check_in_turn(t + 1, 3))
            check_fit_of(texts.text[t], fewer, prepared);
        check_fit_of(texts.text[t], rows.y, prepared);
        if (check_in_turn(t, 3))
            check_fit_of(texts.text[t], fewer, prepared);
    }
}

/* Requested components, and components that replace rows of many columns: the former have their own
 * distances. */
TEST(components_of_two_kinds)
{
    pen_rng rng = check_rng(4402);
    const sample wide = sample_random(&rng, 40, 70, CLASSES, 12);
    pen_rows *const prepared = prepare(&wide);

    check_of("fme pca=rank", &wide, wide.y, prepared);
    check_of("fme", &wide, wide.y, prepared);
    check_of("fme pca=rank", &wide, wide.y, prepared);
}

/* A later call repeats the warning about lost columns. */
TEST(warnings)
{
    static const char *const lost[] = { "fme", "soda", "clpp" };
    pen_rng rng = check_rng(4403);
    sample s = sample_random(&rng, 60, 5, CLASSES, 20);
    pen_rows *prepared;

    for (int64_t i = 0; i < s.n; i++)
        s.x[i * s.d] *= 1e9;
    prepared = prepare(&s);
    for (int64_t i = 0; i < 2 * COUNT_OF(lost); i++) {
        const pen_model *const again = check_of(lost[i / 2], &s, s.y, prepared);
        CHECK(strstr(pen_model_info(again), "\"warning\""), "%s: no warning", lost[i / 2]);
    }
}

/* Trials on a part of many rows keep nothing of the part, which changes with the labels. */
TEST(trials_of_some_rows)
{
    pen_rng rng = check_rng(4404);
    const sample many = sample_random(&rng, 2100, 220, CLASSES, 60);
    pen_rows *const prepared = prepare(&many);
    int32_t *const others = check_allocate(many.n, sizeof *others);

    for (int64_t i = 0; i < many.n; i++)
        others[i] = i % 3 ? many.y[i] : PEN_UNLABELLED;
    fit_of("sda", &many, many.y, prepared);
    const size_t before = pen_rows_memory(prepared);
    for (int time = 0; time < check_repeats(3); time++)
        check_of("sda temperature=auto", &many, time == 1 ? many.y : others, prepared);
    /* an order, digests, and other column statistics; a scatter alone takes more */
    CHECK(pen_rows_memory(prepared) - before < 8 * 220 * 220, "%zu bytes more",
          pen_rows_memory(prepared) - before);
}

/* A repeated fit takes no more memory, and data that depends on labels is not kept. */
TEST(memory)
{
    pen_rows *const prepared = prepare(&rows);
    const size_t empty = pen_rows_memory(prepared);

    fit("sda", fewer, prepared);
    const size_t once = pen_rows_memory(prepared);
    fit("sda", rows.y, prepared);
    CHECK(empty < 1024 && once > (size_t)(N * 6 * 16) && pen_rows_memory(prepared) == once,
          "%zu, then %zu, then %zu bytes", empty, once, pen_rows_memory(prepared));
    CHECK(pen_rows_memory(NULL) == 0, "memory of NULL");
}

struct fitting {
    pen_rows *prepared;
    int64_t first;
};

static void *fit_several(void *context)
{
    const struct fitting *const f = context;

    for (int64_t t = 0; t < 5; t++)
        fit(texts.text[(f->first + t) % 5], t % 2 ? rows.y : fewer, f->prepared);
    return NULL;
}

/* Concurrent calls wait for what another one computes. */
TEST(several_calls)
{
    pen_rows *const prepared = prepare(&rows);
    struct fitting all[4];
    pthread_t threads[4];

    for (int64_t t = 0; t < 4; t++) {
        all[t] = (struct fitting){ prepared, t };
        CHECK(pthread_create(&threads[t], NULL, fit_several, &all[t]) == 0, "no thread");
    }
    for (int64_t t = 0; t < 4; t++)
        pthread_join(threads[t], NULL);
    for (int64_t t = 0; t < 5; t++)
        check_fit_of(texts.text[t], rows.y, prepared);
}

static int computing; /* under the lock of the cache */

/* A pen_make_fn that runs until the other call has ended. */
static pen_status make_slowly(pen_run *run, void *context, pen_made *out)
{
    pen_cache *const cache = pen_run_cache(run);
    int now = 1;

    pen_cache_lock(cache);
    computing = 1;
    pen_cache_unlock(cache);
    while (now) {
        pen_cache_lock(cache);
        now = computing;
        pen_cache_unlock(cache);
    }
    *out = (pen_made){ .object = context, .size = 1 };
    return PEN_OK;
}

static pen_status get(pen_cache *cache, const pen_control *control, pen_error *err)
{
    const double value = 0;
    const pen_array x = pen_dense(&value, PEN_F64, 1, 1, 1);
    char byte = 7;
    const void *found;
    pen_cache_key *key;
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    pen_run_share(run, cache, NULL);
    pen_progress(run, "before", 0, 1);
    CHECK_OK(pen_cache_key_new(run, &x, 0, &key), err);
    key->values = NULL; /* the same for both calls */
    const pen_status status = pen_cache_get(run, key, make_slowly, &byte, &found);
    CHECK(status != PEN_OK || *(const char *)found == byte, "the value differs");
    pen_run_close(run);
    return status;
}

static void *get_slowly(void *cache)
{
    pen_error err;

    CHECK_OK(get(cache, NULL, &err), &err);
    return NULL;
}

static int stop_after_first(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)phase, (void)done, (void)total;
    return (*(int *)user)++ > 0;
}

TEST(stopped_while_waiting)
{
    pen_cache *const cache = pen_cache_new();
    pthread_t thread;
    int reports = 0, begun = 0;
    const pen_control control = { .progress = stop_after_first, .user = &reports };
    pen_error err;

    CHECK(pthread_create(&thread, NULL, get_slowly, cache) == 0, "no thread");
    while (!begun) {
        pen_cache_lock(cache);
        begun = computing;
        pen_cache_unlock(cache);
    }
    CHECK(get(cache, &control, &err) == PEN_CANCELLED, "not stopped");
    pen_cache_lock(cache);
    computing = 0;
    pen_cache_unlock(cache);
    pthread_join(thread, NULL);
    pen_cache_free(cache);
}

/* A stopped fit leaves nothing incomplete. */
TEST(stopped)
{
    pen_rows *const prepared = prepare(&rows);
    const pen_data data = { .labels = rows.y, .rows = prepared };
    pen_spec *const spec = spec_of("sda");
    pen_model *model = NULL;
    pen_error err;
    int64_t stops = 0;

    while (!model) {
        struct check_stop stop = { .at = stops };
        const pen_control control = { .threads = 1, .progress = check_stop_at, .user = &stop };
        if (pen_fit(spec, &data, &control, &model, &err) != PEN_OK)
            CHECK(err.code == PEN_CANCELLED && ++stops < 1000, "stop %lld: %s", (long long)stops,
                  err.message);
    }
    pen_model_free(model);
    CHECK(stops > 5, "stopped %lld times", (long long)stops);
    check_fit_of("sda", rows.y, prepared);
}

TEST(comparison_and_suggestions)
{
    pen_rows *const prepared = prepare(&rows);
    const pen_data cold = sample_data(&rows), data = { .labels = rows.y, .rows = prepared };
    pen_spec *specs[] = { spec_of("fda"), spec_of("sda") };
    const pen_trials trials = { .folds = 3, .runs = 1 };
    pen_comparison *found[2];
    pen_suggestion near[2][4];
    int64_t count[2];
    pen_error err;
    double score[2];

    for (int i = 0; i < 2; i++) {
        const pen_data *const given = i ? &data : &cold;
        CHECK_OK(
            pen_compare((const pen_spec *const *)specs, 2, given, &trials, NULL, &found[i], &err),
            &err);
        const char *const at = strstr(pen_comparison_json(found[i]), "\"accuracy\"");
        CHECK(at && sscanf(at, "\"accuracy\":%lf", &score[i]) == 1, "no accuracy");
        pen_model *const model = fit("fda", rows.y, i ? prepared : NULL);
        CHECK_OK(pen_suggest(model, given, 4, NULL, near[i], &count[i], &err), &err);
        pen_comparison_free(found[i]);
    }
    CHECK(score[0] > 0.5 && score[0] == score[1], "accuracy %.17g, %.17g", score[0], score[1]);
    CHECK(count[0] == 4 && count[1] == 4, "%lld, %lld suggestions", (long long)count[0],
          (long long)count[1]);
    for (int i = 0; i < 4; i++)
        CHECK(near[0][i].row == near[1][i].row, "suggestion %d differs", i);
}

TEST(refused)
{
    pen_rows *const prepared = prepare(&rows), *made = NULL;
    const pen_data given = sample_data(&rows);
    pen_data data = { .x = given.x, .labels = rows.y, .rows = prepared };
    pen_array none = { .rows = 0 };
    pen_stats *stats = NULL;
    pen_error err;

    data.x.rows--;
    CHECK_FIT_FAILS("fda", &data, PEN_BAD_ARGUMENT, "data.x must be empty if data.rows is set");
    data.x.rows++;
    pen_spec *const spec = spec_of("self");
    CHECK_STATUS(pen_stats_new(spec, &data, &(pen_stats_block){ .id = 0 }, NULL, &stats, &err),
                 PEN_BAD_ARGUMENT, "data.rows must be NULL", &err);
    CHECK(pen_rows_new(&none, NULL, &made, &err) != PEN_OK && !made, "rows of NULL");
}
