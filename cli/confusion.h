/* confusion.h - how predictions went, as tables of a page. */
#ifndef CONFUSION_H
#define CONFUSION_H

#include <stdint.h>
#include <stdio.h>

/* A table of classes x classes: rows of the true class by what was predicted. Cells are shaded by
 * their share of the true class; beside and below are the shares that are right. A large table
 * scrolls in its box. counts [classes x classes], names [classes]. */
void confusion_write(FILE *page, int classes, const char *const *names, const int64_t *counts);

/* Rows whose predicted share is about the same. */
typedef struct calibration_bin {
    double predicted; /* mean share given to the predicted class */
    double right;     /* the share of rows where it is the true one */
    int64_t rows;
} calibration_bin;

/* Whether shares are what they say: a line for each bin [count] with rows. */
void confusion_calibration(FILE *page, const calibration_bin *bins, int count);

#endif
