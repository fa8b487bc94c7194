/* damage.c - reads damaged files of every input format.
 *
 *     damage COUNT SEED FOLDER [PENUMBRA]
 *
 * makes valid files in FOLDER, damages them COUNT times, and uses each according to its kind: rows
 * are fitted, written and embedded, models predict, statistics are merged and fitted. An error must
 * name the file; accepted files must give finite numbers within ten seconds; and no partial file
 * may remain. The command PENUMBRA also reads some of them. The same SEED makes the same files. A
 * file that breaks one of these promises stays in FOLDER. */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include "core/rng.h"
#include "stats/stats.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

enum {
    ROWS = 24,
    COLUMNS = 4,
    MOST_FILES = 64,
    PATH_SIZE = 512,
    SECONDS = 10,
    COMMANDS = 50,
    ROOM = 4096
};

enum kind { TABLE, LABELS, PAIRS, FOLDS, GRAPH, MODEL, STATS, KINDS };
static const char *const kind_names[KINDS] = { "table", "labels", "pairs", "folds",
                                               "graph", "model",  "stats" };

struct file {
    enum kind kind;
    char name[40]; /* with the extension of its kind */
    unsigned char *bytes;
    size_t size;
};

static struct file files[MOST_FILES];
static int file_count;
static const char *folder, *program;
static char now[PATH_SIZE]; /* the damaged file */
static int64_t accepted[KINDS], refused[KINDS];
static char *row_names[ROWS]; /* for files of labels */

static const char *path_of(const char *name)
{
    static char path[4][PATH_SIZE];
    static int next;

    next = (next + 1) % 4;
    snprintf(path[next], PATH_SIZE, "%s/%s", folder, name);
    return path[next];
}

/* ---- valid files ---- */

static unsigned char *read_all(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");

    PROMISE(file && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    unsigned char *const bytes = malloc(*size + 1);
    rewind(file);
    PROMISE(bytes && fread(bytes, 1, *size, file) == *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static void write_all(const char *path, const void *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    PROMISE(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* Adds a valid file: these bytes, or an existing file in FOLDER. */
static void add(enum kind kind, const char *name, const void *bytes, size_t size)
{
    struct file *const file = &files[file_count++];

    PROMISE(file_count <= MOST_FILES);
    file->kind = kind;
    snprintf(file->name, sizeof file->name, "%s", name);
    if (bytes)
        write_all(path_of(name), bytes, size);
    file->bytes = read_all(path_of(name), &file->size);
}

static void add_text(enum kind kind, const char *name, const char *text)
{
    add(kind, name, text, strlen(text));
}

static void add_gzip(const char *name, const char *text)
{
    gzFile const file = gzopen(path_of(name), "wb");
    PROMISE(file && gzputs(file, text) > 0 && gzclose(file) == Z_OK);
    add(TABLE, name, NULL, 0);
}

static void add_utf16(const char *name, const char *text, int big)
{
    const size_t count = strlen(text);
    unsigned char *const wide = malloc(2 * count + 2);

    PROMISE(wide);
    wide[!big] = 0xFE, wide[big] = 0xFF;
    for (size_t i = 0; i < count; i++)
        wide[2 * i + 2 + (size_t)!big] = 0, wide[2 * i + 2 + (size_t)big] = (unsigned char)text[i];
    add(TABLE, name, wide, 2 * count + 2);
    free(wide);
}

/* One line per row: its numbers, separated by `mark`, and its class. */
static char *text_of(const double *x, const char *mark, char point, const char *header)
{
    char *const text = malloc(ROWS * COLUMNS * 40), *at = text;

    PROMISE(text);
    at += sprintf(at, "%s", header);
    for (int i = 0; i < ROWS; i++) {
        char *const line = at;
        for (int j = 0; j < COLUMNS; j++)
            at += sprintf(at, "%.3f%s", x[i * COLUMNS + j], mark);
        for (char *c = line; c < at; c++)
            *c = *c == '.' ? point : *c;
        at += sprintf(at, "%s\n", i % 5 == 4 ? "" : i % 2 ? "one" : "two");
    }
    return text;
}

static pen_model *fit(const char *method, const char *const *settings, const pen_data *data)
{
    pen_model *model = NULL;
    pen_spec *spec;
    pen_error err;

    PROMISE(pen_spec_new(method, &spec, &err) == PEN_OK);
    for (; *settings; settings += 2)
        PROMISE(pen_spec_set(spec, settings[0], settings[1], &err) == PEN_OK);
    if (pen_fit(spec, data, &(pen_control){ .threads = 1 }, &model, &err) != PEN_OK)
        model = NULL;
    pen_spec_free(spec);
    return model;
}

/* A projection whose sample rows vote, and an ensemble. */
static void add_selected(const pen_data *data)
{
    static const char *const names[] = { "votes.pen", "ensemble.pen" };
    static const char *const wanted[2][3] = { { NULL }, { "ensemble", "true", NULL } };
    pen_error err;

    for (int i = 0; i < 2; i++) {
        pen_model *const model = fit("auto", wanted[i], data);
        PROMISE(model && pen_model_save(model, path_of(names[i]), &err) == PEN_OK);
        add(MODEL, names[i], NULL, 0);
        pen_model_free(model);
    }
}

static void add_models(const pen_data *data)
{
    static const char *const linear[] = { "ridge", "1", NULL };
    static const char *const kernel[] = { "kernel",           "rbf", "row_steps",
                                          "log1p,select:3",   "dim", "2",
                                          "kernel_landmarks", "6",   "classifier",
                                          "nearest",          NULL };
    static const char *const scores[] = { "row_steps", "total:10,idf", NULL };
    pen_model *const parts[] = { fit("fda", linear, data), fit("pca", kernel, data),
                                 fit("fme", scores, data) };
    static const char *const names[] = { "linear.pen", "kernel.pen", "scores.pen" };
    pen_error err;

    for (int i = 0; i < 3; i++) {
        PROMISE(parts[i] && pen_model_save(parts[i], path_of(names[i]), &err) == PEN_OK);
        add(MODEL, names[i], NULL, 0);
        pen_model_free(parts[i]);
    }
    add_selected(data);
}

static void add_stats(const pen_data *data)
{
    static const char *const methods[] = { "fda", "self", "wbdr" };
    static const char *const names[] = { "fda.pens", "self.pens", "wbdr.pens" };
    const pen_stats_block block = { .id = 0 };
    pen_stats *stats;
    pen_spec *spec;
    pen_error err;

    for (int i = 0; i < 3; i++) {
        PROMISE(pen_spec_new(methods[i], &spec, &err) == PEN_OK);
        PROMISE(pen_stats_new(spec, data, &block, NULL, &stats, &err) == PEN_OK);
        PROMISE(pen_stats_save(stats, path_of(names[i]), &err) == PEN_OK);
        add(STATS, names[i], NULL, 0);
        pen_stats_free(stats);
        pen_spec_free(spec);
    }
}

/* Rows in all formats of pen_write. */
static void add_tables(const pen_array *x, const char *const *endings)
{
    const pen_table table = { .x = *x };
    char name[40];
    pen_error err;

    for (; *endings; endings++) {
        snprintf(name, sizeof name, "rows%d%s", file_count, *endings);
        PROMISE(pen_write(path_of(name), NULL, &table, &err) == PEN_OK);
        add(TABLE, name, NULL, 0);
    }
}

static void add_graphs(const pen_array *x)
{
    int64_t index[ROWS * 3], starts[ROWS + 1];
    double distance[ROWS * 3];
    const pen_sparse graph = { ROWS, ROWS, starts, index, distance };
    pen_error err;

    PROMISE(pen_neighbors(x, NULL, 3, NULL, index, distance, &err) == PEN_OK);
    for (int i = 0; i <= ROWS; i++)
        starts[i] = 3 * i;
    PROMISE(pen_write_graph(path_of("graph.npz"), &graph, &err) == PEN_OK);
    FILE *const file = fopen(path_of("graph.mtx"), "w");
    PROMISE(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", ROWS, ROWS,
            3 * ROWS);
    for (int e = 0; e < 3 * ROWS; e++)
        fprintf(file, "%d %lld %.17g\n", e / 3 + 1, (long long)index[e] + 1, distance[e]);
    PROMISE(fclose(file) == 0);
    add(GRAPH, "graph.npz", NULL, 0);
    add(TABLE, "graph.mtx", NULL, 0);
    add(TABLE, "graph.npz", NULL, 0);
}

static void make_files(pen_data *data, double *x, int32_t *labels)
{
    static const char *const names[] = { "one", "two" };
    static const char *const sparse[] = { ".npz", ".libsvm", NULL };
    static const char *const dense[] = { ".csv", ".tsv", ".npy", ".npz", ".libsvm", NULL };
    static float singles[ROWS * COLUMNS];
    static unsigned char bytes[ROWS * COLUMNS], known[ROWS * 2];
    static int64_t starts[ROWS + 1];
    static int32_t columns[ROWS * COLUMNS];
    pen_rng rng = { 7 };
    pen_error err;

    for (int i = 0; i < ROWS * COLUMNS; i++) {
        x[i] = 4 * pen_rng_uniform(&rng) + 2 * (i / COLUMNS % 2);
        singles[i] = (float)x[i];
        bytes[i] = (unsigned char)x[i];
        columns[i] = i % COLUMNS;
    }
    for (int i = 0; i <= ROWS; i++)
        starts[i] = i * COLUMNS;
    for (int i = 0; i < ROWS; i++) {
        static char texts[ROWS][8];
        snprintf(texts[i], sizeof texts[i], i % 4 ? "x%d" : "x,%d", i);
        row_names[i] = texts[i];
    }
    for (int i = 0; i < ROWS; i++)
        labels[i] = i % 5 == 4 ? PEN_UNLABELLED : i % 2 ? 0 : 1;
    *data = (pen_data){ .x = pen_dense(x, PEN_F64, ROWS, COLUMNS, COLUMNS),
                        .labels = labels,
                        .class_names = names,
                        .class_count = 2,
                        .fill = x };
    const pen_array single = pen_dense(singles, PEN_F32, ROWS, COLUMNS, COLUMNS),
                    byte = pen_dense(bytes, PEN_U8, ROWS, COLUMNS, COLUMNS),
                    csr = pen_csr(x, PEN_F64, starts, columns, ROWS, COLUMNS);
    add_tables(&data->x, dense);
    add_tables(&single, dense + 2);
    add_tables(&byte, dense + 2);
    add_tables(&csr, sparse);
    char *const comma = text_of(x, ",", '.', "a,b,c,d,class\n"),
                *const tab = text_of(x, "\t", '.', "a\tb\tc\td\tclass\n"),
                *const decimal = text_of(x, ";", ',', "a;b;\"c, d\";d;class\n"),
                *const blank = text_of(x, " ", '.', "");
    add_text(TABLE, "comma.csv", comma);
    add_text(TABLE, "tab.tsv", tab);
    add_text(TABLE, "decimal.csv", decimal);
    add_text(TABLE, "blank.txt", blank);
    add_gzip("comma.csv.gz", comma);
    add_utf16("little.csv", comma, 0);
    add_utf16("big.csv", tab, 1);
    free(comma), free(tab), free(decimal), free(blank);
    add_text(TABLE, "few.mtx",
             "%%MatrixMarket matrix coordinate real general\n% one\n4 3 5\n1 1 2.5\n2 2 -1\n3 3 4\n"
             "4 1 1e3\n4 3 7\n");
    add_text(TABLE, "all.mtx", "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n");
    const pen_array classes = pen_dense(known, PEN_U8, ROWS, 2, 2);
    for (int i = 0; i < ROWS; i++)
        known[2 * i + (labels[i] > 0)] = 1;
    PROMISE(pen_write(path_of("labels.npy"), &classes, NULL, &err) == PEN_OK);
    add(LABELS, "labels.npy", NULL, 0);
    add_text(LABELS, "labels.txt", "one\n\ntwo\n?\none\ntwo\n-1\none\n");
    add_text(LABELS, "rows.csv", "row,class\n3,one\n0,two\n11,one\n12,two\n");
    add_text(LABELS, "names.csv", "name,class\nx3,one\nx2,two\n\"x,4\",one\n");
    add_text(PAIRS, "pairs.csv", "0,1,1\n2,3,-1\n4,5,1\n7,9,-1\n10,11,1\n");
    add_text(PAIRS, "weights.csv", "i,j,link,weight\n0,1,1,.5\n2,3,-1,2\n4,5,1,0\n7,9,-1,1e3\n");
    add_text(FOLDS, "folds.txt",
             "0\n1\n2\n0\n1\n2\n0\n1\n2\n0\n1\n2\n0\n1\n2\n0\n1\n2\n0\n1\n2\n0\n1\n-1\n");
    add_graphs(&data->x);
    add_models(data);
    add_stats(data);
}

/* ---- damage ---- */

static size_t cut(unsigned char *bytes, size_t size, size_t at, size_t count)
{
    memmove(bytes + at, bytes + at + count, size - at - count);
    return size - count;
}

/* `bytes` has enough room. */
static size_t insert(unsigned char *bytes, size_t size, size_t at, const void *more, size_t count)
{
    memmove(bytes + at + count, bytes + at, size - at);
    memcpy(bytes + at, more, count);
    return size + count;
}

static size_t below(pen_rng *rng, size_t n)
{
    return (size_t)pen_rng_below(rng, (int64_t)(n > 0 ? n : 1));
}

/* Replaces a number in a text by a huge one, such as a false size. */
static size_t lie_in_text(pen_rng *rng, unsigned char *bytes, size_t size)
{
    static const char *const lies[] = { "0",      "-1",     "4294967296", "9223372036854775807",
                                        "1e308",  "-9999",  "nan",        "inf",
                                        "1e-320", "0.1e400" };
    const char *const lie = lies[below(rng, sizeof lies / sizeof *lies)];
    size_t at = below(rng, size), end;

    while (at < size && (bytes[at] < '0' || bytes[at] > '9'))
        at++;
    for (end = at; end < size && bytes[end] >= '0' && bytes[end] <= '9'; end++)
        continue;
    return insert(bytes, cut(bytes, size, at, end - at), at, lie, strlen(lie));
}

static size_t lie_in_bytes(pen_rng *rng, unsigned char *bytes, size_t size)
{
    static const uint64_t lies[] = { 0,
                                     1,
                                     0x7F,
                                     0xFF,
                                     0x7FFFFFFF,
                                     0xFFFFFFFF,
                                     0x100000000,
                                     INT64_MAX,
                                     UINT64_MAX,
                                     0x7FF0000000000000,
                                     0x7FF8000000000000,
                                     0x7FEFFFFFFFFFFFFF };
    const uint64_t lie = lies[below(rng, sizeof lies / sizeof *lies)];
    const size_t at = below(rng, size), width = (size_t)1 << below(rng, 4);

    for (size_t i = 0; i < width && at + i < size; i++)
        bytes[at + i] = (unsigned char)(lie >> (8 * i));
    return size;
}

static size_t once(pen_rng *rng, unsigned char *bytes, size_t size)
{
    static const char *const pieces[] = { "\"",      ",",   "\n", ";",   "\t",           "\r\n",
                                          "#",       "-",   "\0", "nan", "\xEF\xBB\xBF", "\xE9",
                                          "::",      "{\"", "é",  "[",   "1,2",          "1e999",
                                          "\xFF\xFE" };
    const struct file *const other = &files[below(rng, (size_t)file_count)];
    const size_t at = below(rng, size), count = below(rng, size - at) % 300;
    const size_t head = below(rng, other->size) % 200;

    switch (below(rng, 9)) {
    case 0:
        return at;
    case 1:
        bytes[at] ^= (unsigned char)(1 << below(rng, 8));
        return size;
    case 2:
        bytes[at] = (unsigned char)below(rng, 256);
        return size;
    case 3:
        return cut(bytes, size, at, count);
    case 4: { /* repeat a block */
        unsigned char block[300];
        memcpy(block, bytes + at, count);
        return insert(bytes, size, at, block, count);
    }
    case 5: { /* the start of another file */
        const size_t least = head < size ? head : size;
        memcpy(bytes, other->bytes, least);
        return size;
    }
    case 6: {
        const char *const piece = pieces[below(rng, sizeof pieces / sizeof *pieces)];
        return insert(bytes, size, at, piece, strlen(piece) + (*piece == '\0'));
    }
    case 7:
        return lie_in_text(rng, bytes, size);
    default:
        return lie_in_bytes(rng, bytes, size);
    }
}

/* Makes a file that is damaged at least once. Most files with a checksum get the right one, so that
 * the rest is read. */
static size_t damage(pen_rng *rng, const struct file *file, unsigned char **out)
{
    size_t size = file->size;

    *out = malloc(size + ROOM);
    PROMISE(*out);
    memcpy(*out, file->bytes, size);
    do
        size = size > 0 ? once(rng, *out, size) : 0;
    while (size < file->size + ROOM - 512 && pen_rng_below(rng, 3) == 0);
    if (pen_rng_below(rng, 4))
        sign_file(*out, size);
    return size;
}

/* ---- reading ---- */

static void broken(const char *what, const char *message)
{
    fprintf(stderr, "%s: %s: %s\n", now, what, message);
    abort();
}

static void note_hang(int signal_number)
{
    static const char text[] = ": takes longer than 10 seconds\n";

    (void)!write(STDERR_FILENO, now, strlen(now));
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    signal(signal_number, SIG_DFL);
    abort();
}

/* Either the file is read, or the message names it. */
static int check_read(pen_status status, const pen_error *err, const void *result)
{
    if (status == PEN_OK)
        return 1;
    promise_failure(status, err, result);
    if (getenv("DAMAGE_TELL"))
        puts(err->message);
    if (strncmp(err->message, now, strlen(now)) != 0)
        broken("an error without the name of the file", err->message);
    return 0;
}

static void check_finite(const double *values, int64_t count, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            broken(what, "not finite");
}

/* A model gives finite numbers for rows, or an error; also for rows with gaps if it fills them. */
static void check_model(const pen_model *model, const pen_array *x)
{
    static double gap[COLUMNS] = { 1, NAN, 2, 3 };
    const pen_array with_gap = pen_dense(gap, PEN_F64, 1, COLUMNS, COLUMNS);
    const pen_control control = { .threads = 1 };
    const int64_t k = pen_model_dim(model), c = pen_model_class_count(model), n = x->rows;
    double *const z = calloc((size_t)(n * (k + c) + 1), sizeof *z);
    int32_t *const classes = calloc((size_t)n, sizeof *classes);
    pen_error err;

    if (z && classes) {
        if (pen_transform(model, x, &control, PEN_F64, z, k, &err) == PEN_OK)
            check_finite(z, n * k, "an embedding");
        if (pen_predict(model, x, &control, classes, z, NULL, &err) == PEN_OK)
            check_finite(z, n * c, "a prediction");
        if (pen_model_tensor(model, "fill").values
            && pen_transform(model, &with_gap, &control, PEN_F64, z, k, &err) == PEN_OK)
            check_finite(z, k, "an embedding of a row with a gap");
    }
    free(z);
    free(classes);
}

static int read_table(pen_rng *rng)
{
    static const char *const columns[] = { NULL, "-1", "class", "0" };
    const int named = strstr(now, "comma") || strstr(now, "little") || strstr(now, "big")
                      || strstr(now, "tab") || strstr(now, "decimal");
    static const char *const small[] = { "dim", "1", "allow_fewer", "true", NULL };
    static const char *const endings[] = { "out.csv", "out.npy", "out.npz", "out.libsvm" };
    const pen_read_options options = { .label_column = columns[below(rng, 8) == 0 ? below(rng, 4)
                                                               : named            ? 2
                                                               : strstr(now, "blank") ? 1
                                                                                      : 0],
                                       .missing = (pen_missing)below(rng, 3),
                                       .name_column = below(rng, 8) ? NULL : "a",
                                       .map = (int)below(rng, 2) };
    const char *const out = path_of(endings[below(rng, 4)]);
    pen_table *table = NULL;
    pen_error err;

    if (!check_read(pen_read(now, &options, &table, &err), &err, table))
        return 0;
    if (!table->x.starts)
        promise_table(table);
    if (pen_write(out, NULL, table, &err) == PEN_OK)
        unlink(out);
    const pen_data data = { .x = table->x, .labels = table->labels };
    pen_model *const model =
        table->x.cols <= 64 && table->x.rows <= 4096 ? fit("pca", small, &data) : NULL;
    if (model)
        check_model(model, &table->x);
    pen_model_free(model);
    pen_table_free(table);
    return 1;
}

static int read_model(const pen_data *data)
{
    pen_model *model = NULL;
    pen_error err;

    if (!check_read(pen_model_load(now, &model, &err), &err, model))
        return 0;
    check_model(model, &data->x);
    pen_model_free(model);
    return 1;
}

static int read_stats(const pen_data *data)
{
    static const char *const methods[] = { "pca", "fda", "self" };
    pen_stats *stats = NULL, *merged = NULL, *both[2];
    pen_error err;

    if (!check_read(pen_stats_load(now, &stats, &err), &err, stats))
        return 0;
    for (int i = 0; i < 3; i++) {
        pen_model *model = NULL;
        pen_spec *spec;
        PROMISE(pen_spec_new(methods[i], &spec, &err) == PEN_OK);
        if (stats->d <= 64 && pen_stats_fit(spec, stats, NULL, NULL, &model, &err) == PEN_OK)
            check_model(model, &data->x);
        pen_model_free(model);
        pen_spec_free(spec);
    }
    PROMISE(pen_stats_load(path_of("fda.pens"), &both[0], &err) == PEN_OK);
    both[1] = stats;
    if (pen_stats_merge((const pen_stats *const *)both, 2, 0, NULL, &merged, &err) == PEN_OK)
        pen_stats_free(merged);
    pen_stats_free(both[0]);
    pen_stats_free(stats);
    return 1;
}

/* Returns 1 if the file is accepted. */
static int read_one(pen_rng *rng, enum kind kind, const pen_data *data)
{
    const pen_table rows = { .x = { .rows = ROWS },
                             .row_names = strstr(now, "names") ? row_names : NULL };
    const pen_read_options options = { .rows = &rows };
    pen_table *table = NULL;
    pen_pairs *pairs = NULL;
    pen_folds *folds = NULL;
    pen_sparse *graph = NULL;
    pen_error err;
    int good = 0;

    switch (kind) {
    case TABLE:
        return read_table(rng);
    case LABELS:
        good = check_read(pen_read_labels(now, &options, &table, &err), &err, table);
        break;
    case PAIRS:
        good = check_read(pen_read_pairs(now, PEN_ANY_LINK, ROWS, &pairs, &err), &err, pairs);
        break;
    case FOLDS:
        good = check_read(pen_read_folds(now, ROWS, &folds, &err), &err, folds);
        break;
    case GRAPH:
        good = check_read(pen_read_graph(now, &graph, &err), &err, graph);
        break;
    case MODEL:
        return read_model(data);
    default:
        return read_stats(data);
    }
    pen_table_free(table);
    pen_pairs_free(pairs);
    pen_folds_free(folds);
    pen_sparse_free(graph);
    return good;
}

/* ---- the command ---- */

/* The command either succeeds or prints a one-line error that names the file. */
static void run_command(enum kind kind)
{
    static const char *const calls[KINDS][8] = {
        [TABLE] = { "convert", "FILE", "out.csv", "--quiet" },
        [LABELS] = { "fit", "pca", "rows0.csv", "--quiet", "-o", "out.pen", "--labels", "FILE" },
        [PAIRS] = { "fit", "wbdr", "rows0.csv", "--quiet", "-o", "out.pen", "--pairs", "FILE" },
        [FOLDS] = { "compare", "pca", "comma.csv", "--quiet", "--label-column", "class", "--folds",
                    "FILE" },
        [GRAPH] = { "fit", "lpp", "rows0.csv", "--quiet", "-o", "out.pen", "--graph", "FILE" },
        [MODEL] = { "predict", "FILE", "rows0.csv", "-o", "out.csv", "--quiet" },
        [STATS] = { "info", "FILE" },
    };
    /* errors of a fit to a file that was read correctly */
    static const char *const subjects[KINDS] = { [PAIRS] = "link", [GRAPH] = "neighbor graph" };
    const char *list[10] = { program };
    size_t size;
    int state;

    for (int i = 0; i < 8 && calls[kind][i]; i++)
        list[i + 1] = strcmp(calls[kind][i], "FILE") == 0 ? now
                      : strchr(calls[kind][i], '.')       ? path_of(calls[kind][i])
                                                          : calls[kind][i];
    const pid_t child = fork();
    if (child == 0) {
        const int said = open(path_of("said"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int none = open("/dev/null", O_RDWR);
        alarm(SECONDS);
        if (dup2(said, STDERR_FILENO) >= 0 && dup2(none, STDIN_FILENO) >= 0
            && dup2(none, STDOUT_FILENO) >= 0)
            execv(program, (char *const *)(uintptr_t)list);
        _exit(127);
    }
    PROMISE(child > 0 && waitpid(child, &state, 0) == child);
    unsigned char *const said = read_all(path_of("said"), &size);
    const int status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    if (status != 0 && status != 1)
        broken("the command ends in a signal, or with another status than 0 or 1",
               (const char *)said);
    if (status == 1 && !strstr((const char *)said, strrchr(now, '/') + 1)
        && !(subjects[kind] && strstr((const char *)said, subjects[kind])))
        broken("the command does not name the file", (const char *)said);
    free(said);
    unlink(path_of("out.csv"));
    unlink(path_of("out.pen"));
}

/* ---- all ---- */

static void check_parts(void)
{
    DIR *const all = opendir(folder);

    PROMISE(all);
    for (struct dirent *entry; (entry = readdir(all));)
        if (strstr(entry->d_name, ".part"))
            broken("a part of a file is left", entry->d_name);
    closedir(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return data == NULL && size > 0;
}

int main(int argc, char **argv)
{
    static double x[ROWS * COLUMNS];
    static int32_t labels[ROWS];
    pen_data data;

    if (argc < 4)
        return 2;
    const long count = strtol(argv[1], NULL, 10);
    const uint64_t seed = strtoull(argv[2], NULL, 10);
    folder = argv[3];
    program = argc > 4 ? argv[4] : NULL;
    PROMISE(count > 0 && (mkdir(folder, 0777) == 0 || access(folder, W_OK) == 0));
    make_files(&data, x, labels);
    signal(SIGALRM, note_hang);
    for (long i = 0; i < count; i++) {
        pen_rng rng = { pen_rng_derive(seed, (uint64_t)i) };
        const struct file *const file = &files[below(&rng, (size_t)file_count)];
        unsigned char *bytes;

        const size_t size = damage(&rng, file, &bytes);
        snprintf(now, sizeof now, "%s/%ld-%s", folder, i, file->name);
        write_all(now, bytes, size);
        free(bytes);
        alarm(SECONDS);
        const int good = read_one(&rng, file->kind, &data);
        alarm(0);
        (good ? accepted : refused)[file->kind]++;
        if (program && i % COMMANDS == 0)
            run_command(file->kind);
        unlink(now);
    }
    check_parts();
    for (int kind = 0; kind < KINDS; kind++)
        printf("%-7s %7lld accepted %7lld refused\n", kind_names[kind], (long long)accepted[kind],
               (long long)refused[kind]);
    return 0;
}
