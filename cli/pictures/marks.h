/* marks.h - the shapes of points. */
#ifndef MARKS_H
#define MARKS_H

enum { MARK_SHAPES = 10, MARK_PARTS = 2 };

/* A shape is made of one or two of gnuplot's. */
typedef struct mark_shape {
    int filled[MARK_PARTS]; /* gnuplot's types of points; 0: no more */
    int hollow[MARK_PARTS];
    int lines; /* its type of the lines across a filled one; 0: none */
} mark_shape;

/* The shape of class `index`; a circle where that is negative. Classes of the same color have
 * different shapes, up to PALETTE_COLORS x MARK_SHAPES classes. */
const mark_shape *mark_of_class(int index);

#endif
