/* auto.h - the parameters of `auto`. It is not a method: trials choose one (eval/choose/). */
#ifndef PEN_AUTO_H
#define PEN_AUTO_H

#include "methods/method.h"

typedef struct pen_auto {
    int ensemble;
    double effort;
} pen_auto;

/* Absent from the list of methods: it has no `fit`, and only pen_fit accepts it. */
extern const pen_method pen_method_auto;

#endif
