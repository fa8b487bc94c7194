/* spec.h - a method, or a chain of methods, and the values of the parameters. */
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
    struct pen_chain *chain; /* NULL: one method */
    int centered;            /* 1: the mean of the embedding is 0, for the next method of a chain */
    /* [parameters] values to try given by pen_spec_set_grid, separated by blanks, as pen_param_text
     * writes them, or NULL; NULL: there are none */
    char **grids;
};

/* Find the parameter of that name, its index and the struct that stores it. PEN_UNKNOWN_NAME: the
 * message lists those of the method. */
pen_status pen_spec_find(const pen_spec *spec, const char *name, const pen_param **param,
                         int64_t *index, void **record, pen_error *err);

/* The values given by pen_spec_set_grid; NULL: none. */
const char *pen_spec_given_grid(const pen_spec *spec, const char *name);

/* Forget those of parameter `index`, or of all. */
void pen_spec_drop_grid(pen_spec *spec, int64_t index);
void pen_spec_drop_grids(pen_spec *spec);

/* Give `out` a copy of those of `spec`. PEN_NO_MEMORY. */
pen_status pen_spec_copy_grids(const pen_spec *spec, pen_spec *out, pen_error *err);

/* The struct that stores the value of a parameter: the method's own or the common one. */
const void *pen_spec_record(const pen_spec *spec, const pen_param *param);

/* Gives the spec this reader, with the defaults of its parameters. */
void pen_spec_read_by(pen_spec *spec, enum pen_reader_kind kind);

/* ---- chains ----
 *
 * The record of a chain has the parameters of its methods as METHOD.NAME, of all but the last one
 * METHOD.dim, too, and those of every method by their names: how rows are prepared concerns the
 * first method, the reader the last one, and `dim` is that of all unless METHOD.dim is set. */

enum { PEN_MOST_CHAINED = 4, PEN_CHAIN_TEXT = 1024, PEN_CHAINED_NAME = 48 };

typedef struct pen_chain {
    pen_method record;
    int count;
    pen_spec *parts[PEN_MOST_CHAINED];
    pen_param *params; /* of the record */
    int *owner;        /* the part that each belongs to */
    int64_t param_count;
    char (*texts)[PEN_CHAINED_NAME]; /* names and aliases of params */
    pen_param *common;               /* rows that the first and the last method replace */
    pen_word same[2];                /* of METHOD.dim */
    char name[64], title[PEN_CHAIN_TEXT], cite[PEN_CHAIN_TEXT], cost[PEN_CHAIN_TEXT];
} pen_chain;

/* 1 if the name is that of a chain, "self:rca". */
int pen_chain_is(const char *name);

/* The chain of that name with the defaults of its methods. PEN_UNKNOWN_NAME: a method;
 * PEN_BAD_ARGUMENT: a method twice, or too many. Free with pen_chain_free (NULL is fine). */
pen_status pen_chain_new(const char *name, pen_chain **out, pen_error *err);
void pen_chain_free(pen_chain *chain);

/* Gives `to`, of the same methods, the values of `from`. */
void pen_chain_copy_values(const pen_chain *from, pen_chain *to);

/* The struct that stores the value of params[index]. */
void *pen_chain_struct(const pen_chain *chain, int64_t index);

/* The row of a method's own parameter by its name alone, for which there is one method only; *param
 * NULL: there is none. PEN_UNKNOWN_NAME: several methods have it. */
pen_status pen_chain_find(const pen_chain *chain, const char *name, const pen_param **param,
                          pen_error *err);

/* Sets what follows from values: whether the first columns depend on the number of them. */
void pen_chain_refresh(pen_chain *chain);

/* What part `index` of the chain is fitted with; `own` and all else is borrowed from the spec. */
pen_spec pen_chain_part(const pen_spec *spec, int index);

#endif
