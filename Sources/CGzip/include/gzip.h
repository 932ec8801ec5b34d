/* gzip.h: gzip members (RFC 1952) by ISA-L, which unpacks four times as fast as zlib.
 *
 * ISA-L is loaded when it is first needed, not linked: Debian has no archive of it, so that linking would make every program
 * with Assay in it need the shared library, also those that never see a gzip file, and would slow down each start. Everything
 * here may be called by any thread; one inflater or deflater is used by one thread at a time. */
#ifndef ASSAY_GZIP_H
#define ASSAY_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether ISA-L is on this machine. */
bool gzip_is_available(void);

#if defined(__clang__)
#define GZIP_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#else
#define GZIP_CLOSED_ENUM
#endif

typedef enum GZIP_CLOSED_ENUM gzip_status {
    GZIP_MORE = 0, /* wants more input, or more room */
    GZIP_MEMBER_END = 1,
    GZIP_DAMAGED = 2,
} gzip_status;

typedef struct gzip_step {
    size_t consumed;
    size_t produced;
    gzip_status status;
    const char *mistake; /* of damaged data: what is wrong with it. Static storage */
} gzip_step;

/* One member after the other: what is kept between two calls. */
typedef struct gzip_inflater gzip_inflater;

/* NULL: out of memory, or no ISA-L. */
gzip_inflater *gzip_inflater_create(void);
void gzip_inflater_free(gzip_inflater *inflater);

/* Gets ready for the first byte of a member. */
void gzip_inflater_reset(gzip_inflater *inflater);

/* Unpacks as much as there is input and room for, up to the end of the member, whose checksum and length are verified. Either
 * count below 2^31. */
gzip_step gzip_inflate(gzip_inflater *inflater, const uint8_t *input, size_t input_count, uint8_t *output,
                       size_t output_count);

/* The same from the middle of a member on, where a deflate block begins that refers to nothing before it: there is no header to
 * come, and the checksum and the length behind the last block are left alone. */
void gzip_inflater_reset_inside(gzip_inflater *inflater);

/* Whether all that was given has been unpacked, and ended where a deflate block does. */
bool gzip_inflater_is_between_blocks(const gzip_inflater *inflater);

/* How many of the bytes it consumed stand behind the last block. */
size_t gzip_inflater_unused(const gzip_inflater *inflater);

/* The checksum of what was unpacked since `gzip_inflater_reset_inside`. */
uint32_t gzip_inflater_checksum(const gzip_inflater *inflater);

/* The checksum of two texts, one behind the other, from theirs. That of no bytes is 0. */
uint32_t gzip_checksum_of_both(uint32_t first, uint32_t second, size_t second_count);

/* The size of a member's header; 0: it is none, not within these bytes, or has a checksum, which `gzip_inflate` looks at. */
size_t gzip_header_size(const uint8_t *input, size_t count);

/* Whether the header at these bytes has flags that are reserved, where RFC 1952 wants an error (section 2.3.1.2). ISA-L passes them
 * over. */
bool gzip_has_reserved_flags(const uint8_t *input, size_t count);

/* Whether these bytes end inside the header with which they begin. ISA-L 2.30 needs headers with more than one field whole. */
bool gzip_is_cut_in_header(const uint8_t *input, size_t count);

/* Where the first, or the last, full flush among these bytes ends, as it looks: an empty stored block (RFC 1951, section 3.2.4),
 * behind which a deflate block begins at a byte. 0: there is none. */
size_t gzip_first_flush(const uint8_t *input, size_t count);
size_t gzip_last_flush(const uint8_t *input, size_t count);

/* The size of a member as its header tells it, which bgzip writes there (SAM specification, section 4.1), up to 64 KiB, whether or
 * not that can be; 0: it does not tell, or not within these bytes. */
size_t gzip_told_size(const uint8_t *input, size_t count);

/* The same of a member that can be cut there; 0 also where no member can be so small. */
size_t gzip_member_size(const uint8_t *input, size_t count);

/* Whether bytes look like the header of a member. 10 bytes at least. */
bool gzip_is_member(const uint8_t *input, size_t count);

typedef struct gzip_deflater gzip_deflater;

/* NULL: out of memory, or no ISA-L. */
gzip_deflater *gzip_deflater_create(void);
void gzip_deflater_free(gzip_deflater *deflater);

/* Room that so many bytes need at most. */
size_t gzip_bound(size_t count);

/* Packs bytes as members of up to 64 KiB that tell their sizes, so that other programs, too, can unpack them side by side;
 * no bytes give one empty member. Returns how many bytes it wrote, 0 only if ISA-L fails. The same bytes give the same
 * members. */
size_t gzip_deflate(gzip_deflater *deflater, const uint8_t *input, size_t count, uint8_t *output);

#endif
