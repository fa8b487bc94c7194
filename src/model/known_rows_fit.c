/* known_rows_fit.c - finds labelled or paired rows and renumbers pairs among them. */
#include "model/known_rows_fit.h"

#include "linalg/sparse_rows.h"

#include <string.h>

/* Marks the rows of pairs. */
static pen_status mark_pairs(pen_run *run, const pen_pair_set *pairs, int64_t *place)
{
    const int64_t positions = pairs->must.n,
                  chained = pairs->chains ? pairs->chain_starts[pairs->chains] : 0;
    double *degree;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, degree, positions, 0));
    pen_links_add_degrees(&pairs->must, degree);
    pen_links_add_degrees(&pairs->cannot, degree);
    for (int64_t i = 0; i < positions; i++)
        if (degree[i] > 0)
            place[pairs->rows[i]] = 1;
    for (int64_t i = 0; i < chained; i++)
        place[pairs->chain_members[i]] = 1;
    pen_release(run, mark);
    return PEN_OK;
}

/* place [n]: the number of a row among rows that the method sees, or -1; *numbers: these rows. */
static pen_status find_known(pen_run *run, const pen_problem *whole, int64_t *place,
                             int64_t **numbers, int64_t *count)
{
    const pen_view *const x = &whole->rows;

    memset(place, 0, (size_t)x->n * sizeof *place);
    for (int64_t i = 0; (!whole->pairs || whole->pairs->closed) && i < x->labelled; i++)
        place[x->members[i]] = 1;
    if (whole->pairs)
        PEN_TRY(mark_pairs(run, whole->pairs, place));
    *count = 0;
    for (int64_t i = 0; i < x->n; i++)
        place[i] = place[i] ? (*count)++ : -1;
    PEN_TRY(PEN_NEW(run, *numbers, *count));
    for (int64_t i = 0; i < x->n; i++)
        if (place[i] >= 0)
            (*numbers)[place[i]] = i;
    return PEN_OK;
}

/* Positions may include rows without pairs. Nothing reads these, so row 0 replaces them. */
static pen_status translate(pen_run *run, const int64_t *place, int64_t count, const int64_t *rows,
                            const int64_t **out)
{
    int64_t *translated;

    PEN_TRY(PEN_NEW(run, translated, count));
    for (int64_t i = 0; i < count; i++)
        translated[i] = pen_max(0, place[rows[i]]);
    *out = translated;
    return PEN_OK;
}

/* The number of rows in a tree. */
static int64_t rows_of_tree(const pen_chain_tree *tree)
{
    int64_t count = 0;

    for (int64_t t = 0; t < tree->count; t++)
        count = pen_max(count, tree->join[t].end);
    return count;
}

static pen_status take_pairs(pen_run *run, const pen_pair_set *pairs, const int64_t *place,
                             pen_pair_set *out)
{
    pen_chain_tree *tree;

    *out = *pairs;
    PEN_TRY(translate(run, place, pairs->must.n, pairs->rows, &out->rows));
    if (pairs->chains)
        PEN_TRY(translate(run, place, pairs->chain_starts[pairs->chains], pairs->chain_members,
                          &out->chain_members));
    if (!pairs->tree)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, tree, 1));
    *tree = *pairs->tree;
    PEN_TRY(translate(run, place, rows_of_tree(tree), pairs->tree->members, &tree->members));
    out->tree = tree;
    return PEN_OK;
}

pen_status pen_known_rows_fit_open(pen_run *run, const pen_problem *whole, int64_t most,
                                   pen_known_rows_fit *out)
{
    int64_t *place, *numbers, count;

    *out = (pen_known_rows_fit){ .problem = { .pairs = NULL } };
    PEN_TRY(PEN_NEW(run, place, whole->rows.n));
    PEN_TRY(find_known(run, whole, place, &numbers, &count));
    if (count < 2 || count > most)
        return PEN_OK;
    PEN_TRY(pen_problem_open_part(run, whole, count, numbers, &out->problem));
    PEN_TRY(pen_sparse_rows_attach(run, &out->problem.rows));
    if (!whole->pairs)
        return PEN_OK;
    PEN_TRY(take_pairs(run, whole->pairs, place, &out->pairs));
    out->problem.pairs = &out->pairs;
    return PEN_OK;
}
