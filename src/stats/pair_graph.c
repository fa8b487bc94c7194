/* pair_graph.c - pen_stats_graph: the graphs that a fit has scatters of, written down by the fit
 * itself, which ends before it solves anything. */
#include "core/arguments.h"
#include "model/model.h"
#include "model/spec.h"
#include "stats/pair_task.h"
#include "stats/soft_stats.h"
#include "stats/stats_source.h"

#include <string.h>

/* Affinities of all pairs come last. */
static pen_status count_terms(pen_run *run, const char *method, const pen_terms *t, pen_stats *s)
{
    int64_t sparse = 0;

    while (sparse < t->count && !t->term[sparse].sigma)
        sparse++;
    PEN_REQUIRE(run, t->count > 0, PEN_BAD_ARGUMENT,
                "with these parameters %s has no graph, and needs no second pass over pairs of "
                "blocks",
                method);
    PEN_REQUIRE(run, t->count - sparse <= 1, PEN_INTERNAL, "graphs in another order");
    s->terms = sparse;
    s->dense = t->count - sparse;
    s->results = s->terms + 2 * s->dense;
    s->all_rows = t->n;
    s->firsts = t->n + 1;
    s->edges = t->edges;
    return PEN_OK;
}

/* Edges of all graphs lie one after the other. */
static void put_terms(const pen_terms *t, pen_stats *s)
{
    int64_t at = 0;

    for (int64_t i = 0; i < s->terms; i++) {
        const pen_term *const term = &t->term[i];
        const int64_t edges = term->first ? term->first[t->n] : 0;
        for (int64_t v = 0; v <= t->n; v++)
            s->graph_first[i * s->firsts + v] = at + (term->first ? term->first[v] : 0);
        if (edges > 0) {
            memcpy(s->graph_other + at, term->other, (size_t)edges * sizeof *term->other);
            memcpy(s->graph_weight + at, term->weight, (size_t)edges * sizeof *term->weight);
        }
        if (term->rest)
            memcpy(s->graph_rest + i * t->n, term->rest, (size_t)t->n * sizeof *term->rest);
        at += edges;
    }
    if (s->dense)
        memcpy(s->graph_sigma, t->term[s->terms].sigma, (size_t)t->n * sizeof(double));
    for (int64_t r = 0; r < s->results; r++)
        memcpy(s->edge_check + r * PEN_TERM_CHECKS, t->check[pen_min(r, t->count - 1)],
               PEN_TERM_CHECKS * sizeof(double));
}

static pen_status fill(pen_run *run, const char *method, const pen_stats *all, const pen_terms *t,
                       pen_stats *s)
{
    s->is_free = all->is_free;
    s->units = all->units;
    PEN_TRY(count_terms(run, method, t, s));
    PEN_TRY(pen_pair_allocate(run, all, s));
    pen_pair_total(all, s);
    put_terms(t, s);
    return PEN_OK;
}

static pen_status graph_of(pen_run *run, const char *method, const pen_stats *all,
                           const pen_terms *t, pen_stats **out)
{
    PEN_TRY(pen_pair_object(run, all, PEN_PART_TOTAL | PEN_PART_GRAPH, out));
    return fill(run, method, all, t, *out);
}

static pen_status make(pen_run *run, const pen_spec *spec, const pen_stats *all,
                       const pen_data *pairs, const pen_control *control, pen_stats **out)
{
    pen_stats_source f;
    pen_model *model = NULL;
    pen_stats *s = NULL;
    pen_error err;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, all, "all"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_pair_check(run, spec, all));
    PEN_REQUIRE(run, !(spec->method->traits & PEN_RECONSTRUCTS), PEN_BAD_ARGUMENT,
                "%s has no graph: give the lists to the pass of residuals", spec->method->name);
    PEN_REQUIRE(run, all->parts & PEN_PART_LISTS, PEN_BAD_ARGUMENT,
                "the graph is made of lists, which these statistics do not have: merge them with "
                "those of the first pass over pairs of blocks");
    PEN_TRY(pen_stats_source_open(run, spec, all, pairs, &f));
    f.terms.writing = 1;
    f.terms.known = 0;
    const pen_status ended =
        pen_model_fit_moments(spec, &f.data, &f.moments, control, &model, &err);
    pen_model_free(model);
    if (ended != PEN_OK && !f.terms.ended)
        return pen_fail_as(run, &err);
    pen_status status = f.terms.classes > 0 ? pen_soft_shares(run, all, &f.terms, &s)
                                            : graph_of(run, f.moments.method, all, &f.terms, &s);
    if (status != PEN_OK) {
        pen_stats_free(s);
        return status;
    }
    *out = s;
    return PEN_OK;
}

pen_status pen_stats_graph(const pen_spec *spec, const pen_stats *all, const pen_data *pairs,
                           const pen_control *control, pen_stats **out, pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = make(run, spec, all, pairs, control, out);
    pen_run_close(run);
    return status;
}
