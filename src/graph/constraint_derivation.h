/* constraint_derivation.h - constraint derivation: cannot-links derived from must-links,
 * cannot-links and neighbors, each with a reliability.
 *
 * A must-link {a, e} extends the cannot-links of a to e, and those of neighbors b of a to both a
 * and e; must-links at the other end of a cannot-link extend it further:
 *
 *   rule  from                                        derives
 *   a     {a,e} must, {a,d} cannot                    {d,e}
 *   b     the pairs of rule a, {d,c} must             {a,c}, {e,c}
 *   c     {a,e} must, {a,b} near, {b,d} cannot        {a,d}, {e,d}
 *   d     the pairs of rule c, {d,c} must             {a,c}, {e,c}
 *
 * Every rule is applied once to every match among the given pairs, each pair read in both
 * directions. Reliability: 1 for rules a and b, exp(-|x_a - x_b|^2 / gamma) for c and d, and the
 * maximum over all derivations of a pair; given cannot-links have reliability 1. If pairs have
 * weights, a derivation has that reliability times the weights of its premises, and a given
 * cannot-link its weight. A derivation of a must-link is dropped and counted as a conflict.
 *
 * Tong, Suzuki: PAKDD 2010, section 3 and Figure 2. */
#ifndef PEN_CONSTRAINT_DERIVATION_H
#define PEN_CONSTRAINT_DERIVATION_H

#include "graph/graph.h"

typedef struct pen_derivation_rules {
    double gamma;         /* > 0 */
    int only_if_no_enemy; /* apply rules c and d only to rows a without a cannot-link */
    int64_t most;         /* maximum number of pairs, given and derived; PEN_BAD_DATA beyond it */
} pen_derivation_rules;

typedef struct pen_derived {
    pen_graph cannot;   /* cannot-links, weighted by reliability */
    int64_t by_rule[4]; /* pairs derived by rule a, b, c, d */
    int64_t conflicts;
    /* the number of cannot-links, times the factor that weights apply to the mean reliability */
    double mass;
} pen_derived;

/* `near` connects neighbors, with squared distances. Pairs implied by labels are enumerated like
 * listed ones; n < 2^32 - 2. Notes the numbers of derived pairs. With k neighbors of a row and l
 * rows in pairs, cost: l^2 k if must-links are all pairs within groups of rows, as from labels;
 * otherwise derivations without ends e, at most l^3 k; with weights, all derivations. Memory: 16
 * bytes for each pair given or derived, and 40 for each row that a row or group reaches. */
pen_status pen_derive_constraints(pen_run *run, const pen_problem *problem, const pen_graph *near,
                                  const pen_derivation_rules *rules, pen_derived *out);

#endif
