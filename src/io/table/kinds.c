/* kinds.c - unsupported kinds of files, recognized by content so that the error can name the kind
 * and give advice. No valid text, npy or libsvm file matches any of them. */
#include "io/table/kinds.h"

#include "core/utf8.h"
#include "io/table/cell_value.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { HEAD_BYTES = 4096, ZIP_LENGTH = 26, ZIP_NAME = 30 };
enum { WORD_SIZE = 92, LABEL_SIZE = 36, LINE_SIZE = 224 };

struct kind {
    const char *what, *advice; /* what NULL: no such kind */
    const char *command;       /* a shell command, with % for the name of the file; or NULL */
};

/* The Python package writes a file with the same name and another extension. */
static const char CONVERTER[] = "python -m penumbra.convert %";

#define KIND(...)       ((struct kind){ __VA_ARGS__ })
#define CONVERT         "convert it", CONVERTER
#define EXPAND(command) "decompress it first", command
#define UNPACK(command) "unpack it first", command
#define TO_UTF8(from)   "convert it to UTF-8", "iconv -f " from " -t UTF-8 % >NEW"
#define NUMPY           "save its rows with numpy.save or as CSV", NULL
#define ROWS            "rows must be text, npy or libsvm", NULL
#define AS_CSV          "save the table as CSV", NULL
#define IDX                                                                                        \
    "numpy.frombuffer(data, TYPE, offset=4 + 4 * data[3]) has its values; save its rows with "     \
    "numpy.save",                                                                                  \
        NULL
#define HDF5 "\x89HDF\r\n\x1a\n"

static const struct kind none = { NULL, NULL, NULL };

static int has(const pen_input *input, size_t offset, const char *bytes, size_t length)
{
    return input->size >= length && offset <= input->size - length
           && memcmp(input->data + offset, bytes, length) == 0;
}

/* ---- by bytes at an offset ---- */

#define AT(offset, bytes, ...)                                                                     \
    {                                                                                              \
        offset, sizeof(bytes) - 1, bytes,                                                          \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static struct kind by_bytes(const pen_input *input)
{
    static const struct {
        int64_t offset; /* negative: from the end */
        size_t length;
        const char *bytes;
        struct kind kind;
    } marks[] = {
        AT(0, "\x1f\x8b", "a gzip file", EXPAND("gunzip %")),
        AT(4, "1AY&SY", "a bzip2 file", EXPAND("bunzip2 %")),
        AT(0, "\xfd\67zXZ\0", "an xz file", EXPAND("unxz %")),
        AT(0, "\x28\xb5\x2f\xfd", "a zstd file", EXPAND("zstd -dc % | penumbra ... -")),
        /* after a skippable frame */
        AT(1, "\x2a\x4d\x18", "a zstd file", EXPAND("zstd -dc % | penumbra ... -")),
        AT(0, "\x04\x22\x4d\x18", "an lz4 file", EXPAND("unlz4 % NEW")),
        AT(0, "7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK(NULL)),
        AT(257, "ustar\0", "a tar archive", UNPACK("tar xf %")),
        AT(257, "ustar  \0", "a tar archive", UNPACK("tar xf %")),
        AT(0, "MATLAB 5.0", "a MATLAB file", CONVERT),
        AT(0, "MATLAB 7.3 MAT-file", "a MATLAB file", CONVERT),
        AT(0, HDF5, "an HDF5 file", CONVERT),
        AT(512, HDF5, "an HDF5 file", CONVERT), /* after a user block */
        AT(1024, HDF5, "an HDF5 file", CONVERT),
        AT(0, "PAR1\x15", "a Parquet file", CONVERT),
        AT(0, "ARROW1\0\0", "an Arrow (Feather) file", CONVERT),
        AT(-5, "\0FEA1", "an Arrow (Feather) file", CONVERT), /* version 1 */
        AT(0, "\xff\xff\xff\xff", "an Arrow stream", CONVERT),
        /* a text may begin like an ORC file, so look for this field at its end */
        AT(-8, "\x82\xf4\3\3ORC", "an ORC file", CONVERT),
        AT(0, "\x80\2", "a Python pickle", NUMPY),
        AT(0, "\x80\3", "a Python pickle", NUMPY),
        AT(0, "\x80\4", "a Python pickle", NUMPY),
        AT(0, "\x80\5", "a Python pickle", NUMPY),
        AT(0, "\0\0\x08", "an idx file (the MNIST format)", IDX),
        AT(0, "FCS2.", "an FCS file of flow cytometry", NUMPY),
        AT(0, "FCS3.", "an FCS file of flow cytometry", NUMPY),
        AT(0, "SQLite format 3\0", "an SQLite database",
           "export the table: sqlite3 -csv FILE 'select * from TABLE' > NEW.csv", NULL),
        AT(0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Office file", ROWS),
        AT(0, "\x89PNG\r\n\x1a\n", "a PNG image", NUMPY),
        AT(0, "\xff\xd8\xff", "a JPEG image", NUMPY),
        AT(0, "II*\0", "a TIFF image", NUMPY),
        AT(0, "MM\0*", "a TIFF image", NUMPY),
        AT(0, "%PDF-1.", "a PDF document", ROWS),
        AT(0, "RDX2\nX\n\0", "an R data file", ROWS),
        AT(0, "RDX3\nX\n\0", "an R data file", ROWS),
        AT(0, "X\n\0\0\0\2", "an R object (rds)", ROWS),
        AT(0, "X\n\0\0\0\3", "an R object (rds)", ROWS),
        AT(84, "SAS FILE", "a SAS file", ROWS),
        AT(0, "$FL2@(#)", "an SPSS file", ROWS),
        AT(0, "<stata_dta>", "a Stata file", AS_CSV),
        AT(0, "version https://git-lfs.github.com", "a Git LFS pointer, not the file itself",
           "fetch the file", NULL),
        AT(0, "CDF\1", "a NetCDF file", NUMPY),
        AT(0, "CDF\2", "a NetCDF file", NUMPY),
        AT(0, "\xff\xfe\0\0", "UTF-32 text", TO_UTF8("UTF-32")),
        AT(0, "\xff\xfe", "UTF-16 text", TO_UTF8("UTF-16")),
        AT(0, "\xfe\xff", "UTF-16 text", TO_UTF8("UTF-16")),
    };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const int64_t at = marks[i].offset + (marks[i].offset < 0 ? (int64_t)input->size : 0);
        if (at >= 0 && has(input, (size_t)at, marks[i].bytes, marks[i].length))
            return marks[i].kind;
    }
    return none;
}

int pen_is_npz(const pen_input *input)
{
    const size_t length = has(input, 0, "PK\3\4", 4) && has(input, ZIP_NAME, "", 0)
                              ? pen_number_at(input->data + ZIP_LENGTH, 2, 0)
                              : 0;

    return length > 4 && has(input, ZIP_NAME + length - 4, ".npy", 4);
}

/* Decides by the first file in the archive. */
static struct kind by_zip(const pen_input *input)
{
    const struct kind zip = KIND("a zip archive", UNPACK("unzip %"));

    if (!has(input, 0, "PK\3\4", 4) || input->size < ZIP_NAME)
        return has(input, 0, "PK\5\6", 4) ? zip : none;
    if (pen_is_npz(input))
        return KIND("an npz archive of numpy arrays", "expected text or npy", NULL);
    if (has(input, ZIP_NAME, "[Content_Types].xml", 19) || has(input, ZIP_NAME, "_rels/", 6)
        || has(input, ZIP_NAME, "xl/", 3) || has(input, ZIP_NAME, "docProps/", 9))
        return KIND("a spreadsheet (xlsx)", CONVERT);
    if (has(input, ZIP_NAME, "mimetype", 8))
        return KIND("an OpenDocument file (ods)", AS_CSV);
    return zip;
}

/* safetensors: the size of a JSON header, the header, then tensors. */
static struct kind by_header(const pen_input *input)
{
    static const char mark[] = "\"library\":\"penumbra ", kind[] = "\"kind\":\"statistics\"";
    const uint64_t length = input->size > 10 ? pen_number_at(input->data, 8, 0) : 0;
    int is_model = 0;

    if (input->size <= 10 || length < 2 || length > input->size - 8 || !has(input, 8, "{\"", 2))
        return none;
    for (size_t i = 8; i < HEAD_BYTES && i < 8 + length; i++) {
        if (has(input, i, kind, sizeof kind - 1))
            return KIND("penumbra statistics", "penumbra fit METHOD FILE.pens fits a model to them",
                        NULL);
        is_model |= has(input, i, mark, sizeof mark - 1);
    }
    return is_model ? KIND("a penumbra model", "expected rows, labels or pairs", NULL)
                    : KIND("a safetensors file", NUMPY);
}

/* UTF-16 without a byte order mark, from a spreadsheet or PowerShell: in western languages every
 * other byte is 0. */
static struct kind by_zeros(const pen_input *input)
{
    const size_t sample = input->size < 64 ? input->size : 64;
    size_t zeros[2] = { 0, 0 }, controls = 0;

    for (size_t i = 0; i < sample; i++) {
        zeros[i % 2] += input->data[i] == 0;
        controls += input->data[i] > 0 && input->data[i] < 9;
    }
    const int low_first = zeros[1] > 0;
    return zeros[!low_first] > 0 || controls > 0 || 4 * zeros[low_first] < sample || sample < 8
               ? none
           : low_first ? KIND("UTF-16 text", TO_UTF8("UTF-16LE"))
                       : KIND("UTF-16 text", TO_UTF8("UTF-16BE"));
}

/* MATLAB version 4: its files have no mark, and zeros in their first bytes. */
static struct kind by_name(const pen_input *input)
{
    return input->size > 20 && memchr(input->data, 0, 20) && pen_has_extension(input->name, ".mat")
               ? KIND("a MATLAB file", CONVERT)
               : none;
}

/* ---- text ---- */

/* Does the text at `begin` start with the word, ignoring case? */
static int has_word(const pen_input *input, size_t begin, const char *word)
{
    const size_t length = strlen(word);

    return begin <= input->size && length <= input->size - begin
           && pen_is_alike((const char *)input->data + begin, word, length);
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

static struct kind by_words(const pen_input *input)
{
    const size_t begin = skip_space(input, has(input, 0, "\xEF\xBB\xBF", 3) ? 3 : 0),
                 next = skip_space(input, begin + 1);

    if (has_word(input, begin, "%%matrixmarket"))
        return KIND("a Matrix Market file", "expected text or npy", NULL);
    if (has_word(input, skip_comments(input, begin), "@relation"))
        return KIND("an ARFF file", "scipy.io.arff.loadarff reads it; save its rows as CSV", NULL);
    if (has_word(input, begin, "<!doctype") || has_word(input, begin, "<html")
        || has_word(input, begin, "<?xml"))
        return KIND("a web page or XML", "was the right file downloaded?", NULL);
    if ((has_word(input, begin, "{") && has_word(input, next, "\""))
        || (has_word(input, begin, "[")
            && (has_word(input, next, "[") || has_word(input, next, "{"))))
        return KIND("JSON", ROWS);
    return none;
}

static struct kind kind_of(const pen_input *input)
{
    static struct kind (*const known[])(const pen_input *) = { by_zip,   by_bytes, by_header,
                                                               by_zeros, by_name,  by_words };
    struct kind kind = none;

    for (size_t i = 0; i < sizeof known / sizeof *known && !kind.what; i++)
        kind = known[i](input);
    return kind;
}

/* ---- the message ---- */

/* Can the text be the name of a column, rather than its number? */
static int is_name(const char *label_column)
{
    int64_t index;

    return label_column && !pen_is_index(pen_text_of(label_column), &index);
}

/* Writes the command with the names of the file, a table in it and the label column. */
static void write_line(const struct kind *kind, const pen_input *input, const char *label_column,
                       char line[LINE_SIZE])
{
    static const char obs[] = "obs/"; /* the group of cell columns in h5ad */
    const char *const command = kind->command, *const place = strchr(command, '%');
    const int converts = command == CONVERTER,
              is_piped = strncmp(command, "iconv", 5) == 0 && pen_has_extension(input->name, ".gz"),
              is_input = strcmp(input->name, PEN_STANDARD_INPUT) == 0,
              is_bare = is_piped || (is_input && !converts); /* no name, no blank */
    const char *member = converts ? input->member : NULL, *shown = "FILE";
    char file[WORD_SIZE], word[WORD_SIZE], label[LABEL_SIZE] = "";

    if (member && strncmp(member, obs, sizeof obs - 1) == 0) {
        label_column = member + sizeof obs - 1;
        member = NULL;
    }
    snprintf(file, sizeof file, "%s%s%s", input->name, member ? "::" : "", member ? member : "");
    if (!is_input && pen_shell_word(pen_text_of(file), word, sizeof word))
        shown = word;
    if (converts && is_name(label_column)
        && !pen_shell_word(pen_text_of(label_column), label, sizeof label))
        strcpy(label, "NAME");
    if (snprintf(line, LINE_SIZE, "%s%s%s%.*s%s%s%s%s", is_piped ? "gzip -dc " : "",
                 is_piped ? shown : "", is_piped ? " | " : "", (int)(place - command) - is_bare,
                 command, is_bare ? "" : shown, place + 1, *label ? " --labels " : "", label)
        >= LINE_SIZE)
        *line = '\0'; /* a truncated command would be worse than none */
}

/* Cuts the beginning of the name if the advice does not fit otherwise. */
static pen_status refuse(pen_run *run, const char *name, const struct kind *kind,
                         const pen_input *input, const char *label_column)
{
    char shown[sizeof((pen_error *)NULL)->message], line[LINE_SIZE] = "";

    if (kind->command)
        write_line(kind, input, label_column, line);
    const size_t rest =
        strlen(": this is ; : ") + strlen(kind->what) + strlen(kind->advice) + strlen(line);
    pen_short_name(name, shown, sizeof shown - rest);
    return pen_fail(run, PEN_BAD_FORMAT, "%s: this is %s; %s%s%s", shown, kind->what, kind->advice,
                    *line ? ": " : "", line);
}

pen_status pen_refuse_kind(pen_run *run, const pen_input *input, const char *label_column)
{
    const struct kind kind = kind_of(input);

    return kind.what ? refuse(run, input->name, &kind, input, label_column) : PEN_OK;
}

/* Guesses the encoding: letters of western Europe stand alone between ASCII letters, letters of
 * other alphabets follow each other, and five bytes are not Windows characters. */
static struct kind letters_of(const unsigned char *text, size_t size)
{
    size_t count = 0, adjacent = 0, valid = 0;
    int is_other = 0;

    for (size_t i = 0, length; i < size && !is_other; i += length) {
        length = pen_text_character((const char *)text + i, size - i);
        valid += length > 1;
        count += length == 0;
        is_other = text[i] == 0 || (length == 0 && memchr("\x81\x8d\x8f\x90\x9d", text[i], 5));
        adjacent += length == 0 && i > 0 && text[i - 1] >= 0x80;
        length += length == 0;
    }
    if (!is_other && valid > 0)
        return KIND("not UTF-8, unlike other lines", "fix the line", NULL);
    return is_other || 2 * adjacent > count
               ? KIND("not text in UTF-8", "convert it from its CHARSET (iconv -l lists them)",
                      "iconv -f CHARSET -t UTF-8 % >NEW")
               : KIND("not text in UTF-8", "convert it, such as from Windows in western Europe",
                      "iconv -f WINDOWS-1252 -t UTF-8 % >NEW");
}

pen_status pen_check_letters(pen_run *run, const pen_input *input, int64_t line)
{
    const unsigned char *const text = input->data;
    const size_t valid = pen_text_valid((const char *)text, input->size);
    char name[1024];

    if (valid == input->size)
        return PEN_OK;
    for (size_t i = 0; i < valid; i++)
        line += text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
    const struct kind kind = letters_of(text, input->size);
    snprintf(name, sizeof name, "%s:%lld", input->name, (long long)line);
    return refuse(run, name, &kind, input, NULL);
}

pen_status pen_refuse_folder(pen_run *run, const char *path)
{
    const struct kind cells = KIND("a folder of Cell Ranger (10x)", CONVERT);
    DIR *const folder = opendir(path);
    int found = 0;

    for (const struct dirent *entry; folder && !found && (entry = readdir(folder));)
        /* GEO adds a prefix with the sample's name */
        found = pen_has_extension(entry->d_name, "matrix.mtx")
                || pen_has_extension(entry->d_name, "matrix.mtx.gz");
    if (folder)
        closedir(folder);
    return found ? refuse(run, path, &cells, &(pen_input){ .name = path }, NULL) : PEN_OK;
}
