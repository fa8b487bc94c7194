/* fit_graphs.c - one graph has the name the user gave; of several each has its own name before the
 * ending. */
#define _POSIX_C_SOURCE 200809L

#include "fit_graphs.h"

#include "input.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, ENDING_SIZE = 4 };

const cli_flag graphs_flags[] = {
    { "neighbors-graph", "FILE",
      "a .npz file of near rows and their distances, from any\nsearch (SciPy, CSR, rows x rows): "
      "taken instead of searching",
      0 },
    { "write-graph", "FILE",
      "the graph that the fit used or learned, as a SciPy .npz\nmatrix; of several, FILE with the "
      "name of each before .npz",
      0 },
    { NULL, NULL, NULL, 0 },
};

int graphs_check(const cli_args *args)
{
    static const char *const endings[] = { ".npz", NULL };
    const char *const path = args_value(args, "write-graph");

    if (path && strlen(path) > PATH_SIZE - 64)
        return cli_say(args->command, CLI_USAGE, "%s: the name is too long", path);
    return path ? output_ending(args, path, "graph", endings, ".npz") : CLI_OK;
}

int graphs_read(const cli_args *args, learning *in, pen_graphs **wanted)
{
    const char *const path = args_value(args, "neighbors-graph");
    pen_error err;

    in->graphs = args_value(args, "write-graph") ? wanted : NULL;
    if (path && pen_sparse_read(path, &in->neighbors, &err) != PEN_OK)
        return input_failed(args, &err);
    in->data.neighbors = in->neighbors;
    return CLI_OK;
}

static int64_t count_of(const learning *in)
{
    return in->graphs ? pen_graphs_count(*in->graphs) : 0;
}

int graphs_there(const cli_args *args, const learning *in, const char *method)
{
    return in->graphs && count_of(in) == 0
               ? cli_say(args->command, CLI_FAILED,
                         "--write-graph: this fit of %s made no sparse graph", method)
               : CLI_OK;
}

/* The file of graph `index`. */
static const char *path_of(const cli_args *args, const learning *in, int64_t index,
                           char path[PATH_SIZE])
{
    const char *const given = args_value(args, "write-graph");
    const int stem = (int)strlen(given) - ENDING_SIZE;

    if (count_of(in) == 1) {
        snprintf(path, PATH_SIZE, "%s", given);
        return path;
    }
    snprintf(path, PATH_SIZE, "%.*s-%s%s", stem, given, pen_graphs_name(*in->graphs, index),
             given + stem);
    for (char *at = path + stem; *at; at++)
        if (*at == '_')
            *at = '-';
    return path;
}

void graphs_remove(const cli_args *args, const learning *in, unsigned made)
{
    char path[PATH_SIZE];
    for (int64_t g = 0; g < count_of(in); g++)
        if (made >> g & 1)
            remove(path_of(args, in, g, path));
}

pen_status graphs_save(const cli_args *args, const learning *in, unsigned *made, pen_error *err)
{
    char path[PATH_SIZE];

    *made = 0;
    for (int64_t g = 0; g < count_of(in); g++) {
        const unsigned is_new = output_new(path_of(args, in, g, path)) != 0;
        const pen_status status = pen_sparse_write(path, pen_graphs_at(*in->graphs, g), err);
        if (status != PEN_OK) {
            graphs_remove(args, in, *made);
            return status;
        }
        *made |= is_new << g;
    }
    return PEN_OK;
}

void graphs_report(const cli_args *args, const learning *in)
{
    char path[PATH_SIZE];

    for (int64_t g = 0; g < count_of(in); g++) {
        const pen_sparse *const graph = pen_graphs_at(*in->graphs, g);
        output_report(args, path_of(args, in, g, path));
        fprintf(stderr, "graph %s, %lld x %lld, %lld entries\n", pen_graphs_name(*in->graphs, g),
                (long long)graph->rows, (long long)graph->cols,
                (long long)graph->starts[graph->rows]);
    }
}
