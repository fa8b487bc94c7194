/* tournament.h - a schedule of all pairs of blocks in rounds, in none of which a block occurs
 * twice, so that concurrent tasks never touch the same block. */
#ifndef PEN_TOURNAMENT_H
#define PEN_TOURNAMENT_H

#include <stdint.h>

/* The number of rounds, each of blocks / 2 pairs. Round -1 comes before them: each block with
 * itself. */
static inline int64_t pen_tournament_rounds(int64_t blocks)
{
    return blocks > 1 ? (blocks + 1) / 2 * 2 - 1 : 0;
}

/* Blocks p and q of task 0, 1, .. of a round: the circle method. The last block is fixed, with a
 * dummy added if their number is odd. In each round the fixed block meets the head of the circle,
 * and the others meet their opposites. */
static inline void pen_tournament_pair(int64_t blocks, int64_t round, int64_t task, int64_t *p,
                                       int64_t *q)
{
    const int64_t circle = (blocks + 1) / 2 * 2 - 1;

    *p = *q = task;
    if (round < 0)
        return;
    task += blocks % 2; /* the head would meet the dummy */
    *p = (round + task) % circle;
    *q = task == 0 ? circle : (round - task + circle) % circle;
}

#endif
