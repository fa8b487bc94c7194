/* derivation_rules.h - what derived a pair: the bits of its contributions, for the two ways of
 * deriving (constraint_derivation.c, weighted_derivation.c). */
#ifndef PEN_DERIVATION_RULES_H
#define PEN_DERIVATION_RULES_H

#include "graph/constraint_derivation.h"
#include "graph/edges.h"
#include "graph/partners.h"

enum { RULE_A = 1, RULE_B = 2, RULE_C = 4, RULE_D = 8, MUST = 16, CANNOT = 32 };

/* The premises of the rules. */
typedef struct pen_premises {
    const pen_derivation_rules *rules;
    pen_partners must, cannot, near;
} pen_premises;

/* Adds all cannot-links of row->i with later rows that pairs with weights derive, and the given
 * pairs. context: pen_premises. A pen_edge_rule.fill. Cost for all rows: must-links times l^2 k, as
 * every end of every premise may have a weight of its own. */
void pen_derivation_fill_weighted(void *context, pen_edge_row *row);

#endif
