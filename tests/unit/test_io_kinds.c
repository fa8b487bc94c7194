/* test_io_kinds.c - every reader recognizes and names files of other kinds. */
#include "kit/readings.h"

#define CONVERT     "; convert it: python -m penumbra.convert t.csv"
#define NUMPY       "; save its rows with numpy.save or as CSV"
#define ROWS        "; rows must be text, npy or libsvm"
#define UTF16(from) "UTF-16 text; convert it to UTF-8: iconv -f " from " -t UTF-8 t.csv >NEW"
#define WESTERN                                                                                    \
    "not text in UTF-8; convert it, such as from Windows in western Europe: iconv -f "             \
    "WINDOWS-1252 -t UTF-8 t.csv >NEW"
#define CHARSET                                                                                    \
    "not text in UTF-8; convert it from its CHARSET (iconv -l lists them): iconv -f CHARSET -t "   \
    "UTF-8 t.csv >NEW"
#define ZSTD "a zstd file; decompress it first: zstd -dc t.csv | penumbra ... -"

static const struct {
    const char *bytes;
    size_t size;
    const char *said;
} kinds[] = {
    { BYTES("BZh91AY&SY\x12\x34"), "a bzip2 file; decompress it first: bunzip2 t.csv" },
    { BYTES("\xfd"
            "7zXZ\0\0\x04"),
      "an xz file; decompress it first: unxz t.csv" },
    { BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml"),
      "a spreadsheet (xlsx)" CONVERT },
    { BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\0\0\0mimetype"),
      "an OpenDocument file (ods); save the table as CSV" },
    { BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0x.csv"),
      "a zip archive; unpack it first: unzip t.csv" },
    { BYTES("PK\3\4"), "" }, /* too short for a zip archive */
    { BYTES("PAR1\x15\x04\x15\0\0\0\0\x09\0\0\0PAR1"), "a Parquet file" CONVERT },
    { BYTES("ARROW1\0\0\xff"), "an Arrow (Feather) file" CONVERT },
    { BYTES("FEA1\0\0\0\0\x10\0\0\0FEA1"), "an Arrow (Feather) file" CONVERT },
    { BYTES("ORC\n\3\0\0\x82\xf4\3\3ORC\x17"), "an ORC file" CONVERT },
    { BYTES("ORC,a\n1,ORC\n"), "" },
    { BYTES("\xff\xff\xff\xff\x10\0"), "an Arrow stream" CONVERT },
    { BYTES("FCS3.1    "), "an FCS file of flow cytometry" NUMPY },
    { BYTES("X\n\0\0\0\3\0\4"), "an R object (rds)" ROWS },
    { BYTES("% remark\r\n\r\n@RELATION 'labor'\n"),
      "an ARFF file; scipy.io.arff.loadarff reads it; save its rows as CSV" },
    { BYTES("\x80\x04\x95\x0b\0\0\0\0\0\0\0]."), "a Python pickle" NUMPY },
    { BYTES("\xff\xfe"
            "1\0,"), /* half of a character */
      UTF16("UTF-16") },
    { BYTES("\xfe\xff\0"), UTF16("UTF-16") },
    { BYTES("1\0,\0"
            "2\0\n\0"
            "3\0,\0"
            "4\0\n\0"),
      UTF16("UTF-16LE") },
    { BYTES("\0\xe4\0,\0002\0\n\0003"), UTF16("UTF-16BE") },
    { BYTES("l\xe4nge,b\n1,2\n"), WESTERN },
    { BYTES("1,2 \x80\n"), WESTERN },
    { BYTES("\xe4\xed\xe8,b\n"), CHARSET },
    { BYTES("b\x8f,b\n"), CHARSET },
    { BYTES("\xc3\xa4,\xe4\n"), "not UTF-8, unlike other lines; fix the line" },
    { BYTES("1:1 # \xe4\n"), WESTERN },
    { BYTES("SQLite format 3\0\x10"),
      "an SQLite database; export the table: sqlite3 -csv FILE 'select * from TABLE' > NEW.csv" },
    { BYTES("\x1e\0\0\0\0\0\0\0{\"__metadata__\":{\"library\":\"penumbra 0.1.0\"}}"),
      "a penumbra model; expected rows, labels or pairs" },
    { BYTES("\x33\0\0\0\0\0\0\0{\"__metadata__\":{\"kind\":\"statistics\",\"library\":\"penumbra "
            "0.1.0\"}}"),
      "penumbra statistics; penumbra fit METHOD FILE.pens fits a model to them" },
    { BYTES("\x02\0\0\0\0\0\0\0{\"a\":1}"), "a safetensors file" NUMPY },
    { BYTES("\x89PNG\r\n\x1a\n\0"), "a PNG image" NUMPY },
    { BYTES("\xff\xd8\xff\xe0"), "a JPEG image" NUMPY },
    { BYTES("\0\0\x08\x03\0\0\x27\x10"),
      "an idx file (the MNIST format); numpy.frombuffer(data, TYPE, offset=4 + 4 * data[3]) has "
      "its values; save its rows with numpy.save" },
    { BYTES("\x28\xb5\x2f\xfd\x24\x04"), ZSTD },
    { BYTES("\x50\x2a\x4d\x18\1\0\0\0x"), ZSTD },
    { BYTES("%PDF-1.7\n"), "a PDF document" ROWS },
    { BYTES("<!DOCTYPE html><html>"), "a web page or XML; was the right file downloaded?" },
    { BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
      "a Git LFS pointer, not the file itself; fetch the file" },
    { BYTES(" {\n \"x\": [1, 2]}"), "JSON" ROWS },
};

/* The kind named in the message, or "" if the bytes are read or refused for another reason. */
static const char *kind_said(pen_status status, const pen_error *err)
{
    const char *const said = status == PEN_BAD_FORMAT ? strstr(err->message, ": this is ") : NULL;
    return said ? said + strlen(": this is ") : "";
}

static void check_said(const char *reader, size_t i, pen_status status, const pen_error *err)
{
    CHECK(strcmp(kind_said(status, err), kinds[i].said) == 0, "%s of kind %d: %s", reader, (int)i,
          status ? err->message : "is read");
}

TEST(other_kinds_are_named)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *const exact = check_allocate((int64_t)kinds[i].size, 1);
        pen_pairs *pairs = NULL;
        pen_table *table = NULL;
        pen_error err;
        memcpy(exact, kinds[i].bytes, kinds[i].size);
        pen_status status = pen_read_bytes("t.csv", exact, kinds[i].size, NULL, &table, &err);
        check_said("rows", i, status, &err);
        pen_table_free(table);
        status = pen_read_labels_bytes("t.csv", exact, kinds[i].size, NULL, &table, &err);
        check_said("labels", i, status, &err);
        pen_table_free(table);
        status =
            pen_read_pairs_bytes("t.csv", exact, kinds[i].size, PEN_MUST_LINK, 0, &pairs, &err);
        check_said("pairs", i, status, &err);
        pen_pairs_free(pairs);
    }
}

/* Files of rows are not pairs. */
TEST(files_of_rows_are_not_pairs)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *said;
    } rows[] = {
        { BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0x.npy"),
          "an npz archive of numpy arrays; expected text or npy" },
        { BYTES("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5\n"),
          "a Matrix Market file; expected text or npy" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pen_pairs *pairs;
        pen_error err;
        const pen_status status = pen_read_pairs_bytes("t.csv", rows[i].bytes, rows[i].size,
                                                       PEN_MUST_LINK, 0, &pairs, &err);
        CHECK(strcmp(kind_said(status, &err), rows[i].said) == 0, "kind %d: %s", (int)i,
              err.message);
    }
}

/* The suggested command, with names quoted where a shell needs it. */
TEST(lines)
{
    static const char hdf5[1024 + 8] = "\x89HDF\r\n\x1a\n",
                                  word[] = "MATLAB 7.3 MAT-file, Platform: GLNXA64",
                                  five[] = "MATLAB 5.0 MAT-file, Platform: GLNXA64",
                                  four[] = "\0\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0x",
                                  parquet[] = "PAR1\x15\x04\x15\0\0\0\0\x09\0\0\0PAR1";
    char later[sizeof hdf5] = { 0 };
    static const char long_name[] =
        "/a/folder/whose/name/is/so/long/that/the/advice/would/be/cut/were/it/not/for/the/dots/"
        "before/a/file/of/cells/of/which/there/are/many/and/another/folder/and/one/more/below/it/"
        "cells.h5ad";
    const struct {
        const char *name, *bytes;
        size_t size;
        const char *label_column, *kind, *arguments;
    } files[] = {
        { "cells.h5ad", hdf5, 9, "cell_type", "an HDF5 file", "cells.h5ad --labels cell_type" },
        { "cells.h5ad", hdf5, 9, NULL, "an HDF5 file", "cells.h5ad" },
        { "cells.h5ad", hdf5, 9, "cell type's", "an HDF5 file",
          "cells.h5ad --labels 'cell type'\\''s'" },
        { "my cells.h5ad", hdf5, 9, NULL, "an HDF5 file", "'my cells.h5ad'" },
        { "y.mat", five, sizeof five, "y", "a MATLAB file", "y.mat --labels y" },
        { "-cells.loom", hdf5, 9, "kind", "an HDF5 file", "FILE --labels kind" },
        { "counts.h5", hdf5, 9, "kind", "an HDF5 file", "counts.h5 --labels kind" },
        { "counts.h5", later, sizeof later, NULL, "an HDF5 file", "counts.h5" },
        { "x.mat", word, sizeof word, NULL, "a MATLAB file", "x.mat" },
        { "cells.h5ad.gz", hdf5, 9, "kind", "an HDF5 file", "cells.h5ad.gz --labels kind" },
        { "cells.h5ad", hdf5, 9, "-1", "an HDF5 file", "cells.h5ad" },
        { "t.parquet", parquet, sizeof parquet - 1, "class", "a Parquet file",
          "t.parquet --labels class" },
        { "old.mat", four, sizeof four - 1, "gnd", "a MATLAB file", "old.mat --labels gnd" },
        { "a\tb.h5ad", hdf5, 9, NULL, "an HDF5 file", "FILE" },
        { long_name, hdf5, 9, "a column whose name is far too long for a message", "an HDF5 file",
          "FILE --labels NAME" },
    };
    char expected[512];
    memcpy(later + 1024, hdf5, 8);
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        const pen_read_options options = { .label_column = files[i].label_column };
        pen_table *table;
        pen_error err;
        assert_int_equal(
            pen_read_bytes(files[i].name, files[i].bytes, files[i].size, &options, &table, &err),
            PEN_BAD_FORMAT);
        snprintf(expected, sizeof expected,
                 "%s: this is %s; convert it: python -m penumbra.convert %s",
                 strchr(files[i].name, '\t') ? "a?b.h5ad" : files[i].name, files[i].kind,
                 files[i].arguments);
        /* the message has the end of a name that is too long */
        const char *const said = err.message + (strncmp(err.message, "...", 3) == 0 ? 3 : 0);
        const size_t length = strlen(said), wanted = strlen(expected);
        CHECK(length == wanted || (said != err.message && length < wanted), "%s", err.message);
        assert_string_equal(said, expected + (wanted - length));
    }
}

/* Text that starts like a file of another kind. */
TEST(text_is_not_taken_for_another_kind)
{
    check_line(pen_read_bytes, "t.csv", BYTES("PAR1,PAR2\n1,2\n"), NULL, "1 2 columns PAR1,PAR2");
    check_line(pen_read_labels_bytes, "t.csv", BYTES("PAR1\nFEA1\nORC\nPAR1"), NULL,
               " labels 2 0 1 2 classes FEA1,ORC,PAR1");
    check_line(pen_read_labels_bytes, "t.csv", BYTES("[a]\n{b}\n<c>\n"), NULL,
               " labels 1 2 0 classes <c>,[a],{b}");
    check_line(pen_read_bytes, "t.csv", BYTES("@a,BZh\n1,2\n"), NULL, "1 2 columns @a,BZh");
}
