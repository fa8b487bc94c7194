/* spec.h - a method and the values of its parameters. */
#ifndef PEN_SPEC_H
#define PEN_SPEC_H

#include "methods/method.h"

enum { PEN_SET_WORDS = 4 };

struct pen_spec {
    const pen_method *method;
    pen_common common;
    void *own; /* the method's struct; NULL for a chain */
    /* bit i % 64 of number i / 64: parameter i of the method was set */
    uint64_t set[PEN_SET_WORDS];
    struct pen_chain *chain; /* NULL: one method, not a chain (chain.h) */
};

/* The struct that stores the value of a parameter: the method's own or the common one. */
const void *pen_spec_record(const pen_spec *spec, const pen_param *param);

/* Gives the spec this reader, with the defaults of its parameters. */
void pen_spec_read_by(pen_spec *spec, enum pen_reader_kind kind);

#endif
