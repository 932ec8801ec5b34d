/* assay/core.h: the C core of Assay.
 *
 *     bytes ──► records ──► columns ──► checks ──► masks ──► outputs
 *      (1)        (2)         (3)      (4,5,6)      (7)        (8)
 *
 * The sections follow the data. Each function borrows its input and writes a new value; it keeps no pointer to the caller's
 * memory unless its comment says so. The bytes of a column may be NULL if all of its cells are empty.
 *
 * House rules for every function here:
 *   - No output, no abort. `create` returns NULL or a complete object; `free(NULL)` is allowed.
 *   - Three global variables, all atomic: the processor path (set by the first call that needs it and by assay_cpu_select), the
 *     random key of internal hash tables (set once for each process), and the number of the latest lazy DFA. Only the processor
 *     path can be observed, and no result depends on any of them. Libraries below the core have their own, such as the
 *     allocator of PCRE2's JIT compiler.
 *   - Four kinds of value. Descriptions are plain structs. Compiled objects (assay_pattern, assay_type, assay_check)
 *     never change after they are made: any number of threads may use one at once. Scratch (assay_scratch) and
 *     batches (assay_batch) belong to one thread at a time. Views (assay_cell arrays) are borrowed.
 *   - A mask is one bit per row, least significant bit first. Bits at and above the row count are always 0.
 *   - Positions inside a buffer are 32-bit: one buffer holds less than 2 GiB.
 */
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

/* Bounds for compilers that understand them (Swift then sees spans); nothing elsewhere. */
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

/* The version of this library, such as "0.1.0". Static storage. */
ASSAY_API const char *assay_version(void);

/* What can go wrong in a call. Bad data is never an error: it is a verdict. */
typedef enum ASSAY_CLOSED_ENUM assay_status {
    ASSAY_OK = 0,
    ASSAY_NO_MEMORY = 1,
    /* The pattern, type, format or bound given to `create` is wrong; assay_error says where. */
    ASSAY_BAD_DESCRIPTION = 2,
    /* A buffer of 2 GiB or more. */
    ASSAY_TOO_LARGE = 3,
} assay_status;

/* Why a compiled object could not be made. */
typedef struct assay_error {
    assay_status status;
    /* PCRE2's error number for patterns, else 0. */
    int32_t engine_code;
    /* Byte offset of the mistake inside the text that was given. */
    size_t offset;
    /* Plain English, NUL-terminated; PCRE2's own words for a pattern. */
    char message[256];
} assay_error;

/* ---------------------------------------------------------------------------------------------------------------
 * 1  Bytes
 * ------------------------------------------------------------------------------------------------------------- */

/* The processor path that the byte functions below run on: "avx512", "avx2", "sse2", "neon" or "portable". Static storage. */
ASSAY_API const char *assay_cpu(void);

/* The processor paths that this build and machine have, by index from 0, best first; NULL after the last, which is "portable".
 * Static storage. */
ASSAY_API const char *assay_cpu_at(size_t index);

/* Limits every later call to one processor path, such as "avx2", for tests that compare them.
 * Returns false, changing nothing, if this machine or build lacks it. NULL returns to the best one.
 * Not thread-safe: call it before other threads use the library. */
ASSAY_API bool assay_cpu_select(const char *name);

/* How many processors this process may run on, at least 1. Fewer than are online where it is bound to some of them, or where
 * its container is given the time of fewer, rounded up. Sources: sched_getaffinity(2), cgroups(7). */
ASSAY_API size_t assay_cpu_count(void);

/* For a loop that waits for another thread: the processor spends less on it meanwhile, and does nothing else. */
static inline void assay_cpu_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* Asks for the memory of a value before it is read, for values that stand all over memory. There may be none at that address. */
static inline void assay_bytes_prefetch(const uint8_t *bytes) { __builtin_prefetch(bytes); }

/* The length of the longest prefix that is well-formed UTF-8 (Unicode 15, table 3-7: no surrogates, no overlong
 * forms, nothing above U+10FFFF). Equal to `count` exactly when all is well. O(count). */
ASSAY_API size_t assay_utf8_valid_prefix(const uint8_t *ASSAY_COUNTED_BY(count) bytes ASSAY_NOESCAPE, size_t count);

/* How many of the bytes equal `byte`. O(count). */
ASSAY_API size_t assay_bytes_count(const uint8_t *ASSAY_COUNTED_BY(count) bytes ASSAY_NOESCAPE, size_t count,
                                   uint8_t byte);

/* Whether no byte is above 127. O(count). */
ASSAY_API bool assay_bytes_are_ascii(const uint8_t *ASSAY_COUNTED_BY(count) bytes ASSAY_NOESCAPE, size_t count);

/* ---------------------------------------------------------------------------------------------------------------
 * 2  Records
 * ------------------------------------------------------------------------------------------------------------- */

/* The meaning of a blank line, which is a line without any bytes. */
typedef enum assay_blank_lines {
    ASSAY_BLANK_RECORDS,   /* a record with one empty field */
    ASSAY_BLANK_LAST_KEPT, /* the same; but after the last record it is an entry like a comment */
    ASSAY_BLANK_KEPT,      /* an entry like a comment */
} assay_blank_lines;

/* How records and fields are told apart. Plain data. No two of its bytes mean two things, except that `delimiter2` may be any
 * byte but the quote, the escape and the terminators; none is CR or LF. `delimiter2`, `escape`, `comment` and
 * `skip_initial_space` are off when they are zero; with one of them on, scanning takes the state machine alone.
 *
 * `escape`: the byte after it is data, whatever it is, inside quotes and outside; of CR LF both bytes are. Doubled quotes are
 * undone besides. An escape with nothing after it, at the end of the input, is data itself. A backslash before 0, b, f,
 * n, r, t, v or Z means NUL, backspace, form feed, LF, CR, tab, vertical tab or 0x1A: the escapes that MySQL, PostgreSQL (COPY
 * text) and ClickHouse write. A field of which all is `\N`, without quotes, stays `\N` (assay_batch_mask_null_texts). Every other byte,
 * and each after another escape, is itself, digits included: PostgreSQL reads `\101` and `\x41` as A, MySQL as text, and neither
 * writes them.
 *
 * `comment`: a line whose first byte is this, where a record would start, is an entry with ASSAY_RECORD_COMMENT. It goes to the
 * next terminator, whatever quotes and escapes are in it.
 *
 * `skip_initial_space`: spaces and tabs before a field are not in its text, and a quote after them opens; between a closing quote
 * and what ends the field they are dropped. A space or tab that is `delimiter` is neither.
 *
 * `blank_lines`: see assay_blank_lines. "After the last record" means that only blank lines and comments follow, and the mark of
 * `end_mark`, up to the end of the input, which is at most ASSAY_BLANK_BYTES and `record_bytes` bytes away; so that a limited number of
 * bytes decides about each line.
 *
 * `end_mark`: a Ctrl-Z (0x1A) that is the last byte of the input, in place of a record, is an entry like a comment.
 *
 * `trailing_delimiter`: a record may have one more field than expected if this field has no bytes (assay_batch_mask_structure,
 * assay_batch_width). Scanning does not depend on it. */
typedef struct assay_dialect {
    uint8_t delimiter;  /* one ASCII byte, not a quote and not a line terminator */
    uint8_t quote;      /* one ASCII byte; read only when `quoting` */
    bool quoting;       /* false: quotes are data and no field spans lines, except by an escape */
    bool cr_ends;       /* true: a bare CR ends a record as LF and CRLF do; false: a bare CR outside quotes is data */
    uint8_t delimiter2; /* the second byte of a delimiter of two, of which the first alone is data; 0: it has one */
    uint8_t escape;     /* one ASCII byte; 0: none */
    uint8_t comment;    /* one ASCII byte; 0: none */
    bool skip_initial_space; /* see above */
    bool trailing_delimiter; /* see above */
    bool end_mark;           /* see above */
    uint8_t blank_lines;     /* an assay_blank_lines */
} assay_dialect;

/* See assay_dialect.blank_lines and end_mark. */
enum { ASSAY_BLANK_BYTES = 1 << 16, ASSAY_END_MARK = 0x1A };

/* What stands between two fields: 1 or 2. */
static inline uint32_t assay_dialect_delimiter_bytes(const assay_dialect *dialect)
{
    return dialect->delimiter2 == 0 ? 1 : 2;
}

/* Longest field and record, in bytes of the file (quotes and terminator included). */
typedef struct assay_record_limits {
    uint32_t field_bytes;
    uint32_t record_bytes;
} assay_record_limits;

/* Bits of assay_record.flags. No bit set: the record is well-formed. */
enum {
    ASSAY_RECORD_QUOTE_TEXT = 1u << 0, /* text after a closing quote */
    ASSAY_RECORD_QUOTE_UNCLOSED =
        1u << 1, /* a quote that is not believed: this is the physical line on which the record starts */
    ASSAY_RECORD_TOO_LONG = 1u << 2,     /* the record or one of its fields is over its limit */
    ASSAY_RECORD_CONTINUED = 1u << 3,    /* TOO_LONG, and its terminator lies beyond this buffer */
    ASSAY_RECORD_CONTINUATION = 1u << 4, /* not a record: more bytes of a CONTINUED one from the buffer before */
    /* Not a record: a comment, or a blank line or a Ctrl-Z that is not a record; one field that is the line. No other bit is set. */
    ASSAY_RECORD_COMMENT = 1u << 5,
    /* The bits from here on count the lines after a QUOTE_UNCLOSED record that were read to find that its quote is never closed. */
    ASSAY_RECORD_LINES_SHIFT = 8,
    ASSAY_RECORD_MAX_LINES = (1 << 24) - 1,
};

/* One record as it stands in the buffer.
 *
 *     7,"a ""b""",x⏎          start = 0, end = 14 (terminator included)
 *     ↑ ↑         ↑           field_ends[first_field ..] = 1, 11, 13
 *
 * Field 0 starts at `start`; field i starts one delimiter (assay_dialect_delimiter_bytes) after the end of field i − 1.
 * Quotes, escapes and skipped spaces are still in place, CR LF is not part of the last field. The number of fields is the
 * next record's first_field less this one's (assay_batch keeps one extra entry after the last record for that). */
typedef struct assay_record {
    uint32_t start;
    uint32_t end;
    uint32_t first_field;
    uint32_t flags;
} assay_record;

/* The records of one buffer. Made by assay_batch_create, filled by assay_scan, read by anyone, freed by
 * assay_batch_free. Used by one thread at a time; keeps its memory from one scan to the next. */
typedef struct assay_batch {
    assay_record *records; /* record_count entries and one more: {consumed, consumed, field_count, 0} */
    uint32_t *field_ends;
    uint32_t record_count;
    uint32_t field_count;
    /* Bytes taken up by the records. What follows is an unfinished record: give it again, with more after it. */
    uint32_t consumed;
    /* Line terminators among the consumed bytes, those inside quoted fields included. CR LF counts once. */
    uint32_t lines;
    /* Bit i: a quote stands somewhere in record i, or an escape, or a space or tab if initial ones are skipped, so that its cells
     * may differ from its fields. Never where all of these are data, or in comments. */
    uint64_t *quoted;
    /* Bit i: record i may hold ill-formed UTF-8, and is to be asked. The others are well-formed. */
    uint64_t *utf8_unverified;
    /* Bit i: record i has another number of fields, or other flags, than the one before it. */
    uint64_t *layout_changes;
    /* How many fields every record has at least. */
    uint32_t fewest_fields;
    uint32_t record_capacity;
    uint32_t field_capacity;
    /* Entries with ASSAY_RECORD_COMMENT; bit i: entry i is one. */
    uint32_t comment_count;
    uint64_t *comments;
} assay_batch;

ASSAY_API assay_batch *assay_batch_create(void);
ASSAY_API void assay_batch_free(assay_batch *batch);

/* Gives a batch the records of another that is gone, without their fields: enough for lines and outputs.
 * `records` are those of the other with its closing entry, `count` + 1 of them; `comments` a mask, or what there is if
 * `comment_count` is 0. */
ASSAY_API assay_status assay_batch_restore(assay_batch *batch, const assay_record *records, uint32_t count,
                                           const uint64_t *comments, uint32_t comment_count, uint32_t lines);

/* Splits a buffer, whose first byte starts a record, into records and fields.
 *
 *  - A quote opens only as the first byte of a field; elsewhere it is data.
 *  - Text after a closing quote: QUOTE_TEXT; the record goes on, and later quotes in it still count.
 *  - Quotes are not believed if the record is inside them at the record limit or at the end of the input, or if it has passed a
 *    terminator inside them and then text follows a closing quote: a stray quote has swallowed lines.
 *    Only the physical line on which the record starts becomes a record (QUOTE_UNCLOSED), and reading resumes on the next line. An
 *    escaped terminator ends no line in this sense.
 *  - A record that is outside quotes at the record limit is TOO_LONG, to the end of the line that it has come to. So is a physical line
 *    over the limit. They are handed out piece by piece as the buffers come (CONTINUED, then CONTINUATION); none ends within a
 *    character.
 *  - A comment over the record limit is TOO_LONG like any line, and then no comment. The field limit is not for comments.
 *  - At most `max_records` records and comments are taken, to bound memory; the rest is left unconsumed.
 *  - `is_last`: no bytes follow; a final record without terminator is then taken.
 *  - `continues`: the buffer before ended in a CONTINUED piece.
 *
 * `count` must be at least `limits.record_bytes` + 1 before a record can be found too long, so a caller that gets
 * consumed == 0 and !is_last must come back with a larger buffer.
 *
 * Runs on the fastest path of this processor; assay_scan_plain is the state machine that defines the truth, and both
 * give the same batch, except that the fast one leaves fewer records unverified. O(count), whatever the bytes. Returns
 * ASSAY_NO_MEMORY or ASSAY_TOO_LARGE, else ASSAY_OK. */
ASSAY_API assay_status assay_scan(assay_batch *batch, const assay_dialect *dialect, const assay_record_limits *limits,
                                  const uint8_t *ASSAY_COUNTED_BY(count) bytes, size_t count, uint32_t max_records,
                                  bool is_last, bool continues);
ASSAY_API assay_status assay_scan_plain(assay_batch *batch, const assay_dialect *dialect,
                                        const assay_record_limits *limits, const uint8_t *ASSAY_COUNTED_BY(count) bytes,
                                        size_t count, uint32_t max_records, bool is_last, bool continues);

/* Like assay_scan, but takes only the records that start before `end`, which may all be followed by others. The buffer should go
 * on behind `end` by more than a record: if consumed < end and !is_last, come back with a larger buffer.
 * O(count), mostly O(consumed). */
ASSAY_API assay_status assay_scan_until(assay_batch *batch, const assay_dialect *dialect,
                                        const assay_record_limits *limits, const uint8_t *ASSAY_COUNTED_BY(count) bytes,
                                        size_t count, size_t end, bool is_last, bool continues);

/* Where the first record at or after `position` starts, if `position` is not inside quotes, and no escape stands there; `count` if
 * no line ends. Looks at bytes from `position` − 1 on. O(count − position). */
ASSAY_API size_t assay_scan_guess(const assay_dialect *dialect, const uint8_t *ASSAY_COUNTED_BY(count) bytes,
                                  size_t count, size_t position);

/* How many line terminators there are, CR LF counted once; with `cr_ends` a bare CR is one. */
ASSAY_API uint32_t assay_count_lines(const uint8_t *ASSAY_COUNTED_BY(count) bytes, size_t count, bool cr_ends);

/* How many of the entries before `entry`, which is at most record_count, are comments. O(1) if there is none, else
 * O(entry / 64). */
ASSAY_API uint32_t assay_batch_comments_before(const assay_batch *batch, uint32_t entry);

/* Sets in `mask` the bit of every entry that is a blank line and not a record, and clears the others. `bytes` is the buffer as it was
 * scanned. Returns how many bits it set. O(1) if there are no comments, else O(entries / 64 + comments). */
ASSAY_API size_t assay_batch_mask_blank_lines(const assay_batch *batch, const uint8_t *bytes, uint64_t *mask);

/* Returns the number of fields of an entry; with `trailing_delimiter` without the last one if that has no bytes and is not the
 * only one. */
ASSAY_API uint32_t assay_batch_width(const assay_batch *batch, const assay_dialect *dialect, uint32_t entry);

/* Sets in `mask` the bit of every record among [first, first + count) that is not well-formed or has another number of
 * fields than `fields` (0: any number), or with `more_allowed` fewer; and of every comment. A trailing delimiter of the dialect adds
 * no field. Row i of the mask is record first + i. Returns how many bits it set. */
ASSAY_API size_t assay_batch_mask_structure(const assay_batch *batch, const assay_dialect *dialect, uint32_t first,
                                            uint32_t count, uint32_t fields, bool more_allowed, uint64_t *mask);

/* The cells that contain line breaks. Plain data. */
typedef struct assay_line_breaks {
    uint64_t cells; /* their number */
    uint64_t lines; /* the lines that they have together; a cell with one line break has two */
    uint32_t
        max_lines; /* the lines of the first cell with the most; 0: no cell has a line break, and the following have no meaning */
    uint32_t entry, field, start;
} assay_line_breaks;

/* Adds to `found` the cells with line breaks of entries [first, first + count), escaped line breaks included, but those whose bit in
 * `skip` is set; row i of the mask is entry first + i. O(bytes of records with quotes or escapes). */
ASSAY_API void assay_batch_count_line_breaks(const assay_batch *batch, const assay_dialect *dialect,
                                             const uint8_t *bytes, uint32_t first, uint32_t count, const uint64_t *skip,
                                             assay_line_breaks *found);

/* Sets in `mask` the bit of every record among [first, first + count) that holds ill-formed UTF-8.
 * `bytes` is the buffer as it was scanned. Returns how many bits it set. O(count + bytes of unverified records). */
ASSAY_API size_t assay_batch_mask_encoding(const assay_batch *batch, const uint8_t *bytes, uint32_t first,
                                           uint32_t count, uint64_t *mask);

/* ---------------------------------------------------------------------------------------------------------------
 * 3  Columns
 * ------------------------------------------------------------------------------------------------------------- */

/* One value: `length` bytes at `start` of the buffer that the column goes with; it ends below 2^32. Up to 15 bytes of the
 * buffer before a value may be read too, but none behind it. */
typedef struct assay_cell {
    uint32_t start;
    uint32_t length;
} assay_cell;

/* Writes the cells of column `field` for records [first, first + count), without their quotes and skipped spaces.
 *
 * Doubled quotes and escapes are undone into the free bytes after `*used`, which moves on; a buffer of twice the scanned bytes
 * always has room, since undoing never lengthens. Rows whose bit is set in `skip` (may be NULL), and records too short to
 * have the column, get the empty cell {record start, 0}. */
ASSAY_API void assay_batch_gather(const assay_batch *batch, const assay_dialect *dialect, uint8_t *bytes,
                                  uint32_t *used, uint32_t field, uint32_t first, uint32_t count, const uint64_t *skip,
                                  assay_cell *ASSAY_COUNTED_BY(count) cells);

/* Writes to `mask`, whose row i is record first + i, which cells of a column, from assay_batch_gather with the same `skip`, are the
 * text `\N` and not NULL: with a backslash as the escape, databases write NULL as `\N` and the text as `\\N`, and the cells of both
 * are `\N`. Returns how many bits it set; 0 for any other escape. O(records with an escape). */
ASSAY_API size_t assay_batch_mask_null_texts(const assay_batch *batch, const assay_dialect *dialect,
                                             const uint8_t *bytes, uint32_t field, uint32_t first, uint32_t count,
                                             const uint64_t *skip, const assay_cell *ASSAY_COUNTED_BY(count) cells,
                                             uint64_t *mask);

/* Cells of a column in the Arrow layout: value i is bytes [offsets[i], offsets[i + 1]). `count` values, count + 1
 * offsets. Offsets are not trusted: false, with the cells undefined, if they descend or pass `bytes_count`.
 * *has_empty (may be NULL): whether some value is empty. */
ASSAY_API bool assay_cells_from_offsets32(const int32_t *offsets, size_t count, size_t bytes_count, assay_cell *cells,
                                          bool *has_empty);

/* The longest text that stands inside its view. */
enum { ASSAY_STRING_VIEW_INLINE = 12 };

/* A value of Arrow's view layout: the text itself, or where it stands.
 *
 *     length   prefix   buffer   offset      more than 12 bytes, of which the prefix has the first four
 *     length   text, and zeros               up to 12 bytes */
typedef struct assay_string_view {
    int32_t length;
    uint32_t prefix;
    int32_t buffer;
    int32_t offset;
} assay_string_view;

/* What views may point at, and where that is: how many bytes behind the place that cells are counted from, modulo 2^32. */
typedef struct assay_view_source {
    uint32_t views_start;  /* the first view */
    uint32_t buffer_start; /* the buffer */
    int32_t buffer;        /* its number */
    uint32_t least, end;   /* texts lie in [least, end) of it; 0, 0: there are only texts inside views */
    uint32_t longest;      /* no text has more bytes */
} assay_view_source;

/* The texts of some views. A sum is modulo 2^32. */
typedef struct assay_view_texts {
    uint32_t shortest, longest;
    uint32_t inline_count; /* how many stand inside their views */
    uint32_t inline_bits;  /* those, four bytes at a time, all or-ed: a high bit shows that one may not be ASCII */
    uint32_t buffer_bytes; /* the sum of the lengths of the others, */
    uint32_t buffer_least; /* which lie in [buffer_least, buffer_end) of the buffer */
    uint32_t buffer_end;
} assay_view_texts;

/* Cells of a column in Arrow's view layout whose texts stand inside the views or in one buffer. Texts are not read, and views are
 * not trusted: false, with the cells and `texts` undefined, if one is not as `source` says. O(count). */
ASSAY_API bool assay_cells_from_views(const assay_string_view *views, size_t count, const assay_view_source *source,
                                      assay_cell *cells, assay_view_texts *texts);

/* ---------------------------------------------------------------------------------------------------------------
 * 4  Patterns (PCRE2)
 * ------------------------------------------------------------------------------------------------------------- */

/* Bits of the `options` of a pattern, others are refused. None: full match, UTF, ASCII classes, case-sensitive. */
enum {
    ASSAY_PATTERN_CASE_INSENSITIVE = 1u << 0,
    ASSAY_PATTERN_UNICODE_CLASSES = 1u << 1, /* \d \w \s \b and POSIX classes by Unicode properties (PCRE2_UCP) */
    ASSAY_PATTERN_DOT_ALL = 1u << 2,
    ASSAY_PATTERN_EXTENDED = 1u << 3,
    ASSAY_PATTERN_MULTILINE = 1u << 4,
    ASSAY_PATTERN_SEARCH = 1u << 5, /* a match anywhere is enough */
    ASSAY_PATTERN_NO_JIT = 1u << 6, /* run on PCRE2's interpreter alone */
    ASSAY_PATTERN_NO_DFA = 1u << 7, /* ask PCRE2 at once */
};

/* Answers of a check. Undecided: a limit or an engine error stopped the judging; it is never a pass. */
typedef enum ASSAY_CLOSED_ENUM assay_verdict {
    ASSAY_PASS = 0,
    ASSAY_FAIL = 1,
    ASSAY_UNDECIDED = 2,
} assay_verdict;

/* How much work PCRE2 may do for one value: match_base + match_per_byte × (its bytes, rounded up: to 64, then to multiples of
 * 256) steps. A step is about one item of the pattern; an item that looks at many bytes counts as several. A search, which may
 * begin at every byte, has 16 times as many. No value has more than 400 × match_base + match_per_byte / 4 × its bytes.
 * By default the slowest pattern and value known to us take less than 100 ms for 64 KiB and a second for 1 MiB
 * (Tests/Hostile/patterns.tsv). The DFA takes linear time and needs no limit.
 */
typedef struct assay_match_limits {
    uint32_t match_base;      /* default 5 000 */
    uint32_t match_per_byte;  /* default 64 */
    uint32_t heap_kib;        /* interpreter's memory, default 20 480 */
    uint32_t jit_stack_bytes; /* fixed size, default 1 MiB */
} assay_match_limits;

ASSAY_API assay_match_limits assay_match_limits_default(void);

typedef struct assay_pattern assay_pattern;

/* Compiles a pattern, with JIT unless told otherwise or the host forbids it. NULL on failure, with *error filled.
 * Refused besides what PCRE2 refuses: \C, callouts, a pattern over `max_bytes` (0: 10 000), a leading (*…) that would
 * change UTF, newline, limits or engine. Also, if JIT is not to be had: the few patterns (named in the message) that
 * the interpreter of this PCRE2 is known to judge wrongly. */
ASSAY_API assay_pattern *assay_pattern_create(const uint8_t *ASSAY_COUNTED_BY(count) text ASSAY_NOESCAPE, size_t count,
                                              uint32_t options, size_t max_bytes, assay_error *error);
ASSAY_API void assay_pattern_free(assay_pattern *pattern);

/* How many characters the ranges of a pattern have where it ignores case, as in (?i)[\x{0}-\x{FFFF}]: each of them takes
 * assay_pattern_create some nanoseconds. 0: it has none, or so many that it is refused. In O(count). */
ASSAY_API uint64_t assay_pattern_folded(const uint8_t *ASSAY_COUNTED_BY(count) text ASSAY_NOESCAPE, size_t count,
                                        uint32_t options);

/* The DFA that judges the values of a pattern before PCRE2 is asked: columns, once 1024 rows were asked for, and
 * nearly all single values. Only patterns of a regular subset of the syntax have one. It gives
 * PCRE2's verdicts, in linear time, and leaves to PCRE2 what it does not know: characters above U+FFFF, if the pattern tells
 * some of them apart from others, as \p{L} and [\x{1F300}-\x{1FAFF}] do. Making it takes as long as PCRE2 takes for thousands of values, so it is made when about 2048 values were asked
 * for (64 bytes count as one more), or one that PCRE2 would give up.
 *
 * A pattern of that subset which is too large for one, such as a thousand words, has a lazy DFA: each thread makes its states
 * from an NFA when a value needs them. It also leaves to PCRE2 values for which the NFA would examine very many
 * instructions: more than 65,536 and 64 a byte. */
typedef struct assay_pattern_dfa {
    uint32_t states;       /* 0: none, or a lazy one */
    uint32_t instructions; /* of the NFA of a lazy one; 0: none. Searches with a prefilter may have both */
    const char *refusal;   /* if there are no states: why, in a few words; static storage */
    size_t refusal_offset; /* and the byte of the pattern it is about */
    bool leaves_above_bmp; /* it leaves to PCRE2 values in which characters above U+FFFF could matter */
} assay_pattern_dfa;

/* Makes it, if it is not there yet: up to some milliseconds. Any number of threads may ask at once. */
ASSAY_API assay_pattern_dfa assay_pattern_get_dfa(const assay_pattern *pattern);

/* Returns the filter of a search in a few words, such as "bytes that each match has (Teddy)"; static storage. NULL: it has no filter.
   Makes the DFA as assay_pattern_get_dfa does. */
ASSAY_API const char *assay_pattern_prefilter(const assay_pattern *pattern);

/* The engines that judge values first, in words such as "DFA"; static storage. A value that the engine leaves unknown goes
 * to the next one of DFA, lazy DFA, PCRE2. */
typedef struct assay_pattern_plan {
    const char *for_short;   /* single values of up to short_max bytes */
    const char *for_middle;  /* of up to middle_max bytes */
    const char *for_long;    /* longer ones */
    const char *for_columns; /* columns, once a DFA has the tables for them */
    size_t short_max;
    size_t middle_max;
} assay_pattern_plan;

/* Returns the plan, which is made first as assay_pattern_get_dfa does. Members are NULL if memory runs out. */
ASSAY_API assay_pattern_plan assay_pattern_get_plan(const assay_pattern *pattern);

/* Bytes of JIT code; 0: what PCRE2 judges runs on its interpreter. */
ASSAY_API size_t assay_pattern_jit_size(const assay_pattern *pattern);

/* Bytes of its code, that of JIT included; of a pattern that only a DFA judges, those of its instructions. */
ASSAY_API size_t assay_pattern_code_size(const assay_pattern *pattern);

/* Why there is no JIT code, as a phrase such as "the pattern is too large for JIT"; static storage. NULL: there is. */
ASSAY_API const char *assay_pattern_jit_refusal(const assay_pattern *pattern);

/* The PCRE2 in use: version such as "10.42 2022-12-11", Unicode version such as "14.0.0". Buffers of at least 64. */
ASSAY_API void assay_engine_version(char *version, char *unicode);

/* Whether JIT works in this process, found by compiling a pattern, not by asking the configuration. */
ASSAY_API bool assay_engine_has_jit(void);

/* What one worker needs to judge values: match data, a JIT stack, limits, room for masks. One thread at a time. */
typedef struct assay_scratch assay_scratch;

/* NULL `limits`: the defaults. NULL when out of memory. */
ASSAY_API assay_scratch *assay_scratch_create(const assay_match_limits *limits);
ASSAY_API void assay_scratch_free(assay_scratch *scratch);

/* PCRE2's negative error number behind the latest UNDECIDED verdict this scratch gave, such as −47 (match limit). */
ASSAY_API int32_t assay_scratch_engine_code(const assay_scratch *scratch);

/* The budget of a call. All threads of the call share it; each has its own scratch.
 *
 *     assay_budget ──lease──► assay_scratch ──► checks charge it     a lease is some thousand ticks, so that threads
 *                  ──lease──► assay_scratch ──► checks charge it     seldom meet at the budget
 *
 * Work is counted in ticks, nominally nanoseconds. Values that PCRE2 evaluates are charged an upper bound, which can be thousands of
 * times the work of a search. With one thread the count is the same on machines with the same processor features and PCRE2; with
 * several each thread may hold a lease that another one lacks. Once a charge does not fit, the budget is spent for good: the part of a
 * column that is being evaluated, at most 2,048 rows, is finished as far as no charge is needed, and all later verdicts are
 * UNDECIDED. */
typedef struct assay_budget assay_budget;

/* The bound that ended a budget. */
typedef enum ASSAY_CLOSED_ENUM assay_budget_end {
    ASSAY_BUDGET_LEFT = 0, /* it is not spent */
    ASSAY_BUDGET_WORK,
    ASSAY_BUDGET_MEMORY,
    ASSAY_BUDGET_TIME,
} assay_budget_end;

/* `ticks` of work, and `nanoseconds` by the clock from now on; UINT64_MAX: no bound. The clock is read when a lease
 * is taken. NULL when out of memory. It must outlive the scratches that it was given to. */
ASSAY_API assay_budget *assay_budget_create(uint64_t ticks, uint64_t nanoseconds);
ASSAY_API void assay_budget_free(assay_budget *budget);
ASSAY_API assay_budget_end assay_budget_ended_by(const assay_budget *budget);

/* The ticks that were charged so far, those of leases included. */
ASSAY_API uint64_t assay_budget_used(const assay_budget *budget);

/* Charges work that no check does. false: the budget is spent, and the work must not be done. Any thread may call it. */
ASSAY_API bool assay_budget_spend(assay_budget *budget, uint64_t ticks);

/* Ends the budget because the memory, which callers count, is spent. */
ASSAY_API void assay_budget_end_for_memory(assay_budget *budget);

/* Sets the budget that later work with this scratch is charged to; NULL: no budget. Returns the rest of the lease to the old one. */
ASSAY_API void assay_scratch_set_budget(assay_scratch *scratch, assay_budget *budget);

/* Returns the rest of the lease. Call it before the scratch is idle for a while. */
ASSAY_API void assay_scratch_end_lease(assay_scratch *scratch);

/* Charges work of the thread that has this scratch. false: the budget is spent. Always true without a budget. */
ASSAY_API bool assay_scratch_spend(assay_scratch *scratch, uint64_t ticks);

/* Takes back work that was charged and not done. */
ASSAY_API void assay_scratch_refund(assay_scratch *scratch, uint64_t ticks);

/* Says that the row of the column that is judged is over the budget, and undecided because of that. */
ASSAY_API void assay_scratch_note_over(assay_scratch *scratch, size_t row);

/* As assay_scratch_take_first_over, which will still return it. */
ASSAY_API size_t assay_scratch_first_over(const assay_scratch *scratch);

/* The first row, in the columns judged since the latest call, that is over the budget if it is undecided; so are all later rows.
 * SIZE_MAX: no row. */
ASSAY_API size_t assay_scratch_take_first_over(assay_scratch *scratch);

/* Judges one value, which must be well-formed UTF-8. */
ASSAY_API assay_verdict assay_pattern_match(const assay_pattern *pattern, assay_scratch *scratch,
                                            const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* The same, and counts the ticks that PCRE2 took at most. They depend on the pattern and the value alone, once the pattern has its plan
 * (assay_pattern_get_dfa). */
ASSAY_API assay_verdict assay_pattern_match_counting(const assay_pattern *pattern, assay_scratch *scratch,
                                                     const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE,
                                                     size_t count, uint64_t *ticks);

/* The same for a value that the pattern's DFA decides by itself, which takes no scratch: most values, once there is a
 * DFA. UNDECIDED says only that assay_pattern_match has to be asked. */
ASSAY_API assay_verdict assay_pattern_match_short(const assay_pattern *pattern,
                                                  const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE,
                                                  size_t count);

/* How many bytes of a value a pattern could still have matched: the longest prefix that some continuation would complete.
 * For people, not for verdicts: it compiles the pattern again. SIZE_MAX: not available for this pattern (look-around,
 * \K, verbs, (?R), search). The value must be well-formed UTF-8. */
ASSAY_API size_t assay_pattern_viable_prefix(const uint8_t *ASSAY_COUNTED_BY(text_count) text ASSAY_NOESCAPE,
                                             size_t text_count, uint32_t options,
                                             const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* How the work of PCRE2 grows with the length of a value. */
typedef enum ASSAY_CLOSED_ENUM assay_growth {
    ASSAY_GROWTH_NOT_FOUND = 0, /* no value was found for which it grows faster than the length */
    ASSAY_GROWTH_POLYNOMIAL,
    ASSAY_GROWTH_EXPONENTIAL,
} assay_growth;

enum { ASSAY_WITNESS_BYTES = 128 };

/* A value that takes long to judge, as it was built and measured: a prefix, a pump that is repeated, a suffix. */
typedef struct assay_witness {
    assay_growth growth;
    uint32_t degree;   /* of a polynomial, rounded: 2 if twice the length takes four times the work */
    uint32_t repeats;  /* n; 0: there is no witness */
    uint64_t steps[3]; /* counted for n, 2n and 4n pumps, in steps of assay_match_limits */
    uint32_t
        undecided; /* the length in bytes from which such values are UNDECIDED by default; 0: none of up to 64 KiB is */
    uint32_t prefix_count;
    uint32_t pump_count;
    uint32_t suffix_count;
    uint8_t text[ASSAY_WITNESS_BYTES]; /* the three, one after the other, in UTF-8 */
    uint64_t work; /* what the search cost, nominally in nanoseconds: counted, and no more than ASSAY_WITNESS_WORK */
} assay_witness;

/* The most that a search costs, whatever the pattern. */
#define ASSAY_WITNESS_WORK UINT64_C(2000000000)

/* Looks for a value that PCRE2 takes long to judge. It follows the pattern along values it makes, pumps them, and counts the steps of
 * each: the witness is what was measured, and not to find one proves nothing. The work of the search is bounded by counting, and so the
 * answer is the same on every machine. A pattern whose values a DFA judges has no witness unless the DFA leaves it to PCRE2.
 * False: out of memory, or the pattern is too large to be followed. */
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
    ASSAY_KIND_LIST,   /* several values with a delimiter between: a;b;c */
    ASSAY_KIND_ARRAY,  /* an array of JSON */
    ASSAY_KIND_OBJECT, /* an object of JSON */
} assay_kind;

/* Some text. Not NUL-terminated; may hold NUL. */
typedef struct assay_text {
    const uint8_t *bytes;
    size_t count;
} assay_text;

/* A Table Schema type. Zero means: as the standard says. Plain data, read by assay_type_create and not kept. */
typedef struct assay_type_description {
    assay_kind kind;
    assay_text format;             /* dates and times: strptime-like, such as "%d/%m/%Y"; empty: the ISO form */
    assay_text decimal_char;       /* number; empty: "." */
    assay_text group_char;         /* integer, number; empty: none */
    bool allow_extra;              /* integer, number: text such as "€" or "%" may stand around (bareNumber: false) */
    const assay_text *true_values; /* boolean; none: true True TRUE 1 */
    size_t true_count;
    const assay_text *false_values; /* boolean; none: false False FALSE 0 */
    size_t false_count;
    /* list: STRING, INTEGER, NUMBER, BOOLEAN, DATE, TIME or DATETIME, each in its default form; and what stands between two items, of
     * at most 16 bytes; empty: a comma. The empty text is a list without items. */
    assay_kind item_kind;
    assay_text delimiter;
    /* list: values are arrays of JSON instead, whose elements are strings, or numbers, or true and false, as `item_kind` asks. Those
     * of assay_check_create_set are written with the delimiter all the same. */
    bool is_json;
} assay_type_description;

typedef struct assay_type assay_type;

/* NULL on failure, with *error filled (its offset is inside `format`). */
ASSAY_API assay_type *assay_type_create(const assay_type_description *description, assay_error *error);
ASSAY_API void assay_type_free(assay_type *type);

/* Calls `visit` with the text of each item of a list, escapes of JSON undone; valid during the call. A value that is no list of the
 * type has items up to where it is wrong. ASSAY_BAD_DESCRIPTION, without a visit, for another type; ASSAY_NO_MEMORY, else ASSAY_OK. */
ASSAY_API assay_status assay_type_visit_items(const assay_type *type, const uint8_t *ASSAY_COUNTED_BY(count) value,
                                              size_t count,
                                              void (*visit)(void *context, const uint8_t *bytes, size_t item_count),
                                              void *context);

/* Built-in types: what texts can be besides the kinds above, such as e-mail addresses, IBANs or time zones. */

/* What people want to know of a built-in type. All texts are NUL-terminated and have static storage; none is NULL. */
typedef struct assay_builtin_info {
    const char *name;         /* "iban" */
    const char *display_name; /* "an IBAN", as in "is not an IBAN" */
    const char *profile;      /* which truth it follows: a standard, and what is taken from it */
    const char *example;      /* a value that passes without options */
    const char *options;      /* what may follow the name, such as "country=LIST"; empty: nothing */
    const char *source;       /* the packaged table behind it; empty: none */
    const char *edition;      /* of that table, such as "2025b" */
} assay_builtin_info;

/* All of them by index from 0, in the order in which people read about them; NULL after the last. Static storage. */
ASSAY_API const assay_builtin_info *assay_builtin_at(size_t index);

/* The info of the type that `text` names ("iban country=DE" names iban), or NULL. Static storage. */
ASSAY_API const assay_builtin_info *assay_builtin_find(assay_text text);

/* What is wrong with a value, beyond that it is not of its built-in type. NUL-terminated texts of static storage. */
typedef struct assay_failure_reason {
    const char *name; /* stable, such as "check-digits" */
    const char *text; /* goes on behind "is not an IBAN: "; holds nothing of the value */
} assay_failure_reason;

/* All of them by index from 0; NULL after the last. Static storage. */
ASSAY_API const assay_failure_reason *assay_failure_reason_at(size_t index);

/* ---------------------------------------------------------------------------------------------------------------
 * 6  Checks
 * ------------------------------------------------------------------------------------------------------------- */

typedef enum ASSAY_CLOSED_ENUM assay_length_unit {
    ASSAY_LENGTH_SCALARS = 0, /* Unicode scalars */
    ASSAY_LENGTH_BYTES = 1,   /* UTF-8 bytes */
    ASSAY_LENGTH_UTF16 = 2,   /* UTF-16 code units */
    /* Characters as people see them. The C core knows them for ASCII only (CR LF is one): a value with other bytes is
     * UNDECIDED here, and the caller counts. */
    ASSAY_LENGTH_CHARACTERS = 3,
} assay_length_unit;

/* One end of a range; `text` empty: open. */
typedef struct assay_bound {
    assay_text text;
    bool exclusive;
} assay_bound;

typedef struct assay_check assay_check;

/* The checks below keep the pattern or type they are given, which must outlive them; they copy everything else.
 * NULL when out of memory or, with *error filled, when a value does not belong to the type. */
ASSAY_API assay_check *assay_check_create_pattern(const assay_pattern *pattern);
ASSAY_API assay_check *assay_check_create_length(size_t minimum, size_t maximum, assay_length_unit unit);
/* `options` may be ASSAY_PATTERN_NO_DFA: then columns are judged value by value, as single values always are. */
ASSAY_API assay_check *assay_check_create_type(const assay_type *type, uint32_t options);
/* Passes when a LIST, an ARRAY or an OBJECT has so many items, elements or members; what is none fails. NULL also for another type,
 * with *error filled. */
ASSAY_API assay_check *assay_check_create_count(const assay_type *type, size_t minimum, size_t maximum,
                                                assay_error *error);
/* Passes when the value is one of `values`, compared as the type means them (1.0 = 1 for numbers). For STRING, bytes. Arrays and
 * objects are equal as values of JSON, of at most 64 levels. */
ASSAY_API assay_check *assay_check_create_set(const assay_type *type, const assay_text *values, size_t count,
                                              assay_error *error);
/* Passes when lower ≤ value ≤ upper (< for exclusive ends). NaN, and what cannot be compared, fails. The bounds of text
 * that is not of the type: error, with offset 0 for the lower one and 1 for the upper one. Not for STRING, BOOLEAN, LIST, ARRAY and OBJECT. */
ASSAY_API assay_check *assay_check_create_range(const assay_type *type, assay_bound lower, assay_bound upper,
                                                uint32_t options, assay_error *error);
/* Passes when the value is a multiple of `divisor`, which is more than 0, as numbers of any length and without rounding: of 0.01 are 1.15,
 * 0 and 2e3. For INTEGER and NUMBER; NaN and INF fail. Without zeros at its end and its point, the divisor is at most 4294967295; else
 * NULL with *error filled. */
ASSAY_API assay_check *assay_check_create_multiple(const assay_type *type, assay_text divisor, assay_error *error);
/* Passes when the value is of a built-in type: its name, then options with a space before each, as in
 * "email unicode ip-literal", "uuid version=4" or "phone region=GB,IE". `options` may be
 * ASSAY_PATTERN_NO_DFA or ASSAY_PATTERN_NO_JIT.
 * Depends on the day only where an option says so: `past`, `future`, `min-age` and `max-age` without `on=` take the
 * day (UTC) of this call. NULL with *error filled, its offset inside `text`. */
ASSAY_API assay_check *assay_check_create_builtin(assay_text text, uint32_t options, assay_error *error);
ASSAY_API void assay_check_free(assay_check *check);

/* The pattern in the check, borrowed from it; NULL if there is none. */
ASSAY_API const assay_pattern *assay_check_pattern(const assay_check *check);

/* Judges one value, which must be well-formed UTF-8. */
ASSAY_API assay_verdict assay_check_value(const assay_check *check, assay_scratch *scratch,
                                          const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* Whether assay_check_failure_reason may have something to say: it asks for a built-in type, or for a DATE, TIME or DATETIME
 * without a format. */
ASSAY_API bool assay_check_has_reasons(const assay_check *check);

/* What is wrong with a value of such a type, well-formed UTF-8; NULL where no more is known than that it is none,
 * where it passes, and of every other check. For values that failed: takes a few times as long as judging. */
ASSAY_API const assay_failure_reason *assay_check_failure_reason(const assay_check *check, assay_scratch *scratch,
                                                                 const uint8_t *ASSAY_COUNTED_BY(count)
                                                                     value ASSAY_NOESCAPE,
                                                                 size_t count);

/* The same for those values of a column whose bit is set in `failed`, all of which have failed this check: found[i] becomes
 * 0 where assay_check_failure_reason would give NULL, else 1 + the index of the reason. The entries of other rows are left as they are.
 * Faster than value by value: none is judged again, and patterns are asked for many at once. */
ASSAY_API void assay_check_failure_reasons(const assay_check *check, assay_scratch *scratch, const uint8_t *bytes,
                                           const assay_cell *ASSAY_COUNTED_BY(count) cells, size_t count,
                                           const uint64_t *failed, uint8_t *ASSAY_COUNTED_BY(count) found);

/* Judges a column: row i is the value cells[i] of `bytes`, all well-formed UTF-8. Rows whose bit is set in `skip` (may
 * be NULL) are not judged, their cells may be anything, and their bits come out 0. All of `failed` and `undecided`,
 * assay_mask_words(count) words each, is written; a row has at most one of the two bits. `undecided` may not be `failed`. */
ASSAY_API void assay_check_column(const assay_check *check, assay_scratch *scratch, const uint8_t *bytes,
                                  const assay_cell *ASSAY_COUNTED_BY(count) cells, size_t count, const uint64_t *skip,
                                  uint64_t *failed, uint64_t *undecided);

/* ---------------------------------------------------------------------------------------------------------------
 * 7  Masks
 * ------------------------------------------------------------------------------------------------------------- */

/* Words that a mask of `count` rows takes. */
static inline size_t assay_mask_words(size_t count) { return (count + 63) / 64; }

/* Of `count` rows those of word `word` that are not skipped; `skip` may be NULL. */
static inline uint64_t assay_mask_rest(const uint64_t *skip, size_t count, size_t word)
{
    const size_t left = count - 64 * word;
    const uint64_t rows = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    return skip == NULL ? rows : rows & ~skip[word];
}

/* Number of ones. */
ASSAY_API size_t assay_mask_count(const uint64_t *ASSAY_COUNTED_BY(words) mask ASSAY_NOESCAPE, size_t words);

/* target |= other. Returns whether `other` has any one. */
ASSAY_API bool assay_mask_merge(uint64_t *ASSAY_COUNTED_BY(words) target ASSAY_NOESCAPE,
                                const uint64_t *ASSAY_COUNTED_BY(words) other ASSAY_NOESCAPE, size_t words);

/* The first row ≥ `row` whose bit is set, or `count`. */
ASSAY_API size_t assay_mask_next(const uint64_t *mask, size_t count, size_t row);

/* ---------------------------------------------------------------------------------------------------------------
 * 8  Outputs
 * ------------------------------------------------------------------------------------------------------------- */

/* Copies records [first, first + count): those whose bit in `rejects` is 0 to `clean`, the others to `rejected`, bytes as
 * they came, runs at once. Each output must have room for all their bytes. The counts say how much was written.
 *
 * Comments are copied like records: their bit says where to. Entries whose bit in `drops` (may be NULL) is 1 are not copied.
 *
 * `clean` may be `bytes` itself or begin before it: the clean records then move together, and what they came from is gone. */
ASSAY_API void assay_emit_records(const assay_batch *batch, const uint8_t *bytes, uint32_t first, uint32_t count,
                                  const uint64_t *rejects, const uint64_t *drops, uint8_t *clean, size_t *clean_count,
                                  uint8_t *rejected, size_t *rejected_count);

/* Texts one after another: piece i ends at ends[i] of the bytes, where piece i + 1 begins. */
typedef struct assay_pieces {
    uint8_t *bytes;
    size_t *ends;
    size_t count;
    size_t byte_capacity;
    size_t end_capacity;
} assay_pieces;

/* Copies records [first, first + count) whose bit in `rejects` is set, with a note before the terminator of each: piece i
 * for the i-th of them. A record without terminator stays so. One that is CONTINUED is copied as it is, and its note passed
 * over. With `objects` the records are objects of JSON, and a note stands before the } of each; its first byte, a comma, is
 * left out where the object has no members. Returns how many bytes it wrote: at most those of the records and those of the
 * notes. */
ASSAY_API size_t assay_emit_annotated(const assay_batch *batch, const uint8_t *bytes, uint32_t first, uint32_t count,
                                      const uint64_t *rejects, bool cr_ends, bool objects, const assay_pieces *notes,
                                      uint8_t *annotated);

/* Tells the physical lines of a buffer. Plain data; the buffer and its batch are borrowed. */
typedef struct assay_lines {
    const uint8_t *bytes;
    uint64_t line;   /* the one that `place` is on, from 1 */
    size_t place;    /* counted up to here */
    bool cr_ends;    /* as in assay_dialect */
    bool is_regular; /* every record is one line, so that nothing has to be counted */
} assay_lines;

/* `line`: the one that the first byte is on. */
ASSAY_API assay_lines assay_lines_begin(const assay_batch *batch, const uint8_t *bytes, bool cr_ends, uint64_t line);

/* The line of a place in a record of the batch. Asked in ascending order it looks at every byte once. */
ASSAY_API uint64_t assay_lines_at(assay_lines *lines, size_t place, uint32_t record);

/* How findings are written. What they say is the caller's; here it is put together, for many rows at once:
 *
 *     {"record":7,"line":8,"offset":120,"column":"age","position":2, … "message":"is below 18"}⏎
 *     └────────┘  └──────┘ └────────┘   └─ tail ─────────────────────────────────────────────┘
 *     before[0]  before[1] before[2]
 *
 * and a note, for assay_emit_annotated:
 *
 *     ,8,age.minimum;age.round
 *
 * The note of a record that is QUOTE_UNCLOSED begins with the quote, so that what follows is outside of it. */
typedef struct assay_finding_form {
    assay_text before[3]; /* what stands before the numbers of record, line and offset; at most 16 bytes each */
    uint8_t delimiter;
    uint8_t quote;      /* around the reasons, if one of them needs it or ';' is the delimiter; not ';' */
    uint8_t delimiter2; /* as in assay_dialect; places count it */
} assay_finding_form;

/* What all findings of one kind have in common. Plain data, read only during a call. */
typedef struct assay_finding_kind {
    const uint64_t *rows; /* the rows of the slice it was found in, a mask */
    uint32_t field;       /* the column it was found in */
    /* Where the value of each row of the slice stands in the buffer; NULL: where its field does. */
    const uint32_t *places;
    bool needs_quotes; /* its reason does */
    assay_text tail;   /* what follows the place, with the end of the line */
    assay_text reason; /* its name in notes, quotes doubled; NULL: it is no reason for a note */
} assay_finding_kind;

/* The findings of one buffer, and the notes of its rejected records. Made by assay_findings_create, freed by
 * assay_findings_free. Used by one thread at a time; keeps its memory from one buffer to the next. */
typedef struct assay_findings {
    assay_pieces text;
    assay_pieces notes;
    assay_lines lines;
} assay_findings;

/* Copies the form. NULL when out of memory. */
ASSAY_API assay_findings *assay_findings_create(const assay_finding_form *form);
ASSAY_API void assay_findings_free(assay_findings *findings);

/* Begins with another buffer and its batch, which are borrowed until the next begin. `record` is the number of the first
 * record: comments are not counted. `line` and `offset` are those of the first byte. At most `most` findings are kept. */
ASSAY_API void assay_findings_begin(assay_findings *findings, const assay_batch *batch, const uint8_t *bytes,
                                    bool cr_ends, uint64_t record, uint64_t line, uint64_t offset, size_t most);

/* Adds what was found in rows [row, end) of the slice that starts at entry `first`: row by row, in the order of the
 * kinds, and if `annotates` a note for each row that has a reason. Masks are read in whole words.
 * Returns ASSAY_NO_MEMORY, else ASSAY_OK. O(findings + kinds × words). */
ASSAY_API assay_status assay_findings_add_rows(assay_findings *findings, const assay_finding_kind *kinds,
                                               size_t kind_count, uint32_t first, uint32_t row, uint32_t end,
                                               bool annotates);

/* Adds a finding as the caller has written it, unless there are enough; or a note.
 * Returns ASSAY_NO_MEMORY, else ASSAY_OK. */
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
