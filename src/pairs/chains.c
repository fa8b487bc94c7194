/* chains.c - sets of rows, and the tree of their joins. */
#include "pairs/chains.h"

#include <stdlib.h>

/* ---- sets of rows ---- */

int64_t pen_chains_root(int64_t *root, int64_t row)
{
    while (root[row] != row)
        row = root[row] = root[root[row]];
    return row;
}

void pen_chains_join(int64_t *root, int64_t row, int64_t other)
{
    const int64_t a = pen_chains_root(root, row), b = pen_chains_root(root, other);
    root[pen_max(a, b)] = pen_min(a, b);
}

pen_status pen_chains_roots(pen_run *run, const pen_view *x, int closed, int64_t **out)
{
    PEN_TRY(PEN_NEW(run, *out, x->n));
    for (int64_t i = 0; i < x->n; i++)
        (*out)[i] = i;
    for (int64_t c = 0; closed && x->members && c < x->classes; c++)
        for (int64_t i = x->starts[c] + 1; i < x->starts[c + 1]; i++)
            pen_chains_join(*out, x->members[x->starts[c]], x->members[i]);
    return PEN_OK;
}

/* ---- the tree ---- */

struct edge {
    double weight;
    int64_t row, other;
};

static int strongest_first(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;
    if (p->weight != q->weight)
        return p->weight > q->weight ? -1 : 1;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    return (p->other > q->other) - (p->other < q->other);
}

/* Lists the must-links, and labels as links from the first row of a class. */
static pen_status list_edges(pen_run *run, const pen_view *x, const pen_chain_links *links,
                             struct edge **out, int64_t *count)
{
    const pen_links *const must = links->must;
    int64_t at = 0, *others;

    PEN_TRY(PEN_NEW(run, *out, must->count + (links->closed ? x->labelled : 0)));
    PEN_TRY(PEN_NEW(run, others, must->n));
    for (int64_t i = 0; i < must->n; i++) {
        const int64_t found = pen_links_of(must, i, i + 1, must->n, others);
        for (int64_t k = 0; k < found; k++)
            (*out)[at++] = (struct edge){ pen_links_weight(must, must->first[i] + k),
                                          links->rows[i], links->rows[others[k]] };
    }
    for (int64_t c = 0; links->closed && c < x->classes; c++)
        for (int64_t i = x->starts[c] + 1; i < x->starts[c + 1]; i++)
            (*out)[at++] = (struct edge){ 1, x->members[x->starts[c]], x->members[i] };
    *count = at;
    return PEN_OK;
}

/* Searches breadth first from the far end, over each edge in both directions, 2 k and 2 k + 1;
 * `path` is the queue. */
pen_status pen_chains_path(pen_run *run, const pen_view *x, const pen_chain_links *links,
                           int64_t row, int64_t other, int64_t *path, int64_t *length)
{
    int64_t *last, *before, *next, edges, tail = 1;
    struct edge *edge;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(list_edges(run, x, links, &edge, &edges));
    PEN_TRY(PEN_FILLED(run, last, x->n, -1));
    PEN_TRY(PEN_FILLED(run, next, x->n, -1));
    PEN_TRY(PEN_NEW(run, before, pen_times(2, edges)));
    for (int64_t k = 0; k < 2 * edges; k++) {
        int64_t *const from = &last[k % 2 ? edge[k / 2].other : edge[k / 2].row];
        before[k] = *from;
        *from = k;
    }
    path[0] = next[other] = other;
    for (int64_t head = 0; next[row] < 0; head++)
        for (int64_t k = last[path[head]]; k >= 0; k = before[k]) {
            const int64_t to = k % 2 ? edge[k / 2].row : edge[k / 2].other;
            if (next[to] < 0) {
                next[to] = path[head];
                path[tail++] = to;
            }
        }
    path[0] = row;
    for (*length = 1; path[*length - 1] != other; ++*length)
        path[*length] = next[path[*length - 1]];
    pen_release(run, mark);
    return PEN_OK;
}

struct growing {
    pen_chain_join *join;
    int64_t *root, *made; /* [n] by root: the join that made the set, or -1 */
    int64_t count;
};

static int64_t size_of(const struct growing *g, int64_t made)
{
    return made < 0 ? 1 : g->join[made].end;
}

/* Until the sets have places, `end` is their size, and `first` and `middle` are the roots of the
 * two. */
static void grow(struct growing *g, const struct edge *edge)
{
    const int64_t a = pen_chains_root(g->root, edge->row),
                  b = pen_chains_root(g->root, edge->other), left = g->made[a], right = g->made[b];

    if (a == b)
        return;
    g->join[g->count] = (pen_chain_join){ .first = a,
                                          .middle = b,
                                          .end = size_of(g, left) + size_of(g, right),
                                          .left = left,
                                          .right = right,
                                          .weight = edge->weight };
    pen_chains_join(g->root, a, b);
    g->made[pen_min(a, b)] = g->count++;
}

/* A join determines the places of its two sets; the sets of the last joins follow one another. */
static void place(const struct growing *g, int64_t *start, int64_t *members)
{
    int64_t end = 0;

    for (int64_t t = 0; t < g->count; t++)
        start[t] = -1;
    for (int64_t t = g->count - 1; t >= 0; t--) {
        pen_chain_join *const join = g->join + t;
        const int64_t sides[] = { join->left, join->right }, rows[] = { join->first, join->middle },
                      size = join->end;
        if (start[t] < 0) {
            start[t] = end;
            end += size;
        }
        join->first = start[t];
        join->middle = start[t] + size_of(g, sides[0]);
        join->end = start[t] + size;
        for (int side = 0; side < 2; side++) {
            const int64_t at = side ? join->middle : join->first;
            *(sides[side] < 0 ? members + at : start + sides[side]) =
                sides[side] < 0 ? rows[side] : at;
        }
    }
}

pen_status pen_chains_tree(pen_run *run, const pen_view *x, const pen_chain_links *links,
                           pen_chain_tree *out)
{
    struct growing g = { .count = 0 };
    int64_t *members, *start, edges;
    struct edge *edge;

    PEN_TRY(PEN_NEW2(run, members, g.join, x->n));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(list_edges(run, x, links, &edge, &edges));
    qsort(edge, (size_t)edges, sizeof *edge, strongest_first);
    PEN_TRY(pen_chains_roots(run, x, 0, &g.root));
    PEN_TRY(PEN_FILLED(run, g.made, x->n, -1));
    PEN_TRY(PEN_NEW(run, start, x->n));
    for (int64_t k = 0; k < edges; k++)
        grow(&g, &edge[k]);
    place(&g, start, members);
    pen_release(run, mark);
    *out = (pen_chain_tree){ g.count, g.join, members };
    return PEN_OK;
}
