/* gzip.h: gzip members (RFC 1952) by ISA-L, which decompresses four times as fast as zlib.
 *
 * ISA-L is loaded on first use, except in released programs, because Debian does not have a static ISA-L. Linking would
 * make every program that contains Assay depend on the shared library, even without gzip files, and would slow down
 * each start. Any thread may call these functions; only one thread at a time may use an inflater or deflater. */
#ifndef ASSAY_GZIP_H
#define ASSAY_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether ISA-L is available on this machine. */
bool gzip_is_available(void);

#if defined(__clang__)
#define GZIP_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#else
#define GZIP_CLOSED_ENUM
#endif

typedef enum GZIP_CLOSED_ENUM gzip_status {
    GZIP_MORE = 0, /* needs more input or more output space */
    GZIP_MEMBER_END = 1,
    GZIP_DAMAGED = 2,
} gzip_status;

typedef struct gzip_step {
    size_t consumed;
    size_t produced;
    gzip_status status;
    const char *mistake; /* for damaged data: the reason. Static storage */
} gzip_step;

/* The state between two calls, for one member at a time. */
typedef struct gzip_inflater gzip_inflater;

/* Returns NULL if memory runs out or ISA-L is not available. */
gzip_inflater *gzip_inflater_create(void);
void gzip_inflater_free(gzip_inflater *inflater);

/* Resets the state for the first byte of a member. */
void gzip_inflater_reset(gzip_inflater *inflater);

/* Decompresses until the input, the output space or the member ends. Verifies the checksum and the length of the
 * member. Both counts must be below 2^31. */
gzip_step gzip_inflate(gzip_inflater *inflater, const uint8_t *input, size_t input_count, uint8_t *output,
                       size_t output_count);

/* Resets the state for the middle of a member, at a deflate block that does not refer to earlier data. Inflation
 * then expects no header, and does not verify the checksum and the length after the last block. */
void gzip_inflater_reset_inside(gzip_inflater *inflater);

/* Returns whether all input has been decompressed and ended at the end of a deflate block. */
bool gzip_inflater_is_between_blocks(const gzip_inflater *inflater);

/* The number of bytes that were consumed as input but follow the last deflate block. */
size_t gzip_inflater_unused(const gzip_inflater *inflater);

/* The checksum of the data decompressed since `gzip_inflater_reset_inside`. */
uint32_t gzip_inflater_checksum(const gzip_inflater *inflater);

/* Returns the checksum of two concatenated texts, from their checksums. The checksum of an empty text is 0. */
uint32_t gzip_checksum_of_both(uint32_t first, uint32_t second, size_t second_count);

/* Returns the size of a member's header. Returns 0 if the bytes are not a header, are only a part of one, or have a
 * header checksum, which only `gzip_inflate` verifies. */
size_t gzip_header_size(const uint8_t *input, size_t count);

/* Returns whether the header at these bytes has reserved flags, for which RFC 1952 requires an error (section
 * 2.3.1.2). ISA-L ignores them. */
bool gzip_has_reserved_flags(const uint8_t *input, size_t count);

/* Returns whether these bytes begin with a header and end inside it. Returns false for fewer than 10 bytes. ISA-L 2.30
 * must receive the complete header in one call if it has more than one optional field. */
bool gzip_is_cut_in_header(const uint8_t *input, size_t count);

/* Returns the end of the first, or the last, apparent full flush in these bytes: an empty stored block (RFC 1951,
 * section 3.2.4), after which a deflate block begins at a byte boundary. Returns 0 if the bytes do not contain one. */
size_t gzip_first_flush(const uint8_t *input, size_t count);
size_t gzip_last_flush(const uint8_t *input, size_t count);

/* Returns the size that a member's header declares. Headers written by bgzip do (SAM specification, section 4.1). The
 * size is at most 64 KiB and is not checked for plausibility. Returns 0 if these bytes do not contain a declared
 * size. */
size_t gzip_declared_size(const uint8_t *input, size_t count);

/* Returns the declared size of a member, as gzip_declared_size does, so that the input can be cut there. Also returns
 * 0 if the bytes are not a header, or if the size is too small for a member. */
size_t gzip_member_size(const uint8_t *input, size_t count);

/* Returns whether bytes look like the header of a member, which takes at least 10 bytes. */
bool gzip_is_member(const uint8_t *input, size_t count);

typedef struct gzip_deflater gzip_deflater;

/* Returns NULL if memory runs out or ISA-L is not available. */
gzip_deflater *gzip_deflater_create(void);
void gzip_deflater_free(gzip_deflater *deflater);

/* Returns the maximum compressed size of `count` bytes. */
size_t gzip_bound(size_t count);

/* Compresses bytes to members of up to 64 KiB that declare their sizes, so that other programs can also decompress
 * them in parallel. Empty input gives one empty member. Returns the number of bytes written, 0 only if ISA-L fails.
 * The same bytes give the same members. */
size_t gzip_deflate(gzip_deflater *deflater, const uint8_t *input, size_t count, uint8_t *output);

#endif
