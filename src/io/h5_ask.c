/* h5_ask.c - the functions of h5.h: libhdf5 in this process, or in the child, is asked. Nothing
 * that the child says is taken for true: memory may have been overwritten there before it crashed.
 */
#include "io/h5.h"

#ifdef PENUMBRA_HDF5

#include "core/dtype.h"
#include "io/h5_child.h"
#include "io/h5_direct.h"
#include "io/h5_words.h"

#include <string.h>

static pen_status nonsense(const pen_h5 *h5)
{
    return pen_fail(h5->run, PEN_BAD_FORMAT,
                    "%s: the HDF5 library failed on this file: it is damaged", h5->name);
}

static pen_status ask(const pen_h5 *h5, pen_h5_request *request, const char *path,
                      const char *attribute, pen_h5_reply *reply)
{
    const char *const texts[2] = { path, attribute };

    request->set.path = NULL;
    for (int i = 0; i < 2; i++)
        request->sizes[i] = texts[i] ? (int64_t)strlen(texts[i]) + 1 : 0;
    PEN_TRY(pen_h5_child_send(h5->child, request, sizeof *request));
    for (int i = 0; i < 2; i++)
        PEN_TRY(pen_h5_child_send(h5->child, texts[i], (size_t)request->sizes[i]));
    PEN_TRY(pen_h5_child_receive(h5->child, reply, sizeof *reply));
    if (reply->error.code == PEN_OK)
        return PEN_OK;
    reply->error.message[sizeof reply->error.message - 1] = '\0';
    return pen_fail_as(h5->run, &reply->error);
}

/* The list that follows a reply, in scratch memory. */
static pen_status take_texts(const pen_h5 *h5, const pen_h5_reply *reply, pen_text **out)
{
    int64_t lengths[PEN_H5_SOME], total = 0;
    pen_text *texts;
    char *bytes;

    PEN_TRY(PEN_NEW(h5->run, texts, reply->count));
    for (int64_t i = 0; i < reply->count; i += PEN_H5_SOME) {
        const int64_t some = pen_min(PEN_H5_SOME, reply->count - i);
        PEN_TRY(pen_h5_child_receive(h5->child, lengths, (size_t)some * sizeof *lengths));
        for (int64_t k = 0; k < some; k++) {
            if (lengths[k] < 0)
                return nonsense(h5);
            texts[i + k].length = (size_t)lengths[k];
            total = pen_plus(total, pen_plus(lengths[k], 1));
        }
    }
    if (total != reply->bytes)
        return nonsense(h5);
    PEN_TRY(PEN_NEW(h5->run, bytes, total));
    PEN_TRY(pen_h5_child_receive(h5->child, bytes, (size_t)total));
    for (int64_t i = 0; i < reply->count; i++) {
        texts[i].start = bytes;
        bytes[texts[i].length] = '\0';
        bytes += texts[i].length + 1;
    }
    *out = texts;
    return PEN_OK;
}

/* ---- what is there ---- */

enum pen_h5_object pen_h5_look(const pen_h5 *h5, const char *path)
{
    pen_h5_request request = { .call = PEN_H5_ASK_LOOK };
    pen_h5_reply reply;

    if (!h5->child)
        return pen_h5_direct_look(h5, path);
    if (ask(h5, &request, path, NULL, &reply) != PEN_OK || reply.numbers[0] < PEN_H5_NOTHING
        || reply.numbers[0] > PEN_H5_UNREADABLE)
        return PEN_H5_UNREADABLE;
    return (enum pen_h5_object)reply.numbers[0];
}

pen_status pen_h5_names(const pen_h5 *h5, const char *group, char ***names, int64_t *count)
{
    pen_h5_request request = { .call = PEN_H5_ASK_NAMES };
    pen_h5_reply reply;
    pen_text *texts;

    if (!h5->child)
        return pen_h5_direct_names(h5, group, names, count);
    PEN_TRY(ask(h5, &request, group, NULL, &reply));
    PEN_TRY(take_texts(h5, &reply, &texts));
    PEN_TRY(PEN_NEW(h5->run, *names, reply.count));
    for (int64_t i = 0; i < reply.count; i++)
        (*names)[i] = (char *)(uintptr_t)texts[i].start;
    *count = reply.count;
    return PEN_OK;
}

pen_status pen_h5_text_attribute(const pen_h5 *h5, const char *path, const char *attribute,
                                 const char **out)
{
    pen_h5_request request = { .call = PEN_H5_ASK_TEXT_ATTRIBUTE };
    pen_h5_reply reply;
    pen_text *text;

    if (!h5->child)
        return pen_h5_direct_text_attribute(h5, path, attribute, out);
    PEN_TRY(ask(h5, &request, path, attribute, &reply));
    PEN_TRY(take_texts(h5, &reply, &text));
    *out = reply.count > 0 ? text[0].start : NULL;
    return PEN_OK;
}

pen_status pen_h5_whole_attribute(const pen_h5 *h5, const char *path, const char *attribute,
                                  int64_t most, int64_t *values, int64_t *count)
{
    const int64_t room = pen_min(most, PEN_H5_NUMBERS_AT_MOST - 1);
    pen_h5_request request = { .call = PEN_H5_ASK_WHOLE_ATTRIBUTE, .numbers = { room } };
    pen_h5_reply reply;

    if (!h5->child)
        return pen_h5_direct_whole_attribute(h5, path, attribute, most, values, count);
    PEN_TRY(ask(h5, &request, path, attribute, &reply));
    *count = reply.numbers[PEN_H5_NUMBERS_AT_MOST - 1];
    if (*count < 0 || *count > room)
        return nonsense(h5);
    for (int64_t i = 0; i < *count; i++)
        values[i] = reply.numbers[i];
    return PEN_OK;
}

/* ---- datasets ---- */

static int is_sound(const pen_h5_set *set)
{
    return set->rank >= 0 && set->dims[0] >= 0 && set->dims[1] >= 0 && set->kind >= PEN_H5_NUMBERS
           && set->kind <= PEN_H5_OTHER && set->dtype >= PEN_F64 && set->dtype <= PEN_U8;
}

pen_status pen_h5_open(const pen_h5 *h5, const char *path, pen_h5_set *out)
{
    pen_h5_request request = { .call = PEN_H5_ASK_OPEN };
    pen_h5_reply reply;

    if (!h5->child)
        return pen_h5_direct_open(h5, path, out);
    PEN_TRY(ask(h5, &request, path, NULL, &reply));
    if (!is_sound(&reply.set)
        || !pen_h5_is_plausible(h5, pen_times(reply.set.dims[0], reply.set.dims[1])))
        return nonsense(h5);
    *out = reply.set;
    out->path = path;
    return PEN_OK;
}

void pen_h5_close(const pen_h5 *h5, const pen_h5_set *set)
{
    pen_h5_request request = { .call = PEN_H5_ASK_CLOSE, .set = *set };
    pen_h5_reply reply;

    if (!h5->child)
        pen_h5_direct_close(set);
    else
        (void)ask(h5, &request, NULL, NULL, &reply); /* what failed is known at the end */
}

/* count0 x count1 values, which the room can hold, to rows that are `stride` values apart. */
static pen_status load_part(const pen_h5 *h5, const pen_h5_set *set, const int64_t part[4],
                            pen_dtype dtype, int64_t stride, char *to)
{
    const size_t item = pen_size(dtype), row = (size_t)part[3] * item;
    pen_h5_request request = { .call = PEN_H5_ASK_LOAD, .dtype = dtype, .set = *set };
    pen_h5_reply reply;

    memcpy(request.numbers, part, sizeof request.numbers);
    PEN_TRY(ask(h5, &request, set->path, NULL, &reply));
    if (part[3] == stride)
        memcpy(to, h5->child->room, (size_t)part[1] * row);
    else
        for (int64_t i = 0; i < part[1]; i++)
            memcpy(to + (size_t)(i * stride) * item, (char *)h5->child->room + (size_t)i * row,
                   row);
    return PEN_OK;
}

pen_status pen_h5_load(const pen_h5 *h5, const pen_h5_set *set, int64_t first0, int64_t count0,
                       int64_t first1, int64_t count1, pen_dtype dtype, void *values)
{
    const int64_t item = (int64_t)pen_size(dtype), room = PEN_H5_ROOM / item,
                  wide = pen_min(count1, room),
                  high = pen_min(count0, wide > 0 ? pen_max(1, room / wide) : 0);

    if (!h5->child)
        return pen_h5_direct_load(h5, set, first0, count0, first1, count1, dtype, values);
    if (high == 0)
        return PEN_OK;
    for (int64_t i = 0; i < count0; i += high)
        for (int64_t j = 0; j < count1; j += wide) {
            const int64_t part[4] = { first0 + i, pen_min(high, count0 - i), first1 + j,
                                      pen_min(wide, count1 - j) };
            PEN_TRY(load_part(h5, set, part, dtype, count1,
                              (char *)values + (size_t)((i * count1 + j) * item)));
        }
    return PEN_OK;
}

pen_status pen_h5_load_whole(const pen_h5 *h5, const pen_h5_set *set, int64_t first, int64_t count,
                             int64_t *values)
{
    const int64_t room = PEN_H5_ROOM / (int64_t)sizeof *values;
    pen_h5_reply reply;

    if (!h5->child)
        return pen_h5_direct_load_whole(h5, set, first, count, values);
    for (int64_t i = 0; i < count; i += room) {
        const int64_t some = pen_min(room, count - i);
        pen_h5_request request = { .call = PEN_H5_ASK_LOAD_WHOLE,
                                   .numbers = { first + i, some },
                                   .set = *set };
        PEN_TRY(ask(h5, &request, set->path, NULL, &reply));
        memcpy(values + i, h5->child->room, (size_t)some * sizeof *values);
    }
    return PEN_OK;
}

void pen_h5_part_of(pen_h5_part *part, int64_t rows)
{
    part->rows = rows;
    part->first = pen_min(part->first, rows);
    part->count = pen_min(part->count, rows - part->first);
}

pen_status pen_h5_texts(const pen_h5 *h5, const pen_h5_set *set, pen_h5_part *part,
                        pen_text **texts)
{
    pen_h5_request request = { .call = PEN_H5_ASK_TEXTS,
                               .numbers = { part->first, part->count },
                               .set = *set };
    pen_h5_reply reply;

    if (!h5->child)
        return pen_h5_direct_texts(h5, set, part, texts);
    PEN_TRY(ask(h5, &request, set->path, NULL, &reply));
    pen_h5_part_of(part, set->dims[0] == 1 ? set->dims[1] : set->dims[0]);
    if (reply.count != part->count)
        return nonsense(h5);
    return take_texts(h5, &reply, texts);
}

#endif
