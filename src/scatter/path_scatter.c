/* path_scatter.c - passes weights down the merge tree and means up. Each merge contributes up to
 * four rows, whose outer products add up to the scatter. */
#include "scatter/path_scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 2048 };

/* Rounding error of means, relative to their terms. */
static const double ROUNDING = 16 * DBL_EPSILON;

enum kind { OTHER, LABELLED, KINDS };

/* For rows and groups, and for each kind of row: the number of rows, and the weight of their
 * scatter in the pairs joined by later merges. */
struct group {
    double size[KINDS], above[KINDS];
};

/* A group not yet merged. */
struct pending {
    int64_t group;
    double *mean[KINDS]; /* [d] each, undefined if there are no rows */
};

struct paths {
    const pen_view *x;
    const pen_merges *merges;
    struct group *groups; /* [2 n - 1] */
    /* [2 n - 1] rows and groups in postorder, the larger part first */
    int64_t *order;
    struct pending *stack;
    int64_t depth;
    double *block;   /* [BLOCK x d] */
    int64_t rows;    /* filled rows of the block */
    double *squares; /* [d] */
    double weight;
    pen_sym *S;
};

static double total(const struct group *g)
{
    return g->size[OTHER] + g->size[LABELLED];
}

static void find_groups(const struct paths *p)
{
    const int64_t n = p->x->n;

    for (int64_t i = 0; i < n; i++)
        p->groups[i] = (struct group){ .size = { 1, 0 } };
    for (int64_t i = 0; i < p->x->labelled; i++)
        p->groups[p->x->members[i]] = (struct group){ .size = { 0, 1 } };
    for (int64_t m = 0; m < n - 1; m++) {
        const struct group *const a = p->groups + p->merges->list[m].left,
                                  *const b = p->groups + p->merges->list[m].right;
        p->groups[n + m] = (struct group){ .size = { a->size[OTHER] + b->size[OTHER],
                                                     a->size[LABELLED] + b->size[LABELLED] } };
    }
    for (int64_t m = n - 2; m >= 0; m--) {
        const double s = p->merges->list[m].similarity;
        struct group *const a = p->groups + p->merges->list[m].left;
        struct group *const b = p->groups + p->merges->list[m].right;
        const struct group *const merged = p->groups + n + m;
        a->above[OTHER] = merged->above[OTHER] + s * total(b);
        b->above[OTHER] = merged->above[OTHER] + s * total(a);
        a->above[LABELLED] = merged->above[LABELLED] + s * b->size[OTHER];
        b->above[LABELLED] = merged->above[LABELLED] + s * a->size[OTHER];
    }
}

/* Traverses the tree from the last merge down, smaller part first; `order` is the reverse. With the
 * larger part first, at most log2 n groups are pending at a time. */
static void find_order(const struct paths *p, int64_t *unvisited)
{
    const int64_t n = p->x->n;
    int64_t count = 1, at = 2 * n - 1;

    unvisited[0] = 2 * n - 2;
    while (count > 0) {
        const int64_t group = unvisited[--count];
        p->order[--at] = group;
        if (group < n)
            continue;
        const pen_merge *const m = p->merges->list + (group - n);
        const int swap = total(p->groups + m->left) < total(p->groups + m->right);
        unvisited[count++] = swap ? m->right : m->left;
        unvisited[count++] = swap ? m->left : m->right;
    }
}

static pen_status flush(pen_run *run, struct paths *p)
{
    PEN_TRY(pen_sym_add_rows(run, "scatter of paths", p->weight, p->rows, p->block, p->S));
    p->rows = 0;
    return PEN_OK;
}

/* Appends a row: sqrt(weight) times the difference of two means. */
static void add_row(struct paths *p, double weight, const double *a, const double *b)
{
    const int64_t d = p->x->d;
    double *restrict row = p->block + p->rows * d, *restrict squares = p->squares;

    if (!(weight > 0))
        return;
    for (int64_t j = 0; j < d; j++) {
        row[j] = sqrt(weight) * (a[j] - b[j]);
        squares[j] += weight * (a[j] * a[j] + b[j] * b[j]);
    }
    p->rows++;
}

/* Replaces the mean of the first group by the mean of both. */
static void join_means(int64_t d, double size_a, double size_b, double *restrict a,
                       const double *restrict b)
{
    if (size_a == 0 && size_b > 0)
        memcpy(a, b, (size_t)d * sizeof *a);
    if (size_a > 0 && size_b > 0)
        for (int64_t j = 0; j < d; j++)
            a[j] += (b[j] - a[j]) * (size_b / (size_a + size_b));
}

/* Merges the two groups on top of the stack into `group`. */
static void join(struct paths *p, int64_t group)
{
    const struct pending *const A = p->stack + p->depth - 2, *const B = A + 1;
    const struct group *const a = p->groups + A->group, *const b = p->groups + B->group,
                              *const merged = p->groups + group;
    const double s = p->merges->list[group - p->x->n].similarity;

    for (int kind = 0; kind < KINDS; kind++) {
        const double product = a->size[kind] * b->size[kind], sum = a->size[kind] + b->size[kind];
        const double direct = kind == OTHER ? s * product : 0;
        add_row(p, direct + (product > 0 ? merged->above[kind] * product / sum : 0), A->mean[kind],
                B->mean[kind]);
    }
    add_row(p, s * a->size[OTHER] * b->size[LABELLED], A->mean[OTHER], B->mean[LABELLED]);
    add_row(p, s * a->size[LABELLED] * b->size[OTHER], A->mean[LABELLED], B->mean[OTHER]);
    for (int kind = 0; kind < KINDS; kind++)
        join_means(p->x->d, a->size[kind], b->size[kind], A->mean[kind], B->mean[kind]);
    p->depth--;
    p->stack[p->depth - 1].group = group;
}

static pen_status add_all(pen_run *run, struct paths *p)
{
    const int64_t n = p->x->n;

    for (int64_t at = 0; at < 2 * n - 1; at++) {
        if (p->order[at] < n) {
            struct pending *const top = p->stack + p->depth++;
            top->group = p->order[at];
            for (int kind = 0; kind < KINDS; kind++)
                if (p->groups[top->group].size[kind] > 0)
                    pen_rows_centered(p->x, NULL, top->group, 1, top->mean[kind]);
        } else {
            join(p, p->order[at]);
        }
        if (p->rows > BLOCK - 4)
            PEN_TRY(flush(run, p));
    }
    return flush(run, p);
}

/* Allocates the stack: each pending group is at least as large as all after it together. */
static pen_status new_stack(pen_run *run, struct paths *p)
{
    const int64_t d = p->x->d;
    int64_t room = 2;
    double *means;

    for (int64_t size = p->x->n; size > 1; size /= 2)
        room++;
    PEN_TRY(PEN_NEW(run, p->stack, room));
    PEN_TRY(PEN_NEW(run, means, pen_times(pen_times(room, KINDS), d)));
    for (int64_t i = 0; i < room; i++)
        for (int kind = 0; kind < KINDS; kind++)
            p->stack[i].mean[kind] = means + (i * KINDS + kind) * d;
    return PEN_OK;
}

pen_status pen_scatter_paths(pen_run *run, double weight, const pen_view *x,
                             const pen_merges *merges, pen_sym *S)
{
    struct paths p = { .x = x, .merges = merges, .weight = weight, .S = S };
    double all = 0;
    int64_t *unvisited;

    if (weight == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, p.groups, p.order, pen_times(2, x->n)));
    PEN_TRY(PEN_NEW(run, unvisited, x->n + 1));
    PEN_TRY(PEN_NEW(run, p.block, pen_times(BLOCK, x->d)));
    PEN_TRY(PEN_FILLED(run, p.squares, x->d, 0));
    find_groups(&p);
    find_order(&p, unvisited);
    PEN_TRY(new_stack(run, &p));
    PEN_TRY(add_all(run, &p));
    for (int64_t i = 0; i < x->n; i++)
        all += p.groups[i].above[p.groups[i].size[LABELLED] > 0];
    for (int64_t j = 0; j < x->d; j++)
        p.squares[j] = ROUNDING * sqrt(p.squares[j]);
    pen_sym_note(S, x->n - 1, DBL_EPSILON);
    pen_sym_add_floor(fabs(weight), p.squares, S);
    pen_sym_add_floor(fabs(weight) * all, x->rounding, S);
    pen_release(run, mark);
    return PEN_OK;
}
