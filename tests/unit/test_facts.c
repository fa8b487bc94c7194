/* test_facts.c - facts that a model stores about its fit, as values. */
#include "kit/check_fit.h"
#include "kit/embedded.h"

static void check_facts(const pen_model *model)
{
    double number = 7, objective[100];
    const char *text = "";

    assert_true(pen_model_value(model, "parameters.scale", &number, &text) && isnan(number));
    assert_string_equal(text, "standard");
    assert_true(model_number(model, "dim") == 2 && model_number(model, "columns") == 5);
    assert_true(model_number(model, "parameters.dim") == 2);
    assert_string_equal(model_text(model, "parameters.dim"), "2");
    assert_true(model_number(model, "parameters.allow_fewer") == 1);
    assert_string_equal(model_text(model, "parameters.allow_fewer"), "true");
    assert_true(model_number(model, "info.rows") == 60);
    const int64_t count = model_list(model, "info.objective", 100, objective);
    assert_true((double)count == model_number(model, "info.iterations"));
    for (int64_t i = 1; i < count; i++)
        CHECK(objective[i] <= objective[i - 1], "value %lld is larger", (long long)i);
    assert_true(*model_text(model, "info.objective") == '[');
    text = "kept";
    for (const char *const *key =
             (const char *const[]){ "info.no such fact", "info.rows.0", "info.objective.100000",
                                    "info.objective.x", "inf", "info.", "", "kernel",
                                    "kernel.gamma", "column_names", "members.0", NULL };
         *key; key++)
        CHECK(!pen_model_value(model, *key, &number, &text), "%s is %s", *key, text);
    assert_string_equal(text, "kept");
    assert_string_equal(model_text(model, "class_names.1"), pen_model_class_name(model, 1));
}

/* Parameters are in the order of the method's list, after a fit and after loading. */
TEST(model_facts)
{
    pen_rng rng = check_rng(9301);
    sample s = sample_random(&rng, 60, 5, 3, 20);
    const pen_data data = sample_data(&s);
    pen_model *const model = fit_data("salwe scale=standard dim=2 allow_fewer=true", &data);
    check_facts(model);
    const char *at = model_text(model, "parameters");
    int64_t listed = 0;
    /* and those of kernels if there is one */
    for (const pen_param *param = pen_method_named("salwe")->params; param->name; param++)
        if (strncmp(param->name, "kernel", 6) != 0) {
            char key[64];
            snprintf(key, sizeof key, "\"%s\":", param->name);
            at = strstr(at, key);
            CHECK(at, "%s is missing or out of order", param->name);
            listed++;
        }
    assert_true((double)listed == model_number(model, "parameters"));
    pen_model *const back = through_file(model);
    check_facts(back);
    assert_string_equal(pen_model_info(back), pen_model_info(model));
}
