/* links.c - sets of pairs, as sorted keys or as a bit matrix. */
#include "pairs/links.h"

#include "core/sort.h"

#include <stdlib.h>

enum { WORD = 64 };

/* ---- bits ---- */

/* The word of the bit (i, j), i < j < n, is bits[bit_row(i) + j / 64]. Each row starts at the first
 * word it can use. */
static int64_t bit_row(int64_t n, int64_t i)
{
    const int64_t words = (n + WORD - 1) / WORD, q = i / WORD, r = i % WORD;
    return i * words - (WORD * (q * (q - 1) / 2) + q * (r + 1)) - (i + 1) / WORD;
}

static uint64_t bit_of(int64_t j)
{
    return UINT64_C(1) << (j % WORD);
}

/* ---- building a set ---- */

int pen_links_are_dense(int64_t n, int64_t count)
{
    return (double)count * WORD >= (double)n * (double)(n - 1) / 2;
}

pen_status pen_links_new(pen_run *run, int64_t n, int64_t room, int dense, pen_links *out)
{
    *out = (pen_links){ .n = n };
    if (!dense)
        return PEN_NEW(run, out->keys, room);
    const int64_t words = bit_row(n, n) + n / WORD + 1;
    PEN_TRY(PEN_FILLED(run, out->bits, words, 0));
    return PEN_OK;
}

double pen_links_total(const pen_links *links)
{
    double sum = 0;

    if (!links->weights)
        return (double)links->count;
    for (int64_t k = 0; k < links->count; k++)
        sum += links->weights[k];
    return sum;
}

void pen_links_add(pen_links *links, int64_t i, int64_t j, double weight)
{
    const int64_t low = pen_min(i, j), high = pen_max(i, j);

    if (links->weights)
        links->weights[links->count] = weight;
    if (!links->bits) {
        links->keys[links->count++] = (uint64_t)low * (uint64_t)links->n + (uint64_t)high;
        return;
    }
    uint64_t *const word = &links->bits[bit_row(links->n, low) + high / WORD];
    if (*word & bit_of(high)) {
        links->repeated++;
    } else {
        *word |= bit_of(high);
        links->count++;
    }
}

struct weighted {
    uint64_t key;
    double weight;
};

static int by_key(const void *a, const void *b)
{
    const struct weighted *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return (p->weight > q->weight) - (p->weight < q->weight);
}

/* Keeps one of the equal pairs list[0 .. end), or none if their weights differ. */
static void keep_one(pen_links *links, const struct weighted *list, int64_t end)
{
    if (list[0].weight < list[end - 1].weight) {
        if (links->unequal++ == 0)
            links->unequal_key = list[0].key;
        return;
    }
    links->keys[links->count] = list[0].key;
    links->weights[links->count++] = list[0].weight;
    links->repeated += end - 1;
}

static pen_status sort_weighted(pen_run *run, pen_links *links)
{
    const int64_t count = links->count;
    const pen_mark_t mark = pen_mark(run);
    struct weighted *list;

    PEN_TRY(PEN_NEW(run, list, count));
    for (int64_t k = 0; k < count; k++)
        list[k] = (struct weighted){ links->keys[k], links->weights[k] };
    qsort(list, (size_t)count, sizeof *list, by_key);
    links->count = 0;
    for (int64_t k = 0, end; k < count; k = end) {
        for (end = k + 1; end < count && list[end].key == list[k].key;)
            end++;
        keep_one(links, list + k, end - k);
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_links_sort(pen_run *run, pen_links *links)
{
    int64_t kept = 0;

    if (links->bits)
        return PEN_OK;
    if (links->weights)
        return sort_weighted(run, links);
    PEN_TRY(pen_sort_keys(run, "sorting pairs", links->keys, links->count,
                          (uint64_t)links->n * (uint64_t)links->n));
    for (int64_t k = 0; k < links->count; k++)
        if (k == 0 || links->keys[k] != links->keys[kept - 1])
            links->keys[kept++] = links->keys[k];
    links->repeated += links->count - kept;
    links->count = kept;
    return PEN_OK;
}

/* Moves pair number `from` of a list to the place *to. */
static void move_pair(pen_links *links, int64_t from, int64_t *to)
{
    links->keys[*to] = links->keys[from];
    if (links->weights)
        links->weights[*to] = links->weights[from];
    ++*to;
}

static void filter_bits(pen_links *links, pen_keep_fn keep, void *context)
{
    for (int64_t i = 0; i < links->n - 1; i++) {
        uint64_t *const row = links->bits + bit_row(links->n, i);
        for (int64_t w = (i + 1) / WORD; w <= (links->n - 1) / WORD; w++)
            for (uint64_t rest = row[w]; rest; rest &= rest - 1)
                if (!keep(context, i, w * WORD + __builtin_ctzll(rest), 1)) {
                    row[w] &= ~(rest & (~rest + 1));
                    links->count--;
                }
    }
}

void pen_links_filter(pen_links *links, pen_keep_fn keep, void *context)
{
    const uint64_t n = (uint64_t)links->n;
    int64_t kept = 0;

    if (links->bits) {
        filter_bits(links, keep, context);
        return;
    }
    for (int64_t k = 0; k < links->count; k++) {
        const uint64_t key = links->keys[k];
        if (keep(context, (int64_t)(key / n), (int64_t)(key % n), pen_links_weight(links, k)))
            move_pair(links, k, &kept);
    }
    links->count = kept;
}

static int64_t remove_common_bits(pen_links *a, pen_links *b, int64_t *first_i, int64_t *first_j)
{
    int64_t found = 0;

    for (int64_t i = 0; i < a->n - 1; i++)
        for (int64_t w = (i + 1) / WORD; w <= (a->n - 1) / WORD; w++) {
            uint64_t *const p = &a->bits[bit_row(a->n, i) + w],
                            *const q = &b->bits[bit_row(a->n, i) + w], both = *p & *q;
            if (both && found == 0) {
                *first_i = i;
                *first_j = w * WORD + __builtin_ctzll(both);
            }
            found += __builtin_popcountll(both);
            *p &= ~both;
            *q &= ~both;
        }
    return found;
}

static int64_t remove_common_keys(pen_links *a, pen_links *b, int64_t *i, int64_t *j)
{
    int64_t p = 0, q = 0, a_kept = 0, b_kept = 0, found = 0;

    while (p < a->count && q < b->count) {
        if (a->keys[p] == b->keys[q]) {
            if (found++ == 0) {
                *i = (int64_t)(a->keys[p] / (uint64_t)a->n);
                *j = (int64_t)(a->keys[p] % (uint64_t)a->n);
            }
            p++;
            q++;
        } else if (a->keys[p] < b->keys[q]) {
            move_pair(a, p++, &a_kept);
        } else {
            move_pair(b, q++, &b_kept);
        }
    }
    while (p < a->count)
        move_pair(a, p++, &a_kept);
    while (q < b->count)
        move_pair(b, q++, &b_kept);
    return found;
}

int64_t pen_links_remove_common(pen_links *a, pen_links *b, int64_t *i, int64_t *j)
{
    const int64_t found = a->bits ? remove_common_bits(a, b, i, j) : remove_common_keys(a, b, i, j);
    a->count -= found;
    b->count -= found;
    return found;
}

/* ---- access ---- */

pen_status pen_links_index(pen_run *run, pen_links *links)
{
    const int64_t n = links->n;
    int64_t *first;

    PEN_TRY(PEN_FILLED(run, first, n + 1, 0));
    for (int64_t k = 0; !links->bits && k < links->count; k++) {
        first[links->keys[k] / (uint64_t)n + 1]++;
        links->keys[k] %= (uint64_t)n;
    }
    for (int64_t i = 0; links->bits && i < n - 1; i++)
        for (int64_t w = (i + 1) / WORD; w <= (n - 1) / WORD; w++)
            first[i + 1] += __builtin_popcountll(links->bits[bit_row(n, i) + w]);
    for (int64_t i = 0; i < n; i++)
        first[i + 1] += first[i];
    links->first = first;
    return PEN_OK;
}

/* The index of the first of keys[low .. high) that is >= `least`. */
static int64_t lower_bound(const uint64_t *keys, int64_t low, int64_t high, int64_t least)
{
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if ((int64_t)keys[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Word w of a row of bits, restricted to from <= j < to. */
static uint64_t word_of(const uint64_t *row, int64_t w, int64_t from, int64_t to)
{
    uint64_t word = row[w];
    if (w == from / WORD)
        word &= ~UINT64_C(0) << (from % WORD);
    if (w == (to - 1) / WORD && to % WORD)
        word &= bit_of(to) - 1;
    return word;
}

int64_t pen_links_of(const pen_links *links, int64_t i, int64_t from, int64_t to, int64_t *others)
{
    int64_t found = 0;

    from = pen_max(from, i + 1);
    if (from >= to || links->first[i] == links->first[i + 1])
        return 0;
    if (!links->bits) {
        for (int64_t k = lower_bound(links->keys, links->first[i], links->first[i + 1], from);
             k < links->first[i + 1] && (int64_t)links->keys[k] < to; k++)
            others[found++] = (int64_t)links->keys[k];
        return found;
    }
    const uint64_t *const row = links->bits + bit_row(links->n, i);
    for (int64_t w = from / WORD; w <= (to - 1) / WORD; w++)
        for (uint64_t rest = word_of(row, w, from, to); rest; rest &= rest - 1)
            others[found++] = w * WORD + __builtin_ctzll(rest);
    return found;
}

void pen_links_span(const pen_links *links, int64_t i, int64_t from, int64_t to, int64_t *low,
                    int64_t *high)
{
    from = pen_max(from, i + 1);
    if (from >= to || links->first[i] == links->first[i + 1])
        return;
    if (!links->bits) {
        const int64_t first = lower_bound(links->keys, links->first[i], links->first[i + 1], from);
        const int64_t end = lower_bound(links->keys, first, links->first[i + 1], to);
        if (first < end) {
            *low = pen_min(*low, (int64_t)links->keys[first]);
            *high = pen_max(*high, (int64_t)links->keys[end - 1]);
        }
        return;
    }
    const uint64_t *const row = links->bits + bit_row(links->n, i);
    int64_t v = from / WORD, w = (to - 1) / WORD;
    while (v <= w && word_of(row, v, from, to) == 0)
        v++;
    while (w > v && word_of(row, w, from, to) == 0)
        w--;
    if (v <= w) {
        *low = pen_min(*low, v * WORD + __builtin_ctzll(word_of(row, v, from, to)));
        *high = pen_max(*high, (w + 1) * WORD - 1 - __builtin_clzll(word_of(row, w, from, to)));
    }
}

int64_t pen_links_slice(const pen_links *links, int64_t i, int64_t skip, int64_t count,
                        int64_t *others)
{
    int64_t found = 0;

    count = pen_min(count, links->first[i + 1] - links->first[i] - skip);
    for (int64_t k = 0; !links->bits && k < count; k++)
        others[found++] = (int64_t)links->keys[links->first[i] + skip + k];
    if (!links->bits || count <= 0)
        return found;
    const uint64_t *const row = links->bits + bit_row(links->n, i);
    for (int64_t w = (i + 1) / WORD; found < count; w++) {
        const int64_t here = __builtin_popcountll(row[w]);
        if (skip >= here) {
            skip -= here;
            continue;
        }
        for (uint64_t rest = row[w]; rest && found < count; rest &= rest - 1)
            if (skip > 0)
                skip--;
            else
                others[found++] = w * WORD + __builtin_ctzll(rest);
    }
    return found;
}

void pen_links_add_degrees(const pen_links *links, double *degree)
{
    for (int64_t i = 0; i < links->n; i++) {
        for (int64_t k = links->first[i]; !links->bits && k < links->first[i + 1]; k++) {
            degree[i] += pen_links_weight(links, k);
            degree[links->keys[k]] += pen_links_weight(links, k);
        }
        if (links->bits)
            degree[i] += (double)(links->first[i + 1] - links->first[i]);
        if (!links->bits || i == links->n - 1)
            continue;
        const uint64_t *const row = links->bits + bit_row(links->n, i);
        for (int64_t w = (i + 1) / WORD; w <= (links->n - 1) / WORD; w++)
            for (uint64_t rest = row[w]; rest; rest &= rest - 1)
                degree[w * WORD + __builtin_ctzll(rest)]++;
    }
}
