/* write_pairs.c - writing pairs, in the form that pen_read_pairs reads. */
#include "core/arguments.h"
#include "core/number.h"
#include "io/io.h"

#include <stdio.h>

enum { LINE = 3 * 24 + PEN_NUMBER_SIZE };

/* One kind of pairs. */
struct list {
    const int64_t *pairs;
    const double *weights;
    int64_t count;
    int link;
};

static pen_status put_text(const struct list *list, int weighted, char delimiter,
                           pen_output *output)
{
    char line[LINE], number[PEN_NUMBER_SIZE];

    for (int64_t k = 0; k < list->count; k++) {
        int size = snprintf(line, sizeof line, "%lld%c%lld%c%d", (long long)list->pairs[2 * k],
                            delimiter, (long long)list->pairs[2 * k + 1], delimiter, list->link);
        if (weighted) {
            pen_number_write(list->weights ? list->weights[k] : 1, number);
            size += snprintf(line + size, sizeof line - (size_t)size, "%c%s", delimiter, number);
        }
        line[size] = '\n';
        PEN_TRY(pen_output_write(output, line, (size_t)size + 1));
    }
    return PEN_OK;
}

/* Row numbers are exact in double: there are fewer than 2^53 rows. */
static pen_status put_binary(const struct list *list, int weighted, pen_output *output)
{
    for (int64_t k = 0; k < list->count; k++) {
        const int64_t whole[] = { list->pairs[2 * k], list->pairs[2 * k + 1], list->link };
        const double real[] = { (double)whole[0], (double)whole[1], (double)whole[2],
                                list->weights ? list->weights[k] : 1 };
        PEN_TRY(weighted ? pen_output_write(output, real, sizeof real)
                         : pen_output_write(output, whole, sizeof whole));
    }
    return PEN_OK;
}

static pen_status put(const char *path, const struct list lists[2], int weighted,
                      pen_output *output)
{
    const int npy = pen_has_extension(path, ".npy");
    const char delimiter = pen_delimiter_of(path);

    if (npy)
        PEN_TRY(pen_write_npy_header(weighted ? 'f' : 'i', 8, lists[0].count + lists[1].count,
                                     weighted ? 4 : 3, pen_put_output, output));
    for (int i = 0; i < 2; i++)
        PEN_TRY(npy ? put_binary(&lists[i], weighted, output)
                    : put_text(&lists[i], weighted, delimiter, output));
    return PEN_OK;
}

static pen_status write_pairs(pen_run *run, const char *path, const pen_pair_table *pairs)
{
    pen_output *output;

    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, pairs, "pairs"));
    const struct list lists[] = {
        { pairs->must_link, pairs->must_link_weights, pairs->must_link_count, PEN_MUST_LINK },
        { pairs->cannot_link, pairs->cannot_link_weights, pairs->cannot_link_count,
          PEN_CANNOT_LINK },
    };
    for (int i = 0; i < 2; i++)
        PEN_REQUIRE(run, lists[i].count >= 0 && (lists[i].pairs || lists[i].count == 0),
                    PEN_BAD_ARGUMENT, "pairs must not be NULL where their count is %lld",
                    (long long)lists[i].count);
    PEN_TRY(pen_output_open(run, path, &output));
    return pen_output_close(
        output, put(path, lists, pairs->must_link_weights || pairs->cannot_link_weights, output));
}

pen_status pen_write_pairs(const char *path, const pen_pair_table *pairs, pen_error *err)
{
    PEN_CALL(NULL, err, write_pairs(run, path, pairs));
}
