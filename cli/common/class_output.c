/* class_output.c - the classes of rows that predict and fit write. */
#define _POSIX_C_SOURCE 200809L

#include "common/class_output.h"

#include "flags/output.h"

#include <math.h>

static const double DOUBTFUL = 0.8;

int classes_check(const char *flag)
{
    const char *const path = args_value(flag);

    return path ? output_ending(path, "classes", ".csv or .tsv") : CLI_OK;
}

void classes_new(const pen_model *model, const pen_table *table, row_classes *out)
{
    const int64_t n = table->x.rows + table->dropped_rows, count = pen_model_class_count(model);

    *out = (row_classes){ .rows = { .n = n, .class_count = count } };
    out->of_row = cli_alloc(n, sizeof *out->of_row);
    out->labels = cli_alloc(n, sizeof *out->labels);
    out->scores = cli_alloc(n, (size_t)count * sizeof *out->scores);
    out->names = cli_alloc(count, sizeof *out->names);
    out->row_names = cli_alloc(n, sizeof *out->row_names);
    if (pen_model_tensor(model, "typical_units").values)
        out->typical = cli_alloc(n, sizeof *out->typical);
    for (int64_t c = 0; c < count; c++)
        out->names[c] = pen_model_class_name(model, c);
    out->rows.classes = out->of_row;
    out->rows.labels = out->labels;
    out->rows.probabilities = out->scores;
    out->rows.typical = out->typical;
    out->rows.class_names = out->names;
}

/* Inserts the dropped rows, which get no class. */
static void spread(row_classes *all, const pen_table *table)
{
    const int64_t c = all->rows.class_count;

    for (int64_t i = all->rows.n - 1, k = table->x.rows - 1; table->row_numbers && i >= 0; i--) {
        const int has_one = k >= 0 && table->row_numbers[k] == i;
        all->of_row[i] = has_one ? all->of_row[k] : PEN_UNLABELLED;
        all->labels[i] = has_one ? all->labels[k] : PEN_UNLABELLED;
        for (int64_t j = 0; j < c; j++)
            all->scores[i * c + j] = has_one ? all->scores[k * c + j] : (double)NAN;
        if (all->typical)
            all->typical[i] = has_one ? all->typical[k] : (double)NAN;
        k -= has_one;
    }
}

void classes_place(row_classes *all, const pen_table *table, const int32_t *labels,
                   const char *const *label_names, int64_t label_count)
{
    const int64_t n = all->rows.n, c = all->rows.class_count;

    for (int64_t i = 0; i < table->x.rows; i++)
        all->labels[i] = labels ? labels[i] : PEN_UNLABELLED;
    spread(all, table);
    all->total = n;
    for (int64_t i = 0; i < n; i++)
        all->doubtful += all->of_row[i] >= 0 && all->scores[i * c + all->of_row[i]] < DOUBTFUL;
    for (int64_t i = 0; table->row_names && i < n; i++)
        all->row_names[table->row_numbers ? table->row_numbers[i] : i] = table->row_names[i];
    all->rows.row_names = table->row_names ? all->row_names : NULL;
    all->rows.label_names = label_names;
    all->rows.label_count = label_count;
}
