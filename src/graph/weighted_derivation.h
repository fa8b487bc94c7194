/* weighted_derivation.h - what constraint derivation derives for one row from pairs with weights,
 * and the bits of its contributions. */
#ifndef PEN_WEIGHTED_DERIVATION_H
#define PEN_WEIGHTED_DERIVATION_H

#include "graph/edges.h"
#include "graph/partners.h"

/* What contributed to a pair: a rule of constraint_derivation.h, or a given link. */
enum { RULE_A = 1, RULE_B = 2, RULE_C = 4, RULE_D = 8, MUST = 16, CANNOT = 32 };

/* The premises of the rules. */
typedef struct pen_premises {
    double gamma;
    int only_if_no_enemy;
    pen_partners must, cannot, near;
} pen_premises;

/* Adds all cannot-links of row->i with later rows that pairs with weights derive, and the given
 * pairs. context: pen_premises. A pen_edge_rule.fill. Cost for all rows: must-links times l^2 k, as
 * every end of every premise may have a weight of its own. */
void pen_derivation_fill_weighted(void *context, pen_edge_row *row);

#endif
