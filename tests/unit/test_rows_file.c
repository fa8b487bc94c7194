/* test_rows_file.c - prepared rows as files: fits after reading have the bytes of fits of the rows
 * and recompute nothing; files of other rows, changed and truncated files are refused. */
#include "core/checksum.h"
#include "kit/folder.h"
#include "kit/model_bytes.h"
#include "kit/sparse_sample.h"

enum { N = 60, D = 6, HEADER = 640, MAKER = 32, MOST = 1 << 20 };

GROUP(folder_make, folder_remove);

static pen_rows *load(const pen_array *x, pen_status code, const char *phrase)
{
    pen_rows *made;
    pen_error err;

    CHECK_STATUS(pen_rows_load(in_folder("rows"), x, NULL, &made, &err), code, phrase, &err);
    return made;
}

static void check_again(const pen_array *x, const int32_t *labels, const char *list)
{
    const text_list texts = text_list_of(list);
    pen_data data = { .x = *x, .labels = labels }, cold = data;
    pen_error err;

    CHECK_OK(pen_rows_new(x, NULL, &data.rows, &err), &err);
    for (int64_t t = 0; t < texts.count; t++)
        fit_data(texts.text[t], &data);
    CHECK_OK(pen_rows_save(data.rows, in_folder("rows"), &err), &err);
    pen_rows_free(data.rows);
    data.rows = load(x, PEN_OK, NULL);
    const size_t before = pen_rows_memory(data.rows);
    for (int64_t t = 0; t < texts.count; t++)
        check_same_model(fit_data(texts.text[t], &data), fit_data(texts.text[t], &cold), list);
    CHECK(pen_rows_memory(data.rows) == before, "recomputed: %s", list);
    pen_rows_free(data.rows);
}

TEST(fits_after_reading)
{
    pen_rng rng = check_rng(4501);
    sample s = sample_random(&rng, N, D, 3, 20), few = sparse_random(&rng, N, 9, 3, 25);
    const pen_array x = sample_data(&s).x, counts = sample_data(&few).x,
                    sparse = sparse_of(&counts, SOME_ZEROS);
    static const char *const all = "fme; fme pca=4; self beta=0.5; sda; sda scale=standard; lfda; "
                                   "pca dim=2; fda kernel=rbf kernel_landmarks=20 ridge=0.1";

    check_again(&sparse, few.y, all);
    check_again(&sparse, few.y, "fme row_steps=log1p,l2; sda row_steps=total:100,idf");
    for (int64_t i = 0; i < N; i++)
        s.x[i * D + 2] = 5; /* a constant column: keys belong to rows in the file */
    check_again(&x, s.y, all);
}

static unsigned char bytes[MOST], changed[MOST];

/* The first bytes with one changed, and the old or a correct checksum. */
static void write_changed(size_t count, size_t at, int summed)
{
    FILE *const file = fopen(in_folder("rows"), "wb");

    memcpy(changed, bytes, count);
    changed[at] ^= 0x41;
    const uint64_t crc = pen_crc32(0, changed, count - sizeof crc);
    if (summed)
        memcpy(changed + count - sizeof crc, &crc, sizeof crc);
    assert_int_equal(fwrite(changed, 1, count, file) + (size_t)fclose(file), count);
}

TEST(refused_files)
{
    pen_rng rng = check_rng(4502);
    const sample s = sample_random(&rng, N, D, 3, 20), t = sample_random(&rng, N, D, 3, 20);
    const pen_array x = sample_data(&s).x, other = sample_data(&t).x,
                    floats = recast(&s, PEN_F32, 0);

    check_again(&x, s.y, "self beta=0.5; fda kernel=rbf kernel_landmarks=5");
    FILE *const file = fopen(in_folder("rows"), "rb");
    const size_t size = fread(bytes, 1, MOST, file) + (size_t)fclose(file);
    load(&floats, PEN_BAD_DATA, "was made for other rows");
    load(&other, PEN_BAD_DATA, "was made for other rows");
    write_changed(size, MAKER, 1);
    load(&x, PEN_BAD_DATA, "made by another version");
    write_changed(size, 0, 1);
    load(&x, PEN_BAD_FORMAT, "is not a file of prepared rows");
    int refused = 0;
    for (size_t at = HEADER; at < size - 8; at += at % 8 ? 1 : 7) { /* ends of numbers */
        pen_rows *made;
        write_changed(at % 128 ? size : at, at - 1, 0);
        load(&x, PEN_BAD_DATA, "is damaged");
        write_changed(size, at, 1);
        refused += pen_rows_load(in_folder("rows"), &x, NULL, &made, NULL) == PEN_BAD_DATA;
        assert_true(pen_rows_memory(made) < 2 * size);
        pen_rows_free(made);
    }
    CHECK(refused > 20, "%d changed files are refused", refused);
}
