/* test_budget.c - costs of methods as formulas, and the parts of a budget. */
#include "kit/check_fit.h"

#include "eval/choose/budget.h"
#include "model/spec.h"

static const pen_sizes sizes = { .n = 7, .l = 5, .d = 3, .k = 2, .c = 11, .p = 13, .t = 17 };

TEST(formulas_literal)
{
    static const struct {
        const char *text;
        double value;
    } formulas[] = {
        { "n", 7 },
        { "n l d", 105 },
        { "n^2 d + 10 n k d t + d^3 + c", 147 + 10 * 7 * 2 * 3 * 17 + 27 + 11 },
        { "12 p^2", 12 * 169 },
    };
    static const char *const refused[] = { "",    "x",      "n^", "n  d", "n +", "+ n",   "n^d",
                                           "n*d", "n d +d", "n,", "n ",   "2n",  "n^2 or" };
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++)
        CHECK(pen_cost_of(formulas[i].text, &sizes) == formulas[i].value, "%s is %g",
              formulas[i].text, pen_cost_of(formulas[i].text, &sizes));
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        CHECK(isnan(pen_cost_of(refused[i], &sizes)), "\"%s\" is %g", refused[i],
              pen_cost_of(refused[i], &sizes));
}

/* Every method has a formula that grows with rows and columns. */
TEST(formulas_of_methods)
{
    for (int64_t m = 0; pen_method_at(m); m++) {
        const char *const text = pen_method_at(m)->cost;
        pen_sizes rows = sizes, columns = sizes;
        rows.n *= 2, rows.l *= 2, columns.d *= 2;
        const double cost = pen_cost_of(text, &sizes);
        CHECK(cost > 0, "%s: %s is %g", pen_method_at(m)->name, text, cost);
        CHECK(pen_cost_of(text, &rows) > cost && pen_cost_of(text, &columns) > cost, "%s: %s",
              pen_method_at(m)->name, text);
    }
}

/* Components count as columns, whether given or implied by few rows. */
TEST(columns_counted)
{
    const pen_costs tall = { .sizes = { .n = 1000, .l = 10, .d = 200, .c = 2 }, .shared = 1 },
                    flat = { .sizes = { .n = 50, .l = 10, .d = 200, .c = 2 }, .shared = 1 };
    pen_spec *const all = spec_of("self"), *const few = spec_of("self pca=20"),
                    *const part = spec_of("self pca=0.9");
    CHECK(pen_costs_fit(&tall, few) < pen_costs_fit(&tall, part)
              && pen_costs_fit(&tall, part) < pen_costs_fit(&tall, all),
          "components do not count");
    CHECK(pen_costs_fit(&flat, all) < pen_costs_fit(&tall, all) / 8, "rows do not limit columns");
    CHECK(pen_costs_trial(&tall, all) > pen_costs_fit(&tall, all), "embedding is free");
}

enum { METHODS = 4 };

static void check_shares(double budget, int64_t inner, int64_t room, const double *trial,
                         int64_t trials, const int *tried, const int64_t *combinations)
{
    pen_share shares[METHODS];
    int64_t order[METHODS], count = room;

    for (int m = 0; m < METHODS; m++)
        shares[m] = (pen_share){ .trial = trial[m], .grid = 10 };
    pen_plan_shares(budget, inner, METHODS, shares, order, &count);
    CHECK(count == trials, "%lld trials, expected %lld", (long long)count, (long long)trials);
    for (int m = 0; m < METHODS; m++) {
        CHECK(m == 0 || trial[order[m - 1]] <= trial[order[m]], "the cheapest is not first");
        CHECK(shares[m].tried == tried[m], "budget %g: method %d is tried: %d", budget, m,
              shares[m].tried);
        CHECK(shares[m].combinations == combinations[m], "budget %g: method %d, %lld combinations",
              budget, m, (long long)shares[m].combinations);
    }
}

TEST(printed_budgets)
{
    static const double trial[METHODS] = { 8, 1, 100, 2 };
    /* everything: 10 trials of 111 units, and 10 combinations of 33 fits */
    check_shares(1e6, 3, 10, trial, 10, (int[]){ 1, 1, 1, 1 }, (int64_t[]){ 10, 10, 10, 10 });
    check_shares(1e6, 0, 10, trial, 10, (int[]){ 1, 1, 1, 1 }, (int64_t[]){ 0, 0, 0, 0 });
    /* 110 units of the first 500; 890 remain: 296 for 33 of method 1, then 312 for 66 of method 3,
     * then 626 or less for 264 of method 0 */
    check_shares(1000, 3, 10, trial, 10, (int[]){ 1, 1, 0, 1 }, (int64_t[]){ 1, 8, 0, 4 });
    /* two of the four in fewer trials: 3 units each, from half of 10 */
    check_shares(10, 3, 10, trial, 1, (int[]){ 0, 1, 0, 1 }, (int64_t[]){ 0, 0, 0, 0 });
    /* always at least one */
    check_shares(1e-3, 3, 10, trial, 1, (int[]){ 0, 1, 0, 0 }, (int64_t[]){ 0, 0, 0, 0 });
}

/* A candidate that costs a fiftieth of the budget is always tried, and at most half of the budget
 * goes to more expensive ones. */
TEST(small_costs_always_tried)
{
    enum { MANY = 40 };
    for (int small = 0; small < 2; small++) {
        pen_share shares[MANY];
        int64_t order[MANY], trials = 1, tried = 0;
        for (int m = 0; m < MANY; m++)
            shares[m] = (pen_share){ .trial = small ? 19 : 21, .grid = 1 };
        pen_plan_shares(1000, 0, MANY, shares, order, &trials);
        for (int m = 0; m < MANY; m++)
            tried += shares[m].tried;
        CHECK(tried == (small ? MANY : 23), "%lld candidates are tried", (long long)tried);
    }
}
