/* h5_file.c - opening and closing HDF5 files, and what is in them. The lock is state of the
 * process, because libhdf5 is. */
#define _POSIX_C_SOURCE 200809L

#include "io/h5_direct.h"

#include "io/h5_library.h"

#ifdef PENUMBRA_HDF5

#include "io/h5_child.h"
#include "io/h5_words.h"
#include "io/lzf.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    LZF = 32000,            /* the number under which h5py's filter is registered */
    CORE_STEP = 1 << 16,    /* by which a file in memory would grow */
    MOST_EXPANSION = 66000, /* gzip of gzip, and fill values: what a file may claim to hold */
    MOST_LZF = 89,          /* no byte of LZF expands to more */
    MOST_NAMES = 1 << 20
};

/* What bytes in memory are called: no file can have that name, which would be in their way. */
static const char MEMORY[] = "/dev/null/memory";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- the filter of h5py ---- */

static size_t filter_lzf(unsigned flags, size_t parameters, const unsigned *values, size_t size,
                         size_t *room, void **buffer)
{
    /* the size of a chunk is the third parameter, which a copy of a dataset may lack */
    const size_t needed = pen_lzf_expand(*buffer, size, NULL, SIZE_MAX),
                 stated = parameters >= 3 && values[2] / MOST_LZF <= size ? values[2] : 0,
                 wanted = needed > stated ? needed : stated;

    if (!(flags & H5Z_FLAG_REVERSE))
        return 0;
    unsigned char *const made = needed > 0 ? H5allocate_memory(wanted, 1) : NULL;
    const size_t count = made ? pen_lzf_expand(*buffer, size, made, wanted) : 0;
    if (count == 0) {
        if (made)
            H5free_memory(made);
        return 0;
    }
    H5free_memory(*buffer);
    *buffer = made;
    *room = wanted;
    return count;
}

/* Returns 1 if it was registered here, and is to be removed. */
static int register_lzf(void)
{
    const H5Z_class2_t filter = { .version = H5Z_CLASS_T_VERS,
                                  .id = LZF,
                                  .decoder_present = 1,
                                  .name = "lzf",
                                  .filter = filter_lzf };

    return H5Zfilter_avail(LZF) <= 0 && H5Zregister(&filter) >= 0;
}

/* ---- opening ---- */

/* Links to other files are not followed. */
static herr_t refuse_link(const char *parent_file, const char *parent_group, const char *file,
                          const char *object, unsigned *flags, hid_t access, void *data)
{
    (void)parent_file;
    (void)parent_group;
    (void)file;
    (void)object;
    (void)flags;
    (void)access;
    (void)data;
    return -1;
}

static hid_t new_access(const pen_input *input)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    int failed = access < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0;

    if (!failed && !input->path)
        failed = H5Pset_fapl_core(access, CORE_STEP, 0) < 0
                 || H5Pset_file_image(access, (void *)(uintptr_t)input->data, input->size) < 0;
    if (!failed)
        return access;
    if (access >= 0)
        H5Pclose(access);
    return -1;
}

static uint64_t size_of(hid_t file)
{
    hsize_t size = 0;
    return H5Fget_filesize(file, &size) < 0 ? 0 : size;
}

enum mode { READ, WRITE, CREATE };

static hid_t open_file(const pen_input *input, enum mode mode)
{
    const hid_t access = new_access(input);
    hid_t file = -1;

    if (access >= 0 && mode == CREATE)
        file = H5Fcreate(input->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    else if (access >= 0)
        file = H5Fopen(input->path ? input->path : MEMORY,
                       mode == WRITE ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    if (access >= 0)
        H5Pclose(access);
    return file;
}

static pen_status open_and_work(pen_run *run, const pen_input *input, enum mode mode,
                                pen_h5_work work, void *context)
{
    pen_h5 h5 = { .run = run, .name = input->name, .file = open_file(input, mode), .link = -1 };
    pen_status status = PEN_OK;

    if (h5.file >= 0)
        h5.link = H5Pcreate(H5P_LINK_ACCESS);
    if (h5.link >= 0 && H5Pset_elink_cb(h5.link, refuse_link, NULL) >= 0) {
        h5.size = size_of(h5.file);
        status = work(&h5, context);
    } else {
        status =
            pen_fail(run, PEN_BAD_FORMAT,
                     "%s: the HDF5 file is damaged or truncated, or cannot be opened", input->name);
    }
    if (h5.link >= 0)
        H5Pclose(h5.link);
    if (h5.file >= 0 && H5Fclose(h5.file) < 0 && mode != READ && status == PEN_OK)
        status = pen_fail(run, PEN_FILE_ERROR, "%s: cannot be written", input->name);
    return status;
}

/* Of the process, or of a child, in which no other thread calls libhdf5. */
static pen_status use(pen_run *run, const pen_input *input, enum mode mode, pen_h5_work work,
                      void *context)
{
    H5E_auto2_t report = NULL;
    void *data = NULL;

    PEN_REQUIRE(run, H5open() >= 0, PEN_NO_MEMORY, "%s: libhdf5 does not start", input->name);
    H5Eget_auto2(H5E_DEFAULT, &report, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const int registered = register_lzf();
    const pen_status status = open_and_work(run, input, mode, work, context);
    if (registered)
        H5Zunregister(LZF);
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, report, data);
    return status;
}

pen_status pen_h5_create(pen_run *run, const char *name, const char *path, pen_h5_work work,
                         void *context)
{
    const pen_input output = { .name = name, .path = path };

    pthread_mutex_lock(&lock);
    const pen_status status = use(run, &output, CREATE, work, context);
    pthread_mutex_unlock(&lock);
    return status;
}

/* ---- in a child ---- */

struct task {
    const pen_input *input;
    enum mode mode;
    pen_h5_work work; /* READ: requests are served */
    void *context;
};

/* What the child does. The progress and the threads of the caller's run are not here. */
static void perform(int socket, void *room, void *context)
{
    const struct task *const task = context;
    const pen_control alone = { .threads = 1 };
    pen_h5_reply reply = { .size = 0 };
    pen_h5_ends ends = { socket, room, &reply.error };
    pen_run *run;
    pen_status status = pen_run_open(&alone, &reply.error, &run);

    if (status == PEN_OK)
        status = task->mode == READ ? use(run, task->input, READ, pen_h5_serve, &ends)
                                    : use(run, task->input, WRITE, task->work, task->context);
    reply.error.code = status;
    if (task->mode != READ || status != PEN_OK)
        pen_h5_put(socket, &reply, sizeof reply);
}

/* Starts the child and waits until it has opened the file, or done its work. */
static pen_status begin(pen_run *run, struct task *task, pen_h5_child *child, pen_h5_reply *reply)
{
    /* a thread inside libhdf5 would leave it half-way in the child; and what starts here need not
     * start in every child */
    pthread_mutex_lock(&lock);
    H5open();
    const pen_status status = pen_h5_child_start(run, task->input->name, perform, task, child);
    pthread_mutex_unlock(&lock);
    PEN_TRY(status);
    if (pen_h5_child_receive(child, reply, sizeof *reply) != PEN_OK)
        return pen_h5_child_end(child);
    if (reply->error.code == PEN_OK)
        return PEN_OK;
    reply->error.message[sizeof reply->error.message - 1] = '\0';
    pen_fail_as(run, &reply->error);
    pen_h5_child_end(child);
    return reply->error.code;
}

pen_status pen_h5_read(pen_run *run, const pen_input *input, pen_h5_work work, void *context)
{
    struct task task = { .input = input, .mode = READ };
    const pen_h5_request end = { .call = PEN_H5_ASK_END };
    pen_h5_child child;
    pen_h5_reply reply;

    PEN_TRY(begin(run, &task, &child, &reply));
    const pen_h5 h5 = { .run = run, .name = input->name, .size = reply.size, .child = &child };
    const pen_status status = work(&h5, context);
    const pen_status failed = child.failed; /* what `work` made of that is not the cause */
    if (failed == PEN_OK)
        pen_h5_put(child.socket, &end, sizeof end);
    pen_h5_child_end(&child);
    return failed != PEN_OK ? failed : status;
}

pen_status pen_h5_change(pen_run *run, const pen_input *input, pen_h5_work work, void *context)
{
    struct task task = { .input = input, .mode = WRITE, .work = work, .context = context };
    pen_h5_child child;
    pen_h5_reply reply;

    PEN_TRY(begin(run, &task, &child, &reply));
    return pen_h5_child_end(&child);
}

/* ---- what is there ---- */

/* Opens an object; -1: there is none. The link to it may dangle. */
static hid_t open_object(const pen_h5 *h5, const char *path)
{
    while (*path == '/')
        path++;
    return *path ? H5Oopen(h5->file, path, h5->link) : H5Gopen2(h5->file, "/", H5P_DEFAULT);
}

/* Is there a link of that name, although what it leads to cannot be opened? */
static int has_link(const pen_h5 *h5, const char *path)
{
    while (*path == '/')
        path++;
    return *path && H5Lexists(h5->file, path, h5->link) > 0;
}

enum pen_h5_object pen_h5_direct_look(const pen_h5 *h5, const char *path)
{
    const hid_t object = open_object(h5, path);
    const H5I_type_t type = object >= 0 ? H5Iget_type(object) : H5I_BADID;

    if (object >= 0)
        H5Oclose(object);
    else if (has_link(h5, path))
        return PEN_H5_UNREADABLE;
    return type == H5I_DATASET ? PEN_H5_SET : type == H5I_GROUP ? PEN_H5_GROUP : PEN_H5_NOTHING;
}

pen_status pen_h5_join(const pen_h5 *h5, const char *folder, const char *name, const char **out)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path;

    PEN_TRY(PEN_NEW(h5->run, path, (int64_t)size));
    snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", name);
    *out = path;
    return PEN_OK;
}

struct names {
    const pen_h5 *h5;
    char **names;
    int64_t count, room;
};

static herr_t take_name(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    struct names *const all = context;
    const size_t size = strlen(name) + 1;
    char *copy;

    (void)group;
    (void)info;
    if (all->count == all->room)
        return all->room < MOST_NAMES ? -1 : 1;
    if (PEN_NEW(all->h5->run, copy, (int64_t)size) != PEN_OK)
        return -1;
    memcpy(copy, name, size);
    all->names[all->count++] = copy;
    return 0;
}

pen_status pen_h5_direct_names(const pen_h5 *h5, const char *group, char ***names, int64_t *count)
{
    struct names all = { .h5 = h5 };
    const hid_t id = open_object(h5, group);
    H5G_info_t info = { .nlinks = 0 };
    hsize_t at = 0;
    herr_t failed = -1;
    pen_status status = PEN_OK;

    if (id >= 0 && H5Gget_info(id, &info) >= 0) {
        all.room = info.nlinks < MOST_NAMES ? (int64_t)info.nlinks : MOST_NAMES;
        status = PEN_NEW(h5->run, all.names, all.room);
        failed = status == PEN_OK ? H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, &at, take_name, &all)
                                  : -1;
    }
    if (id >= 0)
        H5Oclose(id);
    PEN_TRY(status);
    PEN_REQUIRE(h5->run, failed >= 0, PEN_BAD_FORMAT, "%s: the group /%s is damaged", h5->name,
                group);
    *names = all.names;
    *count = all.count;
    return PEN_OK;
}

int pen_h5_is_plausible(const pen_h5 *h5, int64_t values)
{
    const int64_t room = INT64_C(1) << 29; /* 4 GiB of doubles */
    return values <= pen_max(room, pen_times((int64_t)h5->size, MOST_EXPANSION / 8));
}

int64_t pen_h5_object(const pen_h5 *h5, const char *path)
{
    return open_object(h5, path);
}

#else

static pen_status absent(pen_run *run, const char *name)
{
    return pen_fail(run, PEN_BAD_FORMAT,
                    "%s: this is an HDF5 file, and penumbra was built without libhdf5 (Debian: "
                    "libhdf5-dev); without it, .h5ad: python -m penumbra.convert FILE",
                    name);
}

pen_status pen_h5_read(pen_run *run, const pen_input *input, pen_h5_work work, void *context)
{
    (void)work;
    (void)context;
    return absent(run, input->name);
}

pen_status pen_h5_change(pen_run *run, const pen_input *input, pen_h5_work work, void *context)
{
    return pen_h5_read(run, input, work, context);
}

pen_status pen_h5_create(pen_run *run, const char *name, const char *path, pen_h5_work work,
                         void *context)
{
    (void)path;
    (void)work;
    (void)context;
    return absent(run, name);
}

#endif
