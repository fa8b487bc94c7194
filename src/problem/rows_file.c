/* rows_file.c - stores the results of prepared rows in a file, with a digest of the rows to verify
 * that they match. The file is a copy of memory, for the same library on the same kind of machine;
 * any other file only costs the time it would have saved. */
#include "problem/prepared_rows.h"

#include "core/arguments.h"
#include "core/checksum.h"
#include "core/cpu.h"
#include "core/file.h"
#include "core/isa.h"
#include "core/row_digest.h"
#include "linalg/blas_turn.h"
#include "linalg/reduce.h"

#include <stdio.h>
#include <string.h>

enum { MAKER_SIZE = 512 };

static const char MAGIC[32] = "penumbra prepared rows\n";

/* Precedes the values. The checksum of both follows them. */
struct header {
    _Alignas(PEN_CACHE_BOUNDARY) char magic[sizeof MAGIC];
    char maker[MAKER_SIZE];
    int64_t digest, rows, cols, dtype, entries; /* entries: of sparse rows, else -1 */
};

/* The header of a file about x from this library; maker lists what the bits of values depend on
 * besides the rows. */
static pen_status fill_header(pen_run *run, const pen_array *x, struct header *out)
{
    const blas_facts blas = pen_blas_ask();
    const int one = 1;

    memset(out, 0, sizeof *out);
    memcpy(out->magic, MAGIC, sizeof MAGIC);
    snprintf(out->maker, MAKER_SIZE, "%s, %s, %s, %s, cpu %llx, %s %zu %zu %zu %zu %zu %zu",
             pen_version(), blas.name, blas.core ? blas.core : "?", pen_isa_name(pen_isa_now()),
             pen_cpu_features(), *(const char *)&one ? "little" : "big", sizeof(void *),
             sizeof(pen_cache_key), sizeof(pen_array), sizeof(pen_view), sizeof(pen_axes),
             sizeof(pen_reduction));
    out->rows = x->rows;
    out->cols = x->cols;
    out->dtype = (int64_t)x->dtype;
    out->entries = pen_is_sparse(x) ? x->starts[x->rows] : -1;
    return pen_row_digest(run, x, &out->digest);
}

/* ---- saving ---- */

static pen_status save(pen_run *run, const pen_rows *rows, const char *path)
{
    struct header h;
    uint64_t crc;
    int64_t size;
    char *file;

    PEN_TRY(pen_check_given(run, rows, "rows"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(fill_header(run, &rows->x, &h));
    PEN_TRY(pen_cache_write(run, rows->cache, &rows->x, sizeof h, sizeof crc, &file, &size));
    memcpy(file, &h, sizeof h);
    crc = pen_crc32(0, file, (size_t)size - sizeof crc);
    memcpy(file + size - sizeof crc, &crc, sizeof crc);
    return pen_file_write(run, path, file, (size_t)size);
}

pen_status pen_rows_save(const pen_rows *rows, const char *path, pen_error *err)
{
    PEN_CALL(NULL, err, save(run, rows, path));
}

/* ---- loading ---- */

static pen_status is_damaged(pen_run *run, const char *path)
{
    return pen_fail(run, PEN_BAD_DATA, "%s is damaged", path);
}

/* Is the file about these rows? */
static pen_status check_header(pen_run *run, const char *path, int64_t size, const pen_array *x)
{
    struct header h = { .magic = "" }, own;
    const int64_t some = pen_min(pen_max(0, size), sizeof h);

    PEN_TRY(pen_bytes_part(run, path, 0, some, (unsigned char *)&h));
    PEN_REQUIRE(run, memcmp(h.magic, MAGIC, sizeof MAGIC) == 0, PEN_BAD_FORMAT,
                "%s is not a file of prepared rows and stays unchanged", path);
    if (size < (int64_t)(sizeof h + sizeof(uint64_t)) || h.maker[MAKER_SIZE - 1])
        return is_damaged(run, path);
    PEN_TRY(fill_header(run, x, &own));
    PEN_REQUIRE(run, strcmp(h.maker, own.maker) == 0, PEN_BAD_DATA,
                "%s was made by another version, or on another machine: %s", path, h.maker);
    PEN_REQUIRE(run, memcmp(&h, &own, sizeof h) == 0, PEN_BAD_DATA, "%s was made for other rows",
                path);
    return PEN_OK;
}

static pen_status load(pen_run *run, const char *path, const pen_array *x, pen_rows **out)
{
    const int64_t start = (int64_t)sizeof(struct header);
    uint64_t crc;
    char *file;

    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_rows_prepare(run, x, out));
    const int64_t size = pen_file_size(path), end = size - (int64_t)sizeof crc;
    PEN_TRY(check_header(run, path, size, x));
    PEN_TRY(pen_cache_reserve(run, (*out)->cache, size, &file));
    PEN_TRY(pen_bytes_part(run, path, 0, size, (unsigned char *)file));
    memcpy(&crc, file + end, sizeof crc);
    if (crc != pen_crc32(0, file, (size_t)end))
        return is_damaged(run, path);
    const pen_status status = pen_cache_read(run, (*out)->cache, x, file + start, end - start);
    return status == PEN_BAD_DATA ? is_damaged(run, path) : status;
}

pen_status pen_rows_load(const char *path, const pen_array *x, const pen_control *control,
                         pen_rows **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_rows_free, load(run, path, x, out));
}
