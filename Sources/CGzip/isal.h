/* isal.h: the functions of ISA-L that Assay uses, resolved on first use. */
#ifndef ASSAY_ISAL_H
#define ASSAY_ISAL_H

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

typedef struct isal_functions {
    void (*inflate_init)(struct inflate_state *);
    int (*inflate)(struct inflate_state *);
    void (*deflate_stateless_init)(struct isal_zstream *);
    int (*deflate_stateless)(struct isal_zstream *);
    uint32_t (*crc32_gzip)(uint32_t, const unsigned char *, uint64_t);
} isal_functions;

/* Returns NULL if ISA-L is not available. */
const isal_functions *isal(void);

#endif
