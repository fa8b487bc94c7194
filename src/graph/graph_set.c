/* graph_set.c - copies of graphs that outlive the run. */
#include "graph/graph_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GRAPHS = 4 };

struct pen_graphs {
    int64_t count;
    struct {
        const char *name;
        pen_sparse matrix;
        void *memory; /* of the matrix */
    } list[MOST_GRAPHS];
};

pen_graphs *pen_graphs_new(void)
{
    return calloc(1, sizeof(pen_graphs));
}

void pen_graphs_free(pen_graphs *graphs)
{
    for (int64_t g = 0; graphs && g < graphs->count; g++)
        free(graphs->list[g].memory);
    free(graphs);
}

const pen_sparse *pen_graphs_at(const pen_graphs *graphs, int64_t index, const char **name)
{
    const int there = graphs && index >= 0 && index < graphs->count;

    if (name)
        *name = there ? graphs->list[index].name : NULL;
    return there ? &graphs->list[index].matrix : NULL;
}

/* A matrix in one block of memory that the set owns. */
struct matrix {
    int64_t *starts, *columns;
    double *values;
};

static pen_status add_matrix(pen_run *run, const char *name, int64_t n, int64_t entries,
                             struct matrix *out)
{
    pen_graphs *const graphs = pen_run_graphs(run);
    int64_t at = 0;

    void *const memory = pen_keep(run, pen_plus(pen_times(2, entries), n + 1), sizeof(int64_t));
    if (!memory)
        return PEN_NO_MEMORY;
    while (at < graphs->count && strcmp(graphs->list[at].name, name) != 0)
        at++;
    if (at == MOST_GRAPHS) {
        free(memory);
        return pen_fail(run, PEN_INTERNAL, "more than %d graphs", MOST_GRAPHS);
    }
    if (at == graphs->count)
        graphs->count++;
    free(graphs->list[at].memory);
    *out = (struct matrix){ .values = memory };
    out->starts = (int64_t *)(void *)(out->values + entries);
    out->columns = out->starts + n + 1;
    graphs->list[at].name = name;
    graphs->list[at].memory = memory;
    graphs->list[at].matrix = (pen_sparse){
        .rows = n, .cols = n, .starts = out->starts, .columns = out->columns, .values = out->values
    };
    return PEN_OK;
}

pen_status pen_graphs_add(pen_run *run, const char *name, const pen_graph *graph)
{
    struct matrix to;
    pen_csr_sym both;

    if (!pen_run_graphs(run))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_graph_csr(run, graph, -1, &both));
    PEN_TRY(add_matrix(run, name, graph->n, both.first[graph->n], &to));
    memcpy(to.starts, both.first, (size_t)(graph->n + 1) * sizeof *to.starts);
    memcpy(to.columns, both.other, (size_t)both.first[graph->n] * sizeof *to.columns);
    memcpy(to.values, both.weight, (size_t)both.first[graph->n] * sizeof *to.values);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_graphs_add_lists(pen_run *run, const char *name, int64_t n, int64_t k,
                                const pen_neighbor *nearest, const double *weight)
{
    struct matrix to;
    int64_t entries = 0;

    if (!pen_run_graphs(run))
        return PEN_OK;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k && nearest[i * k + c].row >= 0; c++)
            entries++;
    PEN_TRY(add_matrix(run, name, n, entries, &to));
    for (int64_t i = 0, e = 0; i < n; i++) {
        for (int64_t c = i * k; c < (i + 1) * k && nearest[c].row >= 0; c++, e++) {
            to.columns[e] = nearest[c].row;
            to.values[e] = weight ? weight[c] : sqrt(nearest[c].distance2);
        }
        to.starts[i + 1] = e;
    }
    return PEN_OK;
}
