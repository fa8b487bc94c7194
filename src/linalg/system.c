/* system.c - what the library runs on, for whoever reports a speed or a defect. */
#include "core/cpu.h"
#include "core/textbuf.h"
#include "linalg/blas_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_blas(pen_string *text)
{
    const blas_facts facts = blas_ask();
    const char *const better = pen_better_core();

    text_add_key(text, "blas");
    text_add_string(text, "{");
    text_add_member(text, "name", facts.name);
    text_add_key(text, "core");
    facts.core ? text_add_json(text, facts.core) : text_add_string(text, "null");
    text_add_member(text, "threads", facts.threads);
    text_add_member(text, "calls", facts.in_turn ? "one at a time" : "side by side");
    if (facts.in_turn)
        text_add_member(text, "because", facts.in_turn);
    if (better)
        text_add_member(text, "better_core", better);
    text_add_string(text, "}");
}

static void add_features(pen_string *text)
{
    const unsigned long long features = cpu_features();
    int any = 0;

    text_add_key(text, "cpu");
    text_add_string(text, "[");
    for (int i = 0; cpu_feature_name(i); i++) {
        if (!(features >> i & 1))
            continue;
        text_add_string(text, any++ ? "," : "");
        text_add_json(text, cpu_feature_name(i));
    }
    text_add_string(text, "]");
}

size_t pen_system(char *text, size_t size)
{
    pen_string json = { 0 };
    char *made = NULL;

    text_add_string(&json, "{");
    text_add_member(&json, "version", pen_version());
    add_blas(&json);
    add_features(&json);
    text_add_number(&json, "threads", pen_default_threads());
    text_add_key(&json, "parts");
    text_add_string(&json, "[]}");
    if (text_finish(NULL, &json, &made) != PEN_OK) {
        if (text && size > 0)
            *text = 0;
        return 0;
    }
    const size_t length = strlen(made);
    if (text && size > 0)
        snprintf(text, size, "%s", made);
    free(made);
    return length;
}

const char *pen_better_core(void)
{
    return blas_better_core(blas_ask().core, cpu_features());
}
