/* agreement.c - the Rand index of two partitions, plain, normalized and adjusted for chance, from
 * their contingency table. */
#include "eval/agreement.h"

#include "core/arguments.h"
#include "core/rows.h"

#include <string.h>

/* The number of pairs of `count` rows. */
static double pairs_of(int64_t count)
{
    return (double)count * (double)(count - 1) / 2;
}

/* T pairs in all, A with the same class, B with the same cluster, J with both the same. Xing et al.
 * 2002; Hubert, Arabie 1985. */
static pen_agreement from_pairs(double T, double A, double B, double J)
{
    const double apart = T - A, apart_both = T - A - B + J, expected = T > 0 ? A * B / T : 0,
                 most = (A + B) / 2;
    pen_agreement out = { 1, 1, 1 };

    if (T == 0)
        return out;
    out.rand = (J + apart_both) / T;
    out.normalized_rand = A == 0       ? apart_both / apart
                          : apart == 0 ? J / A
                                       : (J / A + apart_both / apart) / 2;
    out.adjusted_rand = most == expected ? 1 : (J - expected) / (most - expected);
    return out;
}

pen_status pen_agreement_measure(pen_run *run, int64_t n, int64_t class_count,
                                 const int32_t *classes, int64_t cluster_count,
                                 const int32_t *clusters, pen_agreement *out)
{
    int64_t *table, *rows, *columns;
    double A = 0, B = 0, J = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, table, pen_times(class_count, cluster_count)));
    PEN_TRY(PEN_NEW(run, rows, class_count));
    PEN_TRY(PEN_NEW(run, columns, cluster_count));
    memset(table, 0, (size_t)(class_count * cluster_count) * sizeof *table);
    memset(rows, 0, (size_t)class_count * sizeof *rows);
    memset(columns, 0, (size_t)cluster_count * sizeof *columns);
    for (int64_t i = 0; i < n; i++) {
        table[classes[i] * cluster_count + clusters[i]]++;
        rows[classes[i]]++;
        columns[clusters[i]]++;
    }
    for (int64_t c = 0; c < class_count; c++)
        A += pairs_of(rows[c]);
    for (int64_t c = 0; c < cluster_count; c++)
        B += pairs_of(columns[c]);
    for (int64_t c = 0; c < class_count * cluster_count; c++)
        J += pairs_of(table[c]);
    *out = from_pairs(pairs_of(n), A, B, J);
    pen_release(run, mark);
    return PEN_OK;
}

/* Number the classes 0, 1, .. in index [n]; every row must be labelled. */
static pen_status index_classes(pen_run *run, const int32_t *labels, int64_t n, const char *name,
                                int64_t *count, int32_t *index)
{
    pen_rows x = { .n = 0 };

    PEN_TRY(pen_rows_label(run, labels, n, &x));
    PEN_REQUIRE(run, x.labelled == n, PEN_NO_LABELS,
                "%s must be labelled in all rows, %lld of %lld are not", name,
                (long long)(n - x.labelled), (long long)n);
    *count = x.classes;
    for (int64_t c = 0; c < x.classes; c++)
        for (int64_t i = x.starts[c]; i < x.starts[c + 1]; i++)
            index[x.members[i]] = (int32_t)c;
    return PEN_OK;
}

static pen_status compare(pen_run *run, const int32_t *a, const int32_t *b, int64_t n,
                          pen_agreement *out)
{
    int64_t a_count, b_count;
    int32_t *a_index, *b_index;

    PEN_TRY(pen_check_given(run, a, "a"));
    PEN_TRY(pen_check_given(run, b, "b"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_REQUIRE(run, n >= 1, PEN_BAD_DATA, "there must be at least 1 row, got %lld", (long long)n);
    PEN_TRY(PEN_NEW(run, a_index, n));
    PEN_TRY(PEN_NEW(run, b_index, n));
    PEN_TRY(index_classes(run, a, n, "a", &a_count, a_index));
    PEN_TRY(index_classes(run, b, n, "b", &b_count, b_index));
    return pen_agreement_measure(run, n, a_count, a_index, b_count, b_index, out);
}

pen_status pen_compare_labels(const int32_t *a, const int32_t *b, int64_t n, pen_agreement *out,
                              pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(NULL, err, &run));
    const pen_status status = compare(run, a, b, n, out);
    pen_run_close(run);
    return status;
}
