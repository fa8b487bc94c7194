/* self_training.c - rounds of predicting classes and of learning from those that are sure. */
#include "classifiers/self_training.h"

#include "classifiers/affine_classifier.h"

enum { ROUNDS = 5 };

/* Rows farther away have p near 1, and would decide the scatter. */
static const double SURE = 0.9, MOST_SQUARE = 100;

struct rounds {
    const pen_embedded_rows *all;
    const double *square;
    double *p, *largest; /* [n x classes], [n] */
    int32_t *classes;    /* [n] */
    char *taken;         /* [n] 1: in the set */
    int64_t pseudo;      /* rows of the set */
    int64_t count;       /* and labelled rows */
    int64_t *members;
    int32_t *of;
};

static pen_status open_rounds(pen_run *run, const pen_classifier_rows *rows, struct rounds *r)
{
    const pen_embedded_rows *const all = rows->all;
    const int64_t n = all->n;

    *r = (struct rounds){ .all = all, .square = rows->square };
    PEN_TRY(PEN_NEW(run, r->p, pen_times(n, all->classes)));
    PEN_TRY(PEN_NEW(run, r->largest, n));
    PEN_TRY(PEN_NEW(run, r->classes, n));
    PEN_TRY(PEN_FILLED(run, r->taken, n, 0));
    PEN_TRY(PEN_NEW(run, r->members, n));
    PEN_TRY(PEN_NEW(run, r->of, n));
    return PEN_OK;
}

/* The next set. Returns 0 if it is the one before. */
static int take(struct rounds *r)
{
    int changed = 0;

    r->count = r->pseudo = 0;
    for (int64_t i = 0; i < r->all->n; i++) {
        const int32_t label = r->all->labels[i];
        const char sure = label < 0 && r->largest[i] > SURE && r->square[i] <= MOST_SQUARE;
        changed |= sure != r->taken[i];
        r->taken[i] = sure;
        r->pseudo += sure;
        if (label >= 0 || sure) {
            r->members[r->count] = i;
            r->of[r->count++] = label >= 0 ? label : r->classes[i];
        }
    }
    return changed;
}

pen_status pen_self_training_fit(pen_run *run, const pen_classifier_rows *rows,
                                 const double *log_prior, pen_classifier *out, double *rho)
{
    const pen_embedded_rows *const all = rows->all;
    pen_classed_rows set = { rows, rows->labelled, rows->members, rows->of };
    struct rounds r;
    int refits = 0;

    PEN_TRY(pen_lda_classifier_fit(run, &set, log_prior, out, rho));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_rounds(run, rows, &r));
    for (; refits < ROUNDS; refits++) {
        PEN_TRY(pen_affine_classifier_apply(run, out, all->n, all->z, all->k, r.p, r.classes,
                                            r.largest));
        if (!take(&r))
            break;
        set = (pen_classed_rows){ rows, r.count, r.members, r.of };
        PEN_TRY(pen_lda_classifier_fit(run, &set, log_prior, out, rho));
    }
    pen_release(run, mark);
    pen_note(run, "classifier_rounds", refits);
    pen_note(run, "classifier_pseudo", (double)r.pseudo);
    return PEN_OK;
}
