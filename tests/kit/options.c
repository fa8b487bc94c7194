/* options.c - see options.h. */
#include "check.h"
#include "kit/options.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>

/* The value of a parameter whose default is auto, if auto is not 0. */
static void set_plain(pen_spec *spec, const char *name, double value)
{
    double usual = 0;
    pen_error err;

    if (pen_spec_number(spec, name, &usual, NULL) == PEN_OK && usual < 0)
        CHECK_OK(pen_spec_set_number(spec, name, value, &err), &err);
}

/* Other library defaults that differ from the papers. */
static void set_paper(pen_spec *spec, const char *method)
{
    static const struct {
        const char *method, *name, *value;
    } papers[] = { { "lpp", "origin", "zero" },       { "ilpp", "origin", "zero" },
                   { "self-ilpp", "origin", "zero" }, { "self-mix", "origin", "zero" },
                   { "soda", "pca", "off" },          { "tr-fsda", "pca", "off" },
                   { "ssda", "beta", "0.001" } };
    pen_error err;

    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (pen_method_named(method) == pen_method_named(papers[i].method))
            CHECK_OK(pen_spec_set(spec, papers[i].name, papers[i].value, &err), &err);
}

static pen_spec *read_spec(const char *text, int plain)
{
    char words[512], *next = words;
    pen_error err;
    pen_spec *spec = NULL;

    snprintf(words, sizeof words, "%s", text);
    for (char *word = words; next; word = next ? next + 1 : NULL) {
        next = strchr(word, ' ');
        if (next)
            *next = '\0';
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        if (spec)
            CHECK_OK(pen_spec_set(spec, word, value, &err), &err);
        else {
            CHECK_OK(pen_spec_new(word, &spec, &err), &err);
            if (plain && strcmp(word, "auto") != 0) {
                CHECK_OK(pen_spec_set(spec, "scale", "none", &err), &err);
                set_plain(spec, "ridge", 0);
                set_plain(spec, "beta", 0.5);
                CHECK_OK(pen_spec_set(spec, "temperature", "none", &err), &err);
                if (pen_method_named(word)->traits & PEN_PROPAGATES)
                    CHECK_OK(pen_spec_set(spec, "prior", "labels", &err), &err);
                set_paper(spec, word);
            }
        }
    }
    return spec;
}

static void release_spec(void *spec)
{
    pen_spec_free(spec);
}

pen_spec *spec_of(const char *text)
{
    return keep_until_end(read_spec(text, 1), release_spec);
}

pen_spec *spec_with_defaults(const char *text)
{
    return keep_until_end(read_spec(text, 0), release_spec);
}

fit_options options_read(const char *text)
{
    char name[32];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
    const fit_options o = { pen_method_named(name), spec_of(text) };
    CHECK(o.method != NULL, "%s: no such method", text);
    return o;
}

int options_are_of(const fit_options *o, const char *name)
{
    return o->method == pen_method_named(name);
}

double option(const fit_options *o, const char *name)
{
    double value = 0;
    pen_error err;
    CHECK_OK(pen_spec_number(o->spec, name, &value, &err), &err);
    return isnan(value) && strcmp(name, "pca") == 0 ? (double)INFINITY : value; /* rank */
}

int64_t option_int(const fit_options *o, const char *name)
{
    return (int64_t)option(o, name);
}

int option_is(const fit_options *o, const char *name, const char *word)
{
    char text[128];

    (void)option(o, name); /* it has that parameter */
    pen_spec_get(o->spec, name, text, sizeof text);
    return strcmp(text, word) == 0;
}
