/* labels_family.c - see labels_family.h. */
#include "oracle/labels_family.h"
#include "oracle/class_mass_oracle.h"
#include "check.h"
#include "kit/literal_scatters.h"

/* Classes in the order of labels: the number of distinct smaller labels. */
static void find_classes(const int32_t *y, label_oracle *o)
{
    o->class = check_allocate(o->n, sizeof *o->class);
    for (int64_t i = 0; i < o->n; i++) {
        o->class[i] = y[i] == PEN_UNLABELLED ? -1 : 0;
        for (int64_t j = 0; j < o->n && o->class[i] >= 0; j++) {
            int first = y[j] != PEN_UNLABELLED && y[j] < y[i];
            for (int64_t k = 0; k < j; k++)
                first = first && y[k] != y[j];
            o->class[i] += first;
        }
        o->labelled += o->class[i] >= 0;
        o->classes = o->class[i] >= o->classes ? o->class[i] + 1 : o->classes;
    }
    o->Y = zeros(o->n * o->classes);
    for (int64_t i = 0; i < o->n; i++)
        if (o->class[i] >= 0)
            o->Y[i * o->classes + o->class[i]] = 1;
}

double *label_graph(const fit_options *opt, const double *distances, label_oracle *o)
{
    double heat, *weights = table_graph(opt, o->n, distances, &heat);

    o->L = table_laplacian(o->n, weights);
    return weights;
}

void label_laplacians(const label_oracle *o, double *L_t, double *L_b)
{
    const int64_t n = o->n;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double size = 0;
            if (o->class[i] < 0 || o->class[j] < 0)
                continue;
            for (int64_t k = 0; k < n; k++)
                size += o->class[k] == o->class[i];
            const double within = (i == j) - (o->class[i] == o->class[j] ? 1 / size : 0);
            L_t[i * n + j] = (i == j) - 1 / (double)o->labelled;
            L_b[i * n + j] = L_t[i * n + j] - within;
        }
}

int64_t label_count_columns(const fit_options *opt, int64_t usual, int64_t there, pair_oracle *f)
{
    const int64_t dim = option_int(opt, "dim");
    f->gives = dim == 0 ? usual : dim;
    if (f->gives > there && dim > 0 && !option_is(opt, "allow_fewer", "true"))
        f->status = PEN_RANK_TOO_SMALL;
    f->gives = f->gives > there ? there : f->gives;
    if (f->gives == 0)
        f->status = PEN_RANK_TOO_SMALL;
    return f->status == PEN_OK ? f->gives : 0;
}

void label_set_prediction(const double *W, label_oracle *o)
{
    pair_oracle *f = o->fit;
    f->count = f->gives = o->classes;
    f->W = dense_product(f->d, f->q, o->classes, f->basis, W);
}

void label_mean_of_F(label_oracle *o)
{
    o->bias = zeros(o->classes);
    for (int64_t i = 0; i < o->n * o->classes; i++)
        o->bias[i % o->classes] += o->F[i] / (double)o->n;
}

double label_and_graph_terms(const fit_options *opt, const label_oracle *o)
{
    const int64_t n = o->n, c = o->classes;
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < c; k++) {
            const double off = o->F[i * c + k] - o->Y[i * c + k];
            sum +=
                (o->class[i] < 0 ? option(opt, "unlabelled_weight") : option(opt, "label_weight"))
                * off * off;
            for (int64_t j = 0; j < n; j++)
                sum += o->F[i * c + k] * o->L[i * n + j] * o->F[j * c + k];
        }
    return sum;
}

double label_fit_term(const label_oracle *o, const double *W)
{
    const int64_t c = o->classes;
    double *z = dense_product(o->n, o->fit->q, c, o->fit->x, W), sum = 0;
    for (int64_t i = 0; i < o->n * c; i++)
        sum += (z[i] + o->bias[i % c] - o->F[i]) * (z[i] + o->bias[i % c] - o->F[i]);
    return sum;
}

void label_weigh(const fit_options *opt, const label_oracle *o, double *U, double *UY)
{
    for (int64_t i = 0; i < o->n; i++) {
        U[i * o->n + i] =
            o->class[i] < 0 ? option(opt, "unlabelled_weight") : option(opt, "label_weight");
        for (int64_t k = 0; k < o->classes; k++)
            UY[i * o->classes + k] = U[i * o->n + i] * o->Y[i * o->classes + k];
    }
}

double *label_oracle_shares(const label_oracle *o, double *class_mass)
{
    double *p = zeros(o->n * o->classes);

    if (o->prior == PEN_PRIOR_NONE)
        memcpy(p, o->F, (size_t)(o->n * o->classes) * sizeof *p);
    else
        class_mass_oracle(o->n, o->classes, o->class, o->F, o->prior == PEN_PRIOR_UNIFORM, p,
                          class_mass);
    return p;
}

label_oracle *label_oracle_fit(const char *text, const pen_data *data)
{
    static const struct {
        const char *name;
        void (*fit)(const fit_options *opt, const double *distances, label_oracle *o);
    } methods[] = {
        { "soda", soda_oracle }, { "tr-fsda", tr_fsda_oracle }, { "fme", fme_oracle },
        { "asl", asl_oracle },   { "soge", soge_oracle },       { "stsd", stsd_oracle },
        { "ssda", ssda_oracle },
    };
    fit_options opt = options_read(text);
    label_oracle *o = check_allocate(1, sizeof *o);
    pair_oracle *f = o->fit = check_allocate(1, sizeof *o->fit);
    int known = 0;

    o->n = data->x.rows;
    find_classes(data->labels, o);
    pair_oracle_place(&opt, data, f);
    if (f->q > 0)
        o->span = oracle_span_of_rows(o->n, f->q, f->x, &o->rank);
    f->status = o->rank == 0 ? PEN_RANK_TOO_SMALL : PEN_OK;
    double *distances = table_distances_in(o->n, f->d, f->q, data->x.values, f->basis);
    for (size_t i = 0; o->rank > 0 && i < sizeof methods / sizeof *methods; i++)
        if (options_are_of(&opt, methods[i].name)) {
            o->prior = opt.method->traits & PEN_PROPAGATES
                           ? (enum pen_prior)option_int(&opt, "prior")
                           : PEN_PRIOR_NONE;
            methods[i].fit(&opt, distances, o);
            known = 1;
        }
    if (o->rank > 0 && !known)
        abort();
    return o;
}
