/* assay/assay.h: the C interface of Assay, for C, C++ and any language that can call C. It checks tables, Arrow data
 * and CSV files against rule files.
 *
 *     assay_rules *rules;
 *     assay_fault *fault = assay_rules_load("users.rules.yaml", &rules);
 *     if (fault != NULL) { fputs(fault->text, stderr); assay_fault_free(fault); return 1; }
 *
 *     assay_result *result;
 *     fault = assay_rules_check_columns(rules, columns, 3, rows, NULL, &result);
 *
 * The same rules give the same verdicts as the command `assay` gives for a file with the same values.
 *
 * Ownership. You own the fault that a function returns, and each object that a function writes: through a pointer to a
 *   pointer, or to an ArrowArray, ArrowSchema or ArrowArrayStream. Free an object with the function of its type
 *   (assay_fault_free, assay_rules_free ...), and Arrow structures with their `release`; freeing NULL has no effect. A
 *   `const char *` belongs to the object that returned it and is valid as long as that object. No function keeps its
 *   arguments after it returns, unless its comment says otherwise.
 * Threads. assay_rules are immutable: any number of threads may use one object at once, and each may free its own
 *   reference at any time. Many threads may read one assay_result at once. Only one thread at a time may use an
 *   assay_tally or an assay_stream: a tally that two threads change loses counts. A check runs on several threads
 *   (assay_options.threads) and returns when all have finished. No threads run between two calls. A process may fork
 *   at any time; the child may use the library and all objects that no other thread was changing. It must not return
 *   from a callback. If the first call of the process was running on another thread, the Swift runtime may be
 *   incomplete in the child. Rules and patterns are compiled on the stack of the calling thread, which must have at
 *   least 512 KiB. The library is never unloaded, even by dlclose.
 * Callbacks. A callback may call the library, also with objects of the call that it interrupts; only assay_stream_next
 *   of the same stream is refused. An object that it frees lives until that call returns. A callback must return: if
 *   it throws an exception or calls longjmp, the memory of the call leaks, the stream can only be freed, and a process
 *   with several threads may end. The C++ header assay.hpp keeps exceptions until the call returns.
 * Errors. Bad data is never an error: it is counted and reported as findings. A mistake in a call, in rules or in the
 *   layout of a table is an assay_fault, with its place and a suggestion. NULL means success; the result is written
 *   only on success. The library does not print, and does not change signal handlers, the locale, errno or other state
 *   of the process. A closed pipe, or a file over the size limit (RLIMIT_FSIZE), is an ASSAY_FAULT_FILE and raises no
 *   signal. Sizes, offsets and pointers in the data are checked before use, as far as possible: negative sizes,
 *   descending offsets and NULL pointers are refused. All other pointers must be valid, because the library cannot
 *   check them.
 * Names. Paths and names of columns and tables are UTF-8 and end with a NUL. A name that is not UTF-8 is refused
 *   before the call reads or writes any data, because a corrected name would be a different name.
 * Memory. The row masks of results and the buffers of exported Arrow arrays come from assay_options.allocator; if it
 *   returns NULL, the call returns ASSAY_FAULT_MEMORY. Other memory is allocated by the library: some MiB per thread,
 *   and a copy of each column with repaired values. When memory is short, fewer threads read CSV. Like any Swift
 *   program, the library ends the process if a small allocation fails.
 * Versions. ASSAY_ABI_VERSION changes with every incompatible change, and is part of the name of the shared library.
 *   Compatible versions may add functions, values of enumerations, and fields at the end of structures:
 *   - A structure that you fill in begins with its size. Set `size` to its sizeof and all fields that you do not use
 *   to 0. The library takes fields that an older program lacks as 0. It accepts fields that it does not know if they
 *   are 0, and otherwise returns an ASSAY_FAULT_ARGUMENT. The elements of an array have equal sizes.
 *   - A function that fills in a structure of yours has a parameter `size`, its sizeof. It writes no more than `size`
 *   bytes, and 0 for fields that it does not know.
 *   - An assay_fault begins with the size that it has in the library.
 *   - All other structures are opaque, or never change: assay_cursor and those of arrow.h. */
#ifndef ASSAY_ASSAY_H
#define ASSAY_ASSAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arrow.h"

/* The compiler warns if a program ignores a fault, because the fault leaks and the results are not written. */
#if defined(__GNUC__)
#define ASSAY_MUST_USE __attribute__((warn_unused_result))
#elif defined(__cplusplus) && __cplusplus >= 201703L
#define ASSAY_MUST_USE [[nodiscard]]
#else
#define ASSAY_MUST_USE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface in this header. A program may compare it with assay_abi_version() of the loaded
 * library. */
#define ASSAY_ABI_VERSION 1
uint32_t assay_abi_version(void);

/* The release of the library, such as "0.1.0". Static storage. */
const char *assay_release(void);

/* The regular expression engine, such as "PCRE2 10.42 2022-12-11, Unicode 14.0.0, JIT". Static storage. */
const char *assay_engine(void);

/* ---------------------------------------------------------------------------------------------------------------
 * 1  Faults
 * ------------------------------------------------------------------------------------------------------------- */

typedef enum assay_fault_code {
    ASSAY_FAULT_ARGUMENT = 1,  /* an invalid argument: NULL, a size or a flag */
    ASSAY_FAULT_MEMORY = 2,    /* the allocator returned NULL, or memory for keys or for reading CSV ran out */
    ASSAY_FAULT_RULES = 3,     /* mistakes in a rule file or a pattern; one fault for each, linked by `next` */
    ASSAY_FAULT_COLUMNS = 4,   /* the columns of the table do not match those of the rules */
    ASSAY_FAULT_ARROW = 5,     /* a malformed Arrow structure, or a type that rules cannot check */
    ASSAY_FAULT_STREAM = 6,    /* the Arrow stream reported an error */
    ASSAY_FAULT_INPUT = 7,     /* a CSV or JSON Lines input that cannot be checked, or invalid outputs */
    ASSAY_FAULT_FILE = 8,      /* the system refused an operation on a file */
    ASSAY_FAULT_CANCELLED = 9, /* the progress callback returned false */
    ASSAY_FAULT_INTERNAL = 10, /* a bug in Assay: please report it */
} assay_fault_code;

/* The description of an error, in plain English. It contains no values of the data. */
typedef struct assay_fault {
    size_t size; /* sizeof(assay_fault) in the loaded library */
    assay_fault_code code;
    uint32_t line;   /* line in the rule file, from 1; 0: unknown */
    uint32_t column; /* in characters, from 1; in a pattern: the byte, from 1; 0: unknown */
    uint32_t reserved;
    const char *message;            /* a sentence without a full stop */
    const char *hint;               /* a suggestion, or NULL */
    const char *text;               /* the complete error message, to be printed; may have several lines */
    const struct assay_fault *next; /* the next fault of the same call, or NULL; freed with the first */
} assay_fault;

void assay_fault_free(assay_fault *fault);

/* ---------------------------------------------------------------------------------------------------------------
 * 2  Rules
 * ------------------------------------------------------------------------------------------------------------- */

/* Compiled rules. Immutable and reference-counted; threads may share them. */
typedef struct assay_rules assay_rules;

/* Parses rules from `count` bytes of YAML or JSON. `name` is the name in messages; NULL means "rules". Files that
 * the rules refer to (`foreignKeys`) are not opened: pass these tables in assay_options.references. */
ASSAY_MUST_USE assay_fault *assay_rules_parse(const char *text, size_t count, const char *name, assay_rules **rules);

/* Parses the rules in a file. Files that the rules refer to must be regular files in the folder of the rule file or
 * below. Links out of the folder are refused, and messages do not show the content of the files. */
ASSAY_MUST_USE assay_fault *assay_rules_load(const char *path, assay_rules **rules);

/* Parses rules as assay_rules_parse does, for rules that were loaded from a file in `folder` and passed on as text,
 * for example to another process. Files that the rules refer to are looked up in this folder, as by assay_rules_load.
 * assay_rules_folder returns this folder; "" is the working directory of the process. It returns NULL if the rules may
 * not refer to files, or if they are trusted. */
ASSAY_MUST_USE assay_fault *assay_rules_parse_within(const char *text, size_t count, const char *name,
                                                     const char *folder, assay_rules **rules);
const char *assay_rules_folder(const assay_rules *rules);

/* Parse and load trusted rules. Trusted rules may raise the work limits for one value beyond four times the
 * defaults, and may refer to any file that the process can open. Relative paths start in the folder of `name`, or of
 * the file. */
ASSAY_MUST_USE assay_fault *assay_rules_parse_trusted(const char *text, size_t count, const char *name,
                                                      assay_rules **rules);
ASSAY_MUST_USE assay_fault *assay_rules_load_trusted(const char *path, assay_rules **rules);

/* Flags of a pattern. Without flags, the whole value must match, case matters, \d \w \s are ASCII, and `.` does not
 * match a line feed. */
enum {
    ASSAY_MATCH_CASE_INSENSITIVE = 1u << 0,
    ASSAY_MATCH_UNICODE_CLASSES = 1u << 1,
    ASSAY_MATCH_DOT_ALL = 1u << 2,
    ASSAY_MATCH_EXTENDED = 1u << 3,
    ASSAY_MATCH_MULTILINE = 1u << 4,
    ASSAY_MATCH_SEARCH = 1u << 5,      /* a match anywhere in the value suffices */
    ASSAY_MATCH_LINEAR_TIME = 1u << 6, /* refuse the pattern unless a DFA matches it, for untrusted patterns */
};

/* Compiles a PCRE2 pattern to rules with one field, "value", and one rule, for assay_rules_check_column and
 * assay_rules_check_arrow_column. Empty text is a value; only null is missing. A value may have up to 2 GiB; longer
 * values are undecided. The pattern may have up to 1 MiB. */
ASSAY_MUST_USE assay_fault *assay_rules_from_pattern(const char *text, size_t count, uint32_t flags,
                                                     assay_rules **rules);

/* Returns another reference to the same rules. */
assay_rules *assay_rules_retain(assay_rules *rules);
void assay_rules_free(assay_rules *rules);

/* The fields, in the order of the rule file. The name is NULL for an index past the last field. */
size_t assay_rules_field_count(const assay_rules *rules);
const char *assay_rules_field_name(const assay_rules *rules, size_t field);

/* Whether verdicts depend on the time (assay_options.now_seconds), because a row rule uses now() or today(). */
bool assay_rules_uses_now(const assay_rules *rules);

/* Splits a field name that is a path into nested records, such as "address.city" or "items[].price", into its keys.
 * A backslash precedes each dot, bracket or backslash that is part of a key. The function writes the unescaped keys,
 * each followed by a NUL, to `keys`, which must have room for strlen(path) + 1 bytes, and the number of [] to
 * `*lists`. Returns the number of keys, or 0 if the name is not a path. A member with exactly the name of the field
 * has precedence over the path. */
size_t assay_path_keys(const char *path, char *keys, size_t *lists);

/* The rules as JSON, which assay_rules_parse reads: to store them or to send them to another process. */
const char *assay_rules_json(const assay_rules *rules);

/* ---------------------------------------------------------------------------------------------------------------
 * 3  Checking
 * ------------------------------------------------------------------------------------------------------------- */

/* The allocator of the row masks of results and the buffers of exported arrays. Any thread may call both functions.
 * `allocate` must return memory aligned for any type, as malloc does, or NULL. The structure is copied; the context
 * must outlive all memory that it returned. */
typedef struct assay_allocator {
    size_t size; /* sizeof(assay_allocator) */
    void *(*allocate)(void *context, size_t size);
    void (*deallocate)(void *context, void *memory, size_t size);
    void *context;
} assay_allocator;

/* The keys of records in earlier checks; see assay_seen_keys_create. */
typedef struct assay_seen_keys assay_seen_keys;

/* Tables in memory that foreign keys refer to; see assay_references_create. */
typedef struct assay_references assay_references;

/* Options of a check. For the defaults, pass NULL, or set `size` and leave the other fields 0. */
typedef struct assay_options {
    size_t size;           /* sizeof(assay_options) */
    uint32_t threads;      /* number of threads, including the caller's; 0: one per processor; 1: start no threads */
    uint32_t reserved;     /* must be 0 */
    uint64_t first_record; /* number of records before the first row, which is record first_record + 1; at most 2^47 */
    const assay_allocator *allocator; /* NULL: malloc and free */
    /* Called regularly, by one thread at a time; `false` ends the check with ASSAY_FAULT_CANCELLED. done and total
     * are 0 before rows are checked, while the library reads files that foreign keys refer to or repairs values. May
     * be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
    /* The limit in bytes on the memory for keys (unique, primaryKey, uniqueKeys, foreignKeys): 45 to 71 bytes for
     * each key of a clean record and for each referenced key. A check that needs more returns ASSAY_FAULT_MEMORY;
     * CSV and files use temporary files instead. 0: a quarter of the memory of the machine or its container. */
    uint64_t key_memory;
    assay_seen_keys *seen; /* NULL: each check or stream is a separate table */
    /* For a table whose parts are on several machines: 16 secret bytes, the same for all parts. Keys are then not
     * compared; assay_result_export_keys returns their hashes, for up to 2^26 rows at once. NULL: keys are compared.
     * Copied; not for CSV, and not for sorted columns. */
    const uint8_t *key_secret;
    const assay_references *references; /* NULL: foreign keys refer to files */
    /* The budget of the call, or of all batches of a stream. Records beyond the budget are undecided and rejected,
     * with a finding of the rule "budget". Functions that only repair, profile or infer ignore it. 0: no limit. */
    uint64_t budget_ticks; /* counted work, not time; a tick is nominally a nanosecond of one processor */
    /* Bytes of the values that row rules need at the same time, on all threads, and of repaired columns. 0: no
     * limit. */
    uint64_t budget_bytes;
    uint64_t
        budget_nanoseconds; /* wall-clock time from the start of the call; the verdicts then depend on the machine */
    /* The value of now() in row rules, as the time since 1970-01-01T00:00:00Z, if has_now is 1. If has_now is 0, the
     * library reads the clock once for each check, stream or file, and now_seconds and now_nanoseconds must be 0.
     * Calls that check the parts of one table need the same time. now_nanoseconds is at most 999999999, and is added to
     * the seconds also before 1970. */
    int64_t now_seconds;
    uint32_t now_nanoseconds;
    uint32_t has_now;
} assay_options;

/* The keys of a table that several checks process in parts, and the order of its sorted columns. A record is rejected
 * if an earlier record, of the same or an earlier part, has the same key, or if it does not follow the earlier records.
 * `memory` replaces assay_options.key_memory. Only one check at a time may use the object, in the order of the parts,
 * with first_record increasing. After a fault, the only valid call is assay_seen_keys_free, which is allowed while a
 * stream still uses the object. Not for CSV. Only for `keep: first`, and not for foreign keys into the table
 * itself, because a later part would otherwise change verdicts of an earlier one. Keeps a reference to the rules. */
ASSAY_MUST_USE assay_fault *assay_seen_keys_create(const assay_rules *rules, uint64_t memory, assay_seen_keys **seen);
void assay_seen_keys_free(assay_seen_keys *seen);

/* The tables that foreign keys refer to, in place of files of the same names. A foreign key to any other table refers
 * to a file, which is read when a check or a stream begins and kept with the rules until the file changes. `memory`
 * limits the memory for the keys of these tables, in bytes; 0: a quarter of the memory of the machine or its container.
 * After all tables have been added, any number of checks may use the object at once. Keeps a reference to the rules.
 *
 * A foreign key into the table itself is decided at the end of the table: a stream returns its first result after
 * all batches have been read. With `seen` or `key_secret`, such a key is an ASSAY_FAULT_RULES. */
ASSAY_MUST_USE assay_fault *assay_references_create(const assay_rules *rules, uint64_t memory,
                                                    assay_references **references);

/* Reads all batches of a table and keeps their keys. `resource` is the name of the table in the rules. A key
 * matches only if its values have the types of the referring fields. The function takes ownership of the stream, even
 * if it fails; after a fault, no keys have been added. */
ASSAY_MUST_USE assay_fault *assay_references_add_stream(assay_references *references, const char *resource,
                                                        struct ArrowArrayStream *source);
void assay_references_free(assay_references *references);

/* The memory layout of the values of an assay_column. */
typedef enum assay_layout {
    ASSAY_LAYOUT_OFFSETS32 = 1, /* value i is bytes[offsets[i] ..< offsets[i + 1]]; `offsets` is const int32_t * */
    ASSAY_LAYOUT_OFFSETS64 = 2, /* the same with const int64_t * */
    ASSAY_LAYOUT_POINTERS = 3,  /* value i is lengths[i] bytes at pointers[i]; a NULL pointer is a missing value */
} assay_layout;

/* A column of texts. The library reads them in place and does not trust them: invalid UTF-8 is a finding. */
typedef struct assay_column {
    size_t size;      /* sizeof(assay_column), the same in all columns of an array */
    const char *name; /* used by assay_rules_check_columns */
    assay_layout layout;
    uint32_t reserved;    /* must be 0 */
    const uint8_t *bytes; /* all must be readable, including those of missing values */
    size_t byte_count;    /* larger offsets are refused */
    const void *offsets;  /* one more than there are values */
    const uint8_t *const *pointers;
    const size_t *lengths;
    const uint8_t *validity; /* bit i, least significant first, is 1 if value i is present; NULL: all are */
} assay_column;

/* The result of a check. Immutable; holds no pointer to the checked data. */
typedef struct assay_result assay_result;

/* Checks one column of `count` values with the rules of one field. Row rules and keys that name only this field are
 * included; those that also name other fields are an ASSAY_FAULT_COLUMNS. */
ASSAY_MUST_USE assay_fault *assay_rules_check_column(const assay_rules *rules, size_t field, const assay_column *column,
                                                     size_t count, const assay_options *options, assay_result **result);

/* Checks a table of `count` rows. Columns are found by name; the library does not read columns that the rules do not
 * name. Row rules run after the rules of their columns. Keys are compared among the rows that pass all other rules:
 * of the rows with equal keys, the one that `keep` selects is clean. Foreign keys refer to files, or to the tables in
 * `references`. Rules on the whole table (`table` in a rule file) are an ASSAY_FAULT_RULES in all checks of tables in
 * memory, because results have no place for them: only assay_clean_file checks them. A table of one row is a record,
 * and this function then ignores them, as do assay_rules_check_column and assay_rules_accepts. */
ASSAY_MUST_USE assay_fault *assay_rules_check_columns(const assay_rules *rules, const assay_column *columns,
                                                      size_t column_count, size_t count, const assay_options *options,
                                                      assay_result **result);

/* Returns whether a record is clean, for callers that check single records, such as servers. `values` and `lengths`
 * have the text of each field of the rules, in their order, and its length in bytes; a NULL text is a missing value.
 * True: no rule has a finding, not even a warning. False: a rule has a finding, or the function cannot decide,
 * because the rules have keys, foreign keys or repairs, a value is longer than `field-bytes` (with
 * assay_rules_from_pattern: 1 MiB), or memory ran out; assay_rules_check_columns then returns the verdict. Linear in
 * the bytes; any number of threads may call it. */
bool assay_rules_accepts(const assay_rules *rules, const uint8_t *const *values, const size_t *lengths);

/* Checks a CSV file in memory, including its header, in the dialect of the rules. Findings have lines and offsets.
 * The result keeps every finding; use assay_clean_file for large files. Record numbers in messages count within the
 * text, independent of first_record. */
ASSAY_MUST_USE assay_fault *assay_rules_check_csv(const assay_rules *rules, const uint8_t *bytes, size_t count,
                                                  const assay_options *options, assay_result **result);

/* ---------------------------------------------------------------------------------------------------------------
 * 4  Checking Arrow
 *
 * Read in place, without a copy: utf8, large_utf8, utf8_view, binary, large_binary and binary_view, and dictionaries
 * and run-end encoded columns, whose values are checked once each. (Short views may be copied if the buffers of a
 * column are more than 2 GiB apart.)
 *
 * Other types are checked as the text that a CSV file for the same rules would contain: null, bool, integers, floats,
 * decimals, dates, times, timestamps. The columns of a struct are named "outer.inner", like paths (assay_path_keys). A
 * column of another type is refused if the rules name it.
 *
 * The two functions below do not take ownership: the caller releases the schema and the array after the call.
 * ------------------------------------------------------------------------------------------------------------- */

/* Checks an array with the rules of one field. */
ASSAY_MUST_USE assay_fault *assay_rules_check_arrow_column(const assay_rules *rules, size_t field,
                                                           const struct ArrowSchema *schema,
                                                           const struct ArrowArray *array, const assay_options *options,
                                                           assay_result **result);

/* Checks a record batch: an array of type struct. */
ASSAY_MUST_USE assay_fault *assay_rules_check_arrow_table(const assay_rules *rules, const struct ArrowSchema *schema,
                                                          const struct ArrowArray *array, const assay_options *options,
                                                          assay_result **result);

/* A stream of record batches that are checked one by one. Only one thread at a time may use it. */
typedef struct assay_stream assay_stream;

/* Opens an Arrow stream for checking and resolves the columns. The function takes ownership of the stream, even if
 * it fails: `source->release` is NULL afterwards. `field` is the field whose rules check the arrays; with SIZE_MAX,
 * the arrays are record batches. The stream keeps a reference to the rules. All objects that `options` points to
 * must outlive the stream. */
ASSAY_MUST_USE assay_fault *assay_stream_open(const assay_rules *rules, size_t field, struct ArrowArrayStream *source,
                                              const assay_options *options, assay_stream **stream);

/* Checks the next batch; at the end, *result is NULL. Records are numbered through the whole stream, and keys must
 * be unique in the whole stream. Unless the rules have `keep: first`, the first call reads all batches and keeps their
 * verdicts and the values of the column that `keep` names, but no other values. */
ASSAY_MUST_USE assay_fault *assay_stream_next(assay_stream *stream, assay_result **result);
void assay_stream_free(assay_stream *stream);

/* Exports the stream as an Arrow stream of verdicts: struct<clean: bool, reasons: list<dictionary<int32, utf8>>>,
 * one batch per input batch. The function takes ownership of `stream`: do not free it. Reading from `out` drives the
 * checks. */
ASSAY_MUST_USE assay_fault *assay_stream_export(assay_stream *stream, struct ArrowArrayStream *out);

/* ---------------------------------------------------------------------------------------------------------------
 * 5  Repairing
 *
 * The functions above apply the `repair:` list of each field before they check, without changing your data. The
 * functions here return the repaired values. Only texts are repaired: Arrow numbers, dates and times are left
 * unchanged.
 * ------------------------------------------------------------------------------------------------------------- */

/* The number of cells of a column that each repair changed. Immutable. */
typedef struct assay_changes assay_changes;

typedef struct assay_change_count {
    const char *
        repair; /* name in reports: "trim", and "trim.2" for its second use in the list; lives as long as the changes */
    uint64_t cells;
} assay_change_count;

/* Applies the repairs of one field to a column. `repaired` and `repaired_schema` receive an array of type large_utf8
 * (large_binary for binary columns and for an assay_column), which the caller releases. If no value changes, their
 * `release` is NULL: use the original column. A value that a repair makes missing is null. A value is left unchanged
 * if it is not UTF-8, or if it is longer than `field-bytes` before or after the repair. `changes` receives the
 * counts; may be NULL. Of the options, the allocator, the threads and the progress callback are used; the output does
 * not depend on the number of threads. On a fault, no output is written. Linear in the values. */
ASSAY_MUST_USE assay_fault *assay_rules_repair_column(const assay_rules *rules, size_t field,
                                                      const assay_column *column, size_t count,
                                                      const assay_options *options, struct ArrowArray *repaired,
                                                      struct ArrowSchema *repaired_schema, assay_changes **changes);
ASSAY_MUST_USE assay_fault *assay_rules_repair_arrow_column(const assay_rules *rules, size_t field,
                                                            const struct ArrowSchema *schema,
                                                            const struct ArrowArray *array,
                                                            const assay_options *options, struct ArrowArray *repaired,
                                                            struct ArrowSchema *repaired_schema,
                                                            assay_changes **changes);

/* The number of cells that any repair changed. */
uint64_t assay_changes_cells(const assay_changes *changes);
/* The number of cells left unchanged because applying their repairs again would change them again. */
uint64_t assay_changes_unsettled(const assay_changes *changes);
/* The number of cells that each repair changed, in the order of the list. */
size_t assay_changes_count(const assay_changes *changes);
bool assay_changes_get(const assay_changes *changes, size_t index, assay_change_count *count, size_t size);
void assay_changes_free(assay_changes *changes);

/* ---------------------------------------------------------------------------------------------------------------
 * 6  Results
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct assay_totals {
    uint64_t records;
    uint64_t clean;
    uint64_t rejected;  /* clean + rejected = records */
    uint64_t undecided; /* records with a finding that a limit left undecided */
    uint64_t findings;
} assay_totals;

void assay_result_totals(const assay_result *result, assay_totals *totals, size_t size);

/* The number of records that are undecided because the budget of the call was exhausted
 * (assay_options.budget_ticks). totals.undecided and totals.rejected include them. */
uint64_t assay_result_over_budget(const assay_result *result);

/* The ticks that the call used, or its stream up to this batch; 0 without a budget. To measure the ticks that a call
 * needs, pass a budget of UINT64_MAX ticks. */
uint64_t assay_result_ticks(const assay_result *result);

/* The number of records that the rules of a column reject, including keys of this column alone, each record counted
 * once. Thresholds of columns compare this count. Row rules, keys of several columns, and findings about values that
 * are too long or not UTF-8 do not count. O(records / 64). */
uint64_t assay_result_rejected_by(const assay_result *result, const char *column);

typedef enum assay_rows {
    ASSAY_ROWS_REJECTED = 1,
    ASSAY_ROWS_UNDECIDED = 2,
    ASSAY_ROWS_MISSING = 3,     /* without a value; only for a check of one column */
    ASSAY_ROWS_OVER_BUDGET = 4, /* undecided, because the budget was exhausted; only for a check with a budget */
} assay_rows;

/* The rows of a kind as a bit mask of (records + 63) / 64 words: bit i % 64 of word i / 64 is row i, and the bits
 * past the last row are 0. NULL for CSV, and if this kind is not recorded. */
const uint64_t *assay_result_rows(const assay_result *result, assay_rows rows);

typedef enum assay_finding_severity {
    ASSAY_SEVERITY_REJECT = 0, /* the record is rejected */
    ASSAY_SEVERITY_WARN = 1,   /* the record stays clean */
} assay_finding_severity;

/* One failed or undecided rule of one record. Its texts live as long as the result. */
typedef struct assay_finding {
    uint64_t record;    /* number of the record, from 1 */
    uint64_t line;      /* CSV: the physical line, from 1; otherwise 0 */
    uint64_t offset;    /* CSV: the byte at which the cell starts; otherwise 0 */
    const char *column; /* NULL for a finding about the whole record */
    const char *rule;   /* such as "email.pattern" */
    const char *code;   /* such as "pattern", "required", "encoding" or "undecided" */
    const char *message;
    assay_finding_severity severity;
    uint32_t reserved;
} assay_finding;

/* The position of the next finding. Initialize with zeros to start at the first one. For columns and Arrow, set only
 * `row` to start at a row, counted from 0. */
typedef struct assay_cursor {
    uint64_t row;
    uint64_t place;
    uint64_t reserved[2]; /* must be 0 */
} assay_cursor;

/* Writes up to `capacity` findings of `size` bytes each, in the order of the records, and advances the cursor. Returns
 * the number of findings written, 0 at the end. */
size_t assay_result_findings(const assay_result *result, assay_cursor *cursor, assay_finding *findings, size_t size,
                             size_t capacity);

/* Returns another reference to the same result. */
assay_result *assay_result_retain(assay_result *result);
void assay_result_free(assay_result *result);

/* ---------------------------------------------------------------------------------------------------------------
 * 7  Results as Arrow
 *
 * Each function fills in both structures, which the caller releases. On a fault, it writes neither. Not for CSV.
 * ------------------------------------------------------------------------------------------------------------- */

enum {
    /* The verdict is null if the value is missing, or undecided because of a limit. Only for a check of one column. */
    ASSAY_VERDICTS_NULLABLE = 1u << 0,
};

/* Exports one boolean per row: true for clean rows. */
ASSAY_MUST_USE assay_fault *assay_result_export_verdicts(const assay_result *result, uint32_t flags,
                                                         struct ArrowArray *array, struct ArrowSchema *schema);

/* Exports the names of the rules with findings for each row: list<dictionary<int32, utf8>>. The list is empty for rows
 * without findings. */
ASSAY_MUST_USE assay_fault *assay_result_export_reasons(const assay_result *result, struct ArrowArray *array,
                                                        struct ArrowSchema *schema);

/* Exports at most `limit` findings as a record batch: record (uint64), and column, rule, code, severity and message,
 * each a dictionary<int32, utf8>; column is null for findings about whole rows. */
ASSAY_MUST_USE assay_fault *assay_result_export_findings(const assay_result *result, uint64_t limit,
                                                         struct ArrowArray *array, struct ArrowSchema *schema);

/* Exports the keys of a check with assay_options.key_secret as a record batch. Each key of the rules is a column
 * named by its id, with a hash of 16 bytes per row, equal for equal keys. Null if a row does not have this key or is
 * not clean. With `keep: {max: COLUMN}` or `{min: COLUMN}`, a last column `keep` has bytes (large binary): of two rows
 * with equal keys, the one whose bytes come first, compared as unsigned bytes, is preferred. Rows with null come
 * last. */
ASSAY_MUST_USE assay_fault *assay_result_export_keys(const assay_result *result, struct ArrowArray *array,
                                                     struct ArrowSchema *schema);

/* For callers that compare keys themselves: two functions for the table that a foreign key refers to. `foreign_key` is
 * the number of the foreign key, counted from 0. With the same key_secret, the hashes of the referenced keys are equal
 * to those that assay_result_export_keys returns for the referring records.
 *
 * assay_rules_export_reference reads the referenced file: fixed-size binary of 16 bytes, each key once, in no
 * particular order. For a foreign key into the table itself, it returns ASSAY_FAULT_RULES. assay_rules_of_reference
 * returns the rules for a table in place of the file; their only key is the referenced one. */
ASSAY_MUST_USE assay_fault *assay_rules_export_reference(const assay_rules *rules, size_t foreign_key,
                                                         const assay_options *options, struct ArrowArray *array,
                                                         struct ArrowSchema *schema);
ASSAY_MUST_USE assay_fault *assay_rules_of_reference(const assay_rules *rules, size_t foreign_key,
                                                     assay_rules **referenced);

/* ---------------------------------------------------------------------------------------------------------------
 * 8  Tallies: counts that add up
 * ------------------------------------------------------------------------------------------------------------- */

/* The number of findings of each rule over any number of results. Only one thread at a time may use a tally; give
 * each worker its own and merge them at the end. */
typedef struct assay_tally assay_tally;

typedef struct assay_rule_count {
    const char *column; /* NULL for a rule of whole records */
    const char *rule;
    assay_finding_severity severity;
    uint32_t reserved;
    uint64_t failed;
    uint64_t undecided;
} assay_rule_count;

assay_tally *assay_tally_create(void);
void assay_tally_add(assay_tally *tally, const assay_result *result);
void assay_tally_merge(assay_tally *tally, const assay_tally *other);
void assay_tally_totals(const assay_tally *tally, assay_totals *totals, size_t size);

/* The rules that were applied, in the order of their first use, including rules without findings. */
size_t assay_tally_count(const assay_tally *tally);
bool assay_tally_get(const assay_tally *tally, size_t index, assay_rule_count *count, size_t size);
void assay_tally_free(assay_tally *tally);

/* ---------------------------------------------------------------------------------------------------------------
 * 9  Files
 * ------------------------------------------------------------------------------------------------------------- */

/* The output files of assay_clean_file and their options. A NULL path disables that output. Other fields that are 0
 * or NULL mean the defaults of the command. */
typedef struct assay_outputs {
    size_t size; /* sizeof(assay_outputs) */
    const char *clean;
    const char *rejects;
    const char *findings; /* JSON Lines; CSV if the name ends in .csv */
    const char *report;
    bool replace;        /* replace existing outputs */
    bool annotate;       /* add the columns _line and _reasons to the rejects */
    const char *changes; /* the cells of clean records that repairs changed; format as for findings */
    uint64_t
        max_findings; /* maximum number of findings written; the rest is counted; 0: a million; UINT64_MAX: no limit */
    uint64_t head;    /* maximum number of records read; 0: all */
    /* The compression of outputs follows from their names: .gz means gzip, .zst means zstd, and other names none. A
     * call with another compression of clean and rejects than this one (none, gzip, zstd) fails; NULL: any. */
    const char *compression;
    const char *encoding;  /* of the input, such as windows-1252, or auto; NULL: from the rules */
    const char *delimiter; /* of the input, one or two ASCII characters, tab or space; NULL: from the rules */
    bool show_values;      /* include values of the data in findings and changes */
    bool guard_formulas;   /* prefix cells that a spreadsheet would evaluate with an apostrophe */
    uint8_t reserved[6];   /* must be 0 */
} assay_outputs;

/* Splits a CSV or JSON Lines file into clean records and rejects, as `assay clean` does. Outputs appear
 * under their names only after all outputs are complete. A .tsv file is read with tabs, unless the rules specify a
 * delimiter. Writes the report as JSON; free it with assay_text_free. */
ASSAY_MUST_USE assay_fault *assay_clean_file(const assay_rules *rules, const char *input, const assay_outputs *outputs,
                                             const assay_options *options, char **report);
void assay_text_free(char *text);

/* ---------------------------------------------------------------------------------------------------------------
 * 10  Profiling and inference
 * ------------------------------------------------------------------------------------------------------------- */

/* A table that can be read more than once: a file or Arrow. Exactly one of `path` and `open` must be set. */
typedef struct assay_table {
    size_t size;      /* sizeof(assay_table) */
    const char *path; /* a CSV or JSON Lines file, optionally compressed */
    /* Opens a new stream of the same record batches at each call, on the calling thread; other threads may read the
     * stream, one at a time. Returns 0 or an error number. */
    int (*open)(void *context, struct ArrowArrayStream *stream);
    void *context;
    const char *name; /* name of the Arrow table in messages; NULL: "the table" */
} assay_table;

/* Profiles every value of a table, as `assay profile` does: types, missing and distinct counts, lengths, shapes and
 * ranges. Arrow values are profiled as text, nulls as empty cells; columns of types that rules cannot check are
 * refused. Writes JSON with the schema Docs/assay-profile.schema.json; free it with assay_text_free. `rules` provide
 * the dialect and limits; NULL: the defaults. `shows_values`: include the most frequent values. Linear in the bytes;
 * some MiB of memory per thread. */
ASSAY_MUST_USE assay_fault *assay_rules_profile(const assay_rules *rules, const assay_table *table, bool shows_values,
                                                const assay_options *options, char **profile);

/* Infers rules that fit a table, as `assay infer` does, with comments that give the evidence for each rule. Reads
 * the table once to profile it, and again to try the rules and to count the records that pass. The rules accept all
 * values of well-formed records; tighter rules that some values fail are comments, with the first such value. Writes
 * YAML, which assay_rules_parse reads; free it with assay_text_free. */
ASSAY_MUST_USE assay_fault *assay_rules_infer(const assay_rules *rules, const assay_table *table,
                                              const assay_options *options, char **inferred);

#ifdef __cplusplus
}
#endif
#endif
