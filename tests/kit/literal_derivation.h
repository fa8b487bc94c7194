/* literal_derivation.h - cannot-links derived from must-links and neighbors: loops over all rows
 * for every premise of a rule. Tong, Suzuki: PAKDD 2010. */
#ifndef LITERAL_DERIVATION_H
#define LITERAL_DERIVATION_H

#include <stdint.h>

enum {
    ORACLE_RULE_A = 1,
    ORACLE_RULE_B = 2,
    ORACLE_RULE_C = 4,
    ORACLE_RULE_D = 8,
    ORACLE_GIVEN = 16
};

typedef struct transformed {
    double *reliability; /* [n x n], -1: no cannot-link */
    int *rules;          /* [n x n] the rules that derive the pair */
    int64_t pairs, by_rule[4], conflicts;
} transformed;

/* pairs: a table of 1, -1, 0 for must, cannot, none; weights of the pairs, or NULL: 1; near: a
 * symmetric table. All premises are looked up in these tables. */
transformed transform_literally(int64_t n, const int *pairs, const double *weights, const int *near,
                                const double *distance2, double gamma, int only_if_no_enemy);

#endif
