/* measures.c - see measures.h. */
#include "kit/measures.h"

void measure(pen_data data, const pen_array *queries, struct measures *out)
{
    static const int64_t dims[] = { 1, 2 };
    const pen_protocol protocol = { .folds = 3, .runs = 1, .inductive = 1 };
    const pen_relative_options relative = { .landmarks = 9, .seed = 3 };
    const int64_t k = MEASURES_NEIGHBORS;
    pen_scores *scores;
    pen_leaks *leaks;
    pen_spec *spec;
    pen_error err;

    memset(out, 0, sizeof *out);
    CHECK_OK(pen_neighbors(&data.x, k, NULL, out->index, out->distance, &err), &err);
    CHECK_OK(pen_neighbors_of(queries, &data.x, k, NULL, out->of_some, NULL, &err), &err);
    CHECK_OK(pen_neighbors_relative(&data.x, k, &relative, NULL, out->relative, NULL, &err), &err);
    CHECK_OK(pen_purity(&data.x, data.labels, k, NULL, out->purity, &err), &err);
    CHECK_OK(pen_trustworthiness(&data.x, &data.x, k, NULL, &out->trust, &err), &err);
    CHECK_OK(pen_kmeans(&data.x, 3, 2, 7, NULL, out->cluster, out->sums, &err), &err);
    CHECK_OK(pen_find_leaks(&data, &leaks, &err), &err);
    out->leaks = leaks->count;
    if (leaks->count > 0)
        out->leak = leaks->list[0];
    pen_leaks_free(leaks);
    CHECK_OK(pen_spec_new("self", &spec, &err), &err);
    CHECK_OK(pen_evaluate(spec, &data, &protocol, dims, 2, NULL, &scores, &err), &err);
    assert_int_equal(scores->trials * scores->dim_count, MEASURES_SUMS - 1);
    memcpy(out->sums + 1, scores->accuracy, (MEASURES_SUMS - 1) * sizeof *out->sums);
    pen_scores_free(scores);
    pen_spec_free(spec);
}
