/* auto.h - the parameters of `auto`, which is no method: trials choose one (eval/choose/). */
#ifndef PEN_AUTO_H
#define PEN_AUTO_H

#include "methods/method.h"

typedef struct pen_auto {
    int ensemble;
    double effort;
} pen_auto;

/* Not in the list of methods: it has no `fit`, and pen_fit alone takes it. */
extern const pen_method pen_method_auto;

#endif
