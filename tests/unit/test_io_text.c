/* test_io_text.c - text files: what is read, and what is rejected with which message. */
#include "test_io.h"

static const char *const marks[] = { "9", "none", "u" };

static void layout_is_found(void **state)
{
    static const struct table_reading readings[] = {
        { "1,2\n3,4\n", "1 2/3 4", { 0 } },
        { "1,2\r\n3,4", "1 2/3 4", { 0 } },
        { "1,2\r3,4\r", "1 2/3 4", { 0 } },
        { "1;2\n3;4\n", "1 2/3 4", { 0 } },
        { "1\t2\n3\t4\n", "1 2/3 4", { 0 } },
        { "  1.5e+00   -2\n  3  4  \n", "1.5 -2/3 4", { 0 } },
        { " 1 ,\t2\n3,4\n", "1 2/3 4", { 0 } },
        { "1\n2\n", "1/2", { 0 } },
        { "\n\n1,2\n \n3,4\n\n", "1 2/3 4", { 0 } },
        { "\xEF\xBB\xBF"
          "a,b\n1,2\n",
          "1 2 columns a,b",
          { 0 } },
        { "a,b\n1,2\n", "1 2 columns a,b", { 0 } },
        { "a,b\nNA,NA\n1,2\n", "1 2 columns a,b dropped 1", { .missing = PEN_MISSING_DROP } },
        { "1,2\n3,4\n", "3 4 columns 1,2", { .header = 1 } },
        { "1,b\n2,3\n", "51 t.csv:1:2: value must be a number, got \"b\"", { .header = -1 } },
        { "\"a\"\"b\",\"c,d\",\"e\nf\"\n\"1\",2,3\n", "1 2 3 columns a\"b,c,d,e\nf", { 0 } },
        { "\"\",\"V1\"\n\"r1\",5\n\"r2\",6\n", "5/6 columns V1 rows r1,r2", { 0 } },
        { ",V1\n0,5\n1,6\n", "5/6 columns V1 rows 0,1", { 0 } },
        { "V1 V2\nr1 1 2\nr2 3 4\n", "1 2/3 4 columns V1,V2 rows r1,r2 short header", { 0 } },
        { "n,a\nx,1\ny,2\n", "1/2 columns a rows x,y", { .name_column = "n" } },
        { "x,1\ny,2\n", "1/2 rows x,y", { .name_column = "-2" } },
        { "1 2;3\n", "3 rows 1 2", { .delimiter = ';', .name_column = "0" } },
        { "a;b;c\n1,5;2,5;u\n2,5;3;v\n",
          "1.5 2.5/2.5 3 labels 0 1 classes u,v columns a,b decimal commas",
          { .label_column = "c" } },
        { "a;b;c\n1,5;2,5;u\n2,5;3;v\n",
          "51 t.csv:2:1: value must be a number with a decimal point, got \"1,5\" in column a",
          { .label_column = "c", .decimal = '.' } },
        { "a;b\n1,5;2\n", "1.5 2 columns a,b decimal commas", { .delimiter = ';' } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

static const char *const index_0[] = { "0" }, *const name_v[] = { "v" }, *const index_1[] = { "1" },
                         *const last[] = { "-1" }, *const names_cv[] = { "c", "v" },
                         *const names_ca[] = { "c", "a" }, *const name_x[] = { "x" },
                         *const name_aa[] = { "a", "a" };

static void columns_are_dropped_kept_and_selected(void **state)
{
    static const struct table_reading readings[] = {
        { "a,v,c\n1,x,2\n3,,4\n", "1 2/3 4 columns a,c", { .drop = name_v, .drop_count = 1 } },
        { "a,v,c\n1,x,2\n3,y,4\n", "1 2/3 4 columns a,c", { .drop = index_1, .drop_count = 1 } },
        { "1,2,x\n3,4,y\n", "1 2/3 4", { .drop = last, .drop_count = 1 } },
        { "a,v,c\n1,x,2\nNA,z,7\n3,\"\"\"y,\",4\n",
          "1 2/3 4 columns a,c dropped 1 kept v texts x,\"y,",
          { .carry = name_v, .carry_count = 1, .missing = PEN_MISSING_DROP } },
        { "1,2,x\n3,4,y\n", "1 2/3 4 kept column2 texts x,y", { .carry = last, .carry_count = 1 } },
        { "a,v,c\n1,x,2\n3,y,4\n",
          "1/3 columns a kept v,c texts x,2,y,4",
          { .carry = names_cv, .carry_count = 2 } },
        { "a,v,c\n1,x,2\n3,y,4\n",
          "2 1/4 3 columns c,a left out v",
          { .select = names_ca, .select_count = 2 } },
        { "c,a\n1,2\n", "1 2 columns c,a", { .select = names_ca, .select_count = 2 } },
        { "1,2,3\n", "1 2 3", { .select = names_ca, .select_count = 2 } },
        { "a,a\n1,2\n", "1 2 columns a,a", { .select = name_aa, .select_count = 2 } },
        /* a first column without a name holds row names, unless it is dropped */
        { ",a\nr,1\n", "1 columns a", { .drop = index_0, .drop_count = 1 } },
        { "a,v,c\n1,2,3\n",
          "11 t.csv: no value column \"x\"",
          { .select = name_x, .select_count = 1 } },
        { "a,v,c\n1,2,3\n",
          "11 t.csv: no value column \"v\"",
          { .select = name_v, .select_count = 1, .drop = name_v, .drop_count = 1 } },
        { "a,c,a\n1,2,3\n",
          "51 t.csv: columns '#0' and '#2' are both named \"a\"",
          { .select = names_ca, .select_count = 2 } },
        { "a,c\n1,2\n",
          "11 t.csv: no value column \"a\"",
          { .select = name_aa, .select_count = 2 } },
        { "a,c\n1,2\n",
          "11 t.csv: no column to drop \"x\"; columns are 0 to 1, or by name: a, c",
          { .drop = name_x, .drop_count = 1 } },
        { "a,v\n1,2\n",
          "10 t.csv: column 1 cannot be both dropped and the labels",
          { .drop = name_v, .drop_count = 1, .label_column = "v" } },
        { "a,v\n1,2\n",
          "20 t.csv: no value columns besides the labels, the row names and columns left out",
          { .drop = name_v, .drop_count = 1, .carry = name_aa, .carry_count = 1 } },
        { "a\n1\n", "10 drop_count must be >= 0, got -1", { .drop_count = -1 } },
        { "a\n1\n", "10 carry must not be NULL", { .carry_count = 1 } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

/* Several label columns, each of a class: 1, and 0 or unlabelled in the others. */
static void classes_have_columns(void **state)
{
    static const struct table_reading readings[] = {
        { "x,a,b\n5,1,0\n6,0,1.0\n7,0,0\n8,,\n9,?,1\n",
          "5/6/7/8/9 labels 0 1 -1 -1 1 classes a,b columns x",
          { .label_column = "a,b" } },
        { "1,5,0\n0,6,1\n", "5/6 labels 0 1 classes column0,column2", { .label_column = "0,#2" } },
        { "\"a,b\",x\nu,1\nv,2\n",
          "1/2 labels 0 1 classes u,v columns x",
          { .label_column = "a,b" } },
        { "x,a,b\n5,1,0\n6,2,1\n",
          "51 t.csv:3: 2 in column a must be 1 in rows of this class, otherwise 0",
          { .label_column = "a,b" } },
        { "x,a,b\n5,1,1\n",
          "51 t.csv:2: 1 in the columns of two classes, a and b",
          { .label_column = "a,b" } },
        { "x,a,b\n5,1,1\n", "10 t.csv: column 1 is the labels twice", { .label_column = "a,a" } },
        { "x,a,b\n5,1,1\n",
          "11 t.csv: no label column \"c\"; columns are 0 to 2, or by name: x, a, b",
          { .label_column = "a,c" } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

/* Labels of several files, in which one has what the others leave out. */
static void labels_of_files_are_joined(void **state)
{
    int64_t numbers[] = { 0, 2, 1 };
    pen_table *first, *both;
    pen_error err;
    (void)state;
    pen_read_options options = { 0 };
    CHECK_OK(pen_read_labels_bytes("a", "b\n?\n\n", 5, NULL, &first, &err), &err);
    options.labels = first;
    CHECK_OK(pen_read_labels_bytes("b", "?\na\n-1\n", 7, &options, &both, &err), &err);
    assert_int_equal(both->class_count, 2);
    assert_memory_equal(both->labels, ((int32_t[]){ 1, 0, -1 }), 3 * sizeof(int32_t));
    pen_table_free(both);
    CHECK_STATUS(pen_read_labels_bytes("b", "c\na\n?\n", 6, &options, &both, &err), PEN_BAD_DATA,
                 "row 0 is labelled b elsewhere, and c here", &err);
    CHECK_STATUS(pen_read_labels_bytes("b", "b\na\n", 4, &options, &both, &err), PEN_BAD_DATA,
                 "3 rows are labelled elsewhere, and 2 here", &err);
    pen_table_free(first);
    const pen_table rows = { .x = { .rows = 2 }, .dropped_rows = 1, .row_numbers = numbers };
    options = (pen_read_options){ .rows = &rows };
    CHECK_OK(pen_read_labels_bytes("a", "b\nx\n?\n", 6, &options, &first, &err), &err);
    options.labels = first;
    CHECK_OK(pen_read_labels_bytes("b", "?\ny\na\n", 6, &options, &both, &err), &err);
    assert_int_equal(both->x.rows, 2);
    assert_memory_equal(both->labels, ((int32_t[]){ 1, 0 }), 2 * sizeof(int32_t));
    pen_table_free(first);
    pen_table_free(both);
}

/* A column is a name or a place; a place where it is no name. */
static void columns_are_named_or_counted(void **state)
{
    static const char *const place_0[] = { "#0" }, *const place_1[] = { "#1" };
    static const struct table_reading readings[] = {
        /* as pandas writes an array after a column of classes */
        { "y,0,1\n3,1,5\n4,2,6\n",
          "3 5/4 6 labels 0 1 classes 1,2 columns y,1",
          { .header = 1, .label_column = "0" } },
        { "y,0,1\na,1,5\nb,2,6\n",
          "1 5/2 6 labels 0 1 classes a,b columns 0,1",
          { .header = 1, .label_column = "#0" } },
        { "y,0,1\na,1,5\nb,2,6\n",
          "5/6 labels 0 1 classes a,b columns 1",
          { .header = 1, .label_column = "#-3", .drop = place_1, .drop_count = 1 } },
        /* a place that is also its name, or no place */
        { "0,1\n1,5\n2,6\n",
          "1/2 labels 0 1 classes 5,6 columns 0",
          { .header = 1, .label_column = "1" } },
        { "400,401\n1,5\n2,6\n",
          "1/2 labels 0 1 classes 5,6 columns 400",
          { .label_column = "401", .header = 1 } },
        { "x,#0\n1,5\n2,6\n", "5/6 labels 0 1 classes 1,2 columns #0", { .label_column = "#0" } },
        { "1,5\n2,6\n", "1/2 labels 0 1 classes 5,6", { .label_column = "#1" } },
        { "1,5\n",
          "11 t.csv: no label column \"#2\": the file has no header; columns are numbered "
          "from 0 to 1",
          { .label_column = "#2" } },
        /* an index without a name is no value where another column has the names */
        { ",a,n\n0,1,r\n1,2,s\n", "1/2 columns a rows r,s", { .name_column = "n" } },
        { "a n\n0 1 r\n1 2 s\n", "1/2 columns a rows r,s short header", { .name_column = "n" } },
        { ",a\nr,1\ns,2\n", "1/2 columns a rows r,s", { .name_column = "#0" } },
        /* one name of two columns */
        { "x,x\n1,2\n", "51 t.csv: columns '#0' and '#1' are both named \"x\"", { 0 } },
        { "\"x\",\" x\"\n1,2\n", "51 t.csv: columns '#0' and '#1' are both named \"x\"", { 0 } },
        { "x,,\n1,2,3\n", "51 t.csv: columns '#1' and '#2' are both named \"\"", { 0 } },
        { "x,k,k\n1,2,a\n",
          "51 t.csv: columns '#1' and '#2' are both named \"k\"",
          { .label_column = "#2" } },
        { "x,k,k\n1,2,a\n",
          "51 t.csv: this label column, k, may be column 1 or column 2: say '#1' or '#2'",
          { .label_column = "k" } },
        { "colours,kolor,color\n1,2,a\n",
          "11 t.csv: no label column \"colour\"; did you mean colours, color, kolor?",
          { .label_column = "colour" } },
        { "x,x\n1,2\n", "2 columns x", { .drop = place_0, .drop_count = 1 } },
        { "x,x\n1,2\n", "1 2", { .ignore_names = 1 } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

/* The numbers of the values' columns in the file; none where they are 0, 1, .. */
static void columns_keep_their_numbers(void **state)
{
    const char text[] = "a,v,c,w\n1,2,3,4\n";
    const pen_read_options dropped = { .drop = name_v, .drop_count = 1 },
                           turned = { .select = names_ca, .select_count = 2 },
                           last_dropped = { .drop = last, .drop_count = 1 };
    pen_table *table;
    pen_error err;

    (void)state;
    CHECK_OK(pen_read_bytes("t.csv", text, strlen(text), &dropped, &table, &err), &err);
    assert_int_equal(table->column_numbers[1], 2);
    assert_int_equal(table->column_numbers[2], 3);
    pen_table_free(table);
    CHECK_OK(pen_read_bytes("t.csv", text, strlen(text), &turned, &table, &err), &err);
    assert_int_equal(table->column_numbers[0], 2);
    assert_int_equal(table->column_numbers[1], 0);
    pen_table_free(table);
    CHECK_OK(pen_read_bytes("t.csv", text, strlen(text), &last_dropped, &table, &err), &err);
    assert_null(table->column_numbers);
    pen_table_free(table);
}

static void label_columns_become_codes(void **state)
{
    static const struct table_reading readings[] = {
        { "x,y\n1,b\n2,a\n3,b\n",
          "1/2/3 labels 1 0 1 classes a,b columns x",
          { .label_column = "y" } },
        { "x,y\n1,b\n2,a\n", "1/2 labels 1 0 classes a,b columns x", { .label_column = "-1" } },
        { "5.1,setosa\n4.9,virginica\n",
          "5.1/4.9 labels 0 1 classes setosa,virginica",
          { .label_column = "1" } },
        { "x,y\n1,10\n2,9\n3,-5\n",
          "1/2/3 labels 2 1 0 classes -5,9,10 columns x",
          { .label_column = "y" } },
        { "x,y\n1,10\n2,9\n3,z\n",
          "1/2/3 labels 0 1 2 classes 10,9,z columns x",
          { .label_column = "y" } },
        /* labels are text: different spellings are different classes, sorted as numbers */
        { "x,y\n1,3\n2,3.0\n3,+3e0\n4,03\n5,2\n",
          "1/2/3/4/5 labels 3 3 1 2 0 classes 2,+3e0,03,3 columns x",
          { .label_column = "y" } },
        { "x,y\n1,1\n2,01\n3,001\n4,1\n",
          "1/2/3/4 labels 2 1 0 2 classes 001,01,1 columns x",
          { .label_column = "y" } },
        { "x,y\n1,-0\n2,0\n", "1/2 labels 0 0 classes 0 columns x", { .label_column = "y" } },
        /* as pandas writes an integer column with missing values */
        { "x,y\n1,1.0\n2,\n3,2.0\n4,NaN\n5,10.0\n6,-1.0\n",
          "1/2/3/4/5/6 labels 0 -1 1 -1 2 -1 classes 1,2,10 columns x",
          { .label_column = "y" } },
        { "x,y\n1,-1\n2,-1.0\n3,\n4,NA\n5,nan\n6,?\n7,1\n",
          "1/2/3/4/5/6/7 labels -1 -1 -1 -1 -1 -1 0 classes 1 columns x",
          { .label_column = "y" } },
        { "x,y\n1,-1\n2,?\n", "1/2 labels -1 -1 columns x", { .label_column = "y" } },
        { "x,y\n1,9\n2,9.0\n3,8\n",
          "1/2/3 labels -1 -1 0 classes 8 columns x",
          { .label_column = "y", .unlabelled = marks, .unlabelled_count = 1 } },
        { "x,y\n1,none\n2,8\n",
          "1/2 labels -1 0 classes 8 columns x",
          { .label_column = "y", .unlabelled = marks + 1, .unlabelled_count = 1 } },
        { "x,y\n1,9007199254740993\n2,9007199254740992\n",
          "1/2 labels 1 0 classes 9007199254740992,9007199254740993 columns x",
          { .label_column = "y" } },
        { "x,y\n1,\"a \"\"q\"\"\"\n2,a\n",
          "1/2 labels 1 0 classes a,a \"q\" columns x",
          { .label_column = "y" } },
        { "x,y\n1,a\nNA,c\n2,b\n",
          "1/2 labels 0 1 classes a,b columns x dropped 1",
          { .label_column = "y", .missing = PEN_MISSING_DROP } },
        { ",y,x\nr,a,1\n", "1 labels 0 classes a columns x rows r", { .label_column = "y" } },
        { "x,1,2\n5,6,7\n", "5 7 labels 0 classes 6 columns x,2", { .label_column = "1" } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

static void missing_values_are_treated(void **state)
{
    static const char *const texts[] = { "t" };
    static const struct table_reading readings[] = {
        { "1,NA\n2,4\n3,\n", "1 4/2 4/3 4 filled 2", { .missing = PEN_MISSING_MEAN } },
        { "1,?\n2,4\nnan,6\n", "1 5/2 4/1.5 6 filled 2", { .missing = PEN_MISSING_MEAN } },
        { "1,?\n2,4\nNaN,6\n", "2 4 dropped 2", { .missing = PEN_MISSING_DROP } },
        { "1.7e308\n1.7e308\nNA,\n",
          "51 t.csv:3: expected 1 cells, as in line 1, got 2",
          { .missing = PEN_MISSING_MEAN } },
        { "1,-1.7976931348623157e308\n1,-1.7976931348623157e308\n1,-1.7976931348623157e308\n1,NA\n",
          "1 -1.79769313e+308/1 -1.79769313e+308/1 -1.79769313e+308/1 -1.79769313e+308 filled 1",
          { .missing = PEN_MISSING_MEAN } },
        { "1,1.7e308\n1,1.7e308\n1,NA\n",
          "1 1.7e+308/1 1.7e+308/1 1.7e+308 filled 1",
          { .missing = PEN_MISSING_MEAN } },
        { "1,na\n", "51 t.csv:1:2: value is missing, got \"na\"", { 0 } },
        { "1,\n", "51 t.csv:1:2: value is missing, got \"\"", { 0 } },
        { "1,nan\n", "51 t.csv:1:2: value is missing, got \"nan\"", { 0 } },
        { "NA,1\n?,2\n", "0 1/0 2", { .missing = PEN_MISSING_MEAN } },
        { "k,x,y\na,,1\nb,?,2\n",
          "20 t.csv: no rows left: column 1 x has no value",
          { .missing = PEN_MISSING_DROP, .label_column = "k" } },
        { "1,?\n,2\n",
          "20 t.csv: no rows left: all 2 have missing values",
          { .missing = PEN_MISSING_DROP } },
        { "n,x,t,k,y\nr,1,a,p,?\ns,2,b,q,4\nu,?,c,p,5\nv,6,d,q,7\n",
          "2 4/6 7 labels 0 0 classes q columns x,y rows s,v dropped 2 kept t texts b,d",
          { .missing = PEN_MISSING_DROP,
            .label_column = "k",
            .name_column = "n",
            .carry = texts,
            .carry_count = 1 } },
        { "1,inf\n",
          "51 t.csv:1:2: value must be finite, got \"inf\"",
          { .missing = PEN_MISSING_MEAN } },
        { "1,1e999\n",
          "51 t.csv:1:2: value must be finite, got \"1e999\"",
          { .missing = PEN_MISSING_DROP } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

/* Blocks may be without rows: the header has the columns. */
static void rows_may_be_none(void **state)
{
    static const struct table_reading readings[] = {
        { "a,b\n", " columns a,b", { .allow_empty = 1 } },
        { "# a,b\n", " columns a,b", { .allow_empty = 1 } },
        { "a,b,y", " labels columns a,b", { .label_column = "y", .allow_empty = 1 } },
        { "1,2\n", " columns 1,2", { .header = 1, .allow_empty = 1 } },
        { "1,2\n", "1 2", { .allow_empty = 1 } },
        { "NA,1\n?,2\n", " dropped 2", { .missing = PEN_MISSING_DROP, .allow_empty = 1 } },
        { "a,b\n",
          "11 t.csv: no label column \"y\"; columns are 0 to 1, or by name: a, b",
          { .label_column = "y", .allow_empty = 1 } },
        { "", "20 t.csv: the file is empty", { .allow_empty = 1 } },
    };
    static const struct {
        const char *text;
        int skip;
    } lists[] = { { "", 0 }, { "y\n", 1 } };
    pen_table *table;
    pen_error err;

    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
    for (size_t i = 0; i < COUNT(lists); i++) {
        const pen_read_options options = { .header = lists[i].skip ? 1 : 0, .allow_empty = 1 };
        CHECK_OK(pen_read_labels_bytes("t.txt", lists[i].text, strlen(lists[i].text), &options,
                                       &table, &err),
                 &err);
        CHECK(table->x.rows == 0 && table->labels && table->class_count == 0, "\"%s\"",
              lists[i].text);
        pen_table_free(table);
    }
}

static void mistakes_are_named(void **state)
{
    static const struct table_reading readings[] = {
        { "", "20 t.csv: the file is empty", { 0 } },
        { "\n \n", "20 t.csv: no rows, only blank lines", { 0 } },
        { "a,b\n", "20 t.csv: no rows, only a header", { 0 } },
        { "1,2\n", "20 t.csv: no rows, only a header", { .header = 1 } },
        { "y\n1\n2\n",
          "20 t.csv: no value columns besides the labels, the row names and columns left out",
          { .label_column = "y" } },
        { "1,2\n3,abc\n", "51 t.csv:2:2: value must be a number, got \"abc\"", { 0 } },
        { "1,2\n3,0x10\n", "51 t.csv:2:2: value must be a number, got \"0x10\"", { 0 } },
        { "1,2\n3\n", "51 t.csv:2: expected 2 cells, as in line 1, got 1", { 0 } },
        { "1,2\n\n3,4,5\n", "51 t.csv:3: expected 2 cells, as in line 1, got 3", { 0 } },
        { "a,b\n1,2,3,4\n",
          "51 t.csv:1: the header must have 4 cells, like the rows, got 2",
          { 0 } },
        { "a,b\n\"1\n2\",3\n4,x\n",
          "51 t.csv:2:1: value must be a number, got \"1 2\" in column a",
          { 0 } },
        { "n,b\n\"1\n2\",3\n4,x\n",
          "51 t.csv:4:2: value must be a number, got \"x\" in column b",
          { .name_column = "n" } },
        { "1,\"2\n3,4\n", "51 t.csv:1:2: missing closing quote", { 0 } },
        { "1,2\n\"3\"x,4\n",
          "51 t.csv:2:1: only a delimiter or the end of the line may follow a closing quote",
          { 0 } },
        { "1,2\n3,0123456789012345678901234567890123456789012345678901\n",
          "1 2/3 1.23456789e+50",
          { 0 } },
        { "1,2\n3,x123456789012345678901234567890123456789012345678901\n",
          "51 t.csv:2:2: value must be a number, got "
          "\"x1234567890123456789012345678901234567890123...\"",
          { 0 } },
        { "x,y\n1,2\n",
          "11 t.csv: no label column \"z\"; columns are 0 to 1, or by name: x, y",
          { .label_column = "z" } },
        { "1,2\n",
          "11 t.csv: no row name column \"2\": the file has no header; columns are numbered from 0 "
          "to 1",
          { .name_column = "2" } },
        { "1,2\n",
          "11 t.csv: no label column \"-3\": the file has no header; columns are numbered from 0 "
          "to 1",
          { .label_column = "-3" } },
        { "x,y\n1,2\n",
          "10 t.csv: column 1 cannot be both the labels and the row names",
          { .label_column = "y", .name_column = "1" } },
        { "1,2\n", "10 header must be -1, 0 or 1, got 3", { .header = 3 } },
        { "1,2\n",
          "10 options.reserved must be zero: it is for options that this version does not have",
          { .reserved = { 0, 0, 0, 0, 0, 0, 0, 1 } } },
        { "1,2\n", "10 missing must be one of pen_missing, got 4", { .missing = (pen_missing)4 } },
        { "\xFF\xFE"
          "1",
          "51 t.csv: this is UTF-16 text; convert it to UTF-8: iconv -f UTF-16 -t UTF-8 t.csv >NEW",
          { 0 } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
    check_line(pen_read_bytes, "t.csv", "a\0b,1\n", 6, &(pen_read_options){ .label_column = "0" },
               "51 t.csv:1:1: text must not contain a NUL byte");
}

static void formats_are_recognized(void **state)
{
    (void)state;
    check_line(pen_read_bytes, "t", "1,2\n", 4, NULL, "1 2");
    check_line(pen_read_bytes, "t.npy", "1,2\n", 4, NULL, "1 2");
    check_line(pen_read_bytes, "t.csv", "1 1:2\n", 6, NULL, "2 labels 0 classes 1");
    check_line(pen_read_bytes, "t.CSV", "\0\n\0\n", 4, NULL,
               "51 t.CSV:1:1: value must be a number, got \" \"; columns of words, "
               "counted from 0: 0");
    check_line(pen_read_bytes, "t.mtx", "%%MatrixMarket matrix array real general\n%\x80\n1 1\n1\n",
               50, NULL,
               "51 t.mtx:2: this is not text in UTF-8; convert it, such as from Windows in western "
               "Europe: iconv -f WINDOWS-1252 -t UTF-8 t.mtx >NEW");
    check_line(pen_read_bytes, "t.svm", "\0\n", 2, NULL,
               "51 t.svm:1: a label must not contain a NUL byte");
    check_line(
        pen_read_bytes, "t", "\0\n", 2, NULL,
        "11 t: neither the content nor the extension matches a known format; the formats are "
        "npz, mtx, npy, libsvm, text");
}

static void lists_of_labels_are_read(void **state)
{
    static const struct table_reading readings[] = {
        { "1\n2\n-1\n2.0\n", " labels 0 1 -1 1 classes 1,2", { 0 } },
        { "  1.0e+00\r\n -1.0e+00\r\n", " labels 0 -1 classes 1", { 0 } },
        { "y\n1\n?\n", " labels 0 -1 classes 1", { 0 } },
        { "y\n1\n?\n", " labels 1 0 -1 classes 1,y", { .header = -1 } },
        { "7\n1\n", " labels 0 classes 1", { .header = 1 } },
        { "b\na b\n\"c,\"\"d\"\n", " labels 1 0 2 classes a b,b,c,\"d", { 0 } },
        /* an empty line is an unlabelled row */
        { "1\n\n2\n\n", " labels 0 -1 1 -1 classes 1,2", { 0 } },
        { "-1\n-1\n", " labels -1 -1", { 0 } },
        { "u\n1\n",
          " labels -1 0 classes 1",
          { .unlabelled = marks + 2, .unlabelled_count = 1, .header = -1 } },
        { "y\n", "20 t.csv: no labels, only a header", { .header = 1 } },
        { "1\n\"2\n", "51 t.csv:2:1: missing closing quote", { 0 } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_labels_bytes);
}

/* One label per line, which may contain blanks and even a comma; rows of several cells are
 * rejected. */
static void tables_are_not_lists_of_labels(void **state)
{
    static const struct table_reading readings[] = {
        { "title\na\nb\n", " labels 0 1 classes a,b", { .skip = 1 } },
        { "a\nb\n", "10 t.csv: a file of labels is not transposed", { .transpose = 1 } },
        { "New York\nParis\nNew York\n", " labels 0 1 0 classes New York,Paris", { 0 } },
        { "Type 1\nType 2\n", " labels 0 1 classes Type 1,Type 2", { 0 } },
        { "1 st\n2 nd\n2 nd\n", " labels 0 1 1 classes 1 st,2 nd", { 0 } },
        { "a\nb, c\nd\n", " labels 0 1 2 classes a,b, c,d", { 0 } },
        { "\"a, b\"\n\"c, d\"\n", " labels 0 1 classes a, b,c, d", { 0 } },
        { "\"1 2\"\n\"2 3\"\n", " labels 0 1 classes 1 2,2 3", { 0 } },
        { "\n1\t2\t3\n1\t3\t4\n1\t4\t5\n",
          "51 t.csv:2: expected one label per line, or a row and its class, got 3 cells; quote "
          "labels that contain tabs",
          { 0 } },
        { "0,a\n1,b\n2,a\n", "20 t.csv: its lines name rows, and there are none", { 0 } },
        { "1 0 0\n0 1 0\n",
          "51 t.csv:1: expected one label per line, or a row and its class, got 3 cells; quote "
          "labels that contain blanks",
          { 0 } },
        { "+1 1:0.5 3:2\n-1 2:1\n",
          "51 t.csv: expected one label per line, got libsvm rows, which include their labels",
          { 0 } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_labels_bytes);
}

/* A few lines for a few rows, which they name. */
static void lines_of_labels_name_rows(void **state)
{
    static char *names[] = { "c1", "c2", "1", "c2", "0" };
    static const struct pen_table named = { .x = { .rows = 3 }, .row_names = names },
                                  twice = { .x = { .rows = 5 }, .row_names = names },
                                  plain = { .x = { .rows = 4 } };
    static const struct table_reading readings[] = {
        { "c2,b\n1,a\n", " labels -1 1 0 classes a,b", { .rows = &named } },
        { "row,class\n1,a\n", " labels -1 0 -1 classes a", { .rows = &named } },
        { "name\tclass\n1\ta\n", " labels -1 -1 0 classes a", { .rows = &named } },
        { ",kind\nc1,a\nc2,NA\n", " labels 0 -1 -1 classes a", { .rows = &named } },
        { "id;species\n\"c1\";\"a;b\"\n",
          " labels 0 -1 -1 classes a;b",
          { .rows = &named, .name_column = "id" } },
        { "row,guess,p,class,name\n0,x,1,a,c2\n", " labels -1 0 -1 classes a", { .rows = &named } },
        { "row,guess,p,class,name\n3,x,1,a,\n\n1,y,1,,\n",
          " labels -1 -1 -1 0 classes a",
          { .rows = &plain } },
        { "3 a\n2 b\n", " labels 1 0 classes 2 b,3 a", { .rows = &plain } },
        { "0 a\n1 b\n", " labels 0 1 -1 -1 classes a,b", { .rows = &plain } },
        { "class,p\na,1\n,.5\nb,1\n", " labels 0 -1 1 classes a,b", { .rows = &plain } },
        { "id,class\n1,a\nc2,b\nc1,b\n", " labels 1 1 0 classes a,b", { .rows = &named } },
        { "class;p;id\na;c2;1\nb;c1;1\n", " labels 1 0 -1 classes a,b", { .rows = &named } },
        { "id,class\n3,a\n1,b\n2,a\n0,b\n", " labels 1 1 0 0 classes a,b", { .rows = &plain } },
        { "class\na\nb\n", " labels 0 1 classes a,b", { .rows = &plain } },
        { "c1,a\nc9,b\n", "20 t.csv:2: no row is named \"c9\"", { .rows = &named } },
        { "c1,a\n\nc1,a\n",
          "20 t.csv:3: the row \"c1\" has a label in line 1 already",
          { .rows = &named } },
        { "c2,a\n", "20 t.csv:1: more than one row is named \"c2\"", { .rows = &twice } },
        { "0,a\n4,a\n",
          "20 t.csv:2: a row number must be in [0, 3], got \"4\"",
          { .rows = &plain } },
        { "row,class\n0,a\n-1,b\n",
          "20 t.csv:3: a row number must be in [0, 3], got \"-1\"",
          { .rows = &plain } },
        { "row,class\n0,a\n0.0,b\n",
          "20 t.csv:3: the row \"0.0\" has a label in line 2 already",
          { .rows = &plain } },
        { "name,class\n0,a\n",
          "20 t.csv:2: no row is named \"0\": the rows have no names",
          { .rows = &plain } },
        { "0,a\n1,a\n2\n",
          "51 t.csv:3:2: expected 2 cells, as in line 1, got 1",
          { .rows = &plain } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_labels_bytes);
}

/* Codes depend on the set of labels, not on their order. */
static void codes_do_not_depend_on_the_order(void **state)
{
    static const char *const words[] = { "10", "9", "x", "-1", "2.50", "2.5", "?", "b", "a" };
    pen_rng rng = check_rng(1);
    (void)state;
    for (int repeat = 0; repeat < check_repeats(50); repeat++) {
        int64_t order[COUNT(words)];
        char text[256] = "";
        pen_table *table = NULL;
        pen_error err;
        pen_rng_permutation(&rng, COUNT(words), order);
        for (size_t i = 0; i < COUNT(words); i++)
            strcat(strcat(text, words[order[i]]), "\n");
        CHECK_OK(pen_read_labels_bytes("t", text, strlen(text), NULL, &table, &err), &err);
        assert_int_equal(table->class_count, 7);
        for (size_t i = 0; i < COUNT(words); i++) {
            const char *word = words[order[i]],
                       *name = table->labels[i] < 0 ? "none" : table->class_names[table->labels[i]];
            const char *expected = strchr("-?", word[0]) ? "none" : word;
            CHECK(strcmp(name, expected) == 0, "label %s has the name %s", word, name);
        }
        pen_table_free(table);
    }
}

/* More classes than fit in the initial hash table. */
static void many_classes(void **state)
{
    enum { CLASSES = 5000 };
    char *text = check_allocate(CLASSES * 2, 16), *p = text;
    pen_table *table = NULL;
    pen_error err;
    (void)state;
    for (int i = 0; i < 2 * CLASSES; i++)
        p += sprintf(p, "%d\n", (i * 7919) % CLASSES);
    CHECK_OK(pen_read_labels_bytes("t", text, strlen(text), NULL, &table, &err), &err);
    assert_int_equal(table->class_count, CLASSES);
    for (int i = 0; i < 2 * CLASSES; i++)
        assert_int_equal(table->labels[i], (i * 7919) % CLASSES);
    pen_table_free(table);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout_is_found),
        cmocka_unit_test(columns_are_dropped_kept_and_selected),
        cmocka_unit_test(columns_are_named_or_counted),
        cmocka_unit_test(columns_keep_their_numbers),
        cmocka_unit_test(classes_have_columns),
        cmocka_unit_test(labels_of_files_are_joined),
        cmocka_unit_test(label_columns_become_codes),
        cmocka_unit_test(missing_values_are_treated),
        cmocka_unit_test(rows_may_be_none),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(formats_are_recognized),
        cmocka_unit_test(lists_of_labels_are_read),
        cmocka_unit_test(tables_are_not_lists_of_labels),
        cmocka_unit_test(lines_of_labels_name_rows),
        cmocka_unit_test(codes_do_not_depend_on_the_order),
        cmocka_unit_test(many_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
