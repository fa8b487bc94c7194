/* h5_direct.h - what h5.h promises, by libhdf5 in this process. Without `direct` in their names
 * these functions may ask the child process (h5_child.h). */
#ifndef PEN_H5_DIRECT_H
#define PEN_H5_DIRECT_H

#include "io/h5.h"

enum pen_h5_object pen_h5_direct_look(const pen_h5 *h5, const char *path);
pen_status pen_h5_direct_names(const pen_h5 *h5, const char *group, char ***names, int64_t *count);
pen_status pen_h5_direct_text_attribute(const pen_h5 *h5, const char *path, const char *attribute,
                                        const char **out);
pen_status pen_h5_direct_whole_attribute(const pen_h5 *h5, const char *path, const char *attribute,
                                         int64_t most, int64_t *values, int64_t *count);
pen_status pen_h5_direct_open(const pen_h5 *h5, const char *path, pen_h5_set *out);
void pen_h5_direct_close(const pen_h5_set *set);
pen_status pen_h5_direct_load(const pen_h5 *h5, const pen_h5_set *set, int64_t first0,
                              int64_t count0, int64_t first1, int64_t count1, pen_dtype dtype,
                              void *values);
pen_status pen_h5_direct_load_whole(const pen_h5 *h5, const pen_h5_set *set, int64_t first,
                                    int64_t count, int64_t *values);
pen_status pen_h5_direct_texts(const pen_h5 *h5, const pen_h5_set *set, pen_h5_part *part,
                               pen_text **texts);

#endif
