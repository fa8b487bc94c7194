/* report.c - the page of penumbra compare: a template with the JSON of the results inside. */
#include "report.h"

#include "output.h"

#include <string.h>

/* page/report.html, which the build makes part of the command. */
extern const unsigned char report_page[];

static const char place[] = "@JSON@";

static void write_text(output_file *page, const char *text)
{
    output_write(page, text, strlen(text));
}

/* The lines as a list. In a script only '<' can begin what a page takes for markup. */
static void write_list(output_file *page, const char *json)
{
    write_text(page, "[");
    while (*json) {
        const size_t plain = strcspn(json, "<\n");
        output_write(page, json, plain);
        json += plain;
        if (*json == '<')
            write_text(page, "\\u003c");
        else if (*json && json[1])
            write_text(page, ",\n");
        json += *json != '\0';
    }
    write_text(page, "]");
}

int report_write(const cli_args *args, const char *path, const char *json)
{
    const char *const page = (const char *)report_page, *const rest = strstr(page, place);
    output_file file;

    const int status = output_open(&file, args, path);
    if (status != CLI_OK)
        return status;
    output_write(&file, page, (size_t)(rest - page));
    write_list(&file, json);
    write_text(&file, rest + strlen(place));
    return output_close(&file, 1);
}
