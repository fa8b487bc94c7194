/* merge.c - merges the statistics of two sets of blocks.
 *
 *   m = m_a + delta (n_b / n)    M = M_a + M_b + delta delta' (n_a (n_b / n))
 *
 * with delta = m_b - m_a. Chan, Golub, LeVeque: The American Statistician 37 (1983) 242-247. */
#include "stats/merge.h"

#include <math.h>
#include <string.h>

struct pair {
    const pen_stats *a, *b; /* a has the lowest block */
    pen_stats *out;
};

static long long lowest(const pen_stats *s)
{
    return (long long)s->blocks[0];
}

/* ---- are they compatible? ---- */

/* "total, rows". */
enum { PARTS_TEXT = 96 }; /* all names of parts */

static void name_parts(int parts, char text[PARTS_TEXT])
{
    *text = '\0';
    for (int i = 0; i < PEN_PARTS; i++)
        if (parts & 1 << i) {
            strcat(text, *text ? ", " : "");
            strcat(text, pen_stats_part_names[i]);
        }
}

pen_status pen_stats_same_columns(pen_run *run, const pen_stats *a, const pen_stats *b)
{
    char of_a[PEN_PARAM_SIZE], of_b[PEN_PARAM_SIZE];

    PEN_REQUIRE(run, a->d == b->d, PEN_BAD_DATA, "block %lld has %lld columns, block %lld has %lld",
                lowest(b), (long long)b->d, lowest(a), (long long)a->d);
    PEN_REQUIRE(run, !a->column_names == !b->column_names, PEN_BAD_DATA,
                "block %lld has column names, block %lld has none",
                a->column_names ? lowest(a) : lowest(b), a->column_names ? lowest(b) : lowest(a));
    for (int64_t j = 0; a->column_names && j < a->d; j++)
        PEN_REQUIRE(run, strcmp(a->column_names[j], b->column_names[j]) == 0, PEN_BAD_DATA,
                    "column %lld is \"%.60s\" in block %lld, \"%.60s\" in block %lld", (long long)j,
                    a->column_names[j], lowest(a), b->column_names[j], lowest(b));
    pen_text_write(&pen_row_steps_form, &a->row, of_a);
    pen_text_write(&pen_row_steps_form, &b->row, of_b);
    PEN_REQUIRE(run, strcmp(of_a, of_b) == 0, PEN_BAD_ARGUMENT,
                "block %lld has row_steps \"%s\", block %lld has \"%s\"", lowest(a), of_a,
                lowest(b), of_b);
    return PEN_OK;
}

static pen_status check_pair(pen_run *run, const struct pair *p)
{
    const pen_stats *const a = p->a, *const b = p->b;
    char of_a[PARTS_TEXT], of_b[PARTS_TEXT];

    PEN_TRY(pen_stats_same_columns(run, a, b));
    name_parts(a->parts, of_a);
    name_parts(b->parts, of_b);
    PEN_REQUIRE(run, a->parts == b->parts, PEN_BAD_ARGUMENT,
                "block %lld has the parts %s; block %lld has %s", lowest(a), of_a, lowest(b), of_b);
    PEN_REQUIRE(run, a->near == b->near, PEN_BAD_ARGUMENT,
                "block %lld has %lld nearest rows, block %lld has %lld", lowest(a),
                (long long)a->near, lowest(b), (long long)b->near);
    PEN_REQUIRE(run, a->digest == b->digest && a->near_rows == b->near_rows, PEN_BAD_ARGUMENT,
                "the nearest rows are measured differently: digest %08lx in block %lld, %08lx in "
                "block %lld",
                (unsigned long)a->digest, lowest(a), (unsigned long)b->digest, lowest(b));
    PEN_REQUIRE(run, a->class_count == 0 || b->class_count == 0 || a->is_named == b->is_named,
                PEN_BAD_DATA, "block %lld has class names, block %lld has numbers of classes",
                a->is_named ? lowest(a) : lowest(b), a->is_named ? lowest(b) : lowest(a));
    return PEN_OK;
}

/* ---- lists that are merged ---- */

/* from [2]: the number of each class of a and b in the merged list, by ascending name. */
static pen_status merge_names(pen_run *run, const struct pair *p, int64_t *from[2])
{
    const pen_stats *const a = p->a, *const b = p->b;
    const int64_t of_a = a->class_count, count = of_a + b->class_count;
    const char **names, **ordered;

    PEN_TRY(PEN_NEW2(run, names, from[0], count));
    from[1] = from[0] + of_a;
    for (int64_t c = 0; c < count; c++)
        names[c] = c < of_a ? a->class_names[c] : b->class_names[c - of_a];
    PEN_TRY(pen_stats_order_names(run, names, count, &ordered, &p->out->class_count, from[0]));
    PEN_TRY(pen_keep_names(run, (char *const *)ordered, p->out->class_count, &p->out->class_names));
    p->out->is_named = a->is_named || b->is_named;
    if (of_a == 0 || b->class_count == 0 || strcmp(a->class_type, b->class_type) == 0)
        strcpy(p->out->class_type, of_a > 0 ? a->class_type : b->class_type);
    return PEN_OK;
}

int pen_stats_compare(const int64_t *a, const int64_t *b, int fields)
{
    for (int f = 0; f < fields; f++)
        if (a[f] != b[f])
            return a[f] < b[f] ? -1 : 1;
    return 0;
}

/* Merges two ascending lists: takes[t] is 0 for an item of a, 1 of b, 2 of both. Returns the
 * length. Keys are the first `fields` of `stride` numbers. */
static int64_t merge_order(const int64_t *a, int64_t of_a, const int64_t *b, int64_t of_b,
                           int stride, int fields, char *takes)
{
    int64_t i = 0, j = 0, count = 0;

    while (i < of_a || j < of_b) {
        const int order = i == of_a   ? 1
                          : j == of_b ? -1
                                      : pen_stats_compare(a + i * stride, b + j * stride, fields);
        takes[count++] = (char)(order < 0 ? 0 : order > 0 ? 1 : 2);
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

/* Orders the blocks; a block in both sets is an error. */
static pen_status order_blocks(pen_run *run, const struct pair *p, char **takes)
{
    const pen_stats *const a = p->a, *const b = p->b;
    int64_t i = 0;

    PEN_TRY(PEN_NEW(run, *takes, a->block_count + b->block_count));
    const int64_t count =
        merge_order(a->blocks, a->block_count, b->blocks, b->block_count, 3, 1, *takes);
    for (int64_t t = 0; t < count; t++) {
        PEN_REQUIRE(run, (*takes)[t] != 2, PEN_BAD_ARGUMENT, "block %lld is in both: merged twice?",
                    (long long)a->blocks[3 * i]);
        i += (*takes)[t] == 0;
    }
    p->out->block_count = count;
    return PEN_OK;
}

static void copy_blocks(const struct pair *p, const char *takes)
{
    int64_t at[2] = { 0, 0 };

    for (int64_t t = 0; t < p->out->block_count; t++) {
        const pen_stats *const from = takes[t] ? p->b : p->a;
        const int64_t i = at[(int)takes[t]]++;
        memcpy(p->out->blocks + 3 * t, from->blocks + 3 * i, 3 * sizeof *from->blocks);
        p->out->block_digest[t] = from->block_digest[i];
    }
}

static void copy_rows(const struct pair *p, const char *takes, int64_t *const of_class[2])
{
    pen_stats *const out = p->out;
    int64_t at[2] = { 0, 0 };

    for (int64_t t = 0; t < out->kept; t++) {
        const int which = takes[t];
        const pen_stats *const from = which ? p->b : p->a;
        const int64_t i = at[which]++;
        const int32_t class = from->row_class[i];
        memcpy(out->row_id + 2 * t, from->row_id + 2 * i, 2 * sizeof *from->row_id);
        memcpy(out->row_value + t * out->d, from->row_value + i * out->d,
               (size_t)out->d * sizeof *out->row_value);
        out->row_class[t] = class < 0 ? class : (int32_t)of_class[which][class];
    }
}

/* ---- sums ---- */

/* Joins m and M of n_a and n_b rows. packed: has M_a + M_b, and becomes M. delta [d]: scratch. */
static void join_moments(int64_t d, double n_a, const double *mean_a, double n_b,
                         const double *mean_b, double *delta, double *mean, double *packed)
{
    const double share = n_b > 0 ? n_b / (n_a + n_b) : 0, weight = n_a * share;

    if (!(n_a > 0) || !(n_b > 0)) {
        memcpy(mean, !(n_a > 0) ? mean_b : mean_a, (size_t)d * sizeof *mean);
        return;
    }
    for (int64_t j = 0; j < d; j++) {
        delta[j] = mean_b[j] - mean_a[j];
        mean[j] = mean_a[j] + delta[j] * share;
    }
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; j <= i; j++)
            packed[j] += delta[i] * delta[j] * weight;
        packed += i + 1;
    }
}

static void add_packed(int64_t packed, const double *a, const double *b, double *out)
{
    for (int64_t i = 0; i < packed; i++)
        out[i] = a[i] + b[i];
}

static pen_status join_total(pen_run *run, const struct pair *p)
{
    const pen_stats *const a = p->a, *const b = p->b;
    pen_stats *const out = p->out;
    const int64_t n_a = pen_stats_count(a), n_b = pen_stats_count(b);
    double *delta;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, delta, out->d));
    add_packed(out->packed, a->scatter, b->scatter, out->scatter);
    join_moments(out->d, (double)n_a, a->mean, (double)n_b, b->mean, delta, out->mean,
                 out->scatter);
    for (int64_t j = 0; j < out->d; j++) {
        out->low[j] = n_a == 0 ? b->low[j] : n_b == 0 ? a->low[j] : fmin(a->low[j], b->low[j]);
        out->high[j] = n_a == 0 ? b->high[j] : n_b == 0 ? a->high[j] : fmax(a->high[j], b->high[j]);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* of [2]: the number of each class of a and b in the merged list. */
static pen_status join_sums(pen_run *run, int64_t d, const pen_stats_sums *a,
                            const pen_stats_sums *b, int64_t *const of[2], pen_stats_sums *out)
{
    const pen_stats_sums *const from[2] = { a, b };
    int64_t *place;
    double *delta;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, delta, d));
    PEN_TRY(PEN_FILLED(run, place, pen_times(2, out->count), -1));
    for (int s = 0; s < 2; s++)
        for (int64_t c = 0; c < from[s]->count; c++)
            place[2 * of[s][c] + s] = c;
    add_packed(d * (d + 1) / 2, a->within, b->within, out->within);
    for (int64_t c = 0; c < out->count; c++) {
        const int64_t i = place[2 * c], j = place[2 * c + 1], n_a = i < 0 ? 0 : a->rows[i],
                      n_b = j < 0 ? 0 : b->rows[j];
        join_moments(d, (double)n_a, i < 0 ? NULL : a->mean + i * d, (double)n_b,
                     j < 0 ? NULL : b->mean + j * d, delta, out->mean + c * d, out->within);
        out->rows[c] = n_a + n_b;
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* Lists the chunks of both, and the number of each chunk of a and b in that list. */
static void number_chunks(const struct pair *p, const char *takes, int64_t *const of[2])
{
    int64_t at[2] = { 0, 0 };

    for (int64_t t = 0; t < p->out->chunks.count; t++) {
        p->out->chunk_id[t] = takes[t] == 1 ? p->b->chunk_id[at[1]] : p->a->chunk_id[at[0]];
        for (int s = 0; s < 2; s++)
            if (takes[t] == 2 || takes[t] == s)
                of[s][at[s]++] = t;
    }
}

/* Takes the k smallest distances of both lists. */
static void join_nearest(const struct pair *p)
{
    pen_stats *const out = p->out;
    const int64_t k = out->near;

    memcpy(out->near_id, p->a->near_id, (size_t)out->near_rows * 2 * sizeof *out->near_id);
    for (int64_t i = 0; i < out->near_rows; i++) {
        const double *a = p->a->near_distance2 + i * k, *b = p->b->near_distance2 + i * k;
        for (int64_t c = 0; c < k; c++)
            out->near_distance2[i * k + c] = *a <= *b ? *a++ : *b++;
    }
}

/* ---- two ---- */

static pen_status fill_parts(pen_run *run, const struct pair *p, const char *blocks,
                             const char *rows, const char *chunks, int64_t *const of_class[2])
{
    pen_stats *const out = p->out;
    int64_t *of_chunk[2];

    copy_blocks(p, blocks);
    if (out->parts & PEN_PART_TOTAL)
        PEN_TRY(join_total(run, p));
    if (out->parts & PEN_PART_CLASSES)
        PEN_TRY(join_sums(run, out->d, &p->a->classes, &p->b->classes, of_class, &out->classes));
    if (out->parts & PEN_PART_CHUNKS) {
        PEN_TRY(PEN_NEW(run, of_chunk[0], p->a->chunks.count));
        PEN_TRY(PEN_NEW(run, of_chunk[1], p->b->chunks.count));
        number_chunks(p, chunks, of_chunk);
        PEN_TRY(join_sums(run, out->d, &p->a->chunks, &p->b->chunks, of_chunk, &out->chunks));
    }
    if (out->parts & PEN_PART_ROWS)
        copy_rows(p, rows, of_class);
    if (out->parts & PEN_PART_NEAREST)
        join_nearest(p);
    return PEN_OK;
}

static pen_status fill_pair(pen_run *run, const struct pair *p)
{
    const pen_stats *const a = p->a, *const b = p->b;
    pen_stats *const out = p->out;
    char *blocks, *rows, *chunks;
    int64_t *of_class[2];

    out->parts = a->parts;
    out->row = a->row;
    out->near = a->near;
    out->near_rows = a->near_rows;
    out->digest = a->digest;
    PEN_TRY(order_blocks(run, p, &blocks));
    PEN_TRY(PEN_NEW(run, rows, a->kept + b->kept));
    PEN_TRY(PEN_NEW(run, chunks, a->chunks.count + b->chunks.count));
    out->kept = merge_order(a->row_id, a->kept, b->row_id, b->kept, 2, 2, rows);
    out->chunks.count =
        merge_order(a->chunk_id, a->chunks.count, b->chunk_id, b->chunks.count, 1, 1, chunks);
    PEN_TRY(merge_names(run, p, of_class));
    PEN_TRY(pen_keep_names(run, a->column_names, a->d, &out->column_names));
    PEN_TRY(pen_stats_allocate(run, out));
    return fill_parts(run, p, blocks, rows, chunks, of_class);
}

pen_status pen_stats_merge_two(pen_run *run, const pen_stats *a, const pen_stats *b,
                               pen_stats **out)
{
    struct pair p = { a, b, NULL };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(check_pair(run, &p));
    PEN_TRY(pen_stats_empty(run, a->d, &p.out));
    const pen_status status = fill_pair(run, &p);
    pen_release(run, mark);
    if (status != PEN_OK) {
        pen_stats_free(p.out);
        return status;
    }
    *out = p.out;
    return PEN_OK;
}
