/* test_ssda.c - discriminant analysis with path similarities against printed numbers and the
 * oracle: Zhang, Yeung: CVPR 2008. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double w[] = { -0.1212682942, 0.2263922643, -0.09157807628 },
                        value[] = { 0.4061994974 };
    sample s = sample_labels();
    const pen_data data = sample_data(&s);
    check_printed_fit("ssda beta=1e-3 neighbors=3 dim=1", &data, 1, value, w, 1e-9);
    check_printed_fit("ssda neighbors=3 dim=1", &data, 1, value, w, 1e-9);
    check_like("ssda neighbors=3", &data, NULL, 1e-9);
}

TEST(matches_the_oracle)
{
    check_shapes(4701, 1, 1, 1e-8,
                 "ssda: neighbors=1 dim=1; neighbors=12 beta=0.1; beta=3 dim=2 allow_fewer=true; "
                 "scale=standard; pca=3; pca=rank scale=minmax; dim=40");
}

/* With all rows labelled there are no paths, so neighbors do not matter. */
TEST(without_paths)
{
    pen_rng rng = check_rng(4703);
    sample s = sample_random(&rng, 40, 4, 3, 40);
    const pen_data data = sample_data(&s);
    pen_model *few = fit_data("ssda neighbors=2", &data),
              *many = fit_data("ssda neighbors=20", &data);
    for (int i = 0; i < 16; i++)
        CHECK_CLOSE(model_columns(few)[i], model_columns(many)[i], 1e-10, 1e-12);
    check_like("ssda", &data, NULL, 1e-9);
}
