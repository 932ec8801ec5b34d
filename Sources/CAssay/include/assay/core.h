/* assay/core.h: the C core of Assay.
 *
 *     bytes ──► records ──► columns ──► checks ──► masks ──► outputs
 *      (1)        (2)         (3)      (4,5,6)      (7)        (8)
 *
 * The sections follow the data. Each function borrows its input and writes a new value; it keeps no pointer to the
 * caller's memory unless its comment says so. The bytes of a column may be NULL if all of its cells are empty.
 *
 * House rules for every function here:
 *   - No output, no abort. `create` returns NULL or a complete object; `free(NULL)` is allowed.
 *   - Three global variables, all atomic: the processor path (set by the first call that needs it and by
 *     assay_cpu_select), the random key of internal hash tables (set once for each process), and the number of the
 *     latest lazy DFA. Only the processor path can be observed, and results do not depend on these variables. Libraries
 *     below the core have their own, such as the allocator of PCRE2's JIT compiler. One lock, which only a fork waits
 *     for (assay_before_fork).
 *   - Four kinds of value. Descriptions are plain structs. Compiled objects (assay_pattern, assay_type, assay_check)
 *     never change after creation: any number of threads may use one at once. Scratch (assay_scratch) and batches
 *     (assay_batch) belong to one thread at a time. Views (assay_cell arrays) are borrowed.
 *   - A mask is one bit per row, least significant bit first. Bits at and above the row count must be 0.
 *   - Positions inside a buffer are 32-bit: one buffer contains less than 2 GiB. */
#ifndef ASSAY_CORE_H
#define ASSAY_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __has_include
#if __has_include(<ptrcheck.h>)
#include <ptrcheck.h>
#endif
#if __has_include(<lifetimebound.h>)
#include <lifetimebound.h>
#endif
#endif

/* Bounds, for compilers that support them, such as Swift's importer, which then generates overloads with spans. Other
 * compilers see empty macros. */
#ifdef __counted_by
#define ASSAY_COUNTED_BY(n) __counted_by(n)
#else
#define ASSAY_COUNTED_BY(n)
#endif
#ifdef __noescape
#define ASSAY_NOESCAPE __noescape
#else
#define ASSAY_NOESCAPE
#endif

#if defined(__clang__)
#define ASSAY_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#else
#define ASSAY_CLOSED_ENUM
#endif

#if defined(_WIN32)
#define ASSAY_API
#else
#define ASSAY_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_VERSION "0.1.0"

/* The number of the binary interface, part of the name of the shared library: libassay-core.so.1. It changes with each
 * incompatible change of an installed header. */
#define ASSAY_CORE_ABI_VERSION 1

/* The version of this library, such as "0.1.0". Static storage. */
ASSAY_API const char *assay_version(void);

/* The result of a call. Bad data is never an error: it is a verdict. */
typedef enum ASSAY_CLOSED_ENUM assay_status {
    ASSAY_OK = 0,
    ASSAY_NO_MEMORY = 1,
    /* The pattern, type, format or bound passed to `create` is invalid; assay_error contains the place. */
    ASSAY_BAD_DESCRIPTION = 2,
    /* A buffer of 2 GiB or more. */
    ASSAY_TOO_LARGE = 3,
} assay_status;

/* The reason why `create` returned NULL. */
typedef struct assay_error {
    assay_status status;
    /* PCRE2's error number for patterns, otherwise 0. */
    int32_t engine_code;
    /* The byte offset of the mistake in the passed text. */
    size_t offset;
    /* An English message, NUL-terminated; for a pattern, PCRE2's message. */
    char message[256];
} assay_error;

/* For programs that fork while other threads compile patterns: call pthread_atfork(assay_before_fork, assay_after_fork,
 * assay_after_fork_in_child) once. Otherwise a child process may wait forever for a lock of PCRE2. Libassay does this
 * itself. */
ASSAY_API void assay_before_fork(void);
ASSAY_API void assay_after_fork(void);
ASSAY_API void assay_after_fork_in_child(void);

/* ---------------------------------------------------------------------------------------------------------------
 * 1  Bytes
 * ------------------------------------------------------------------------------------------------------------- */

/* The processor path that the byte functions below run on: "avx512", "avx2", "sse2", "neon" or "portable". Static
 * storage. */
ASSAY_API const char *assay_cpu(void);

/* Returns the processor path with this index, from 0, among those that the build and the machine support, fastest
 * first. The last one is "portable"; NULL after it. Static storage. */
ASSAY_API const char *assay_cpu_at(size_t index);

/* Limits all later calls to one processor path, such as "avx2", for tests that compare the paths. Returns false,
 * without an effect, if this machine or build does not support it. NULL selects the fastest path again. Not
 * thread-safe: call it before other threads use the library. */
ASSAY_API bool assay_cpu_select(const char *name);

/* Returns the number of processors that this process may run on, at least 1. This is less than the number of online
 * processors if the process has a CPU affinity, or if its container has a smaller CPU quota, which is rounded up.
 * Sources: sched_getaffinity(2), cgroups(7). */
ASSAY_API size_t assay_cpu_count(void);

/* Tells the processor that a loop waits for another thread, so that the loop uses fewer resources. It has no other
 * effect. */
static inline void assay_cpu_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* Prefetches a value, because values may be scattered over memory. The address may be invalid. */
static inline void assay_bytes_prefetch(const uint8_t *bytes) { __builtin_prefetch(bytes); }

/* Returns the length of the longest prefix that is well-formed UTF-8 (Unicode 15, table 3-7: no surrogates, no overlong
 * forms, no values above U+10FFFF). It equals `count` if and only if all bytes are well-formed. O(count). */
ASSAY_API size_t assay_utf8_valid_prefix(const uint8_t *ASSAY_COUNTED_BY(count) bytes ASSAY_NOESCAPE, size_t count);

/* Returns how many bytes equal `byte`. O(count). */
ASSAY_API size_t assay_bytes_count(const uint8_t *ASSAY_COUNTED_BY(count) bytes ASSAY_NOESCAPE, size_t count,
                                   uint8_t byte);

/* Returns whether all bytes are below 128. O(count). */
ASSAY_API bool assay_bytes_are_ascii(const uint8_t *ASSAY_COUNTED_BY(count) bytes ASSAY_NOESCAPE, size_t count);

/* ---------------------------------------------------------------------------------------------------------------
 * 2  Records
 * ------------------------------------------------------------------------------------------------------------- */

/* The meaning of a blank line, which is a line without any bytes. */
typedef enum assay_blank_lines {
    ASSAY_BLANK_RECORDS,   /* a record with one empty field */
    ASSAY_BLANK_LAST_KEPT, /* as RECORDS, but an entry like a comment after the last record */
    ASSAY_BLANK_KEPT,      /* an entry like a comment */
} assay_blank_lines;

/* The syntax of records and fields. Plain data. All special bytes must differ, except that `delimiter2` may be any byte
 * but the quote, the escape and the terminators. They must not be CR or LF. `delimiter2`, `escape`, `comment` and
 * `skip_initial_space` are disabled if they are zero. If any is enabled, only the state machine scans.
 *
 * `escape`: the next byte is data, inside and outside quotes; if CR LF follows, both bytes are. Doubled quotes are
 * undone in addition. An escape that is the last byte of the input is data. If the escape is a backslash, 0, b, f, n,
 * r, t, v or Z after it means NUL, backspace, form feed, LF, CR, tab, vertical tab or 0x1A, as MySQL, PostgreSQL (COPY
 * text) and ClickHouse write them. An unquoted field that equals `\N` remains `\N` (assay_batch_mask_null_texts). All
 * other bytes, and all bytes after other escapes, mean themselves, digits included: PostgreSQL reads `\101` and `\x41`
 * as A, MySQL as text, but these databases do not write them.
 *
 * `comment`: a line that begins with this byte, at the start of a record, is an entry with ASSAY_RECORD_COMMENT. It
 * ends at the next terminator, regardless of quotes and escapes in the line.
 *
 * `skip_initial_space`: spaces and tabs before a field are not part of its text, and a quote after them opens. Spaces
 * and tabs between a closing quote and the end of the field are dropped. This does not apply to a space or tab that is
 * `delimiter`.
 *
 * `blank_lines`: see assay_blank_lines. "After the last record" means that only blank lines, comments and the mark of
 * `end_mark` follow up to the end of the input, which must be at most ASSAY_BLANK_BYTES and `record_bytes` bytes away,
 * so that a bounded number of bytes decides about each line.
 *
 * `end_mark`: a Ctrl-Z (0x1A) in place of a record that is the last byte of the input is an entry like a comment.
 *
 * `trailing_delimiter`: a record may have one additional field if this field is empty (assay_batch_mask_structure,
 * assay_batch_width). Scanning does not depend on this member. */
typedef struct assay_dialect {
    uint8_t delimiter;  /* one ASCII byte, not a quote and not a line terminator */
    uint8_t quote;      /* one ASCII byte; read only when `quoting` */
    bool quoting;       /* false: quotes are data and no field spans lines, except by an escape */
    bool cr_ends;       /* true: a bare CR ends a record as LF and CRLF do; false: a bare CR outside quotes is data */
    uint8_t delimiter2; /* second byte of the delimiter, if the first alone is data; 0: one byte */
    uint8_t escape;     /* one ASCII byte; 0: none */
    uint8_t comment;    /* one ASCII byte; 0: none */
    bool skip_initial_space; /* see above */
    bool trailing_delimiter; /* see above */
    bool end_mark;           /* see above */
    uint8_t blank_lines;     /* an assay_blank_lines */
} assay_dialect;

/* See assay_dialect.blank_lines and end_mark. */
enum { ASSAY_BLANK_BYTES = 1 << 16, ASSAY_END_MARK = 0x1A };

/* The length of the delimiter: 1 or 2. */
static inline uint32_t assay_dialect_delimiter_bytes(const assay_dialect *dialect)
{
    return dialect->delimiter2 == 0 ? 1 : 2;
}

/* The maximum lengths of a field and a record, in bytes of the file (quotes and terminator included). */
typedef struct assay_record_limits {
    uint32_t field_bytes;
    uint32_t record_bytes;
} assay_record_limits;

/* Bits of assay_record.flags. No bit set: the record is well-formed. */
enum {
    ASSAY_RECORD_QUOTE_TEXT = 1u << 0,     /* text after a closing quote */
    ASSAY_RECORD_QUOTE_UNCLOSED = 1u << 1, /* an unclosed quote; the record is its first physical line */
    ASSAY_RECORD_TOO_LONG = 1u << 2,       /* the record or one of its fields is over its limit */
    ASSAY_RECORD_CONTINUED = 1u << 3,      /* TOO_LONG, and its terminator is not in this buffer */
    ASSAY_RECORD_CONTINUATION = 1u << 4, /* not a record: the next bytes of a CONTINUED record of the previous buffer */
    /* Not a record: a comment, or a blank line or Ctrl-Z that is not a record. Its only field is the line. All other
     * bits are 0. */
    ASSAY_RECORD_COMMENT = 1u << 5,
    /* The higher bits are the number of lines after a QUOTE_UNCLOSED record that were read before its quote proved
     * unclosed. */
    ASSAY_RECORD_LINES_SHIFT = 8,
    ASSAY_RECORD_MAX_LINES = (1 << 24) - 1,
};

/* The position of one record in the buffer.
 *
 *     7,"a ""b""",x⏎          start = 0, end = 14 (terminator included)
 *     ↑ ↑         ↑           field_ends[first_field ..] = 1, 11, 13
 *
 * Field 0 starts at `start`; field i starts one delimiter (assay_dialect_delimiter_bytes) after the end of field i − 1.
 * Fields include their quotes, escapes and skipped spaces. The last field does not include CR LF. The number of fields
 * is the first_field of the next record minus that of this record; assay_batch has an additional entry after the last
 * record for this purpose. */
typedef struct assay_record {
    uint32_t start;
    uint32_t end;
    uint32_t first_field;
    uint32_t flags;
} assay_record;

/* The records of one buffer. Created by assay_batch_create, filled by assay_scan, freed by assay_batch_free. Used by
 * one thread at a time; keeps its memory between scans. */
typedef struct assay_batch {
    assay_record *records; /* record_count entries and one more: {consumed, consumed, field_count, 0} */
    uint32_t *field_ends;
    uint32_t record_count;
    uint32_t field_count;
    /* The number of bytes of the records. An unfinished record follows: pass it again together with more bytes. */
    uint32_t consumed;
    /* The number of line terminators in the consumed bytes, including those in quoted fields. CR LF counts once. */
    uint32_t lines;
    /* Bit i: record i contains a quote, an escape, or a space or tab if initial ones are skipped, so its cells may
     * differ from its fields. 0 if the dialect treats these bytes as data, and in comments. */
    uint64_t *quoted;
    /* Bit i: record i may contain ill-formed UTF-8 and must be verified. The other records are well-formed. */
    uint64_t *utf8_unverified;
    /* Bit i: the number of fields or the flags of record i differ from those of record i − 1. */
    uint64_t *layout_changes;
    /* The minimum number of fields of a record. */
    uint32_t min_fields;
    uint32_t record_capacity;
    uint32_t field_capacity;
    /* The number of entries with ASSAY_RECORD_COMMENT, and their mask. */
    uint32_t comment_count;
    uint64_t *comments;
} assay_batch;

ASSAY_API assay_batch *assay_batch_create(void);
ASSAY_API void assay_batch_free(assay_batch *batch);

/* Fills a batch with the records of an earlier batch, without their fields, which suffices for lines and outputs.
 * `records` has `count` + 1 entries, because it includes the closing entry. `comments` is a mask; it is ignored if
 * `comment_count` is 0. */
ASSAY_API assay_status assay_batch_restore(assay_batch *batch, const assay_record *records, uint32_t count,
                                           const uint64_t *comments, uint32_t comment_count, uint32_t lines);

/* Splits a buffer into records and fields. Its first byte must start a record.
 *
 *  - A quote opens only as the first byte of a field; elsewhere it is data.
 *  - Text after a closing quote: QUOTE_TEXT. The record continues, and later quotes in it still count.
 *  - A record is QUOTE_UNCLOSED if the record limit or the end of the input is inside quotes, or if text follows a
 *    closing quote after a terminator inside quotes, because a stray quote has swallowed lines. Only the first physical
 *    line becomes a record, and reading resumes on the next line. An escaped terminator does not end a line in this
 *    sense.
 *  - A record that is outside quotes at the record limit is TOO_LONG, up to the end of the line at the limit. So is a
 *    physical line over the limit. Such records are split over buffers (CONTINUED, then CONTINUATION), never inside a
 *    character.
 *  - A comment over the record limit is TOO_LONG and not a comment. The field limit does not apply to comments.
 *  - At most `max_records` records and comments are read, to bound memory; the rest is not consumed.
 *  - `is_last`: the buffer ends the input, so a final record without terminator is complete.
 *  - `continues`: the previous buffer ended in a CONTINUED piece.
 *
 * `count` must be at least `limits.record_bytes` + 1 for a record to be recognized as too long. If consumed == 0 and
 * !is_last, the caller must therefore pass a larger buffer.
 *
 * Runs on the fastest path of this processor. assay_scan_plain is the state machine that defines the result, and both
 * produce the same batch, except that the fast path leaves fewer records unverified. O(count) for any bytes. Returns
 * ASSAY_NO_MEMORY or ASSAY_TOO_LARGE, otherwise ASSAY_OK. */
ASSAY_API assay_status assay_scan(assay_batch *batch, const assay_dialect *dialect, const assay_record_limits *limits,
                                  const uint8_t *ASSAY_COUNTED_BY(count) bytes, size_t count, uint32_t max_records,
                                  bool is_last, bool continues);
ASSAY_API assay_status assay_scan_plain(assay_batch *batch, const assay_dialect *dialect,
                                        const assay_record_limits *limits, const uint8_t *ASSAY_COUNTED_BY(count) bytes,
                                        size_t count, uint32_t max_records, bool is_last, bool continues);

/* Like assay_scan, but only for records that start before `end`. More records may follow. The buffer should extend more
 * than one record beyond `end`: if consumed < end and !is_last, pass a larger buffer. O(count), usually O(consumed). */
ASSAY_API assay_status assay_scan_until(assay_batch *batch, const assay_dialect *dialect,
                                        const assay_record_limits *limits, const uint8_t *ASSAY_COUNTED_BY(count) bytes,
                                        size_t count, size_t end, bool is_last, bool continues);

/* Returns the start of the first record at or after `position`, provided that `position` is not inside quotes and the
 * byte there is not escaped; `count` if no line ends. Reads bytes from `position` − 1 on. O(count − position). */
ASSAY_API size_t assay_scan_guess(const assay_dialect *dialect, const uint8_t *ASSAY_COUNTED_BY(count) bytes,
                                  size_t count, size_t position);

/* Returns the number of line terminators. CR LF counts once; with `cr_ends` a bare CR is a terminator. */
ASSAY_API uint32_t assay_count_lines(const uint8_t *ASSAY_COUNTED_BY(count) bytes, size_t count, bool cr_ends);

/* Returns the number of comments among the entries before `entry`, which is at most record_count. O(1) without
 * comments, otherwise O(entry / 64). */
ASSAY_API uint32_t assay_batch_comments_before(const assay_batch *batch, uint32_t entry);

/* Sets in `mask` the bits of the blank lines that are not records, and clears the others. `bytes` is the scanned
 * buffer. Returns the number of set bits. O(1) if there are no comments, otherwise O(entries / 64 + comments). */
ASSAY_API size_t assay_batch_mask_blank_lines(const assay_batch *batch, const uint8_t *bytes, uint64_t *mask);

/* Returns the number of fields of an entry. With `trailing_delimiter`, an empty last field does not count unless it is
 * the only one. */
ASSAY_API uint32_t assay_batch_width(const assay_batch *batch, const assay_dialect *dialect, uint32_t entry);

/* Sets in `mask` the bits of the records in [first, first + count) that are malformed or have another number of fields
 * than `fields` (0: any number; with `more_allowed`: fewer), and of all comments. A trailing delimiter of the dialect
 * does not add a field. Row i of the mask is record first + i. Returns the number of set bits. */
ASSAY_API size_t assay_batch_mask_structure(const assay_batch *batch, const assay_dialect *dialect, uint32_t first,
                                            uint32_t count, uint32_t fields, bool more_allowed, uint64_t *mask);

/* The cells that contain line breaks. Plain data. */
typedef struct assay_line_breaks {
    uint64_t cells;     /* number of cells */
    uint64_t lines;     /* total number of lines; a cell with one line break has two */
    uint32_t max_lines; /* lines of the first cell with the maximum; 0: no cell, next members undefined */
    uint32_t entry, field, start;
} assay_line_breaks;

/* Adds to `found` the cells with line breaks, including escaped ones, of entries [first, first + count), except rows
 * with a bit in `skip`. Row i of the mask is entry first + i. O(bytes of records with quotes or escapes). */
ASSAY_API void assay_batch_count_line_breaks(const assay_batch *batch, const assay_dialect *dialect,
                                             const uint8_t *bytes, uint32_t first, uint32_t count, const uint64_t *skip,
                                             assay_line_breaks *found);

/* Sets in `mask` the bits of the records in [first, first + count) that contain ill-formed UTF-8. `bytes` is the
 * scanned buffer. Returns the number of set bits. O(count + bytes of unverified records). */
ASSAY_API size_t assay_batch_mask_encoding(const assay_batch *batch, const uint8_t *bytes, uint32_t first,
                                           uint32_t count, uint64_t *mask);

/* ---------------------------------------------------------------------------------------------------------------
 * 3  Columns
 * ------------------------------------------------------------------------------------------------------------- */

/* One value: `length` bytes at `start` of the buffer of the column. Its end must be below 2^32. Functions may read up
 * to 15 bytes of the buffer before a value, but must not read after it. */
typedef struct assay_cell {
    uint32_t start;
    uint32_t length;
} assay_cell;

/* Writes the cells of column `field` for records [first, first + count), without their quotes and skipped spaces.
 *
 * Doubled quotes and escapes are undone into the free bytes after `*used`, which is advanced. A buffer of twice the
 * scanned bytes suffices, because undoing never lengthens a value. Rows with a bit in `skip` (may be NULL), and records
 * without the column, get the empty cell {record start, 0}. */
ASSAY_API void assay_batch_gather(const assay_batch *batch, const assay_dialect *dialect, uint8_t *bytes,
                                  uint32_t *used, uint32_t field, uint32_t first, uint32_t count, const uint64_t *skip,
                                  assay_cell *ASSAY_COUNTED_BY(count) cells);

/* Sets in `mask` the bits of the cells that are the text `\N` and not NULL; row i is record first + i. With a backslash
 * as the escape, databases write NULL as `\N` and the text as `\\N`, and both cells are `\N`. `cells` and `skip` are
 * those of assay_batch_gather. Returns the number of set bits; 0 for any other escape. O(records with an escape). */
ASSAY_API size_t assay_batch_mask_null_texts(const assay_batch *batch, const assay_dialect *dialect,
                                             const uint8_t *bytes, uint32_t field, uint32_t first, uint32_t count,
                                             const uint64_t *skip, const assay_cell *ASSAY_COUNTED_BY(count) cells,
                                             uint64_t *mask);

/* Writes the cells of a column in the Arrow layout: value i is bytes [offsets[i], offsets[i + 1]), so `count` values
 * have count + 1 offsets. Returns false, with undefined cells, if the offsets descend or exceed `bytes_count`.
 * *has_empty (may be NULL): whether a value is empty. */
ASSAY_API bool assay_cells_from_offsets32(const int32_t *offsets, size_t count, size_t bytes_count, assay_cell *cells,
                                          bool *has_empty);

/* The maximum length of a text inside its view. */
enum { ASSAY_STRING_VIEW_INLINE = 12 };

/* A value of Arrow's view layout: the text itself, or its place.
 *
 *     length   prefix   buffer   offset      more than 12 bytes; the prefix is the first four
 *     length   text, and zeros               up to 12 bytes */
typedef struct assay_string_view {
    int32_t length;
    uint32_t prefix;
    int32_t buffer;
    int32_t offset;
} assay_string_view;

/* The memory that views may refer to. Starts are offsets from the origin of the cells, modulo 2^32. */
typedef struct assay_view_source {
    uint32_t views_start;  /* the first view */
    uint32_t buffer_start; /* the buffer */
    int32_t buffer;        /* the number of the buffer */
    uint32_t begin, end;   /* texts are in [least, end) of the buffer; 0, 0: all texts are inside views */
    uint32_t longest;      /* the maximum length of a text */
} assay_view_source;

/* Statistics of the texts of a column of views. Sums are modulo 2^32. */
typedef struct assay_view_texts {
    uint32_t shortest, longest;
    uint32_t inline_count; /* the number of texts inside their views */
    uint32_t
        inline_bits; /* OR of the texts inside views, as 32-bit words: a high bit means that one may not be ASCII */
    uint32_t buffer_bytes; /* the sum of the lengths of the other texts, */
    uint32_t buffer_begin; /* which are in [buffer_begin, buffer_end) of the buffer */
    uint32_t buffer_end;
} assay_view_texts;

/* Writes the cells of a column in Arrow's view layout, if all texts are inside the views or in one buffer. Does not
 * read the texts. Returns false, with undefined cells and `texts`, if a view violates `source`. O(count). */
ASSAY_API bool assay_cells_from_views(const assay_string_view *views, size_t count, const assay_view_source *source,
                                      assay_cell *cells, assay_view_texts *texts);

/* ---------------------------------------------------------------------------------------------------------------
 * 4  Patterns (PCRE2)
 * ------------------------------------------------------------------------------------------------------------- */

/* Bits of the `options` of a pattern; other bits are refused. The default, 0, is a case-sensitive full match of UTF
 * text with ASCII classes. */
enum {
    ASSAY_PATTERN_CASE_INSENSITIVE = 1u << 0,
    ASSAY_PATTERN_UNICODE_CLASSES = 1u << 1, /* \d \w \s \b and POSIX classes by Unicode properties (PCRE2_UCP) */
    ASSAY_PATTERN_DOT_ALL = 1u << 2,
    ASSAY_PATTERN_EXTENDED = 1u << 3,
    ASSAY_PATTERN_MULTILINE = 1u << 4,
    ASSAY_PATTERN_SEARCH = 1u << 5, /* a match anywhere is enough */
    ASSAY_PATTERN_NO_JIT = 1u << 6, /* use only PCRE2's interpreter */
    ASSAY_PATTERN_NO_DFA = 1u << 7, /* use PCRE2 for all values */
    /* Refuse the pattern unless a DFA matches it in linear time, for patterns of untrusted authors. The DFA is then
     * constructed at once, and also checks the values for which JIT would be a little faster. */
    ASSAY_PATTERN_LINEAR_TIME = 1u << 8,
};

/* The results of a check. Undecided: a limit or an engine error stopped the check; this must never count as a pass. */
typedef enum ASSAY_CLOSED_ENUM assay_verdict {
    ASSAY_PASS = 0,
    ASSAY_FAIL = 1,
    ASSAY_UNDECIDED = 2,
} assay_verdict;

/* The limits of PCRE2's work for one value: match_base + match_per_byte × n steps, with n the length in bytes, rounded
 * up to 64 and then to a multiple of 256. A step is about one item of the pattern; an item that examines many bytes
 * counts as several. A search has 16 times the steps, because a match may begin at every byte. The maximum for all
 * values is 400 × match_base + match_per_byte / 4 × length. With the defaults, the slowest known pattern and value take
 * less than 100 ms for 64 KiB and less than a second for 1 MiB (Tests/Hostile/patterns.tsv). The DFA takes linear time
 * and needs no limit. */
typedef struct assay_match_limits {
    uint32_t match_base;      /* default 5 000 */
    uint32_t match_per_byte;  /* default 64 */
    uint32_t heap_kib;        /* interpreter's memory, default 20 480 */
    uint32_t jit_stack_bytes; /* fixed size, default 1 MiB; the first values use 32 KiB of the thread's stack */
} assay_match_limits;

ASSAY_API assay_match_limits assay_match_limits_default(void);

typedef struct assay_pattern assay_pattern;

/* Compiles a pattern, with JIT unless the options or the host forbid it. NULL on failure, with *error filled. In
 * addition to invalid patterns, it refuses \C, callouts, patterns longer than `max_bytes` (0: 10 000), and a leading
 * (*…) that changes UTF, newlines, limits or the engine. Without JIT, it also refuses the few patterns (named in the
 * message) for which the interpreter of this PCRE2 version is known to return wrong verdicts. */
ASSAY_API assay_pattern *assay_pattern_create(const uint8_t *ASSAY_COUNTED_BY(count) text ASSAY_NOESCAPE, size_t count,
                                              uint32_t options, size_t max_bytes, assay_error *error);
ASSAY_API void assay_pattern_free(assay_pattern *pattern);

/* Returns how many characters are in the case-insensitive ranges of a pattern, such as (?i)[\x{0}-\x{FFFF}]. Each of
 * them takes assay_pattern_create some nanoseconds. 0: the pattern has no such range, or is refused because of their
 * number. O(count). */
ASSAY_API uint64_t assay_pattern_folded(const uint8_t *ASSAY_COUNTED_BY(count) text ASSAY_NOESCAPE, size_t count,
                                        uint32_t options);

/* The DFA that checks values before PCRE2: for columns after 1024 rows, and for nearly all single values. Only patterns
 * of a regular subset of the syntax have one. It returns the same verdicts as PCRE2, in linear time. It leaves to PCRE2
 * the values with characters above U+FFFF, if a class names more than 64 of these, or if the pattern has Unicode
 * properties and PCRE2 another edition of Unicode than the tables of the core. Because its construction takes as long
 * as PCRE2 takes for thousands of values, it is constructed after about 2048 values (64 bytes count as one more), or on
 * a value for which PCRE2 would exceed its limit.
 *
 * A pattern of that subset that is too large, such as a thousand words, has a lazy DFA: each thread constructs states
 * from an NFA when a value needs them. The lazy DFA also leaves a value to PCRE2 if the NFA would examine more than
 * 65,536 instructions and 64 per byte. */
typedef struct assay_pattern_dfa {
    uint32_t states;       /* 0: no DFA, or a lazy one */
    uint32_t instructions; /* of the NFA of a lazy DFA; 0: not lazy. Searches with a prefilter may have both */
    const char *refusal;   /* the reason, if there are no states; static storage */
    size_t refusal_offset; /* the byte of the pattern that the reason concerns */
    bool leaves_above_bmp; /* leaves values to PCRE2 in which characters above U+FFFF could matter */
} assay_pattern_dfa;

/* Returns the DFA and constructs it on the first call, in up to some milliseconds. Thread-safe. */
ASSAY_API assay_pattern_dfa assay_pattern_get_dfa(const assay_pattern *pattern);

/* Returns the prefilter of a search in a few words, such as "bytes that each match has (Teddy)"; static storage. NULL:
 * no prefilter. Constructs the DFA as assay_pattern_get_dfa does. */
ASSAY_API const char *assay_pattern_prefilter(const assay_pattern *pattern);

/* The engines that check values first, in words such as "DFA"; static storage. A value that an engine does not decide
 * is passed to the next of DFA, lazy DFA, PCRE2. */
typedef struct assay_pattern_plan {
    const char *for_short;   /* single values of up to short_max bytes */
    const char *for_middle;  /* of up to middle_max bytes */
    const char *for_long;    /* longer ones */
    const char *for_columns; /* columns, when a DFA has the tables for them */
    size_t short_max;
    size_t middle_max;
} assay_pattern_plan;

/* Returns the plan and constructs the DFA as assay_pattern_get_dfa does. Members are NULL if memory runs out. */
ASSAY_API assay_pattern_plan assay_pattern_get_plan(const assay_pattern *pattern);

/* Returns the size of the JIT code in bytes; 0: PCRE2 uses its interpreter. */
ASSAY_API size_t assay_pattern_jit_size(const assay_pattern *pattern);

/* Returns the size of the compiled pattern in bytes, JIT code included; for a pattern that only a DFA checks, the size
 * of its instructions. */
ASSAY_API size_t assay_pattern_code_size(const assay_pattern *pattern);

/* Returns why there is no JIT code, as a phrase such as "the pattern is too large for JIT"; static storage. NULL: there
 * is JIT code. */
ASSAY_API const char *assay_pattern_jit_refusal(const assay_pattern *pattern);

/* Writes the versions of PCRE2, such as "10.42 2022-12-11", and of its Unicode data, such as "14.0.0". The buffers must
 * have at least 64 bytes. */
ASSAY_API void assay_engine_version(char *version, char *unicode);

/* Returns whether JIT works in this process. It compiles a pattern, because the configuration does not tell whether the
 * host allows JIT. */
ASSAY_API bool assay_engine_has_jit(void);

/* The working memory of one thread: match data, a JIT stack, limits, masks. */
typedef struct assay_scratch assay_scratch;

/* NULL `limits` means the defaults. Returns NULL when out of memory. */
ASSAY_API assay_scratch *assay_scratch_create(const assay_match_limits *limits);
ASSAY_API void assay_scratch_free(assay_scratch *scratch);

/* Makes the JIT stack now, which is otherwise made when a value needs it; if there is no memory for it then, the value
 * is UNDECIDED. Returns false when out of memory. Call this for scratches of long jobs, whose results must not depend
 * on the free memory. */
ASSAY_API bool assay_scratch_reserve(assay_scratch *scratch);

/* Returns PCRE2's negative error number for the latest UNDECIDED verdict of this scratch, such as −47 (match limit). */
ASSAY_API int32_t assay_scratch_engine_code(const assay_scratch *scratch);

/* The budget of a call. All threads of the call share it; each has its own scratch.
 *
 *     assay_budget ──lease──► assay_scratch ──► checks charge it     a lease is some thousand ticks, so that threads
 *                  ──lease──► assay_scratch ──► checks charge it     rarely contend for the budget
 *
 * Work is counted in ticks, nominally nanoseconds. Values that PCRE2 evaluates are charged an upper bound, which can be
 * thousands of times the work of a search. With one thread the count is the same on machines with the same processor
 * features and PCRE2; with several each thread may hold a lease that another one lacks. Once a charge does not fit, the
 * budget is spent for good: the part of a column that is being evaluated, at most 2,048 rows, is finished as far as no
 * charge is needed, and all later verdicts are UNDECIDED. */
typedef struct assay_budget assay_budget;

/* The bound that ended a budget. */
typedef enum ASSAY_CLOSED_ENUM assay_budget_end {
    ASSAY_BUDGET_LEFT = 0, /* not exhausted */
    ASSAY_BUDGET_WORK,
    ASSAY_BUDGET_MEMORY,
    ASSAY_BUDGET_TIME,
} assay_budget_end;

/* Creates a budget of `ticks` of work and `nanoseconds` by the clock from now on; UINT64_MAX: no bound. The clock is
 * read when a scratch takes a lease. Returns NULL when out of memory. The budget must outlive the scratches that use
 * it. */
ASSAY_API assay_budget *assay_budget_create(uint64_t ticks, uint64_t nanoseconds);
ASSAY_API void assay_budget_free(assay_budget *budget);
ASSAY_API assay_budget_end assay_budget_ended_by(const assay_budget *budget);

/* Returns the ticks charged so far, including those of leases. */
ASSAY_API uint64_t assay_budget_used(const assay_budget *budget);

/* Charges work outside of checks. Returns false if the budget is exhausted; the work must then not be done.
 * Thread-safe. */
ASSAY_API bool assay_budget_spend(assay_budget *budget, uint64_t ticks);

/* Ends the budget because the memory limit, which callers track, is reached. */
ASSAY_API void assay_budget_end_for_memory(assay_budget *budget);

/* Sets the budget that later work with this scratch is charged to; NULL: no budget. Returns the rest of the lease to
 * the old one. */
ASSAY_API void assay_scratch_set_budget(assay_scratch *scratch, assay_budget *budget);

/* Returns the rest of the lease. Call it before the scratch is idle for a while. */
ASSAY_API void assay_scratch_end_lease(assay_scratch *scratch);

/* Charges work of the thread that uses this scratch. Returns false if the budget is exhausted; always true without a
 * budget. */
ASSAY_API bool assay_scratch_spend(assay_scratch *scratch, uint64_t ticks);

/* Refunds work that was charged and not done. */
ASSAY_API void assay_scratch_refund(assay_scratch *scratch, uint64_t ticks);

/* Records that a row of the current column is over the budget and therefore undecided. */
ASSAY_API void assay_scratch_note_over(assay_scratch *scratch, size_t row);

/* Like assay_scratch_take_first_over, but does not reset the row. */
ASSAY_API size_t assay_scratch_first_over(const assay_scratch *scratch);

/* Returns the first row over the budget in the columns checked since the latest call, and resets it. All undecided rows
 * from there on are over the budget. SIZE_MAX: no row. */
ASSAY_API size_t assay_scratch_take_first_over(assay_scratch *scratch);

/* Checks one value, which must be well-formed UTF-8. */
ASSAY_API assay_verdict assay_pattern_match(const assay_pattern *pattern, assay_scratch *scratch,
                                            const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* Like assay_pattern_match, and counts the maximum number of ticks that PCRE2 took. The count depends only on the
 * pattern and the value after the pattern has its plan (assay_pattern_get_dfa). */
ASSAY_API assay_verdict assay_pattern_match_counting(const assay_pattern *pattern, assay_scratch *scratch,
                                                     const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE,
                                                     size_t count, uint64_t *ticks);

/* Like assay_pattern_match, for a value that the DFA alone decides, which needs no scratch: most values, if there is a
 * DFA. UNDECIDED means only that assay_pattern_match must be called. */
ASSAY_API assay_verdict assay_pattern_match_short(const assay_pattern *pattern,
                                                  const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE,
                                                  size_t count);

/* Returns the length in bytes of the longest prefix of the value that some continuation would complete to a match. Use
 * it for messages, not for verdicts, because it compiles the pattern again. SIZE_MAX: not available for this pattern
 * (look-around, \K, verbs, (?R), search). The value must be well-formed UTF-8. */
ASSAY_API size_t assay_pattern_viable_prefix(const uint8_t *ASSAY_COUNTED_BY(text_count) text ASSAY_NOESCAPE,
                                             size_t text_count, uint32_t options,
                                             const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* The growth of PCRE2's work with the length of a value. */
typedef enum ASSAY_CLOSED_ENUM assay_growth {
    ASSAY_GROWTH_NOT_FOUND = 0, /* the search found no value with superlinear work */
    ASSAY_GROWTH_POLYNOMIAL,
    ASSAY_GROWTH_EXPONENTIAL,
} assay_growth;

enum { ASSAY_WITNESS_BYTES = 128 };

/* A value that takes long to check, as constructed and measured: a prefix, a repeated pump, a suffix. */
typedef struct assay_witness {
    assay_growth growth;
    uint32_t degree;   /* of a polynomial, rounded: 2 if twice the length takes four times the work */
    uint32_t repeats;  /* n; 0: no witness */
    uint64_t steps[3]; /* counted for n, 2n and 4n pumps, in steps of assay_match_limits */
    uint32_t
        undecided; /* min length in bytes of UNDECIDED values with the default limits; 0: no such value up to 64 KiB */
    uint32_t prefix_count;
    uint32_t pump_count;
    uint32_t suffix_count;
    uint8_t text[ASSAY_WITNESS_BYTES]; /* prefix, pump and suffix, in UTF-8 */
    uint64_t work; /* counted work of the search, nominally in nanoseconds, at most ASSAY_WITNESS_WORK */
} assay_witness;

/* The maximum work of a search for any pattern. */
#define ASSAY_WITNESS_WORK UINT64_C(2000000000)

/* Searches for a value for which PCRE2 takes long. It follows the pattern along generated values, pumps them, and
 * counts the steps of each. A witness is therefore a measurement, but its absence is not a proof. The search limits its
 * work by counting steps, so its result is the same on every machine. A pattern whose values a DFA checks has no
 * witness unless the DFA leaves it to PCRE2. Returns false when out of memory, or if the pattern is too large to
 * follow. */
ASSAY_API bool assay_pattern_find_witness(const assay_pattern *pattern, assay_witness *witness);

/* ---------------------------------------------------------------------------------------------------------------
 * 5  Types: what a cell's text means
 * ------------------------------------------------------------------------------------------------------------- */

typedef enum ASSAY_CLOSED_ENUM assay_kind {
    ASSAY_KIND_STRING = 0,
    ASSAY_KIND_INTEGER,
    ASSAY_KIND_NUMBER,
    ASSAY_KIND_BOOLEAN,
    ASSAY_KIND_DATE,
    ASSAY_KIND_TIME,
    ASSAY_KIND_DATETIME,
    ASSAY_KIND_YEAR,
    ASSAY_KIND_YEARMONTH,
    ASSAY_KIND_DURATION,
    ASSAY_KIND_LIST,   /* values separated by a delimiter: a;b;c */
    ASSAY_KIND_ARRAY,  /* an array of JSON */
    ASSAY_KIND_OBJECT, /* an object of JSON */
} assay_kind;

/* A borrowed text. Not NUL-terminated; may contain NUL. */
typedef struct assay_text {
    const uint8_t *bytes;
    size_t count;
} assay_text;

/* A Table Schema type. A zero member means the default of the standard. Plain data, read by assay_type_create and not
 * kept. */
typedef struct assay_type_description {
    assay_kind kind;
    assay_text format;       /* dates and times: strptime-like, such as "%d/%m/%Y"; empty: the ISO form */
    assay_text decimal_char; /* number; empty: "." */
    assay_text group_char;   /* integer, number; empty: no groups */
    bool allow_extra; /* integer, number: text such as "€" or "%" may surround the number (bareNumber: false) */
    const assay_text *true_values; /* boolean; default: true True TRUE 1 */
    size_t true_count;
    const assay_text *false_values; /* boolean; default: false False FALSE 0 */
    size_t false_count;
    /* list: STRING, INTEGER, NUMBER, BOOLEAN, DATE, TIME or DATETIME, each in its default form; and the delimiter of at
     * most 16 bytes; empty: a comma. The empty text is a list without items. */
    assay_kind item_kind;
    assay_text delimiter;
    /* list: values are JSON arrays, and their elements must be strings, numbers or Booleans, according to `item_kind`.
     * The values of assay_check_create_set are written with the delimiter nevertheless. */
    bool is_json;
} assay_type_description;

typedef struct assay_type assay_type;

/* Returns NULL on failure, with *error filled (its offset is inside `format`). */
ASSAY_API assay_type *assay_type_create(const assay_type_description *description, assay_error *error);
ASSAY_API void assay_type_free(assay_type *type);

/* Calls `visit` with the text of each item of a list, with escapes of JSON undone; the text is valid during the call.
 * For an invalid list, it visits the items before the first mistake. Returns ASSAY_BAD_DESCRIPTION, without a visit,
 * for another type; ASSAY_NO_MEMORY, otherwise ASSAY_OK. */
ASSAY_API assay_status assay_type_visit_items(const assay_type *type, const uint8_t *ASSAY_COUNTED_BY(count) value,
                                              size_t count,
                                              void (*visit)(void *context, const uint8_t *bytes, size_t item_count),
                                              void *context);

/* Built-in types: formats in addition to the kinds above, such as e-mail addresses, IBANs or time zones. */

/* The description of a built-in type. All texts are NUL-terminated, have static storage and are not NULL. */
typedef struct assay_builtin_info {
    const char *name;         /* "iban" */
    const char *display_name; /* "an IBAN", as in "is not an IBAN" */
    const char *profile;      /* the standard that it follows, and the parts used */
    const char *example;      /* a value that passes without options */
    const char *options;      /* the options that may follow the name, such as "country=LIST"; empty: no options */
    const char *source;       /* the packaged table that it uses; empty: no table */
    const char *edition;      /* of that table, such as "2025b" */
} assay_builtin_info;

/* Returns the built-in type with this index, from 0, in the order of the documentation; NULL after the last. Static
 * storage. */
ASSAY_API const assay_builtin_info *assay_builtin_at(size_t index);

/* Returns the description of the type that `text` names ("iban country=DE" names iban), or NULL. Static storage. */
ASSAY_API const assay_builtin_info *assay_builtin_find(assay_text text);

/* A reason why a value is not of its type. NUL-terminated texts in static storage. */
typedef struct assay_failure_reason {
    const char *name; /* stable, such as "check-digits" */
    const char *text; /* continues "is not an IBAN: "; contains no part of the value */
} assay_failure_reason;

/* Returns the failure reason with this index, from 0; NULL after the last. Static storage. */
ASSAY_API const assay_failure_reason *assay_failure_reason_at(size_t index);

/* ---------------------------------------------------------------------------------------------------------------
 * 6  Checks
 * ------------------------------------------------------------------------------------------------------------- */

typedef enum ASSAY_CLOSED_ENUM assay_length_unit {
    ASSAY_LENGTH_SCALARS = 0, /* Unicode scalars */
    ASSAY_LENGTH_BYTES = 1,   /* UTF-8 bytes */
    ASSAY_LENGTH_UTF16 = 2,   /* UTF-16 code units */
    /* Grapheme clusters. The C core counts them for ASCII only (CR LF is one): a value with other bytes is UNDECIDED
     * here, and the caller must count. */
    ASSAY_LENGTH_CHARACTERS = 3,
} assay_length_unit;

/* One end of a range; an empty `text` means no bound. */
typedef struct assay_bound {
    assay_text text;
    bool exclusive;
} assay_bound;

typedef struct assay_check assay_check;

/* The checks below keep the passed pattern or type, which must outlive them, and copy all other arguments. They return
 * NULL when out of memory or, with *error filled, if a value does not belong to the type. */
ASSAY_API assay_check *assay_check_create_pattern(const assay_pattern *pattern);
ASSAY_API assay_check *assay_check_create_length(size_t minimum, size_t maximum, assay_length_unit unit);
/* `options` may be ASSAY_PATTERN_NO_DFA: columns are then checked value by value, as single values always are. */
ASSAY_API assay_check *assay_check_create_type(const assay_type *type, uint32_t options);
/* Passes if a LIST, an ARRAY or an OBJECT has `minimum` to `maximum` items, elements or members. A value that is not of
 * the type fails. Also returns NULL for another type, with *error filled. */
ASSAY_API assay_check *assay_check_create_count(const assay_type *type, size_t minimum, size_t maximum,
                                                assay_error *error);
/* Passes if the value is one of `values`, compared as values of the type (1.0 = 1 for numbers); for STRING, byte by
 * byte. Arrays and objects are compared as JSON values, of at most 64 levels. */
ASSAY_API assay_check *assay_check_create_set(const assay_type *type, const assay_text *values, size_t count,
                                              assay_error *error);
/* Passes if lower ≤ value ≤ upper (< for exclusive ends). NaN and values that cannot be compared fail. If a bound does
 * not parse, the call fails; error->offset is 0 for the lower bound and 1 for the upper bound. Not for STRING, BOOLEAN,
 * LIST, ARRAY and OBJECT. */
ASSAY_API assay_check *assay_check_create_range(const assay_type *type, assay_bound lower, assay_bound upper,
                                                uint32_t options, assay_error *error);
/* Passes if the value is a multiple of `divisor`, which must be above 0. Numbers may have any length and are not
 * rounded: 1.15, 0 and 2e3 are multiples of 0.01. For INTEGER and NUMBER; NaN and INF fail. The digits of the divisor,
 * without its point and trailing zeros, must be at most 4294967295; otherwise NULL with *error filled. */
ASSAY_API assay_check *assay_check_create_multiple(const assay_type *type, assay_text divisor, assay_error *error);
/* Passes if the value is of a built-in type: its name, then options with a space before each, as in "email unicode
 * ip-literal", "uuid version=4" or "phone region=GB,IE". `options` may be ASSAY_PATTERN_NO_DFA or ASSAY_PATTERN_NO_JIT.
 * Depends on the day only with the options `past`, `future`, `min-age` and `max-age` without `on=`, which use the day
 * (UTC) of this call. NULL with *error filled, its offset inside `text`. */
ASSAY_API assay_check *assay_check_create_builtin(assay_text text, uint32_t options, assay_error *error);
ASSAY_API void assay_check_free(assay_check *check);

/* Returns the pattern of the check, borrowed from it; NULL if it has no pattern. */
ASSAY_API const assay_pattern *assay_check_pattern(const assay_check *check);

/* Checks one value, which must be well-formed UTF-8. */
ASSAY_API assay_verdict assay_check_value(const assay_check *check, assay_scratch *scratch,
                                          const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* Returns whether one value passes, as assay_check_value does. Faster for values of simple form of some built-in types,
 * such as e-mail addresses, and slower for other values of these types. */
ASSAY_API bool assay_check_passes(const assay_check *check, assay_scratch *scratch,
                                  const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* Returns whether assay_check_failure_reason may return a reason: for checks of a built-in type, or of a DATE, TIME or
 * DATETIME without a format. */
ASSAY_API bool assay_check_has_reasons(const assay_check *check);

/* Returns why a value of well-formed UTF-8 is not of the type; NULL if no further reason is known, if the value passes,
 * and for all other checks. Intended for failed values, because it takes a few times as long as the check. */
ASSAY_API const assay_failure_reason *assay_check_failure_reason(const assay_check *check, assay_scratch *scratch,
                                                                 const uint8_t *ASSAY_COUNTED_BY(count)
                                                                     value ASSAY_NOESCAPE,
                                                                 size_t count);

/* Finds the reasons for the values of a column whose bit is set in `failed`; all of them must have failed this check.
 * found[i] becomes 0 if assay_check_failure_reason would return NULL, otherwise 1 + the index of the reason. Entries of
 * other rows do not change. This is faster than single calls, because no value is checked again, and each pattern runs
 * over many values at once. */
ASSAY_API void assay_check_failure_reasons(const assay_check *check, assay_scratch *scratch, const uint8_t *bytes,
                                           const assay_cell *ASSAY_COUNTED_BY(count) cells, size_t count,
                                           const uint64_t *failed, uint8_t *ASSAY_COUNTED_BY(count) found);

/* Checks a column: row i is the value cells[i] of `bytes`, all well-formed UTF-8. Rows whose bit is set in `skip` (may
 * be NULL) are not checked; their cells may be undefined, and their result bits are 0. Writes all
 * assay_mask_words(count) words of `failed` and `undecided`; a row has at most one of the two bits. `undecided` must
 * not be `failed`. */
ASSAY_API void assay_check_column(const assay_check *check, assay_scratch *scratch, const uint8_t *bytes,
                                  const assay_cell *ASSAY_COUNTED_BY(count) cells, size_t count, const uint64_t *skip,
                                  uint64_t *failed, uint64_t *undecided);

/* ---------------------------------------------------------------------------------------------------------------
 * 7  Masks
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the number of words of a mask of `count` rows. */
static inline size_t assay_mask_words(size_t count) { return (count + 63) / 64; }

/* Returns the rows of word `word`, among `count` rows, that are not skipped; `skip` may be NULL. */
static inline uint64_t assay_mask_rest(const uint64_t *skip, size_t count, size_t word)
{
    const size_t left = count - 64 * word;
    const uint64_t rows = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    return skip == NULL ? rows : rows & ~skip[word];
}

/* Returns the number of ones. */
ASSAY_API size_t assay_mask_count(const uint64_t *ASSAY_COUNTED_BY(words) mask ASSAY_NOESCAPE, size_t words);

/* target |= other. Returns whether `other` has a 1 bit. */
ASSAY_API bool assay_mask_merge(uint64_t *ASSAY_COUNTED_BY(words) target ASSAY_NOESCAPE,
                                const uint64_t *ASSAY_COUNTED_BY(words) other ASSAY_NOESCAPE, size_t words);

/* Returns the first row ≥ `row` whose bit is set, or `count`. */
ASSAY_API size_t assay_mask_next(const uint64_t *mask, size_t count, size_t row);

/* ---------------------------------------------------------------------------------------------------------------
 * 8  Outputs
 * ------------------------------------------------------------------------------------------------------------- */

/* Copies records [first, first + count): those whose bit in `rejects` is 0 to `clean`, the others to `rejected`, byte
 * by byte, in runs. Each output must have room for all their bytes. The counts are the numbers of written bytes.
 *
 * Comments are copied like records, according to their bits. Entries whose bit in `drops` (may be NULL) is 1 are not
 * copied.
 *
 * `clean` may be `bytes` or begin before it: the clean records are then moved together, and `bytes` is overwritten. */
ASSAY_API void assay_emit_records(const assay_batch *batch, const uint8_t *bytes, uint32_t first, uint32_t count,
                                  const uint64_t *rejects, const uint64_t *drops, uint8_t *clean, size_t *clean_count,
                                  uint8_t *rejected, size_t *rejected_count);

/* Consecutive texts: piece i ends at ends[i] of the bytes, which is the start of piece i + 1. */
typedef struct assay_pieces {
    uint8_t *bytes;
    size_t *ends;
    size_t count;
    size_t byte_capacity;
    size_t end_capacity;
} assay_pieces;

/* Copies records [first, first + count) whose bit in `rejects` is set, with a note before the terminator of each: piece
 * i for the i-th copied record. A record without terminator does not get one. A CONTINUED record is copied unchanged,
 * and its note is skipped. With `objects` the records are JSON objects, and a note precedes the } of each; its first
 * byte, a comma, is omitted if the object has no members. Returns the number of written bytes, at most the sum of those
 * of the records and of the notes. */
ASSAY_API size_t assay_emit_annotated(const assay_batch *batch, const uint8_t *bytes, uint32_t first, uint32_t count,
                                      const uint64_t *rejects, bool cr_ends, bool objects, const assay_pieces *notes,
                                      uint8_t *annotated);

/* Computes physical line numbers in a buffer. Plain data; the buffer and its batch are borrowed. */
typedef struct assay_lines {
    const uint8_t *bytes;
    uint64_t line;   /* the line of `place`, from 1 */
    size_t place;    /* the end of the counted bytes */
    bool cr_ends;    /* as in assay_dialect */
    bool is_regular; /* every record is one line, so that counting is unnecessary */
} assay_lines;

/* `line` is the line number of the first byte. */
ASSAY_API assay_lines assay_lines_begin(const assay_batch *batch, const uint8_t *bytes, bool cr_ends, uint64_t line);

/* Returns the line of a place in a record of the batch. Calls with ascending places read every byte once. */
ASSAY_API uint64_t assay_lines_at(assay_lines *lines, size_t place, uint32_t record);

/* The form of written findings. Callers supply the texts; these functions assemble them for many rows at once:
 *
 *     {"record":7,"line":8,"offset":120,"column":"age","position":2, … "message":"is below 18"}⏎
 *     └────────┘  └──────┘ └────────┘   └─ tail ─────────────────────────────────────────────┘
 *     before[0]  before[1] before[2]
 *
 * and a note, for assay_emit_annotated:
 *
 *     ,8,age.minimum;age.round
 *
 * The note of a record that is QUOTE_UNCLOSED begins with the quote, so that the rest of the note is outside quotes. */
typedef struct assay_finding_form {
    assay_text before[3]; /* the texts before the numbers of record, line and offset; at most 16 bytes each */
    uint8_t delimiter;
    uint8_t quote;      /* encloses the reasons, if one needs quotes or ';' is the delimiter; not ';' */
    uint8_t delimiter2; /* as in assay_dialect; places count it */
} assay_finding_form;

/* The common members of all findings of one kind. Plain data, read only during a call. */
typedef struct assay_finding_kind {
    const uint64_t *rows; /* mask of the rows of the slice with a finding */
    uint32_t field;       /* the column of the finding */
    /* The place of each row's value in the buffer; NULL: the place of its field. */
    const uint32_t *places;
    bool needs_quotes; /* whether its reason needs quotes */
    assay_text tail;   /* the text after the offset, with the end of the line */
    assay_text reason; /* its name in notes, quotes doubled; NULL: not in notes */
} assay_finding_kind;

/* The findings of one buffer, and the notes of its rejected records. Created by assay_findings_create, freed by
 * assay_findings_free. Used by one thread at a time; keeps its memory between buffers. */
typedef struct assay_findings {
    assay_pieces text;
    assay_pieces notes;
    assay_lines lines;
} assay_findings;

/* Copies the form. Returns NULL when out of memory. */
ASSAY_API assay_findings *assay_findings_create(const assay_finding_form *form);
ASSAY_API void assay_findings_free(assay_findings *findings);

/* Begins another buffer and its batch, which are borrowed until the next begin. `record` is the number of the first
 * record, without comments. `line` and `offset` are those of the first byte. At most `max` findings are kept. */
ASSAY_API void assay_findings_begin(assay_findings *findings, const assay_batch *batch, const uint8_t *bytes,
                                    bool cr_ends, uint64_t record, uint64_t line, uint64_t offset, size_t max);

/* Adds the findings of rows [row, end) of the slice that starts at entry `first`, row by row, in the order of the
 * kinds, and if `annotates` a note for each row that has a reason. Masks are read in whole words. Returns
 * ASSAY_NO_MEMORY, otherwise ASSAY_OK. O(findings + kinds × words). */
ASSAY_API assay_status assay_findings_add_rows(assay_findings *findings, const assay_finding_kind *kinds,
                                               size_t kind_count, uint32_t first, uint32_t row, uint32_t end,
                                               bool annotates);

/* Adds a finding that the caller has written, unless the maximum is reached; or a note. Returns ASSAY_NO_MEMORY,
 * otherwise ASSAY_OK. */
ASSAY_API assay_status assay_findings_add_text(assay_findings *findings,
                                               const uint8_t *ASSAY_COUNTED_BY(count) text ASSAY_NOESCAPE,
                                               size_t count);
ASSAY_API assay_status assay_findings_add_note(assay_findings *findings,
                                               const uint8_t *ASSAY_COUNTED_BY(count) note ASSAY_NOESCAPE,
                                               size_t count);

#ifdef __cplusplus
}
#endif

/* ---------------------------------------------------------------------------------------------------------------
 * 9  Encodings, before all others
 * ------------------------------------------------------------------------------------------------------------- */

#include "encodings.h"

#endif
