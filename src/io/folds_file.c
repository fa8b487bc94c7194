/* folds_file.c - files of folds: a row for each row of the data, a column for each run.
 *
 * A blank line is a row that no run holds out. */
#include "core/arguments.h"
#include "core/sort.h"
#include "io/cell_grid.h"
#include "io/table/cell_value.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    pen_folds table;
    int32_t values[];
};

/* -1: never held out. */
static pen_status read_fold(const pen_cell_grid *grid, int64_t i, int64_t j, int32_t *fold)
{
    char room[PEN_NUMBER_SIZE];
    int64_t value;

    *fold = -1;
    if (pen_is_missing(pen_cell_text(grid, i, j, room)))
        return PEN_OK;
    if (pen_cell_whole(grid, i, j, &value) != PEN_WHOLE || value < -1 || value > INT32_MAX)
        return pen_cell_refuse(grid, i, j, PEN_BAD_FORMAT,
                               "a fold must be a whole number >= 0; -1 or empty: never held out",
                               "");
    *fold = (int32_t)value;
    return PEN_OK;
}

/* Blank lines at the end count only up to `rows`. */
static pen_status read_rows(const pen_cell_grid *grid, int64_t rows, int32_t *fold_of)
{
    int64_t needed = pen_min(grid->rows, rows);
    char room[PEN_NUMBER_SIZE];
    int32_t fold;

    for (int64_t i = 0; i < grid->rows; i++)
        for (int64_t r = 0; r < grid->columns; r++) {
            PEN_TRY(read_fold(grid, i, r, &fold));
            if (i < rows)
                fold_of[r * rows + i] = fold;
            if (pen_cell_text(grid, i, r, room).length > 0)
                needed = pen_max(needed, i + 1);
        }
    PEN_REQUIRE(grid->run, needed == rows, PEN_BAD_DATA,
                "%s: expected folds for all %lld rows, got %lld", grid->name, (long long)rows,
                (long long)needed);
    return PEN_OK;
}

/* Counts the different numbers in the first run. */
static pen_status count_folds(pen_run *run, struct kept *kept)
{
    const int64_t rows = kept->table.rows;
    int32_t *sorted;

    PEN_TRY(PEN_NEW(run, sorted, rows));
    memcpy(sorted, kept->values, (size_t)rows * sizeof *sorted);
    qsort(sorted, (size_t)rows, sizeof *sorted, pen_by_int32);
    for (int64_t i = 0; i < rows; i++)
        kept->table.folds += sorted[i] >= 0 && (i == 0 || sorted[i] != sorted[i - 1]);
    return PEN_OK;
}

static pen_status read_input(pen_run *run, const pen_input *input, int64_t rows, struct kept **out)
{
    const int64_t head = (int64_t)(sizeof **out / sizeof *(*out)->values) + 1;
    pen_cell_grid grid = { .run = run, .row_name = "row", .blank_rows = 1 };

    PEN_TRY(pen_cell_grid_read(input, &grid));
    PEN_REQUIRE(run, grid.columns <= PEN_MOST_RUNS && (grid.columns >= 1 || grid.rows == 0),
                PEN_BAD_FORMAT, "%s: must have 1 to %d columns, one for each run, got %lld",
                input->name, PEN_MOST_RUNS, (long long)grid.columns);
    *out = pen_keep(run, pen_plus(head, pen_times(rows, grid.columns)), sizeof *(*out)->values);
    if (!*out)
        return PEN_NO_MEMORY;
    (*out)->table = (pen_folds){ .rows = rows, .runs = grid.columns, .fold_of = (*out)->values };
    PEN_TRY(read_rows(&grid, rows, (*out)->values));
    return count_folds(run, *out);
}

static pen_status read_path(pen_run *run, const char *path, int64_t rows, pen_folds **out)
{
    struct kept *kept = NULL;
    pen_bytes bytes;
    pen_input input;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_REQUIRE(run, rows >= 1, PEN_BAD_ARGUMENT, "rows must be >= 1, got %lld", (long long)rows);
    PEN_TRY(pen_input_read(run, path, NULL, 0, &bytes, &input));
    const pen_status status = read_input(run, &input, rows, &kept);
    pen_bytes_free(&bytes);
    *out = kept ? &kept->table : NULL;
    return status;
}

pen_status pen_read_folds(const char *path, int64_t rows, pen_folds **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_folds_free, read_path(run, path, rows, out));
}

void pen_folds_free(pen_folds *folds)
{
    free(folds); /* the first member of a struct kept, which has the numbers */
}
