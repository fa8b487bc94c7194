/* matrix_set.c - copies of matrices that outlive the run. */
#include "core/matrix_set.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MATRICES = 4 };

struct pen_matrix_set {
    int64_t count;
    struct {
        const char *name;
        pen_sparse matrix;
        void *memory; /* of the matrix */
    } list[MOST_MATRICES];
};

pen_matrix_set *pen_matrix_set_new(void)
{
    return calloc(1, sizeof(pen_matrix_set));
}

void pen_matrix_set_free(pen_matrix_set *set)
{
    for (int64_t i = 0; set && i < set->count; i++)
        free(set->list[i].memory);
    free(set);
}

const pen_sparse *pen_matrix_set_at(const pen_matrix_set *set, int64_t index, const char **name)
{
    const int there = set && index >= 0 && index < set->count;

    if (name)
        *name = there ? set->list[index].name : NULL;
    return there ? &set->list[index].matrix : NULL;
}

pen_status pen_run_keep_matrix(pen_run *run, const char *name, int64_t n, int64_t entries,
                               pen_kept_matrix *out)
{
    pen_matrix_set *const set = pen_run_collected(run);
    int64_t at = 0;

    void *const memory = pen_keep(run, pen_plus(pen_times(2, entries), n + 1), sizeof(int64_t));
    if (!memory)
        return PEN_NO_MEMORY;
    while (at < set->count && strcmp(set->list[at].name, name) != 0)
        at++;
    if (at == MOST_MATRICES) {
        free(memory);
        return pen_fail(run, PEN_INTERNAL, "more than %d matrices", MOST_MATRICES);
    }
    if (at == set->count)
        set->count++;
    free(set->list[at].memory);
    *out = (pen_kept_matrix){ .values = memory };
    out->starts = (int64_t *)(void *)(out->values + entries);
    out->columns = out->starts + n + 1;
    set->list[at].name = name;
    set->list[at].memory = memory;
    set->list[at].matrix = (pen_sparse){
        .rows = n, .cols = n, .starts = out->starts, .columns = out->columns, .values = out->values
    };
    return PEN_OK;
}
