#include "Profile/profile_text.h"

#include "Bytes/assay_hash.h"
#include "Bytes/assay_invisible.h"
#include "Bytes/assay_scalars.h"
#include "Profile/profile_classes.h"

#include <stdlib.h>
#include <string.h>

/* The names of HTML 4.01 (section 24), and "apos" of XML, in the order of strcmp(). */
static const char entities[][9] = {
    "AElig",    "Aacute", "Acirc",   "Agrave",  "Alpha",   "Aring",  "Atilde",  "Auml",    "Beta",   "Ccedil",
    "Chi",      "Dagger", "Delta",   "ETH",     "Eacute",  "Ecirc",  "Egrave",  "Epsilon", "Eta",    "Euml",
    "Gamma",    "Iacute", "Icirc",   "Igrave",  "Iota",    "Iuml",   "Kappa",   "Lambda",  "Mu",     "Ntilde",
    "Nu",       "OElig",  "Oacute",  "Ocirc",   "Ograve",  "Omega",  "Omicron", "Oslash",  "Otilde", "Ouml",
    "Phi",      "Pi",     "Prime",   "Psi",     "Rho",     "Scaron", "Sigma",   "THORN",   "Tau",    "Theta",
    "Uacute",   "Ucirc",  "Ugrave",  "Upsilon", "Uuml",    "Xi",     "Yacute",  "Yuml",    "Zeta",   "aacute",
    "acirc",    "acute",  "aelig",   "agrave",  "alefsym", "alpha",  "amp",     "and",     "ang",    "apos",
    "aring",    "asymp",  "atilde",  "auml",    "bdquo",   "beta",   "brvbar",  "bull",    "cap",    "ccedil",
    "cedil",    "cent",   "chi",     "circ",    "clubs",   "cong",   "copy",    "crarr",   "cup",    "curren",
    "dArr",     "dagger", "darr",    "deg",     "delta",   "diams",  "divide",  "eacute",  "ecirc",  "egrave",
    "empty",    "emsp",   "ensp",    "epsilon", "equiv",   "eta",    "eth",     "euml",    "euro",   "exist",
    "fnof",     "forall", "frac12",  "frac14",  "frac34",  "frasl",  "gamma",   "ge",      "gt",     "hArr",
    "harr",     "hearts", "hellip",  "iacute",  "icirc",   "iexcl",  "igrave",  "image",   "infin",  "int",
    "iota",     "iquest", "isin",    "iuml",    "kappa",   "lArr",   "lambda",  "lang",    "laquo",  "larr",
    "lceil",    "ldquo",  "le",      "lfloor",  "lowast",  "loz",    "lrm",     "lsaquo",  "lsquo",  "lt",
    "macr",     "mdash",  "micro",   "middot",  "minus",   "mu",     "nabla",   "nbsp",    "ndash",  "ne",
    "ni",       "not",    "notin",   "nsub",    "ntilde",  "nu",     "oacute",  "ocirc",   "oelig",  "ograve",
    "oline",    "omega",  "omicron", "oplus",   "or",      "ordf",   "ordm",    "oslash",  "otilde", "otimes",
    "ouml",     "para",   "part",    "permil",  "perp",    "phi",    "pi",      "piv",     "plusmn", "pound",
    "prime",    "prod",   "prop",    "psi",     "quot",    "rArr",   "radic",   "rang",    "raquo",  "rarr",
    "rceil",    "rdquo",  "real",    "reg",     "rfloor",  "rho",    "rlm",     "rsaquo",  "rsquo",  "sbquo",
    "scaron",   "sdot",   "sect",    "shy",     "sigma",   "sigmaf", "sim",     "spades",  "sub",    "sube",
    "sum",      "sup",    "sup1",    "sup2",    "sup3",    "supe",   "szlig",   "tau",     "there4", "theta",
    "thetasym", "thinsp", "thorn",   "tilde",   "times",   "trade",  "uArr",    "uacute",  "uarr",   "ucirc",
    "ugrave",   "uml",    "upsih",   "upsilon", "uuml",    "weierp", "xi",      "yacute",  "yen",    "yuml",
    "zeta",     "zwj",    "zwnj",
};
enum { entity_count = sizeof entities / sizeof entities[0], longest_entity = 8 };

static int compare_names(const void *left, const void *right) { return strcmp(left, right); }

static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

static bool is_letter(uint8_t byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

static bool is_hex_digit(uint8_t byte) { return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f'); }

/* Whether a text begins with 1 to `max` digits and a semicolon. */
static bool is_numeric(const uint8_t *text, size_t count, size_t max, bool (*is_of_base)(uint8_t))
{
    size_t digits = 0;
    while (digits < count && digits < max && is_of_base(text[digits])) digits++;
    return digits > 0 && digits < count && text[digits] == ';';
}

bool profile_text_begins_with_entity(const uint8_t *text, size_t count)
{
    /* The greatest character, U+10FFFF, has seven decimal or six hexadecimal digits. */
    if (count < 4 || text[0] != '&') return false;
    if (text[1] == '#' && (text[2] == 'x' || text[2] == 'X')) return is_numeric(text + 3, count - 3, 6, is_hex_digit);
    if (text[1] == '#') return is_numeric(text + 2, count - 2, 7, is_digit);
    char name[longest_entity + 1] = {0};
    size_t length = 0;
    while (length + 1 < count && length < longest_entity &&
           (is_letter(text[length + 1]) || is_digit(text[length + 1]))) {
        name[length] = (char)text[length + 1];
        length++;
    }
    if (length + 1 == count || text[length + 1] != ';') return false;
    return bsearch(name, entities, entity_count, sizeof entities[0], compare_names) != NULL;
}

void profile_text_begin(assay_profile_anomalies *anomalies)
{
    *anomalies = (assay_profile_anomalies){.max_lines_record = UINT64_MAX};
    for (int kind = 0; kind < ASSAY_ANOMALIES; kind++) anomalies->kinds[kind].first_record = UINT64_MAX;
}

/* Whether joiners are a part of correct text after this character: in scripts from Arabic to Malayalam and Sinhala, in
   Myanmar, Khmer, Mongolian, and other scripts of their families; and in sequences of emoji. */
static bool takes_joiner(uint32_t character)
{
    return (character >= 0x600 && character <= 0xDFF) || (character >= 0x1000 && character <= 0x109F) ||
           (character >= 0x1780 && character <= 0x18AF) || (character >= 0x2190 && character <= 0x2BFF) ||
           (character >= 0xA840 && character <= 0xABFF) || (character >= 0xFB50 && character <= 0xFEFC) ||
           (character >= 0x10A00 && character <= 0x11FFF) || (character >= 0x1E900 && character <= 0x1E95F) ||
           (character >= 0x1F000 && character <= 0x1FAFF);
}

/* The kind of anomaly of a character, or ASSAY_ANOMALIES. */
static int kind_of(uint32_t character, uint32_t before)
{
    if (character == 0) return ASSAY_ANOMALY_NUL;
    if (is_control(character)) return character == '\t' ? ASSAY_ANOMALIES : ASSAY_ANOMALY_CONTROL;
    if (character == 0xFFFD) return ASSAY_ANOMALY_REPLACEMENT;
    if (is_no_break_space(character)) return ASSAY_ANOMALY_NO_BREAK;
    if (is_direction_mark(character)) return ASSAY_ANOMALY_DIRECTION;
    if (!is_zero_width(character) || (is_joiner(character) && takes_joiner(before))) return ASSAY_ANOMALIES;
    return ASSAY_ANOMALY_ZERO_WIDTH;
}

/* The number of continuation bytes in eight bytes, which have bit 7 and not bit 6. */
static size_t continuations(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    return (size_t)(((word >> 7 & ~(word >> 6) & ones) * ones) >> 56);
}

profile_text_facts profile_text_read(const uint8_t *value, size_t count)
{
    profile_text_facts facts = {count, false, false};
    size_t at = 0;
    if (count >= 16) {
        profile_sixteen all = profile_load(value + count - 16), rare = profile_rare_leads(all);
        for (size_t block = 0; block + 16 < count; block += 16) {
            const profile_sixteen bytes = profile_load(value + block);
            all &= bytes;
            rare |= profile_rare_leads(bytes);
        }
        facts.has_ascii = profile_any(profile_high_bytes(~all));
        facts.has_rare_lead = profile_any(rare);
        for (; at + 8 <= count; at += 8) facts.scalars -= continuations(assay_hash_load(value + at, 8));
        for (; at < count; at++) facts.scalars -= is_continuation(value[at]);
        return facts;
    }
    for (; at < count; at++) {
        const uint8_t byte = value[at];
        facts.has_rare_lead |= byte == 0xC2 || byte == 0xD8 || byte == 0xE2 || byte == 0xEF;
        facts.scalars -= is_continuation(byte);
        facts.has_ascii |= byte < 0x80;
    }
    return facts;
}

void profile_text_add(assay_profile_anomalies *anomalies, const uint8_t *value, size_t count, uint64_t times,
                      uint64_t record)
{
    uint32_t found = 0; /* a bit for each kind */
    uint64_t lines = 1;
    uint32_t before = 0;
    for (size_t at = 0; at < count;) {
        const uint8_t byte = value[at];
        size_t length = 0;
        const uint32_t character = character_at(value + at, &length);
        if (byte == '\n' || byte == '\r') {
            /* CR and LF together end one line. */
            lines += byte == '\n' || at + 1 == count || value[at + 1] != '\n';
        } else if (byte == '&') {
            if (profile_text_begins_with_entity(value + at, count - at)) found |= 1u << ASSAY_ANOMALY_ENTITY;
        } else if (byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2 || byte == 0xEF) {
            found |= 1u << kind_of(character, before);
        }
        before = character;
        at += length;
    }
    if (lines > 1) found |= 1u << ASSAY_ANOMALY_LINE_BREAK;
    for (found &= (1u << ASSAY_ANOMALIES) - 1; found != 0; found &= found - 1) {
        assay_profile_anomaly *anomaly = &anomalies->kinds[__builtin_ctz(found)];
        anomaly->values += times;
        if (record < anomaly->first_record) anomaly->first_record = record;
    }
    if (lines > 1 &&
        (lines > anomalies->max_lines || (lines == anomalies->max_lines && record < anomalies->max_lines_record))) {
        anomalies->max_lines = lines;
        anomalies->max_lines_record = record;
    }
}

void profile_text_merge(assay_profile_anomalies *into, const assay_profile_anomalies *from)
{
    for (int kind = 0; kind < ASSAY_ANOMALIES; kind++) {
        into->kinds[kind].values += from->kinds[kind].values;
        if (from->kinds[kind].first_record < into->kinds[kind].first_record)
            into->kinds[kind].first_record = from->kinds[kind].first_record;
    }
    if (from->max_lines > into->max_lines ||
        (from->max_lines == into->max_lines && from->max_lines_record < into->max_lines_record)) {
        into->max_lines = from->max_lines;
        into->max_lines_record = from->max_lines_record;
    }
}
