/* spec.h - a method with values for its parameters. */
#ifndef PEN_SPEC_H
#define PEN_SPEC_H

#include "methods/method.h"

struct pen_spec {
    const pen_method *method;
    pen_common common;
    void *own;    /* the method's struct */
    uint64_t set; /* bit i: parameter i of the method was set */
};

/* Where the value of a parameter of the spec lives: its own struct or the common one. */
const void *pen_spec_record(const pen_spec *spec, const pen_param *param);

#endif
