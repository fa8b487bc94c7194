/* test_file.c - reading bytes from files and writing files atomically. The sessions writing and
 * outputs cover full disks and closed streams. Every test uses its own folder. */
#define _XOPEN_SOURCE 700

#include "check.h"

#include "core/file.h"
#include "core/memory.h"
#include "kit/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static pen_error err;
static pen_run *run;

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void check_content(const char *path, const char *text)
{
    char found[256] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t got = fread(found, 1, sizeof found - 1, file);
    fclose(file);
    assert_int_equal(got, strlen(text));
    assert_string_equal(found, text);
}

static int files_in_folder(void)
{
    DIR *list = opendir(folder);
    int count = 0;
    assert_non_null(list);
    for (const struct dirent *entry; (entry = readdir(list));)
        count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

static int set_up(void **state)
{
    run = check_run(1, &err);
    return folder_make(state);
}

static int tear_down(void **state)
{
    pen_run_close(run);
    return folder_remove(state);
}

EACH(set_up, tear_down);

TEST(files_and_pipes_are_read)
{
    const char *const path = in_folder("a");
    pen_bytes bytes;
    int ends[2];

    put(path, "hello");
    CHECK_OK(pen_bytes_read(run, path, &bytes), &err);
    assert_true(bytes.size == 5 && !bytes.mapped && memcmp(bytes.data, "hello", 5) == 0);
    pen_bytes_free(&bytes);
    assert_null(bytes.data);
    put(path, "");
    CHECK_OK(pen_bytes_read(run, path, &bytes), &err);
    assert_int_equal(bytes.size, 0);
    pen_bytes_free(&bytes);

    const int kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "through a pipe", 14), 14);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    CHECK_OK(pen_bytes_read(run, "-", &bytes), &err);
    dup2(kept, STDIN_FILENO);
    close(kept);
    assert_true(bytes.size == 14 && !bytes.mapped && memcmp(bytes.data, "through a pipe", 14) == 0);
    pen_bytes_free(&bytes);
}

/* Standard input is read from its current position, even if it is a file. */
TEST(standard_input_continues)
{
    const char *const path = in_folder("a");
    char first[2];
    pen_bytes bytes;
    const int kept = dup(STDIN_FILENO);

    put(path, "1\n2\n3\n");
    const int fd = open(path, O_RDONLY);
    dup2(fd, STDIN_FILENO);
    close(fd);
    assert_int_equal(read(STDIN_FILENO, first, 2), 2);
    CHECK_OK(pen_bytes_read(run, "-", &bytes), &err);
    dup2(kept, STDIN_FILENO);
    close(kept);
    assert_true(bytes.size == 4 && memcmp(bytes.data, "2\n3\n", 4) == 0);
    pen_bytes_free(&bytes);
}

/* Files larger than memory are refused or mapped. They are sparse and use no disk space. */
TEST(large_files_are_mapped_on_request)
{
    const char *const path = in_folder("a");
    pen_bytes bytes;

    put(path, "x");
    assert_int_equal(truncate(path, PEN_MAPPED_FROM), 0);
    CHECK_OK(pen_bytes_read(run, path, &bytes), &err);
    assert_true(bytes.size == PEN_MAPPED_FROM && !bytes.mapped && bytes.data[0] == 'x'
                && bytes.data[PEN_MAPPED_FROM - 1] == 0);
    pen_bytes_free(&bytes);
    CHECK_OK(pen_bytes_map(run, path, &bytes), &err);
    assert_true(bytes.size == PEN_MAPPED_FROM && bytes.mapped && bytes.data[0] == 'x'
                && bytes.data[PEN_MAPPED_FROM - 1] == 0);
    pen_bytes_free(&bytes);
    if (pen_memory() < INT64_MAX && truncate(path, (off_t)pen_memory() + 1) == 0) {
        CHECK_STATUS(pen_bytes_read(run, path, &bytes), PEN_NO_MEMORY, " of memory", &err);
        CHECK_OK(pen_bytes_map(run, path, &bytes), &err);
        assert_true(bytes.mapped && bytes.data[0] == 'x');
        pen_bytes_free(&bytes);
    }
    assert_true(truncate(path, PEN_MAPPED_FROM - 1) == 0);
    CHECK_OK(pen_bytes_map(run, path, &bytes), &err);
    assert_int_equal(bytes.mapped, 0);
    pen_bytes_free(&bytes);
}

TEST(byte_counts_are_reported)
{
    static const struct {
        int64_t bytes;
        const char *text;
    } known[] = { { 0, "0 bytes" },   { 999, "999 bytes" },   { 1000, "1 kB" },
                  { 999600, "1 MB" }, { 1 << 30, "1.07 GB" }, { INT64_MAX, "9.22 EB" } };
    char text[PEN_BYTES_SIZE];

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(pen_bytes_text(known[i].bytes, text), known[i].text);
    assert_true(pen_memory() > 0);
}

TEST(a_file_appears_when_committed)
{
    const char *const path = in_folder("a");
    char many[10000];
    struct stat about;
    pen_output *output;

    put(path, "old");
    chmod(path, 0640);
    CHECK_OK(pen_output_open(run, path, &output), &err);
    CHECK_OK(pen_output_write(output, "new ", 4), &err);
    CHECK_OK(pen_output_write(output, "text", 4), &err);
    check_content(path, "old");
    CHECK_OK(pen_output_commit(output), &err);
    check_content(path, "new text");
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(files_in_folder(), 1);

    memset(many, 'x', sizeof many);
    CHECK_OK(pen_output_open(run, path, &output), &err);
    for (int i = 0; i < 50; i++)
        CHECK_OK(pen_output_write(output, many, sizeof many), &err);
    CHECK_OK(pen_output_commit(output), &err);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_size, 50 * sizeof many);
}

TEST(an_abandoned_file_leaves_nothing)
{
    const char *const path = in_folder("a");
    pen_output *output;

    CHECK_OK(pen_output_open(run, path, &output), &err);
    CHECK_OK(pen_output_write(output, "text", 4), &err);
    pen_output_discard(output);
    assert_int_equal(files_in_folder(), 0);
    pen_output_discard(NULL);
    CHECK_STATUS(pen_output_open(run, in_folder("no/a"), &output), PEN_FILE_ERROR,
                 "No such file or directory", &err);
    assert_null(output);
}

/* Symbolic links remain: their target is created or replaced. */
TEST(links_are_followed)
{
    const char *const path = in_folder("a"), *const link = in_folder("link"),
                      *const other = in_folder("middle");
    struct stat about;
    pen_output *output;

    assert_int_equal(symlink("middle", link), 0);
    assert_int_equal(symlink(path, other), 0);
    for (int times = 0; times < 2; times++) {
        CHECK_OK(pen_output_open(run, link, &output), &err);
        CHECK_OK(pen_output_write(output, &"01"[times], 1), &err);
        CHECK_OK(pen_output_commit(output), &err);
        check_content(path, times ? "1" : "0");
    }
    assert_true(lstat(path, &about) == 0 && S_ISREG(about.st_mode));
    assert_true(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
    assert_true(lstat(other, &about) == 0 && S_ISLNK(about.st_mode));
    assert_int_equal(files_in_folder(), 3);

    unlink(other);
    assert_int_equal(symlink("link", other), 0);
    CHECK_STATUS(pen_output_open(run, link, &output), PEN_FILE_ERROR,
                 "cannot be written: Too many levels of symbolic links", &err);
    assert_null(output);
}
