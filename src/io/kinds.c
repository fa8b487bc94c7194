/* kinds.c - kinds of files that are not supported, recognized by content so that the error can say
 * what the file is and what to do. No valid text, npy or libsvm file matches any of them. */
#include "core/utf8.h"
#include "io/io.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { HEAD_BYTES = 4096, ZIP_NAME = 30, ZIP_LENGTH = 26, WORD_SIZE = 92, LABEL_SIZE = 36 };

static const char NUMPY[] = "save its rows with numpy.save or as CSV";
static const char ROWS[] = "rows must be text, npy or libsvm";

struct kind {
    const char *what, *advice;
    const char *command; /* a shell command in which % is the name of the file; or NULL */
};

/* The Python package writes a file of the same name but for its end. */
static const char CONVERTER[] = "python -m penumbra.convert %";
#define CONVERT "convert it", CONVERTER

static const struct kind h5ad = { "an h5ad file", CONVERT }, hdf5 = { "an HDF5 file", CONVERT },
                         matlab = { "a MATLAB file", CONVERT };

/* ---- by the first bytes ---- */

#define TO_UTF8(from) "convert it to UTF-8", "iconv -f " from " -t UTF-8 % >NEW"
#define ZSTD          "decompress it first", "zstd -dc % | penumbra ... -"

static const struct {
    size_t offset, length;
    const char *bytes;
    struct kind kind;
} starts[] = {
    { 0, 2, "\x1f\x8b", { "a gzip file", "decompress it first", "gunzip %" } },
    { 4, 6, "1AY&SY", { "a bzip2 file", "decompress it first", "bunzip2 %" } },
    { 0,
      6,
      "\xfd"
      "7zXZ\0",
      { "an xz file", "decompress it first", "unxz %" } },
    { 0, 4, "\x28\xb5\x2f\xfd", { "a zstd file", ZSTD } },
    { 1, 3, "\x2a\x4d\x18", { "a zstd file", ZSTD } }, /* after a frame that readers skip */
    { 0, 4, "\x04\x22\x4d\x18", { "an lz4 file", "decompress it first", "unlz4 % NEW" } },
    { 0, 6, "7z\xbc\xaf\x27\x1c", { "a 7z archive", "unpack it first", NULL } },
    { 257, 6, "ustar\0", { "a tar archive", "unpack it first", "tar xf %" } },
    { 257, 8, "ustar  \0", { "a tar archive", "unpack it first", "tar xf %" } },
    { 0, 8, "ARROW1\0\0", { "an Arrow (Feather) file", CONVERT } },
    { 0, 4, "\xff\xff\xff\xff", { "a stream of Arrow", CONVERT } },
    { 0, 5, "FCS2.", { "an FCS file of flow cytometry", NUMPY, NULL } },
    { 0, 5, "FCS3.", { "an FCS file of flow cytometry", NUMPY, NULL } },
    { 0,
      16,
      "SQLite format 3\0",
      { "an SQLite database", "export the table: sqlite3 -csv FILE 'select * from TABLE' > NEW.csv",
        NULL } },
    { 0, 8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", { "an old Excel or Office file", ROWS, NULL } },
    { 0, 8, "\x89PNG\r\n\x1a\n", { "a PNG image", NUMPY, NULL } },
    { 0, 3, "\xff\xd8\xff", { "a JPEG image", NUMPY, NULL } },
    { 0, 4, "II*\0", { "a TIFF image", NUMPY, NULL } },
    { 0, 4, "MM\0*", { "a TIFF image", NUMPY, NULL } },
    { 0, 7, "%PDF-1.", { "a PDF document", ROWS, NULL } },
    { 0, 8, "RDX2\nX\n\0", { "an R data file", ROWS, NULL } },
    { 0, 8, "RDX3\nX\n\0", { "an R data file", ROWS, NULL } },
    { 0, 6, "X\n\0\0\0\2", { "an R object (rds)", ROWS, NULL } },
    { 0, 6, "X\n\0\0\0\3", { "an R object (rds)", ROWS, NULL } },
    { 84, 8, "SAS FILE", { "a SAS file", ROWS, NULL } },
    { 0, 8, "$FL2@(#)", { "an SPSS file", ROWS, NULL } },
    { 0, 11, "<stata_dta>", { "a Stata file", "save the table as CSV", NULL } },
    { 0,
      34,
      "version https://git-lfs.github.com",
      { "a Git LFS pointer, not the file itself", "fetch the file", NULL } },
    { 0, 4, "CDF\1", { "a NetCDF file", NUMPY, NULL } },
    { 0, 4, "CDF\2", { "a NetCDF file", NUMPY, NULL } },
    { 0, 4, "\xff\xfe\0\0", { "UTF-32 text", TO_UTF8("UTF-32") } },
    { 0, 2, "\xff\xfe", { "UTF-16 text", TO_UTF8("UTF-16") } },
    { 0, 2, "\xfe\xff", { "UTF-16 text", TO_UTF8("UTF-16") } },
};

static int has(const pen_input *input, size_t offset, const char *bytes, size_t length)
{
    return input->size >= length && offset <= input->size - length
           && memcmp(input->data + offset, bytes, length) == 0;
}

static const struct kind *by_start(const pen_input *input)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (has(input, starts[i].offset, starts[i].bytes, starts[i].length))
            return &starts[i].kind;
    return NULL;
}

/* ---- archives ---- */

/* By the name of the first file in it. */
static const struct kind *by_zip(const pen_input *input)
{
    static const struct kind npz = { "an npz archive of numpy arrays", "expected text or npy",
                                     NULL };
    static const struct kind sheet = { "a spreadsheet (xlsx)", CONVERT };
    static const struct kind document = { "an OpenDocument file (ods)", "save the table as CSV",
                                          NULL };
    static const struct kind zip = { "a zip archive", "unpack it first", "unzip %" };

    if (!has(input, 0, "PK\3\4", 4) || input->size < ZIP_NAME)
        return has(input, 0, "PK\5\6", 4) ? &zip : NULL;
    const size_t length = input->data[ZIP_LENGTH] + ((size_t)input->data[ZIP_LENGTH + 1] << 8);
    if (length >= 4 && has(input, ZIP_NAME + length - 4, ".npy", 4))
        return &npz;
    if (has(input, ZIP_NAME, "[Content_Types].xml", 19) || has(input, ZIP_NAME, "_rels/", 6)
        || has(input, ZIP_NAME, "xl/", 3) || has(input, ZIP_NAME, "docProps/", 9))
        return &sheet;
    if (has(input, ZIP_NAME, "mimetype", 8))
        return &document;
    return &zip;
}

/* Is the file named so, as it is or in gzip? */
static int is_named(const pen_input *input, const char *extension, const char *in_gzip)
{
    return pen_has_extension(input->name, extension) || pen_has_extension(input->name, in_gzip);
}

/* HDF5 has its signature at offset 0, or at 512, 1024, .. if the file begins with a user block, as
 * those of MATLAB do. */
static const struct kind *by_arrays(const pen_input *input)
{
    static const struct kind loom = { "a Loom file", CONVERT };
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    int is_hdf5 = has(input, 0, signature, 8);

    if (has(input, 0, "MATLAB 5.0", 10) || has(input, 0, "MATLAB 7.3 MAT-file", 19))
        return &matlab;
    for (size_t offset = 512; offset <= HEAD_BYTES; offset *= 2)
        is_hdf5 |= has(input, offset, signature, 8);
    return !is_hdf5                               ? NULL
           : is_named(input, ".h5ad", ".h5ad.gz") ? &h5ad
           : is_named(input, ".loom", ".loom.gz") ? &loom
                                                  : &hdf5;
}

/* A text could begin with the first bytes of these kinds, so their last bytes are checked too,
 * together with a zero byte of the size before them, or a size after them. */
static const struct kind *by_both_ends(const pen_input *input)
{
    static const struct kind parquet = { "a Parquet file", CONVERT };
    static const struct kind feather = { "a Feather file", CONVERT };
    static const struct kind orc = { "an ORC file", CONVERT };
    static const struct kind pickle = { "a Python pickle", NUMPY, NULL };
    const unsigned char *const p = input->data;
    const size_t size = input->size;

    if (size > 12 && has(input, 0, "PAR1", 4) && has(input, size - 5, "\0PAR1", 5))
        return &parquet;
    if (size > 12 && has(input, 0, "FEA1", 4) && has(input, size - 5, "\0FEA1", 5))
        return &feather;
    if (size > 12 && has(input, 0, "ORC", 3) && has(input, size - 4, "ORC", 3)
        && p[size - 1] < 0x20)
        return &orc;
    return size > 2 && p[0] == 0x80 && p[1] >= 2 && p[1] <= 5 && p[size - 1] == '.' ? &pickle
                                                                                    : NULL;
}

/* ---- others ---- */

/* The size of a JSON header, the header, then tensors. */
static const struct kind *by_header(const pen_input *input)
{
    static const struct kind model = { "a penumbra model", "expected rows, labels or pairs", NULL };
    static const struct kind statistics = {
        "penumbra statistics", "penumbra fit METHOD FILE.pens makes a model of a file of them", NULL
    };
    static const struct kind tensors = { "a safetensors file", NUMPY, NULL };
    static const char mark[] = "\"library\":\"penumbra ", kind[] = "\"kind\":\"statistics\"";
    uint64_t length = 0;
    int is_model = 0;

    for (size_t i = 8; i-- > 0 && input->size > 10;)
        length = length << 8 | input->data[i];
    if (input->size <= 10 || length < 2 || length > input->size - 8 || !has(input, 8, "{\"", 2))
        return NULL;
    for (size_t i = 8; i < HEAD_BYTES && i < 8 + length; i++) {
        if (has(input, i, kind, sizeof kind - 1))
            return &statistics;
        is_model |= has(input, i, mark, sizeof mark - 1);
    }
    return is_model ? &model : &tensors;
}

/* The MNIST format: two zero bytes, a type, the number of dimensions, and the dimensions. */
static const struct kind *by_idx(const pen_input *input)
{
    static const struct kind idx = {
        "an idx file (the MNIST format)",
        "numpy.frombuffer(data, TYPE, offset=4 + 4 * data[3]) has its values; save its rows with "
        "numpy.save",
        NULL
    };
    const unsigned char *const p = input->data;

    return input->size >= 8 && p[0] == 0 && p[1] == 0 && p[2] >= 8 && p[2] <= 14 && p[3] >= 1
                   && p[3] <= 4
               ? &idx
               : NULL;
}

static uint32_t word(const unsigned char *p, int high_first)
{
    return high_first ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                      : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* MATLAB of version 4: a type (the digits are the order of bytes, 0, the type of numbers, the kind
 * of matrix), rows, columns, is it complex, the length of the name, and the name with a zero. */
static const struct kind *by_matlab4(const pen_input *input)
{
    enum { HEAD = 20, MOST_NAME = 64 };
    static const struct kind matlab4 = { "a MATLAB file, version 4",
                                         "save it again with -v7 (SciPy: format='5')", NULL };
    const unsigned char *const p = input->data;

    for (int high_first = 0; high_first < 2 && input->size > HEAD; high_first++) {
        const uint32_t type = word(p, high_first), name = word(p + 16, high_first);
        if (type / 1000 == (uint32_t)high_first && type / 100 % 10 == 0 && type / 10 % 10 <= 5
            && type % 10 <= 2 && word(p + 4, high_first) <= INT32_MAX
            && word(p + 8, high_first) <= INT32_MAX && word(p + 12, high_first) <= 1 && name >= 2
            && name <= MOST_NAME && name <= input->size - HEAD
            && memchr(p + HEAD, '\0', name) == p + HEAD + name - 1)
            return is_named(input, ".mat", ".mat.gz") ? &matlab : &matlab4;
    }
    return NULL;
}

/* UTF-16 without a byte order mark, from a spreadsheet or PowerShell: of signs and of letters in
 * western languages every other byte is 0. */
static const struct kind *by_zeros(const pen_input *input)
{
    static const struct kind utf16[] = { { "UTF-16 text", TO_UTF8("UTF-16BE") },
                                         { "UTF-16 text", TO_UTF8("UTF-16LE") } };
    const size_t sample = input->size < 64 ? input->size : 64;
    size_t zeros[2] = { 0, 0 }, controls = 0;

    for (size_t i = 0; i < sample; i++) {
        zeros[i % 2] += input->data[i] == 0;
        controls += input->data[i] > 0 && input->data[i] < 9;
    }
    const int low_first = zeros[1] > 0;
    return zeros[!low_first] > 0 || controls > 0 || 4 * zeros[low_first] < sample || sample < 8
               ? NULL
               : &utf16[low_first];
}

/* ---- text ---- */

static char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : (char)c;
}

/* Does the text at `begin` start with the word (given in lower case), ignoring case? */
static int has_word(const pen_input *input, size_t begin, const char *word)
{
    for (size_t i = 0; word[i]; i++)
        if (begin + i >= input->size || lower(input->data[begin + i]) != word[i])
            return 0;
    return 1;
}

static size_t skip_space(const pen_input *input, size_t at)
{
    while (at < input->size && memchr(" \t\r\n", input->data[at], 4))
        at++;
    return at;
}

/* Skip white space and ARFF comments, which are lines that begin with %. */
static size_t skip_comments(const pen_input *input, size_t at)
{
    for (at = skip_space(input, at); at < input->size && input->data[at] == '%';
         at = skip_space(input, at))
        while (at < input->size && input->data[at] != '\n' && input->data[at] != '\r')
            at++;
    return at;
}

static const struct kind *by_words(const pen_input *input)
{
    static const struct kind matrix = { "a Matrix Market file", "expected text or npy", NULL };
    static const struct kind arff = { "an ARFF file",
                                      "scipy.io.arff.loadarff reads it; save its rows as CSV",
                                      NULL };
    static const struct kind web = { "a web page or XML", "was the right file downloaded?", NULL };
    static const struct kind json = { "JSON", ROWS, NULL };
    const size_t begin = skip_space(input, has(input, 0, "\xEF\xBB\xBF", 3) ? 3 : 0),
                 next = skip_space(input, begin + 1);

    if (has_word(input, begin, "%%matrixmarket"))
        return &matrix;
    if (has_word(input, skip_comments(input, begin), "@relation"))
        return &arff;
    if (has_word(input, begin, "<!doctype") || has_word(input, begin, "<html")
        || has_word(input, begin, "<?xml"))
        return &web;
    if ((has_word(input, begin, "{") && has_word(input, next, "\""))
        || (has_word(input, begin, "[")
            && (has_word(input, next, "[") || has_word(input, next, "{"))))
        return &json;
    return NULL;
}

/* ---- the message ---- */

static const struct kind *kind_of(const pen_input *input)
{
    static const struct kind *(*const known[])(const pen_input *) = {
        by_arrays, by_zip, by_start, by_both_ends, by_header, by_idx, by_matlab4, by_zeros, by_words
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct kind *const kind = known[i](input);
        if (kind)
            return kind;
    }
    return NULL;
}

/* A command to type. */
struct line {
    char text[224];
    size_t used;
};

static void add(struct line *line, const char *text, size_t length)
{
    if (length < sizeof line->text - line->used) {
        memcpy(line->text + line->used, text, length);
        line->used += length;
        line->text[line->used] = '\0';
    }
}

static void add_text(struct line *line, const char *text)
{
    add(line, text, strlen(text));
}

/* Adds a text as a word [size] of a shell; `instead` if that does not hold it. */
static void add_word(struct line *line, const char *text, size_t size, const char *instead)
{
    char word[WORD_SIZE];

    add_text(line, pen_shell_word(pen_text_of(text), word, size) ? word : instead);
}

/* Can it be the name of a column, and not its number? */
static int is_name(const char *label_column)
{
    int64_t index;

    return label_column && !pen_is_index(pen_text_of(label_column), &index);
}

/* The command with the names filled in: of the file, a table in it and the column of the labels. */
static void write_line(const struct kind *kind, const pen_input *input, const char *label_column,
                       struct line *line)
{
    static const char obs[] = "obs/";
    const int converts = kind->command == CONVERTER;
    int unnamed = strcmp(input->name, PEN_STANDARD_INPUT) == 0;
    const char *const place = strchr(kind->command, '%'), *member = converts ? input->member : NULL;
    char file[WORD_SIZE];

    if (kind == &h5ad && member && strncmp(member, obs, sizeof obs - 1) == 0) {
        label_column = member + sizeof obs - 1;
        member = NULL;
    }
    if (strncmp(kind->command, "iconv", 5) == 0 && pen_has_extension(input->name, ".gz")) {
        add_text(line, "gzip -dc ");
        add_word(line, input->name, WORD_SIZE, "FILE");
        add_text(line, " | ");
        unnamed = 1;
    }
    add(line, kind->command, (size_t)(place - kind->command));
    if (unnamed && !converts) {
        line->used--; /* the blank */
    } else {          /* the converter does not read standard input */
        snprintf(file, sizeof file, "%s%s%s", input->name, member ? "::" : "",
                 member ? member : "");
        add_word(line, unnamed ? "" : file, sizeof file, "FILE");
    }
    add_text(line, place + 1);
    if (converts && kind != &hdf5 && is_name(label_column)) { /* HDF5: no columns */
        add_text(line, " --labels ");
        add_word(line, label_column, LABEL_SIZE, "NAME");
    }
}

/* The name is cut at its beginning if the advice would not be whole. */
static pen_status refuse(pen_run *run, const char *name, const struct kind *kind, const char *line)
{
    char shown[sizeof((pen_error *)NULL)->message];
    const size_t rest =
        strlen(": this is ; : ") + strlen(kind->what) + strlen(kind->advice) + strlen(line);

    pen_short_name(name, shown, sizeof shown - rest);
    return pen_fail(run, PEN_BAD_FORMAT, "%s: this is %s; %s%s%s", shown, kind->what, kind->advice,
                    *line ? ": " : "", line);
}

pen_status pen_refuse_kind(pen_run *run, const pen_input *input, const char *label_column)
{
    const struct kind *const kind = kind_of(input);
    struct line line = { "", 0 };

    if (!kind)
        return PEN_OK;
    if (kind->command)
        write_line(kind, input, label_column, &line);
    return refuse(run, input->name, kind, line.text);
}

/* Where it may come from: letters of western Europe stand alone between others, while those of
 * other alphabets follow each other, and five bytes are no characters of Windows. */
static const struct kind *letters_of(const unsigned char *text, size_t size)
{
    static const struct kind western = { "not text in UTF-8",
                                         "convert it, such as from Windows in western Europe",
                                         "iconv -f WINDOWS-1252 -t UTF-8 % >NEW" };
    static const struct kind other = { "not text in UTF-8",
                                       "convert it from its CHARSET, as iconv -l lists them",
                                       "iconv -f CHARSET -t UTF-8 % >NEW" };
    static const struct kind mixed = { "not UTF-8, as letters of other lines are", "mend the line",
                                       NULL };
    size_t count = 0, adjacent = 0, valid = 0;

    for (size_t i = 0, length; i < size; i += length) {
        length = pen_text_character((const char *)text + i, size - i);
        valid += length > 1;
        count += length == 0;
        if (text[i] == 0 || (length == 0 && memchr("\x81\x8d\x8f\x90\x9d", text[i], 5)))
            return &other;
        adjacent += length == 0 && i > 0 && text[i - 1] >= 0x80;
        length += length == 0;
    }
    return valid > 0 ? &mixed : 2 * adjacent > count ? &other : &western;
}

pen_status pen_check_letters(pen_run *run, const pen_input *input, int64_t line)
{
    const unsigned char *const text = input->data;
    const size_t valid = pen_text_valid((const char *)text, input->size);
    struct line command = { "", 0 };
    char name[1024];

    if (valid == input->size)
        return PEN_OK;
    for (size_t i = 0; i < valid; i++)
        line += text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
    const struct kind *const kind = letters_of(text, input->size);
    if (kind->command)
        write_line(kind, input, NULL, &command);
    snprintf(name, sizeof name, "%s:%lld", input->name, (long long)line);
    return refuse(run, name, kind, command.text);
}

pen_status pen_refuse_folder(pen_run *run, const char *path)
{
    static const struct kind cells = { "a folder of Cell Ranger (10x)", CONVERT };
    struct line line = { "", 0 };
    DIR *const folder = opendir(path);
    int found = 0;

    for (const struct dirent *entry; folder && !found && (entry = readdir(folder));)
        /* GEO puts names of samples before it */
        found = pen_has_extension(entry->d_name, "matrix.mtx")
                || pen_has_extension(entry->d_name, "matrix.mtx.gz");
    if (folder)
        closedir(folder);
    if (!found)
        return PEN_OK;
    write_line(&cells, &(pen_input){ .name = path }, NULL, &line);
    return refuse(run, path, &cells, line.text);
}
