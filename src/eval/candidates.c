/* candidates.c - the maps and readers that are tried where no method is named. They were found on
 * 51 data sets (docs/results.md#fit-auto): together they have nearly all that a search of 160 such
 * pairs gains. */
#include "eval/candidates.h"

#include "model/spec.h"
#include "readers/reader.h"

#include <stdio.h>
#include <string.h>

/* What a method sees: the columns as they are, standardized, or as coordinates of the rbf kernel
 * of these. */
enum view { RAW, STANDARD, KERNEL };

struct rule {
    const char *name, *method;
    enum view view;
    enum pen_reader_kind reader;
};

/* Neighbors in the list with the same method and view are one map. */
static const struct rule rules[PEN_CANDIDATES] = {
    { "pca+rbf/self-training", "pca", KERNEL, PEN_READER_SELF_TRAINING },
    { "self+rbf/lda", "self", KERNEL, PEN_READER_LDA },
    { "self+rbf/nearest", "self", KERNEL, PEN_READER_NEAREST },
    { "fme+rbf/scores", "fme", KERNEL, PEN_READER_SCORES },
    { "fme/scores", "fme", STANDARD, PEN_READER_SCORES },
    { "pca/lda", "pca", STANDARD, PEN_READER_LDA },
    { "pca/self-training", "pca", STANDARD, PEN_READER_SELF_TRAINING },
    { "pca/nearest", "pca", RAW, PEN_READER_NEAREST },
};

int pen_candidates_share_map(int a, int b)
{
    return strcmp(rules[a].method, rules[b].method) == 0 && rules[a].view == rules[b].view;
}

enum { LANDMARKS = 300, MANY_COLUMNS = 80 };

static const char *const of_view[][2] = { { "pca", "0.99" }, { "pca_most", "100" } };
static const char *const of_kernel[][2] = { { "kernel", "rbf" },
                                            { "kernel_choice", "random" },
                                            { "pca", "0.999" },
                                            { "pca_most", "80" },
                                            { "pca_scale", "unit" } };

static pen_status set_all(pen_spec *spec, size_t count, const char *const (*values)[2],
                          pen_error *err)
{
    for (size_t i = 0; i < count; i++)
        PEN_TRY(pen_spec_set(spec, values[i][0], values[i][1], err));
    return PEN_OK;
}

/* Seeds are parameters, whole numbers of at most 53 bits. */
static int64_t short_seed(uint64_t seed)
{
    return (int64_t)((seed ^ seed >> 53) & (((uint64_t)1 << 53) - 1));
}

static pen_status set_view(pen_spec *spec, enum view view, const pen_data *data, uint64_t seed,
                           pen_error *err)
{
    if (view != RAW)
        PEN_TRY(pen_spec_set(spec, "scale", "standard", err));
    if (view != KERNEL)
        return data->x.cols > MANY_COLUMNS
                   ? set_all(spec, sizeof of_view / sizeof *of_view, of_view, err)
                   : PEN_OK;
    PEN_TRY(set_all(spec, sizeof of_kernel / sizeof *of_kernel, of_kernel, err));
    PEN_TRY(pen_spec_set_int(spec, "kernel_landmarks", pen_min(LANDMARKS, data->x.rows), err));
    return pen_spec_set_int(spec, "kernel_seed", short_seed(seed), err);
}

static pen_status make_spec(const struct rule *rule, const pen_data *data, uint64_t seed,
                            pen_spec **out, pen_error *err)
{
    PEN_TRY(pen_spec_new(rule->method, out, err));
    PEN_TRY(set_view(*out, rule->view, data, seed, err));
    if (strcmp(rule->method, "self") == 0) {
        PEN_TRY(pen_spec_set(*out, "beta", "0.5", err));
        PEN_TRY(pen_spec_set(*out, "ridge", "0.01", err));
    }
    return pen_spec_set(*out, "reader", pen_reader_names[rule->reader], err);
}

pen_status pen_candidates_make(pen_run *run, const pen_data *data, uint64_t seed,
                               pen_chosen candidates[PEN_CANDIDATES])
{
    pen_error err;

    for (int i = 0; i < PEN_CANDIDATES; i++) {
        snprintf(candidates[i].name, sizeof candidates[i].name, "%s", rules[i].name);
        if (make_spec(&rules[i], data, seed, &candidates[i].spec, &err) != PEN_OK)
            return pen_fail_as(run, &err);
    }
    return PEN_OK;
}
