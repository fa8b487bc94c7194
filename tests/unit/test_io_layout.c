/* test_io_layout.c - text files that could be misread: decimal commas, thousands separators,
 * missing values in many spellings, comments, and possible headers. */
#include "kit/readings.h"

#define NUMBER(place) "51 t.csv:" place ": value must be a number"
#define THOUSANDS     " without thousands separators, got "
#define ONE_HOT       "; convert words to numbers: python -m penumbra.convert t.csv --one-hot "
#define ASKS(range)                                                                                \
    "51 t.csv:1: the first line, " range                                                           \
    ", may be a header or a row: its numbers only rise or fall, unlike those below +header"

TEST(tables_are_read)
{
    static const char *const readings[][3] = {
        /* ---- decimal commas ---- */
        /* write.csv2, and spreadsheets in half of Europe */
        { "\xEF\xBB\xBF\"x\";\"y\"\r\n1,5;-2\r\n2;0,25\r\n",
          "1.5 -2/2 0.25 columns x,y decimal commas" },
        { "1,5;2,5\n3,5;4\n", "1.5 2.5/3.5 4 decimal commas" },
        { "1,5\t2\n3\t4\n", "1.5 2/3 4 decimal commas" },
        { "1,5 2\n3 4\n", "1.5 2/3 4 decimal commas" },
        { "1,5e3;2\n3;4\n", "1500 2/3 4 decimal commas" },
        { "\"1,5\",\"2,5\"\n\"3,5\",4\n", "1.5 2.5/3.5 4 decimal commas" },
        { "a;b\n1,234;5,678\n", "1.234 5.678 columns a,b decimal commas" },
        /* elsewhere they may separate thousands */
        { "a\tb\n1,234\t5,678\n",
          NUMBER("2:1") " with a decimal point," THOUSANDS "\"1,234\" in column a +decimal" },
        { "a\tb\n1,234\t5,678\n", "1.234 5.678 columns a,b", "decimal=," },
        { "a,b\n\"1,234\",5.5\n",
          NUMBER("2:1") " with a decimal point," THOUSANDS "\"1,234\" in column a" },
        /* both signs in one file: one of them is wrong */
        { "1,5;2.5\n3;4\n", NUMBER("1:1") " with a decimal point, got \"1,5\"" },
        { "1,5;2.5\n3;4\n", NUMBER("1:2") " with a decimal comma, got \"2.5\"", "decimal=," },
        { "1.5;2\n3;4\n", "1.5 2/3 4" },
        { "1.234,5;2,5\n3;4\n", NUMBER("1:1") THOUSANDS "\"1.234,5\"" },
        { "a,b\n1'234.5,2\n", NUMBER("2:1") THOUSANDS "\"1'234.5\" in column a" },
        { "a,b\n1\xC2\xA0"
          "234\xC2\xA0"
          "567,2\n",
          NUMBER("2:1") THOUSANDS "\"1\xC2\xA0"
                                  "234\xC2\xA0"
                                  "567\" in column a" },
        { "a;b\n1 234 567;2\n", NUMBER("2:1") THOUSANDS "\"1 234 567\" in column a" },
        { "a;b\n1.5;2\n", NUMBER("2:1") " with a decimal comma, got \"1.5\" in column a +decimal",
          "decimal=," },
        { "1\n", "10 decimal must be '.' or ',', got \";\"", "decimal=;" },

        /* ---- names may contain blanks and numbers ---- */
        { "Gene 1\tGene 2\n1.5\t2.25\n3\t4\n", "1.5 2.25/3 4 columns Gene 1,Gene 2" },
        { "Gene 1\tGene 2\n1.5\t2.25\n", "1.5 2.25 columns Gene 1,Gene 2" },
        { "Gene 1, Gene 2\n15, 225\n3, 4\n", "15 225/3 4 columns Gene 1,Gene 2" },
        { "PC 1;PC 2\n1,5;2\n3;4\n", "1.5 2/3 4 columns PC 1,PC 2 decimal commas" },
        /* a header one cell short does not change the delimiter */
        { "a b\nr1 1,5 2\nr2 3 4\n",
          "1.5 2/3 4 columns a,b numbers 1,2 rows r1,r2 short header decimal commas" },

        /* Blanks and numbers in cells between tabs do not make blanks the delimiter. */
        { "x\ty\tgroup\n1\t2\t10 mg\n3\t4\t20 mg\n5\t7\t10 mg\n",
          "1 2/3 4/5 7 labels 0 1 0 classes 10 mg,20 mg columns x,y", "label=group" },
        { "stage 2\t1\t2\nstage 3\t3\t4\n",
          "1 2/3 4 labels 0 1 classes stage 2,stage 3 numbers 1,2", "label=0" },
        { "\tx\tPC 1\n0\t1\t2\n1\t3\t4\n", "1 2/3 4 columns x,PC 1 numbers 1,2 rows 0,1" },
        { "a\tb\n1 000\t2\n2 000\t3\n", NUMBER("2:1") THOUSANDS "\"1 000\" in column a" },
        { "sample\tx\tclass\nday 1\t1\ta\nday 2\t3\tb\n",
          "1/3 labels 0 1 classes a,b columns x numbers 1 rows day 1,day 2",
          "label=class name=sample" },
        /* blanks and tabs that separate numbers are the same */
        { "1 2\t3\n4 5\t6\n", "1 2 3/4 5 6" },
        { "a b\tc\n1 2\t3\n4 NA\t6\n", "1 2 3/4 2 6 columns a,b,c filled 1", "missing=mean" },
        { "PC 1\n1\n2\n", "1/2 columns PC 1" },

        /* ---- A first line that names the delimiter, and one that NumPy makes a comment. ---- */
        { "sep=;\na;b\n1,5;2\n2,5;3\n", "1.5 2/2.5 3 columns a,b decimal commas" },
        { "sep=\t\r\na b\tc\r\n1\t2\r\n", "1 2 columns a b,c" },
        { "sep=;\na,b\n1,2\n", "1 2 columns a,b", "delimiter=," },
        { "sep=x\n1\n2\n", "1/2 columns sep=x" },
        { "# a,b,c\n1,2,3\n4,5,6\n", "2 3/5 6 labels 0 1 classes 1,4 columns b,c numbers 1,2",
          "label=a" },
        { "# a b c\n1 2 3\n", "1 2 3 columns a,b,c" },
        { "#a\tb\n1\t2\n", "1 2 columns a,b" },
        { "# my data\n1 2 3\n",
          "51 t.csv:1: the header must have 3 cells, like the rows, got 2 +comment" },
        { "#,x\n1,2\n", "1 2 columns #,x" },
        { "# by me\n# for you\na,b\n1,2\n",
          NUMBER("2:1") ", got \"# for you\" in column by me +comment" },

        /* ---- spellings of missing values ---- */
        { "a,b\n1,2\nN/A,#N/A\nNULL,None\n.,?\nna,\n<NA>,nan\nn/a,null\n",
          "1 2/1 2/1 2/1 2/1 2/1 2/1 2 columns a,b filled 12", "missing=mean" },
        { "1,2\n-999.0,4\n", "1 2/1 4 filled 1", "missing=mean na=-999" },
        { "1,2\n-999,4\n", "51 t.csv:2:1: value is missing, got \"-999\" +missing", "na=-999" },
        { "1,missing\n3,0\n5,6\n", "5 6 dropped 2", "missing=drop na=missing,0" },
        { "1,#DIV/0!\n2,3\n", NUMBER("1:2") ", got \"#DIV/0!\" +na", "header=-1" },
        { "1,inf\n2,3\n", "51 t.csv:1:2: value must be finite, got \"inf\"" },

        /* ---- two texts are one class only if numeric types write one number so ---- */
        { "1,1E3\n2,1e3\n3,1000\n4,1E03\n5,1e+03\n",
          "1/2/3/4/5 labels 2 3 0 1 0 classes 1000,1E03,1E3,1e3", "label=1" },
        { "1,001\n2,1\n3,+1\n4,1.0\n5,True\n", "1/2/3/4/5 labels 1 2 0 2 3 classes +1,001,1,True",
          "label=1" },
        { "1,18446744073709551615\n2,18446744073709551614\n",
          "1/2 labels 1 0 classes 18446744073709551614,18446744073709551615", "label=1" },

        /* ---- wavelengths in the header cause a question ---- */
        { "400,402,404,406\n.1,.4,.2,.3\n.2,.1,.4,.3\n", ASKS("400 .. 406") },
        { "400,402,404,406\n.1,.4,.2,.3\n", "0.1 0.4 0.2 0.3 columns 400,402,404,406", "header=1" },
        { "400,402,404,406\n.1,.4,.2,.3\n", "400 402 404 406/0.1 0.4 0.2 0.3", "header=-1" },
        { "2500,2000,1500,1000\n.1,.4,.2,.3\n", ASKS("2500 .. 1000") },
        /* steps of different size may be chance among few columns, but not among many */
        { "1,3,4,9\n2,1,3,3\n", "1 3 4 9/2 1 3 3" },
        { "1,3,4,9,10,12,17,20\n2,1,3,3,5,5,5,5\n", ASKS("1 .. 20") },
        { "1,3,4,9,10,12,17,20\n1,2,3,4,5,6,7,8\n2,1,3,3,5,5,5,5\n",
          "1 3 4 9 10 12 17 20/1 2 3 4 5 6 7 8/2 1 3 3 5 5 5 5" },
        { "0,1,2\n.5,.1,.3\n2,.2,.3\n", ASKS("0 .. 2") },
        { "0,1,2\n5,1,3\n2,2,3\n", "0 1 2/5 1 3/2 2 3" },
        { "0,1\n.5,.1\n.2,.2\n.3,.1\n", ASKS("0 .. 1") },
        { "0,1\n.5,.1\n.2,.2\n", "0 1/0.5 0.1/0.2 0.2" },
        /* a word above words */
        { "class,400,402,404,406\nrye,.1,.4,.2,.3\noat,.2,.1,.4,.3\n", ASKS("400 .. 406"),
          "label=0" },
        { "class,400,402,404,406\nrye,.1,.4,.2,.3\noat,.2,.1,.4,.3\n",
          "0.1 0.4 0.2 0.3/0.2 0.1 0.4 0.3 labels 1 0 classes oat,rye columns 400,402,404,406 "
          "numbers 1,2,3,4",
          "label=class" },
        { "country,2000,2010,2020\nAT,5,2,7\nDE,3,1,8\nCH,1,5,2\n", ASKS("2000 .. 2020"),
          "name=0" },
        { "country,2000,2010,2020\nAT,5,6,9\nDE,3,4,8\nCH,1,2,4\n", ASKS("2000 .. 2020"),
          "name=0" },
        { "443,482,561,class\n.1,.12,.09,rye\n.2,.1,.3,oat\n.1,.2,.1,rye\n", ASKS("443 .. 561"),
          "label=-1" },
        { "rye,1,2,4\noat,5,2,7\nrye,3,1,8\n",
          "1 2 4/5 2 7/3 1 8 labels 1 0 1 classes oat,rye numbers 1,2,3", "label=0" },
        { "rye,1,2,4\noat,5,7,8\nbran,3,1,8\n",
          "1 2 4/5 7 8/3 1 8 labels 2 1 0 classes bran,oat,rye numbers 1,2,3", "label=0" },
        /* names in a model */
        { "400,402,404,406\n.1,.4,.2,.3\n", "0.1 0.4 0.2 0.3 columns 400,402,404,406",
          "select=400,402,404,406" },
        /* row numbers below an empty corner, as pandas and R write */
        { ",0,1,2\n0,.5,.1,.3\n1,5,3,1\n",
          "0.5 0.1 0.3/5 3 1 columns 0,1,2 numbers 1,2,3 rows 0,1" },
        { "\"\",\"400\",\"402\"\n\"a\",1,2\n", "1 2 columns 400,402 numbers 1,2 rows a" },
        { "\"1\",\"2\"\n3,5\n4,2\n", "3 5/4 2 columns 1,2" },
        { "\"1\",\"2\"\n\"3\",\"5\"\n", "1 2/3 5" },
        { "400 402 404\nr1 .1 .4 .2\n",
          "0.1 0.4 0.2 columns 400,402,404 numbers 1,2,3 rows r1 short header" },

        /* ---- names given by the caller prove a header ---- */
        { "7,play\n1,no\n2,yes\n", "1/2 labels 0 1 classes no,yes columns 7", "label=play" },
        { "7,play\n1,no\n2,yes\n", "7/1/2 labels 1 0 2 classes no,play,yes", "label=-1" },
        { "a,b\nx,1\n", "1 columns b numbers 1 kept a texts x", "carry=a" },

        /* ---- headers of another width ---- */
        { "V1,V2\nr1,1,2\nr2,3,4\n", "1 2/3 4 columns V1,V2 numbers 1,2 rows r1,r2 short header" },
        { "a,b\n1,2,\n3,4,\n", "51 t.csv:1: the header has 2 cells and rows have one more, which "
                               "is empty: remove the delimiter at the end of each row" },
        { "a,b,\n1,2,\n3,4,\n", "51 t.csv:2:3: value is missing, got \"\"; the last column has no "
                                "name: drop column -1 if rows end with a delimiter" },
        { "a,b,\n1,2,\n3,4,\n", "1 2/3 4 columns a,b", "drop=-1" },
        { "a,b\nnm,kg\n1,2\n3,4\n",
          NUMBER("2:1") ", got \"nm\" in column a; numbers begin in line 3: leave out line 2 by "
                        "sed 2d t.csv >NEW, or make it the header by skip 1" },
        { "a,b\nnm,kg\n1,2\n3,4\n", "1 2/3 4 columns nm,kg", "skip=1" },
        { "a,b\n400.5,402.1\n1,2\n3,4\n", "400.5 402.1/1 2/3 4 columns a,b" },

        /* ---- columns of words are named ---- */
        { "a,k\n1,\n2,\n3,\n4,\n5,\n6,\n7,\n8,\n9,\n10,red\n", /* few labels */
          "51 t.csv:2:2: value is missing, got \"\" in column k, a column of words" ONE_HOT
          "k +label-column" },
        { "a,k\n1,\n2,red\n3,blue\n",
          "51 t.csv:2:2: value is missing, got \"\" in column k, a column of words" ONE_HOT
          "k +label-column" },
        { "ok,fine\nTRUE,no\nfalse,Yes\n", "1 0/0 1 columns ok,fine" },
        { "TRUE,no\nFALSE,yes\n", "1 0/0 1" },
        { "1,maybe\n2,yes\n3,no\n", "1/2/3 labels 0 2 1 classes maybe,no,yes", "label=1" },
        { "gene,about,s1\ng1,\"one, two\",1\ng2,x,2\n",
          NUMBER("2:1") ", got \"g1\" in column gene +label-column" },
        { "5.1 3.5 setosa\n4.9 3 virginica\n",
          NUMBER("1:3") ", got \"setosa\"; columns of words, counted from 0: 2 +label-column" },
        { "sun hot low\nrain mild high\n",
          NUMBER("1:1") ", got \"sun\"; columns of words, counted from 0: 0, 1, 2" },
        { "a,b\n1,2\n3,x\n4,5\n", NUMBER("3:2") ", got \"x\" in column b" },
        { "day,x\n2024-01-31,1\n2024-02-01,2\n",
          NUMBER("2:1") ", got \"2024-01-31\" in column day +label-column" },
        { "day,x\n31.1.24 12:30,1\n1.2.24,2\n",
          NUMBER("2:1") ", got \"31.1.24 12:30\" in column day +label-column" },
        { "a,b\n1,2\n", "1 2 columns a,b" },
        { "a,\"b\nc\"\n1,2\n3\n", "51 t.csv:4: expected 2 cells, as in line 3, got 1" },

        /* Lines above the table, vectors of words, other delimiters, and transposed tables. */
        { "A title, 2020\r\nunits \"\na,b\n1,2\n", "1 2 columns a,b", "skip=2" },
        { "a\n1\n", "20 t.csv: no rows, only blank lines", "skip=9" },
        { "1 1:2\n",
          "10 t.csv: only text has lines to skip or transpose, and this is a libsvm file",
          "skip=1" },
        { "a|b\n1|2\n", "1 2 columns a,b", "delimiter=|" },
        { "a/b\n-1/2\n", "-1 2 columns a,b", "delimiter=/" },
        { "1\n",
          "10 delimiter must be a tab, a blank, or a sign other than quotes, point, plus and "
          "minus, got \"x\"",
          "delimiter=x" },
        /* if blanks separate, a quote is a character unless another one ends the cell */
        { "the 1 2\n\" 3 4\n\"of 5 6\n", "1 2/3 4/5 6 numbers 1,2 rows the,\",\"of", "name=0" },
        { "3 2\nthe 1 2\n\" 3 4\nof 5 6\n", "1 2/3 4/5 6 numbers 1,2 rows the,\",of", "name=0" },
        { "\"a\" \"b c\"\n\"r \"\"1\" 1 2\n",
          "1 2 columns a,b c numbers 1,2 rows r \"1 short header" },
        { "3 2\n1 2\n", "3 2/1 2" },
        { "3 1\n1 2\n", "3 1/1 2" },
        { "1 2\na 5 6\nb 7 8\n", "5 6/7 8 columns 1,2 numbers 1,2 rows a,b short header" },
        { "\"3\" \"2\"\na 5 6\nb 7 8\n", "5 6/7 8 columns 3,2 numbers 1,2 rows a,b short header" },
        { "a|b\n", "10 comment and delimiter must differ, got \"|\" for both",
          "delimiter=| comment=|" },
        { "g\t1\t\t3\n", "1/nan/3 columns g filled 1", "transpose=1 missing=keep" },
        { "gene,s1,s2\nx,1,2\ny,3,4\nz,5,6\n", "1 3 5/2 4 6 columns x,y,z numbers 1,2,3 rows s1,s2",
          "transpose=1 name=gene" },
        { "s1 s2\nx 1 2\n\"y z\" 3 4\n", "1 3/2 4 columns x,y z numbers 1,2 rows s1,s2",
          "transpose=1" },
        { "\"a\"\"b\";1,5;2\nc;2;3\n", "1.5 2/2 3 columns a\"b,c decimal commas", "transpose=1" },
        { "a,1,2\nb,1\n", "51 t.csv:2: expected 3 cells, as in the lines above, got 2",
          "transpose=1" },

        /* these texts, with exactly these letters, mean unlabelled; a number may have any
         * notation */
        { "1,-1\n2,-1.0\n3,NA\n4,NaN\n5,nan\n6,N/A\n7,#N/"
          "A\n8,NULL\n9,None\n10,<NA>\n11,.\n12,?\n13,\n14,a\n",
          "1/2/3/4/5/6/7/8/9/10/11/12/13/14 labels -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 0 marks "
          "-1:1,-1.0:1,NA:1,NaN:1,nan:1,N/A:1,#N/A:1,NULL:1,None:1,<NA>:1,.:1,?:1 classes a",
          "label=1" },
        { "1,Na\n2,na\n3,null\n4,none\n5,n/a\n6,-\n7,-10\n8,Nan\n",
          "1/2/3/4/5/6/7/8 labels 2 5 7 6 4 0 1 3 classes -,-10,Na,Nan,n/a,na,none,null",
          "label=1" },
        { "5,1\n6,-1\n7,-1.0\n8,NA\n9,\n", "5/6/7/8/9 labels 1 0 0 2 -1 classes -1,1,NA",
          "label=1 unlabelled=" },
        { "5,1\n6,-1\n7,0.0\n8,Na\n", "5/6/7/8 labels 1 0 -1 -1 marks 0.0:1,Na:1 classes -1,1",
          "label=1 unlabelled=0,Na" },

        /* ---- comments ---- */
        { "# made by hand\na,b\n1,2 # first\n  # more\n\"3\",4\n5,6#", "1 2/3 4/5 6 columns a,b",
          "comment=#" },
        { "1 2 % x\n3 4%\n", "1 2/3 4", "comment=%" },
        { "a,b\n\"x#y\",1\n", "1 columns b numbers 1 rows x#y", "comment=# name=a" },
        { "# made by hand\na,b\n1,2\n",
          "51 t.csv:1: the header must have 2 cells, like the rows, got 1 +comment" },
        { "#\n", "20 t.csv: no rows, only blank lines", "comment=#" },
        { "1\n",
          "10 comment must be a sign not used in numbers or as delimiter, such as '#', got \"-\"",
          "comment=-" },

        /* ---- hints of errors distinguish causes ---- */
        { "a,b\n1,2\n2,3\n1,n.d.\n", NUMBER("4:2") ", got \"n.d.\" in column b +na" },
        { "a,b\n1,2\n2,<0.01\n1,<0.01\n", NUMBER("3:2") ", got \"<0.01\" in column b +na" },
        { "a,b\n1,-\n2,+\n1,-\n",
          NUMBER("2:2") ", got \"-\" in column b" ONE_HOT "b +label-column" },
    };
    check_readings("t.csv", readings, COUNT_OF(readings), pen_read_bytes);
}

TEST(labels_have_comments)
{
    static const char *const labels[][3] = {
        { "# classes\na\nb # not sure\n\na\n", " labels 0 1 -1 0 classes a,b", "comment=#" },
        { "a\n#b\n", " labels 1 0 classes #b,a" },
    };
    check_readings("t.csv", labels, COUNT_OF(labels), pen_read_labels_bytes);
}

/* "Unicode text" of spreadsheets: UTF-16 with a byte order mark, in either byte order. */
TEST(utf16_is_read)
{
    static const char low[] = "\xFF\xFE"
                              "\xE9\0\t\0b\0\r\0\n\0001\0,\0005\0\t\0002\0\r\0\n\0",
                      high[] = "\xFE\xFF\xD8\x3D\xDE\0\0\n\0007\0\n",
                      half[] = "\xFE\xFF\xD8\x3D\0\n";

    check_line(pen_read_bytes, "t.txt", low, sizeof low - 1, NULL,
               "1.5 2 columns \xC3\xA9,b decimal commas");
    check_line(pen_read_bytes, "t.txt", high, sizeof high - 1, NULL, "7 columns \xF0\x9F\x98\x80");
    check_line(pen_read_labels_bytes, "t.txt", high, sizeof high - 1, NULL, " labels 0 classes 7");
    check_line(pen_read_bytes, "t.txt", half, sizeof half - 1, NULL,
               "51 t.txt: UTF-16 text has half a character at byte 2");
}
