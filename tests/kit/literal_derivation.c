/* literal_derivation.c - see literal_derivation.h. */
#include "kit/literal_derivation.h"
#include "check.h"
#include "kit/dense.h"

struct premises {
    int64_t n;
    const int *pairs;
    const double *weights;
    transformed *out;
};

static int must(const struct premises *p, int64_t i, int64_t j)
{
    return i != j && p->pairs[i * p->n + j] == 1;
}

static int cannot(const struct premises *p, int64_t i, int64_t j)
{
    return i != j && p->pairs[i * p->n + j] == -1;
}

static void conclude(struct premises *p, int64_t i, int64_t j, double reliability, int rule)
{
    const int64_t ends[] = { i * p->n + j, j * p->n + i };
    for (int e = 0; i != j && e < 2; e++) {
        p->out->reliability[ends[e]] = fmax(p->out->reliability[ends[e]], reliability);
        p->out->rules[ends[e]] |= rule;
    }
}

static double weight(const struct premises *p, int64_t i, int64_t j)
{
    return p->weights ? p->weights[i * p->n + j] : 1;
}

/* {a, e} must: rules a and b. */
static void rules_a_b(struct premises *p, int64_t a, int64_t e)
{
    for (int64_t d = 0; d < p->n; d++) {
        if (!cannot(p, a, d) || d == e)
            continue;
        const double both = weight(p, a, e) * weight(p, a, d);
        conclude(p, d, e, both, ORACLE_RULE_A);
        for (int64_t c = 0; c < p->n; c++)
            if (must(p, d, c) && c != e) {
                conclude(p, a, c, both * weight(p, d, c), ORACLE_RULE_B);
                conclude(p, e, c, both * weight(p, d, c), ORACLE_RULE_B);
            }
    }
}

/* {a, e} must, {a, b} near with reliability theta: rules c and d. */
static void rules_c_d(struct premises *p, int64_t a, int64_t e, int64_t b, double theta)
{
    for (int64_t d = 0; d < p->n; d++) {
        if (!cannot(p, b, d) || d == a || d == e)
            continue;
        const double both = theta * weight(p, a, e) * weight(p, b, d);
        conclude(p, a, d, both, ORACLE_RULE_C);
        conclude(p, e, d, both, ORACLE_RULE_C);
        for (int64_t c = 0; c < p->n; c++)
            if (must(p, d, c) && c != e) {
                conclude(p, a, c, both * weight(p, d, c), ORACLE_RULE_D);
                conclude(p, e, c, both * weight(p, d, c), ORACLE_RULE_D);
            }
    }
}

static int has_enemy(const struct premises *p, int64_t a)
{
    int found = 0;
    for (int64_t d = 0; d < p->n; d++)
        found = found || cannot(p, a, d);
    return found;
}

/* Removes must-links; given cannot-links keep 1 or their weight; counts the pairs and the rules
 * that derived them. */
static void conclude_all(struct premises *p)
{
    const int64_t n = p->n;
    transformed *t = p->out;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            const int derived = t->rules[i * n + j];
            if (cannot(p, i, j))
                conclude(p, i, j, weight(p, i, j), ORACLE_GIVEN);
            if (must(p, i, j)) {
                t->conflicts += derived != 0;
                t->reliability[i * n + j] = t->reliability[j * n + i] = -1;
                t->rules[i * n + j] = t->rules[j * n + i] = 0;
                continue;
            }
            t->pairs += t->rules[i * n + j] != 0;
            for (int rule = 0; rule < 4; rule++)
                t->by_rule[rule] += derived >> rule & 1;
        }
}

transformed transform_literally(int64_t n, const int *pairs, const double *weights, const int *near,
                                const double *distance2, double gamma, int only_if_no_enemy)
{
    transformed t = { .reliability = zeros(n * n),
                      .rules = check_allocate(n * n, sizeof *t.rules) };
    struct premises p = { n, pairs, weights, &t };

    for (int64_t i = 0; i < n * n; i++)
        t.reliability[i] = -1;
    for (int64_t a = 0; a < n; a++)
        for (int64_t e = 0; e < n; e++) {
            if (!must(&p, a, e))
                continue;
            rules_a_b(&p, a, e);
            for (int64_t b = 0; b < n && !(only_if_no_enemy && has_enemy(&p, a)); b++)
                if (b != a && near[a * n + b])
                    rules_c_d(&p, a, e, b, exp(-distance2[a * n + b] / gamma));
        }
    conclude_all(&p);
    return t;
}
