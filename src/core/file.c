/* file.c - files through POSIX calls. */
#define _XOPEN_SOURCE 700 /* readlink, fsync */

#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 16, WRITE_SIZE = 1 << 16, DRAFT_SUFFIX = 48, MOST_ATTEMPTS = 100, MOST_LINKS = 40 };

static int is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* ---- reading ---- */

/* Everything until the end of `fd`, in one growing piece of memory. */
static pen_status read_all(pen_run *run, int fd, const char *name, pen_bytes *out)
{
    size_t size = 0, room = 0;
    unsigned char *data = NULL;

    for (;;) {
        if (room - size < READ_SIZE) {
            const size_t wanted = room ? 2 * room : 2 * READ_SIZE;
            unsigned char *grown = realloc(data, wanted);
            if (!grown) {
                free(data);
                return pen_fail(run, PEN_NO_MEMORY, "%s: out of memory after %zu bytes", name, size);
            }
            data = grown;
            room = wanted;
        }
        const ssize_t got = read(fd, data + size, room - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            const int reason = errno;
            free(data);
            return pen_fail(run, PEN_FILE_ERROR, "%s: cannot be read: %s", name, strerror(reason));
        }
        if (got == 0)
            break;
        size += (size_t)got;
    }
    *out = (pen_bytes){ data, size, 0 };
    return PEN_OK;
}

static pen_status map_or_read(pen_run *run, int fd, const char *name, pen_bytes *out)
{
    struct stat about;

    if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode))
        return pen_fail(run, PEN_FILE_ERROR, "%s: cannot be read: it is a directory", name);
    /* Somebody may have read the head of standard input before. */
    const int fresh = lseek(fd, 0, SEEK_CUR) == 0;
    if (fresh && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        void *data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED) {
            *out = (pen_bytes){ data, (size_t)about.st_size, 1 };
            return PEN_OK;
        }
    }
    return read_all(run, fd, name, out);
}

pen_status pen_bytes_read(pen_run *run, const char *path, pen_bytes *out)
{
    *out = (pen_bytes){ NULL, 0, 0 };
    if (is_dash(path))
        return map_or_read(run, STDIN_FILENO, "standard input", out);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return pen_fail(run, PEN_FILE_ERROR, "%s: cannot be opened: %s", path, strerror(errno));
    const pen_status status = map_or_read(run, fd, path, out);
    close(fd);
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
    int direct;  /* no temporary file */
    size_t room; /* bytes of `path`; `draft` has DRAFT_SUFFIX more */
    char *path;  /* where the bytes shall be */
    char *draft; /* where they are until then */
    size_t held; /* bytes in `buffer` */
    unsigned char buffer[WRITE_SIZE];
};

static pen_status cannot_write(const pen_output *output)
{
    return pen_fail(output->run, PEN_FILE_ERROR, "%s: cannot be written: %s", is_dash(output->path) ? "standard output" : output->path,
                    strerror(errno));
}

/* A new file beside the target, under a name nobody has. The umask decides its mode. */
static int open_draft(pen_output *output)
{
    const size_t size = output->room + DRAFT_SUFFIX;
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        snprintf(output->draft, size, "%s.%ld-%d.part", output->path, (long)getpid(), attempt);
        const int fd = open(output->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Where a link leads, in place of its last part: `path` [room] becomes the path of that. Returns 0 if it is no link, or the error is better
 * told by opening it; 1: it was one; -1: it leads nowhere. */
static int follow_link(char *path, size_t room, char *held, size_t held_size)
{
    const ssize_t got = readlink(path, held, held_size);
    if (got < 0)
        return 0;
    const char *const slash = strrchr(path, '/');
    const size_t kept = slash && held[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    if (kept + (size_t)got >= room) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(path + kept, held, (size_t)got);
    path[kept + (size_t)got] = '\0';
    return 1;
}

/* What a link names shall be written, not the link, whether it is there or not. */
static int follow_links(pen_output *output)
{
    for (int i = 0; i < MOST_LINKS; i++) {
        const int followed = follow_link(output->path, output->room, output->draft, output->room);
        if (followed <= 0)
            return followed;
    }
    errno = ELOOP;
    return -1;
}

/* Open the place the bytes go to. A file that is replaced hands its mode on. */
static int open_target(pen_output *output)
{
    struct stat about;
    const int exists = !is_dash(output->path) && stat(output->path, &about) == 0;

    output->direct = is_dash(output->path) || (exists && !S_ISREG(about.st_mode));
    if (is_dash(output->path))
        return STDOUT_FILENO;
    if (output->direct)
        return open(output->path, O_WRONLY | O_CLOEXEC);
    if (follow_links(output) != 0)
        return -1;
    const int fd = open_draft(output);
    if (fd >= 0 && exists)
        (void)!fchmod(fd, about.st_mode & 0777);
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
        output->room = strlen(path) + PATH_MAX; /* of a link, too */
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
    while (sent < output->held) {
        const ssize_t wrote = write(output->fd, output->buffer + sent, output->held - sent);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return cannot_write(output);
        sent += (size_t)wrote;
    }
    output->held = 0;
    return PEN_OK;
}

pen_status pen_output_write(pen_output *output, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        const size_t room = WRITE_SIZE - output->held, part = size < room ? size : room;
        memcpy(output->buffer + output->held, from, part);
        output->held += part;
        from += part;
        size -= part;
        if (output->held == WRITE_SIZE)
            PEN_TRY(flush(output));
    }
    return PEN_OK;
}

/* On the disk, where the file can be. */
static int synced(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

/* The new name, too. The file is there in any case: nothing here is an error. */
static void sync_folder(pen_output *output)
{
    char *const slash = strrchr(output->path, '/');

    if (slash)
        slash[slash == output->path] = '\0';
    const int fd = open(slash ? output->path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
    if (!output->direct && !synced(output->fd))
        return cannot_write(output);
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
    if (!output->direct)
        unlink(output->draft);
    output_free(output);
}
