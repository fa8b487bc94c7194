/* system.c - a description of the system the library runs on, for reports of speed or defects. */
#include "core/cpu.h"
#include "core/isa.h"
#include "core/memory.h"
#include "core/textbuf.h"
#include "linalg/blas_turn.h"

#include <math.h>

static void add_blas(pen_string *text)
{
    const blas_facts facts = pen_blas_ask();

    pen_text_add_plain(text, "blas", "{");
    pen_text_add_member(text, "name", facts.name);
    pen_text_add_member(text, "core", facts.core);
    pen_text_add_member(text, "threads", facts.threads);
    pen_text_add_member(text, "calls", facts.in_turn ? "one at a time" : "side by side");
    if (facts.in_turn)
        pen_text_add_member(text, "because", facts.in_turn);
    if (facts.wrong)
        pen_text_add_member(text, "wrong", facts.wrong);
    if (facts.better)
        pen_text_add_member(text, "better_core", facts.better);
    pen_text_add_string(text, "}");
}

static void add_features(pen_string *text)
{
    const unsigned long long features = pen_cpu_features();

    pen_text_add_plain(text, "cpu", "[");
    for (int i = 0; pen_cpu_feature_name(i); i++)
        if (features >> i & 1)
            pen_text_add_member(text, NULL, pen_cpu_feature_name(i));
    pen_text_add_string(text, "]");
}

size_t pen_system(char *text, size_t size)
{
    const int64_t memory = pen_memory();
    pen_string json = { 0 };

    pen_text_add_string(&json, "{");
    pen_text_add_member(&json, "version", pen_version());
    add_blas(&json);
    add_features(&json);
    pen_text_add_member(&json, "isa", pen_isa_name(pen_isa_now()));
    pen_text_add_number(&json, "threads", pen_default_threads());
    pen_text_add_number(&json, "memory", memory < INT64_MAX ? (double)memory : (double)NAN);
    pen_text_add_string(&json, "}");
    return pen_text_give(&json, text, size);
}
