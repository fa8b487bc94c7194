/* constraint_derivation.h - cannot-links from must-links, cannot-links and shared neighbors, each
 * with its reliability.
 *
 * From must-links {a, e} the cannot-links of a are handed to e, and those of rows b near a to both,
 * which the must-links of the far ends multiply:
 *   a  {a,e} must, {a,d} cannot                                     gives {d,e}
 *   b  those of a, {d,c} must                                       give {a,c}, {e,c}
 *   c  {a,e} must, {a,b} near, {b,d} cannot                         give {a,d}, {e,d}
 *   d  those of c, {d,c} must                                       give {a,c}, {e,c}
 * Every rule is applied once to every match among what was given, pairs read both ways.
 * Reliability: 1 by rules a and b, exp(-|x_a - x_b|^2 / gamma) by c and d, the largest of all
 * derivations of a pair; cannot-links given keep 1. Pairs that must link are not derived:
 * conflicts.
 * Tong, Suzuki: PAKDD 2010, section 3 and Figure 2. */
#ifndef PEN_CONSTRAINT_DERIVATION_H
#define PEN_CONSTRAINT_DERIVATION_H

#include "graph/edges.h"
#include "pairs/pairs.h"

typedef struct pen_transform_rules {
    double gamma;         /* > 0 */
    int only_if_no_enemy; /* rules c and d only for rows a without a cannot-link */
    int64_t most;         /* derivations, PEN_BAD_DATA if there are more */
} pen_transform_rules;

typedef struct pen_derived {
    pen_graph cannot;   /* cannot-links, weight: reliability */
    int64_t by_rule[4]; /* pairs that rule a, b, c, d derives */
    int64_t conflicts;
} pen_derived;

/* near: which rows are near each other, with squared distances. Pairs of labels count as pairs, one
 * by one. Notes what was derived. Cost: the derivations, sorted. */
pen_status pen_derive_constraints(pen_run *run, const pen_rows *x, const pen_graph *near,
                                  const pen_transform_rules *rules, pen_derived *out);

#endif
