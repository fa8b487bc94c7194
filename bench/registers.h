/* registers.h - the most that a core can do: loops of multiply-adds that touch no memory. A
 * multiply-add counts as 2 operations. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "products/panels.h"
#include "products/tiles.h"

typedef struct registers_loop {
    const char *instruction;
    void (*run)(void); /* takes a fraction of a millisecond */
    double operations; /* of a run */
} registers_loop;

/* The multiplying instruction of these tiles: for codes, or for floats and doubles. If the
 * instruction set has none (plain C), the loop is a tile whose panels lie in the innermost cache.
 */
registers_loop registers_of_tiles(const pen_tiles *tiles);
registers_loop registers_of_panels(const pen_panels *panels, pen_dtype type);

/* Operations per processor second of this thread: for some runs, and the best of many. */
double registers_rate(const registers_loop *loop);
double registers_best(const registers_loop *loop);

#endif
