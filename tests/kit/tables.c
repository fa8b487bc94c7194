/* tables.c - see tables.h. */
#include "kit/tables.h"
#include "check.h"
#include "kit/dense.h"

double *table_distances(int64_t n, int64_t d, const double *x)
{
    double *table = zeros(n * n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            table[i * n + j] = dense_distance2(d, x + i * d, x + j * d);
    return table;
}

double *table_distances_in(int64_t n, int64_t d, int64_t q, const double *rows, const double *basis)
{
    double *table = zeros(n * n), *difference = zeros(d);

    for (int64_t p = 0; p < n * n; p++) {
        for (int64_t c = 0; c < d; c++)
            difference[c] = rows[p / n * d + c] - rows[p % n * d + c];
        double *inner = dense_product(1, d, q, difference, basis);
        table[p] = dense_dot(q, inner, inner);
    }
    return table;
}

/* j is among the k nearest of i if fewer than k other rows precede it. */
int *table_nearest(int64_t n, const double *distance2, int64_t k)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double *of = distance2 + i * n;
            int64_t before = 0;
            for (int64_t l = 0; l < n; l++)
                before += l != i && (of[l] < of[j] || (of[l] == of[j] && l < j));
            table[i * n + j] = i != j && before < k;
        }
    return table;
}

/* Row t of a place is joined to one row of each of the k nearest places: row t modulo the number of
 * rows there. Ties between places go by their first rows. */
int *table_nearest_places(int64_t n, const double *distance2, int64_t k)
{
    int *table = check_allocate(n * n, sizeof *table);
    int64_t *number = check_allocate(n, sizeof *number), *size = check_allocate(n, sizeof *size),
            *first = check_allocate(n, sizeof *first);

    for (int64_t i = 0; i < n; i++) {
        number[i] = size[i] = 0;
        for (int64_t l = n - 1; l >= 0; l--)
            if (distance2[i * n + l] == 0) {
                number[i] += l < i;
                size[i]++;
                first[i] = l;
            }
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double *of = distance2 + i * n;
            int64_t before = 0;
            for (int64_t l = 0; l < n; l++)
                before += of[l] > 0 && first[l] == l
                          && (of[l] < of[j] || (of[l] == of[j] && l < first[j]));
            table[i * n + j] = of[j] > 0 && before < k && number[j] == number[i] % size[j];
        }
    return table;
}

/* Rows of one place: the t-th is joined with row (t - 1) / 2. */
static int *table_union_places(int64_t n, const double *distance2, const int *nearest)
{
    int *table = table_union(n, nearest);
    int64_t *rows = check_allocate(n, sizeof *rows);

    for (int64_t i = 0; i < n; i++) {
        int64_t count = 0;
        for (int64_t j = 0; j < i; j++)
            if (distance2[i * n + j] == 0)
                rows[count++] = j;
        if (count > 0)
            table[i * n + rows[(count - 1) / 2]] = table[rows[(count - 1) / 2] * n + i] = 1;
    }
    return table;
}

int *table_union(int64_t n, const int *nearest)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t p = 0; p < n * n; p++)
        table[p] = nearest[p] || nearest[p % n * n + p / n];
    return table;
}

int *table_mutual(int64_t n, const int *nearest)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t p = 0; p < n * n; p++)
        table[p] = nearest[p] && nearest[p % n * n + p / n];
    return table;
}

int *table_shared(int64_t n, const int *nearest)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            int64_t both = 0;
            for (int64_t l = 0; l < n; l++)
                both += nearest[i * n + l] && nearest[j * n + l];
            table[i * n + j] = nearest[i * n + j] && nearest[j * n + i] ? (int)both : -1;
        }
    return table;
}

double *table_heat(int64_t n, const int *table, const double *distance2, double t)
{
    double *weights = zeros(n * n);
    for (int64_t i = 0; i < n * n; i++)
        weights[i] = table[i] ? exp(-distance2[i] / t) : 0;
    return weights;
}

static double *table_adaptive(int64_t n, const int *table, const int *nearest, const double *of)
{
    double *weights = zeros(n * n);

    for (int64_t i = 0; i < n; i++) {
        double far = 0, sum = 0;
        for (int64_t j = i * n; j < (i + 1) * n; j++)
            far = fmax(far, nearest[j] * of[j] * (1 + 1e-6));
        for (int64_t j = i * n; j < (i + 1) * n; j++)
            sum += nearest[j] * (far - of[j]);
        for (int64_t j = 0; j < n; j++) {
            const double given = table[i * n + j] * fmax(far - of[i * n + j], 0) / sum / 2;
            weights[i * n + j] += given;
            weights[j * n + i] += given;
        }
    }
    return weights;
}

double *table_graph(const fit_options *o, int64_t n, const double *distance2, double *heat)
{
    const int64_t k = option_int(o, "neighbors");
    int *nearest = table_nearest_places(n, distance2, k),
        *joined = table_union_places(n, distance2, nearest);

    *heat = option(o, "heat") > 0 ? option(o, "heat") : table_width(n, nearest, distance2, k);
    return option_is(o, "graph", "adaptive")
               ? table_adaptive(n, joined, nearest, distance2)
               : table_heat(n, joined, distance2, option_is(o, "graph", "heat") ? *heat : INFINITY);
}

double table_width(int64_t n, const int *table, const double *distance2, int64_t k)
{
    double *list = zeros(n * (n + k));
    int64_t count = 0;
    for (int64_t i = 0; i < n * n; i++)
        if (table[i] && (k > 0 || i % n > i / n))
            list[count++] = distance2[i];
    const double width = dense_mean_of_most(k > 0 ? n * k : count, list);
    return width;
}

double *table_normalized_laplacian(int64_t n, const double *weights, int64_t *isolated)
{
    double *m = zeros(n * n), *degree = zeros(n);

    *isolated = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            degree[i] += weights[i * n + j];
        *isolated += degree[i] == 0;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (degree[i] > 0 && degree[j] > 0)
                m[i * n + j] = (i == j) - weights[i * n + j] / (sqrt(degree[i]) * sqrt(degree[j]));
    return m;
}

double *table_laplacian(int64_t n, const double *weights)
{
    double *m = zeros(n * n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            m[i * n + j] -= weights[i * n + j];
            m[i * n + i] += weights[i * n + j];
        }
    return m;
}

double *table_scatter(int64_t n, int64_t d, const double *x, const double *m)
{
    double *s = zeros(d * d);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t c = 0; m[i * n + j] != 0 && c < d * d; c++)
                s[c] +=
                    m[i * n + j]
                    * (x[i * d + c / d] * x[j * d + c % d] + x[i * d + c % d] * x[j * d + c / d])
                    / 2;
    return s;
}

/* ---- pairs ---- */

/* Enters a list of pairs into table [n x n]; returns the number of duplicates, or -1 for an invalid
 * pair. */
static int64_t enter(int64_t n, int64_t count, const int64_t *pairs, const double *weights,
                     int *table)
{
    int64_t again = 0;

    for (int64_t p = 0; p < count; p++) {
        const int64_t i = pairs[2 * p], j = pairs[2 * p + 1];
        if (i < 0 || i >= n || j < 0 || j >= n || i == j)
            return -1;
        if (weights && weights[p] == 0)
            continue;
        again += table[i * n + j];
        table[i * n + j] = table[j * n + i] = 1;
    }
    return again;
}

static int of_labels(const pen_data *data, int64_t i, int64_t j)
{
    const int32_t *y = data->labels;
    return !y || y[i] == PEN_UNLABELLED || y[j] == PEN_UNLABELLED ? 0 : y[i] == y[j] ? 1 : -1;
}

/* Combines labels and lists; returns the number of contradictions. A pair in both is a duplicate,
 * even if the other list contradicts it. */
static int64_t unite(const pen_data *data, const int *must, const int *cannot, int *table,
                     int64_t *duplicates)
{
    const int64_t n = data->x.rows;
    int64_t contradictions = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            const int label = of_labels(data, i, j), both = must[i * n + j] && cannot[i * n + j];
            const int listed = must[i * n + j] - cannot[i * n + j]; /* in both lists: 0 */
            contradictions += both || label * listed < 0;
            *duplicates += (label == 1 && must[i * n + j]) || (label == -1 && cannot[i * n + j]);
            table[i * n + j] = table[j * n + i] = label ? label : listed;
        }
    return contradictions;
}

int64_t *pair_chunklets(int64_t n, const int *table, int64_t *count)
{
    int64_t *first = check_allocate(n, sizeof *first),
            *chunklet = check_allocate(n, sizeof *chunklet);
    for (int64_t i = 0; i < n; i++)
        first[i] = i;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                if (table[i * n + j] == 1 && first[j] < first[i]) {
                    first[i] = first[j];
                    changed = 1;
                }
    }
    *count = 0;
    for (int64_t i = 0; i < n; i++) {
        int alone = 1;
        for (int64_t j = 0; j < n; j++)
            alone = alone && table[i * n + j] != 1;
        chunklet[i] = alone ? -1 : first[i] == i ? (*count)++ : chunklet[first[i]];
    }
    return chunklet;
}

/* Removes and counts cannot-links inside a chunklet; closure: all other pairs in a chunklet become
 * must-links. */
static int64_t join(int closure, const pen_data *data, int *table)
{
    const int64_t n = data->x.rows;
    int64_t chunklets, inside = 0, *chunklet = pair_chunklets(n, table, &chunklets);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (i != j && chunklet[i] >= 0 && chunklet[i] == chunklet[j]) {
                const int cannot = table[i * n + j] == -1;
                inside += cannot && i < j;
                if (cannot || closure)
                    table[i * n + j] = closure;
            }
    return inside;
}

pair_rules pair_rules_of(const pen_spec *spec)
{
    pair_rules rules = { 0, 0, 0 };
    char text[16];

    if (pen_spec_get(spec, "contradictions", text, sizeof text) > 0)
        rules.drop = strcmp(text, "drop") == 0;
    if (pen_spec_get(spec, "closure", text, sizeof text) > 0)
        rules.closure = strcmp(text, "true") == 0;
    return rules;
}

int *pair_table(pair_rules rules, const pen_data *data, pen_status *status, int64_t *duplicates,
                int64_t *contradictions)
{
    const int64_t n = data->x.rows;
    int *must = check_allocate(n * n, sizeof *must),
        *cannot = check_allocate(n * n, sizeof *cannot),
        *table = check_allocate(n * n, sizeof *table);

    const int64_t must_again =
        enter(n, data->must_link_count, data->must_link, data->must_link_weights, must);
    const int64_t cannot_again =
        enter(n, data->cannot_link_count, data->cannot_link, data->cannot_link_weights, cannot);
    int64_t again = must_again + cannot_again, against = 0;
    *status = must_again < 0 || cannot_again < 0 ? PEN_BAD_PAIR : PEN_OK;
    if (*status == PEN_OK) {
        against = unite(data, must, cannot, table, &again);
        if (!rules.unchained)
            against += join(rules.closure, data, table);
        if (against > 0 && !rules.drop)
            *status = PEN_CONTRADICTION;
    }
    if (duplicates)
        *duplicates = again;
    if (contradictions)
        *contradictions = against;
    if (*status == PEN_OK)
        return table;
    return NULL;
}

int64_t pair_count(int64_t n, const int *table, int kind)
{
    return (int64_t)pair_total(n, table, NULL, kind);
}

static void enter_weights(int64_t n, int64_t count, const int64_t *pairs, const double *weights,
                          double *table)
{
    for (int64_t p = 0; weights && p < count; p++)
        if (weights[p] > 0)
            table[pairs[2 * p] * n + pairs[2 * p + 1]] =
                table[pairs[2 * p + 1] * n + pairs[2 * p]] = weights[p];
}

/* Floyd-Warshall for the widest paths. */
static void widen(int64_t n, double *width)
{
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                const double through =
                    width[i * n + k] < width[k * n + j] ? width[i * n + k] : width[k * n + j];
                if (i != j && through > width[i * n + j])
                    width[i * n + j] = through;
            }
}

/* Listed or implied must-links, widened; cannot-links unchanged. */
static double *pair_widest(const pen_data *data, const int *table, double *weights)
{
    const int64_t n = data->x.rows;
    double *width = zeros(n * n);

    for (int64_t p = 0; p < data->must_link_count; p++) {
        const int64_t i = data->must_link[2 * p], j = data->must_link[2 * p + 1];
        if (table[i * n + j] == 1)
            width[i * n + j] = width[j * n + i] =
                data->must_link_weights ? data->must_link_weights[p] : 1;
    }
    for (int64_t i = 0; i < n * n; i++)
        if (i / n != i % n && of_labels(data, i / n, i % n) == 1)
            width[i] = 1;
    widen(n, width);
    for (int64_t i = 0; i < n * n; i++)
        if (width[i] > 0)
            weights[i] = width[i];
    return weights;
}

double *pair_weights(pair_rules rules, const pen_data *data, const int *table, int chains)
{
    const int64_t n = data->x.rows;
    double *given = zeros(n * n), *weights = zeros(n * n);

    enter_weights(n, data->must_link_count, data->must_link, data->must_link_weights, given);
    enter_weights(n, data->cannot_link_count, data->cannot_link, data->cannot_link_weights, given);
    for (int64_t i = 0; i < n * n; i++)
        weights[i] = table[i] == 0 ? 0 : given[i] > 0 ? given[i] : 1;
    if (!chains && !rules.closure)
        return weights;
    return pair_widest(data, table, weights);
}

double pair_total(int64_t n, const int *table, const double *weights, int kind)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            if (table[i * n + j] == kind)
                sum += weights ? weights[i * n + j] : 1;
    return sum;
}

void pair_scatter(int64_t n, int64_t d, const double *x, const int *table, const double *weights,
                  int kind, double *s)
{
    memset(s, 0, (size_t)(d * d) * sizeof *s);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            if (table[i * n + j] == kind)
                dense_outer(d, weights ? weights[i * n + j] : 1, x + i * d, x + j * d, s);
}
