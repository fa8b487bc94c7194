/* compared.c - see compared.h. */
#include "kit/compared.h"

#include "core/cache.h"
#include "eval/trials/trial_classifier.h"
#include "model/classifier_fit.h"
#include "model/spec.h"

#include <stdio.h>

enum { MOST_NAMES = 16 };

static void release(void *found)
{
    pen_comparison_free(found);
}

static pen_status spec_named(const char *name, pen_spec **out, pen_error *err)
{
    const char *const slash = strchr(name, '/'), *const plus = strchr(name, '+');
    char part[64];

    *out = NULL;
    snprintf(part, sizeof part, "%.*s", (int)strcspn(name, "+/"), name);
    pen_status status = pen_spec_new(part, out, err);
    if (status == PEN_OK && plus) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(plus + 1, "/"), plus + 1);
        status = pen_spec_set(*out, "kernel", part, err);
    }
    return status == PEN_OK && slash ? pen_spec_set(*out, "classifier", slash + 1, err) : status;
}

pen_status compare_named(const char *const *names, int64_t count, const pen_data *data,
                         const pen_trials *trials, const pen_control *control, pen_comparison **out,
                         pen_error *err)
{
    pen_spec *specs[MOST_NAMES] = { NULL };
    pen_status status = PEN_OK;
    int64_t made = 0;

    *out = NULL;
    assert_true(count <= MOST_NAMES);
    while (status == PEN_OK && made < count) {
        status = spec_named(names[made], &specs[made], err);
        made++;
    }
    if (status == PEN_OK)
        status =
            pen_compare((const pen_spec *const *)specs, count, data, trials, control, out, err);
    for (int64_t i = 0; i < made; i++)
        pen_spec_free(specs[i]);
    keep_until_end(*out, release);
    return status;
}

const pen_compared *named(const pen_comparison *c, const char *name)
{
    for (int64_t m = 0; m < c->count; m++)
        if (strcmp(c->candidates[m].name, name) == 0)
            return &c->candidates[m];
    fail_msg("no candidate %s", name);
    return NULL;
}

/* The spec with the classifier of its models; dims: without its own number of dimensions. */
static pen_spec *plain_spec(const pen_spec *spec, int dims)
{
    pen_spec *own;
    pen_error err;

    CHECK_OK(pen_spec_copy(spec, &own, &err), &err);
    CHECK_OK(pen_spec_set(own, "classifier", pen_classifier_names[pen_classifier_of(own)], &err),
             &err);
    if (dims)
        own->common.dim = 0;
    return own;
}

pen_status evaluate(const pen_spec *spec, const pen_data *data, const pen_trials *trials,
                    const int64_t *dims, int64_t dim_count, const pen_control *control,
                    struct scores *out, pen_error *err)
{
    pen_trials asked = trials ? *trials : (pen_trials){ .effort = 0 };
    pen_spec *const own = plain_spec(spec, dims != NULL);
    const pen_spec *const list = own;

    *out = (struct scores){ .comparison = NULL };
    asked.dims = dims;
    asked.dim_count = dim_count;
    const pen_status status = pen_compare(&list, 1, data, &asked, control, &out->comparison, err);
    pen_spec_free(own);
    keep_until_end(out->comparison, release);
    for (int64_t m = 0; status == PEN_OK && m < out->comparison->count; m++) {
        const pen_compared *const e = &out->comparison->candidates[m];
        if (!e->named)
            continue;
        out->trials = out->comparison->trials;
        out->dim_count = dims ? dim_count : 1;
        out->accuracy = dims ? e->curve_trials : e->trials;
        out->aside = e->aside;
        out->log_loss = e->log_loss;
        out->brier = e->brier;
    }
    return status;
}

static pen_status tune_in(pen_run *run, const pen_spec *spec, const pen_data *data,
                          const pen_protocol *protocol, pen_tuning **out)
{
    const enum pen_classifier_kind kind = pen_classifier_of(spec);

    PEN_TRY(pen_cache_open(run));
    return pen_tune_classifiers(run, data, protocol, spec, 1, &kind, INT64_MAX, out);
}

pen_status tune(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                const pen_control *control, pen_tuning **out, pen_error *err)
{
    PEN_CALL(control, err, tune_in(run, spec, data, protocol, out));
}
