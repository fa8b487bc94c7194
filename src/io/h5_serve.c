/* h5_serve.c - the child answers requests, one by one, and ends. What it allocates for one is
 * released with the reply; datasets stay open. */
#define _XOPEN_SOURCE 700 /* getrusage, RLIMIT_CPU */

#include "io/h5_words.h"

#ifdef PENUMBRA_HDF5

#include "io/h5_child.h"
#include "io/h5_direct.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_SECONDS = 300 };

/* A list of texts as they are in memory, of which one form is given. */
struct list {
    char **names;
    pen_text *texts;
};

static size_t length_of(const struct list *list, int64_t i)
{
    return list->names ? strlen(list->names[i]) : list->texts[i].length;
}

static const char *start_of(const struct list *list, int64_t i)
{
    return list->names ? list->names[i] : list->texts[i].start;
}

static pen_status look(const pen_h5 *h5, const char *path, pen_h5_reply *reply)
{
    reply->numbers[0] = pen_h5_direct_look(h5, path);
    return PEN_OK;
}

static pen_status find_text(const pen_h5 *h5, const char *path, const char *attribute,
                            pen_h5_reply *reply, struct list *list)
{
    const char *text;

    PEN_TRY(pen_h5_direct_text_attribute(h5, path, attribute, &text));
    if (!text)
        return PEN_OK;
    PEN_TRY(PEN_NEW(h5->run, list->names, 1));
    list->names[0] = (char *)(uintptr_t)text;
    reply->count = 1;
    return PEN_OK;
}

static pen_status answer(const pen_h5 *h5, const pen_h5_request *request, const char *path,
                         const char *attribute, void *room, pen_h5_reply *reply, struct list *list)
{
    const int64_t *const n = request->numbers;
    pen_h5_part part = { .first = n[0], .count = n[1] };
    pen_status status;

    switch (request->call) {
    case PEN_H5_ASK_LOOK:
        return look(h5, path, reply);
    case PEN_H5_ASK_NAMES:
        return pen_h5_direct_names(h5, path, &list->names, &reply->count);
    case PEN_H5_ASK_TEXT_ATTRIBUTE:
        return find_text(h5, path, attribute, reply, list);
    case PEN_H5_ASK_WHOLE_ATTRIBUTE:
        return pen_h5_direct_whole_attribute(h5, path, attribute, n[0], reply->numbers,
                                             &reply->numbers[PEN_H5_NUMBERS_AT_MOST - 1]);
    case PEN_H5_ASK_OPEN:
        return pen_h5_direct_open(h5, path, &reply->set);
    case PEN_H5_ASK_CLOSE:
        pen_h5_direct_close(&request->set);
        return PEN_OK;
    case PEN_H5_ASK_LOAD:
        return pen_h5_direct_load(h5, &request->set, n[0], n[1], n[2], n[3], request->dtype, room);
    case PEN_H5_ASK_LOAD_WHOLE:
        return pen_h5_direct_load_whole(h5, &request->set, n[0], n[1], room);
    case PEN_H5_ASK_TEXTS:
        status = pen_h5_direct_texts(h5, &request->set, &part, &list->texts);
        reply->count = part.count;
        return status;
    case PEN_H5_ASK_END:
        break;
    }
    return PEN_OK;
}

/* ---- the reply ---- */

/* Bytes that are sent together. */
struct bundle {
    int socket, failed;
    size_t size;
    char bytes[1 << 16];
};

static void flush(struct bundle *b)
{
    b->failed |= !pen_h5_put(b->socket, b->bytes, b->size);
    b->size = 0;
}

static void add(struct bundle *b, const void *bytes, size_t size)
{
    if (b->size + size > sizeof b->bytes)
        flush(b);
    if (size > sizeof b->bytes) {
        b->failed |= !pen_h5_put(b->socket, bytes, size);
    } else if (size > 0) {
        memcpy(b->bytes + b->size, bytes, size);
        b->size += size;
    }
}

static int send_reply(int socket, pen_h5_reply *reply, const struct list *list)
{
    struct bundle b = { .socket = socket };

    if (reply->error.code != PEN_OK)
        reply->count = 0;
    for (int64_t i = 0; i < reply->count; i++)
        reply->bytes += (int64_t)length_of(list, i) + 1;
    add(&b, reply, sizeof *reply);
    for (int64_t i = 0; i < reply->count; i++)
        add(&b, &(int64_t){ (int64_t)length_of(list, i) }, sizeof(int64_t));
    for (int64_t i = 0; i < reply->count; i++) {
        add(&b, start_of(list, i), length_of(list, i));
        add(&b, "", 1);
    }
    flush(&b);
    return !b.failed;
}

/* ---- requests ---- */

static pen_status get_text(const pen_h5 *h5, int socket, int64_t size, const char **out)
{
    char *text;

    *out = "";
    if (size == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(h5->run, text, size));
    *out = text;
    return pen_h5_get(socket, text, (size_t)size) ? PEN_OK : PEN_INTERNAL;
}

/* A damaged file can also be a circle: what takes so much processor time never ends. */
static void limit_time(void)
{
    struct rusage used;
    struct rlimit limit;

    if (getrusage(RUSAGE_SELF, &used) < 0 || getrlimit(RLIMIT_CPU, &limit) < 0)
        return;
    const rlim_t end = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + MOST_SECONDS);
    limit.rlim_cur = end < limit.rlim_max ? end : limit.rlim_max;
    setrlimit(RLIMIT_CPU, &limit);
}

/* 0: there are no more. */
static int serve_one(const pen_h5 *h5, const pen_h5_ends *ends)
{
    pen_h5_request request;
    pen_h5_reply reply = { .size = h5->size };
    struct list list = { NULL, NULL };
    const char *path, *attribute;

    if (!pen_h5_get(ends->socket, &request, sizeof request) || request.call == PEN_H5_ASK_END
        || get_text(h5, ends->socket, request.sizes[0], &path) != PEN_OK
        || get_text(h5, ends->socket, request.sizes[1], &attribute) != PEN_OK)
        return 0;
    request.set.path = path;
    *ends->error = (pen_error){ .code = PEN_OK };
    limit_time();
    const pen_status status = answer(h5, &request, path, attribute, ends->room, &reply, &list);
    reply.error = *ends->error;
    reply.error.code = status;
    return send_reply(ends->socket, &reply, &list);
}

pen_status pen_h5_serve(const pen_h5 *h5, void *context)
{
    const pen_h5_ends *const ends = context;
    pen_h5_reply ready = { .size = h5->size };
    int more = send_reply(ends->socket, &ready, &(struct list){ NULL, NULL });

    while (more) {
        const pen_mark_t mark = pen_mark(h5->run);
        more = serve_one(h5, ends);
        pen_release(h5->run, mark);
    }
    _exit(0); /* closing a damaged file may not end, and there is nothing to write */
}

#endif
