/* pairs_file.c - files of pairs: two row numbers, the kind of the pair if the file has both, and
 * optionally its weight. */
#include "io/pairs_file.h"

#include "core/arguments.h"
#include "io/cell_grid.h"
#include "io/read.h"
#include "io/table/cell_value.h"
#include "io/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_COLUMNS = 4 }; /* i, j, kind, weight */

struct kept {
    pen_pairs table;
    int64_t values[]; /* [2 x pairs] row numbers, then [pairs] weights if the file has them */
};

/* A pair as read. */
struct pair {
    int64_t row, other, link;
    double weight;
};

struct job {
    pen_link link;
    int64_t rows;   /* row numbers are below this; 0: not checked */
    uint64_t limit; /* the same for unsigned numbers, which also excludes negative ones */
    int weighted;   /* the last column is weights */
    pen_cell_grid grid;
};

/* Does the number of columns match the kind of pairs requested? */
static pen_status check_columns(struct job *job)
{
    const pen_cell_grid *const grid = &job->grid;
    const int64_t columns = grid->columns, least = job->link == PEN_ANY_LINK ? 3 : 2;
    char place[PEN_PLACE_SIZE];

    job->weighted = columns > least;
    if (columns < 2 || columns > MOST_COLUMNS) {
        pen_fail(grid->run, PEN_BAD_FORMAT, "%s: a pair is two row numbers%s, got %lld cell%s",
                 pen_cell_place(grid, -1, pen_min(columns, MOST_COLUMNS), place),
                 columns > 2 ? " and optionally its kind and its weight" : "", (long long)columns,
                 columns == 1 ? "; is this a file of labels?" : "s");
        return pen_hint(grid->run, PEN_BAD_FORMAT, columns == 1 ? PEN_HINT_LABEL_FILE : 0);
    }
    if (grid->rows == 0 || columns == least || columns == least + 1)
        return PEN_OK;
    if (columns < least) {
        pen_fail(grid->run, PEN_BAD_FORMAT,
                 "%s: two columns do not give the kind of the pair; expected a third column of 1 "
                 "(must-link) or -1 (cannot-link)",
                 pen_cell_place(grid, -1, columns, place));
        return pen_hint(grid->run, PEN_BAD_FORMAT, PEN_HINT_ONE_LINK);
    }
    pen_fail(grid->run, PEN_BAD_FORMAT,
             "%s: expected pairs of one kind in two columns, or three with weights, got four "
             "columns with the kind and the weight of each pair",
             pen_cell_place(grid, -1, columns - 1, place));
    return pen_hint(grid->run, PEN_BAD_FORMAT, PEN_HINT_ANY_LINK);
}

/* ---- a pair ---- */

static pen_status read_row_number(const struct job *job, int64_t k, int64_t j, int64_t *row)
{
    const enum pen_whole whole = pen_cell_whole(&job->grid, k, j, row);
    char room[PEN_NUMBER_SIZE], rule[64];

    if (whole == PEN_WHOLE && (uint64_t)*row < job->limit)
        return PEN_OK;
    if (whole == PEN_NOT_WHOLE)
        return pen_cell_refuse(&job->grid, k, j, PEN_BAD_FORMAT,
                               "row number must be a whole number", "");
    snprintf(rule, sizeof rule, "row number must be in 0 .. %lld", (long long)(job->limit - 1));
    return pen_cell_refuse(&job->grid, k, j, PEN_BAD_PAIR,
                           job->rows > 0 || *pen_cell_text(&job->grid, k, j, room).start != '-'
                               ? rule
                               : "row number must not be negative",
                           "");
}

static pen_status read_kind(const struct job *job, int64_t k, int64_t j, int64_t *link)
{
    if (pen_cell_whole(&job->grid, k, j, link) == PEN_WHOLE
        && (*link == PEN_MUST_LINK || *link == PEN_CANNOT_LINK))
        return PEN_OK;
    return pen_cell_refuse(&job->grid, k, j, PEN_BAD_FORMAT,
                           "the kind of a pair must be 1 (must-link) or -1 (cannot-link)", "");
}

static pen_status read_weight(const struct job *job, int64_t k, int64_t j, double *weight)
{
    char room[PEN_NUMBER_SIZE];

    if (pen_is_number(pen_cell_text(&job->grid, k, j, room), '.', weight) && isfinite(*weight)
        && *weight >= 0)
        return PEN_OK;
    const int kind = job->link != PEN_ANY_LINK && *weight == -1;
    const pen_status code = kind ? PEN_BAD_FORMAT : PEN_BAD_PAIR;
    pen_cell_refuse(&job->grid, k, j, code, "the weight of a pair must be a finite number >= 0",
                    kind ? ", as in files with the kind of each pair" : "");
    return pen_hint(job->grid.run, code, kind ? PEN_HINT_ANY_LINK : 0);
}

static pen_status read_pair(const struct job *job, int64_t k, struct pair *pair)
{
    char place[PEN_PLACE_SIZE];

    *pair = (struct pair){ .link = job->link, .weight = 1 };
    PEN_TRY(read_row_number(job, k, 0, &pair->row));
    PEN_TRY(read_row_number(job, k, 1, &pair->other));
    PEN_REQUIRE(job->grid.run, pair->row != pair->other, PEN_BAD_PAIR,
                "%s: a pair must be two different rows, got %lld twice",
                pen_cell_place(&job->grid, k, 1, place), (long long)pair->row);
    if (job->link == PEN_ANY_LINK)
        PEN_TRY(read_kind(job, k, 2, &pair->link));
    return job->weighted ? read_weight(job, k, job->grid.columns - 1, &pair->weight) : PEN_OK;
}

/* ---- all pairs ---- */

pen_status pen_pairs_new(pen_run *run, int64_t must, int64_t cannot, int weighted, pen_pairs **out)
{
    const int64_t head = (int64_t)(sizeof(struct kept) / sizeof(int64_t)),
                  count = pen_plus(must, cannot), room = pen_times(weighted ? 3 : 2, count);
    struct kept *const kept = pen_keep(run, pen_plus(head, room), sizeof(int64_t));

    if (!kept)
        return PEN_NO_MEMORY;
    double *const weights = (double *)(void *)(kept->values + 2 * count);
    kept->table = (pen_pairs){
        .must_link = must > 0 ? kept->values : NULL,
        .must_link_count = must,
        .cannot_link = cannot > 0 ? kept->values + 2 * must : NULL,
        .cannot_link_count = cannot,
        .must_link_weights = weighted && must > 0 ? weights : NULL,
        .cannot_link_weights = weighted && cannot > 0 ? weights + must : NULL,
    };
    *out = &kept->table;
    return PEN_OK;
}

/* Lists the pairs of each kind in file order. */
static pen_status make_table(const struct job *job, const struct pair *pairs, pen_pairs **out)
{
    const int64_t count = job->grid.rows;
    int64_t must = 0, done[] = { 0, 0 };

    for (int64_t k = 0; k < count; k++)
        must += pairs[k].link == PEN_MUST_LINK;
    PEN_TRY(pen_pairs_new(job->grid.run, must, count - must, job->weighted, out));
    for (int64_t k = 0; k < count; k++) {
        const int cannot = pairs[k].link == PEN_CANNOT_LINK;
        const int64_t at = done[cannot]++;
        int64_t *const to = (cannot ? (*out)->cannot_link : (*out)->must_link) + 2 * at;
        to[0] = pairs[k].row;
        to[1] = pairs[k].other;
        if (job->weighted)
            (cannot ? (*out)->cannot_link_weights : (*out)->must_link_weights)[at] =
                pairs[k].weight;
    }
    return PEN_OK;
}

static pen_status read_input(pen_run *run, const pen_input *input, pen_link link, int64_t rows,
                             pen_pairs **out)
{
    struct job job = { .link = link, .rows = rows, .grid = { .run = run, .row_name = "pair" } };
    struct pair *pairs;

    PEN_TRY(pen_cell_grid_read(input, &job.grid));
    job.limit = rows > 0                     ? (uint64_t)rows
                : job.grid.array.kind == 'f' ? UINT64_C(1) << 53
                                             : INT64_MAX + UINT64_C(1);
    if (job.grid.columns > 0 || job.grid.rows > 0)
        PEN_TRY(check_columns(&job));
    PEN_TRY(PEN_NEW(run, pairs, job.grid.rows));
    for (int64_t k = 0; k < job.grid.rows; k++)
        PEN_TRY(read_pair(&job, k, &pairs[k]));
    return make_table(&job, pairs, out);
}

/* Reads the file `path`, or the bytes of `input`. */
static pen_status read_any(pen_run *run, const char *path, const pen_input *input, pen_link link,
                           int64_t rows, pen_pairs **out)
{
    pen_bytes bytes;
    pen_input file;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_REQUIRE(run, link >= PEN_CANNOT_LINK && link <= PEN_MUST_LINK, PEN_BAD_ARGUMENT,
                "link must be one of pen_link, got %d", (int)link);
    PEN_REQUIRE(run, rows >= 0, PEN_BAD_ARGUMENT, "rows must be >= 0, got %lld", (long long)rows);
    PEN_TRY(pen_input_read(run, path, input, 0, &bytes, &file));
    const pen_status status = read_input(run, &file, link, rows, out);
    pen_bytes_free(&bytes);
    return status;
}

pen_status pen_read_pairs_bytes(const char *name, const void *data, size_t size, pen_link link,
                                int64_t rows, pen_pairs **out, pen_error *err)
{
    const pen_input input = { .name = name, .data = data, .size = size };

    PEN_MAKE(NULL, err, out, pen_pairs_free, read_any(run, name, &input, link, rows, out));
}

pen_status pen_read_pairs(const char *path, pen_link link, int64_t rows, pen_pairs **out,
                          pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_pairs_free, read_any(run, path, NULL, link, rows, out));
}

/* ---- writing ---- */

/* Writes pairs of both kinds as i, j, kind and, if any pair has one, weight. Row numbers are exact
 * in double: there are fewer than 2^53 rows. */
static pen_status write_pairs(pen_run *run, const char *path, const pen_pairs *p)
{
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, p, "pairs"));
    const struct {
        const int64_t *pairs;
        const double *weights;
        int64_t count, link;
    } lists[] = { { p->must_link, p->must_link_weights, p->must_link_count, PEN_MUST_LINK },
                  { p->cannot_link, p->cannot_link_weights, p->cannot_link_count,
                    PEN_CANNOT_LINK } };
    const int weighted = lists[0].weights || lists[1].weights;
    const int64_t rows = pen_plus(lists[0].count, lists[1].count), cols = 3 + weighted;
    double *row;

    for (int i = 0; i < 2; i++)
        PEN_REQUIRE(run, lists[i].count >= 0 && (lists[i].pairs || lists[i].count == 0),
                    PEN_BAD_ARGUMENT, "pairs must not be NULL if their count is %lld",
                    (long long)lists[i].count);
    PEN_TRY(PEN_NEW(run, row, pen_times(rows, cols)));
    const pen_array values = pen_dense(row, PEN_F64, rows, cols, cols);
    const pen_sheet sheet = { .rows = rows,
                              .is_whole = !weighted,
                              .bands = { [PEN_BANDS - 1] = { cols, .values = &values } } };
    for (int i = 0; i < 2; i++)
        for (int64_t k = 0; k < lists[i].count; k++, row += cols) {
            row[0] = (double)lists[i].pairs[2 * k];
            row[1] = (double)lists[i].pairs[2 * k + 1];
            row[2] = (double)lists[i].link;
            if (weighted)
                row[3] = lists[i].weights ? lists[i].weights[k] : 1;
        }
    return pen_write_sheet(run, path, &sheet);
}

pen_status pen_write_pairs(const char *path, const pen_pairs *pairs, pen_error *err)
{
    PEN_CALL(NULL, err, write_pairs(run, path, pairs));
}

void pen_pairs_free(pen_pairs *pairs)
{
    free(pairs); /* the first member of a struct kept, which has the lists */
}
