/* test_io_hdf5.c - h5ad, counts of 10x, MATLAB 7.3 and other HDF5 files as h5py and anndata write
 * them; and what is said where penumbra was built without libhdf5. */
#define _POSIX_C_SOURCE 200809L

#include "fixture.h"

#include "core/file.h"
#include "io/lzf.h"
#include "test_io.h"

#include <pthread.h>
#include <unistd.h>

static const pen_read_options no_options = { .format = NULL };

#ifdef PENUMBRA_HDF5

/* Reads a file and compares; sparse: -1 dense, 1 sparse. */
static void check_file(const char *name, int sparse, pen_dtype dtype, enum fixture_kind kind,
                       double divisor)
{
    pen_table *const table = fixture_read(name, &no_options);
    const pen_array *const x = &table->x;

    CHECK((x->starts != NULL) == (sparse > 0) && x->dtype == dtype, "%s: dtype %d, %s", name,
          (int)x->dtype, x->starts ? "sparse" : "dense");
    fixture_check(name, x, FIXTURE_ROWS, FIXTURE_COLS, kind, divisor);
    pen_table_free(table);
}

static void matrices(void **state)
{
    (void)state;
    check_file(FIXTURE("csr.h5ad.gz"), 1, PEN_F32, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("csr.h5ad.gz::X"), 1, PEN_F32, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("csr.h5ad.gz::layers/csc"), 1, PEN_F64, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("csr.h5ad.gz::/layers/dense"), -1, PEN_F64, FIXTURE_COUNTS, 4);
    check_file(FIXTURE("csc.h5ad.gz"), 1, PEN_F64, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("dense.h5ad.gz"), -1, PEN_F64, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("old.h5ad"), 1, PEN_F64, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("tenx2.h5"), 1, PEN_F64, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("tenx3.h5"), 1, PEN_F64, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("plain.h5::one/rows"), -1, PEN_F32, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("plain.h5::bytes"), -1, PEN_U8, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("single.h5"), -1, PEN_F64, FIXTURE_PATTERN, 1);
    check_file(FIXTURE("matlab73.mat::fea"), -1, PEN_F64, FIXTURE_COUNTS, 4);
    check_file(FIXTURE("matlab73.mat::bytes"), -1, PEN_U8, FIXTURE_COUNTS, 1);
    check_file(FIXTURE("matlab73.mat::sparse"), 1, PEN_F64, FIXTURE_COUNTS, 1);
}

static void names(void **state)
{
    static const char *const files[] = { FIXTURE("csr.h5ad.gz"), FIXTURE("csc.h5ad.gz"),
                                         FIXTURE("dense.h5ad.gz"), FIXTURE("old.h5ad"),
                                         FIXTURE("csr.h5ad.gz::layers/dense") };
    static const char *const genes[FIXTURE_COLS] = { "A",   "B", "A-2", "C", "A-1",
                                                     "A-3", "D", "E",   "F", "B-1" };
    pen_table *table;
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        table = fixture_read(files[f], NULL);
        CHECK(fixture_numbered(table->row_names, "cell", FIXTURE_ROWS)
                  && fixture_numbered(table->column_names, "gene", FIXTURE_COLS),
              "%s: names", files[f]);
        pen_table_free(table);
    }
    table = fixture_read(FIXTURE("csr.h5ad.gz::raw/X"), NULL);
    assert_int_equal(table->x.cols, FIXTURE_COLS + 2);
    assert_true(fixture_numbered(table->column_names, "raw", FIXTURE_COLS + 2));
    for (int i = 0; i < FIXTURE_ROWS; i++)
        assert_true(fixture_at(&table->x, i, FIXTURE_COLS + 1) == fixture_value(i, 1));
    pen_table_free(table);
    table = fixture_read(FIXTURE("csr.h5ad.gz::obsm/X_pca"), NULL);
    fixture_check("obsm", &table->x, FIXTURE_ROWS, 3, FIXTURE_COUNTS, 1);
    assert_null(table->column_names);
    pen_table_free(table);
    for (int version = 2; version <= 3; version++) {
        table = fixture_read(version == 2 ? FIXTURE("tenx2.h5") : FIXTURE("tenx3.h5"), NULL);
        assert_true(fixture_numbered(table->row_names, "cell", FIXTURE_ROWS));
        for (int j = 0; j < FIXTURE_COLS; j++)
            assert_string_equal(table->column_names[j], genes[j]);
        pen_table_free(table);
    }
}

/* beta alpha gamma, but for every fifth row. */
static int32_t kind_of(int i)
{
    return i % 5 == 4 ? -1 : (i + (i % 3 == 0) - (i % 3 == 1)) % 3;
}

static void check_labels(const char *path, const char *column, int32_t (*wanted)(int),
                         const char *const *classes)
{
    const pen_read_options options = { .label_column = column };
    pen_table *const table = fixture_read(path, &options);

    assert_non_null(table->labels);
    for (int i = 0; i < FIXTURE_ROWS; i++)
        CHECK(table->labels[i] == wanted(i), "%s %s: row %d has the class %d", path, column, i,
              (int)table->labels[i]);
    for (int64_t c = 0; c < table->class_count; c++)
        assert_string_equal(table->class_names[c], classes[c]);
    pen_table_free(table);
}

static int32_t all_kinds(int i)
{
    return (i + (i % 3 == 0) - (i % 3 == 1)) % 3;
}

static int32_t of_four(int i)
{
    return i % 4;
}

static int32_t share(int i)
{
    return i % 6 == 5 ? -1 : i % 2;
}

static int32_t flag(int i)
{
    return i % 2 == 0;
}

static int32_t maybe(int i)
{
    return i % 4 == 3 ? -1 : i % 3;
}

/* Blocks of labels have those of the whole; their classes are told by names. */
static void labels_in_blocks(void **state)
{
    static const char *const paths[] = {
        FIXTURE("old.h5ad::obs/kind"),
        FIXTURE("plain.h5::y"),
        FIXTURE("single.h5::labels"),
    };
    static const int64_t sizes[] = { 1, 2, 7, 4096 };
    pen_table *whole, *block;
    pen_blocks *blocks;
    pen_error err;
    (void)state;
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        CHECK_OK(pen_read_labels(paths[p], NULL, &whole, &err), &err);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int64_t at = 0;
            CHECK_OK(pen_blocks_open_labels(paths[p], NULL, &blocks, &err), &err);
            for (;;) {
                CHECK_OK(pen_blocks_next(blocks, sizes[s], &block, &err), &err);
                if (!block)
                    break;
                for (int64_t i = 0; i < block->x.rows; i++, at++)
                    CHECK(
                        in_blocks_same_text(in_blocks_class(block, i), in_blocks_class(whole, at)),
                        "%s: the class of row %lld differs", paths[p], (long long)at);
                pen_table_free(block);
            }
            assert_int_equal(at, whole->x.rows);
            assert_int_equal(pen_blocks_rows(blocks), whole->x.rows);
            pen_blocks_free(blocks);
        }
        pen_table_free(whole);
    }
    CHECK_OK(pen_blocks_open_labels(FIXTURE("matlab73.mat::gnd"), NULL, &blocks, &err), &err);
    CHECK_STATUS(pen_blocks_next(blocks, 2, &block, &err), PEN_BAD_FORMAT, "of MATLAB", &err);
    pen_blocks_free(blocks);
    CHECK_OK(pen_blocks_open_labels(FIXTURE("old.h5ad::obs/no"), NULL, &blocks, &err), &err);
    CHECK_STATUS(pen_blocks_next(blocks, 2, &block, &err), PEN_UNKNOWN_NAME, "no column", &err);
    pen_blocks_free(blocks);
}

static void labels(void **state)
{
    static const char *const kinds[] = { "alpha", "beta", "gamma" },
                             *const numbers[] = { "0", "1", "2", "3" },
                             *const shares[] = { "0.5", "1.5" },
                             *const flags[] = { "False", "True" };
    static const char csr[] = FIXTURE("csr.h5ad.gz");
    const pen_read_options whole = { .unlabelled = "beta" };
    pen_table *table;
    pen_error err;
    (void)state;
    check_labels(csr, "kind", kind_of, kinds);
    check_labels(FIXTURE("old.h5ad"), "kind", kind_of, kinds);
    check_labels(FIXTURE("dense.h5ad.gz"), "kind", kind_of, kinds);
    check_labels(csr, "text", all_kinds, kinds);
    check_labels(csr, "number", of_four, numbers);
    check_labels(csr, "share", share, shares);
    check_labels(csr, "flag", flag, flags);
    check_labels(csr, "maybe", maybe, numbers);
    CHECK_OK(pen_read_labels(FIXTURE("csr.h5ad.gz::obs/kind"), &whole, &table, &err), &err);
    assert_int_equal(table->class_count, 2);
    assert_int_equal(table->labels[0], PEN_UNLABELLED);
    assert_int_equal(table->labels[2], 1);
    pen_table_free(table);
    CHECK_OK(pen_read_labels(FIXTURE("plain.h5::y"), NULL, &table, &err), &err);
    for (int i = 0; i < FIXTURE_ROWS; i++)
        assert_int_equal(table->labels[i], i % 3);
    pen_table_free(table);
    CHECK_OK(pen_read_labels(FIXTURE("matlab73.mat::gnd"), NULL, &table, &err), &err);
    assert_int_equal(table->x.rows, FIXTURE_ROWS);
    assert_int_equal(table->labels[5], 2);
    pen_table_free(table);
    CHECK_OK(pen_read_labels(FIXTURE("single.h5::labels"), NULL, &table, &err), &err);
    assert_string_equal(table->class_names[0], "alpha");
    pen_table_free(table);
}

/* Labels are as they are said to be: by column of obs, or by path. */
static void check_classes(const char *path, const char *const *classes, int64_t count,
                          int32_t (*wanted)(int))
{
    pen_table *table;
    pen_error err;

    CHECK_OK(pen_read_labels(path, NULL, &table, &err), &err);
    CHECK(table->x.rows == FIXTURE_ROWS && table->class_count == count, "%s: %d labels, %d classes",
          path, (int)table->x.rows, (int)table->class_count);
    for (int64_t c = 0; c < count; c++)
        assert_string_equal(table->class_names[c], classes[c]);
    for (int i = 0; i < FIXTURE_ROWS; i++)
        CHECK(table->labels[i] == wanted(i), "%s: row %d has the class %d", path, i,
              (int)table->labels[i]);
    pen_table_free(table);
}

static int32_t of_eight(int i)
{
    return i / 8;
}

static int32_t maybe_true(int i)
{
    return i % 4 == 3 ? -1 : i % 4 == 0;
}

/* No double holds these whole numbers: each is a class, kept and a name of its own. Truth values
 * are called as in CSV. */
static void digits(void **state)
{
    static const char *const
        ids[] = { "720575940621039145", "720575940621039146", "720575940621039147" },
        *const unsigned_ids[] = { "18446744073709551613", "18446744073709551614",
                                  "18446744073709551615" },
        *const flags[] = { "False", "True" }, *const kept[] = { "id",    "unsigned", "coded",
                                                                "small", "flag",     "maybe" };
    const pen_read_options keep = { .keep = kept, .keep_count = 6, .row_name_column = "id" },
                           names = { .row_name_column = "flag" };
    pen_table *table = fixture_read(FIXTURE("ids.h5ad.gz"), &keep);
    (void)state;
    for (int i = 0; i < FIXTURE_ROWS; i++) {
        char *const *const cells = table->kept + 6 * i;
        char small[16];
        snprintf(small, sizeof small, "%d", i * 1000);
        assert_string_equal(table->row_names[i], ids[i / 8]);
        assert_string_equal(cells[0], ids[i / 8]);
        assert_string_equal(cells[1], unsigned_ids[i / 8]);
        assert_string_equal(cells[2], ids[i / 8]);
        assert_string_equal(cells[3], small);
        assert_string_equal(cells[4], flags[i % 2 == 0]);
        assert_string_equal(cells[5], i % 4 == 3 ? "" : flags[i % 4 == 0]);
    }
    pen_table_free(table);
    table = fixture_read(FIXTURE("ids.h5ad.gz"), &names);
    assert_string_equal(table->row_names[0], "True");
    assert_string_equal(table->row_names[1], "False");
    pen_table_free(table);
    check_labels(FIXTURE("ids.h5ad.gz"), "id", of_eight, ids);
    check_labels(FIXTURE("ids.h5ad.gz"), "maybe", maybe_true, flags);
    check_classes(FIXTURE("ids.h5ad.gz::obs/id"), ids, 3, of_eight);
    check_classes(FIXTURE("ids.h5ad.gz::obs/unsigned"), unsigned_ids, 3, of_eight);
    check_classes(FIXTURE("ids.h5ad.gz::obs/coded"), ids, 3, of_eight);
    check_classes(FIXTURE("texts73.mat.gz::ids"), ids, 3, of_eight);
}

static int32_t text_of_row(int i)
{
    static const int32_t codes[] = { 1, 0, 2, 3 };
    return codes[i % 4];
}

/* Characters of MATLAB 7.3 are numbers in the file, an empty array is its shape. */
static void matlab_texts(void **state)
{
    static const char *const letters[] = { "a", "b", "g" }, *const texts[] = {
        "b", "\xc3\xbc", "\xe6\xbc\xa2\xe5\xad\x97", "\xf0\x9f\x98\x80x"
    };
    pen_table *table;
    pen_error err;
    (void)state;
    check_file(FIXTURE("texts73.mat.gz"), -1, PEN_F64, FIXTURE_COUNTS, 1);
    check_classes(FIXTURE("texts73.mat.gz::letters"), letters, 3, all_kinds);
    check_classes(FIXTURE("texts73.mat.gz::chars"), texts, 4, text_of_row);
    fixture_refused(FIXTURE("texts73.mat.gz::chars"), NULL, PEN_UNKNOWN_NAME,
                    "no matrix \"chars\"; there are fea");
    fixture_refused(FIXTURE("texts73.mat.gz::empty"), NULL, PEN_BAD_DATA,
                    "no rows, the shape is 0 x 3");
    fixture_refused(FIXTURE("texts73.mat.gz::cube"), NULL, PEN_BAD_DATA, "no rows");
    assert_int_equal(pen_read_labels(FIXTURE("texts73.mat.gz::empty"), NULL, &table, &err),
                     PEN_BAD_DATA);
    assert_int_equal(pen_read_labels(FIXTURE("texts73.mat.gz::strings"), NULL, &table, &err),
                     PEN_BAD_FORMAT);
    assert_non_null(strstr(err.message, "strings is of the class string of MATLAB"));
}

/* Rows of a Loom file are genes; obs of anndata before 0.7 are records. */
static void other_forms(void **state)
{
    static const char old[] = "anndata before 0.7 wrote this h5ad file",
                      loom[] = "this is a Loom file, whose rows are genes";
    const pen_read_options label = { .label_column = "kind" };
    pen_table *table;
    pen_error err;
    (void)state;
    fixture_refused(FIXTURE("counts.loom.gz"), NULL, PEN_BAD_FORMAT, loom);
    fixture_refused(FIXTURE("counts.loom.gz::matrix"), NULL, PEN_BAD_FORMAT, loom);
    fixture_refused(FIXTURE("counts.loom.gz::/layers/spliced"), NULL, PEN_BAD_FORMAT, loom);
    CHECK_OK(pen_read_labels(FIXTURE("counts.loom.gz::col_attrs/kind"), NULL, &table, &err), &err);
    pen_table_free(table);
    fixture_refused(FIXTURE("records.h5ad.gz"), NULL, PEN_BAD_FORMAT, old);
    fixture_refused(FIXTURE("records.h5ad.gz::X"), &label, PEN_BAD_FORMAT, old);
    assert_int_equal(pen_read_labels(FIXTURE("records.h5ad.gz::obs/kind"), NULL, &table, &err),
                     PEN_BAD_FORMAT);
    assert_non_null(strstr(err.message, old));
    check_file(FIXTURE("records.h5ad.gz::X"), -1, PEN_F32, FIXTURE_COUNTS, 1);
}

static void columns(void **state)
{
    static const char *const wanted[] = { "gene7", "gene0" }, *const kept[] = { "number", "kind" },
                             *const dropped[] = { "gene3", "0" };
    const pen_read_options select = { .select = wanted, .select_count = 2 }, keep = {
        .keep = kept, .keep_count = 2, .row_name_column = "text", .drop = dropped, .drop_count = 2
    };
    pen_table *table = fixture_read(FIXTURE("csr.h5ad.gz"), &select);
    (void)state;
    assert_int_equal(table->x.cols, 2);
    assert_true(fixture_is_csr(&table->x));
    for (int i = 0; i < FIXTURE_ROWS; i++)
        assert_true(fixture_at(&table->x, i, 0) == fixture_value(i, 7)
                    && fixture_at(&table->x, i, 1) == fixture_value(i, 0));
    pen_table_free(table);
    for (int dense = 0; dense < 2; dense++) {
        table = fixture_read(dense ? FIXTURE("csr.h5ad.gz::layers/dense") : FIXTURE("csr.h5ad.gz"),
                             &keep);
        assert_int_equal(table->x.cols, FIXTURE_COLS - 2);
        assert_true(fixture_at(&table->x, 4, 2) == fixture_value(4, 4) / (dense ? 4 : 1));
        assert_string_equal(table->column_names[2], "gene4");
        assert_string_equal(table->row_names[1], "alpha");
        assert_int_equal(table->kept_count, 2);
        assert_string_equal(table->kept_names[1], "kind");
        assert_string_equal(table->kept[2 * 3], "3");
        assert_string_equal(table->kept[2 * 4 + 1], "");
        pen_table_free(table);
    }
}

static void refused(void **state)
{
    const pen_read_options column = { .label_column = "nope" };
    pen_table *table;
    pen_error err;
    (void)state;
    fixture_refused(FIXTURE("plain.h5"), NULL, PEN_UNKNOWN_NAME,
                    "which of its matrices? FILE::NAME names one of bytes, one/rows");
    fixture_refused(FIXTURE("plain.h5::none"), NULL, PEN_UNKNOWN_NAME,
                    "no matrix \"none\"; there are bytes, one/rows");
    fixture_refused(FIXTURE("plain.h5::cube"), NULL, PEN_UNKNOWN_NAME, "no matrix \"cube\"");
    fixture_refused(FIXTURE("plain.h5::other"), NULL, PEN_BAD_FORMAT, "other cannot be read");
    fixture_refused(FIXTURE("plain.h5::soft"), NULL, PEN_BAD_FORMAT, "soft cannot be read");
    fixture_refused(FIXTURE("plain.h5::y"), &column, PEN_UNKNOWN_NAME,
                    "no column \"nope\": it is no h5ad file");
    fixture_refused(FIXTURE("csr.h5ad.gz"), &column, PEN_UNKNOWN_NAME,
                    "no column \"nope\"; there are _index, flag, kind, maybe, number, share, text");
    fixture_refused(FIXTURE("csr.h5ad.gz::layers/no"), NULL, PEN_UNKNOWN_NAME,
                    "there are X, layers/csc, layers/dense, obsm/X_pca, raw/X");
    assert_int_equal(pen_read_labels(FIXTURE("plain.h5"), NULL, &table, &err), PEN_UNKNOWN_NAME);
    assert_int_equal(pen_read_labels(FIXTURE("plain.h5::cube"), NULL, &table, &err),
                     PEN_BAD_FORMAT);
}

/* Calls on several threads take turns. */
static void *read_often(void *context)
{
    const char *const path = context;

    for (int i = 0; i < 10; i++) {
        pen_table *table;
        if (pen_read(path, NULL, &table, NULL) != PEN_OK)
            return context;
        const int right = fixture_at(&table->x, 3, 4) == fixture_value(3, 4);
        pen_table_free(table);
        if (!right)
            return context;
    }
    return NULL;
}

static void threads(void **state)
{
    static char paths[][200] = { FIXTURE("old.h5ad"), FIXTURE("tenx3.h5"), FIXTURE("csc.h5ad.gz") };
    pthread_t all[3];
    (void)state;
    for (int t = 0; t < 3; t++)
        assert_int_equal(pthread_create(&all[t], NULL, read_often, paths[t]), 0);
    for (int t = 0; t < 3; t++) {
        void *failed;
        pthread_join(all[t], &failed);
        assert_null(failed);
    }
}

/* Truncated anywhere, a file is refused, or what is missing was not needed. */
static void truncated(void **state)
{
    static const char *const files[] = { FIXTURE("old.h5ad"), FIXTURE("tenx3.h5"),
                                         FIXTURE("matlab73.mat::fea"), FIXTURE("single.h5") };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[200];
        pen_bytes bytes;
        pen_run *run;
        snprintf(path, sizeof path, "%s", files[f]);
        if (strstr(path, "::"))
            *strstr(path, "::") = '\0';
        assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
        assert_int_equal(pen_bytes_read(run, path, &bytes), PEN_OK);
        pen_run_close(run);
        for (size_t size = 1; size < bytes.size; size += 97) {
            unsigned char *const copy = check_allocate((int64_t)size, 1);
            pen_table *table;
            memcpy(copy, bytes.data, size);
            CHECK(pen_read_bytes(files[f], copy, size, NULL, &table, NULL) != PEN_OK,
                  "%s: %zu bytes of it are read", path, size);
            free(copy);
        }
        pen_bytes_free(&bytes);
    }
}

/* ---- files on which libhdf5 crashes ---- */

/* A byte of a file that makes some versions of the library crash (1.10.8: signals 11, 11, 8);
 * others refuse the file, or do not need what is damaged. */
static const struct {
    const char *file;
    size_t at;
    unsigned char value;
} damaged[] = { { FIXTURE("old.h5ad"), 1935, 255 },
                { FIXTURE("tenx3.h5"), 1893, 255 },
                { FIXTURE("tenx3.h5"), 1968, 1 } };
enum { DAMAGED = sizeof damaged / sizeof *damaged };

/* Its path. */
static const char *damage(int which, char path[64])
{
    pen_bytes bytes;
    pen_run *run;

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_int_equal(pen_bytes_read(run, damaged[which].file, &bytes), PEN_OK);
    pen_run_close(run);
    snprintf(path, 64, "damaged_%ld_%d.h5", (long)getpid(), which);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < bytes.size; i++)
        fputc(i == damaged[which].at ? damaged[which].value : bytes.data[i], file);
    assert_int_equal(fclose(file), 0);
    pen_bytes_free(&bytes);
    return path;
}

static int is_refused(pen_status status, const char *path, const pen_error *err)
{
    return status == PEN_OK
           || (status == PEN_BAD_FORMAT && strncmp(err->message, path, strlen(path)) == 0);
}

/* Reads a file and its labels, and adds to a copy of it; NULL: it is as it must be. */
static void *use_damaged(void *context)
{
    const char *const path = context;
    const double z[2 * FIXTURE_ROWS] = { 0 };
    const pen_array rows = pen_dense(z, PEN_F64, FIXTURE_ROWS, 2, 2);
    char copy[80], labels[80];
    pen_table *table;
    pen_error err;

    snprintf(copy, sizeof copy, "%s.copy.h5ad", path);
    snprintf(labels, sizeof labels, "%s::obs/kind", path);
    pen_status status = pen_read(path, NULL, &table, &err);
    int right = is_refused(status, path, &err);
    pen_table_free(table);
    status = pen_read_labels(labels, NULL, &table, &err);
    right &= is_refused(status, path, &err) || status == PEN_UNKNOWN_NAME;
    pen_table_free(table);
    status = pen_write_obsm(copy, path, "X_z", &rows, &err);
    right &= is_refused(status, path, &err);
    remove(copy);
    return right ? NULL : context;
}

static void crashes(void **state)
{
    char paths[DAMAGED][64];
    pthread_t all[DAMAGED];
    (void)state;
    for (int i = 0; i < DAMAGED; i++)
        CHECK(!use_damaged((char *)(uintptr_t)damage(i, paths[i])), "%s", damaged[i].file);
    for (int i = 0; i < DAMAGED; i++)
        assert_int_equal(pthread_create(&all[i], NULL, use_damaged, paths[i]), 0);
    for (int i = 0; i < DAMAGED; i++) {
        void *failed;
        pthread_join(all[i], &failed);
        assert_null(failed);
        remove(paths[i]);
    }
}

#else

static void absent(void **state)
{
    (void)state;
    fixture_refused(FIXTURE("old.h5ad"), &no_options, PEN_BAD_FORMAT,
                    "this is an HDF5 file, and penumbra was built without libhdf5");
    fixture_refused(FIXTURE("matlab73.mat::fea"), NULL, PEN_BAD_FORMAT, "Debian: libhdf5-dev");
}

#endif

/* Three bytes as they are, three from three back, and 2 + 7 + 1 from one back. */
static void lzf(void **state)
{
    static const unsigned char packed[] = { 2, 'a', 'b', 'c', 1 << 5, 2, 7 << 5, 1, 0, 0, 'x' };
    static const char wanted[] = "abcabcccccccccccx";
    const size_t size = sizeof wanted - 1;
    unsigned char made[32];
    (void)state;
    assert_int_equal(pen_lzf_expand(packed, sizeof packed, NULL, SIZE_MAX), size);
    assert_int_equal(pen_lzf_expand(packed, sizeof packed, made, size), size);
    assert_memory_equal(made, wanted, size);
    assert_int_equal(pen_lzf_expand(packed, sizeof packed, made, size - 1), 0);
    for (size_t cut = 1; cut < sizeof packed; cut++) {
        const size_t whole = cut == 4 ? 3 : cut == 6 ? 6 : cut == 9 ? 16 : 0;
        assert_int_equal(pen_lzf_expand(packed, cut, made, sizeof made), whole);
    }
    assert_int_equal(pen_lzf_expand((const unsigned char[]){ 0, 'a', 1 << 5, 1 }, 4, made, 9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lzf),
#ifdef PENUMBRA_HDF5
        cmocka_unit_test(matrices),    cmocka_unit_test(names),
        cmocka_unit_test(labels),      cmocka_unit_test(columns),
        cmocka_unit_test(refused),     cmocka_unit_test(threads),
        cmocka_unit_test(truncated),   cmocka_unit_test(crashes),
        cmocka_unit_test(digits),      cmocka_unit_test(matlab_texts),
        cmocka_unit_test(other_forms), cmocka_unit_test(labels_in_blocks),
#else
        cmocka_unit_test(absent),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
