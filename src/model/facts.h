/* facts.h - a JSON object as values that a program can take without reading JSON. */
#ifndef PEN_FACTS_H
#define PEN_FACTS_H

#include "core/run.h"

struct pen_json;

/* Facts with the tree that names, texts and single numbers lie in. All zero: none. */
typedef struct pen_fact_store {
    pen_facts facts;
    struct pen_json *tree;
} pen_fact_store;

/* Make facts of an object, which the store takes over, also on failure; the text it was parsed from
 * must still be there. Free with pen_facts_free in any case. */
pen_status pen_facts_new(pen_run *run, struct pen_json *object, pen_fact_store *out);

/* The same of an object that the library has written. */
pen_status pen_facts_of_text(pen_run *run, const char *json, pen_fact_store *out);

/* The same of a text that `to` takes over in place of the one that it has, whose facts are in the
 * store. */
pen_status pen_facts_take(pen_run *run, char *json, char **to, pen_fact_store *store);
void pen_facts_free(pen_fact_store *store);

#endif
