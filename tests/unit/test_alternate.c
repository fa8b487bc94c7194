/* test_alternate.c - alternating half steps: trace, notes, stopping rule, and errors. */
#include "kit/opened.h"

#include "core/run.h"
#include "solve/alternate.h"

/* Scripted objectives: the projection and graph steps of iteration i return values[2 i] and
 * values[2 i + 1]; a single half step returns values[i]. */
struct script {
    const double *values;
    int steps, fail_at, projections, graphs;
};

static pen_status answer(pen_run *run, struct script *s, double *objective)
{
    double *scratch;

    PEN_TRY(PEN_NEW(run, scratch, 1000));
    PEN_REQUIRE(run, s->steps != s->fail_at, PEN_BAD_DATA, "step %d fails", s->steps);
    *objective = s->values[s->steps++];
    return PEN_OK;
}

static pen_status project(pen_run *run, void *context, double *objective)
{
    struct script *s = context;
    s->projections++;
    return answer(run, s, objective);
}

static pen_status build(pen_run *run, void *context, double *objective)
{
    struct script *s = context;
    CHECK(s->graphs + 1 == s->projections, "%d graph steps after %d projections", s->graphs,
          s->projections);
    s->graphs++;
    return answer(run, s, objective);
}

static void check_trace(const pen_run *run, int index, const char *name, int64_t count,
                        const double *values, int stride)
{
    const pen_trace_list *const list = pen_trace_at(run, index);

    CHECK(list && strcmp(list->name, name) == 0, "trace %d is %s, expected %s", index,
          list ? list->name : "not there", name);
    CHECK(list->count == count, "%s has %lld values, expected %lld", name, (long long)list->count,
          (long long)count);
    for (int64_t i = 0; i < count; i++)
        CHECK(list->values[i] == values[i * stride], "%s[%lld] is %g, expected %g", name,
              (long long)i, list->values[i], values[i * stride]);
}

TEST(both_half_steps_are_traced)
{
    const double values[] = { 10, 8, 7, 6.5, 6.25, 6 };
    const pen_alternation rules = { "test", 0.5, 0, 3 }, short_rules = { "test", 0.5, 0, 1 };
    struct script s = { .values = values, .fail_at = -1 }, again = s;
    pen_error err;
    pen_run *run = check_run(0, &err);
    const pen_mark_t mark = pen_mark(run);
    CHECK_OK(pen_alternate(run, &rules, project, build, &s), &err);
    assert_true(pen_mark(run) == mark); /* scratch memory of the steps is released */
    assert_true(s.projections == 3 && s.graphs == 3);
    check_trace(run, 0, "objective", 3, values + 1, 2);
    check_trace(run, 1, "objective_projection", 3, values, 2);
    assert_null(pen_trace_at(run, 2));
    assert_true(note_of(run, "iterations") == 3 && note_of(run, "converged") == 1);

    CHECK_OK(pen_alternate(run, &short_rules, project, build, &again), &err); /* starts again */
    check_trace(run, 0, "objective", 1, values + 1, 2);
    check_trace(run, 1, "objective_projection", 1, values, 2);
    assert_true(note_of(run, "iterations") == 1 && note_of(run, "converged") == 0);
    pen_run_close(run);
}

/* The number of iterations with one half step. */
static double iterations(const double *values, double tol, int relative, int64_t max_iter,
                         double converged)
{
    const pen_alternation rules = { "test", tol, relative, max_iter };
    struct script s = { .values = values, .fail_at = -1 };
    pen_error err;
    pen_run *run = check_run(0, &err);

    CHECK_OK(pen_alternate(run, &rules, project, NULL, &s), &err);
    const double count = note_of(run, "iterations");
    check_trace(run, 0, "objective", (int64_t)count, values, 1);
    assert_null(pen_trace_at(run, 1));
    CHECK(note_of(run, "converged") == converged, "tol %g: converged is %g", tol,
          note_of(run, "converged"));
    pen_run_close(run);
    return count;
}

TEST(the_stopping_rule)
{
    const double falling[] = { 1024, 512, 256, 128, 64, 32, 16, 16, 16 }, zero[] = { 0, 0, 0 },
                 near[] = { 1e-9, 2e-9, 2e-9 };
    const double rising[] = { 0, 100, 99.5, 99 }, below[] = { -1000, -1010, -1010.5, -1010.5 };
    /* 64 differs from 128 by 64; 32 differs from 64 by 32 */
    assert_true(iterations(falling, 32, 0, 9, 1) == 6);
    assert_true(iterations(falling, 31, 0, 9, 1) == 7);
    assert_true(iterations(falling, 1, 1, 9, 1) == 2); /* 1024 - 512 is 1 times 512 */
    assert_true(iterations(falling, 0.999, 1, 9, 1) == 8);
    assert_true(iterations(falling, 0, 0, 9, 1) == 8);
    assert_true(iterations(falling, 0, 0, 7, 0) == 7);
    assert_true(iterations(zero, 1e300, 0, 9, 1) == 2); /* there are at least two iterations */
    assert_true(iterations(zero, 0, 1, 9, 1) == 2);
    assert_true(iterations(near, 1e-8, 0, 9, 1) == 2);
    assert_true(iterations(near, 1e-8, 1, 9, 1) == 3);
    assert_true(iterations(rising, 1, 0, 9, 1) == 3); /* an increase counts like a decrease */
    assert_true(iterations(below, 1e-3, 1, 9, 1) == 3);
    assert_true(iterations(falling, 0, 0, 1, 0) == 1);
}

TEST(an_error_of_a_step_is_passed_on)
{
    const double values[] = { 5, 4, 3, 2, 1, 0 }, infinite[] = { 5, 4, INFINITY }, none[] = { NAN };
    const pen_alternation rules = { "test", 0, 0, 3 };
    for (int at = 0; at < 6; at++) {
        struct script s = { .values = values, .fail_at = at };
        char text[32];
        pen_error err;
        pen_run *run = check_run(0, &err);
        snprintf(text, sizeof text, "step %d fails", at);
        CHECK_STATUS(pen_alternate(run, &rules, project, build, &s), PEN_BAD_DATA, text, &err);
        assert_true(s.projections == at / 2 + 1 && s.graphs == (at + 1) / 2);
        pen_run_close(run);
    }
    for (int which = 0; which < 2; which++) {
        struct script s = { .values = which ? none : infinite, .fail_at = -1 };
        pen_error err;
        pen_run *run = check_run(0, &err);
        CHECK_STATUS(pen_alternate(run, &rules, project, build, &s), PEN_BAD_DATA,
                     "the objective overflows", &err);
        pen_run_close(run);
    }
}

/* Reports come before each iteration and after the last one; the caller may stop at each. */
TEST(progress_and_stops)
{
    static const char *const texts[] = { "test", "test: iteration 1, objective 4",
                                         "test: iteration 2, objective 2",
                                         "test: iteration 3, objective 1.5e-07" };
    const double values[] = { 5, 4, 3.25, 2, 2, 1.5e-7 };
    const pen_alternation rules = { "test", 0, 0, 3 };
    for (int at = 0; at <= 4; at++) {
        struct check_stop stop = { .at = at };
        const pen_control control = { .progress = check_stop_at, .user = &stop };
        struct script s = { .values = values, .fail_at = -1 };
        pen_error err;
        pen_run *run;
        CHECK_CALL(pen_run_open(&control, &err, &run));
        const pen_status status = pen_alternate(run, &rules, project, build, &s);
        if (at < 4)
            CHECK_STATUS(status, PEN_CANCELLED, "cancelled", &err);
        else
            CHECK_OK(status, &err);
        const int last = at < 4 ? at : 3;
        assert_string_equal(stop.phase, texts[last]);
        assert_true(stop.reports == last + 1 && stop.done == last && stop.total == 3);
        assert_int_equal(s.steps, 2 * last);
        pen_run_close(run);
    }
}
