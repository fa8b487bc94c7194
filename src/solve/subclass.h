/* subclass.h - the criterion of SODRPaC:
 *
 *   maximize  tr(W'(S_C / |C'| - S_N / |N_S| - lambda X'MX) W),  W'W = I
 *
 * with the letters of methods/sodrpac.c, and lambda and gamma by what is held out. */
#ifndef PEN_SUBCLASS_H
#define PEN_SUBCLASS_H

#include "problem/problem.h"
#include "solve/ratio.h"

/* The words cv of lambda and of gamma. */
enum { PEN_LAMBDA_CV = -1, PEN_GAMMA_CV = 0 };

/* Pair terms as means, as sums, or as means with lambda / n. */
enum pen_subclass_terms { PEN_SUBCLASS_MEAN, PEN_SUBCLASS_SUM, PEN_SUBCLASS_BALANCED };

/* The parameters, as of the method. gamma < 0: |gamma| times auto (pen_graph_width). */
typedef struct pen_subclass_rules {
    double lambda, gamma;
    int64_t snn_neighbors, manifold_neighbors, max_pairs;
    enum pen_subclass_terms pair_terms;
    enum { PEN_DERIVE_ALL, PEN_DERIVE_UNLINKED } derive;
} pen_subclass_rules;

/* Replaces cv: by the losses of 11 values of lambda, 0 and 1/512 to 1024, and of 5 of gamma,
 * auto/16 to auto*16, or of all pairs of them, on held-out labels or pairs
 * (solve/cross_validation.h). Of those within half a standard error of the least that which is the
 * fewest steps from lambda 0.125 and gamma auto; these, where there is too little to hold out.
 * Notes "lambda" and traces "held_out_loss", in the order of the tables in subclass.c. Cost: for
 * each gamma 10 derivations and scatters, for each candidate 10 d^3. */
pen_status pen_subclass_choose(pen_run *run, const pen_problem *problem, const pen_request *request,
                               pen_subclass_rules *rules);

/* Without cv. Errors of pen_derive_constraints and pen_solve_difference; PEN_NO_PAIRS: the
 * criterion is 0. */
pen_status pen_subclass_solve(pen_run *run, const pen_problem *problem,
                              const pen_subclass_rules *rules, const pen_request *request,
                              pen_projection *out);

#endif
