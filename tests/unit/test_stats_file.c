/* test_stats_file.c - statistics as files: round trips and refused files. */
#include "kit/check_fit.h"
#include "kit/folder.h"
#include "kit/model_bytes.h"
#include "kit/signed.h"
#include "stats/stats.h"

static model_file file_of(const pen_stats *s)
{
    model_file f;
    void *bytes;
    pen_error err;

    CHECK_OK(pen_stats_to_bytes(s, &bytes, &f.size, &err), &err);
    f.bytes = bytes;
    return f;
}

/* An object with every part: sums, rows, chunks and nearest rows. */
static pen_stats *whole(void)
{
    enum { N = 8, D = 2 };
    static const char *const names[] = { "low", "h\xc3\xb6her" }, *const features[] = { "a", "b" };
    static const double x[N * D] = { 1, 2, 3, 5, 4, 9, 0, 1, 7, 7, 2, 8, 5, 5, 1, 6 };
    static const int32_t y[N] = { 0, -1, 1, 0, -1, 1, 0, -1 };
    static const int64_t keep[] = { 1, 7 }, chunks[N] = { 4, 4, -1, 9, 9, -1, -1, -1 };
    pen_data data = { .x = pen_dense(x, PEN_F64, N, D, D),
                      .labels = y,
                      .class_names = names,
                      .class_count = 2,
                      .column_names = features };
    const pen_stats_block block = { .id = 3,
                                    .keep = keep,
                                    .keep_count = 2,
                                    .chunks = chunks,
                                    .parts = PEN_PART_TOTAL | PEN_PART_CLASSES | PEN_PART_ROWS };
    pen_spec *spec = spec_of("self neighbors=3 scale=standard");
    pen_stats *s[2], *all;
    pen_error err;

    CHECK_OK(pen_stats_new(spec, &data, &block, NULL, &s[0], &err), &err);
    CHECK_OK(pen_stats_nearest(spec, s[0], &data, 3, NULL, &s[1], &err), &err);
    CHECK_OK(pen_stats_merge((const pen_stats *const *)s, 2, 1, NULL, &all, &err), &err);
    keep_stats(s[0]), keep_stats(s[1]);
    return keep_stats(all);
}

static pen_stats *parsed(const model_file *f)
{
    pen_stats *s;
    pen_error err;

    CHECK_OK(pen_stats_from_bytes(f->bytes, f->size, &s, &err), &err);
    return keep_stats(s);
}

TEST(round_trip)
{
    char info[2000];
    pen_stats *const s = whole();
    s->row = (pen_row_params){ .total = 1.5, .log1p = 1, .snv = 1 };
    const model_file f = file_of(s);
    pen_stats *const again = parsed(&f);
    const model_file g = file_of(again);

    CHECK(f.size == g.size && memcmp(f.bytes, g.bytes, f.size) == 0, "bytes differ");
    CHECK(strcmp(again->class_names[0], "h\xc3\xb6her") == 0 && again->row_class[0] == 1,
          "classes in the order of their names");
    CHECK(strcmp(again->column_names[1], "b") == 0, "names of columns");
    CHECK(again->near == 3 && again->near_rows == 5, "nearest");
    CHECK(again->chunks.count == 2 && again->chunk_id[0] == 4 && again->chunk_id[1] == 9, "chunks");
    CHECK(again->chunks.rows[0] == 2 && again->chunks.rows[1] == 2, "their rows");
    CHECK_CLOSE(again->chunks.mean[0], 2, 1e-14, 0);
    CHECK_CLOSE(again->chunks.mean[3], 4, 1e-14, 0);
    /* rows (1,2) (3,5) and (0,1) (7,7) about their means */
    CHECK_CLOSE(again->chunks.within[0], 2 + 24.5, 1e-14, 0);
    CHECK_CLOSE(again->chunks.within[1], 3 + 21, 1e-14, 0);
    CHECK_CLOSE(again->chunks.within[2], 4.5 + 18, 1e-14, 0);
    assert_true(pen_stats_info(again, info, sizeof info) == strlen(info));
    assert_non_null(strstr(info, "\"row_steps\":\"total:1.5,log1p,snv\""));
    assert_true(pen_stats_info(NULL, info, sizeof info) == 0 && !*info);
    pen_free(f.bytes), pen_free(g.bytes);
}

GROUP(folder_make, folder_remove);

TEST(on_disk)
{
    char *const path = in_folder("stats.pens");
    pen_stats *const s = whole();
    pen_stats *again;
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_stats_save(s, path, &err), &err);
    CHECK_OK(pen_stats_load(path, &again, &err), &err);
    keep_stats(again);
    CHECK_STATUS(pen_model_load(path, &model, &err), PEN_BAD_FORMAT, "it holds statistics", &err);
    pen_spec *const spec = spec_of("self scale=standard neighbors=3");
    CHECK_OK(pen_stats_fit(spec, s, NULL, NULL, &model, &err), &err);
    CHECK_OK(pen_model_save(model, path, &err), &err);
    CHECK_STATUS(pen_stats_load(path, &again, &err), PEN_BAD_FORMAT, "it is a model", &err);
    assert_null(again);
    remove(path);
    CHECK_STATUS(pen_stats_load(path, &again, &err), PEN_FILE_ERROR, "cannot be opened", &err);
    pen_model_free(model);
}

static void check_bytes_refused(const unsigned char *bytes, size_t size, pen_status code,
                                const char *phrase)
{
    /* exact size, so that a memory checker detects a read past the end */
    unsigned char *const exact = check_allocate((int64_t)size, 1);
    pen_stats *s = NULL;
    pen_error err;

    memcpy(exact, bytes, size);
    CHECK_STATUS(pen_stats_from_bytes(exact, size, &s, &err), code, phrase, &err);
    assert_null(s);
}

/* Truncated, or with a flipped bit: an error, unless it is in the name of the checksum. */
TEST(damage)
{
    pen_stats *const s = whole();
    const model_file f = file_of(s);

    for (size_t size = 0; size < f.size; size++)
        check_bytes_refused(f.bytes, size, PEN_BAD_FORMAT, NULL);
    for (size_t bit = 0; bit < 8 * f.size; bit++) {
        const size_t at = bit / 8;
        f.bytes[at] ^= (unsigned char)(1 << bit % 8);
        if (at < 8 || at >= 8 + sizeof CRC_START)
            check_bytes_refused(f.bytes, f.size, PEN_BAD_FORMAT, NULL);
        f.bytes[at] ^= (unsigned char)(1 << bit % 8);
    }
    pen_free(f.bytes);
}

TEST(false_headers)
{
    static const struct {
        const char *from, *to;
        pen_status code;
        const char *phrase;
    } lies[] = {
        { "\"kind\":\"statistics\"", "\"kind\":\"model\"", PEN_BAD_FORMAT, "kind statistics" },
        { "\"format\":\"1\"", "\"format\":\"3\"", PEN_NEWER_FORMAT, "format 3 is newer" },
        { "\"format\":\"1\"", "\"format\":\"-1\"", PEN_BAD_FORMAT, "format" },
        { "\\\"total\\\",", "\\\"tital\\\",", PEN_NEWER_FORMAT, "tital" },
        { "\\\"total\\\",", "\\\"total\\\",\\\"lists\\\",", PEN_NEWER_FORMAT,
          "the statistics have \"lists\", which this version" },
        { "\\\"total\\\",", "", PEN_BAD_FORMAT, "parts" },
        { "\"columns\":\"2\"", "\"columns\":\"3\"", PEN_BAD_FORMAT, "column names" },
        { "\"columns\":\"2\"", "\"columns\":\"0\"", PEN_BAD_FORMAT, "at least 1" },
        { "\"columns\":\"2\"", "\"columns\":\"9999999999\"", PEN_BAD_FORMAT, "0 .. 8191" },
        { "\"parts\"", "\"row_steps\":\"l1\",\"parts\"", PEN_BAD_FORMAT, "steps of one row" },
        { "\"parts\"", "\"row_steps\":3,\"parts\"", PEN_BAD_FORMAT, "row_steps" },
        { "\"parts\"", "\"row_steps\":\"total:0\",\"parts\"", PEN_BAD_FORMAT, "steps of one row" },
        { "\"parts\"", "\"row_steps\":\"derivative:3\",\"parts\"", PEN_BAD_FORMAT,
          "steps of one row" },
        { "\"parts\"", "\"row_steps\":\"total:median\",\"parts\"", PEN_BAD_FORMAT,
          "steps of one row" },
        { "\"parts\"", "\"row_steps\":\"idf\",\"parts\"", PEN_BAD_FORMAT, "steps of one row" },
        { "\"merges\":\"canonical\"", "\"merges\":\"so\"", PEN_BAD_FORMAT, "canonical or free" },
        { "\"chunk_count\":\"2\"", "\"chunk_count\":\"99999999999999\"", PEN_BAD_FORMAT, "chunk" },
        { "\\\"k\\\":3", "\\\"k\\\":2", PEN_BAD_FORMAT, "near_distance2" },
        { "\\\"k\\\":3", "\\\"k\\\":2.5", PEN_BAD_FORMAT, "whole numbers" },
        { "\\\"low\\\"", "\\\"a\\\"", PEN_BAD_FORMAT, "in order" },
        { "\\\"low\\\"", "7", PEN_BAD_FORMAT, "list of strings" },
        { "\"dtype\":\"I64\"", "\"dtype\":\"F64\"", PEN_BAD_FORMAT, "must be of dtype I64" },
        { "\"shape\":[1,3],\"data_offsets\":[0,24]", "\"shape\":[0,3],\"data_offsets\":[0,0]",
          PEN_BAD_FORMAT, "at least one block" },
        { "\"shape\":[1,3]", "\"shape\":[100000000000,3]", PEN_BAD_FORMAT, "impossible shape" },
        { "[0,24]", "[0,32]", PEN_BAD_FORMAT, "data_offsets" },
        { "[32,48]", "[0,16]", PEN_BAD_FORMAT, "follow each other" },
        { "\"block_digest\":{", "\"block_digests\":{", PEN_BAD_FORMAT,
          "no tensor \"block_digest\"" },
        { "\"shape\":[1],\"data_offsets\":[24,32]", "\"shape\":[2],\"data_offsets\":[24,40]",
          PEN_BAD_FORMAT, "\"block_digest\" does not have the shape" },
        { "\"scatter\":{", "\"scattered\":{", PEN_BAD_FORMAT, "no tensor \"scatter\"" },
        { "\"library\"", "\"checksum\":\"crc32:00000000\",\"library\"", PEN_BAD_FORMAT,
          "checksum" },
    };
    pen_stats *const s = whole();
    const model_file f = file_of(s);

    for (int64_t i = 0; i < COUNT_OF(lies); i++) {
        const model_file g = model_file_changed(&f, lies[i].from, lies[i].to);
        check_bytes_refused(g.bytes, g.size, lies[i].code, lies[i].phrase);
    }
    pen_free(f.bytes);
}

#define CHECK_LIE(change, phrase)                                                                  \
    do {                                                                                           \
        pen_stats *s = whole();                                                                    \
        change;                                                                                    \
        const model_file f = file_of(s);                                                           \
        check_bytes_refused(f.bytes, f.size, PEN_BAD_FORMAT, phrase);                              \
        pen_free(f.bytes);                                                                         \
    } while (0)

TEST(false_numbers)
{
    CHECK_LIE(s->blocks[0] = -1, "ascending ids");
    CHECK_LIE(s->blocks[1] = 5, "row 5 of block 3, which does not exist");
    CHECK_LIE(s->blocks[2] = 9, "no more labelled rows than rows");
    CHECK_LIE(s->blocks[2] = 4, "add up to 5, but the blocks have 4");
    CHECK_LIE(s->mean[1] = s->high[1] + 1, "column 1: the mean must be between low and high");
    CHECK_LIE(s->low[0] = (double)NAN, "not finite");
    CHECK_LIE(s->scatter[2] = -1, "negative sum of squares");
    CHECK_LIE(s->classes.rows[0] = 0, "a class has no rows");
    CHECK_LIE(s->classes.within[0] = -1, "a class has a negative sum");
    CHECK_LIE(s->chunks.rows[0] = 900, "the rows of each chunk add up to 902");
    CHECK_LIE(s->chunk_id[0] = 9, "\"chunk_id\" must be ascending");
    CHECK_LIE(s->row_id[1] = s->row_id[3], "must name rows once, in order");
    CHECK_LIE(s->row_id[0] = 2, "row 0 of block 2, which does not exist");
    CHECK_LIE(s->row_class[0] = 2, "a class that does not exist: 2");
    CHECK_LIE(s->row_class[0] = -1, "4 labelled rows are kept, but the blocks have 5");
    CHECK_LIE(s->row_value[0] = (double)INFINITY, "not finite");
    CHECK_LIE(s->near_distance2[0] = -1, "ascending in each row");
    CHECK_LIE(s->near_distance2[1] = (double)INFINITY, "ascending in each row");
    CHECK_LIE(s->near_id[1] = s->near_id[3], "must name rows once, in order");
}

/* Randomly changed files with a correct checksum: refused, or usable without harm. */
TEST(mutations)
{
    pen_stats *const s = whole();
    const model_file f = file_of(s);
    pen_rng rng = check_rng(5);
    pen_spec *const spec = spec_of("self scale=standard neighbors=3");
    int64_t accepted = 0;

    for (int again = 0; again < check_repeats(4000); again++) {
        unsigned char *const bytes = check_allocate((int64_t)f.size, 1);
        pen_stats *found;
        pen_model *model;
        pen_error err;
        memcpy(bytes, f.bytes, f.size);
        for (int64_t flips = pen_rng_below(&rng, 3); flips >= 0; flips--)
            bytes[pen_rng_below(&rng, (int64_t)f.size)] = (unsigned char)pen_rng_below(&rng, 256);
        sign_file(bytes, f.size);
        if (pen_stats_from_bytes(bytes, f.size, &found, &err) == PEN_OK) {
            accepted++;
            if (pen_stats_fit(spec, keep_stats(found), NULL, NULL, &model, &err) == PEN_OK)
                pen_model_free(model);
        }
    }
    CHECK(accepted > 0, "no changed file is accepted");
    pen_free(f.bytes);
}
