/* test_facts.c - the facts that a model stores about its fit, as values, and the hints of
 * errors. */
#define _POSIX_C_SOURCE 200809L

#include "kit/check_fit.h"

#include <stdio.h>
#include <unistd.h>

static const pen_fact *find(const pen_facts *facts, const char *name, pen_fact_type type)
{
    const pen_fact *const fact = pen_fact_named(facts, name);

    assert_non_null(fact);
    assert_string_equal(fact->name, name);
    CHECK(fact->type == type, "%s has type %d, expected %d", name, (int)fact->type, (int)type);
    return fact;
}

/* ---- a model ---- */

static void check_facts(const pen_model *model)
{
    const pen_facts *const parameters = pen_model_parameter_facts(model), *const info =
                                                                              pen_model_info_facts(
                                                                                  model);

    assert_string_equal(find(parameters, "scale", PEN_FACT_TEXT)->text, "standard");
    assert_null(find(parameters, "scale", PEN_FACT_TEXT)->numbers);
    CHECK(find(parameters, "dim", PEN_FACT_NUMBER)->numbers[0] == 2, "dim is not 2");
    CHECK(find(parameters, "allow_fewer", PEN_FACT_FLAG)->numbers[0] == 1, "the flag is not set");
    CHECK(find(info, "rows", PEN_FACT_NUMBER)->numbers[0] == 60, "rows is not 60");
    const pen_fact *const objective = find(info, "objective", PEN_FACT_NUMBERS);
    CHECK((double)objective->count == find(info, "iterations", PEN_FACT_NUMBER)->numbers[0],
          "%lld values of the objective", (long long)objective->count);
    for (int64_t i = 1; i < objective->count; i++)
        CHECK(objective->numbers[i] <= objective->numbers[i - 1], "value %lld is larger",
              (long long)i);
    assert_null(objective->text);
    assert_null(pen_fact_named(info, "no such fact"));
}

/* Parameters come in the order of the method's own list, after a fit and after loading a file. */
static void model_facts(void **state)
{
    pen_rng rng = check_rng(9301);
    sample s = sample_random(&rng, 60, 5, 3, 20);
    char path[] = "facts-XXXXXX";
    const int file = mkstemp(path);
    pen_model *back;
    pen_error err;
    (void)state;

    const pen_data data = sample_data(&s);
    pen_model *const model = fit_data("salwe scale=standard dim=2 allow_fewer=true", &data);
    check_facts(model);
    const pen_method *const method = pen_method_named("salwe");
    const pen_facts *const parameters = pen_model_parameter_facts(model);
    int64_t listed = 0;
    /* those of kernels if there is one */
    for (int64_t i = 0; method->params[i].name; i++)
        if (strncmp(method->params[i].name, "kernel", 6) != 0)
            assert_string_equal(parameters->list[listed++].name, method->params[i].name);
    assert_int_equal(listed, parameters->count);
    CHECK_OK(pen_model_save(model, path, &err), &err);
    CHECK_OK(pen_model_load(path, &back, &err), &err);
    check_facts(back);
    pen_model_free(model);
    pen_model_free(back);
    sample_free(&s);
    close(file);
    remove(path);
}

static void no_facts(void **state)
{
    (void)state;
    assert_null(pen_model_parameter_facts(NULL));
    assert_null(pen_model_info_facts(NULL));
    assert_null(pen_fact_named(NULL, "rows"));
    assert_null(pen_fact_named(&(pen_facts){ .list = NULL }, NULL));
}

/* ---- hints ---- */

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void check_pair_hint(const char *path, const char *text, pen_link link, int hints)
{
    pen_pairs *pairs;
    pen_error err;

    write_file(path, text);
    CHECK_STATUS(pen_read_pairs(path, link, 0, &pairs, &err), PEN_BAD_FORMAT, "", &err);
    CHECK(err.hints == hints, "hints are %d, expected %d: %s", err.hints, hints, err.message);
}

static void file_hints(void **state)
{
    char path[] = "hints-XXXXXX";
    const int file = mkstemp(path);
    pen_table *table;
    pen_error err;
    (void)state;

    write_file(path, "1,2,a\n3,4,b\n");
    CHECK_STATUS(pen_read(path, NULL, &table, &err), PEN_BAD_FORMAT, "", &err);
    CHECK(err.hints == PEN_HINT_LABEL_COLUMN, "hints are %d", err.hints);
    write_file(path, "1,2\n3,inf\n");
    CHECK_STATUS(pen_read(path, NULL, &table, &err), PEN_BAD_FORMAT, "finite", &err);
    CHECK(err.hints == 0, "hints are %d", err.hints);
    check_pair_hint(path, "1\n2\n", PEN_MUST_LINK, PEN_HINT_LABEL_FILE);
    check_pair_hint(path, "0,1,1\n1,2,-1\n", PEN_MUST_LINK, PEN_HINT_ANY_LINK);
    check_pair_hint(path, "0,1\n1,2\n", PEN_ANY_LINK, PEN_HINT_ONE_LINK);
    CHECK_OK(pen_read(path, NULL, &table, &err), &err);
    CHECK(err.hints == 0, "hints of success are %d", err.hints);
    pen_table_free(table);
    close(file);
    remove(path);
}

/* The hint to drop is set only if dropping helps: not if must-links join two classes. */
static void contradiction_hints(void **state)
{
    static const int64_t link[] = { 0, 1 };
    sample s = sample_golden('A');
    pen_data data = sample_data(&s);
    pen_model *model;
    pen_error err;
    (void)state;

    data.must_link = data.cannot_link = link;
    data.must_link_count = data.cannot_link_count = 1;
    CHECK_STATUS(fit_status("cmm", &data, &model, &err), PEN_CONTRADICTION, "", &err);
    CHECK(err.hints == PEN_HINT_DROP, "hints are %d", err.hints);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_facts),
        cmocka_unit_test(no_facts),
        cmocka_unit_test(file_hints),
        cmocka_unit_test(contradiction_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
