/* chain.c - the record of a chain: the tables of its methods under one name. */
#include "model/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const of_rows[] = { "row_total", "log1p", "idf",      "select",    "normalize",
                                       "scale",     "pca",   "pca_most", "pca_scale", NULL };

/* A parameter of how rows are prepared, which is that of the first method. */
static int concerns_rows(const char *name)
{
    for (int i = 0; of_rows[i]; i++)
        if (strcmp(of_rows[i], name) == 0)
            return 1;
    return strncmp(name, "kernel", 6) == 0;
}

int pen_chain_is(const char *name)
{
    return strchr(name, ':') != NULL;
}

/* ---- texts ---- */

static void join(char *text, size_t size, const char *between, const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? between : "", more);
}

/* Names, titles and costs of all; the dimensions are those of the last. */
static void describe(pen_chain *chain)
{
    pen_method *const record = &chain->record;

    for (int p = 0; p < chain->count; p++) {
        const pen_method *const method = chain->parts[p]->method;
        join(chain->name, sizeof chain->name, ":", method->name);
        join(chain->title, sizeof chain->title, ", then: ", method->title);
        join(chain->cite, sizeof chain->cite, "; ", method->cite);
        join(chain->cost, sizeof chain->cost, " + ", method->cost);
        record->source = method->source > record->source ? method->source : record->source;
    }
    record->name = chain->name;
    record->title = chain->title;
    record->cite = chain->cite;
    record->cost = chain->cost;
    record->dims = chain->parts[chain->count - 1]->method->dims;
    record->wide = chain->parts[0]->method->wide;
}

void pen_chain_refresh(pen_chain *chain)
{
    const int last = chain->count - 1;
    const int supervision = PEN_LABELS | PEN_USES_UNLABELLED | PEN_MUST_LINKS | PEN_CANNOT_LINKS;
    /* a graph that is given is one of rows, not of embeddings */
    int traits = chain->parts[last]->method->traits & ~PEN_NEIGHBORS;

    for (int p = 0; p < last; p++) {
        traits |= chain->parts[p]->method->traits & supervision;
        if (chain->parts[p]->common.dim == 0) /* that of the chain */
            traits |= PEN_UNNESTED;
    }
    chain->record.traits = traits;
}

/* ---- parameters ---- */

static const char *qualify(pen_chain *chain, int64_t at, int part, const char *name)
{
    if (!name)
        return NULL;
    snprintf(chain->texts[at], PEN_CHAINED_NAME, "%s.%s", chain->parts[part]->method->name, name);
    return chain->texts[at];
}

static void add_param(pen_chain *chain, int part, const pen_param *param)
{
    const int64_t i = chain->param_count++;
    pen_param *const row = &chain->params[i];

    *row = *param;
    row->name = qualify(chain, 2 * i, part, param->name);
    row->alias = qualify(chain, 2 * i + 1, part, param->alias);
    chain->owner[i] = part;
}

static void add_params(pen_chain *chain)
{
    pen_param dim = *pen_param_find(pen_common_params, "dim");

    chain->same[0] = (pen_word){ "same", 0 };
    dim.words = chain->same;
    dim.grid = "same 5 10";
    dim.help = "dimensions that the next method learns from; same: as many as dim";
    for (int p = 0; p < chain->count; p++) {
        const pen_param *param = chain->parts[p]->method->params;
        for (; param->name; param++)
            add_param(chain, p, param);
        if (p < chain->count - 1)
            add_param(chain, p, &dim);
    }
    chain->owner[chain->param_count] = -1;
    chain->record.params = chain->params;
}

/* The rows that the first and the last method have with other defaults. */
static void add_common(pen_chain *chain)
{
    const pen_method *const first = chain->parts[0]->method, *const last =
                                                                 chain->parts[chain->count - 1]
                                                                     ->method;
    int64_t count = 0;

    for (const pen_param *param = pen_common_params; param->name; param++) {
        const pen_param *const table = concerns_rows(param->name) ? first->common : last->common;
        const pen_param *const mine = table ? pen_param_find(table, param->name) : NULL;
        if (mine)
            chain->common[count++] = *mine;
    }
    chain->record.common = chain->common;
}

static pen_status open_tables(pen_chain *chain, pen_error *err)
{
    size_t rows = 1, common = 1;

    for (int p = 0; p < chain->count; p++)
        rows += (size_t)pen_method_own_params(chain->parts[p]->method) + 1;
    for (const pen_param *param = pen_common_params; param->name; param++)
        common++;
    chain->params = calloc(rows, sizeof *chain->params);
    chain->owner = calloc(rows, sizeof *chain->owner);
    chain->texts = calloc(2 * rows, sizeof *chain->texts);
    chain->common = calloc(common, sizeof *chain->common);
    if (!chain->params || !chain->owner || !chain->texts || !chain->common)
        return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
    describe(chain);
    add_params(chain);
    add_common(chain);
    pen_chain_refresh(chain);
    return PEN_OK;
}

/* ---- chains ---- */

static pen_status add_part(pen_chain *chain, const char *name, const char *all, pen_error *err)
{
    if (chain->count == PEN_MOST_CHAINED)
        return pen_error_set(err, PEN_BAD_ARGUMENT, "a chain has at most %d methods, got \"%.60s\"",
                             PEN_MOST_CHAINED, all);
    PEN_TRY(pen_spec_new(name, &chain->parts[chain->count], err));
    for (int p = 0; p < chain->count; p++)
        if (chain->parts[p]->method == chain->parts[chain->count]->method) {
            chain->count++;
            return pen_error_set(err, PEN_BAD_ARGUMENT,
                                 "a chain has each method once, got \"%.60s\"", all);
        }
    chain->count++;
    return PEN_OK;
}

static pen_status fill(pen_chain *chain, const char *name, pen_error *err)
{
    for (const char *from = name;; from++) {
        const size_t length = strcspn(from, ":");
        char method[64];
        snprintf(method, sizeof method, "%.*s", (int)(length < sizeof method ? length : 40), from);
        PEN_TRY(add_part(chain, method, name, err));
        from += length;
        if (!*from)
            break;
    }
    return open_tables(chain, err);
}

pen_status pen_chain_new(const char *name, pen_chain **out, pen_error *err)
{
    pen_chain *const chain = calloc(1, sizeof *chain);

    *out = NULL;
    if (!chain)
        return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
    const pen_status status = fill(chain, name, err);
    if (status != PEN_OK) {
        pen_chain_free(chain);
        return status;
    }
    *out = chain;
    return PEN_OK;
}

void pen_chain_free(pen_chain *chain)
{
    if (!chain)
        return;
    for (int p = 0; p < PEN_MOST_CHAINED; p++)
        pen_spec_free(chain->parts[p]);
    free(chain->params);
    free(chain->owner);
    free(chain->texts);
    free(chain->common);
    free(chain);
}

void pen_chain_copy_values(const pen_chain *from, pen_chain *to)
{
    for (int p = 0; p < from->count; p++) {
        to->parts[p]->common = from->parts[p]->common;
        memcpy(to->parts[p]->own, from->parts[p]->own, from->parts[p]->method->size);
    }
    pen_chain_refresh(to);
}

/* ---- values ---- */

/* The last parameter of a method but the last one is its dim. */
static int is_dim(const pen_chain *chain, int64_t index)
{
    const int part = chain->owner[index];
    return part < chain->count - 1 && chain->owner[index + 1] != part;
}

void *pen_chain_struct(const pen_chain *chain, int64_t index)
{
    pen_spec *const part = chain->parts[chain->owner[index]];
    return is_dim(chain, index) ? (void *)&part->common : part->own;
}

pen_status pen_chain_find(const pen_chain *chain, const char *name, const pen_param **param,
                          pen_error *err)
{
    const pen_param *second = NULL;

    *param = NULL;
    for (int64_t i = 0; i < chain->param_count; i++) {
        const pen_param *const own =
            pen_param_find(chain->parts[chain->owner[i]]->method->params, name);
        if (!own || is_dim(chain, i)
            || !pen_name_equal(strchr(chain->params[i].name, '.') + 1, own->name))
            continue;
        second = *param ? &chain->params[i] : NULL;
        *param = *param ? *param : &chain->params[i];
        if (second)
            return pen_error_set(err, PEN_UNKNOWN_NAME,
                                 "%s is a parameter of several methods of %s: %s, %s", own->name,
                                 chain->name, (*param)->name, second->name);
    }
    return PEN_OK;
}

pen_spec pen_chain_part(const pen_spec *spec, int index)
{
    const pen_chain *const chain = spec->chain;
    const int last = chain->count - 1;
    pen_spec part = *chain->parts[index];
    pen_common *const common = &part.common;

    part.centered = index < last;
    if (index == 0) {
        common->row = spec->common.row;
        common->normalize = spec->common.normalize;
        common->scale = spec->common.scale;
        common->kernel = spec->common.kernel;
        common->pca = spec->common.pca;
        common->pca_most = spec->common.pca_most;
        common->pca_scale = spec->common.pca_scale;
    }
    if (index == last) {
        common->dim = spec->common.dim;
        common->allow_fewer = spec->common.allow_fewer;
        common->reader = spec->common.reader;
        return part;
    }
    common->dim = common->dim == 0 ? spec->common.dim : common->dim;
    common->allow_fewer = spec->common.allow_fewer && pen_spec_is_set(spec, "allow_fewer");
    common->reader.kind = PEN_READER_NONE;
    return part;
}
