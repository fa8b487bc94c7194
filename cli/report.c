/* report.c - the page of penumbra compare: a template with the JSON of the results inside. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "report.h"

#include "flags/output.h"

#include <stdlib.h>
#include <string.h>

/* page/report.html, which the build makes part of the command. */
extern const unsigned char report_page[];

static const char place[] = "@JSON@";

/* In a script only '<' can begin what a page takes for markup. */
static void write_json(FILE *page, const char *json)
{
    while (*json) {
        const size_t plain = strcspn(json, "<");
        fwrite(json, 1, plain, page);
        json += plain;
        if (*json)
            fputs("\\u003c", page);
        json += *json != '\0';
    }
}

int report_write(const char *path, const char *json)
{
    const char *const page = (const char *)report_page, *const rest = strstr(page, place);
    char *text = NULL;
    size_t size;

    FILE *const out = open_memstream(&text, &size);
    if (out) {
        fwrite(page, 1, (size_t)(rest - page), out);
        write_json(out, json);
        fputs(rest + strlen(place), out);
    }
    const int whole = out && !ferror(out);
    const int status = !out || fclose(out) != 0 || !whole ? cli_fail("out of memory for the report")
                                                          : output_bytes(path, text, size);
    free(text);
    return status;
}
