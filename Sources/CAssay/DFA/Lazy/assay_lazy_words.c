/* Constructs the buckets of a list of words, and searches for the words. */
#include "DFA/Lazy/assay_lazy_words.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 256, /* max bytes of a word */
    HASHED = 4,    /* bytes at the beginning of a word */
    HASH_BITS_MIN = 6,
    HASH_BITS_MAX = 17,
};

typedef struct word {
    const uint8_t *bytes;
    size_t count;
} word;

/* Case-insensitive words are stored in lower case. */
struct lazy_words {
    uint32_t mask; /* mask of the hashed bytes */
    uint32_t fold; /* case bits to set in the hashed bytes, if case is ignored */
    uint32_t shortest;
    uint32_t longest;
    bool is_single;     /* there is one word, in one case */
    uint32_t hash_bits; /* about four buckets for each word */
    uint64_t *is_used;  /* by hash */
    uint32_t *first;    /* by hash: the start of its words */
    word *words;
    uint8_t *bytes;
};

/* ---------------------------------------------------------------------------------------------------------------
 * The words of a pattern
 * ------------------------------------------------------------------------------------------------------------- */

/* The character of a class, in UTF-8. */
typedef struct utf8_character {
    uint8_t bytes[3];
    uint8_t count;  /* 0: the class has not exactly one character, or one above U+FFFF */
    bool is_folded; /* the class has both cases of this ASCII letter */
} utf8_character;

enum { LONG_S = 0x17F, KELVIN = 0x212A }; /* s and k, if case is ignored */

static utf8_character only_character(const assay_character_set *set)
{
    uint32_t found[4] = {0}; /* in ascending order */
    uint32_t count = 0;
    for (uint32_t block = 0; block < character_blocks; block++) {
        for (uint64_t bits = set->blocks[block]; bits != 0; bits &= bits - 1) {
            if (count == 3) return (utf8_character){.count = 0};
            found[count++] = block * block_characters + (uint32_t)__builtin_ctzll(bits);
        }
    }
    if (assay_character_set_reaches_above(set) || count == 0) return (utf8_character){.count = 0};
    const uint32_t first = found[0];
    if (count > 1) {
        const uint32_t third = first == 'S' ? LONG_S : first == 'K' ? KELVIN : 0;
        const bool are_cases =
            first >= 'A' && first <= 'Z' && found[1] == (first | 0x20) && (count == 3 ? found[2] == third : third == 0);
        return (utf8_character){{(uint8_t)(first | 0x20)}, are_cases, true};
    }
    if (first < 0x80) return (utf8_character){{(uint8_t)first}, 1, false};
    const uint8_t last = 0x80 | (first & 0x3F);
    if (first < 0x800) return (utf8_character){{(uint8_t)(0xC0 | first >> 6), last}, 2, false};
    return (utf8_character){{(uint8_t)(0xE0 | first >> 12), (uint8_t)(0x80 | (first >> 6 & 0x3F)), last}, 3, false};
}

typedef struct collector {
    const assay_regex *regex;
    utf8_character characters[regex_classes_max];
    uint8_t *bytes; /* room for three a node */
    size_t used;
    word *words;
    size_t count;
    bool is_folded; /* letters ignore case */
    bool is_exact;  /* letters do not */
} collector;

/* Appends the characters of a node: a class, or a concatenation of classes. `surrounded`: the node is an alternative of
 * a search, with a first and a last child that match anything. */
static bool append_word(collector *in, uint32_t index, bool surrounded)
{
    const regex_node *nodes = in->regex->nodes;
    uint32_t child = nodes[index].kind == REGEX_CONCATENATION ? nodes[index].first_child : index;
    if (surrounded) child = nodes[child].next;
    const size_t from = in->used;
    for (; child != regex_none && !(surrounded && nodes[child].next == regex_none);
         child = child == index ? regex_none : nodes[child].next) {
        if (nodes[child].kind != REGEX_CLASS) return false;
        const utf8_character it = in->characters[nodes[child].label];
        if (it.count == 0) return false;
        const bool is_letter = (it.bytes[0] | 0x20) >= 'a' && (it.bytes[0] | 0x20) <= 'z';
        in->is_folded |= it.is_folded;
        in->is_exact |= is_letter && !it.is_folded;
        memcpy(in->bytes + in->used, it.bytes, it.count);
        in->used += it.count;
    }
    in->words[in->count++] = (word){in->bytes + from, in->used - from};
    return in->used > from && in->used - from <= LONGEST;
}

/* Returns the alternation if the search consists only of one in parentheses; otherwise its root. */
static uint32_t without_parentheses(const assay_regex *regex, uint32_t root, bool *surrounded)
{
    const regex_node *nodes = regex->nodes;
    const uint32_t only = nodes[root].first_child;
    *surrounded = true;
    if (nodes[only].next != regex_none) return root;
    const uint32_t inner = nodes[nodes[only].first_child].next;
    if (nodes[inner].kind != REGEX_ALTERNATION || nodes[nodes[inner].next].next != regex_none) return root;
    *surrounded = false;
    return inner;
}

/* Returns false if the search is not one for words, or if only some letters ignore case. */
static bool collect(collector *in, uint32_t root)
{
    for (uint32_t i = 0; i < in->regex->set_count; i++) in->characters[i] = only_character(in->regex->sets[i]);
    bool surrounded;
    const uint32_t alternatives = without_parentheses(in->regex, root, &surrounded);
    for (uint32_t child = in->regex->nodes[alternatives].first_child; child != regex_none;
         child = in->regex->nodes[child].next) {
        if (!append_word(in, child, surrounded)) return false;
    }
    return !(in->is_folded && in->is_exact);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Buckets
 * ------------------------------------------------------------------------------------------------------------- */

static int by_bytes(const void *one, const void *other)
{
    const word *left = one;
    const word *right = other;
    const int order = memcmp(left->bytes, right->bytes, left->count < right->count ? left->count : right->count);
    if (order != 0) return order;
    return left->count < right->count ? -1 : left->count > right->count;
}

/* Sorts words, and removes those that begin with another word, because the shorter one is found first. */
static size_t without_longer(word *words, size_t count)
{
    qsort(words, count, sizeof *words, by_bytes);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const word *last = kept > 0 ? &words[kept - 1] : NULL;
        const bool begins_alike =
            last != NULL && last->count <= words[i].count && memcmp(last->bytes, words[i].bytes, last->count) == 0;
        if (!begins_alike) words[kept++] = words[i];
    }
    return kept;
}

static uint32_t load(const uint8_t *bytes)
{
    uint32_t loaded;
    memcpy(&loaded, bytes, sizeof loaded);
    return loaded;
}

/* Multiplicative hashing (D. Knuth, The Art of Computer Programming, 6.4). */
static uint32_t hash(const lazy_words *in, uint32_t bytes) { return bytes * 0x9E3779B1u >> (32 - in->hash_bits); }

static uint32_t hash_of(const lazy_words *in, const uint8_t *bytes, size_t count)
{
    uint8_t padded[HASHED] = {0};
    memcpy(padded, bytes, count < HASHED ? count : HASHED);
    return hash(in, (load(padded) | in->fold) & in->mask);
}

/* Sorts the words into their buckets, in which their order remains. */
static void fill(lazy_words *made, const word *words, size_t count)
{
    uint8_t hashed[HASHED] = {0};
    made->shortest = LONGEST;
    for (size_t i = 0; i < count; i++) {
        if (words[i].count < made->shortest) made->shortest = (uint32_t)words[i].count;
        if (words[i].count > made->longest) made->longest = (uint32_t)words[i].count;
    }
    memset(hashed, 0xFF, made->shortest < HASHED ? made->shortest : HASHED);
    made->mask = load(hashed);
    uint32_t *end = made->first + 1; /* of each bucket, counted first */
    for (size_t i = 0; i < count; i++) {
        const uint32_t bucket = hash_of(made, words[i].bytes, words[i].count);
        made->is_used[bucket / 64] |= UINT64_C(1) << (bucket % 64);
        end[bucket]++;
    }
    const uint32_t buckets = 1u << made->hash_bits;
    for (uint32_t bucket = 0; bucket < buckets; bucket++) end[bucket] += made->first[bucket];
    for (size_t i = count; i-- > 0;) made->words[--end[hash_of(made, words[i].bytes, words[i].count)]] = words[i];
    /* Now end[bucket] is the start of the bucket: shift all by one entry. */
    memmove(made->first, made->first + 1, buckets * sizeof *made->first);
    made->first[buckets] = (uint32_t)count;
}

/* Allocates the buckets of `count` words. */
static bool allocate(lazy_words *made, size_t count)
{
    made->hash_bits = HASH_BITS_MIN;
    while (made->hash_bits < HASH_BITS_MAX && count > (size_t)1 << (made->hash_bits - 2)) made->hash_bits++;
    const size_t buckets = (size_t)1 << made->hash_bits;
    made->is_used = calloc(buckets / 64, sizeof *made->is_used);
    made->first = calloc(buckets + 1, sizeof *made->first);
    made->words = malloc(count * sizeof *made->words);
    return made->is_used != NULL && made->first != NULL && made->words != NULL;
}

bool lazy_words_create(const assay_regex *regex, uint32_t root, lazy_words **made)
{
    *made = NULL;
    size_t alternatives = 1;
    for (uint32_t i = 0; i < regex->node_count; i++) alternatives += regex->nodes[i].kind == REGEX_CONCATENATION;
    collector *in = calloc(1, sizeof *in);
    lazy_words *words = calloc(1, sizeof *words);
    bool has_room = in != NULL && words != NULL;
    if (has_room) {
        *in = (collector){.regex = regex, .bytes = malloc(3 * (size_t)regex->node_count + 1)};
        in->words = malloc(alternatives * sizeof *in->words);
        has_room = in->bytes != NULL && in->words != NULL;
    }
    if (has_room && collect(in, root)) {
        const size_t count = without_longer(in->words, in->count);
        has_room = allocate(words, count);
        if (has_room) {
            words->fold = in->is_folded ? 0x20202020 : 0;
            words->is_single = count == 1 && !in->is_folded;
            fill(words, in->words, count);
            words->bytes = in->bytes;
            in->bytes = NULL;
            *made = words;
            words = NULL;
        }
    }
    lazy_words_free(words);
    if (in != NULL) {
        free(in->bytes);
        free(in->words);
    }
    free(in);
    return has_room;
}

void lazy_words_free(lazy_words *words)
{
    if (words == NULL) return;
    free(words->is_used);
    free(words->first);
    free(words->words);
    free(words->bytes);
    free(words);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Searching
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether the text begins with a word of the bucket. No word begins with another one, so only the last of the words
 * that are less than the text or equal to its beginning can match: binary search. */
static bool has_word_at(const lazy_words *in, uint32_t bucket, const uint8_t *at, size_t left)
{
    uint8_t lower[LONGEST];
    if (in->fold != 0) {
        if (left > in->longest) left = in->longest;
        for (size_t i = 0; i < left; i++) lower[i] = at[i] >= 'A' && at[i] <= 'Z' ? at[i] | 0x20 : at[i];
        at = lower;
    }
    uint32_t from = in->first[bucket];
    uint32_t to = in->first[bucket + 1];
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        const word *it = &in->words[middle];
        const int order = memcmp(it->bytes, at, it->count < left ? it->count : left);
        if (order == 0 && it->count <= left) return true;
        if (order < 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return false;
}

bool lazy_words_begin_at(const lazy_words *in, const uint8_t *value, size_t count, size_t at)
{
    const size_t left = count - at;
    if (left < in->shortest) return false;
    const uint8_t *text = value + at;
    if (in->is_single) return memcmp(in->words->bytes, text, in->shortest) == 0;
    const uint32_t bucket = left >= HASHED ? hash(in, (load(text) | in->fold) & in->mask) : hash_of(in, text, left);
    return (in->is_used[bucket / 64] >> (bucket % 64) & 1) != 0 && has_word_at(in, bucket, text, left);
}

bool lazy_words_may_have_other_cases(const lazy_words *in, const uint8_t *value, size_t from, size_t last, size_t count)
{
    if (in->fold == 0) return false;
    const size_t end = count - last > in->longest ? last + in->longest : count;
    for (size_t i = from; i < end; i++) {
        if (value[i] >= 0x80) return true;
    }
    return false;
}

/* Whether a value has one of the two characters beyond ASCII that are cases of ASCII letters: U+017F is C5 BF, U+212A
   is E2 84 AA. */
static bool has_other_cases(const uint8_t *value, size_t count)
{
    for (size_t at = 0; at + 1 < count; at++) {
        if ((value[at] == 0xC5 && value[at + 1] == 0xBF) || (value[at] == 0xE2 && value[at + 1] == 0x84)) return true;
    }
    return false;
}

dfa_answer lazy_words_match(const lazy_words *in, const uint8_t *value, size_t count)
{
    const uint32_t mask = in->mask;
    const uint32_t fold = in->fold;
    size_t at = 0;
    if (fold != 0 && has_other_cases(value, count)) return DFA_UNKNOWN;
    for (; count - at >= HASHED; at++) {
        const uint32_t bucket = hash(in, (load(value + at) | fold) & mask);
        if (__builtin_expect((in->is_used[bucket / 64] >> (bucket % 64) & 1) == 0, 1)) continue;
        if (has_word_at(in, bucket, value + at, count - at)) return DFA_PASS;
    }
    for (; count - at >= in->shortest; at++) {
        if (has_word_at(in, hash_of(in, value + at, count - at), value + at, count - at)) return DFA_PASS;
    }
    return DFA_FAIL;
}
