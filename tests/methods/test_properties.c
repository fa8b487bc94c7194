/* test_properties.c - properties of every method: the order of rows and pairs and the names of
 * classes do not matter; rotated rows rotate the columns, units scale them; types and threads
 * change nothing; every fit can be stopped; invalid data is refused. */
#include "kit/oracle_fit.h"
#include "model/model.h"
#include "model/spec.h"

#include <stdio.h>

/* ---- the settings ---- */

enum {
    NAMES = 2,        /* renamed classes */
    ORIGIN = 4,       /* rows moved */
    TURN = 8,         /* rows rotated */
    UNIT = 16,        /* rows times a factor */
    NESTED = 32,      /* the first columns are those of a fit of fewer dimensions */
    IDLE = 64,        /* duplicate columns share their weight */
    MANY = 128,       /* many rows of floats and bytes, in single precision */
    ONE_CLASS = 256,  /* works with one class */
    NO_LABELS = 512,  /* needs no supervision */
    NEIGHBORS = 1024, /* needs more rows than neighbors */
    TALL = 2048,      /* its columns are defined if there are more rows than columns */
    AFFINE = 4096,    /* an invertible map of the rows is inverted */
    MOVES = NAMES | ORIGIN | TURN,
    ALL = MOVES | UNIT | NESTED,
};

/* A method with parameters, and its properties besides the general ones. */
typedef struct setting {
    const char *text;
    unsigned holds;
    double tolerance;    /* 0: its iterations amplify rounding errors */
    int columns, values; /* powers of the row factor */
    const char *tripled; /* the text for rows times 3, if parameters have a unit */
} setting;

static const setting settings[] = {
    { "pca", ALL | MANY | NO_LABELS, 1e-10, 0, 2, NULL },
    { "pca column_scaling=weighted", ALL | NO_LABELS, 1e-10, 1, 2, NULL },
    { "pca scale=standard", (ALL & ~TURN) | NO_LABELS, 1e-10, -1, 0, NULL },
    { "pca scale=standard column_scaling=weighted", (ALL & ~TURN) | NO_LABELS, 1e-10, -1, 0, NULL },
    { "pca row_steps=l2", (ALL & ~ORIGIN) | NO_LABELS, 1e-10, 0, 0, NULL },
    { "fda", ALL | AFFINE | MANY, 1e-10, -1, 0, NULL },
    { "fda column_scaling=plain", ALL | AFFINE, 1e-10, -1, 0, NULL },
    { "fda column_scaling=orthonormal", ALL, 1e-10, 0, 0, NULL },
    { "fda scale=standard column_scaling=plain", ALL & ~TURN, 1e-10, -1, 0, NULL },
    { "fda ridge=0.1 column_scaling=plain", ALL, 1e-10, -1, 0, NULL },
    { "lfda", ALL | MANY, 1e-10, -1, 0, NULL },
    { "lfda scaling_rows=labelled neighbors=2", ALL, 1e-10, -1, 0, NULL },
    { "lfda scaling_rows=labelled column_scaling=orthonormal", ALL, 1e-10, 0, 0, NULL },
    { "lfda scaling_rows=all column_scaling=orthonormal", ALL, 1e-10, 0, 0, NULL },
    { "lfda scaling_rows=all column_scaling=plain", ALL | MANY, 1e-10, -1, 0, NULL },
    { "lfda scaling_rows=all scale=standard column_scaling=plain", ALL & ~TURN, 1e-10, -1, 0,
      NULL },
    { "lfda ridge=0.1 column_scaling=plain", ALL, 1e-10, -1, 0, NULL },
    { "lfda affinity=knn neighbors=3", ALL, 1e-10, -1, 0, NULL },
    { "lfda affinity=heat", ALL, 1e-10, -1, 0, NULL },
    { "self", (ALL & ~UNIT) | MANY | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self beta=0", ALL, 1e-10, -1, 0, NULL },
    { "self beta=0 neighbors=2", ALL, 1e-10, -1, 0, NULL },
    { "self beta=0 column_scaling=orthonormal", ALL, 1e-10, 0, 0, NULL },
    { "self beta=1", ALL | NO_LABELS, 1e-10, 1, 2, NULL },
    { "self beta=0.1 column_scaling=plain", (ALL & ~UNIT) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self beta=0.9 column_scaling=orthonormal", (ALL & ~UNIT) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self beta=0.05 column_scaling=orthonormal total=covariance", (ALL & ~UNIT) | ONE_CLASS,
      1e-10, 0, 0, NULL },
    { "self beta=0.001 column_scaling=orthonormal", (ALL & ~UNIT) | MANY | ONE_CLASS, 1e-10, 0, 0,
      NULL },
    { "self beta=0.1 total=covariance scale=standard", (ALL & ~(UNIT | TURN)) | MANY | ONE_CLASS,
      1e-10, 0, 0, NULL },
    { "self beta=0.1 scale=standard column_scaling=plain", (ALL & ~TURN) | ONE_CLASS, 1e-10, -1, 0,
      NULL },
    { "self row_steps=l2 beta=0.01", (ALL & ~ORIGIN) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self ridge=0.1 column_scaling=plain", (ALL & ~UNIT) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self affinity=heat", (ALL & ~UNIT) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self affinity=knn neighbors=3 beta=0.1", (ALL & ~UNIT) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self affinity=one beta=0.1 beta_within=0.4", (ALL & ~UNIT) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "lol", ALL & ~NAMES, 1e-10, 0, 0, NULL },

    { "lpp", (ALL & ~ORIGIN) | NO_LABELS, 1e-9, -1, 0, NULL },
    { "lpp origin=mean", ALL | NO_LABELS, 1e-9, -1, 0, NULL },
    { "lpp graph=mutual", (ALL & ~ORIGIN) | NO_LABELS, 1e-9, -1, 0, NULL },
    { "lpp graph=mutual origin=mean", ALL | NO_LABELS, 1e-9, -1, 0, NULL },
    { "lpp graph=mutual neighbors=10 column_scaling=orthonormal", (ALL & ~ORIGIN) | NO_LABELS, 1e-9,
      0, 0, NULL },
    { "ilpp", (ALL & ~ORIGIN) | NO_LABELS, 1e-10, -1, 0, NULL },
    { "ilpp origin=mean", ALL | NO_LABELS, 1e-10, -1, 0, NULL },
    { "ilpp graph=mutual neighbors=10", (ALL & ~ORIGIN) | NO_LABELS, 1e-10, -1, 0, NULL },
    { "ilpp graph=mutual origin=mean neighbors=9", ALL | NO_LABELS, 1e-10, -1, 0, NULL },
    { "ilpp graph=mutual origin=mean column_scaling=plain", ALL | NO_LABELS, 1e-10, -1, 0, NULL },
    { "ilpp graph=mutual column_scaling=orthonormal origin=mean", ALL | NO_LABELS, 1e-10, 0, 0,
      NULL },
    { "ilpp origin=mean graph=mutual scale=standard neighbors=12", (ALL & ~TURN) | NO_LABELS, 1e-10,
      -1, 0, NULL },
    { "ilpp scale=standard ridge=0.1", (ALL & ~(TURN | ORIGIN)) | NO_LABELS, 1e-10, -1, 0, NULL },
    { "self-ilpp", (ALL & ~ORIGIN) | ONE_CLASS, 1e-10, -1, 0, NULL },
    { "self-ilpp beta=0.2", (ALL & ~ORIGIN) | ONE_CLASS, 1e-10, -1, 0, NULL },
    { "self-ilpp origin=mean", ALL | ONE_CLASS, 1e-10, -1, 0, NULL },
    { "self-ilpp beta=0.2 graph=mutual", (ALL & ~ORIGIN) | ONE_CLASS, 1e-10, -1, 0, NULL },
    { "self-ilpp origin=mean graph=mutual beta=0.2 column_scaling=orthonormal", ALL | ONE_CLASS,
      1e-10, 0, 0, NULL },
    { "self-mix beta=0.2 gamma=0.2", (ALL & ~(ORIGIN | UNIT)) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self-mix beta=0.2 gamma=0.2 origin=mean", (ALL & ~UNIT) | ONE_CLASS, 1e-10, 0, 0, NULL },
    { "self-mix beta=0.2 gamma=0.5 graph=mutual", (ALL & ~(ORIGIN | UNIT)) | ONE_CLASS, 1e-10, 0, 0,
      NULL },

    { "bwdr", ALL | IDLE | MANY, 1e-9, 0, 2, NULL },
    { "bwdr threshold=1", (ALL & ~NESTED) | IDLE, 1e-9, 0, 2, NULL },
    { "bwdr threshold=1 dim=3", ALL, 1e-9, 0, 2, NULL },
    { "bwdr threshold=1 target=mean", ALL & ~NESTED, 1e-9, 0, 2, NULL },
    { "bwdr target=3", ALL & ~NESTED, 1e-9, -1, 0, NULL },
    { "bwdr scale=standard target=1", ALL & ~(NESTED | TURN), 1e-9, -1, 0, NULL },
    { "bwdr scale=standard pca=5", ALL & ~(NESTED | TURN), 1e-9, -1, 0, NULL },
    { "bwdr target=mean dim=3 threshold=0.2 allow_fewer=true", ALL, 1e-9, 0, 2, NULL },
    { "wbdr", ALL | IDLE, 1e-9, 0, 2, NULL },
    { "wbdr threshold=0.5", (ALL & ~NESTED) | IDLE, 1e-9, 0, 2, NULL },
    { "wbdr threshold=0.5 target=1", (ALL & ~(NESTED | UNIT)) | IDLE, 1e-9, -1, 0, NULL },
    { "wbdr threshold=0.6 target=mean", (ALL & ~NESTED), 1e-9, 0, 2, NULL },
    { "wbdr threshold=0.6 dim=3", (ALL & ~NESTED), 1e-9, 0, 2, NULL },
    { "wbdr target=3", ALL | AFFINE, 1e-9, -1, 0, NULL },
    { "wbdr target=mean", ALL, 1e-9, 0, 2, NULL },
    { "wbdr target=mean dim=3 threshold=0.9", ALL, 1e-9, 0, 2, NULL },
    { "wbdr scale=standard target=1", ALL & ~TURN, 1e-9, -1, 0, NULL },
    { "wbdr scale=standard pca=5", ALL & ~TURN, 1e-9, -1, 0, NULL },
    { "ssdr", ALL | IDLE, 1e-9, 0, 2, NULL },
    { "ssdr alpha=3 beta=0.7 dim=3", ALL, 1e-9, 0, 2, NULL },
    { "ssdr alpha=10 beta=1", ALL, 1e-9, 0, 2, NULL },
    { "ssdr beta=0", ALL | IDLE, 1e-9, 0, 2, NULL },
    { "ssdr scale=standard alpha=2", ALL & ~TURN, 1e-9, -1, 0, NULL },
    { "ssdr scale=standard pca=5", ALL & ~TURN, 1e-9, -1, 0, NULL },
    { "cmm", ALL | IDLE, 1e-9, 0, 2, NULL },
    { "cmm dim=3", ALL, 1e-9, 0, 2, NULL },
    { "cmm scale=standard pca=5", ALL & ~TURN, 1e-9, -1, 0, NULL },
    { "cfld", ALL | AFFINE, 1e-9, -1, 0, NULL },
    { "cfld column_scaling=unit", ALL, 1e-9, 0, 0, NULL },
    { "cfld total_rows=all", ALL | IDLE, 1e-9, -1, 0, NULL },
    { "cfld total_rows=all column_scaling=within", ALL | AFFINE, 1e-9, -1, 0, NULL },
    { "cfld total_rows=all column_scaling=within scale=standard", ALL & ~TURN, 1e-9, -1, 0, NULL },
    { "cfld total_rows=all column_scaling=unit", ALL | IDLE, 1e-9, 0, 0, NULL },
    { "cfld total_rows=all column_scaling=unit dim=1", ALL, 1e-9, 0, 0, NULL },
    { "cfld total_rows=all scale=standard pca=5", ALL & ~TURN, 1e-9, -1, 0, NULL },
    { "rca", ALL | AFFINE, 1e-9, -1, 0, NULL },
    { "rca ridge=0.01", ALL | IDLE, 1e-9, -1, 0, NULL },
    { "rca ridge=0.1", ALL, 1e-9, -1, 0, NULL },
    { "rca ridge=0.1 total_rows=chunk dim=2", ALL, 1e-9, -1, 0, NULL },
    { "rca ridge=0.3 total_rows=chunk", ALL, 1e-9, -1, 0, NULL },
    { "rca scale=standard total_rows=chunk", ALL & ~TURN, 1e-9, -1, 0, NULL },
    { "rca scale=standard pca=5", ALL & ~TURN, 1e-9, -1, 0, NULL },

    { "sodrpac", ALL | IDLE | NEIGHBORS, 1e-9, 0, 2, NULL },
    { "sodrpac lambda=3 pair_terms=sum", ALL | IDLE, 1e-9, 0, 2, NULL },
    { "sodrpac gamma=1 pair_terms=sum", ALL, 1e-9, 0, 2, "sodrpac gamma=9 pair_terms=sum" },
    { "sodrpac gamma=6 lambda=2 pair_terms=balanced dim=2", ALL, 1e-9, 0, 2,
      "sodrpac gamma=54 lambda=2 pair_terms=balanced dim=2" },
    { "sodrpac pair_terms=sum lambda=10 derive=unlinked dim=3", ALL, 1e-9, 0, 2, NULL },
    { "clpp", ALL | IDLE | NEIGHBORS, 1e-9, -1, 0, NULL },
    { "clpp propagate_pairs=false", ALL | IDLE, 1e-9, -1, 0, NULL },
    { "clpp propagate_pairs=false neighbors=3 heat=5 dim=2", ALL, 1e-9, -1, 0,
      "clpp propagate_pairs=false neighbors=3 heat=45 dim=2" },
    { "npssdr", ALL | NEIGHBORS, 1e-9, 0, 2, NULL },
    { "npssdr beta=2", ALL, 1e-9, 0, 2, NULL },
    { "npssdr form=ratio beta=1", ALL, 1e-9, -1, 0, NULL },
    { "rssdr", ALL | TALL | NEIGHBORS, 1e-9, -1, 0, NULL },
    { "rssdr pca=off", 0, 0, -1, 0, NULL },
    { "rssdr beta=0.7 pca=rank", ALL | TALL, 1e-9, -1, 0, NULL },
    { "rssdr dim=3", ALL | TALL, 1e-9, -1, 0, NULL },
    { "rssdr space=relative:10 dim=3", 0, 0, -1, 0, NULL },
    { "rssdr space=relative:10 neighborhood=mutual", 0, 0, -1, 0, NULL },

    { "sda", ALL | NEIGHBORS, 1e-8, 0, 0, "sda ridge=0.9" },
    { "sda graph=heat alpha=2 ridge=4 neighbors=3 dim=2", ALL, 1e-8, 0, 0,
      "sda graph=heat alpha=2 ridge=36 neighbors=3 dim=2" },
    { "sda graph=heat heat=7 alpha=0.5", ALL, 1e-8, 0, 0,
      "sda graph=heat heat=63 alpha=0.5 ridge=0.9" },
    { "sda graph=adaptive alpha=2 ridge=4", ALL, 1e-8, 0, 0,
      "sda graph=adaptive alpha=2 ridge=36" },
    { "soda", (ALL & ~TURN) | NEIGHBORS, 1e-8, 0, 2, NULL },
    { "soda graph=binary alpha=0.9 neighbors=3 dim=2", ALL & ~TURN, 1e-8, 0, 2, NULL },
    { "soda heat=400 dim=3 alpha=0.7", ALL & ~TURN, 1e-8, 0, 2, "soda heat=3600 dim=3 alpha=0.7" },
    { "soda ridge=0 dim=2", ALL, 1e-8, 0, 2, NULL },
    { "tr-fsda", ALL | NEIGHBORS, 1e-8, 0, 2, "tr-fsda ridge=0.9" },
    { "tr-fsda graph=heat alpha=2 ridge=4 neighbors=3 dim=1", ALL, 1e-8, 0, 2,
      "tr-fsda graph=heat alpha=2 ridge=36 neighbors=3 dim=1" },
    { "tr-fsda graph=heat heat=7 dim=3", ALL, 1e-8, 0, 2,
      "tr-fsda graph=heat heat=63 ridge=0.9 dim=3" },
    { "fme mu=1", ALL | NEIGHBORS, 1e-8, -1, 0, "fme mu=9 gamma=0.1111111111111111" },
    { "fme mu=1 graph=binary unlabelled_weight=0.3 gamma=9 neighbors=3 prior=none", ALL | ONE_CLASS,
      1e-8, -1, 0, "fme graph=binary unlabelled_weight=0.3 gamma=1 mu=9 neighbors=3 prior=none" },
    /* weakly connected rows */
    { "fme heat=7 mu=0.1 gamma=18", ALL, 1e-7, -1, 0, "fme heat=63 mu=0.9 gamma=2" },
    { "asl tol=0 max_iter=3000 ridge=3", ALL, 1e-6, -1, 0, "asl tol=0 max_iter=3000 ridge=27" },
    { "asl exponent=1 ridge=2", ALL, 1e-8, -1, 0, "asl exponent=1 ridge=18" },
    { "soge unlabelled_weight=0.4 tol=0 max_iter=20", (ALL & ~UNIT) | NEIGHBORS | ONE_CLASS, 1e-7,
      0, 0, NULL },
    { "soge unlabelled_weight=2 mu=0.2 graph=binary tol=0 max_iter=10 neighbors=3",
      (ALL & ~UNIT) | ONE_CLASS, 1e-7, 0, 0, NULL },
    { "stsd", ALL | NEIGHBORS, 1e-8, -1, 0, "stsd gamma=9 beta=9e-4" },
    { "stsd graph=heat alpha=2 gamma=4 beta=0.1 neighbors=4 dim=1", ALL, 1e-8, -1, 0,
      "stsd graph=heat alpha=2 gamma=36 beta=0.9 neighbors=4 dim=1" },
    { "stsd graph=heat heat=7 tangent_dim=1", ALL, 1e-8, -1, 0,
      "stsd graph=heat heat=63 tangent_dim=1 gamma=9 beta=9e-4" },
    { "ssda", ALL | NEIGHBORS | ONE_CLASS, 1e-8, -1, 0, NULL },
    { "ssda neighbors=3 beta=0.2 dim=2", ALL | ONE_CLASS, 1e-8, -1, 0, NULL },
    { "saloe", NEIGHBORS | ONE_CLASS, 0, 0, 2, NULL },
    { "saloe pca=off tol=0 max_iter=5", ALL | TALL | ONE_CLASS, 1e-8, 0, 2, NULL },
    { "saloe pca=off tol=0 max_iter=5 dim=3 alpha=2 within_neighbors=4 neighbors=5",
      ALL | TALL | ONE_CLASS, 1e-8, 0, 2, NULL },
    { "saloe tol=0 max_iter=4 dim=1 init=zero", ALL | TALL | ONE_CLASS, 1e-8, 0, 2, NULL },
    { "saloe pca=off stop=relative dim=1", ALL | TALL | ONE_CLASS, 1e-8, 0, 2, NULL },
    { "saloe dim=2 tol=0 max_iter=4 init=random seed=3 restarts=2", ONE_CLASS, 0, 0, 2, NULL },
    { "salwe", NEIGHBORS | ONE_CLASS, 0, -1, 0, NULL },
    { "salwe pca=off tol=0 max_iter=5", ALL | TALL | ONE_CLASS, 1e-8, -1, 0, NULL },
    { "salwe pca=off tol=0 max_iter=5 dim=3 alpha=2 within_neighbors=4 neighbors=5",
      ALL | TALL | ONE_CLASS, 1e-8, -1, 0, NULL },
    { "salwe tol=0 max_iter=4 dim=1 init=zero", ALL | TALL | ONE_CLASS, 1e-8, -1, 0, NULL },
    { "salwe pca=off stop=relative dim=1", ALL | TALL | ONE_CLASS, 1e-8, -1, 0, NULL },
    { "salwe dim=2 tol=0 max_iter=4 init=random seed=3 restarts=2", ONE_CLASS, 0, -1, 0, NULL },
};

static const pen_method *method_of(const setting *t)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(t->text, " "), t->text);
    return pen_method_named(name);
}

/* The tolerance if values are rounded again. */
static double rounded(const setting *t)
{
    return fmin(10 * t->tolerance, fmax(t->tolerance, 1e-8));
}

/* Setting i runs; at low effort only the first of a method and one of four. */
static bool is_tried(int64_t i)
{
    return i == 0 || check_in_turn(i, 4) || method_of(&settings[i]) != method_of(&settings[i - 1]);
}

static int learns_from_pairs(const setting *t)
{
    return (method_of(t)->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS)) != 0;
}

/* ---- rows ---- */

/* Rows n x d with the labels or pairs that a method learns from. */
static linked rows_of(pen_rng *rng, const setting *t, int64_t n, int64_t d, int64_t labelled,
                      int64_t pairs)
{
    linked l = { .labels = 1 };

    if (learns_from_pairs(t))
        return linked_random(rng, n, d, 3, pairs, pairs + pairs / 5);
    l.s = sample_random(rng, n, d, 3, labelled);
    return l;
}

static int kinds_of(const setting *t)
{
    return check_repeats(learns_from_pairs(t) ? 6 : 3);
}

/* Rows of several shapes; every fit of the first shape succeeds. */
static linked rows_of_kind(pen_rng *rng, const setting *t, int kind)
{
    linked l;
    switch (kind) {
    case 0:
        return rows_of(rng, t, 50, 5, 30, 40);
    case 1: /* more columns than rows */
        return rows_of(rng, t, 16, 24, 9, 12);
    case 2: /* few labels; many pairs */
        return rows_of(rng, t, 50, learns_from_pairs(t) ? 4 : 5, 18, 300);
    case 3: /* few pairs */
        return rows_of(rng, t, 40, 12, 20, 5);
    case 4: /* pairs and labels */
        l = rows_of(rng, t, 60, 6, 24, 30);
        break;
    default: /* labels alone */
        l = rows_of(rng, t, 60, 5, 24, 0);
        break;
    }
    if (learns_from_pairs(t))
        linked_label(rng, &l, 25);
    return l;
}

/* The model of `l`, or NULL and the status. */
static pen_model *fitted(const char *text, const linked *l, pen_status *status)
{
    const pen_data data = linked_data(l);
    pen_model *model = NULL;
    pen_error err;

    *status = fit_status(text, &data, &model, &err);
    return model;
}

/* A setting, its rows, and their model; NULL: `status` is the error. */
typedef struct fit_of_rows {
    const setting *t;
    linked l;
    pen_model *model;
    pen_status status;
} fit_of_rows;

/* The fit of rows `other` has the same error, or the model described by r. */
static void check_changed(const fit_of_rows *f, const linked *other, const relation *r,
                          double tolerance, const char *text)
{
    pen_status status;
    pen_model *model = fitted(text ? text : f->t->text, other, &status);

    CHECK(status == f->status, "%s: status %d, and %d", f->t->text, (int)f->status, (int)status);
    if (model)
        check_related(model, f->model, r, tolerance, f->t->text);
}

/* ---- changed rows ---- */

/* Pairs in another order, with ends swapped, some repeated. */
static int64_t *shuffled_list(pen_rng *rng, int64_t count, const int64_t *list,
                              const int64_t *place, int64_t *out_count)
{
    int64_t *order = check_allocate(count, sizeof *order),
            *to = check_allocate(4 * count, sizeof *to), at = 0;

    pen_rng_permutation(rng, count, order);
    for (int64_t p = 0; p < count; p++)
        for (int again = pen_rng_below(rng, 4) == 0; again >= 0; again--) {
            const int64_t *pair = list + 2 * order[p], turned = pen_rng_below(rng, 2);
            to[at++] = place[pair[turned]];
            to[at++] = place[pair[1 - turned]];
        }
    *out_count = at / 2;
    return to;
}

/* The same rows and pairs in another order: row i is row place[i]. */
static linked shuffled(pen_rng *rng, const linked *of, const int64_t *place)
{
    linked l = linked_copy(of);

    for (int64_t i = 0; i < l.s.n; i++) {
        memcpy(l.s.x + place[i] * l.s.d, of->s.x + i * l.s.d, (size_t)l.s.d * sizeof *l.s.x);
        l.s.y[place[i]] = of->s.y[i];
    }
    l.must = shuffled_list(rng, of->must_count, of->must, place, &l.must_count);
    l.cannot = shuffled_list(rng, of->cannot_count, of->cannot, place, &l.cannot_count);
    return l;
}

/* The order of pairs changes no bit. */
static void check_order(const fit_of_rows *f, pen_rng *rng)
{
    const int64_t n = f->l.s.n;
    int64_t *place = check_allocate(2 * n, sizeof *place), *row = place + n;
    const relation r = { .columns = 1, .values = 1, .row = row };

    for (int64_t i = 0; i < n; i++)
        place[i] = i;
    if (f->model && learns_from_pairs(f->t)) {
        const linked other = shuffled(rng, &f->l, place);
        pen_status status;
        pen_model *model = fitted(f->t->text, &other, &status);
        check_same_bits(f->model, model, f->t->text);
    }
    pen_rng_permutation(rng, n, place);
    for (int64_t i = 0; i < n; i++)
        row[place[i]] = i;
    const linked moved = shuffled(rng, &f->l, place);
    check_changed(f, &moved, &r, f->t->tolerance, NULL);
}

/* New class names, in the same order and in another. */
static void check_names(const fit_of_rows *f)
{
    static const int32_t names[2][3] = { { INT32_MIN, -7, 40 }, { 5, INT32_MAX, -3 } };
    static const int64_t places[2][3] = { { 0, 1, 2 }, { 1, 2, 0 } };

    for (int form = 0; form < (f->t->holds & NAMES ? 2 : 1); form++) {
        linked other = linked_copy(&f->l);
        const relation r = { .columns = 1, .values = 1, .class = places[form] };
        for (int64_t i = 0; i < other.s.n; i++)
            other.s.y[i] =
                other.s.y[i] == PEN_UNLABELLED ? PEN_UNLABELLED : names[form][other.s.y[i]];
        check_changed(f, &other, &r, f->t->tolerance, NULL);
    }
}

static void check_origin(const fit_of_rows *f)
{
    linked other = linked_copy(&f->l);
    const relation r = { .columns = 1, .values = 1, .moved = 1 };

    for (int64_t i = 0; i < other.s.n * other.s.d; i++)
        other.s.x[i] += i % other.s.d == 1 ? 1e6 : 1000;
    check_changed(f, &other, &r, rounded(f->t), NULL);
}

static void check_turn(const fit_of_rows *f, pen_rng *rng)
{
    double *q = random_rotation(rng, f->l.s.d);
    const linked other = linked_times(&f->l, q);
    const relation r = { .columns = 1, .values = 1, .moved = 1, .q = q };

    check_changed(f, &other, &r, rounded(f->t), NULL);
}

/* A general map, with columns of very different units. */
static void check_affine(const fit_of_rows *f)
{
    const int64_t d = f->l.s.d;
    pen_rng rng = check_rng(14);
    double *map = zeros(d * d), *one = zeros(d * d);

    for (int64_t i = 0; i < d * d; i++) {
        one[i] = i % (d + 1) == 0;
        map[i] = (3 * one[i] + check_normal(&rng)) * pow(5, (double)(i % d % 4) - 1);
    }
    const linked other = linked_times(&f->l, map);
    const double *q = dense_transpose(d, d, dense_solve(d, d, map, one));
    const relation r = { .columns = 1, .values = 1, .moved = 1, .q = q };

    check_changed(f, &other, &r, 1e-8, NULL);
}

static void check_unit(const fit_of_rows *f)
{
    static const double factors[] = { 3, 1e-3 };

    for (int i = 0; i < (f->t->tripled ? 1 : 2); i++) {
        linked other = linked_copy(&f->l);
        const relation r = { .columns = pow(factors[i], f->t->columns),
                             .values = pow(factors[i], f->t->values),
                             .moved = 1 };
        for (int64_t c = 0; c < other.s.n * other.s.d; c++)
            other.s.x[c] *= factors[i];
        check_changed(f, &other, &r, rounded(f->t), f->t->tripled);
    }
}

static void check_changes(const fit_of_rows *f, pen_rng *rng, int kind)
{
    check_order(f, rng);
    check_names(f);
    if (f->t->holds & ORIGIN)
        check_origin(f);
    if (f->t->holds & TURN)
        check_turn(f, rng);
    if (f->t->holds & UNIT && kind % 2 == 0) /* pairs in every direction */
        check_unit(f);
    if (f->t->holds & AFFINE && kind % 2 == 0) /* the same */
        check_affine(f);
    if (learns_from_pairs(f->t)) { /* labels are the list of all their pairs */
        const linked list = linked_expand(&f->l);
        check_changed(f, &list, &(relation){ .columns = 1, .values = 1 }, f->t->tolerance, NULL);
    }
}

TEST(changed_rows)
{
    pen_rng rng = check_rng(1);
    for (int64_t i = 0; i < COUNT_OF(settings); i++)
        for (int kind = 0; kind < kinds_of(&settings[i]); kind++) {
            fit_of_rows f = { .t = &settings[i], .l = rows_of_kind(&rng, &settings[i], kind) };
            f.model = fitted(f.t->text, &f.l, &f.status);
            CHECK(f.model || kind > 0, "%s: no model", f.t->text);
            if (f.t->tolerance > 0 && (!(f.t->holds & TALL) || f.l.s.n > f.l.s.d))
                check_changes(&f, &rng, kind);
        }
}

/* ---- the same rows ---- */

/* Floats and bytes; kinds 3 to 5 with gaps. */
static void check_types(const char *text, linked *l, int kinds, double tolerance)
{
    sample_to_bytes(&l->s);
    const pen_data data = linked_data(l);
    pen_model *right = NULL;
    pen_error err;
    const pen_status status = fit_status(text, &data, &right, &err);

    for (int kind = 1; kind < kinds; kind++) {
        pen_data other = data;
        pen_model *model;
        other.x = recast(&l->s, (pen_dtype)(kind % 3), kind < 3 ? 0 : 3);
        CHECK(fit_status(text, &other, &model, &err) == status, "%s: type %d: %s", text, kind,
              err.message);
        if (model)
            check_related(model, right, &(relation){ .columns = 1, .values = 1 }, tolerance, text);
    }
}

TEST(types)
{
    pen_rng rng = check_rng(2);
    for (int64_t i = 0; i < COUNT_OF(settings); i++) {
        const setting *t = &settings[i];
        for (int kind = 0; kind < kinds_of(t); kind += kind == 1 ? 3 : 1) {
            linked l = rows_of_kind(&rng, t, kind);
            if (t->tolerance > 0)
                check_types(t->text, &l, 6, t->tolerance);
        }
        if (t->holds & MANY) {
            linked l = rows_of(&rng, t, check_many(40000), 30, 600, 3000);
            check_types(t->text, &l, 3, 1e-4);
        }
    }
}

static void check_nested(const char *text, const linked *l)
{
    const pen_data data = linked_data(l);
    pen_status status;
    pen_model *whole = fitted(text, l, &status);
    char asked[256];

    if (!whole)
        return;
    const int64_t count = pen_model_dim(whole);
    for (int64_t r = 1; r <= count; r++) {
        snprintf(asked, sizeof asked, "%s dim=%lld", text, (long long)r);
        pen_model *model = fit_data(asked, &data);
        expected e = expected_of(whole);
        e.after = INFINITY;
        CHECK(pen_model_dim(model) == r, "%s: %lld dimensions", asked,
              (long long)pen_model_dim(model));
        check_model(model, &e, 1e-9, asked);
    }
}

TEST(nested)
{
    pen_rng rng = check_rng(3);
    for (int64_t i = 0; i < COUNT_OF(settings); i++)
        for (int kind = 0; kind < 2; kind++) {
            const setting *t = &settings[i];
            const linked l = rows_of_kind(&rng, t, kind);
            if (is_tried(i) && t->holds & NESTED && !(method_of(t)->traits & PEN_UNNESTED)
                && !strstr(t->text, " dim="))
                check_nested(t->text, &l);
        }
}

/* The error of too many dimensions names how many there are. */
TEST(ranks)
{
    const text_list texts = text_list_of(
        "lfda; self; self column_scaling=orthonormal; ilpp; ilpp origin=mean; lpp; "
        "self-ilpp beta=0.2; self-mix beta=0.2 gamma=0.2 origin=mean; ssda; ssda beta=0; stsd; "
        "stsd beta=0 alpha=0");
    pen_rng rng = check_rng(13);
    sample s = sample_random(&rng, 60, 4, 3, 20), flat = s,
           wide = sample_random(&rng, 10, 25, 2, 6);
    flat.x = dense_copy(60 * 4, s.x);
    for (int64_t i = 0; i < 60; i++)
        flat.x[i * 4 + 2] = flat.x[i * 4] - flat.x[i * 4 + 1];
    for (int64_t i = 0; i + 2 < texts.count; i++)
        check_rank(texts.text[i], &s, 4);
    for (int64_t i = texts.count - 4; i < texts.count; i++)
        check_rank(texts.text[i], &flat, i + 2 < texts.count ? 3 : 2);
    check_rank("stsd", &s, 2); /* one less than classes */
    check_rank("self", &wide, 9);
    check_rank("self-mix beta=0.2 gamma=0.2 origin=mean", &wide, 9);
}

static pen_model *fit_on(const char *text, const pen_data *data, int threads, pen_status *status)
{
    pen_spec *spec = spec_of(text);
    pen_model *model = NULL;
    pen_error err;

    *status = pen_fit(spec, data, &(pen_control){ .threads = threads }, &model, &err);
    return keep_model(model);
}

TEST(threads)
{
    static const int64_t shapes[][3] = { { 700, 6, 60 }, { 40, 60, 12 } };
    pen_rng rng = check_rng(4);
    for (int64_t i = 0; i < 2 * COUNT_OF(settings); i++) {
        const setting *t = &settings[i / 2];
        const int64_t *shape = shapes[i % 2];
        const linked l = rows_of(&rng, t, shape[0], shape[1], shape[2], shape[2]);
        if (!is_tried(i / 2))
            continue;
        const pen_data data = linked_data(&l);
        pen_status of_one, of_five;
        pen_model *one = fit_on(t->text, &data, 1, &of_one);
        pen_model *five = fit_on(t->text, &data, 5, &of_five);
        CHECK(of_one == of_five, "%s: status %d, and %d on 5 threads", t->text, (int)of_one,
              (int)of_five);
        if (one) {
            check_same_bits(one, five, t->text);
            CHECK(strcmp(pen_model_info(one), pen_model_info(five)) == 0, "%s: %s\n%s", t->text,
                  pen_model_info(one), pen_model_info(five));
        }
    }
}

/* The progress function can stop the fit at any report. */
TEST(stops)
{
    pen_rng rng = check_rng(5);
    for (int64_t i = 0; i < COUNT_OF(settings); i++) {
        const setting *t = &settings[i];
        const linked l = rows_of(&rng, t, 120, 5, 30, 30);
        if (!is_tried(i))
            continue;
        const pen_data data = linked_data(&l);
        struct check_stop stop = { .at = -1 };
        const pen_control control = { .threads = 1, .progress = check_stop_at, .user = &stop };
        pen_spec *spec = spec_of(t->text);
        pen_model *model = NULL;
        pen_error err;
        CHECK_OK(pen_fit(spec, &data, &control, &model, &err), &err);
        keep_model(model);
        const int64_t reports = stop.reports;
        CHECK(reports > 0, "%s: no reports", t->text);
        for (int64_t at = 0; at < reports; at += 1 + reports / check_repeats(40)) {
            stop = (struct check_stop){ .at = at };
            CHECK_STATUS(pen_fit(spec, &data, &control, &model, &err), PEN_CANCELLED, NULL, &err);
            CHECK(!model && stop.after == 0, "%s: %lld calls after the stop", t->text,
                  (long long)stop.after);
        }
    }
}

/* As a weight in the denominator grows, all eigenvalues, or the ratio of scatters, decrease. */
TEST(weights_of_denominators)
{
    const text_list forms = text_list_of(
        "sda ridge=%.17g; sda alpha=%.17g; sda graph=heat alpha=%.17g ridge=0.01; stsd beta=%.17g; "
        "stsd alpha=%.17g; stsd graph=heat alpha=%.17g gamma=4; ssda beta=%.17g; "
        "tr-fsda ridge=%.17g; tr-fsda alpha=%.17g; tr-fsda graph=heat alpha=%.17g ridge=0.01 "
        "dim=3");
    pen_rng rng = check_rng(11);
    for (int64_t i = 0; i < forms.count; i++) {
        sample s = sample_random(&rng, 60, 6, 3, 24);
        double last[6] = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY }, first = 0;
        for (int power = -8; power <= 12; power++) {
            char text[96];
            snprintf(text, sizeof text, forms.text[i], ldexp(1, power));
            pen_model *model = fit_sample(text, &s);
            const double ratio = info_number(model, "ratio");
            for (int64_t j = 0; j < (isnan(ratio) ? pen_model_dim(model) : 1); j++) {
                const double value = isnan(ratio) ? model_eigenvalues(model)[j] : ratio;
                CHECK(value > 0 && value < last[j], "%s: value %lld rises to %.17g from %.17g",
                      text, (long long)j, value, last[j]);
                last[j] = value;
            }
            first = power == -8 ? last[0] : first;
        }
        CHECK(last[0] < 0.99 * first, "%s: from %g to %g", forms.text[i], first, last[0]);
    }
}

/* ---- little data ---- */

static void check_finite(const char *text, const pen_model *model, const pen_data *data)
{
    const int64_t d = data->x.cols, n = data->x.rows, r = pen_model_dim(model),
                  c = pen_model_class_count(model);
    double *z = check_allocate(n * r, sizeof *z);

    CHECK(all_finite(d * r, model_columns(model)) && all_finite(d, model_mean(model))
              && (!model_eigenvalues(model) || all_finite(r, model_eigenvalues(model)))
              && (!model_bias(model) || all_finite(c, model_bias(model)))
              && (!model_shares(model) || all_finite(n * c, model_shares(model))),
          "%s: the model is not finite", text);
    if (pen_transform(model, &data->x, NULL, PEN_F64, z, r, NULL) == PEN_OK)
        CHECK(all_finite(n * r, z), "%s: embedded rows are not finite", text);
}

/* Rows whose squares overflow or underflow: an error, or a model without NaN or infinity. */
TEST(extreme_values)
{
    static const double factors[] = { 1e-310, 1e-170, 1e-155, 1e-100, 1e-20, 1e20,
                                      1e100,  1e150,  1e154,  1e155,  1e300, 1e307 };
    static const int64_t pairs[] = { 40, 3, 640 };
    pen_rng rng = check_rng(6);
    for (int64_t i = 0; i < COUNT_OF(settings); i++)
        for (int64_t f = 0; f < COUNT_OF(factors) * (learns_from_pairs(&settings[i]) ? 3 : 1);
             f++) {
            const setting *t = &settings[i];
            linked l = rows_of(&rng, t, 40, f % 3 ? 8 : 4, 24, pairs[f / COUNT_OF(factors)]);
            if (!check_in_turn(i + f, 3))
                continue;
            for (int64_t c = 0; c < l.s.n * l.s.d; c++)
                l.s.x[c] *= factors[f % COUNT_OF(factors)];
            const pen_data data = linked_data(&l);
            pen_model *model = NULL;
            pen_error err;
            const pen_status status = fit_status(t->text, &data, &model, &err);
            CHECK(status == PEN_OK || status == PEN_BAD_DATA || status == PEN_SINGULAR_SCATTER
                      || status == PEN_RANK_TOO_SMALL || status == PEN_NOT_CONVERGED,
                  "%s times %g: %d %s", t->text, factors[f % COUNT_OF(factors)], (int)status,
                  err.message);
            if (model)
                check_finite(t->text, model, &data);
        }
}

/* Duplicate columns share their weight. */
TEST(duplicate_columns)
{
    pen_rng rng = check_rng(7);
    for (int64_t i = 0; i < 3 * COUNT_OF(settings); i++) {
        const setting *t = &settings[i / 3];
        linked l = rows_of(&rng, t, 60, 6, 30, i % 3 == 2 ? 250 : 50);
        if (!(t->holds & IDLE))
            continue;
        if (i % 3 == 1)
            linked_label(&rng, &l, 30);
        for (int64_t row = 0; row < l.s.n; row++)
            l.s.x[row * 6 + 5] = l.s.x[row * 6 + 2];
        const pen_data data = linked_data(&l);
        pen_model *model = fit_data(t->text, &data);
        const int64_t r = pen_model_dim(model);
        const double *w = model_columns(model);
        check_finite(t->text, model, &data);
        for (int64_t j = 0; j < r; j++)
            CHECK_CLOSE(w[5 * r + j], w[2 * r + j], 0, 1e-9 * dense_largest(6, w + j, r));
    }
}

/* All rows equal, or one row. */
TEST(equal_rows)
{
    const text_list texts = text_list_of(
        "pca; pca scale=standard pca=rank; self; self beta=1 scale=minmax; "
        "self-mix origin=mean beta=0.5 gamma=0.5; ssdr; sda neighbors=1; npssdr neighbors=1; "
        "rssdr neighbors=1; sodrpac snn_neighbors=1 manifold_neighbors=1; saloe neighbors=1; "
        "saloe pca=off neighbors=1; salwe neighbors=1; salwe pca=off neighbors=1");
    sample s = sample_new(12, 3);
    for (int64_t i = 0; i < s.n; i++) {
        s.x[i * 3] = 0.1, s.x[i * 3 + 1] = 1e6 + 0.3, s.x[i * 3 + 2] = -7;
        s.y[i] = (int32_t)(i % 3 - 1);
    }
    for (int64_t i = 0; i < COUNT_OF(settings); i++) {
        const pen_data data = sample_data(&s);
        pen_model *model = NULL;
        pen_error err;
        const pen_status status = fit_status(settings[i].text, &data, &model, &err);
        CHECK(status == PEN_RANK_TOO_SMALL || status == PEN_BAD_DATA
                  || status == PEN_SINGULAR_SCATTER || !(settings[i].holds & ORIGIN),
              "%s of equal rows: %d %s", settings[i].text, (int)status, status ? err.message : "");
    }
    for (int64_t i = 0; i < 2 * texts.count; i++) {
        s.n = i % 2 ? 1 : 6;
        s.y[0] = 0;
        const pen_data data = sample_data(&s);
        CHECK_FIT_FAILS(texts.text[i / 2], &data, PEN_RANK_TOO_SMALL, "nothing to project on");
    }
}

/* All labelled rows coincide, so that the label scatters contain only rounding errors; other rows
 * are spread. */
TEST(equal_labelled_rows)
{
    const text_list texts =
        text_list_of("fda; fda column_scaling=orthonormal scale=standard; fda ridge=0.1; lfda; "
                     "lfda scaling_rows=all scale=minmax; lfda ridge=0.1; self beta=0; "
                     "self beta=0 scale=standard ridge=0.1");
    pen_rng rng = check_rng(8);
    for (int64_t i = 0; i < texts.count * check_repeats(10); i++) {
        sample s = sample_random(&rng, 100, 1 + i % 3, 2, 40);
        pen_model *model = NULL;
        pen_error err;
        for (int64_t c = 0; c < s.n * s.d; c++)
            s.x[c] = s.y[c / s.d] == PEN_UNLABELLED ? s.x[c] : 0.1 + (double)(c % s.d);
        const pen_data data = sample_data(&s);
        const pen_status status = fit_status(texts.text[i % texts.count], &data, &model, &err);
        CHECK(status == PEN_SINGULAR_SCATTER || status == PEN_RANK_TOO_SMALL, "%s: status %d",
              texts.text[i % texts.count], (int)status);
    }
}

/* ---- refused input ---- */

static void check_bad_arrays(const char *text, const pen_data *good)
{
    pen_data bad[] = { *good, *good, *good, *good, *good };

    bad[0].x.rows = 0;
    CHECK_FIT_FAILS(text, &bad[0], PEN_BAD_DATA, "row");
    bad[1].x.cols = 0;
    CHECK_FIT_FAILS(text, &bad[1], PEN_BAD_DATA, "col");
    bad[2].x.values = NULL;
    CHECK_FIT_FAILS(text, &bad[2], PEN_BAD_ARGUMENT, "x.values must not be NULL");
    bad[3].x.stride = good->x.cols - 1;
    CHECK_FIT_FAILS(text, &bad[3], PEN_BAD_ARGUMENT, "stride");
    bad[4].x.dtype = (pen_dtype)7;
    CHECK_FIT_FAILS(text, &bad[4], PEN_BAD_ARGUMENT, "7");
}

static void check_bad_values(const char *text, const linked *l)
{
    static const double values[] = { NAN, INFINITY, -INFINITY };

    for (int64_t i = 0; i < COUNT_OF(values); i++) {
        linked bad = linked_copy(l);
        bad.s.x[3 * l->s.d + 1] = values[i];
        const pen_data data = linked_data(&bad);
        CHECK_FIT_FAILS(text, &data, PEN_NOT_FINITE, "row 3, column 1");
    }
}

static void check_bad_labels(const setting *t, const linked *l)
{
    static const int64_t pair[] = { 0, 1 };
    linked few = linked_copy(l);
    pen_data data = linked_data(l);
    char phrase[64];

    snprintf(phrase, sizeof phrase, "%s does not learn from pairs", method_of(t)->name);
    data.must_link = pair, data.must_link_count = 1;
    CHECK_FIT_FAILS(t->text, &data, PEN_BAD_ARGUMENT, phrase);
    data = linked_data(l);
    data.cannot_link = pair, data.cannot_link_count = 1;
    CHECK_FIT_FAILS(t->text, &data, PEN_BAD_ARGUMENT, phrase);
    data = linked_data(&few);
    for (int64_t i = 0; i < few.s.n; i++) /* one class */
        few.s.y[i] = few.s.y[i] == 0 ? -9 : PEN_UNLABELLED;
    if (t->holds & (ONE_CLASS | NO_LABELS))
        fit_data(t->text, &data);
    else
        CHECK_FIT_FAILS(t->text, &data, PEN_ONE_CLASS, "class");
    for (int without = 0; without < 2; without++) {
        for (int64_t i = 0; i < few.s.n; i++)
            few.s.y[i] = PEN_UNLABELLED;
        data.labels = without ? NULL : data.labels;
        if (t->holds & NO_LABELS)
            fit_data(t->text, &data);
        else
            CHECK_FIT_FAILS(t->text, &data, PEN_NO_LABELS, "label");
    }
}

/* Adds one invalid pair. */
static void check_bad_pairs(const setting *t, const linked *l)
{
    static const struct {
        int64_t i, j;
        const char *phrase;
    } pairs[] = {
        { 3, 30, "30" },
        { -1, 4, "-1" },
        { INT64_MAX, 4, "9223372036854775807" },
        { 4, INT64_MIN, "-9223372036854775808" },
        { 17, 17, "row 17 twice" },
    };
    for (int kind = -1; kind <= 1; kind += 2)
        for (int64_t p = 0; p < COUNT_OF(pairs); p++) {
            linked bad = linked_copy(l);
            linked_add(&bad, kind, pairs[p].i, pairs[p].j);
            const pen_data data = linked_data(&bad);
            CHECK_FIT_FAILS(t->text, &data, PEN_BAD_PAIR, pairs[p].phrase);
            CHECK_FIT_FAILS(t->text, &data, PEN_BAD_PAIR,
                            kind == 1 ? "must_link: pair" : "cannot_link: pair");
        }
    pen_data data = linked_data(l);
    data.must_link = NULL;
    CHECK_FIT_FAILS(t->text, &data, PEN_BAD_ARGUMENT, NULL);
    data = linked_data(l);
    data.cannot_link_count = -1;
    CHECK_FIT_FAILS(t->text, &data, PEN_BAD_ARGUMENT, NULL);
}

static void check_refused(const char *method, const char *name, const char *value,
                          const char *phrase)
{
    pen_spec *spec = spec_of(method);
    const pen_param *param = NULL;
    void *record;
    int64_t index;
    pen_error err;

    const int known = pen_spec_find(spec, name, &param, &index, &record, &err) == PEN_OK,
              listed = !known || param->type == PEN_PARAM_CHOICE;
    const pen_status status = pen_spec_set(spec, name, value, &err);
    CHECK(status == (listed ? PEN_UNKNOWN_NAME : PEN_BAD_ARGUMENT) && strstr(err.message, phrase),
          "%s: %s=%s: %d %s", method, name, value, (int)status, status ? err.message : "");
}

TEST(refused_input)
{
    pen_rng rng = check_rng(9);
    for (int64_t i = 0; i < COUNT_OF(settings); i++) {
        const setting *t = &settings[i];
        const linked l = rows_of(&rng, t, 30, 4, 12, 20);
        const pen_data data = linked_data(&l);
        char text[256];
        check_bad_arrays(t->text, &data);
        check_bad_values(t->text, &l);
        if (learns_from_pairs(t))
            check_bad_pairs(t, &l);
        else
            check_bad_labels(t, &l);
        snprintf(text, sizeof text, "%s %s=30", t->text,
                 strncmp(t->text, "sodrpac", 7) == 0 ? "snn_neighbors" : "neighbors");
        if (t->holds & NEIGHBORS)
            CHECK_FIT_FAILS(text, &data, PEN_BAD_ARGUMENT,
                            "neighbors must be in [1, 29], the number of other rows, got 30");
    }
}

/* Values outside the ranges and words, and parameters of other methods: the message names the
 * parameter. */
TEST(refused_parameters)
{
#define SALE_REFUSED(name)                                                                         \
    name ": alpha=-0.5; alpha=inf; within_neighbors=0; neighbors=0; tol=-1; tol=nan; null_tol=0; " \
         "max_iter=0; restarts=0; dim=-1; init=given; stop=never"
    static const char *const texts[] = {
        "asl dim=auto: exponent=0.9; exponent=2.1; ridge=-1; tol=-1; max_iter=0; neighbors=5",
        "bwdr threshold=1 target=mean: threshold=0; threshold=1.01; threshold=nan; target=-2.5; "
        "target=most; target=nan; beta=1",
        "cfld total_rows=chunk column_scaling=total: total_rows=scatter; column_scaling=long",
        "clpp heat=auto: heat=0; ridge=-1; neighbors=0; max_pairs=0",
        "fda: ridge=-0.1; ridge=nan; neighbors=3",
        "fme heat=auto dim=auto unlabelled_weight=0: mu=-1; gamma=-1; label_weight=-1; "
        "unlabelled_weight=-1; mu=inf; gamma=inf; label_weight=inf; unlabelled_weight=inf; "
        "gamma=0; label_weight=0; neighbors=0; heat=0; graph=dense; prior=equal",
        "ilpp: neighbors=0; graph=union; origin=center; beta=0.5",
        "lfda: neighbors=0; neighbors=2.5; scaling_rows=class; beta=0.5",
        "lpp: column_scaling=weighted; ridge=-1; neighbors=0",
        "npssdr: mu=-1; form=sum",
        "pca: beta=0.5",
        "rca total_rows=chunk: ridge=-0.1; ridge=nan; total_rows=scatter",
        "rssdr: alpha=-0.1; beta=nan; reconstruction_ridge=-1; space=relative:-1; "
        "neighborhood=near; landmarks=all",
        SALE_REFUSED("saloe"),
        SALE_REFUSED("salwe"),
        "sda graph=heat heat=auto: alpha=-0.5; ridge=-1; neighbors=0; heat=0; graph=dense",
        "self: beta=1.3; beta=-1e-9; beta=nan; beta=0,5; beta_within=1.5; neighbors=0; "
        "affinity=cosine; heat=0; total=variance; scaling=all",
        "self-ilpp: beta=1.3; total=scatter",
        "self-mix: gamma=1.5; gamma=nan",
        "soda heat=auto dim=auto: alpha=-0.1; alpha=1; alpha=inf; ridge=-1; neighbors=0; heat=0; "
        "graph=dense",
        "sodrpac gamma=auto: lambda=-0.5; lambda=inf; gamma=0; snn_neighbors=0; "
        "manifold_neighbors=0; pair_terms=median",
        "soge heat=auto dim=auto unlabelled_weight=0: mu=-1; label_weight=-1; "
        "unlabelled_weight=-1; tol=-1; mu=0; label_weight=0; max_iter=0; neighbors=0; graph=dense",
        "ssda dim=all: beta=-0.5; neighbors=0; graph=heat",
        "ssdr: alpha=-1; beta=-1e-9; beta=nan",
        "stsd graph=heat heat=auto dim=all: alpha=-1; gamma=-1; beta=-1; tangent_dim=-1; "
        "neighbors=-1; tangent_dim=0; neighbors=0; heat=0; graph=dense",
        "tr-fsda graph=heat heat=auto dim=auto: alpha=-0.5; ridge=0; neighbors=0; heat=0; "
        "graph=dense",
        "wbdr: threshold=0; threshold=1.01; target=-2.5; target=most",
    };
    for (int64_t m = 0; m < COUNT_OF(texts); m++) {
        const text_list values = text_list_of(texts[m]);
        for (int64_t i = 1; i < values.count; i++) {
            char *const name = strrchr(values.text[i], ' ') + 1, *const end = strchr(name, '=');
            *end = '\0';
            check_refused(values.text[0], name, end + 1, name);
        }
    }
}

/* Defaults of the papers, which the oracles take from the library. */
TEST(defaults)
{
    static const struct {
        const char *method, *name;
        double value;
    } papers[] = { { "ssdr", "alpha", 1 },
                   { "ssdr", "beta", 20 },
                   { "wbdr", "threshold", 1 },
                   { "rca", "ridge", 0 } };
    for (int64_t i = 0; i < COUNT_OF(papers); i++) {
        double value = -1;
        pen_error err;
        CHECK_OK(pen_spec_number(spec_of(papers[i].method), papers[i].name, &value, &err), &err);
        CHECK(value == papers[i].value, "%s: %s is %g", papers[i].method, papers[i].name, value);
    }
}

/* ---- ties ---- */

/* Lattice points in more columns than rows: row order breaks ties of distances. */
TEST(lattice_of_many_columns)
{
    const text_list texts =
        text_list_of("clpp; sodrpac; sodrpac pair_terms=sum lambda=2 snn_neighbors=2; sda alpha=3; "
                     "sda alpha=3 graph=adaptive; sda alpha=3 graph=adaptive neighbors=24");
    pen_rng rng = check_rng(12);
    for (int64_t i = 0; i < 5 * texts.count; i++) {
        const setting t = { .text = texts.text[i % texts.count] };
        linked l = rows_of(&rng, &t, 25, 30, 9, 10);
        for (int64_t c = 0; c < 25 * 30; c++)
            l.s.x[c] = (double)pen_rng_below(&rng, 2);
        for (int64_t c = 0; l.labels && i > 2 * texts.count && c < 5 * 30; c++)
            l.s.x[20 * 30 + c] = l.s.x[c]; /* copies: fewer places than neighbors */
        const pen_data data = linked_data(&l);
        check_like(t.text, &data, NULL, 1e-8);
    }
}

/* ---- predictions ---- */

TEST(traits)
{
    static const struct {
        const char *method;
        int predicts;
    } methods[] = { { "fme", 1 }, { "asl", 1 }, { "soge", 1 }, { "soda", 0 } };
    for (int64_t i = 0; i < COUNT_OF(methods); i++) {
        const int found = pen_method_named(methods[i].method)->traits;
        CHECK(found & PEN_PROPAGATES && found & PEN_USES_UNLABELLED && found & PEN_LABELS
                  && !(found & PEN_PREDICTS) == !methods[i].predicts,
              "%s: traits %d", methods[i].method, found);
    }
    assert_int_equal(pen_method_named("npssdr")->source, PEN_SOURCE_RECONSTRUCTED);
    assert_int_equal(pen_method_named("asl")->source, PEN_SOURCE_RECONSTRUCTED);
    assert_int_equal(pen_method_named("stsd")->source, PEN_SOURCE_RECONSTRUCTED);
    assert_int_equal(pen_method_named("ssda")->source, PEN_SOURCE_RECONSTRUCTED);
}

TEST(predictions)
{
    const text_list texts = text_list_of(
        "soda; tr-fsda; stsd; ssda; fme; fme pca=3 scale=standard; fme prior=uniform; "
        "fme prior=none; asl; asl prior=none; asl pca=3 scale=standard exponent=2; soge; "
        "soge prior=none; soge dim=5 scale=standard allow_fewer=true");
    pen_rng rng = check_rng(10);
    for (int which = 1; which < 4; which++) {
        sample s = sample_shape(&rng, which);
        const pen_data data = sample_data(&s);
        for (int64_t i = 0; i < texts.count; i++)
            check_prediction(texts.text[i], &data);
    }
}
