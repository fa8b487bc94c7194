/* picture_page.c - writes the page that the build joins from page/, with its data as JSON. */
#include "common/loadings.h"
#include "flags/output.h"
#include "pictures/picture.h"

#include <stdlib.h>
#include <string.h>

extern const unsigned char page_html[]; /* ends with a NUL */

int page_write(const char *path, const char *data, pen_string *members)
{
    static const char place[] = "@JSON@";
    const char *const page = (const char *)page_html, *const rest = strstr(page, place);
    pen_string text = { .failed = members->failed }, json = text;

    pen_text_add_plain(&json, NULL, "{");
    pen_text_add_member(&json, "penumbra", pen_version());
    pen_text_add_member(&json, "command", cli_command);
    pen_text_add_member(&json, "source", cli_last_part(cli_input_name(data)));
    pen_text_add_plain(&json, NULL, members->failed ? "" : members->data);
    text.failed = json.failed;
    pen_text_add(&text, page, (size_t)(rest - page));
    for (const char *at = json.failed ? "" : json.data; *at;) {
        const size_t plain = strcspn(at, "<"); /* only < could begin markup */
        pen_text_add(&text, at, plain);
        at += plain;
        if (*at && at++)
            pen_text_add_string(&text, "\\u003c");
    }
    pen_text_add_string(&text, rest + strlen(place));
    cli_own(members->data, free);
    cli_own(json.data, free);
    cli_own(text.data, free);
    return text.failed ? cli_fail("out of memory") : output_bytes(path, text.data, text.size);
}

/* ---- a picture ----
 *
 * Numbers are little endian, like the machines that the library supports. */

static void add_points(const picture_panel *panel, pen_string *json)
{
    const int64_t count = panel->count * panel->dims;
    float *const points = cli_alloc(count, sizeof *points);

    for (int64_t i = 0; i < count; i++)
        points[i] = (float)panel->points[i];
    pen_text_add_base64(json, "points", points, (size_t)count * sizeof *points);
}

static void add_codes(const picture_panel *panel, const char *name, const uint16_t *codes,
                      pen_string *json)
{
    if (codes)
        pen_text_add_base64(json, name, codes, (size_t)panel->count * sizeof *codes);
}

/* Adds row names and, if rows were dropped, the numbers of the remaining rows. */
static void add_rows(const picture_panel *panel, pen_string *json)
{
    const pen_table *const table = panel->rows;

    if (table->dropped_rows > 0) {
        uint32_t *const rows = cli_alloc(panel->count, sizeof *rows);
        for (int64_t i = 0; i < panel->count; i++)
            rows[i] = (uint32_t)table->row_numbers[i];
        pen_text_add_count(json, "of", panel->count + table->dropped_rows);
        pen_text_add_base64(json, "row", rows, (size_t)panel->count * sizeof *rows);
    }
    if (table->row_names)
        pen_text_add_names(json, "names", table->row_names, panel->count);
}

static void add_curves(const picture_panel *panel, pen_string *json)
{
    const float *const at = panel->model ? loadings_spectra(panel->model) : NULL;
    const size_t size = at ? (size_t)pen_model_columns(panel->model) * sizeof *at : 0;

    if (!at)
        return;
    pen_text_add_plain(json, "curves", "{");
    pen_text_add_base64(json, "at", at, size);
    pen_text_add_plain(json, "weights", "[");
    for (int j = 0; j < panel->dims && panel->column[j] >= 0; j++)
        pen_text_add_base64(json, NULL, loadings_curve(panel->model, panel->mix, panel->column[j]),
                            size);
    pen_text_add_string(json, "]}");
}

static void add_panel(const picture_panel *panel, pen_string *json)
{
    pen_text_add_plain(json, NULL, "{");
    pen_text_add_member(json, "title", panel->title);
    pen_text_add_count(json, "rows", panel->count);
    pen_text_add_count(json, "dims", panel->dims);
    pen_text_add_plain(json, "axes", "[");
    for (int j = 0; j < panel->dims; j++)
        pen_text_add_member(json, NULL, panel->axes[j].text);
    pen_text_add_string(json, "]");
    add_curves(panel, json);
    add_points(panel, json);
    add_codes(panel, "label", panel->labels, json);
    add_codes(panel, "class", panel->predicted, json);
    add_codes(panel, "probability", panel->probabilities, json);
    pen_text_add_base64(json, "known", panel->known, (size_t)panel->count);
    add_rows(panel, json);
    pen_text_add_string(json, "}");
}

int picture_page(const picture *pic, const char *data, const char *model, const char *path)
{
    pen_string json = { .data = NULL };

    pen_text_add_member(&json, "model", model ? cli_last_part(model) : NULL);
    pen_text_add_plain(&json, "classes", "[");
    for (int c = 0; c < pic->class_count; c++)
        pen_text_add_member(&json, NULL, pic->class_names[c]);
    pen_text_add_string(&json, "]");
    pen_text_add_flag(&json, "predicted", pic->panels->predicted != NULL);
    pen_text_add_plain(&json, "pictures", "[");
    for (int p = 0; p < pic->panel_count; p++)
        add_panel(&pic->panels[p], &json);
    pen_text_add_string(&json, "]}");
    return page_write(path, data, &json);
}
