/* lzf.h - the LZF compression of h5py, read. */
#ifndef PEN_LZF_H
#define PEN_LZF_H

#include <stddef.h>

/* Expands `from` [size] into `to` [room]. Returns the number of bytes made, 0 if the data is
 * damaged or needs more room. With `to` NULL the bytes are only counted. */
size_t pen_lzf_expand(const unsigned char *from, size_t size, unsigned char *to, size_t room);

#endif
