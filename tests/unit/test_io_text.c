/* test_io_text.c - text files: results and error messages. */
#include "kit/readings.h"

TEST(tables_are_read)
{
    static const char *const readings[][3] = {
        /* ---- layout is detected ---- */
        { "1,2\n3,4\n", "1 2/3 4" },
        { "1,2\r\n3,4", "1 2/3 4" },
        { "1,2\r3,4\r", "1 2/3 4" },
        { "1;2\n3;4\n", "1 2/3 4" },
        { "1\t2\n3\t4\n", "1 2/3 4" },
        { "  1.5e+00   -2\n  3  4  \n", "1.5 -2/3 4" },
        { " 1 ,\t2\n3,4\n", "1 2/3 4" },
        { "1\n2\n", "1/2" },
        { "\n\n1,2\n \n3,4\n\n", "1 2/3 4" },
        { "\xEF\xBB\xBF"
          "a,b\n1,2\n",
          "1 2 columns a,b" },
        { "a,b\n1,2\n", "1 2 columns a,b" },
        { "a,b\nNA,NA\n1,2\n", "1 2 columns a,b dropped 1", "missing=drop" },
        { "1,2\n3,4\n", "3 4 columns 1,2", "header=1" },
        { "1,b\n2,3\n", "51 t.csv:1:2: value must be a number, got \"b\"", "header=-1" },
        { "\"a\"\"b\",\"c,d\",\"e\nf\"\n\"1\",2,3\n", "1 2 3 columns a\"b,c,d,e\nf" },
        { "\"\",\"V1\"\n\"r1\",5\n\"r2\",6\n", "5/6 columns V1 numbers 1 rows r1,r2" },
        { ",V1\n0,5\n1,6\n", "5/6 columns V1 numbers 1 rows 0,1" },
        { "V1 V2\nr1 1 2\nr2 3 4\n", "1 2/3 4 columns V1,V2 numbers 1,2 rows r1,r2 short header" },
        { "n,a\nx,1\ny,2\n", "1/2 columns a numbers 1 rows x,y", "name=n" },
        { "x,1\ny,2\n", "1/2 numbers 1 rows x,y", "name=-2" },
        { "1 2;3\n", "3 numbers 1 rows 1 2", "delimiter=; name=0" },
        { "a;b;c\n1,5;2,5;u\n2,5;3;v\n",
          "1.5 2.5/2.5 3 labels 0 1 classes u,v columns a,b decimal commas", "label=c" },
        { "a;b;c\n1,5;2,5;u\n2,5;3;v\n",
          "51 t.csv:2:1: value must be a number with a decimal point, got \"1,5\" in column a "
          "+decimal",
          "label=c decimal=." },
        { "a;b\n1,5;2\n", "1.5 2 columns a,b decimal commas", "delimiter=;" },

        /* ---- columns are dropped, kept and selected ---- */
        { "a,v,c\n1,x,2\n3,,4\n", "1 2/3 4 columns a,c numbers 0,2", "drop=v" },
        { "a,v,c\n1,x,2\n3,y,4\n", "1 2/3 4 columns a,c numbers 0,2", "drop=1" },
        { "1,2,x\n3,4,y\n", "1 2/3 4", "drop=-1" },
        { "a,v,c\n1,x,2\nNA,z,7\n3,\"\"\"y,\",4\n",
          "1 2/3 4 columns a,c numbers 0,2 dropped 1 kept v texts x,\"y,", "carry=v missing=drop" },
        { "1,2,x\n3,4,y\n", "1 2/3 4 kept column2 texts x,y", "carry=-1" },
        { "a,v,c\n1,x,2\n3,y,4\n", "1/3 columns a kept v,c texts x,2,y,4", "carry=c,v" },
        { "a,v,c\n1,x,2\n3,y,4\n", "2 1/4 3 columns c,a numbers 2,0 left out v", "select=c,a" },
        { "c,a\n1,2\n", "1 2 columns c,a", "select=c,a" },
        { "1,2,3\n", "1 2 3", "select=c,a" },
        { "a,a\n1,2\n", "1 2 columns a,a", "select=a,a" },
        /* an unnamed first column has row names, unless it is dropped */
        { ",a\nr,1\n", "1 columns a numbers 1", "drop=0" },
        { "a,v,c\n1,2,3\n", "11 t.csv: no value column \"x\" +by-position", "select=x" },
        { "a,v,c\n1,2,3\n", "11 t.csv: no value column \"v\" +by-position", "select=v drop=v" },
        { "a,c,a\n1,2,3\n", "51 t.csv: columns '#0' and '#2' are both named \"a\" +same-name",
          "select=c,a" },
        { "a,c\n1,2\n", "11 t.csv: no value column \"a\" +by-position", "select=a,a" },
        { "a,c\n1,2\n", "11 t.csv: no column to drop \"x\"; columns are 0 to 1, or by name: a, c",
          "drop=x" },
        { "a,v\n1,2\n", "10 t.csv: column 1 cannot be both dropped and the labels",
          "drop=v label=v" },
        { "a,v\n1,2\n",
          "20 t.csv: no value columns besides the labels, the row names and columns left out",
          "drop=v carry=a" },

        /* Several label columns, one per class: 1 for its rows, 0 or unlabelled elsewhere. */
        { "x,a,b\n5,1,0\n6,0,1.0\n7,0,0\n8,,\n9,?,1\n",
          "5/6/7/8/9 labels 0 1 -1 -1 1 classes a,b columns x", "label=a,b" },
        { "1,5,0\n0,6,1\n", "5/6 labels 0 1 classes column0,column2 numbers 1", "label=0,#2" },
        { "\"a,b\",x\nu,1\nv,2\n", "1/2 labels 0 1 classes u,v columns x numbers 1", "label=a,b" },
        { "x,a,b\n5,1,0\n6,2,1\n",
          "51 t.csv:3: 2 in column a must be 1 in rows of this class, otherwise 0", "label=a,b" },
        { "x,a,b\n5,1,1\n", "51 t.csv:2: 1 in the columns of two classes, a and b", "label=a,b" },
        { "x,a,b\n5,1,1\n", "10 t.csv: column 1 is the labels twice", "label=a,a" },
        { "x,a,b\n5,1,1\n",
          "11 t.csv: no label column \"c\"; columns are 0 to 2, or by name: x, a, b", "label=a,c" },

        /* ---- label columns become codes ---- */
        { "x,y\n1,b\n2,a\n3,b\n", "1/2/3 labels 1 0 1 classes a,b columns x", "label=y" },
        { "x,y\n1,b\n2,a\n", "1/2 labels 1 0 classes a,b columns x", "label=-1" },
        { "5.1,setosa\n4.9,virginica\n", "5.1/4.9 labels 0 1 classes setosa,virginica", "label=1" },
        { "x,y\n1,10\n2,9\n3,-5\n", "1/2/3 labels 2 1 0 classes -5,9,10 columns x", "label=y" },
        { "x,y\n1,10\n2,9\n3,z\n", "1/2/3 labels 0 1 2 classes 10,9,z columns x", "label=y" },
        /* labels are text: different spellings are different classes, in numeric order */
        { "x,y\n1,3\n2,3.0\n3,+3e0\n4,03\n5,2\n",
          "1/2/3/4/5 labels 3 3 1 2 0 classes 2,+3e0,03,3 columns x", "label=y" },
        { "x,y\n1,1\n2,01\n3,001\n4,1\n", "1/2/3/4 labels 2 1 0 2 classes 001,01,1 columns x",
          "label=y" },
        { "x,y\n1,-0\n2,0\n", "1/2 labels 0 0 classes 0 columns x", "label=y" },
        /* as pandas writes an integer column with missing values */
        { "x,y\n1,1.0\n2,\n3,2.0\n4,NaN\n5,10.0\n6,-1.0\n",
          "1/2/3/4/5/6 labels 0 -1 1 -1 2 -1 marks NaN:1,-1.0:1 classes 1,2,10 columns x",
          "label=y" },
        { "x,y\n1,-1\n2,-1.0\n3,\n4,NA\n5,nan\n6,?\n7,1\n",
          "1/2/3/4/5/6/7 labels -1 -1 -1 -1 -1 -1 0 marks -1:1,-1.0:1,NA:1,nan:1,?:1 classes 1 "
          "columns x",
          "label=y" },
        { "x,y\n1,-1\n2,?\n", "1/2 labels -1 -1 marks -1:1,?:1 columns x", "label=y" },
        { "x,y\n1,9\n2,9.0\n3,8\n", "1/2/3 labels -1 -1 0 marks 9:1,9.0:1 classes 8 columns x",
          "label=y unlabelled=9" },
        { "x,y\n1,none\n2,8\n", "1/2 labels -1 0 marks none:1 classes 8 columns x",
          "label=y unlabelled=none" },
        { "x,y\n1,9007199254740993\n2,9007199254740992\n",
          "1/2 labels 1 0 classes 9007199254740992,9007199254740993 columns x", "label=y" },
        { "x,y\n1,\"a \"\"q\"\"\"\n2,a\n", "1/2 labels 1 0 classes a,a \"q\" columns x",
          "label=y" },
        { "x,y\n1,a\nNA,c\n2,b\n", "1/2 labels 0 1 classes a,b columns x dropped 1",
          "label=y missing=drop" },
        { ",y,x\nr,a,1\n", "1 labels 0 classes a columns x numbers 2 rows r", "label=y" },
        { "x,1,2\n5,6,7\n", "5 7 labels 0 classes 6 columns x,2 numbers 0,2", "label=1" },

        /* ---- A column is given by name, or by index if no column has that name. ---- */
        /* as pandas writes an array after a column of classes */
        { "y,0,1\n3,1,5\n4,2,6\n", "3 5/4 6 labels 0 1 classes 1,2 columns y,1 numbers 0,2",
          "header=1 label=0" },
        { "y,0,1\na,1,5\nb,2,6\n", "1 5/2 6 labels 0 1 classes a,b columns 0,1 numbers 1,2",
          "header=1 label=#0" },
        { "y,0,1\na,1,5\nb,2,6\n", "5/6 labels 0 1 classes a,b columns 1 numbers 2",
          "header=1 label=#-3 drop=#1" },
        /* an index that is also a name, or out of range */
        { "0,1\n1,5\n2,6\n", "1/2 labels 0 1 classes 5,6 columns 0", "header=1 label=1" },
        { "400,401\n1,5\n2,6\n", "1/2 labels 0 1 classes 5,6 columns 400", "label=401 header=1" },
        { "x,#0\n1,5\n2,6\n", "5/6 labels 0 1 classes 1,2 columns #0 numbers 1", "label=#0" },
        { "1,5\n2,6\n", "1/2 labels 0 1 classes 5,6", "label=#1" },
        { "1,5\n",
          "11 t.csv: no label column \"#2\": the file has no header; columns are numbered from 0 "
          "to 1",
          "label=#2" },
        /* an unnamed index column has no values if another column has the names */
        { ",a,n\n0,1,r\n1,2,s\n", "1/2 columns a numbers 1 rows r,s", "name=n" },
        { "a n\n0 1 r\n1 2 s\n", "1/2 columns a numbers 1 rows r,s short header", "name=n" },
        { ",a\nr,1\ns,2\n", "1/2 columns a numbers 1 rows r,s", "name=#0" },
        /* one name of two columns */
        { "x,x\n1,2\n", "51 t.csv: columns '#0' and '#1' are both named \"x\" +same-name" },
        { "\"x\",\" x\"\n1,2\n",
          "51 t.csv: columns '#0' and '#1' are both named \"x\" +same-name" },
        { "x,,\n1,2,3\n", "51 t.csv: columns '#1' and '#2' are both named \"\" +same-name" },
        { "x,k,k\n1,2,a\n", "51 t.csv: columns '#1' and '#2' are both named \"k\" +same-name",
          "label=#2" },
        { "x,k,k\n1,2,a\n",
          "51 t.csv: this label column, k, may be column 1 or column 2: say '#1' or '#2'",
          "label=k" },
        { "colours,kolor,color\n1,2,a\n",
          "11 t.csv: no label column \"colour\"; did you mean colours, color, kolor?",
          "label=colour" },
        { "x,x\n1,2\n", "2 columns x numbers 1", "drop=#0" },
        { "x,x\n1,2\n", "1 2", "ignore_names=1" },

        /* ---- missing values are treated ---- */
        { "1,NA\n2,4\n3,\n", "1 4/2 4/3 4 filled 2", "missing=mean" },
        { "1,?\n2,4\nnan,6\n", "1 5/2 4/1.5 6 filled 2", "missing=mean" },
        { "1,?\n2,4\nNaN,6\n", "2 4 dropped 2", "missing=drop" },
        { "1.7e308\n1.7e308\nNA,\n", "51 t.csv:3: expected 1 cells, as in line 1, got 2",
          "missing=mean" },
        { "1,-1.7976931348623157e308\n1,-1.7976931348623157e308\n1,-1.7976931348623157e308\n1,NA\n",
          "1 -1.79769313e+308/1 -1.79769313e+308/1 -1.79769313e+308/1 -1.79769313e+308 filled 1",
          "missing=mean" },
        { "1,1.7e308\n1,1.7e308\n1,NA\n", "1 1.7e+308/1 1.7e+308/1 1.7e+308 filled 1",
          "missing=mean" },
        { "1,na\n", "51 t.csv:1:2: value is missing, got \"na\" +missing" },
        { "1,\n", "51 t.csv:1:2: value is missing, got \"\" +missing" },
        { "1,nan\n", "51 t.csv:1:2: value is missing, got \"nan\" +missing" },
        { "NA,1\n?,2\n", "0 1/0 2", "missing=mean" },
        { "k,x,y\na,,1\nb,?,2\n", "20 t.csv: no rows left: column 1 x has no value",
          "missing=drop label=k" },
        { "1,?\n,2\n", "20 t.csv: no rows left: all 2 have missing values", "missing=drop" },
        { "n,x,t,k,y\nr,1,a,p,?\ns,2,b,q,4\nu,?,c,p,5\nv,6,d,q,7\n",
          "2 4/6 7 labels 0 0 classes q columns x,y numbers 1,4 rows s,v dropped 2 kept t texts "
          "b,d",
          "missing=drop label=k name=n carry=t" },
        { "1,inf\n", "51 t.csv:1:2: value must be finite, got \"inf\"", "missing=mean" },
        { "1,1e999\n", "51 t.csv:1:2: value must be finite, got \"1e999\"", "missing=drop" },

        /* ---- Blocks may have no rows: the header gives the columns. ---- */
        { "a,b\n", " 0 x 2 columns a,b", "allow_empty=1" },
        { "# a,b\n", " 0 x 2 columns a,b", "allow_empty=1" },
        { "a,b,y", " 0 x 2 labels columns a,b", "label=y allow_empty=1" },
        { "1,2\n", " 0 x 2 columns 1,2", "header=1 allow_empty=1" },
        { "1,2\n", "1 2", "allow_empty=1" },
        { "NA,1\n?,2\n", " 0 x 2 dropped 2", "missing=drop allow_empty=1" },
        { "a,b\n", "11 t.csv: no label column \"y\"; columns are 0 to 1, or by name: a, b",
          "label=y allow_empty=1" },
        { "", "20 t.csv: the file is empty", "allow_empty=1" },

        /* ---- errors are specific ---- */
        { "", "20 t.csv: the file is empty" },
        { "\n \n", "20 t.csv: no rows, only blank lines" },
        { "a,b\n", "20 t.csv: no rows, only a header" },
        { "1,2\n", "20 t.csv: no rows, only a header", "header=1" },
        { "y\n1\n2\n",
          "20 t.csv: no value columns besides the labels, the row names and columns left out",
          "label=y" },
        { "1,2\n3,abc\n", "51 t.csv:2:2: value must be a number, got \"abc\"" },
        { "1,2\n3,0x10\n", "51 t.csv:2:2: value must be a number, got \"0x10\"" },
        { "1,2\n3\n", "51 t.csv:2: expected 2 cells, as in line 1, got 1" },
        { "1,2\n\n3,4,5\n", "51 t.csv:3: expected 2 cells, as in line 1, got 3" },
        { "a,b\n1,2,3,4\n", "51 t.csv:1: the header must have 4 cells, like the rows, got 2" },
        { "a,b\n\"1\n2\",3\n4,x\n",
          "51 t.csv:2:1: value must be a number, got \"1 2\" in column a" },
        { "n,b\n\"1\n2\",3\n4,x\n", "51 t.csv:4:2: value must be a number, got \"x\" in column b",
          "name=n" },
        { "1,\"2\n3,4\n", "51 t.csv:1:2: missing closing quote" },
        { "1,2\n\"3\"x,4\n",
          "51 t.csv:2:1: only a delimiter or the end of the line may follow a closing quote" },
        { "1,2\n3,0123456789012345678901234567890123456789012345678901\n", "1 2/3 1.23456789e+50" },
        { "1,2\n3,x123456789012345678901234567890123456789012345678901\n",
          "51 t.csv:2:2: value must be a number, got "
          "\"x1234567890123456789012345678901234567890123...\"" },
        { "x,y\n1,2\n", "11 t.csv: no label column \"z\"; columns are 0 to 1, or by name: x, y",
          "label=z" },
        { "1,2\n",
          "11 t.csv: no row name column \"2\": the file has no header; columns are numbered from 0 "
          "to 1",
          "name=2" },
        { "1,2\n",
          "11 t.csv: no label column \"-3\": the file has no header; columns are numbered from 0 "
          "to 1",
          "label=-3" },
        { "x,y\n1,2\n", "10 t.csv: column 1 cannot be both the labels and the row names",
          "label=y name=1" },
        { "1,2\n", "10 header must be -1, 0 or 1, got 3", "header=3" },
        { "\xFF\xFE"
          "1",
          "51 t.csv: this is UTF-16 text; convert it to UTF-8: iconv -f UTF-16 -t UTF-8 t.csv "
          ">NEW" },
    };
    check_readings("t.csv", readings, COUNT_OF(readings), pen_read_bytes);
}

/* Labels of several files fill each other's gaps; also with a dropped row. */
TEST(labels_of_files_are_joined)
{
    int64_t numbers[] = { 0, 2, 1 };
    const pen_table two = { .x = { .rows = 2 }, .dropped_rows = 1, .row_numbers = numbers };
    pen_error err;
    for (int dropped = 0; dropped < 2; dropped++) {
        pen_read_options options = { .rows = dropped ? &two : NULL };
        pen_table *first;
        CHECK_OK(pen_read_labels_bytes("a", "b\n?\n\n", 5, &options, &first, &err), &err);
        options.labels = first;
        if (dropped) {
            check_line(pen_read_labels_bytes, "b", BYTES("?\ny\na\n"), &options,
                       " labels 1 0 classes a,b dropped 1");
        } else {
            check_line(pen_read_labels_bytes, "b", BYTES("?\na\n-1\n"), &options,
                       " labels 1 0 -1 marks -1:1 classes a,b");
            check_line(pen_read_labels_bytes, "b", BYTES("c\na\n?\n"), &options,
                       "20 row 0 is labelled b elsewhere, and c here");
            check_line(pen_read_labels_bytes, "b", BYTES("b\na\n"), &options,
                       "20 3 rows are labelled elsewhere, and 2 here");
        }
        pen_table_free(first);
    }
}

TEST(formats_are_recognized)
{
    check_line(pen_read_bytes, "t.csv", "a\0b,1\n", 6, &(pen_read_options){ .label_column = "0" },
               "51 t.csv:1:1: text must not contain a NUL byte");
    check_line(pen_read_bytes, "t", "1,2\n", 4, NULL, "1 2");
    check_line(pen_read_bytes, "t.npy", "1,2\n", 4, NULL, "1 2");
    check_line(pen_read_bytes, "t.csv", "1 1:2\n", 6, NULL, "2 labels 0 classes 1");
    check_line(
        pen_read_bytes, "t.CSV", "\0\n\0\n", 4, NULL,
        "51 t.CSV:1:1: value must be a number, got \" \"; columns of words, counted from 0: 0");
    check_line(pen_read_bytes, "t.mtx", "%%MatrixMarket matrix array real general\n%\x80\n1 1\n1\n",
               50, NULL,
               "51 t.mtx:2: this is not text in UTF-8; convert it, such as from Windows in western "
               "Europe: iconv -f WINDOWS-1252 -t UTF-8 t.mtx >NEW");
    check_line(pen_read_bytes, "t.svm", "\0\n", 2, NULL,
               "51 t.svm:1: a label must not contain a NUL byte");
    check_line(pen_read_bytes, "t", "\0\n", 2, NULL,
               "11 t: neither the content nor the extension matches a known format; the formats "
               "are npz, mtx, npy, libsvm, text");
}

TEST(labels_are_read)
{
    static const char *const readings[][3] = {
        /* ---- lists of labels ---- */
        { "1\n2\n-1\n2.0\n", " labels 0 1 -1 1 marks -1:1 classes 1,2" },
        { "  1.0e+00\r\n -1.0e+00\r\n", " labels 0 -1 marks -1.0e+00:1 classes 1" },
        { "y\n1\n?\n", " labels 0 -1 marks ?:1 classes 1" },
        { "y\n1\n?\n", " labels 1 0 -1 marks ?:1 classes 1,y", "header=-1" },
        { "7\n1\n", " labels 0 classes 1", "header=1" },
        { "b\na b\n\"c,\"\"d\"\n", " labels 1 0 2 classes a b,b,c,\"d" },
        /* codes depend on the set of labels, not on their order */
        { "10\n9\nx\n-1\n2.50\n2.5\n?\nb\na\n",
          " labels 0 3 6 -1 2 1 -1 5 4 marks -1:1,?:1 classes 10,2.5,2.50,9,a,b,x" },
        { "a\nb\n?\n2.5\n2.50\n-1\nx\n9\n10\n",
          " labels 4 5 -1 1 2 -1 6 3 0 marks ?:1,-1:1 classes 10,2.5,2.50,9,a,b,x" },
        /* an empty line is an unlabelled row */
        { "1\n\n2\n\n", " labels 0 -1 1 -1 classes 1,2" },
        { "-1\n-1\n", " labels -1 -1 marks -1:2" },
        { "u\n1\n", " labels -1 0 marks u:1 classes 1", "unlabelled=u header=-1" },
        { "y\n", "20 t.csv: no labels, only a header", "header=1" },
        { "1\n\"2\n", "51 t.csv:2:1: missing closing quote" },
        { "", " labels", "allow_empty=1" },
        { "y\n", " labels", "header=1 allow_empty=1" },

        /* One label per line, which may contain blanks and even a comma; lines with several cells
         * are refused. */
        { "title\na\nb\n", " labels 0 1 classes a,b", "skip=1" },
        { "a\nb\n", "10 t.csv: a file of labels cannot be transposed", "transpose=1" },
        { "New York\nParis\nNew York\n", " labels 0 1 0 classes New York,Paris" },
        { "Type 1\nType 2\n", " labels 0 1 classes Type 1,Type 2" },
        { "1 st\n2 nd\n2 nd\n", " labels 0 1 1 classes 1 st,2 nd" },
        { "a\nb, c\nd\n", " labels 0 1 2 classes a,b, c,d" },
        { "\"a, b\"\n\"c, d\"\n", " labels 0 1 classes a, b,c, d" },
        { "\"1 2\"\n\"2 3\"\n", " labels 0 1 classes 1 2,2 3" },
        { "\n1\t2\t3\n1\t3\t4\n1\t4\t5\n",
          "51 t.csv:2: expected one label per line, or a row and its class, got 3 cells; quote "
          "labels that contain tabs" },
        { "0,a\n1,b\n2,a\n", "20 t.csv: its lines name rows, but no rows are given" },
        { "1 0 0\n0 1 0\n", "51 t.csv:1: expected one label per line, or a row and its class, got "
                            "3 cells; quote labels that contain blanks" },
        { "+1 1:0.5 3:2\n-1 2:1\n",
          "51 t.csv: expected one label per line, got libsvm rows, which include their labels" },
    };
    check_readings("t.csv", readings, COUNT_OF(readings), pen_read_labels_bytes);
}

static void check_labels(const pen_table *rows, const char *const (*readings)[3], size_t count)
{
    read_words words;

    for (size_t i = 0; i < count; i++) {
        read_options(readings[i][2], &words)->rows = rows;
        check_line(pen_read_labels_bytes, "t.csv", readings[i][0], strlen(readings[i][0]),
                   &words.options, readings[i][1]);
    }
}

/* Few lines for few rows, which they name. */
TEST(lines_of_labels_name_rows)
{
    static char *names[] = { "c1", "c2", "1", "c2", "0" };
    static const struct pen_table named = { .x = { .rows = 3 }, .row_names = names },
                                  twice = { .x = { .rows = 5 }, .row_names = names },
                                  plain = { .x = { .rows = 4 } };
    static const char *const of_named[][3] = {
        { "c2,b\n1,a\n", " labels -1 1 0 classes a,b" },
        { "row,class\n1,a\n", " labels -1 0 -1 classes a" },
        { "name\tclass\n1\ta\n", " labels -1 -1 0 classes a" },
        { ",kind\nc1,a\nc2,NA\n", " labels 0 -1 -1 marks NA:1 classes a" },
        { "id;species\n\"c1\";\"a;b\"\n", " labels 0 -1 -1 classes a;b", "name=id" },
        { "row,guess,p,class,name\n0,x,1,a,c2\n", " labels -1 0 -1 classes a" },
        { "id,class\n1,a\nc2,b\nc1,b\n", " labels 1 1 0 classes a,b" },
        { "class;p;id\na;c2;1\nb;c1;1\n", " labels 1 0 -1 classes a,b" },
        { "c1,a\nc9,b\n", "20 t.csv:2: no row is named \"c9\"" },
        { "c1,a\n\nc1,a\n", "20 t.csv:3: the row \"c1\" has a label in line 1 already" },
    };
    static const char *const of_plain[][3] = {
        { "row,guess,p,class,name\n3,x,1,a,\n\n1,y,1,,\n", " labels -1 -1 -1 0 classes a" },
        { "3 a\n2 b\n", " labels 1 0 classes 2 b,3 a" },
        { "0 a\n1 b\n", " labels 0 1 -1 -1 classes a,b" },
        { "class,p\na,1\n,.5\nb,1\n", " labels 0 -1 1 classes a,b" },
        { "id,class\n3,a\n1,b\n2,a\n0,b\n", " labels 1 1 0 0 classes a,b" },
        { "class\na\nb\n", " labels 0 1 classes a,b" },
        { "0,a\n4,a\n", "20 t.csv:2: a row number must be in [0, 3], got \"4\"" },
        { "row,class\n0,a\n-1,b\n", "20 t.csv:3: a row number must be in [0, 3], got \"-1\"" },
        { "row,class\n0,a\n0.0,b\n", "20 t.csv:3: the row \"0.0\" has a label in line 2 already" },
        { "name,class\n0,a\n",
          "20 t.csv:2: no row is named \"0\": the rows have no names +row-names" },
        { "0,a\n1,a\n2\n", "51 t.csv:3:2: expected 2 cells, as in line 1, got 1" },
    };
    check_labels(&named, of_named, COUNT_OF(of_named));
    check_labels(&plain, of_plain, COUNT_OF(of_plain));
    check_line(pen_read_labels_bytes, "t.csv", BYTES("c2,a\n"),
               &(pen_read_options){ .rows = &twice },
               "20 t.csv:1: more than one row is named \"c2\"");
}

/* More classes than fit in the initial hash table. */
TEST(many_classes)
{
    enum { CLASSES = 5000 };
    char *text = check_allocate(CLASSES * 2, 16), *p = text;
    pen_table *table = NULL;
    pen_error err;
    for (int i = 0; i < 2 * CLASSES; i++)
        p += sprintf(p, "%d\n", (i * 7919) % CLASSES);
    CHECK_OK(pen_read_labels_bytes("t", text, strlen(text), NULL, &table, &err), &err);
    assert_int_equal(table->class_count, CLASSES);
    for (int i = 0; i < 2 * CLASSES; i++)
        assert_int_equal(table->labels[i], (i * 7919) % CLASSES);
    pen_table_free(table);
}
