/* The tables of built-in types. Tools/generate-tables.py writes the files table_* that define them. */
#ifndef ASSAY_BUILTIN_TABLES_H
#define ASSAY_BUILTIN_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of words, each with a mark: a hash table with slots that contain places in a blob of (length, mark, bytes), in
   units of 1 << shift; 0: an empty slot. */
typedef struct builtin_words {
    const char *blob;
    const uint16_t *slots;
    uint32_t mask;
    uint16_t shift;
    uint16_t longest; /* bytes of the longest word */
} builtin_words;

extern const builtin_words builtin_zones;     /* marks: 1 zone, 2 link */
extern const builtin_words builtin_passwords; /* looked up in lowercase; all marks are 0 */
/* Subtags of IANA's registry in lowercase; marks: 1 script, 2 variant, 4 extended language after its prefix ("zh-cmn"),
   8 whole tag that was registered before RFC 4646. */
extern const builtin_words builtin_subtags;
/* Currencies with a number of digits after the point other than two; marks: this number. */
extern const builtin_words builtin_currency_digits;

/* The mark of a word, or −1 if the set does not contain it. O(count). */
int builtin_words_find(const builtin_words *words, const uint8_t *bytes, size_t count);

/* The Public Suffix List as a minimal automaton (a DAFSA, as in Chromium and libpsl) that reads names from their last
   byte to their first, so that one pass finds all suffixes of a name. Marks: 1 rule, 2 wildcard below, 4 exception, 8
   private section.

       com   ac.uk   co.uk        (m)─o─c mark 1        (k)─u─.─c─a mark 1
                                                               └─o─c mark 1

   The automaton takes 71 KB; a hash table would take 246 KB. A node begins with a byte: its mark in the low four bits
   (0: no suffix ends here) and its kind in the high four.

       kind 0        no edges
       kind 1-6      1 to 6 edges: their bytes, then the target of each
       kind 7        more edges: their number, their bytes, their targets
       kind 8-15     a chain of 1 to 8 edges with one byte each; the next node follows the bytes

   A target is a number with seven bits per byte, the highest first; all bytes except the last have the bit 0x80. A
   number below 16 is the mark of a node without edges; otherwise it is 16 + the distance from the end of the number to
   the node. */
extern const uint8_t *const builtin_suffixes;

/* A place in the automaton. */
typedef struct builtin_suffix_place {
    const uint8_t *node; /* or the next byte of a chain */
    unsigned chain;      /* the remaining bytes of the chain; 0: `node` is a node */
} builtin_suffix_place;

static inline builtin_suffix_place builtin_suffixes_end(void) { return (builtin_suffix_place){builtin_suffixes, 0}; }

/* Moves past one more byte of the name, toward its start. Returns false if no suffix continues with this byte. */
bool builtin_suffixes_step(builtin_suffix_place *place, uint8_t byte);

/* The mark of the suffix that begins at this place; 0 if there is no such suffix. */
static inline unsigned builtin_suffixes_mark(builtin_suffix_place place)
{
    return place.chain == 0 ? *place.node & 15u : 0;
}

/* One bit per word of two or three capital letters, or per number of three digits. */
extern const uint8_t builtin_countries_2[];
extern const uint8_t builtin_countries_3[];
extern const uint8_t builtin_countries_numeric[];
extern const uint8_t builtin_currencies[];
extern const uint8_t builtin_currencies_numeric[];
extern const uint8_t builtin_languages_2[];
extern const uint8_t builtin_languages_3[];
extern const uint8_t builtin_subtag_languages_2[]; /* IANA's registry */
extern const uint8_t builtin_subtag_languages_3[];
extern const uint8_t builtin_subtag_regions[];
extern const uint8_t builtin_subtag_areas[]; /* UN M.49 */

/* The codes of a country in ISO 3166-1, ordered by the two letters. */
typedef struct builtin_country_code {
    char two_letters[3];
    char three_letters[4];
    char digits[4];
} builtin_country_code;

extern const builtin_country_code builtin_country_codes[];
/* Codes and English names in lowercase and normal form C; marks: the index in builtin_country_codes. */
extern const builtin_words builtin_country_names;

/* Whether a bit set contains a word of `count` letters; ignores case if `folded`. */
bool builtin_letters_find(const uint8_t *set, const uint8_t *bytes, size_t count, bool folded);
bool builtin_digits_find(const uint8_t *set, const uint8_t *bytes, size_t count);

/* Non-ASCII capitals with a lowercase letter that IDNA 2008 allows: each `step`-th scalar from `first` to `last`. */
typedef struct builtin_capitals {
    uint32_t first;
    uint32_t last;
    uint32_t step;
    int32_t to_small; /* the small letter minus the capital */
} builtin_capitals;

extern const builtin_capitals builtin_capital_runs[];
extern const size_t builtin_capital_run_count;

/* The numbering plan of one region. The first plan of a calling code is the main one, which libphonenumber applies to
   numbers with a country code. Patterns match digits; an empty pattern means that the plan has no such digits. */
typedef struct builtin_phone_plan {
    char region[4]; /* "001": no region */
    uint16_t calling_code;
    uint32_t lengths;            /* bit n: n digits are possible in at least one kind below */
    uint32_t general_lengths;    /* bit n: n digits are possible, by libphonenumber's general description */
    uint32_t local_lengths;      /* bit n: n digits are dialled only inside an area */
    const char *national_prefix; /* pattern; dialled before a number inside the region */
    const char *read_prefix;     /* pattern; removed or replaced when a number is read */
    const char *transform;       /* digits before the last group of read_prefix, which they replace; NULL: removed */
    const char *international_prefix; /* pattern; dialled before a country code */
    const char *leading_digits;       /* pattern; empty: any */
    const char *general;              /* pattern of all numbers, looser than the kinds below */
    const char *fixed_line;           /* patterns of the digits after the calling code */
    const char *mobile;
    const char *other_countries;
} builtin_phone_plan;

extern const builtin_phone_plan builtin_phone_plans[]; /* by calling code */
extern const size_t builtin_phone_plan_count;
/* A pattern of numbers in the form of E.164 with an existing country code. */
extern const char *const builtin_phone_form;
/* A pattern of international numbers from which reading never removes a prefix. */
extern const char *const builtin_phone_settled;

/* The index of the first plan of a calling code, or builtin_phone_plan_count. O(log plans). */
size_t builtin_phone_first_plan(unsigned code);

typedef struct builtin_iban_country {
    char country[3];
    uint8_t length;
    bool experimental;     /* in use, but not in the registry of SWIFT */
    const char *structure; /* n digits, a capitals, c either: "n4a2c12" */
} builtin_iban_country;

extern const builtin_iban_country builtin_iban_countries[]; /* by country */
extern const size_t builtin_iban_country_count;
/* By two letters: 1 + the index in builtin_iban_countries; 0: a country without IBANs. */
extern const uint8_t builtin_iban_places[];

typedef struct builtin_postal_code {
    char country[3];
    const char *pattern;
} builtin_postal_code;

extern const builtin_postal_code builtin_postal_codes[]; /* by country */
extern const size_t builtin_postal_code_count;

#endif
