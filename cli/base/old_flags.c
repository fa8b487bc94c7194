/* old_flags.c - names of earlier versions and of the Python package. The command refuses them and
 * says what to type instead. A test reads this table and tries every row. */
#include "base/cli.h"

typedef struct old_name {
    const char *name, *now;
} old_name;

static const old_name old_commands[] = {
    { "evaluate", "is now penumbra compare METHODS DATA --effort 0" },
    { "tune", "is now penumbra compare METHOD DATA --grid NAME=V1,V2 -o MODEL" },
    { "sample", "was removed: --keep-labels N and --sample-pairs N of fit draw labels and pairs" },
    { "knn", "was removed: use kneighbors_graph in Python, pen_neighbors in C" },
    { "stats", "is now penumbra fit METHOD DATA --block ID -o PART.pens" },
    { "merge", "is now penumbra fit METHOD A.pens B.pens -o MODEL" },
    { NULL, NULL },
};

static const old_name old_flags[] = {
    /* renamed */
    { "propagate", "is now --classes" },
    { "reader", "is now --classifier" },
    { "answer", "is now --ensemble" },
    { "keep", "is now --carry" },
    { "row-name-column", "is now --name-column" },
    { "neighbors-graph", "is now --graph" },
    { "keep-per-class", "is now --keep-labels N" },
    { "per-class", "is now --keep-labels N" },
    { "keep-percent", "is now --keep-labels P%" },
    { "percent", "is now --keep-labels P% or --sample-pairs P%" },
    { "label-columns", "is now --label-column A,B" },
    { "on-contradiction", "is now --contradictions" },
    { "transitive", "is now --closure" },
    { "methods", "is now the first operand: penumbra compare self,fda DATA" },
    { "kernels", "is now part of the methods: penumbra compare all+rbf DATA" },
    { "folds-file", "is now --folds FILE" },
    { "shuffle", "is now --shuffled" },
    { "readers", "is now --classifier LIST" },
    { "classifiers", "is now --classifier LIST" },
    { "number", "is now -n" },
    { "neighbors-vote", "is now --classifier neighbors:K" },
    { "standardize", "is now --scale standard" },
    { "predict", "is now penumbra predict MODEL DATA -o FILE" },
    { "truth", "is now --label-column, with the known labels in --labels" },
    { "sample-seed", "is now --seed" },
    { "count", "is now --sample-pairs N" },
    { "must", "is now --sample-pairs M+Q" },
    { "cannot", "is now --sample-pairs M+Q" },
    { "minus-one", "is now --unlabelled ''" },
    { "memory", "is now PENUMBRA_MEMORY in the environment" },
    { "seconds", "was removed: --effort limits the search, and Ctrl-C keeps what is finished" },
    { "plain", "was removed: --folds FILE says which rows are held out together" },
    /* parameters */
    { "reader-neighbors", "is now --classifier neighbors:K" },
    { "classifier-neighbors", "is now --classifier neighbors:K" },
    { "reader-prior", "is now --prior" },
    { "classifier-prior", "is now --prior" },
    { "reader-temperature", "is now --temperature" },
    { "classifier-temperature", "is now --temperature" },
    { "normalize", "is now --row-steps l2" },
    { "row-total", "is now --row-steps total:N" },
    { "log1p", "is now --row-steps log1p" },
    { "idf", "is now --row-steps idf" },
    { "snv", "is now --row-steps snv" },
    { "derivative", "is now --row-steps derivative:W" },
    { "select", "is now --row-steps select:K" },
    { "pca-most", "is now --pca 0.99:K" },
    { "kernel-choice", "is now --kernel-landmarks random:K" },
    { "kernel-seed", "is now --seed" },
    { "kernel-coef0", "was removed: it is always 1" },
    { "landmarks", "is now --space relative:K" },
    { "landmark-mode", "is now --space relative:K" },
    { "lle-ridge", "is now --reconstruction-ridge" },
    { "only-if-no-enemy", "is now --derive unlinked" },
    { "scaling", "is now --scaling-rows (lfda) or --pair-terms (sodrpac)" },
    /* removed */
    { "half", "was removed: halve --alpha and --beta instead" },
    { "strict", "was removed: penumbra info shows within_neighbors_used" },
    { "one-hot", "was removed: use python -m penumbra.convert FILE --one-hot COLUMNS" },
    { "unseen", "was removed: use python -m penumbra.convert FILE --one-hot COLUMNS" },
    { "purity", "was removed: scikit-learn measures clusters" },
    { "trust", "was removed: sklearn.manifold.trustworthiness measures it" },
    { "clusters", "was removed: scikit-learn measures clusters" },
    { "noise", "was removed: change the sign of some pairs in the file" },
    { "sample-noise", "was removed: change the sign of some pairs in the file" },
    { "obsm", "was removed: penumbra.pp in Python adds coordinates to an AnnData" },
    { "dtype", "was removed: float32 rows give float32 coordinates" },
    { "title", "was removed: the file name is the title of a picture" },
    { "objective", "was removed: penumbra info MODEL prints it" },
    { "long", "was removed: penumbra methods METHOD describes a method in full" },
    { "labels-output", "was removed: .csv holds rows and labels, .npy only rows" },
    { "format", "was removed: content and extension of a file tell its format" },
    { "after", "was removed: a Pipeline of scikit-learn fits one model after another" },
    { "derived-pairs", "was removed: in Python, see derived_pairs in info_" },
    { "write-graph", "was removed: use graphs_ in Python, pen_model_graph in C" },
    { "weights", "was removed: use sample_weight in Python" },
    { "queries", "was removed: use kneighbors_graph in Python, pen_neighbors in C" },
    { "distances", "was removed: use kneighbors_graph in Python, pen_neighbors in C" },
    /* names of scikit-learn, which the Python package uses */
    { "n-components", "is --dim in the command" },
    { "n-neighbors", "is --neighbors in the command" },
    { "random-state", "is --seed in the command" },
    { "n-jobs", "is --threads in the command" },
    { "cv", "is --folds in the command" },
    { NULL, NULL },
};

static const char *find(const old_name *list, const char *name)
{
    for (; list->name; list++)
        if (cli_same_name(list->name, name))
            return list->now;
    return NULL;
}

const char *old_flag(const char *name)
{
    return find(old_flags, name);
}

const char *old_command(const char *name)
{
    return find(old_commands, name);
}
