/* test_io_words.c - columns of words as categories, and labels as a group of columns. */
#include "test_io.h"

static const char *const color[] = { "color" }, *const first[] = { "0" }, *const absent[] = { "z" },
                         *const blue_red[] = { "blue", "red" }, *const same[] = { "red", "red" },
                         *const x_color_y[] = { "x", "color", "y" }, *const y[] = { "y" },
                         *const unknown[] = { "unknown" };

static const pen_categorical of_color[] = { { "color", 1, 2, blue_red } },
                             of_first[] = { { NULL, 0, 2, blue_red } },
                             of_same[] = { { "color", 0, 2, same } },
                             beyond[] = { { "color", 9, 2, blue_red } };

static void words_become_columns(void **state)
{
    static const struct table_reading readings[] = {
        { "x,color,y\n1,red,2\n3,blue,4\n5,red,6\n",
          "1 0 1 2/3 1 0 4/5 0 1 6 columns x,color=blue,color=red,y color at 1 are blue,red",
          { .one_hot = color, .one_hot_count = 1 } },
        { "red,1\nblue,2\n",
          "0 1 1/1 0 2 words at 0 are blue,red",
          { .one_hot = first, .one_hot_count = 1 } },
        { "red,1\nblue,2\n", "0 1 1/1 0 2 words at 0 are blue,red", { .one_hot_auto = 1 } },
        /* numbers in their order, whatever their notation; 01 is another text */
        { "x,color\n1,10\n2,9\n3,9.0\n4,-1\n",
          "1 0 0 1/2 0 1 0/3 0 1 0/4 1 0 0 columns x,color=-1,color=9,color=10 color at 1 are "
          "-1,9,10",
          { .one_hot = color, .one_hot_count = 1 } },
        { "x,color\n1,1\n2,01\n3,1.0\n",
          "1 0 1/2 1 0/3 0 1 columns x,color=01,color=1 color at 1 are 01,1",
          { .one_hot = color, .one_hot_count = 1 } },
        /* missing values */
        { "x,color\n1,red\n2,\n",
          "51 t.csv:3:2: value is missing, got \"\"",
          { .one_hot_auto = 1 } },
        { "x,color\n1,red\n2,\n3,blue\n4,red\n",
          "1 0 1/2 0.333333333 0.666666667/3 1 0/4 0 1 columns x,color=blue,color=red filled 1 "
          "color at 1 are blue,red",
          { .one_hot_auto = 1, .missing = PEN_MISSING_MEAN } },
        { "x,color\n1,red\nNA,green\n3,blue\n",
          "1 0 1/3 1 0 columns x,color=blue,color=red dropped 1 color at 1 are blue,red",
          { .one_hot_auto = 1, .missing = PEN_MISSING_DROP } },
        { "x,color\n1,None\n2,unknown\n3,blue\n",
          "1 1 0/3 0 1 columns x,color=None,color=blue dropped 1 color at 1 are None,blue",
          { .one_hot_auto = 1, .missing = PEN_MISSING_DROP, .na = unknown, .na_count = 1 } },
        /* quotes; a column that is a label, kept or selected */
        { "x,color\n1,\"a \"\"b\"\"\"\n2,\"c,d\"\n",
          "1 1 0/2 0 1 columns x,color=a \"b\",color=c,d color at 1 are a \"b\",c,d",
          { .one_hot_auto = 1 } },
        { "x,color\n1,red\n2,blue\n",
          "1/2 labels 1 0 classes blue,red columns x",
          { .one_hot_auto = 1, .label_column = "color" } },
        { "y,color,x\n1,red,2\n",
          "2 1 1 columns x,color=red,y color at 1 are red",
          { .one_hot_auto = 1, .select = x_color_y, .select_count = 3 } },
        { "y,color,x\n1,red,2\n",
          "1 columns y left out color,x",
          { .one_hot_auto = 1, .select = y, .select_count = 1 } },
        { "x,y\n1,2\n", "1 2 columns x,y", { .one_hot_auto = 1 } },
        { "x,color\n1,red\n",
          "10 t.csv: column 1 cannot be both the labels and one-hot",
          { .one_hot = color, .one_hot_count = 1, .label_column = "color" } },
        { "x,color\n1,red\n",
          "11 t.csv: no one-hot column \"z\"; columns are 0 to 1, or by name: x, color",
          { .one_hot = absent, .one_hot_count = 1 } },
        { "id,x\na,1\nb,2\nc,3\nd,4\n",
          "20 t.csv: column \"id\" has 4 different words in 4 rows, too many for categories; leave "
          "it out, or ask for it by name",
          { .one_hot_auto = 1 } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

/* As the rows of a model were read. */
static void words_of_a_model(void **state)
{
    static const struct table_reading readings[] = {
        { "x,color,y\n1,red,2\n3,red,4\n",
          "1 0 1 2/3 0 1 4 columns x,color=blue,color=red,y color at 1 are blue,red",
          { .categorical = of_color, .categorical_count = 1 } },
        { "color,y,more,x\nred,2,z,1\n",
          "1 0 1 2 columns x,color=blue,color=red,y left out more color at 1 are blue,red",
          { .categorical = of_color,
            .categorical_count = 1,
            .select = x_color_y,
            .select_count = 3 } },
        { "1,red,2\n3,blue,4\n",
          "1 0 1 2/3 1 0 4 color at 1 are blue,red",
          { .categorical = of_color, .categorical_count = 1 } },
        { "red\nblue\n",
          "0 1/1 0 words at 0 are blue,red",
          { .categorical = of_first, .categorical_count = 1, .header = PEN_HEADER_NO } },
        { "x,color\n1,mauve\n",
          "51 t.csv:2:2: the model has no category \"mauve\" of the column \"color\", only blue, "
          "red",
          { .categorical = of_color, .categorical_count = 1 } },
        { "x,color\n1,mauve\n2,red\n",
          "1 0 0/2 0 1 columns x,color=blue,color=red color at 1 are blue,red unseen 1",
          { .categorical = of_color, .categorical_count = 1, .unseen = PEN_UNSEEN_ZERO } },
        { "x\n1\n",
          "20 t.csv: expected more than 1 value columns, as the model was fitted on, got 1",
          { .categorical = of_color, .categorical_count = 1 } },
        { "x\n1\n",
          "20 t.csv: expected more than 9 value columns, as the model was fitted on, got 1",
          { .categorical = beyond, .categorical_count = 1 } },
        { "x\n1\n",
          "10 categorical[0].categories must be different texts",
          { .categorical = of_same, .categorical_count = 1 } },
        { "x\n1\n", "10 categorical must not be NULL", { .categorical_count = 1 } },
        { "x\n1\n", "10 unseen must be one of pen_unseen, got 2", { .unseen = (pen_unseen)2 } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

/* The order of the rows does not matter, and neither does how many there are: the hash table grows
 * and the names are those that sorting gives. */
static void many_categories_are_sorted(void **state)
{
    enum { WORDS = 1000, ROWS = 3000 };
    static char text[ROWS * 16];
    size_t used = (size_t)snprintf(text, sizeof text, "color,x\n");
    pen_table *table;
    pen_error err;

    (void)state;
    for (int i = 0; i < ROWS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "w%03d,%d\n",
                                 (i * 617 + 13) % WORDS, i);
    const pen_read_options options = { .one_hot = color, .one_hot_count = 1 };
    CHECK_OK(pen_read_bytes("t.csv", text, used, &options, &table, &err), &err);
    assert_int_equal(table->x.cols, WORDS + 1);
    assert_int_equal(table->categorical[0].count, WORDS);
    for (int c = 0; c < WORDS; c++) {
        char word[8], name[16];
        snprintf(word, sizeof word, "w%03d", c);
        snprintf(name, sizeof name, "color=%s", word);
        assert_string_equal(table->categorical[0].categories[c], word);
        assert_string_equal(table->column_names[c], name);
        assert_int_equal(table->column_numbers[c], 0);
    }
    for (int i = 0; i < ROWS; i++)
        for (int c = 0; c < WORDS; c++)
            assert_true(table_value(&table->x, (int64_t)i * (WORDS + 1) + c)
                        == (c == (i * 617 + 13) % WORDS));
    assert_int_equal(table->column_numbers[WORDS], 1);
    pen_table_free(table);
}

/* ---- labels ---- */

static const char *const abc[] = { "A", "B", "C" }, *const last_two[] = { "-2", "-1" };

static void label_columns_are_a_group(void **state)
{
    static const struct table_reading readings[] = {
        { "x,C,A,B\n1,0,1,0\n2,1,0,0\n3,0.0,0,1.0\n",
          "1/2/3 labels 0 2 1 classes A,B,C columns x",
          { .label_columns = abc, .label_column_count = 3 } },
        { "x,A,B,C\n1,TRUE,FALSE,False\n2,false,False,True\n3,,NA,\n",
          "1/2/3 labels 0 1 -1 classes A,C columns x",
          { .label_columns = abc, .label_column_count = 3 } },
        { "1,1,0\n2,0,1\n",
          "1/2 labels 0 1 classes 1,2",
          { .label_columns = last_two, .label_column_count = 2 } },
        { "x,A,B,C\n1,1,0,0\n2,1,0,1\n",
          "51 t.csv:3: exactly one of the 3 label columns must be 1, got 2",
          { .label_columns = abc, .label_column_count = 3 } },
        { "x,A,B,C\n1,0,0,0\n",
          "51 t.csv:2: exactly one of the 3 label columns must be 1, got 0",
          { .label_columns = abc, .label_column_count = 3 } },
        { "x,A,B,C\n1,0,1,\n",
          "51 t.csv:2: exactly one of the 3 label columns must be 1, got 1 and missing values",
          { .label_columns = abc, .label_column_count = 3 } },
        { "x,A,B,C\n1,2,0,0\n",
          "51 t.csv:2:2: a label column must have 1 for the class of the row and 0 for others, got "
          "\"2\"",
          { .label_columns = abc, .label_column_count = 3 } },
        { "x,A,B,C\n1,a,0,0\n",
          "51 t.csv:2:2: a label column must have 1 for the class of the row and 0 for others, got "
          "\"a\"",
          { .label_columns = abc, .label_column_count = 3 } },
        { "x,A,A\n1,1,0\n",
          "51 t.csv: label columns must have different names, got \"A\" twice",
          { .label_columns = last_two, .label_column_count = 2 } },
        { "x,A\n1,1\n",
          "10 label_columns must be two or more, one for each class, got 1; a column of classes is "
          "label_column",
          { .label_columns = abc, .label_column_count = 1 } },
        { "x,A,B\n1,1,0\n",
          "10 label_column and label_columns are mutually exclusive",
          { .label_columns = abc, .label_column_count = 2, .label_column = "x" } },
    };
    (void)state;
    check_table_readings(readings, COUNT(readings), pen_read_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_become_columns),
        cmocka_unit_test(words_of_a_model),
        cmocka_unit_test(many_categories_are_sorted),
        cmocka_unit_test(label_columns_are_a_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
