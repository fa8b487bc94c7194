/* pair_parse.c - lists, graphs and edges are believed when they name what is there. */
#include "stats/pair_parse.h"

#include "linalg/graph_terms.h"
#include "stats/merge.h"
#include "stats/pair_task.h"

#include <math.h>

/* Rounding by which the shares of a row may be above 1 together. */
static const double MOST = 1.001;

/* Pairs of blocks, a <= b, once, in order. */
static pen_status check_tasks(const pen_model_source *s, const pen_stats *x, const int64_t *tasks,
                              int64_t count, const char *name)
{
    REFUSE_UNLESS(s, count >= 1, "%s: tensor \"%s\" has no tasks", s->name, name);
    for (int64_t t = 0; t < count; t++) {
        const int64_t *const task = tasks + 2 * t;
        REFUSE_UNLESS(s, task[0] <= task[1] && (t == 0 || pen_stats_compare(task - 2, task, 2) < 0),
                      "%s: tensor \"%s\" must name pairs of blocks once, in order", s->name, name);
        REFUSE_UNLESS(
            s, pen_stats_find_block(x, task[0]) >= 0 && pen_stats_find_block(x, task[1]) >= 0,
            "%s: tensor \"%s\" names a block that is not there", s->name, name);
    }
    return PEN_OK;
}

/* One list: rows of all but its own, by (distance, row), then nothing. */
static int is_list(const int64_t *rows, const double *distance2, int64_t width, int64_t n,
                   int64_t own)
{
    int good = 1;

    for (int64_t c = 0; c < width && good; c++) {
        const int there = rows[c] >= 0;
        good = there ? rows[c] < n && rows[c] != own && isfinite(distance2[c]) && distance2[c] >= 0
                     : rows[c] == -1 && isinf(distance2[c]);
        if (good && c > 0 && there)
            good = distance2[c - 1] < distance2[c]
                   || (distance2[c - 1] == distance2[c] && rows[c - 1] < rows[c]);
        else if (good && c > 0)
            good = distance2[c - 1] <= distance2[c];
    }
    return good;
}

static pen_status check_block_lists(const pen_model_source *s, const pen_stats *x)
{
    const int64_t n = pen_stats_count(x);
    int64_t at = 0, before = 0;

    for (int64_t b = 0, l = 0; b < x->block_count && l < x->list_blocks; b++) {
        const int64_t rows = x->blocks[3 * b + 1];
        for (int64_t i = 0; x->list_block[l] == x->blocks[3 * b] && i < rows; i++, at++) {
            REFUSE_UNLESS(s, at < x->listed, "%s: tensor \"list_row\" has too few rows", s->name);
            REFUSE_UNLESS(s,
                          is_list(x->list_row + at * x->list_width,
                                  x->list_distance2 + at * x->list_width, x->list_width, n,
                                  before + i),
                          "%s: tensors \"list_row\" and \"list_distance2\" must name other rows, "
                          "nearest first, ties by row: row %lld",
                          s->name, (long long)(before + i));
        }
        l += x->list_block[l] == x->blocks[3 * b];
        before += rows;
    }
    REFUSE_UNLESS(s, at == x->listed, "%s: tensor \"list_row\" has %lld rows, its blocks %lld",
                  s->name, (long long)x->listed, (long long)at);
    return PEN_OK;
}

static pen_status check_lists(const pen_model_source *s, const pen_stats *x)
{
    int64_t *blocks, count;

    if (!(x->parts & PEN_PART_LISTS))
        return PEN_OK;
    PEN_TRY(check_tasks(s, x, x->list_task, x->list_tasks, "list_task"));
    PEN_TRY(pen_pair_blocks(s->run, x, x->list_task, x->list_tasks, &blocks, &count));
    for (int64_t l = 0; l < x->list_blocks; l++)
        REFUSE_UNLESS(s, l < count && x->list_block[l] == blocks[l] && x->list_length[l] >= 0,
                      "%s: tensor \"list_block\" must name the blocks of the tasks, in order, and "
                      "\"list_length\" must not be negative",
                      s->name);
    REFUSE_UNLESS(s, count == x->list_blocks,
                  "%s: tensor \"list_block\" must name all blocks of the tasks", s->name);
    return check_block_lists(s, x);
}

static pen_status check_term(const pen_model_source *s, const pen_stats *x, int64_t term)
{
    const int64_t *const first = x->graph_first + term * x->firsts, before = term ? first[-1] : 0;

    REFUSE_UNLESS(s, first[0] == before, "%s: tensor \"graph_first\" must go on", s->name);
    for (int64_t i = 0; i < x->all_rows; i++) {
        REFUSE_UNLESS(s, first[i + 1] >= first[i] && first[i + 1] <= x->edges,
                      "%s: tensor \"graph_first\" must be ascending, within the edges", s->name);
        for (int64_t e = first[i]; e < first[i + 1]; e++)
            REFUSE_UNLESS(s,
                          x->graph_other[e] > (e > first[i] ? x->graph_other[e - 1] : i)
                              && x->graph_other[e] < x->all_rows,
                          "%s: tensor \"graph_other\" must name later rows, ascending", s->name);
    }
    return PEN_OK;
}

static pen_status check_graph(const pen_model_source *s, const pen_stats *x)
{
    if (!(x->parts & PEN_PART_GRAPH))
        return PEN_OK;
    REFUSE_UNLESS(s,
                  x->all_rows == pen_stats_count(x) && x->dense <= 1
                      && x->results == x->terms + 2 * x->dense,
                  "%s: the graph is of other rows than the blocks", s->name);
    for (int64_t t = 0; t < x->terms; t++)
        PEN_TRY(check_term(s, x, t));
    REFUSE_UNLESS(s, (x->terms ? x->graph_first[x->terms * x->firsts - 1] : 0) == x->edges,
                  "%s: tensor \"graph_other\" has edges of no row", s->name);
    for (int64_t i = 0; i < x->dense * x->all_rows; i++)
        REFUSE_UNLESS(s, x->graph_sigma[i] >= 0, "%s: tensor \"graph_sigma\" has a value below 0",
                      s->name);
    return PEN_OK;
}

static pen_status check_shares(const pen_model_source *s, const pen_stats *x)
{
    const int64_t c = x->soft_classes;

    REFUSE_UNLESS(s, x->all_rows == pen_stats_count(x),
                  "%s: tensor \"share\" has other rows than the blocks", s->name);
    for (int64_t i = 0; i < x->all_rows; i++) {
        double sum = 0;
        int good = 1;
        for (int64_t k = 0; k < c; k++) {
            good &= x->share[i * c + k] >= 0;
            sum += x->share[i * c + k];
        }
        REFUSE_UNLESS(s, good && sum <= MOST,
                      "%s: tensor \"share\": shares must not be negative, nor above 1 together: "
                      "row %lld",
                      s->name, (long long)i);
    }
    return PEN_OK;
}

static pen_status check_soft_sums(const pen_model_source *s, const pen_stats *x)
{
    double mass = 0, rows = 0;

    PEN_TRY(check_tasks(s, x, x->soft_task, x->soft_tasks, "soft_task"));
    for (int64_t t = 0; t < x->soft_tasks; t++)
        if (x->soft_task[2 * t] == x->soft_task[2 * t + 1])
            rows += (double)x->blocks[3 * pen_stats_find_block(x, x->soft_task[2 * t]) + 1];
    for (int64_t c = 0; c < x->soft_classes; c++) {
        REFUSE_UNLESS(s, x->soft_mass[c] >= 0, "%s: tensor \"soft_mass\" has a value below 0",
                      s->name);
        mass += x->soft_mass[c];
    }
    REFUSE_UNLESS(s, mass <= MOST * rows,
                  "%s: tensor \"soft_mass\" is more than the rows: %g of %g", s->name, mass, rows);
    for (int64_t j = 0; j < x->d; j++)
        REFUSE_UNLESS(s, x->soft_within[j * (j + 3) / 2] >= 0,
                      "%s: tensor \"soft_within\" has a negative sum of squares", s->name);
    return PEN_OK;
}

static pen_status check_soft(const pen_model_source *s, const pen_stats *x)
{
    if (x->parts & (PEN_PART_SHARES | PEN_PART_SOFT))
        REFUSE_UNLESS(s, x->soft_classes >= 1, "%s: soft classes must be at least 1", s->name);
    if (x->parts & PEN_PART_SHARES)
        PEN_TRY(check_shares(s, x));
    return x->parts & PEN_PART_SOFT ? check_soft_sums(s, x) : PEN_OK;
}

static pen_status check_residuals(const pen_model_source *s, const pen_stats *x)
{
    if (!(x->parts & PEN_PART_RESIDUALS))
        return PEN_OK;
    PEN_TRY(check_tasks(s, x, x->residual_task, x->residual_tasks, "residual_task"));
    for (int64_t t = 0; t < x->residual_tasks; t++)
        REFUSE_UNLESS(s, x->residual_task[2 * t] == x->residual_task[2 * t + 1],
                      "%s: tensor \"residual_task\" must name single blocks, each twice", s->name);
    REFUSE_UNLESS(s, x->residual_check[0] >= 1 && x->residual_check[1] >= 0,
                  "%s: tensor \"residual_check\" has less than one neighbor, or a ridge below 0",
                  s->name);
    REFUSE_UNLESS(s, x->residual_check[2] >= 0 && x->residual_check[2] <= 0xffffffffp0,
                  "%s: tensor \"residual_check\" has no digest", s->name);
    REFUSE_UNLESS(s, x->residual_noise[0] >= 0, "%s: tensor \"residual_noise\" has a value below 0",
                  s->name);
    for (int64_t j = 0; j < x->d; j++)
        REFUSE_UNLESS(s, x->residual_scatter[j * (j + 3) / 2] >= 0,
                      "%s: tensor \"residual_scatter\" has a negative sum of squares", s->name);
    return PEN_OK;
}

pen_status pen_pair_check_numbers(const pen_model_source *s, const pen_stats *x)
{
    PEN_TRY(check_lists(s, x));
    PEN_TRY(check_graph(s, x));
    PEN_TRY(check_soft(s, x));
    PEN_TRY(check_residuals(s, x));
    REFUSE_UNLESS(s, x->results <= PEN_TERMS_MOST + 1, "%s: %lld scatters are too many", s->name,
                  (long long)x->results);
    if (!(x->parts & PEN_PART_EDGES))
        return PEN_OK;
    PEN_TRY(check_tasks(s, x, x->edge_task, x->edge_tasks, "edge_task"));
    for (int64_t i = 0; i < x->results * x->d; i++)
        REFUSE_UNLESS(s, x->edge_squares[i] >= 0, "%s: tensor \"edge_squares\" has a value below 0",
                      s->name);
    return PEN_OK;
}
