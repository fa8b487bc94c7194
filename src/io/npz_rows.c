/* npz_rows.c - rows in .npz archives: sparse ones as scipy.sparse.save_npz writes them, and arrays
 * as numpy.savez does, one of which is read: the only one, or ARCHIVE::NAME. */
#include "io/csr_table.h"
#include "io/npz.h"
#include "io/unzip.h"

#include <string.h>

static const char LABELS[] = "labels.npy"; /* taken for labels of the rows */
enum { FIRST_NAME = 30, FIRST_LENGTH = 26, NAME_SIZE = 512, LIST_SIZE = 160 };

static int ends_in_npy(pen_text name)
{
    return name.length > 4 && memcmp(name.start + name.length - 4, ".npy", 4) == 0;
}

/* A zip archive whose first file is an array. */
static int recognizes(const pen_input *input)
{
    const unsigned char *const p = input->data;

    if (input->size < FIRST_NAME || memcmp(p, "PK\3\4", 4) != 0)
        return 0;
    const size_t length = p[FIRST_LENGTH] + ((size_t)p[FIRST_LENGTH + 1] << 8);
    return length <= input->size - FIRST_NAME
           && ends_in_npy((pen_text){ (const char *)p + FIRST_NAME, length });
}

/* ---- members ---- */

static int has_member(const pen_text *names, int64_t count, const char *name)
{
    for (int64_t i = 0; i < count; i++)
        if (pen_text_equal(names[i], pen_text_of(name)))
            return 1;
    return 0;
}

/* The names without .npy, separated by commas, as many as fit. */
static const char *list_names(const pen_text *names, int64_t count, char list[LIST_SIZE])
{
    list[0] = '\0';
    for (int64_t i = 0; i < count; i++)
        if (ends_in_npy(names[i]))
            pen_list_add(list, LIST_SIZE, (pen_text){ names[i].start, names[i].length - 4 });
    return list;
}

/* The name in the archive of the array to read, in `name`. */
static pen_status choose(pen_run *run, const pen_input *input, char name[NAME_SIZE])
{
    pen_text *names;
    int64_t count, arrays = 0;
    char list[LIST_SIZE];
    const char *const member = input->member;

    PEN_TRY(pen_unzip_names(run, input, &names, &count));
    for (int64_t i = 0; i < count; i++) {
        const pen_text bare = { names[i].start, names[i].length - (ends_in_npy(names[i]) ? 4 : 0) };
        if (names[i].length >= NAME_SIZE || !ends_in_npy(names[i])
            || (!member && count > 1 && pen_text_equal(names[i], pen_text_of(LABELS))))
            continue;
        if (member && !pen_text_equal(names[i], pen_text_of(member))
            && !pen_text_equal(bare, pen_text_of(member)))
            continue;
        memcpy(name, names[i].start, names[i].length);
        name[names[i].length] = '\0';
        if (member)
            return PEN_OK;
        arrays++;
    }
    PEN_REQUIRE(run, !member, PEN_UNKNOWN_NAME, "%s: no array \"%s\"; there are %s", input->name,
                member, list_names(names, count, list));
    PEN_REQUIRE(run, arrays == 1, PEN_UNKNOWN_NAME,
                "%s: which of its arrays? FILE::NAME names one of %s", input->name,
                list_names(names, count, list));
    return PEN_OK;
}

static pen_status read_member(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_reader reader, pen_table *table)
{
    char name[NAME_SIZE];
    pen_bytes expanded;
    pen_input array;

    PEN_TRY(choose(run, input, name));
    PEN_TRY(pen_unzip_bytes(run, input, name, &expanded, &array));
    if (!array.owner) /* stored: its bytes are those of the archive */
        array.owner = input->owner;
    const pen_status status = reader(run, &array, options, table);
    pen_bytes_free(&expanded);
    return status;
}

/* ---- sparse ---- */

/* The parts of a sparse matrix. */
struct parts {
    const char *name; /* of the archive */
    int by_columns;   /* in the form csc */
    int64_t rows, cols, count;
    const int64_t *starts; /* [rows + 1], or [cols + 1], from 0 to count; in scratch memory; NULL:
                            * in the form coo */
    pen_npy indices, values;
    pen_npy majors; /* coo: the row of each value, whose column is in `indices` */
};

/* All forms have a name and a shape, and those not read not all further parts. */
static pen_status is_sparse(pen_run *run, const pen_input *input, int *out)
{
    pen_text *names;
    int64_t count;

    PEN_TRY(pen_unzip_names(run, input, &names, &count));
    *out = !input->member && has_member(names, count, "format.npy")
           && has_member(names, count, "shape.npy");
    return PEN_OK;
}

static pen_status lacks(pen_run *run, const pen_input *archive, const char *part)
{
    return pen_fail(run, PEN_BAD_FORMAT,
                    "%s: not a sparse matrix as scipy.sparse.save_npz writes it: there is no %s",
                    archive->name, part);
}

/* An array of one dimension, of whole numbers or of any. */
static pen_status open_part(pen_run *run, const pen_input *archive, const char *part, int whole,
                            pen_npy *out)
{
    pen_input member;

    PEN_TRY(pen_unzip(run, archive, part, &member));
    if (!member.data)
        return lacks(run, archive, part);
    PEN_TRY(pen_npy_open(run, &member, out));
    PEN_TRY(pen_npy_fits(run, &member, out));
    PEN_REQUIRE(run, out->dims == 1 && (!whole || out->kind == 'i' || out->kind == 'u'),
                PEN_BAD_FORMAT, "%s: must be %s of one dimension", member.name,
                whole ? "whole numbers" : "an array");
    return PEN_OK;
}

static pen_status read_form(pen_run *run, const pen_input *archive, int *by_columns, int *lists)
{
    char form[PEN_FORM_SIZE], quoted[PEN_QUOTE_SIZE];

    PEN_TRY(pen_unzip_form(run, archive, form));
    if (!*form)
        return lacks(run, archive, "format.npy");
    *by_columns = strcmp(form, "csc") == 0;
    *lists = strcmp(form, "coo") == 0;
    PEN_REQUIRE(run, *by_columns || *lists || strcmp(form, "csr") == 0, PEN_BAD_FORMAT,
                "%s: the sparse matrix must be in the form csr, csc or coo, got %s; save "
                "matrix.tocsr()",
                archive->name, pen_quote(pen_text_of(form), quoted));
    return PEN_OK;
}

/* Starts ascend from 0 to the number of values. */
static pen_status read_starts(pen_run *run, const pen_npy *from, struct parts *m)
{
    const char *const majors = m->by_columns ? "columns" : "rows";
    int64_t *starts;

    PEN_TRY(PEN_NEW(run, starts, from->rows));
    for (int64_t i = 0; i < from->rows; i++) {
        const int whole = pen_npy_whole(from, (size_t)i, &starts[i]) == PEN_WHOLE;
        PEN_REQUIRE(run, whole && (i == 0 ? starts[0] == 0 : starts[i] >= starts[i - 1]),
                    PEN_BAD_FORMAT,
                    "%s: the starts of its %s (indptr) must begin with 0 and ascend, got %lld at "
                    "%lld",
                    m->name, majors, whole ? (long long)starts[i] : INT64_MAX, (long long)i);
    }
    PEN_REQUIRE(run, starts[from->rows - 1] == m->count, PEN_BAD_FORMAT,
                "%s: the starts of its %s (indptr) must end with %lld, the number of values, got "
                "%lld",
                m->name, majors, (long long)m->count, (long long)starts[from->rows - 1]);
    m->starts = starts;
    return PEN_OK;
}

static pen_status open_parts(pen_run *run, const pen_input *archive, struct parts *m)
{
    pen_npy shape;
    int lists = 0;

    m->name = archive->name;
    m->starts = NULL;
    PEN_TRY(read_form(run, archive, &m->by_columns, &lists));
    PEN_TRY(open_part(run, archive, "shape.npy", 1, &shape));
    PEN_TRY(open_part(run, archive, lists ? "row.npy" : "indptr.npy", 1, &m->majors));
    PEN_TRY(open_part(run, archive, lists ? "col.npy" : "indices.npy", 1, &m->indices));
    PEN_TRY(open_part(run, archive, "data.npy", 0, &m->values));
    PEN_REQUIRE(run,
                shape.rows == 2 && pen_npy_whole(&shape, 0, &m->rows) == PEN_WHOLE
                    && pen_npy_whole(&shape, 1, &m->cols) == PEN_WHOLE && m->rows >= 0
                    && m->cols >= 0,
                PEN_BAD_FORMAT, "%s: shape.npy: must be two numbers, 0 or more", m->name);
    m->count = m->values.rows;
    const int64_t starts = pen_plus(m->by_columns ? m->cols : m->rows, 1),
                  majors = lists ? m->count : starts;
    PEN_REQUIRE(run, m->majors.rows == majors && m->indices.rows == m->count, PEN_BAD_FORMAT,
                "%s: %s.npy must hold %lld numbers, got %lld; and %s.npy one for each of %lld "
                "values, got %lld",
                m->name, lists ? "row" : "indptr", (long long)majors, (long long)m->majors.rows,
                lists ? "col" : "indices", (long long)m->count, (long long)m->indices.rows);
    return lists ? PEN_OK : read_starts(run, &m->majors, m);
}

static pen_status load(pen_run *run, void *context, int64_t first, int64_t count, int64_t *rows,
                       int64_t *indices, double *values)
{
    const struct parts *const m = context;

    for (int64_t e = 0; e < count; e++)
        PEN_REQUIRE(
            run,
            pen_npy_whole(&m->indices, (size_t)(first + e), &indices[e]) == PEN_WHOLE
                && (m->starts
                    || pen_npy_whole(&m->majors, (size_t)(first + e), &rows[e]) == PEN_WHOLE),
            PEN_BAD_FORMAT, "%s: the index of value %lld is too large", m->name,
            (long long)(first + e));
    for (int64_t e = 0; values && e < count; e++)
        values[e] = pen_npy_value(&m->values, (size_t)(first + e));
    return PEN_OK;
}

pen_status pen_npz_read_sparse(pen_run *run, const pen_input *archive,
                               const pen_read_options *options, pen_table *table, int64_t *count)
{
    struct parts m;

    PEN_TRY(open_parts(run, archive, &m));
    *count = m.count;
    const pen_entries entries = { .rows = m.rows,
                                  .cols = m.cols,
                                  .count = m.count,
                                  .by_columns = m.by_columns,
                                  .dtype = pen_npy_dtype(&m.values),
                                  .starts = m.starts,
                                  .load = load,
                                  .context = &m };
    return pen_table_sparse(run, archive, options, &entries, table);
}

/* ---- the format ---- */

/* An archive of nothing else is one array. */
static pen_status has_labels(pen_run *run, const pen_input *input, int *out)
{
    pen_text *names;
    int64_t count;

    PEN_TRY(pen_unzip_names(run, input, &names, &count));
    *out = !input->member && count > 1 && has_member(names, count, LABELS);
    return PEN_OK;
}

/* Labels that the archive has next to its rows. */
static pen_status add_labels(pen_run *run, const pen_input *input, const pen_read_options *options,
                             pen_table *table)
{
    const pen_table rows = *table;
    pen_read_options how = *options;
    pen_input labels = *input;
    int any;

    PEN_TRY(has_labels(run, input, &any));
    if (!any)
        return PEN_OK;
    how.rows = &rows;
    labels.member = LABELS;
    table->dropped_rows = 0;
    PEN_TRY(read_member(run, &labels, &how, pen_format_npy.read_labels, table));
    const int64_t count = table->x.rows + table->dropped_rows;
    table->x = rows.x;
    PEN_REQUIRE(run, count == rows.x.rows + rows.dropped_rows, PEN_BAD_DATA,
                "%s: %lld labels for %lld rows", input->name, (long long)count,
                (long long)(rows.x.rows + rows.dropped_rows));
    return PEN_OK;
}

static pen_status read_rows(pen_run *run, const pen_input *input, const pen_read_options *options,
                            pen_table *table)
{
    int64_t count;
    int sparse;

    PEN_TRY(is_sparse(run, input, &sparse));
    PEN_TRY(sparse ? pen_npz_read_sparse(run, input, options, table, &count)
                   : read_member(run, input, options, pen_format_npy.read, table));
    return add_labels(run, input, options, table);
}

static pen_status read_labels(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_table *table)
{
    pen_input labels = *input;
    int any;

    PEN_TRY(has_labels(run, input, &any));
    labels.member = any ? LABELS : input->member;
    return read_member(run, &labels, options, pen_format_npy.read_labels, table);
}

static const char *const extensions[] = { ".npz", NULL };

const pen_format pen_format_npz = { .name = "npz",
                                    .extensions = extensions,
                                    .recognizes = recognizes,
                                    .read = read_rows,
                                    .read_labels = read_labels,
                                    .has_members = 1,
                                    .is_sure = 1 };
