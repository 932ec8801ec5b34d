/* Patterns: the only file that knows PCRE2.
 *
 * Two engines stand behind a pattern, PCRE2's JIT compiler and its interpreter, and both must give the same verdict.
 * Where a released version of one of them is known to be wrong, the pattern goes to the other; docs and tests name
 * the defect (Tests/CAssayTests/test_pattern_defects.c has them all as cases). */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#if PCRE2_MAJOR < 10 || (PCRE2_MAJOR == 10 && PCRE2_MINOR < 42)
#error "Assay needs PCRE2 10.42 or later: see vendor-notes.md"
#endif

#include "Automata/assay_automaton.h"
#include "Patterns/assay_pattern_text.h"
#include "Patterns/assay_scratch.h"
#include "assay_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_MAX_PATTERN_BYTES = 10000,
    PARENTHESES_NEST_LIMIT = 250, /* PCRE2's default, said aloud so that no build of PCRE2 can change it */
    MATCHED = 0,                  /* rc ≥ 0; 0 only says that the captures did not fit, which nobody here reads */
};

struct assay_pattern {
    pcre2_code *code;
    size_t jit_size; /* 0: the interpreter judges what PCRE2 judges */
    /* Judges first, where the pattern has one. NULL: why not is in `refusal`. */
    assay_automaton *automaton;
    assay_automaton_refusal refusal;
    /* Whether the interpreter may take over when the JIT runs out of stack: not where this version's interpreter is
       the one known to be wrong. */
    bool interpreter_may_retry;
};

struct assay_scratch {
    pcre2_match_data *match_data;
    pcre2_match_context *context;
    pcre2_jit_stack *jit_stack;
    assay_match_limits limits;
    /* The values that the context's match limit now suits: those of this many blocks. */
    size_t limit_blocks;
    int32_t engine_code;
    bool heap_may_be_large; /* see trim_heap */
};

/* pcre2_match wants a subject that is not NULL (10.42 takes NULL with length 0, pcre2_jit_match does not look). */
static const uint8_t empty_value[1] = {0};

/* ---------------------------------------------------------------------------------------------------------------
 * The engine
 * ------------------------------------------------------------------------------------------------------------- */

static void config_text(uint32_t what, char text[static 64])
{
    char whole[256] = "";
    int length = pcre2_config(what, NULL);
    if (length > 0 && (size_t)length <= sizeof whole) pcre2_config(what, whole);
    snprintf(text, 64, "%.63s", whole);
}

void assay_engine_version(char *version, char *unicode)
{
    config_text(PCRE2_CONFIG_VERSION, version);
    config_text(PCRE2_CONFIG_UNICODE_VERSION, unicode);
}

/* 1042 for 10.42: the library that is linked, which need not be the one whose header was compiled. */
static int engine_release(void)
{
    char version[64];
    config_text(PCRE2_CONFIG_VERSION, version);
    int major = 0;
    int minor = 0;
    if (sscanf(version, "%d.%d", &major, &minor) != 2) return 0;
    return major * 100 + minor;
}

/* Releases whose JIT is not to be used at all. 10.43 lost the lock of its executable allocator (pcre2#402); before
   10.47 the AArch64 code reads past its input (SUPPORT-LIFECYCLE in PCRE2's repository). */
static bool release_has_safe_jit(int release)
{
    if (release == 1043) return false;
#if defined(__aarch64__) || defined(_M_ARM64)
    if (release < 1047) return false;
#endif
    return true;
}

/* Patterns that the JIT compiler gets wrong and the interpreter right. No flag cures these. */
static bool jit_is_wrong(const assay_pattern_facts *facts, uint32_t options, int release)
{
    /* ANCHORED is forgotten after (*SKIP): `A(*SKIP)A|` accepts "A" from offset 1 (pcre2#326, open). (*ACCEPT) before
       the end is taken for a match by ENDANCHORED searches before 10.43 (#353, #357). None of the verbs is worth the
       risk. */
    if (facts->backtracking_verbs) return true;
    /* Captures of a possessive group survive when it is given up: into the next alternative, `(a)*+c|ab\1` accepts
       "aba", and into the next start, `(B)*+A\1` is found in "BCAB" (found by test_pattern_agreement.c; #324 is like
       it). */
    if (facts->atomic && facts->backreference) return true;
    /* `^(?<n>..)(?<n>..)\k<n>{2,4}` with (?J) ignores case (82d1d4b7, 10.45). */
    if (release < 1045 && facts->duplicate_names && facts->named_backreference) return true;
    /* `[^[:print:]\x{f6f6}]` with UCP accepts U+F6F6 (pcre2#360; 542cb112, 10.45). */
    if (release < 1045 && (options & ASSAY_PATTERN_UNICODE_CLASSES) != 0 && facts->negated_posix) return true;
    /* `(?<=a?(?=b))b` fails what the interpreter passes, since look-behinds may vary in length (10.43; pcre2#974, open). */
    if (release >= 1043 && facts->lookbehind) return true;
    return false;
}

/* Patterns that the interpreter gets wrong and the JIT compiler right, in words that end an error message; NULL for the
   others. Without JIT such a pattern is refused: no verdict is better than a wrong one. */
static const char *interpreter_objection(const assay_pattern_facts *facts, int release)
{
    if (release >= 1043) return NULL;
    /* It does not backtrack into a recursion of the whole pattern: `|a(?R)` fails "aa" (pcre2#331). With groups it
       does. */
    if (facts->whole_recursion) return "(?R); put the pattern in parentheses and write (?1)";
    /* Captures set inside a subroutine call stay set after it (pcre2#261), which a back reference or a condition can
       see. */
    if (facts->subroutine_call && facts->backreference) return "calls of groups beside back references";
    return NULL;
}

bool assay_engine_has_jit(void)
{
    assay_pattern *probe = assay_pattern_create((const uint8_t *)"a", 1, ASSAY_PATTERN_NO_AUTOMATON, 0, NULL);
    bool has_jit = probe != NULL && probe->jit_size > 0;
    assay_pattern_free(probe);
    return has_jit;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Compiling
 * ------------------------------------------------------------------------------------------------------------- */

static uint32_t compile_flags(uint32_t options, const assay_pattern_facts *facts)
{
    /* NO_START_OPTIMIZE: with a look-ahead at the start, 10.44 and older skip starts that would match (#444).
       DOLLAR_ENDONLY: `$` never stands before a final newline, in full matches neither: `(?=.*\d$)[\s\S]*` must not
       accept "1\n". PCRE2 ignores it under MULTILINE, where `$` is meant to see newlines. */
    uint32_t flags = PCRE2_UTF | PCRE2_NO_START_OPTIMIZE | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
    /* Both at compile time: pcre2_jit_match ignores them at match time (pcre2jit, "FAST PATH API"). */
    if ((options & ASSAY_PATTERN_SEARCH) == 0) flags |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
    if ((options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0) flags |= PCRE2_CASELESS;
    if ((options & ASSAY_PATTERN_UNICODE_CLASSES) != 0) flags |= PCRE2_UCP;
    if ((options & ASSAY_PATTERN_DOT_ALL) != 0) flags |= PCRE2_DOTALL;
    if ((options & ASSAY_PATTERN_EXTENDED) != 0) flags |= PCRE2_EXTENDED;
    if ((options & ASSAY_PATTERN_MULTILINE) != 0) flags |= PCRE2_MULTILINE;
    /* A repeat before an optional atomic group is made possessive by mistake, up to 10.48 at least: `(?:a*(?:b)?+)ab`
       must match "aaab" and does not. So is a negated property before another: `\P{Lu}*\P{Ll}` must match "!". */
    if (facts->atomic || facts->negated_property) flags |= PCRE2_NO_AUTO_POSSESS;
    return flags;
}

static pcre2_compile_context *new_compile_context(size_t max_bytes)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (context == NULL) return NULL;
    /* Said aloud: a distribution may build PCRE2 with other defaults. */
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pcre2_set_bsr(context, PCRE2_BSR_UNICODE);
    pcre2_set_max_pattern_length(context, max_bytes);
    pcre2_set_parens_nest_limit(context, PARENTHESES_NEST_LIMIT);
    return context;
}

static pcre2_code *compile(const uint8_t *text, size_t count, uint32_t flags, size_t max_bytes, assay_error *error)
{
    pcre2_compile_context *context = new_compile_context(max_bytes);
    if (context == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    int code = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code *compiled = pcre2_compile(count == 0 ? empty_value : text, count, flags, &code, &offset, context);
    pcre2_compile_context_free(context);
    if (compiled != NULL) return compiled;
    if (code == PCRE2_ERROR_HEAP_FAILED) {
        assay_error_no_memory(error);
        return NULL;
    }
    PCRE2_UCHAR message[256] = "";
    pcre2_get_error_message(code, message, sizeof message);
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, code, offset > count ? count : offset, "%s", (char *)message);
    return NULL;
}

/* `(?:text)` and what must follow it. A comment or a \Q that runs to the end of the text would swallow the rest, so
   both are closed first. The caller frees. NULL when out of memory. */
static uint8_t *wrapped(const uint8_t *text, size_t count, uint32_t options, const char *after, size_t *wrapped_count)
{
    const char *close = (options & ASSAY_PATTERN_EXTENDED) != 0 ? "\\E\n)" : "\\E)";
    size_t size = strlen("(?:") + count + strlen(close) + strlen(after);
    uint8_t *whole = malloc(size + 1);
    if (whole == NULL) return NULL;
    uint8_t *at = whole;
    memcpy(at, "(?:", 3);
    at += 3;
    if (count > 0) memcpy(at, text, count);
    at += count;
    snprintf((char *)at, size + 1 - (size_t)(at - whole), "%s%s", close, after);
    *wrapped_count = size;
    return whole;
}

static int remember_callout(pcre2_callout_enumerate_block *block, void *place)
{
    *(size_t *)place = block->pattern_position;
    return 1; /* enough */
}

/* A pattern with a callout is not portable to a host that answers it, and stops JIT from being used before
   assertions. */
static bool has_callout(const pcre2_code *code, size_t *offset)
{
    return pcre2_callout_enumerate(code, remember_callout, offset) != 0;
}

/* Compiles to machine code if that works. Failure is no error: hosts may forbid executable memory (−48 under
   PR_SET_MDWE), and only trying tells. Done before the pattern is shared (pcre2api, "MULTITHREADING"). */
static size_t compile_to_machine_code(pcre2_code *code)
{
    if (pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) != 0) return 0;
    size_t size = 0;
    return pcre2_pattern_info(code, PCRE2_INFO_JITSIZE, &size) == 0 ? size : 0;
}

/* The characters from U+0000 on but the surrogates, one after the other, as far up as was needed. */
typedef struct all_characters {
    uint8_t *bytes;
    uint32_t count; /* below this; 0: none yet */
} all_characters;

enum {
    TWO_BYTES = 128,                              /* where the characters of two bytes begin */
    THREE_BYTES = TWO_BYTES + 2 * (0x800 - 0x80), /* and of three */
    AFTER_SURROGATES = THREE_BYTES + 3 * (0xD800 - 0x800),
    ALL_CHARACTERS = AFTER_SURROGATES + 3 * (0x10000 - 0xE000),
};

static size_t place_of(uint32_t character)
{
    return character < 0x80     ? character
           : character < 0x800  ? TWO_BYTES + 2 * (character - 0x80)
           : character < 0xD800 ? THREE_BYTES + 3 * (character - 0x800)
           : character < 0xE000 ? AFTER_SURROGATES
                                : AFTER_SURROGATES + 3 * (character - 0xE000);
}

static uint32_t character_at(size_t place)
{
    return (uint32_t)(place < TWO_BYTES          ? place
                      : place < THREE_BYTES      ? 0x80 + (place - TWO_BYTES) / 2
                      : place < AFTER_SURROGATES ? 0x800 + (place - THREE_BYTES) / 3
                                                 : 0xE000 + (place - AFTER_SURROGATES) / 3);
}

/* Writes a character of up to U+FFFF; returns how many bytes. */
static size_t write_character(uint32_t character, uint8_t *bytes)
{
    if (character < 0x80) {
        bytes[0] = (uint8_t)character;
        return 1;
    }
    if (character < 0x800) {
        bytes[0] = (uint8_t)(0xC0 | character >> 6);
        bytes[1] = (uint8_t)(0x80 | (character & 0x3F));
        return 2;
    }
    bytes[0] = (uint8_t)(0xE0 | character >> 12);
    bytes[1] = (uint8_t)(0x80 | (character >> 6 & 0x3F));
    bytes[2] = (uint8_t)(0x80 | (character & 0x3F));
    return 3;
}

static bool write_characters(all_characters *all, uint32_t count)
{
    if (all->bytes == NULL) all->bytes = malloc(ALL_CHARACTERS);
    if (all->bytes == NULL) return false;
    for (; all->count < count; all->count++) {
        if (all->count - 0xD800 >= 0x800) write_character(all->count, all->bytes + place_of(all->count));
    }
    return true;
}

/* What an item matches, found by searching for runs of it. */
typedef struct item_search {
    pcre2_code *code;
    pcre2_match_data *data;
    bool by_jit;
} item_search;

/* Finds the next run of the item. *found: there is one. false: an error. */
static bool search_run(const item_search *search, const uint8_t *bytes, size_t count, size_t at, bool *found,
                       size_t *from, size_t *to)
{
    const int rc = search->by_jit ? pcre2_jit_match(search->code, bytes, count, at, 0, search->data, NULL)
                                  : pcre2_match(search->code, bytes, count, at, PCRE2_NO_UTF_CHECK, search->data, NULL);
    *found = rc >= MATCHED;
    if (!*found) return rc == PCRE2_ERROR_NOMATCH;
    *from = pcre2_get_ovector_pointer(search->data)[0];
    *to = pcre2_get_ovector_pointer(search->data)[1];
    return *to > at;
}

static bool add_runs(const item_search *search, const uint8_t *all, size_t end, assay_character_set *set)
{
    size_t from = 0;
    size_t to = 0;
    for (size_t at = 0; at < end; at = to) {
        bool found = false;
        if (!search_run(search, all, end, at, &found, &from, &to)) return false;
        if (!found) break;
        /* A run over the surrogates adds them too; no value has them. */
        assay_character_set_add_range(set, character_at(from), character_at(to));
    }
    return true;
}

/* The characters from reach.alike_from on, of which one speaks for all. */
static bool add_alike(const item_search *search, character_reach reach, assay_character_set *set)
{
    size_t from = 0;
    size_t to = 0;
    bool has_above = false;
    bool has_bmp = false;
    if (!search_run(search, (const uint8_t *)"\xF4\x8F\xBF\xBF", 4, 0, &has_above, &from, &to)) return false;
    set->beyond = !reach.alike_beyond ? BEYOND_UNKNOWN : has_above ? BEYOND_ALL : BEYOND_NONE;
    if (reach.alike_from > 0xFFFF) return true;
    uint8_t last[3];
    const size_t count = write_character(0xFFFF, last);
    if (!search_run(search, last, count, 0, &has_bmp, &from, &to)) return false;
    if (has_bmp) assay_character_set_add_range(set, reach.alike_from, 0x10000);
    return true;
}

enum { WORTH_JIT = 0x1000 };

/* PCRE2 itself says what an item matches: it searches all characters, in order, for runs of the item. `context`: an
   all_characters. */
static bool find_character_set(void *context, const uint8_t *item, size_t count, uint32_t options,
                               character_reach reach, assay_character_set *set)
{
    all_characters *all = context;
    size_t runs_count = 0;
    uint8_t *runs = wrapped(item, count, options, "++", &runs_count);
    const assay_pattern_facts facts = assay_pattern_read(item, count, false);
    uint32_t flags = compile_flags(options | ASSAY_PATTERN_SEARCH, &facts) & ~(uint32_t)PCRE2_NO_START_OPTIMIZE;
    item_search search = {.data = pcre2_match_data_create(1, NULL)};
    if (runs != NULL) search.code = compile(runs, runs_count, flags, SIZE_MAX, NULL);
    const uint32_t asked = reach.alike_from;
    bool found = false;
    if (search.code != NULL && search.data != NULL && write_characters(all, asked)) {
        const int release = engine_release();
        search.by_jit = asked >= WORTH_JIT && release_has_safe_jit(release) &&
                        !jit_is_wrong(&facts, options, release) && compile_to_machine_code(search.code) > 0;
        found = add_runs(&search, all->bytes, place_of(asked), set) && add_alike(&search, reach, set);
    }
    pcre2_match_data_free(search.data);
    pcre2_code_free(search.code);
    free(runs);
    return found;
}

assay_pattern *assay_pattern_create(const uint8_t *text, size_t count, uint32_t options, size_t max_bytes,
                                    assay_error *error)
{
    assay_pattern_refusal refusal = assay_pattern_refused_start(text, count);
    if (refusal.advice != NULL) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, refusal.offset, "a pattern may not set (*%s): %s",
                         refusal.name, refusal.advice);
        return NULL;
    }
    int release = engine_release();
    assay_pattern_facts facts = assay_pattern_read(text, count, (options & ASSAY_PATTERN_EXTENDED) != 0);
    uint32_t flags = compile_flags(options, &facts);
    assay_pattern *pattern = calloc(1, sizeof *pattern);
    if (pattern == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    pattern->code = compile(text, count, flags, max_bytes == 0 ? DEFAULT_MAX_PATTERN_BYTES : max_bytes, error);
    if (pattern->code == NULL) goto failed;
    size_t callout = 0;
    if (has_callout(pattern->code, &callout)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, callout, "a pattern may not have callouts, (?C)");
        goto failed;
    }

    const char *objection = interpreter_objection(&facts, release);
    pattern->interpreter_may_retry = objection == NULL;
    if ((options & ASSAY_PATTERN_NO_JIT) == 0 && release_has_safe_jit(release) &&
        !jit_is_wrong(&facts, options, release)) {
        pattern->jit_size = compile_to_machine_code(pattern->code);
    }
    if (pattern->jit_size == 0 && objection != NULL) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                         "JIT cannot be used for this pattern here, and the interpreter of PCRE2 before 10.43 errs "
                         "on %s",
                         objection);
        goto failed;
    }
    if ((options & (ASSAY_PATTERN_NO_AUTOMATON | ASSAY_PATTERN_NO_JIT)) == 0) {
        all_characters all = {.bytes = NULL};
        const assay_character_finder finder = {find_character_set, &all};
        pattern->automaton = assay_automaton_create(text, count, options, &finder, &pattern->refusal);
        free(all.bytes);
    } else {
        pattern->refusal.because = "it is switched off";
    }
    return pattern;

failed:
    assay_pattern_free(pattern);
    return NULL;
}

void assay_pattern_free(assay_pattern *pattern)
{
    if (pattern == NULL) return;
    pcre2_code_free(pattern->code);
    assay_automaton_free(pattern->automaton);
    free(pattern);
}

size_t assay_pattern_jit_size(const assay_pattern *pattern) { return pattern->jit_size; }

assay_pattern_automaton assay_pattern_get_automaton(const assay_pattern *pattern)
{
    if (pattern->automaton != NULL) {
        return (assay_pattern_automaton){.states = assay_automaton_states(pattern->automaton)};
    }
    return (assay_pattern_automaton){.refusal = pattern->refusal.because, .refusal_offset = pattern->refusal.offset};
}

/* ---------------------------------------------------------------------------------------------------------------
 * Scratch
 * ------------------------------------------------------------------------------------------------------------- */

assay_match_limits assay_match_limits_default(void)
{
    return (assay_match_limits){
        .match_base = 10000,
        .match_per_byte = 64,
        .heap_kib = 20480,
        .jit_stack_bytes = 1u << 20,
    };
}

static bool engine_built_with_jit(void)
{
    uint32_t has_jit = 0;
    return pcre2_config(PCRE2_CONFIG_JIT, &has_jit) >= 0 && has_jit == 1;
}

assay_scratch *assay_scratch_create(const assay_match_limits *limits)
{
    assay_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL) return NULL;
    scratch->limits = limits != NULL ? *limits : assay_match_limits_default();
    scratch->limit_blocks = SIZE_MAX;
    /* One pair: a verdict reads no captures. */
    scratch->match_data = pcre2_match_data_create(1, NULL);
    scratch->context = pcre2_match_context_create(NULL);
    if (scratch->match_data == NULL || scratch->context == NULL) goto failed;
    /* 10.42 multiplies the heap limit by 1024 in 32 bits (fixed in 10.43): 4 GiB is as far as it is right. */
    uint32_t heap_kib = scratch->limits.heap_kib;
    pcre2_set_heap_limit(scratch->context, heap_kib < (1u << 22) ? heap_kib : (1u << 22) - 1);
    if (engine_built_with_jit() && scratch->limits.jit_stack_bytes > 0) {
        /* Start and maximum are the same: a stack that grows in the middle of a bounded repeat makes 10.44 and older
           accept what they must reject (82ebebfd). On Linux the pages are taken only when touched. */
        size_t bytes = scratch->limits.jit_stack_bytes;
        scratch->jit_stack = pcre2_jit_stack_create(bytes, bytes, NULL);
        if (scratch->jit_stack == NULL) goto failed;
        pcre2_jit_stack_assign(scratch->context, NULL, scratch->jit_stack);
    }
    return scratch;

failed:
    assay_scratch_free(scratch);
    return NULL;
}

void assay_scratch_free(assay_scratch *scratch)
{
    if (scratch == NULL) return;
    pcre2_match_data_free(scratch->match_data);
    pcre2_match_context_free(scratch->context);
    pcre2_jit_stack_free(scratch->jit_stack);
    free(scratch);
}

int32_t assay_scratch_engine_code(const assay_scratch *scratch) { return scratch->engine_code; }

void assay_scratch_set_engine_code(assay_scratch *scratch, int32_t code) { scratch->engine_code = code; }

/* The interpreter keeps its frames in the match data and never gives them back (pcre2perform, "STACK AND HEAP USAGE").
   10.42 does not tell how many there are, so after a run that may have needed many, the match data is made anew. */
static void trim_heap(assay_scratch *scratch)
{
    scratch->heap_may_be_large = false;
    pcre2_match_data *fresh = pcre2_match_data_create(1, NULL);
    if (fresh == NULL) return; /* the old one still works */
    pcre2_match_data_free(scratch->match_data);
    scratch->match_data = fresh;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Matching
 * ------------------------------------------------------------------------------------------------------------- */

/* Lengths count as the next multiple of this, so that a column of everyday values sets the limit once. */
#define LIMIT_BLOCK 256u

/* The match limit for values of so many blocks. */
static void set_limit(assay_scratch *scratch, size_t blocks)
{
    uint64_t limit = UINT32_MAX;
    if (blocks <= UINT32_MAX / LIMIT_BLOCK) {
        uint64_t bytes = (uint64_t)blocks * LIMIT_BLOCK;
        limit = scratch->limits.match_base + scratch->limits.match_per_byte * bytes; /* below 2^64 */
    }
    pcre2_set_match_limit(scratch->context, limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX);
    scratch->limit_blocks = blocks;
}

/* No object is so long that this overflows. */
static inline size_t blocks_of(size_t count) { return count / LIMIT_BLOCK + 1; }

static int interpret(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    /* Frames are about 150 bytes and a value costs a few per byte: up to here the first 20 KiB mostly do. */
    if (count > 256) scratch->heap_may_be_large = true;
    return pcre2_match(pattern->code, value, count, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, scratch->match_data,
                       scratch->context);
}

/* What is left of a return code below NOMATCH: a limit, an engine error or, after a retry, a verdict. A fixed stack
   cannot grow, so −46 goes straight to the interpreter, which uses the heap, under the same limits. Never twice: −47
   says that the value costs too much on any engine. */
static int settle(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count, int rc)
{
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT && pattern->interpreter_may_retry) {
        scratch->heap_may_be_large = true;
        rc = interpret(pattern, scratch, value, count);
    }
    if (rc < PCRE2_ERROR_NOMATCH) {
        scratch->heap_may_be_large = true;
        /* A value has one verdict, whichever engine was asked first. */
        automaton_answer answer = AUTOMATON_OPEN;
        if (pattern->automaton != NULL) answer = assay_automaton_value(pattern->automaton, value, count);
        if (answer != AUTOMATON_OPEN) return answer == AUTOMATON_PASS ? MATCHED : PCRE2_ERROR_NOMATCH;
        scratch->engine_code = rc;
    }
    return rc;
}

enum {
    WORDS_WITHOUT = 15,
};

/* Whether a single value of so many bytes is the automaton's. */
static bool asks_automaton_first(const assay_pattern *pattern, size_t count)
{
    if (pattern->automaton == NULL) return false;
    return pattern->jit_size == 0 || assay_automaton_is_fast(pattern->automaton, count);
}

/* By the automaton, where it is the faster one; UNDECIDED: PCRE2 must be asked. */
static inline assay_verdict match_short(const assay_pattern *pattern, const uint8_t *value, size_t count)
{
    if (!asks_automaton_first(pattern, count)) return ASSAY_UNDECIDED;
    const automaton_answer answer = assay_automaton_value(pattern->automaton, value, count);
    if (answer == AUTOMATON_OPEN) return ASSAY_UNDECIDED;
    return answer == AUTOMATON_PASS ? ASSAY_PASS : ASSAY_FAIL;
}

assay_verdict assay_pattern_match_short(const assay_pattern *pattern, const uint8_t *value, size_t count)
{
    return match_short(pattern, value, count);
}

assay_verdict assay_pattern_match(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                  size_t count)
{
    if (count == 0) value = empty_value;
    const assay_verdict quick = match_short(pattern, value, count);
    if (quick != ASSAY_UNDECIDED) return quick;
    if (blocks_of(count) != scratch->limit_blocks) set_limit(scratch, blocks_of(count));
    int rc = pattern->jit_size > 0
                 ? pcre2_jit_match(pattern->code, value, count, 0, 0, scratch->match_data, scratch->context)
                 : interpret(pattern, scratch, value, count);
    if (rc < PCRE2_ERROR_NOMATCH) rc = settle(pattern, scratch, value, count, rc);
    if (scratch->heap_may_be_large) trim_heap(scratch);
    if (rc >= MATCHED) return ASSAY_PASS;
    return rc == PCRE2_ERROR_NOMATCH ? ASSAY_FAIL : ASSAY_UNDECIDED;
}

/* Judges those of 64 values whose bit is in `rows`; all of them if `all`. Here for both engines; `jit` and `all` are
   constants in the three functions below, so that nothing is decided in the loop: it costs what a bare loop over
   pcre2_jit_match costs. */
static inline __attribute__((always_inline)) void judge_rows(const assay_pattern *pattern, assay_scratch *scratch,
                                                             const uint8_t *bytes, const assay_cell *cells,
                                                             uint64_t rows, bool all, bool jit, uint64_t *failed,
                                                             uint64_t *undecided)
{
    const pcre2_code *code = pattern->code;
    pcre2_match_data *match_data = scratch->match_data;
    pcre2_match_context *context = scratch->context;
    size_t blocks = scratch->limit_blocks;
    uint64_t failed_word = 0;
    uint64_t undecided_word = 0;
    for (unsigned bit = 0; all ? bit < 64 : rows != 0; bit++) {
        if (!all) {
            bit = (unsigned)__builtin_ctzll(rows);
            rows &= rows - 1;
        }
        size_t count = cells[bit].length;
        if (__builtin_expect(blocks_of(count) != blocks, 0)) {
            blocks = blocks_of(count);
            set_limit(scratch, blocks);
        }
        int rc = jit ? pcre2_jit_match(code, bytes + cells[bit].start, count, 0, 0, match_data, context)
                     : interpret(pattern, scratch, bytes + cells[bit].start, count);
        /* Below 0 is "failed" until one of the rare codes says otherwise. */
        failed_word |= (uint64_t)(rc < 0) << bit;
        if (__builtin_expect(rc < PCRE2_ERROR_NOMATCH, 0)) {
            rc = settle(pattern, scratch, bytes + cells[bit].start, cells[bit].length, rc);
            failed_word &= ~((uint64_t)(rc != PCRE2_ERROR_NOMATCH) << bit);
            undecided_word |= (uint64_t)(rc < PCRE2_ERROR_NOMATCH) << bit;
        }
    }
    *failed = failed_word;
    *undecided = undecided_word;
}

typedef void judge_word(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *bytes,
                        const assay_cell *cells, uint64_t rows, uint64_t *failed, uint64_t *undecided);

/* Out of line, 64 rows a call: together in one function they would fight for registers, which was measured at 8 %. */
static __attribute__((noinline)) void judge_all_by_jit(const assay_pattern *pattern, assay_scratch *scratch,
                                                       const uint8_t *bytes, const assay_cell *cells, uint64_t rows,
                                                       uint64_t *failed, uint64_t *undecided)
{
    judge_rows(pattern, scratch, bytes, cells, rows, true, true, failed, undecided);
}

static __attribute__((noinline)) void judge_some_by_jit(const assay_pattern *pattern, assay_scratch *scratch,
                                                        const uint8_t *bytes, const assay_cell *cells, uint64_t rows,
                                                        uint64_t *failed, uint64_t *undecided)
{
    judge_rows(pattern, scratch, bytes, cells, rows, false, true, failed, undecided);
}

static __attribute__((noinline)) void judge_by_interpreter(const assay_pattern *pattern, assay_scratch *scratch,
                                                           const uint8_t *bytes, const assay_cell *cells, uint64_t rows,
                                                           uint64_t *failed, uint64_t *undecided)
{
    judge_rows(pattern, scratch, bytes, cells, rows, false, false, failed, undecided);
}

/* Values that were not judged side by side, one by one. Returns those that PCRE2 must judge or, in a column so short that
   the automaton has no tables for it, judges faster. */
static uint64_t judge_open(const assay_pattern *pattern, const uint8_t *bytes, const assay_cell *cells, uint64_t open,
                           bool has_choice, uint64_t *failed)
{
    uint64_t still_open = 0;
    for (; open != 0; open &= open - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(open);
        const size_t count = cells[row].length;
        automaton_answer answer = AUTOMATON_OPEN;
        if (!has_choice || asks_automaton_first(pattern, count)) {
            answer = assay_automaton_value(pattern->automaton, bytes + cells[row].start, count);
        }
        *failed |= (uint64_t)(answer == AUTOMATON_FAIL) << row;
        still_open |= (uint64_t)(answer == AUTOMATON_OPEN) << row;
    }
    return still_open;
}

void assay_pattern_expect_rows(const assay_pattern *pattern, size_t rows)
{
    /* Out of memory: PCRE2 judges. */
    if (pattern->automaton != NULL) assay_automaton_expect_rows(pattern->automaton, rows);
}

/* Some rows of a column: up to ASSAY_AUTOMATON_ROWS, from a multiple of 64 on. */
typedef struct rows_view {
    const uint8_t *bytes;
    const assay_cell *cells;
    size_t count;
    const uint64_t *skip; /* may be NULL */
} rows_view;

/* Rows of word `word` that are to be judged. */
static inline uint64_t rows_of_word(const rows_view *view, size_t word)
{
    const size_t left = view->count - word * 64;
    const uint64_t rows = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    return view->skip == NULL ? rows : rows & ~view->skip[word];
}

/* Judges by the automaton and leaves the rest to PCRE2. Returns how many rows that were. */
static size_t judge_by_automaton(const assay_pattern *pattern, assay_scratch *scratch, const rows_view *view,
                                 judge_word *judge, uint64_t *failed, uint64_t *undecided)
{
    size_t open_rows = 0;
    /* Until the end of the loop, `undecided` has the rows that are open. */
    const bool can_judge_rows = assay_automaton_can_judge_rows(pattern->automaton);
    if (can_judge_rows) {
        assay_automaton_rows(pattern->automaton, view->bytes, view->cells, view->count, view->skip, failed, undecided);
    } else {
        for (size_t word = 0; word * 64 < view->count; word++) {
            failed[word] = 0;
            undecided[word] = rows_of_word(view, word);
        }
    }
    for (size_t word = 0; word * 64 < view->count; word++) {
        uint64_t open = undecided[word];
        if (open == 0) continue;
        const assay_cell *cells = view->cells + word * 64;
        open = judge_open(pattern, view->bytes, cells, open, !can_judge_rows, &failed[word]);
        undecided[word] = 0;
        if (open == 0) continue;
        uint64_t failed_there = 0;
        judge(pattern, scratch, view->bytes, cells, open, &failed_there, &undecided[word]);
        failed[word] |= failed_there;
        open_rows += (size_t)__builtin_popcountll(open);
    }
    return open_rows;
}

void assay_pattern_column(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *bytes,
                          const assay_cell *cells, size_t count, const uint64_t *skip, uint64_t *failed,
                          uint64_t *undecided)
{
    if (bytes == NULL) bytes = empty_value; /* then every cell is empty */
    const bool jit = pattern->jit_size > 0;
    judge_word *judge_all = jit ? judge_all_by_jit : judge_by_interpreter;
    judge_word *judge_some = jit ? judge_some_by_jit : judge_by_interpreter;
    assay_pattern_expect_rows(pattern, count);
    const bool has_automaton = pattern->automaton != NULL;
    /* Where it leaves most rows open the automaton is asked for one word in sixteen, until it does better. */
    bool is_probing = false;
    size_t words_without = has_automaton ? 0 : SIZE_MAX;
    for (size_t row = 0; row < count;) {
        const size_t most = words_without > 0 || is_probing ? 64 : ASSAY_AUTOMATON_ROWS;
        const size_t word = row / 64;
        const rows_view view = {.bytes = bytes,
                                .cells = cells + row,
                                .count = count - row < most ? count - row : most,
                                .skip = skip == NULL ? NULL : skip + word};
        if (words_without > 0) {
            words_without--;
            const uint64_t rows = rows_of_word(&view, 0);
            judge_word *judge = rows == UINT64_MAX ? judge_all : judge_some;
            judge(pattern, scratch, bytes, view.cells, rows, &failed[word], &undecided[word]);
        } else {
            const size_t open =
                judge_by_automaton(pattern, scratch, &view, judge_some, failed + word, undecided + word);
            is_probing = open > view.count / 2 && assay_automaton_can_judge_rows(pattern->automaton);
            if (is_probing) words_without = WORDS_WITHOUT;
        }
        row += view.count;
    }
    if (scratch->heap_may_be_large) trim_heap(scratch);
}

/* ---------------------------------------------------------------------------------------------------------------
 * How far a value matched
 * ------------------------------------------------------------------------------------------------------------- */

enum {
    VIABLE_MAX_BYTES = 4096,      /* no further than this is looked: it is read by a person */
    VIABLE_MATCH_LIMIT = 1000000, /* of about a dozen runs */
    VIABLE_HEAP_KIB = 20480,
};

static bool is_scalar_start(uint8_t byte) { return (byte & 0xC0) != 0x80; }

/* Whether `count` bytes could be the start of a match; *answered becomes false at a limit. */
static bool is_viable(const pcre2_code *code, pcre2_match_data *data, pcre2_match_context *context,
                      const uint8_t *value, size_t count, bool *answered)
{
    if (count == 0) return true; /* PCRE2 gives no partial match that looked at nothing (pcre2partial) */
    int rc = pcre2_match(code, value, count, 0, PCRE2_PARTIAL_HARD | PCRE2_NO_UTF_CHECK, data, context);
    if (rc < PCRE2_ERROR_PARTIAL) *answered = false;
    return rc >= MATCHED || rc == PCRE2_ERROR_PARTIAL;
}

/* The longest viable prefix. If a prefix is viable so is every shorter one, so halving finds it. */
static size_t search_viable(const pcre2_code *code, const uint8_t *value, size_t count)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    bool answered = data != NULL && context != NULL;
    size_t viable = 0;
    size_t unviable = count + 1;
    if (answered) {
        pcre2_set_match_limit(context, VIABLE_MATCH_LIMIT);
        pcre2_set_heap_limit(context, VIABLE_HEAP_KIB);
    }
    while (answered && unviable - viable > 1) {
        size_t middle = viable + (unviable - viable) / 2;
        while (middle > viable && middle < count && !is_scalar_start(value[middle])) middle--;
        if (middle == viable) {
            /* Only one scalar lies between: try its end. */
            middle = viable + 1;
            while (middle < count && !is_scalar_start(value[middle])) middle++;
            if (middle >= unviable) break;
        }
        if (is_viable(code, data, context, value, middle, &answered)) {
            viable = middle;
        } else {
            unviable = middle;
        }
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
    return answered ? viable : SIZE_MAX;
}

size_t assay_pattern_viable_prefix(const uint8_t *text, size_t text_count, uint32_t options, const uint8_t *value,
                                   size_t count)
{
    if ((options & ASSAY_PATTERN_SEARCH) != 0) return SIZE_MAX;
    assay_pattern_facts facts = assay_pattern_read(text, text_count, (options & ASSAY_PATTERN_EXTENDED) != 0);
    /* A look-ahead that reaches the end of the prefix counts as a partial match, whatever the rest of the pattern
       says: `(?=.*\d)[a-z]+` would find all of "abc!" viable. Look-behind and \K make a partial match say other
       things, verbs end matches early, and (?R) would repeat the \z that is added below. An end anchor in the middle
       is "perhaps" to a partial match although nothing can follow it. */
    if (facts.lookaround || facts.keep || facts.verbs || facts.whole_recursion || facts.early_end_anchor) {
        return SIZE_MAX;
    }
    /* The text alone must be a pattern, or parentheses in it could pair with ours. */
    assay_pattern *alone = assay_pattern_create(text, text_count, options | ASSAY_PATTERN_NO_JIT, SIZE_MAX, NULL);
    if (alone == NULL) return SIZE_MAX;
    assay_pattern_free(alone);

    /* Partial matching and ENDANCHORED exclude each other (pcre2api), so \z asks for the end. */
    size_t whole_count = 0;
    uint8_t *whole = wrapped(text, text_count, options, "\\z", &whole_count);
    if (whole == NULL) return SIZE_MAX;
    uint32_t flags = compile_flags(options, &facts) & ~(uint32_t)PCRE2_ENDANCHORED;
    pcre2_code *code = compile(whole, whole_count, flags, SIZE_MAX, NULL);
    free(whole);
    if (code == NULL) return SIZE_MAX;

    size_t looked_at = count;
    if (looked_at > VIABLE_MAX_BYTES) {
        looked_at = VIABLE_MAX_BYTES;
        while (looked_at > 0 && !is_scalar_start(value[looked_at])) looked_at--;
    }
    size_t viable = search_viable(code, value, looked_at);
    pcre2_code_free(code);
    return viable;
}
