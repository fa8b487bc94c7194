/* replay.c - runs a fuzz target on its seeds, without a fuzzer.
 *
 *     replay_NAME FILE.seeds            every seed of the file
 *     replay_NAME FILE.seeds FOLDER     writes each seed to FOLDER, for a fuzzer, and runs none
 *     replay_NAME --pack FILE ...       prints inputs that a fuzzer found as lines of a seeds file
 *
 * A line is `name: bytes`. Printable ASCII stands for itself; a backslash is \\, and other bytes
 * are \n, \r, \t or \xHH. */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

static const char escapes[] = "n\nr\rt\t\\\\";

/* Decodes `text` [size] in place; returns the number of bytes. */
static size_t unescape(char *text, size_t size)
{
    size_t count = 0;

    for (size_t i = 0; i < size; i++) {
        if (text[i] != '\\') {
            text[count++] = text[i];
            continue;
        }
        PROMISE(++i < size);
        if (text[i] == 'x') {
            char digits[3] = { 0 };
            PROMISE(i + 2 < size);
            memcpy(digits, text + i + 1, 2);
            text[count++] = (char)strtoul(digits, NULL, 16);
            i += 2;
        } else {
            size_t e = 0;
            while (e < sizeof escapes - 1 && escapes[e] != text[i])
                e += 2;
            PROMISE(e < sizeof escapes - 1);
            text[count++] = escapes[e + 1];
        }
    }
    return count;
}

static void print_escaped(int byte)
{
    for (size_t e = 0; e < sizeof escapes - 1; e += 2)
        if (byte == escapes[e + 1]) {
            printf("\\%c", escapes[e]);
            return;
        }
    printf(byte >= ' ' && byte <= '~' ? "%c" : "\\x%02x", byte);
}

static void pack(const char *path)
{
    FILE *file = fopen(path, "rb");
    const char *const slash = strrchr(path, '/');
    int byte;

    PROMISE(file);
    printf("%s: ", slash ? slash + 1 : path);
    while ((byte = getc(file)) != EOF)
        print_escaped(byte);
    putchar('\n');
    fclose(file);
}

static void run(const char *bytes, size_t size)
{
    /* exactly as large as the input, so that a memory checker detects a read past the end */
    uint8_t *const exact = malloc(size > 0 ? size : 1);

    PROMISE(exact);
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void write_seed(const char *folder, const char *name, const char *bytes, size_t size)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    PROMISE(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* The number of seeds in the file. */
static int replay(const char *path, const char *folder)
{
    FILE *seeds = fopen(path, "rb");
    char *line = NULL;
    size_t room = 0;
    int count = 0;

    PROMISE(seeds);
    for (ssize_t length; (length = getline(&line, &room, seeds)) > 0; count++) {
        char *const colon = strstr(line, ": ");
        PROMISE(colon && line[length - 1] == '\n');
        *colon = '\0';
        char *const bytes = colon + 2;
        const size_t size = unescape(bytes, (size_t)(line + length - 1 - bytes));
        if (folder)
            write_seed(folder, line, bytes, size);
        else
            run(bytes, size);
    }
    free(line);
    fclose(seeds);
    return count;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--pack") == 0) {
        for (int i = 2; i < argc; i++)
            pack(argv[i]);
        return 0;
    }
    if (argc < 2)
        return 2;
    const int count = replay(argv[1], argc > 2 ? argv[2] : NULL);
    printf("%s: %d inputs\n", argv[1], count);
    return count == 0;
}
