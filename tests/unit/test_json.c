/* test_json.c - valid and invalid JSON: each accepted text is printed again from its values and
 * compared. */
#include "check.h"
#include "kit/text_list.h"

#include "core/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096 };

static void put(char *out, const char *text)
{
    const size_t used = strlen(out);
    assert_true(used + strlen(text) < ROOM);
    memcpy(out + used, text, strlen(text) + 1);
}

/* Strings in < and >, booleans as T and F, null as 0, numbers by %.17g. */
static void print(const pen_json *value, char *out)
{
    char number[40];

    if (value->name) {
        put(out, "<");
        put(out, value->name);
        put(out, ">");
    }
    switch (value->type) {
    case PEN_JSON_NULL:
        put(out, "null");
        break;
    case PEN_JSON_FLAG:
        put(out, value->number == 1 ? "T" : value->number == 0 ? "F" : "?");
        break;
    case PEN_JSON_NUMBER:
        snprintf(number, sizeof number, "%.17g", value->number);
        put(out, number);
        break;
    case PEN_JSON_STRING:
        put(out, "<");
        put(out, value->text);
        put(out, ">");
        break;
    case PEN_JSON_ARRAY:
    case PEN_JSON_OBJECT:
        put(out, value->type == PEN_JSON_ARRAY ? "[" : "{");
        int64_t count = 0;
        for (const pen_json *item = value->first; item; item = item->next, count++) {
            put(out, count ? " " : "");
            print(item, out);
        }
        assert_int_equal(count, value->count);
        put(out, value->type == PEN_JSON_ARRAY ? "]" : "}");
    }
}

static pen_status parse(const char *text, size_t size, pen_json **out, pen_error *err)
{
    /* exactly as long as the text, so that a read past the end is detected */
    char *const tight = malloc(size ? size : 1);

    assert_non_null(tight);
    memcpy(tight, text, size);
    pen_run *const run = check_run(0, err);
    const pen_status status = pen_json_parse_kept(run, "f", "w", tight, size, out);
    pen_run_close(run);
    free(tight);
    return status;
}

TEST(accepted)
{
    static const char *const texts[][2] = {
        { "null", "null" },
        { " \t\r\n true \n", "T" },
        { "false", "F" },
        { "0", "0" },
        { "-0", "-0" },
        { "-12.5e+2", "-1250" },
        { "1E-2", "0.01" },
        { "0.1", "0.10000000000000001" },
        { "9007199254740993", "9007199254740992" },
        { "[1e999,-1e999]", "[inf -inf]" },
        { "\"\"", "<>" },
        { "\"a b\"", "<a b>" },
        { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "<\"\\/\b\f\n\r\t>" },
        { "\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00\"", "<A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80>" },
        { "\"\xC3\xA9\x7F\"", "<\xC3\xA9\x7F>" },
        { "[]", "[]" },
        { "{}", "{}" },
        { "[ ]", "[]" },
        { "[[],[[]] , {}]", "[[] [[]] {}]" },
        { "{\"a\": 1, \"b\" :[true,null,\"x\"], \"\" :{\"a\":-2}}",
          "{<a>1 <b>[T null <x>] <>{<a>-2}}" },
        { "[\"a,b:c[d\", \"{\"]", "[<a,b:c[d> <{>]" },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char found[ROOM] = "";
        pen_json *value;
        pen_error err;
        CHECK(parse(texts[i][0], strlen(texts[i][0]), &value, &err) == PEN_OK, "%s: %s",
              texts[i][0], err.message);
        print(value, found);
        assert_string_equal(found, texts[i][1]);
        assert_null(value->name);
        free(value);
    }
}

TEST(refused)
{
    const text_list texts = text_list_of(
        ";  ; " /* nothing, and a space */
        "nul; nulll; True; 01; +1; -; 1.; .5; 1e; 1e+; 0x10; NaN; Infinity; 1 2; \"; \"a; \"\\\"; "
        "\"\\x\"; \"\\u12\"; \"\\u12g4\"; \"\n\"; \"\\uD800\"; \"\\uDC00\"; \"\\uD800\\u0041\"; "
        "\"\\uD800x\"; 'a'; [; ]; [1; [1,; [1,]; [,1]; [1 2]; [1}; {; {\"a\"}; {\"a\":}; "
        "{\"a\":1,}; {a:1}; {1:1}; {\"a\" 1}; {\"a\":1]; []]; {} x; [1,\"\\");
    for (int64_t i = 0; i < texts.count; i++) {
        pen_json *value = NULL;
        pen_error err;
        CHECK(parse(texts.text[i], strlen(texts.text[i]), &value, &err) == PEN_BAD_FORMAT,
              "%s is accepted", texts.text[i]);
        assert_null(value);
        assert_string_equal(err.message, "f: w is not valid JSON");
    }
}

TEST(refused_with_a_reason)
{
    static const struct {
        const char *text;
        size_t size;
        const char *message;
    } cases[] = {
        { "\"\\u0000\"", 8, "f: w has a NUL in a string" },
        { "\"a\0b\"", 5, "f: w has a NUL in a string" },
        { "\"\xFF\"", 3, "f: w is not in UTF-8" },
        { "{\"b\":1,\"a\":2,\"b\":3}", 19, "f: w has the key \"b\" twice" },
        { "[{\"a\":{\"x\":1,\"\\u0078\":1}}]", 26, "f: w has the key \"x\" twice" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pen_json *value;
        pen_error err;
        assert_int_equal(parse(cases[i].text, cases[i].size, &value, &err), PEN_BAD_FORMAT);
        assert_string_equal(err.message, cases[i].message);
    }
}

TEST(depth)
{
    char text[2 * 101];
    pen_json *value;
    pen_error err;
    for (size_t depth = 100; depth <= 101; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        assert_int_equal(parse(text, 2 * depth, &value, &err),
                         depth == 100 ? PEN_OK : PEN_BAD_FORMAT);
        free(value);
    }
    /* siblings may be more */
    char wide[3 * 1000 + 1] = "[";
    for (size_t i = 0; i < 999; i++)
        memcpy(wide + 1 + 3 * i, i < 998 ? "[]," : "[] ", 3);
    wide[1 + 3 * 999] = ']';
    assert_int_equal(parse(wide, 2 + 3 * 999, &value, &err), PEN_OK);
    assert_int_equal(value->count, 999);
    free(value);
}

/* Any prefix of a text, and any text with one byte replaced, is refused or accepted without access
 * outside of it. */
TEST(damaged)
{
    static const char whole[] =
        "{\"a\":[1,-2.5e3,\"x\\u20AC\\n\"],\"b\":{\"c\":null,\"d\":true},\"e\":\"\"}";
    char text[sizeof whole];
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        pen_json *value;
        pen_error err;
        assert_int_equal(parse(whole, size, &value, &err), PEN_BAD_FORMAT);
    }
    for (size_t i = 0; i < sizeof whole - 1; i++)
        for (int byte = 0; byte < 256; byte++) {
            pen_json *value;
            pen_error err;
            memcpy(text, whole, sizeof whole);
            text[i] = (char)byte;
            const pen_status status = parse(text, sizeof whole - 1, &value, &err);
            assert_true(status == PEN_OK || status == PEN_BAD_FORMAT);
            assert_true((status == PEN_OK) == (value != NULL));
            free(value);
        }
}

TEST(access_by_name)
{
    static const char text[] = "{\"a\":[10,20],\"b\":{\"c\":3}}";
    pen_json *value;
    pen_error err;
    assert_int_equal(parse(text, sizeof text - 1, &value, &err), PEN_OK);
    const pen_json *const a = pen_json_member(value, "a"), *const b = pen_json_member(value, "b");
    assert_true(pen_json_is(a, PEN_JSON_ARRAY) && pen_json_item(a, 1)->number == 20);
    assert_true(pen_json_member(b, "c")->number == 3);
    assert_null(pen_json_item(a, 2));
    assert_null(pen_json_item(b, 0));
    assert_null(pen_json_member(value, "c"));
    assert_null(pen_json_member(a, "a"));
    assert_null(pen_json_member(NULL, "a"));
    assert_false(pen_json_is(NULL, PEN_JSON_NULL));
    assert_int_equal(b->source_size, strlen("{\"c\":3}"));
    free(value);
}
