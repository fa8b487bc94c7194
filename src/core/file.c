/* file.c - file input and output through POSIX calls. */
#define _GNU_SOURCE /* readlink, fsync, O_TMPFILE */

#include "core/file.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_SIZE = 1 << 16,
    MAX_READ = 1 << 30,
    WRITE_SIZE = 1 << 16,
    DRAFT_SUFFIX = 48,
    MAX_ATTEMPTS = 100,
    MAX_LINKS = 40
};

static int is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* ---- reading ---- */

const char *pen_path_name(const char *path)
{
    return path && is_dash(path) ? PEN_STANDARD_INPUT : path;
}

/* An open input file. */
struct input {
    int fd;
    const char *name; /* its name in messages */
};

static pen_status cannot_read(pen_run *run, const struct input *input, int reason)
{
    return pen_fail(run, PEN_FILE_ERROR, "%s: cannot be read: %s", input->name, strerror(reason));
}

/* Doubles the buffer, up to the memory of the machine; allocates the first buffer. */
static pen_status grow(pen_run *run, const struct input *input, unsigned char **data, size_t *room)
{
    const int64_t has = (int64_t)*room, most = pen_memory();
    const int64_t wanted = has > 0 ? pen_min(pen_times(2, has), pen_max(most, has)) : 2 * READ_SIZE;
    unsigned char *const grown = wanted >= has + READ_SIZE ? realloc(*data, (size_t)wanted) : NULL;

    PEN_REQUIRE(run, grown, PEN_NO_MEMORY, "%s: out of memory after %zu bytes", input->name, *room);
    *data = grown;
    *room = (size_t)wanted;
    return PEN_OK;
}

/* Reads to the end of the file into one growing buffer, which the caller frees, on failure too. */
static pen_status read_stream(pen_run *run, const struct input *input, unsigned char **data,
                              size_t *size)
{
    size_t room = 0;

    for (;;) {
        if (room - *size < READ_SIZE)
            PEN_TRY(grow(run, input, data, &room));
        const ssize_t got = read(input->fd, *data + *size, room - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cannot_read(run, input, errno);
        if (got == 0)
            return PEN_OK;
        *size += (size_t)got;
    }
}

/* Reads bytes offset .. offset + count - 1 of a regular file. If it has shrunk, this is an error; a
 * mapped file would raise SIGBUS, which the library does not handle. */
static pen_status read_part(pen_run *run, const struct input *input, int64_t offset, int64_t count,
                            unsigned char *to)
{
    for (int64_t done = 0; done < count;) {
        const int64_t wanted = pen_min(count - done, MAX_READ);
        const ssize_t got = pread(input->fd, to + done, (size_t)wanted, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cannot_read(run, input, errno);
        PEN_REQUIRE(run, got > 0, PEN_FILE_ERROR,
                    "%s: became shorter while it was read: byte %lld is missing", input->name,
                    (long long)(offset + done));
        done += (int64_t)got;
    }
    return PEN_OK;
}

/* Allocates memory for a regular file. */
static pen_status reserve(pen_run *run, const struct input *input, int64_t size,
                          unsigned char **data)
{
    char has[PEN_BYTES_SIZE], most[PEN_BYTES_SIZE];

    PEN_REQUIRE(run, pen_memory_has(size) && (uint64_t)size <= SIZE_MAX / 2, PEN_NO_MEMORY,
                "%s: the file has %s, but only %s of memory is available", input->name,
                pen_bytes_text(size, has), pen_bytes_text(pen_memory(), most));
    *data = malloc((size_t)size);
    PEN_REQUIRE(run, *data, PEN_NO_MEMORY, "%s: out of memory: the file has %s", input->name,
                pen_bytes_text(size, has));
    return PEN_OK;
}

/* The size of a regular file at offset 0, else 0: part of standard input may have been consumed
 * already. */
static int64_t regular_size(const struct input *input, const struct stat *info)
{
    return S_ISREG(info->st_mode) && lseek(input->fd, 0, SEEK_CUR) == 0 ? (int64_t)info->st_size
                                                                        : 0;
}

static int map_regular(const struct input *input, int64_t size, pen_bytes *out)
{
    void *const data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, input->fd, 0);

    if (data == MAP_FAILED)
        return 0;
    *out = (pen_bytes){ data, (size_t)size, 1 };
    return 1;
}

static pen_status map_or_read(pen_run *run, const struct input *input, int map, pen_bytes *out)
{
    struct stat info;
    unsigned char *data = NULL;
    pen_status status;
    size_t got = 0;

    if (fstat(input->fd, &info) != 0)
        return cannot_read(run, input, errno);
    if (S_ISDIR(info.st_mode))
        return pen_fail(run, PEN_FILE_ERROR, "%s: cannot be read: it is a directory", input->name);
    const int64_t size = regular_size(input, &info);
    if (map && size >= PEN_MAPPED_FROM && map_regular(input, size, out))
        return PEN_OK;
    if (size > 0) {
        status = reserve(run, input, size, &data);
        got = (size_t)size;
        if (status == PEN_OK)
            status = read_part(run, input, 0, size, data);
    } else {
        status = read_stream(run, input, &data, &got);
    }
    if (status != PEN_OK)
        free(data);
    else
        *out = (pen_bytes){ data, got, 0 };
    return status;
}

static pen_status read_or_map(pen_run *run, const char *path, int map, pen_bytes *out)
{
    struct input input = { STDIN_FILENO, PEN_STANDARD_INPUT };

    *out = (pen_bytes){ NULL, 0, 0 };
    if (is_dash(path))
        return map_or_read(run, &input, map, out);
    input = (struct input){ open(path, O_RDONLY | O_CLOEXEC), path };
    if (input.fd < 0)
        return pen_fail(run, PEN_FILE_ERROR, "%s: cannot be opened: %s", path, strerror(errno));
    const pen_status status = map_or_read(run, &input, map, out);
    close(input.fd);
    return status;
}

pen_status pen_bytes_read(pen_run *run, const char *path, pen_bytes *out)
{
    return read_or_map(run, path, 0, out);
}

pen_status pen_bytes_map(pen_run *run, const char *path, pen_bytes *out)
{
    return read_or_map(run, path, 1, out);
}

enum pen_file_kind pen_file_kind_of(const char *path)
{
    struct stat info;

    if (is_dash(path))
        return PEN_OTHER_FILE;
    if (stat(path, &info) != 0)
        return PEN_NO_FILE;
    return S_ISDIR(info.st_mode) ? PEN_FOLDER : PEN_OTHER_FILE;
}

int64_t pen_file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (int64_t)info.st_size : -1;
}

pen_status pen_bytes_part(pen_run *run, const char *path, int64_t offset, int64_t count,
                          unsigned char *to)
{
    const struct input input = { open(path, O_RDONLY | O_CLOEXEC), path };

    PEN_REQUIRE(run, input.fd >= 0, PEN_FILE_ERROR, "%s: cannot be opened: %s", path,
                strerror(errno));
    const pen_status status = read_part(run, &input, offset, count, to);
    close(input.fd);
    return status;
}

void pen_bytes_free(pen_bytes *bytes)
{
    if (bytes->mapped)
        munmap((void *)(uintptr_t)bytes->data, bytes->size);
    else
        free((void *)(uintptr_t)bytes->data);
    *bytes = (pen_bytes){ NULL, 0, 0 };
}

/* ---- writing ---- */

struct pen_output {
    pen_run *run;
    int fd;
    int direct;      /* written in place, without a temporary file */
    int nameless;    /* the temporary file has no name yet */
    size_t room;     /* bytes in `path`; `draft` has DRAFT_SUFFIX more */
    char *path;      /* the target */
    char *draft;     /* the temporary file */
    size_t buffered; /* bytes in `buffer` */
    unsigned char buffer[WRITE_SIZE];
};

static pen_status cannot_write(const pen_output *output)
{
    return pen_fail(output->run, PEN_FILE_ERROR, "%s: cannot be written: %s",
                    is_dash(output->path) ? "standard output" : output->path, strerror(errno));
}

/* Gives the file of `fd` an unused name next to the target; -1: creates a new file, whose mode the
 * umask decides, and returns it. Negative: failed. */
static int name_draft(pen_output *output, int fd)
{
    const size_t size = output->room + DRAFT_SUFFIX;
    char from[32];

    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        snprintf(output->draft, size, "%s.%ld-%d.part", output->path, (long)getpid(), attempt);
        const int done = fd < 0
                             ? open(output->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                             : linkat(AT_FDCWD, from, AT_FDCWD, output->draft, AT_SYMLINK_FOLLOW);
        if (done >= 0 || errno != EEXIST)
            return done;
    }
    return -1;
}

/* Cuts the path of the target to its folder. */
static void cut_to_folder(char *path)
{
    char *const slash = strrchr(path, '/');

    if (slash)
        slash[slash == path] = '\0';
    else
        strcpy(path, ".");
}

/* Creates a file in the folder of the target, without a name if the system supports that. A
 * nameless file leaves nothing on disk, however the process ends. */
static int open_draft(pen_output *output)
{
#ifdef O_TMPFILE
    strcpy(output->draft, output->path);
    cut_to_folder(output->draft);
    const int fd = access("/proc/self/fd", X_OK) == 0
                       ? open(output->draft, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666)
                       : -1;
    output->nameless = fd >= 0;
    if (fd >= 0)
        return fd;
#endif
    return name_draft(output, -1);
}

/* Replaces the last component of `path` [room] by the target of the symbolic link it names. Returns
 * 1 if it was a link; 0 if it is not, or opening it will report the error; -1 if the new path is
 * too long. */
static int follow_link(char *path, size_t room, char *target, size_t target_size)
{
    const ssize_t got = readlink(path, target, target_size);
    if (got < 0)
        return 0;
    const char *const slash = strrchr(path, '/');
    const size_t kept = slash && target[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    if (kept + (size_t)got >= room) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(path + kept, target, (size_t)got);
    path[kept + (size_t)got] = '\0';
    return 1;
}

/* Follows links, so that the target of a link is written and not the link itself. The target need
 * not exist. */
static int follow_links(pen_output *output)
{
    for (int i = 0; i < MAX_LINKS; i++) {
        const int followed = follow_link(output->path, output->room, output->draft, output->room);
        if (followed <= 0)
            return followed;
    }
    errno = ELOOP;
    return -1;
}

/* Opens the file to write to. The mode of a replaced file is kept. */
static int open_target(pen_output *output)
{
    struct stat info;
    const int exists = !is_dash(output->path) && stat(output->path, &info) == 0;

    output->direct = is_dash(output->path) || (exists && !S_ISREG(info.st_mode));
    if (is_dash(output->path))
        return STDOUT_FILENO;
    if (output->direct)
        return open(output->path, O_WRONLY | O_CLOEXEC);
    if (follow_links(output) != 0)
        return -1;
    const int fd = open_draft(output);
    if (fd >= 0 && exists)
        (void)!fchmod(fd, info.st_mode & 0777);
    return fd;
}

static void output_free(pen_output *output)
{
    free(output->path);
    free(output->draft);
    free(output);
}

pen_status pen_output_open(pen_run *run, const char *path, pen_output **out)
{
    *out = NULL;
    pen_output *output = calloc(1, sizeof *output);
    if (output) {
        output->run = run;
        output->room = strlen(path) + PATH_MAX; /* with room for the target of a link */
        output->path = malloc(output->room);
        output->draft = malloc(output->room + DRAFT_SUFFIX);
    }
    if (!output || !output->path || !output->draft) {
        if (output)
            output_free(output);
        return pen_fail(run, PEN_NO_MEMORY, "out of memory");
    }
    strcpy(output->path, path);
    output->fd = open_target(output);
    if (output->fd < 0) {
        const pen_status status = cannot_write(output);
        output_free(output);
        return status;
    }
    *out = output;
    return PEN_OK;
}

static pen_status flush(pen_output *output)
{
    size_t sent = 0;
    while (sent < output->buffered) {
        const ssize_t wrote = write(output->fd, output->buffer + sent, output->buffered - sent);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return cannot_write(output);
        sent += (size_t)wrote;
    }
    output->buffered = 0;
    return PEN_OK;
}

pen_status pen_output_write(pen_output *output, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        const size_t room = WRITE_SIZE - output->buffered, count = size < room ? size : room;
        memcpy(output->buffer + output->buffered, from, count);
        output->buffered += count;
        from += count;
        size -= count;
        if (output->buffered == WRITE_SIZE)
            PEN_TRY(flush(output));
    }
    return PEN_OK;
}

/* Flushes the file to disk. Returns 1 also if this kind of file cannot be flushed. */
static int flush_to_disk(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

/* Flushes the directory entry. The file is already in place, so failures are ignored. */
static void sync_folder(pen_output *output)
{
    cut_to_folder(output->path);
    const int fd = open(output->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)!fsync(fd);
    close(fd);
}

static pen_status finish(pen_output *output)
{
    PEN_TRY(flush(output));
    if (is_dash(output->path))
        return PEN_OK;
    if (!output->direct && !flush_to_disk(output->fd))
        return cannot_write(output);
    if (output->nameless && name_draft(output, output->fd) < 0)
        return cannot_write(output);
    output->nameless = 0;
    const int fd = output->fd;
    output->fd = -1;
    if (close(fd) != 0)
        return cannot_write(output);
    if (output->direct)
        return PEN_OK;
    if (rename(output->draft, output->path) != 0)
        return cannot_write(output);
    sync_folder(output);
    return PEN_OK;
}

pen_status pen_output_commit(pen_output *output)
{
    const pen_status status = finish(output);
    if (status != PEN_OK) {
        pen_output_discard(output);
        return status;
    }
    output_free(output);
    return PEN_OK;
}

void pen_output_discard(pen_output *output)
{
    if (!output)
        return;
    if (output->fd >= 0 && !is_dash(output->path))
        close(output->fd);
    if (!output->direct && !output->nameless)
        unlink(output->draft);
    output_free(output);
}

pen_status pen_output_close(pen_output *output, pen_status status)
{
    if (status == PEN_OK)
        return pen_output_commit(output);
    pen_output_discard(output);
    return status;
}

pen_status pen_file_write(pen_run *run, const char *path, const void *bytes, size_t size)
{
    pen_output *output;

    PEN_TRY(pen_output_open(run, path, &output));
    return pen_output_close(output, pen_output_write(output, bytes, size));
}
