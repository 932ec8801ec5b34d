/* assay/assay.h: Assay inside your own process. Rule files, tables, Arrow and CSV, from C, C++ and whatever can call C.
 *
 *     assay_rules *rules;
 *     assay_fault *fault = assay_rules_load("users.rules.yaml", &rules);
 *     if (fault != NULL) { fputs(fault->text, stderr); assay_fault_free(fault); return 1; }
 *
 *     assay_result *result;
 *     fault = assay_rules_check_columns(rules, columns, 3, rows, NULL, &result);
 *
 * The same rules give the same verdicts as the command `assay` does on a file that holds the same values.
 *
 * Ownership. What a function writes through its last pointer is yours, and has a function of the same name that frees
 *   it (assay_rules_free, assay_result_free ...); freeing NULL does nothing. A `const char *` belongs to the object it
 *   was asked of and lives as long. Nothing that you pass in is kept after the call, except where the comment says so.
 * Threads. assay_rules never change: any number of threads may use one at once, and free their own reference whenever
 *   they like. An assay_result may be read by many threads at once. An assay_tally and an assay_stream belong to one
 *   thread at a time. A check works on several threads of its own (assay_options.threads) and returns when all are
 *   done. Nothing runs between two calls, so that a process may fork there. Rules and patterns are compiled on the stack of
 *   the thread that asks for them: give it 512 KiB or more. Once it is loaded the library stays, also after dlclose.
 * Errors. Bad data is never an error: it is counted, and it is a finding. What is wrong with a call, with rules or
 *   with the shape of a table is an assay_fault, which says where and what to do; NULL means that all went well, and
 *   only then is the result written. Nothing is printed, and no signal handler, locale or other state of the process is
 *   touched; a pipe that nobody reads any more, and a file that may not become so long (RLIMIT_FSIZE), is an ASSAY_FAULT_FILE,
 *   and no signal. Sizes, offsets and pointers inside
 *   the data are checked before they are used, as far as they can be: a NULL, a negative or a descending number is
 *   refused. An address that is not NULL must be what it is said to be.
 * Names. Paths, and names of columns and tables, are UTF-8 and end with a NUL. One that is not UTF-8 is refused, and
 *   nothing is read or written: whatever it were taken for would be another name.
 * Memory. The row masks of results and the buffers of exported Arrow arrays come from assay_options.allocator, whose NULL is an
 *   ASSAY_FAULT_MEMORY. The rest is the library's own: some MiB for each thread, and a copy of each column whose values are
 *   repaired. Of threads that read CSV as many work as there is memory for; like any Swift program it ends the process when
 *   the system has none for what is small.
 * Versions. Until 1.0 a minor release may change this interface; then ASSAY_ABI_VERSION goes up and so does the name of
 *   the shared library. Structures that you fill in begin with their size, so that they can grow at the end. */
#ifndef ASSAY_ASSAY_H
#define ASSAY_ASSAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arrow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The interface this header describes. A program may compare it with assay_abi_version() of the library that it found. */
#define ASSAY_ABI_VERSION 1
uint32_t assay_abi_version(void);

/* The release, such as "0.1.0". Static storage. */
const char *assay_release(void);

/* The engine behind the patterns, such as "PCRE2 10.42 2022-12-11, Unicode 14.0.0, JIT". Static storage. */
const char *assay_engine(void);

/* ---------------------------------------------------------------------------------------------------------------
 * 1  Faults
 * ------------------------------------------------------------------------------------------------------------- */

typedef enum assay_fault_code {
    ASSAY_FAULT_ARGUMENT = 1,  /* the call: a NULL, a size or a flag that cannot be */
    ASSAY_FAULT_MEMORY = 2,    /* the allocator gave NULL, or the system has no memory for a thread that reads CSV */
    ASSAY_FAULT_RULES = 3,     /* a rule file or a pattern; one fault for each mistake, linked by `next` */
    ASSAY_FAULT_COLUMNS = 4,   /* the columns of the table are not those of the rules */
    ASSAY_FAULT_ARROW = 5,     /* an Arrow structure that is malformed, or of a type that no rule can judge */
    ASSAY_FAULT_STREAM = 6,    /* an Arrow stream reported an error of its own */
    ASSAY_FAULT_INPUT = 7,     /* CSV that is no such table, or outputs that cannot be */
    ASSAY_FAULT_FILE = 8,      /* the system refused an operation on a file */
    ASSAY_FAULT_CANCELLED = 9, /* the progress callback asked for it */
    ASSAY_FAULT_INTERNAL = 10, /* our own mistake: please report it */
} assay_fault_code;

/* What went wrong. Plain English, no values of the data. */
typedef struct assay_fault {
    assay_fault_code code;
    uint32_t line;                  /* in the rule file, from 1; 0: there is no such place */
    uint32_t column;                /* in characters, from 1; of a pattern: the byte, from 1; 0: no place */
    const char *message;            /* what is wrong, in a sentence without a full stop */
    const char *hint;               /* what to do about it; NULL: nothing to say */
    const char *text;               /* all of this one fault as people read it, perhaps over several lines */
    const struct assay_fault *next; /* the next mistake of the same call, or NULL; freed with the first */
} assay_fault;

void assay_fault_free(assay_fault *fault);

/* ---------------------------------------------------------------------------------------------------------------
 * 2  Rules
 * ------------------------------------------------------------------------------------------------------------- */

/* Rules, read and compiled. Immutable, counted by references, shared freely between threads. */
typedef struct assay_rules assay_rules;

/* Reads rules from YAML or JSON text of `count` bytes. `name` is what to call it in messages; NULL: "rules". Files that they
 * name (`foreignKeys`) are not opened: give these tables in assay_options.references. */
assay_fault *assay_rules_parse(const char *text, size_t count, const char *name, assay_rules **rules);

/* Reads rules from a file. The files that they name must be regular files in its folder, or below; links out of the folder are
 * refused, and messages do not show the content of these files. */
assay_fault *assay_rules_load(const char *path, assay_rules **rules);

/* The same as assay_rules_parse for rules that were loaded from a file in `folder` and sent as text, such as to another process: the files
 * that they name are in this folder, as for assay_rules_load. assay_rules_folder gives it, empty for that in which the process works; NULL:
 * the rules may name no file, or are trusted. */
assay_fault *assay_rules_parse_within(const char *text, size_t count, const char *name, const char *folder,
                                      assay_rules **rules);
const char *assay_rules_folder(const assay_rules *rules);

/* The same of rules that are trusted as a program is: they may raise the limits on the work for one value beyond four times the
 * defaults, and name any file that the process can open. Relative paths begin in the folder of `name`, or of the file. */
assay_fault *assay_rules_parse_trusted(const char *text, size_t count, const char *name, assay_rules **rules);
assay_fault *assay_rules_load_trusted(const char *path, assay_rules **rules);

/* Flags of a pattern. None: the whole value must match, case matters, \d \w \s are ASCII, `.` is not a line feed. */
enum {
    ASSAY_MATCH_CASE_INSENSITIVE = 1u << 0,
    ASSAY_MATCH_UNICODE_CLASSES = 1u << 1,
    ASSAY_MATCH_DOT_ALL = 1u << 2,
    ASSAY_MATCH_EXTENDED = 1u << 3,
    ASSAY_MATCH_MULTILINE = 1u << 4,
    ASSAY_MATCH_SEARCH = 1u << 5, /* a match anywhere in the value is enough */
};

/* Rules of one field named "value" whose one rule is a PCRE2 pattern, for assay_rules_check_column and its Arrow twin.
 * The empty text is a value like any other; null is not. A value may have up to 2 GiB; a longer one is left undecided. The
 * pattern may have up to 1 MiB. */
assay_fault *assay_rules_from_pattern(const char *text, size_t count, uint32_t flags, assay_rules **rules);

/* One more reference to the same rules. */
assay_rules *assay_rules_retain(assay_rules *rules);
void assay_rules_free(assay_rules *rules);

/* The fields, in the order of the file. NULL beyond the last one. */
size_t assay_rules_field_count(const assay_rules *rules);
const char *assay_rules_field_name(const assay_rules *rules, size_t field);

/* The keys of a path into records with others inside, such as the name of a field: "address.city", "items[].price". A dot, a bracket or a
 * backslash of a key has a backslash before it. They are written, unescaped and each with a NUL after it, to `keys`, which has room for
 * strlen(path) + 1 bytes; `*lists` is how many [] there are. Returns how many keys there are; 0: this is no path, only a name. A
 * member that is called exactly as the field has precedence over the path. */
size_t assay_path_keys(const char *path, char *keys, size_t *lists);

/* The rules as JSON that assay_rules_parse reads back: to store them, or to send them to another process. */
const char *assay_rules_json(const assay_rules *rules);

/* ---------------------------------------------------------------------------------------------------------------
 * 3  Checking
 * ------------------------------------------------------------------------------------------------------------- */

/* Where the row masks of results and the buffers of exported arrays come from. Both functions may be called by any
 * thread. `allocate` gives memory aligned for any type (as malloc does), or NULL. The structure is copied; the context
 * must outlive what came from it. */
typedef struct assay_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*deallocate)(void *context, void *memory, size_t size);
    void *context;
} assay_allocator;

/* The keys of records that were checked before; see assay_seen_keys_create. */
typedef struct assay_seen_keys assay_seen_keys;

/* Tables in memory that foreign keys refer to; see assay_references_create. */
typedef struct assay_references assay_references;

/* How to check. All zero but `size`, or no options at all, is a good choice. */
typedef struct assay_options {
    size_t size;           /* sizeof(assay_options) */
    uint32_t threads;      /* how many work, the caller's included; 0: one for each processor. 1: none is started */
    uint32_t reserved;     /* 0 */
    uint64_t first_record; /* the number of the first row, in findings, is this + 1; at most 2^47 */
    const assay_allocator *allocator; /* NULL: malloc and free */
    /* Called now and then, by one thread at a time; `false` ends the check with ASSAY_FAULT_CANCELLED. Before rows are judged, while
     * files that foreign keys refer to are read or values repaired, done and total are 0. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
    /* The most bytes that the keys of the rules (unique, primaryKey, uniqueKeys, foreignKeys) may take, 45 to 71 for each
     * key of a clean record, and each that foreign keys refer to; beyond it a check is an ASSAY_FAULT_MEMORY, while CSV and files go on
     * with temporary files. 0: a quarter of what the machine, or its container, has. */
    uint64_t key_memory;
    assay_seen_keys *seen; /* NULL: a check, or a stream, is a table of its own */
    /* For a table whose parts are spread over machines: 16 bytes that nobody else knows, the same for all parts. Then keys are
     * not compared, and assay_result_export_keys has them, of up to 2^26 rows at once. NULL: they are compared. Copied; not for
     * CSV. */
    const uint8_t *key_secret;
    const assay_references *references; /* NULL: foreign keys refer to files */
    /* The budget of the call, or of all batches of a stream. Records beyond it are undecided and rejected, with a finding of the rule
     * "budget". Functions that only repair, profile or infer ignore it. 0: no bound. */
    uint64_t budget_ticks; /* of work, counted and not timed; a tick is nominally a nanosecond of one processor */
    /* Bytes of the values that row rules need at the same time, on all threads, and of repaired columns. */
    uint64_t budget_bytes;
    uint64_t
        budget_nanoseconds; /* by the clock, from the beginning of the call: the verdicts then depend on the machine */
} assay_options;

/* Keys that several checks have in common, whose tables are parts of one: a record is refused if an earlier one of any of
 * them holds its key. `memory` is in place of assay_options.key_memory. One check at a time may use it, in the order of the
 * parts, with first_record counting on; after a fault it is good for nothing but assay_seen_keys_free, which may be called while a stream
 * still uses it. Not for CSV, and not for `keep: none` and foreign keys into the table itself, since then a later part decides
 * about an earlier one. It keeps a reference to the rules. */
assay_fault *assay_seen_keys_create(const assay_rules *rules, uint64_t memory, assay_seen_keys **seen);
void assay_seen_keys_free(assay_seen_keys *seen);

/* Tables that foreign keys refer to, in place of files of the same names. A foreign key whose table is not among them refers
 * to a file: it is read when a check, or a stream, begins, and kept with the rules until it has changed. `memory` is what the
 * keys of these tables may take, in bytes; 0: a quarter of what the machine, or its container, has. When all have been added
 * any number of checks may use it at once. It keeps a reference to the rules.
 *
 * One into the table itself is decided at the end of the table: of a stream, the first result comes when all batches have
 * been read; for checks with `seen` or `key_secret` it is an ASSAY_FAULT_RULES. */
assay_fault *assay_references_create(const assay_rules *rules, uint64_t memory, assay_references **references);

/* Reads a table to its end, and keeps its keys. `resource` is its name in the rules. Its rows are referred to if their values
 * have the types of the fields that refer. Takes over the stream, whatever comes of the call; on a fault
 * nothing is added. */
assay_fault *assay_references_add_stream(assay_references *references, const char *resource,
                                         struct ArrowArrayStream *source);
void assay_references_free(assay_references *references);

/* How the values of an assay_column lie in memory. */
typedef enum assay_layout {
    ASSAY_LAYOUT_OFFSETS32 = 1, /* value i is bytes[offsets[i] ..< offsets[i + 1]]; `offsets` is const int32_t * */
    ASSAY_LAYOUT_OFFSETS64 = 2, /* the same with const int64_t * */
    ASSAY_LAYOUT_POINTERS = 3,  /* value i is lengths[i] bytes at pointers[i]; a NULL pointer is no value */
} assay_layout;

/* A column of texts. They are read where they lie and are not trusted: what is not UTF-8 is a finding. */
typedef struct assay_column {
    size_t size;      /* sizeof(assay_column) */
    const char *name; /* for assay_rules_check_columns */
    assay_layout layout;
    uint32_t reserved;    /* 0 */
    const uint8_t *bytes; /* any of them may be read, those of no value too */
    size_t byte_count;    /* offsets beyond it are refused */
    const void *offsets;  /* one more than there are values */
    const uint8_t *const *pointers;
    const size_t *lengths;
    const uint8_t *validity; /* bit i, least significant first: there is a value; NULL: there always is */
} assay_column;

/* What came of a check. Immutable; holds no pointer to the data that was checked. */
typedef struct assay_result assay_result;

/* Judges one column of `count` values by the rules of one field. Row rules and keys that name only this field are asked, too;
 * those that name others beside it are an ASSAY_FAULT_COLUMNS. */
assay_fault *assay_rules_check_column(const assay_rules *rules, size_t field, const assay_column *column, size_t count,
                                      const assay_options *options, assay_result **result);

/* Judges a table of `count` rows. Columns are found by their names; what the rules do not name is not looked at. Row rules
 * are asked of rows whose columns have been judged, and keys of those that are good in all else: the first row of those with
 * equal keys is clean, or none (`keep: none`). Foreign keys refer to files, or to the tables of `references`. */
assay_fault *assay_rules_check_columns(const assay_rules *rules, const assay_column *columns, size_t column_count,
                                       size_t count, const assay_options *options, assay_result **result);

/* Whether a record is clean, said at once: for whoever judges records one by one, as a server does. `values` and `lengths`: the text
 * of each field of the rules, in their order, and its bytes; NULL is no value. True: no rule has anything to say of it, not even one
 * that warns. False: some rule has, or it cannot be said at once, since the rules have keys, foreign keys or repairs, a value is over
 * `field-bytes` (of assay_rules_from_pattern: over 1 MiB), or there is no memory; then assay_rules_check_columns says what it is.
 * Linear in the bytes; any number of threads. */
bool assay_rules_accepts(const assay_rules *rules, const uint8_t *const *values, const size_t *lengths);

/* Judges a CSV file that is in memory, header included, in the dialect of the rules. Findings carry line and offset. The
 * result keeps every finding; use assay_clean_file for what is large. Messages that name a record count within the text,
 * whatever first_record is. */
assay_fault *assay_rules_check_csv(const assay_rules *rules, const uint8_t *bytes, size_t count,
                                   const assay_options *options, assay_result **result);

/* ---------------------------------------------------------------------------------------------------------------
 * 4  Checking Arrow
 *
 * Read where they lie, not copied: utf8, large_utf8, utf8_view, binary, large_binary, binary_view, and dictionaries and
 * run-end encoded columns, each value of which is judged once. (Of views whose buffers lie more than 2 GiB apart, short ones
 * may be copied.)
 * Other types are judged as the text that a CSV file of these rules would have for them: null, bool, integers, floats,
 * decimals, dates, times, timestamps. The columns of a struct are named "outer.inner", as paths
 * are (assay_path_keys). A column of another type is refused if the rules name it.
 *
 * Neither function takes ownership: release what you pass in when they have returned.
 * ------------------------------------------------------------------------------------------------------------- */

/* Judges an array by the rules of one field. */
assay_fault *assay_rules_check_arrow_column(const assay_rules *rules, size_t field, const struct ArrowSchema *schema,
                                            const struct ArrowArray *array, const assay_options *options,
                                            assay_result **result);

/* Judges a record batch: an array of type struct. */
assay_fault *assay_rules_check_arrow_table(const assay_rules *rules, const struct ArrowSchema *schema,
                                           const struct ArrowArray *array, const assay_options *options,
                                           assay_result **result);

/* A stream of record batches on its way through the rules. One thread at a time. */
typedef struct assay_stream assay_stream;

/* Takes over an Arrow stream, whatever comes of the call: `source->release` is NULL afterwards. The columns are looked
 * for now. `field`: the one field that the arrays are judged by; SIZE_MAX: they are record batches. The stream keeps a
 * reference to the rules, and what the functions in `options` point to must live as long as the stream. */
assay_fault *assay_stream_open(const assay_rules *rules, size_t field, struct ArrowArrayStream *source,
                               const assay_options *options, assay_stream **stream);

/* Judges the next batch; at the end *result is NULL. Records are numbered through, and no two of the whole stream have a key
 * in common. With `keep: none` the first call reads all batches, and keeps their verdicts but not their values. */
assay_fault *assay_stream_next(assay_stream *stream, assay_result **result);
void assay_stream_free(assay_stream *stream);

/* The stream as an Arrow stream of the verdicts: struct<clean: bool, reasons: list<dictionary<int32, utf8>>>, a batch
 * for each batch. Takes over `stream`, which is not freed by you then. Pulled by whoever reads `out`. */
assay_fault *assay_stream_export(assay_stream *stream, struct ArrowArrayStream *out);

/* ---------------------------------------------------------------------------------------------------------------
 * 5  Repairing
 *
 * What `repair:` of a field makes of values. The checks above do it by themselves before they judge, and change nothing of yours;
 * these functions give you the repaired values. Repairs are of texts: a number, a date or a time of Arrow stays what it is.
 * ------------------------------------------------------------------------------------------------------------- */

/* How many cells of a column its repairs changed. Immutable. */
typedef struct assay_changes assay_changes;

typedef struct assay_change_count {
    const char *
        repair; /* as in reports: "trim", and from its second time in a list on "trim.2"; lives as long as the changes */
    uint64_t cells;
} assay_change_count;

/* Repairs a column by the repairs of one field. `repaired` and `repaired_schema` become an array of type large_utf8 (of binary
 * columns, and of an assay_column: large_binary), which you release; or, if no value changes, structures whose `release` is NULL: use
 * the column as it is. What a repair makes missing is null; what is not UTF-8, or is or would become longer than `field-bytes`, is as
 * it came. `changes`: the counts; may be NULL. Of the options the allocator and the threads matter; what comes of it is the same for any
 * number of threads. Nothing is written when there is a fault. Time: a look at every value. */
assay_fault *assay_rules_repair_column(const assay_rules *rules, size_t field, const assay_column *column, size_t count,
                                       const assay_options *options, struct ArrowArray *repaired,
                                       struct ArrowSchema *repaired_schema, assay_changes **changes);
assay_fault *assay_rules_repair_arrow_column(const assay_rules *rules, size_t field, const struct ArrowSchema *schema,
                                             const struct ArrowArray *array, const assay_options *options,
                                             struct ArrowArray *repaired, struct ArrowSchema *repaired_schema,
                                             assay_changes **changes);

/* The cells that any repair changed. */
uint64_t assay_changes_cells(const assay_changes *changes);
/* The cells that stay as they came, since their repairs would change them a second time. */
uint64_t assay_changes_unsettled(const assay_changes *changes);
/* The cells that each repair changed, in the order of the list. */
size_t assay_changes_count(const assay_changes *changes);
bool assay_changes_get(const assay_changes *changes, size_t index, assay_change_count *count);
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

void assay_result_totals(const assay_result *result, assay_totals *totals);

/* How many records are undecided since the call may take no more (assay_options.budget_ticks). They are among totals.undecided and
 * totals.rejected. */
uint64_t assay_result_over_budget(const assay_result *result);

/* The ticks that the call took, or those of its stream up to here; 0: it had no budget. A call with UINT64_MAX ticks says how many one
 * like it needs. */
uint64_t assay_result_ticks(const assay_result *result);

/* How many records the rules of a column, and keys of this column alone, reject, each counted once; what the threshold of a column
 * counts. Rules between columns are not among them, nor is what is not UTF-8 or too long. O(records / 64). */
uint64_t assay_result_rejected_by(const assay_result *result, const char *column);

typedef enum assay_rows {
    ASSAY_ROWS_REJECTED = 1,
    ASSAY_ROWS_UNDECIDED = 2,
    ASSAY_ROWS_MISSING = 3,     /* without a value; of a check of one column only */
    ASSAY_ROWS_OVER_BUDGET = 4, /* undecided, since the call may take no more; of a check with a budget only */
} assay_rows;

/* The rows of a kind as bits, bit i of word i / 64 for row i, zero beyond the last; (records + 63) / 64 words. NULL for
 * CSV, and where nothing of the kind is known. */
const uint64_t *assay_result_rows(const assay_result *result, assay_rows rows);

typedef enum assay_finding_severity {
    ASSAY_SEVERITY_REJECT = 0, /* the record is rejected */
    ASSAY_SEVERITY_WARN = 1,   /* the record stays */
} assay_finding_severity;

/* One thing that is wrong with one record. Its texts live as long as the result. */
typedef struct assay_finding {
    uint64_t record;    /* from 1 */
    uint64_t line;      /* CSV: the physical line, from 1; else 0 */
    uint64_t offset;    /* CSV: the byte at which the cell starts; else 0 */
    const char *column; /* NULL for what is the record's */
    const char *rule;   /* such as "email.pattern" */
    const char *code;   /* such as "pattern", "required", "encoding" or "undecided" */
    const char *message;
    assay_finding_severity severity;
    uint32_t reserved;
} assay_finding;

/* Where the next finding is looked for. All zero: at the start. */
typedef struct assay_cursor {
    uint64_t row;
    uint64_t place;
} assay_cursor;

/* Writes up to `capacity` findings, in the order of the records, and moves the cursor on. Returns how many it wrote; 0
 * at the end. */
size_t assay_result_findings(const assay_result *result, assay_cursor *cursor, assay_finding *findings,
                             size_t capacity);

/* One more reference to the same result. */
assay_result *assay_result_retain(assay_result *result);
void assay_result_free(assay_result *result);

/* ---------------------------------------------------------------------------------------------------------------
 * 7  Results as Arrow
 *
 * Each fills in both structures, which the caller releases. Nothing is written when there is a fault. Not for CSV.
 * ------------------------------------------------------------------------------------------------------------- */

enum {
    /* Null where there is no verdict: no value, or a limit left it undecided. For a check of one column. */
    ASSAY_VERDICTS_NULLABLE = 1u << 0,
};

/* A boolean for each row: true is clean. */
assay_fault *assay_result_export_verdicts(const assay_result *result, uint32_t flags, struct ArrowArray *array,
                                          struct ArrowSchema *schema);

/* A list of the names of the rules for each row: list<dictionary<int32, utf8>>. Empty where nothing was found. */
assay_fault *assay_result_export_reasons(const assay_result *result, struct ArrowArray *array,
                                         struct ArrowSchema *schema);

/* The findings as a record batch: record (uint64), and column, rule, code, severity, message, each a dictionary<int32,
 * utf8>; column is null for what is of whole rows. At most `limit` of them. */
assay_fault *assay_result_export_findings(const assay_result *result, uint64_t limit, struct ArrowArray *array,
                                          struct ArrowSchema *schema);

/* The keys of a check with assay_options.key_secret as a record batch: for each key of the rules a column of its id with
 * 16 bytes for each row, equal where the keys are. Null where a row has no such key, or is not clean. */
assay_fault *assay_result_export_keys(const assay_result *result, struct ArrowArray *array, struct ArrowSchema *schema);

/* For whoever compares keys by themselves: what a foreign key, counted from 0, refers to. With the same key_secret its keys are equal
 * to those that assay_result_export_keys has of the records that refer to it.
 *
 * The first reads the file that it refers to: fixed-size binary of 16 bytes, each key once, in no order. The second has the rules
 * for a table in its place, whose only key is what is referred to. One into the table itself is an ASSAY_FAULT_RULES for the first. */
assay_fault *assay_rules_export_reference(const assay_rules *rules, size_t foreign_key, const assay_options *options,
                                          struct ArrowArray *array, struct ArrowSchema *schema);
assay_fault *assay_rules_of_reference(const assay_rules *rules, size_t foreign_key, assay_rules **referenced);

/* ---------------------------------------------------------------------------------------------------------------
 * 8  Tallies: counts that add up
 * ------------------------------------------------------------------------------------------------------------- */

/* How often each rule had a finding, over as many results as you like. One thread at a time; each worker has its own,
 * and at the end they are merged. */
typedef struct assay_tally assay_tally;

typedef struct assay_rule_count {
    const char *column; /* NULL for what is the record's */
    const char *rule;
    assay_finding_severity severity;
    uint32_t reserved;
    uint64_t failed;
    uint64_t undecided;
} assay_rule_count;

assay_tally *assay_tally_create(void);
void assay_tally_add(assay_tally *tally, const assay_result *result);
void assay_tally_merge(assay_tally *tally, const assay_tally *other);
void assay_tally_totals(const assay_tally *tally, assay_totals *totals);

/* Every rule that was asked, in the order it was first met; those that found nothing are among them, with zeros. */
size_t assay_tally_count(const assay_tally *tally);
bool assay_tally_get(const assay_tally *tally, size_t index, assay_rule_count *count);
void assay_tally_free(assay_tally *tally);

/* ---------------------------------------------------------------------------------------------------------------
 * 9  Files
 * ------------------------------------------------------------------------------------------------------------- */

/* Where the outputs of assay_clean_file go, and how they are made. A path that is NULL: nowhere. All else zero, or NULL, is as the
 * command has it without options. */
typedef struct assay_outputs {
    size_t size; /* sizeof(assay_outputs) */
    const char *clean;
    const char *rejects;
    const char *findings; /* JSON lines; CSV if it ends in .csv */
    const char *report;
    bool replace;        /* outputs that exist may be replaced */
    bool annotate;       /* the rejects get the columns _line and _reasons */
    const char *changes; /* which cells of clean records repairs changed: as the findings */
    uint64_t
        max_findings; /* no more are written, and the report counts the rest; 0: a million. UINT64_MAX: all are written */
    uint64_t head;    /* no more records are read; 0: all */
    const char *compression; /* of outputs whose names do not say it: none, gzip or zstd; NULL: as the input is */
    const char *encoding;    /* of the input, such as windows-1252, or auto; NULL: what the rules say */
    const char *delimiter;   /* of the input, one or two ASCII characters, tab or space; NULL: what the rules say */
    bool show_values;        /* findings and changes show values of the data */
    bool guard_formulas;     /* cells that a spreadsheet would compute get an apostrophe */
} assay_outputs;

/* Splits a file of CSV or JSON Lines into clean records and rejects, as `assay clean` does: outputs appear all at once when everything is
 * written, or not at all. A file called .tsv is read with tabs, unless the rules say otherwise. Writes the report as JSON;
 * free it with assay_text_free. */
assay_fault *assay_clean_file(const assay_rules *rules, const char *input, const assay_outputs *outputs,
                              const assay_options *options, char **report);
void assay_text_free(char *text);

/* ---------------------------------------------------------------------------------------------------------------
 * 10  What is in a table
 * ------------------------------------------------------------------------------------------------------------- */

/* A table that can be read more than once: a file, or Arrow. Exactly one of `path` and `open` is there. */
typedef struct assay_table {
    size_t size;      /* sizeof(assay_table) */
    const char *path; /* a file of CSV or JSON Lines, perhaps packed */
    /* Gives a new stream of the same record batches each time it is called, by the thread that called the function; the stream may be
     * read by others, one at a time. 0, or an error number. */
    int (*open)(void *context, struct ArrowArrayStream *stream);
    void *context;
    const char *name; /* of what `open` gives, in messages; NULL: "the table" */
} assay_table;

/* Looks at every value of a table, as `assay profile` does: types, missing and different values, lengths, shapes, ranges. Of Arrow
 * the text of each value is looked at, a null is an empty cell, and columns that no rule can judge are refused. Writes JSON in the form of
 * Docs/assay-profile.schema.json; free it with assay_text_free. `rules`: their dialect and limits; NULL: the usual ones. `shows_values`:
 * whether the most frequent values are told. Linear in the bytes; some MiB of memory for each thread. */
assay_fault *assay_rules_profile(const assay_rules *rules, const assay_table *table, bool shows_values,
                                 const assay_options *options, char **profile);

/* Makes rules that fit a table, as `assay infer` does, with comments that say what speaks for each. Reads the table for what is in it,
 * and again to count how many records pass, until no rule refuses more than a twentieth of the values. Writes YAML, which
 * assay_rules_parse reads; free it with assay_text_free. */
assay_fault *assay_rules_infer(const assay_rules *rules, const assay_table *table, const assay_options *options,
                               char **inferred);

#ifdef __cplusplus
}
#endif
#endif
