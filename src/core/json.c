/* json.c - a recursive-descent parser: one function for each rule of the grammar. */
#include "core/json.h"

#include "core/number.h"
#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

/* The rest of the text, and of the memory for values and strings. */
struct parser {
    pen_run *run;
    const char *at, *end;
    pen_json *values;
    char *strings;
    int depth;
    const char *problem; /* "is not valid JSON", or a more specific message */
    const char *twice;   /* a duplicate key of an object; or NULL */
};

static void skip_blanks(struct parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

/* Take the character after blanks, if it is this one. */
static int take(struct parser *p, char wanted)
{
    skip_blanks(p);
    if (p->at == p->end || *p->at != wanted)
        return 0;
    p->at++;
    return 1;
}

static int take_word(struct parser *p, const char *word)
{
    const size_t length = strlen(word);

    if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0)
        return 0;
    p->at += length;
    return 1;
}

/* ---- strings ---- */

/* Four hexadecimal digits; -1: there are none. */
static long take_code(struct parser *p)
{
    long code = 0;

    if (p->end - p->at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *const found = memchr(digits, p->at[i], sizeof digits - 1);
        if (!found)
            return -1;
        code = 16 * code + (found - digits) % 16;
    }
    p->at += 4;
    return code;
}

/* After the 'u' of an escape: one code, or two that are a surrogate pair. */
static int take_unicode(struct parser *p)
{
    long code = take_code(p);

    if (code >= 0xD800 && code < 0xDC00) {
        const long low = take_word(p, "\\u") ? take_code(p) : -1;
        code = low > 0 ? (long)pen_utf8_join((uint32_t)code, (uint32_t)low) : -1;
        code = code == 0 ? -1 : code;
    }
    if (code == 0)
        p->problem = "has a NUL in a string";
    const size_t length = code > 0 ? pen_utf8_put((uint32_t)code, p->strings) : 0;
    p->strings += length;
    return length > 0;
}

/* After a backslash. */
static int take_escape(struct parser *p)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";

    if (p->at == p->end)
        return 0;
    const char name = *p->at++;
    if (name == 'u')
        return take_unicode(p);
    const char *const found = memchr(names, name, sizeof names - 1);
    if (!found)
        return 0;
    *p->strings++ = meanings[found - names];
    return 1;
}

static int take_string(struct parser *p, const char **text)
{
    *text = p->strings;
    if (!take(p, '"'))
        return 0;
    while (p->at < p->end && *p->at != '"') {
        const unsigned char c = (unsigned char)*p->at++;
        if (c < ' ')
            return 0;
        if (c != '\\')
            *p->strings++ = (char)c;
        else if (!take_escape(p))
            return 0;
    }
    *p->strings++ = '\0';
    return take(p, '"');
}

/* ---- numbers ---- */

static int take_digits(struct parser *p)
{
    const char *const start = p->at;

    while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
        p->at++;
    return p->at > start;
}

static int take_number(struct parser *p, double *value)
{
    const char *const start = p->at;

    take_word(p, "-");
    if (!take_word(p, "0") && !take_digits(p))
        return 0;
    if (take_word(p, ".") && !take_digits(p))
        return 0;
    if (take_word(p, "e") || take_word(p, "E")) {
        if (!take_word(p, "+"))
            take_word(p, "-");
        if (!take_digits(p))
            return 0;
    }
    return pen_number_is(start, (size_t)(p->at - start), value);
}

/* ---- values ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A key that occurs twice in an object goes to p->twice. */
static pen_status find_duplicate(struct parser *p, const pen_json *object)
{
    const char **keys;
    int64_t i = 0;

    const pen_mark_t mark = pen_mark(p->run);
    PEN_TRY(PEN_NEW(p->run, keys, object->count));
    for (const pen_json *item = object->first; item; item = item->next)
        keys[i++] = item->name;
    qsort(keys, (size_t)object->count, sizeof *keys, by_text);
    for (i = 1; i < object->count; i++)
        if (strcmp(keys[i - 1], keys[i]) == 0)
            p->twice = keys[i];
    pen_release(p->run, mark);
    return PEN_OK;
}

/* PEN_BAD_FORMAT, without a message, if there is no value. */
static pen_status take_value(struct parser *p, const char *name, pen_json **out);

/* After '[' or '{'. */
static pen_status take_items(struct parser *p, pen_json *whole)
{
    const int is_object = whole->type == PEN_JSON_OBJECT;
    const char end = is_object ? '}' : ']';
    const pen_json **link = &whole->first;

    if (take(p, end))
        return PEN_OK;
    do {
        const char *name = NULL;
        pen_json *item;
        if (is_object && !(take_string(p, &name) && take(p, ':')))
            return PEN_BAD_FORMAT;
        PEN_TRY(take_value(p, name, &item));
        *link = item;
        link = &item->next;
        whole->count++;
    } while (take(p, ','));
    if (!take(p, end))
        return PEN_BAD_FORMAT;
    return is_object ? find_duplicate(p, whole) : PEN_OK;
}

static int take_simple(struct parser *p, pen_json *value)
{
    if (take_word(p, "null"))
        return 1;
    value->type = PEN_JSON_FLAG;
    if (take_word(p, "true"))
        value->number = 1;
    if (value->number == 1 || take_word(p, "false"))
        return 1;
    value->type = PEN_JSON_STRING;
    if (p->at < p->end && *p->at == '"')
        return take_string(p, &value->text);
    value->type = PEN_JSON_NUMBER;
    return take_number(p, &value->number);
}

static pen_status take_value(struct parser *p, const char *name, pen_json **out)
{
    pen_json *const value = *out = p->values++;

    skip_blanks(p);
    *value = (pen_json){ .name = name, .source = p->at };
    const int is_array = take(p, '[');
    if (is_array || take(p, '{')) {
        value->type = is_array ? PEN_JSON_ARRAY : PEN_JSON_OBJECT;
        if (++p->depth > PEN_JSON_DEPTH)
            return PEN_BAD_FORMAT;
        PEN_TRY(take_items(p, value));
        p->depth--;
    } else if (!take_simple(p, value)) {
        return PEN_BAD_FORMAT;
    }
    value->source_size = (size_t)(p->at - value->source);
    return PEN_OK;
}

/* ---- texts ---- */

typedef void *allocate_fn(pen_run *run, int64_t count, size_t size);

/* Every value but the first follows one of these characters. The copy of a string drops two
 * quotation marks and adds a NUL. */
static pen_status reserve(pen_run *run, size_t size, allocate_fn *allocate, struct parser *p)
{
    int64_t most = 1;

    for (size_t i = 0; i < size; i++)
        most += p->at[i] == ',' || p->at[i] == ':' || p->at[i] == '[';
    p->values =
        allocate(run, pen_plus(pen_times(most, (int64_t)sizeof *p->values), (int64_t)size), 1);
    if (!p->values)
        return PEN_NO_MEMORY;
    p->strings = (char *)(p->values + most);
    return PEN_OK;
}

static pen_status parse(pen_run *run, const char *file, const char *what, const char *text,
                        size_t size, allocate_fn *allocate, pen_json **out)
{
    struct parser p = { run, text, text + size, .problem = "is not valid JSON" };

    PEN_REQUIRE(run, pen_text_is_utf8(text, size), PEN_BAD_FORMAT, "%s: %s is not in UTF-8", file,
                what);
    PEN_REQUIRE(run, !memchr(text, '\0', size), PEN_BAD_FORMAT, "%s: %s has a NUL in a string",
                file, what);
    PEN_TRY(reserve(run, size, allocate, &p));
    const pen_status status = take_value(&p, NULL, out);
    skip_blanks(&p);
    PEN_REQUIRE(run, status != PEN_BAD_FORMAT && (status != PEN_OK || p.at == p.end),
                PEN_BAD_FORMAT, "%s: %s %s", file, what, p.problem);
    PEN_REQUIRE(run, status != PEN_OK || !p.twice, PEN_BAD_FORMAT,
                "%s: %s has the key \"%.40s\" twice", file, what, p.twice);
    return status;
}

pen_status pen_json_parse(pen_run *run, const char *file, const char *what, const char *text,
                          size_t size, pen_json **out)
{
    const pen_status status = parse(run, file, what, text, size, pen_scratch, out);

    *out = status == PEN_OK ? *out : NULL;
    return status;
}

pen_status pen_json_parse_kept(pen_run *run, const char *file, const char *what, const char *text,
                               size_t size, pen_json **out)
{
    *out = NULL;
    const pen_status status = parse(run, file, what, text, size, pen_keep, out);

    if (status != PEN_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

int pen_json_is(const pen_json *value, pen_json_type type)
{
    return value && value->type == type;
}

const pen_json *pen_json_member(const pen_json *object, const char *name)
{
    const pen_json *item = pen_json_is(object, PEN_JSON_OBJECT) ? object->first : NULL;

    while (item && strcmp(item->name, name) != 0)
        item = item->next;
    return item;
}

const pen_json *pen_json_item(const pen_json *array, int64_t index)
{
    const pen_json *item = pen_json_is(array, PEN_JSON_ARRAY) ? array->first : NULL;

    while (item && index-- > 0)
        item = item->next;
    return item;
}
