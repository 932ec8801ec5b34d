#include "Types/assay_type.h"

#include "Types/assay_json_text.h"
#include "Types/assay_type_single.h"
#include "assay_error.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Creation
 * ------------------------------------------------------------------------------------------------------------- */

static bool is_text(assay_text text, const char *word)
{
    return text.count == strlen(word) && (text.count == 0 || memcmp(text.bytes, word, text.count) == 0);
}

/* Copies a text to the free end of `*storage`. */
static assay_text stored(uint8_t **storage, assay_text text)
{
    assay_text copy = {*storage, text.count};
    if (text.count > 0) memcpy(*storage, text.bytes, text.count);
    *storage += text.count;
    return copy;
}

/* Whether a text is allowed as a separator. Digits, signs and the letter e are not, because they would make numbers
   ambiguous. */
static bool is_separator(assay_text text)
{
    if (text.count > 16) return false;
    for (size_t i = 0; i < text.count; i++) {
        uint8_t byte = text.bytes[i];
        if ((byte >= '0' && byte <= '9') || byte == '+' || byte == '-' || (byte | 0x20) == 'e') return false;
    }
    return true;
}

static bool make_number(assay_type *type, const assay_type_description *description, assay_error *error)
{
    assay_text point = {(const uint8_t *)"", 0};
    if (type->kind == ASSAY_KIND_NUMBER) {
        point = description->decimal_char.count > 0 ? description->decimal_char : (assay_text){(const uint8_t *)".", 1};
    }
    assay_text group = description->group_char;
    if (!is_separator(point) || !is_separator(group)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                         "decimalChar and groupChar are at most 16 bytes and hold no digit, sign or letter e");
        return false;
    }
    if (point.count > 0 && point.count == group.count && memcmp(point.bytes, group.bytes, point.count) == 0) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "decimalChar and groupChar are the same");
        return false;
    }
    type->storage = malloc(point.count + group.count + 1);
    if (type->storage == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    uint8_t *free_end = type->storage;
    type->style.point = stored(&free_end, point);
    type->style.group = stored(&free_end, group);
    type->style.allow_extra = description->allow_extra;
    return true;
}

static bool make_boolean(assay_type *type, const assay_type_description *description, assay_error *error)
{
    static const assay_text usual_true[] = {{(const uint8_t *)"true", 4},
                                            {(const uint8_t *)"True", 4},
                                            {(const uint8_t *)"TRUE", 4},
                                            {(const uint8_t *)"1", 1}};
    static const assay_text usual_false[] = {{(const uint8_t *)"false", 5},
                                             {(const uint8_t *)"False", 5},
                                             {(const uint8_t *)"FALSE", 5},
                                             {(const uint8_t *)"0", 1}};
    bool has_true = description->true_count > 0;
    bool has_false = description->false_count > 0;
    const assay_text *sources[2] = {has_true ? description->true_values : usual_true,
                                    has_false ? description->false_values : usual_false};
    size_t counts[2] = {has_true ? description->true_count : 4, has_false ? description->false_count : 4};
    size_t bytes = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < counts[side]; i++) bytes += sources[side][i].count;
    }
    type->storage = malloc(bytes + 1);
    type->words = calloc(counts[0] + counts[1], sizeof *type->words);
    if (type->storage == NULL || type->words == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    uint8_t *free_end = type->storage;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < counts[side]; i++) type->words[type->word_count++] = stored(&free_end, sources[side][i]);
    }
    type->true_count = counts[0];
    for (size_t i = 0; i < counts[0]; i++) {
        for (size_t j = counts[0]; j < type->word_count; j++) {
            if (!assay_type_same_text(type->words[i], type->words[j])) continue;
            assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "\"%.*s\" is both true and false",
                             (int)(type->words[i].count < 64 ? type->words[i].count : 64),
                             (const char *)type->words[i].bytes);
            return false;
        }
    }
    return true;
}

static bool make_temporal(assay_type *type, const assay_type_description *description, assay_error *error)
{
    if (description->format.count == 0 || is_text(description->format, "default")) return true;
    if (is_text(description->format, "any")) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                         "format \"any\" would be guessing; write the pattern, such as %%Y-%%m-%%d");
        return false;
    }
    type->format = assay_format_create(description->format, type->kind, error);
    return type->format != NULL;
}

static bool make_list(assay_type *type, const assay_type_description *description, assay_error *error)
{
    switch (description->item_kind) {
    case ASSAY_KIND_STRING:
    case ASSAY_KIND_INTEGER:
    case ASSAY_KIND_NUMBER:
    case ASSAY_KIND_BOOLEAN:
    case ASSAY_KIND_DATE:
    case ASSAY_KIND_TIME:
    case ASSAY_KIND_DATETIME:
        break;
    default:
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                         "the items of a list are string, integer, number, boolean, date, time or datetime");
        return false;
    }
    const assay_text comma = {(const uint8_t *)",", 1};
    const assay_text delimiter = description->delimiter.count > 0 ? description->delimiter : comma;
    if (delimiter.count > 16) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "a delimiter is at most 16 bytes");
        return false;
    }
    type->storage = malloc(delimiter.count);
    if (type->storage == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    uint8_t *free_end = type->storage;
    type->list.delimiter = stored(&free_end, delimiter);
    type->list.item_kind = description->item_kind;
    type->is_json = description->is_json;
    if (description->item_kind == ASSAY_KIND_STRING) return true;
    const assay_type_description item = {.kind = description->item_kind};
    type->item = assay_type_create(&item, error);
    type->list.item = type->item;
    return type->item != NULL;
}

static bool make(assay_type *type, const assay_type_description *description, assay_error *error)
{
    switch (type->kind) {
    case ASSAY_KIND_STRING:
        return true; /* string formats are patterns, which belong to another layer */
    case ASSAY_KIND_INTEGER:
    case ASSAY_KIND_NUMBER:
        return make_number(type, description, error);
    case ASSAY_KIND_BOOLEAN:
        return make_boolean(type, description, error);
    case ASSAY_KIND_DATE:
    case ASSAY_KIND_TIME:
    case ASSAY_KIND_DATETIME:
        return make_temporal(type, description, error);
    case ASSAY_KIND_YEAR:
    case ASSAY_KIND_YEARMONTH:
    case ASSAY_KIND_DURATION:
        if (description->format.count == 0 || is_text(description->format, "default")) return true;
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "a year, yearmonth or duration takes no format");
        return false;
    case ASSAY_KIND_LIST:
    case ASSAY_KIND_ARRAY:
    case ASSAY_KIND_OBJECT:
        if (description->format.count > 0 && !is_text(description->format, "default")) {
            assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "a list, array or object takes no format");
            return false;
        }
        return type->kind != ASSAY_KIND_LIST || make_list(type, description, error);
    }
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "no such kind of type");
    return false;
}

assay_type *assay_type_create(const assay_type_description *description, assay_error *error)
{
    assay_type *type = calloc(1, sizeof *type);
    if (type == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    type->kind = description->kind;
    if (make(type, description, error)) return type;
    assay_type_free(type);
    return NULL;
}

void assay_type_free(assay_type *type)
{
    if (type == NULL) return;
    assay_format_free(type->format);
    assay_type_free(type->item);
    free(type->words);
    free(type->storage);
    free(type);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Reading
 * ------------------------------------------------------------------------------------------------------------- */

assay_kind assay_type_kind(const assay_type *type) { return type->kind; }

const assay_decimal_style *assay_type_style(const assay_type *type) { return &type->style; }

const assay_format *assay_type_format(const assay_type *type) { return type->format; }

static assay_verdict evaluate_json(const assay_type *type, const uint8_t *bytes, size_t count, size_t *members)
{
    const uint8_t opening = assay_json_text_opening(bytes, count);
    if (opening != (type->kind == ASSAY_KIND_ARRAY ? '[' : '{')) return ASSAY_FAIL;
    return assay_json_text_evaluate(bytes, count, members);
}

bool assay_type_has_members(const assay_type *type) { return type->kind >= ASSAY_KIND_LIST; }

assay_verdict assay_type_count_members(const assay_type *type, const uint8_t *bytes, size_t count, size_t *members)
{
    if (type->kind != ASSAY_KIND_LIST) return evaluate_json(type, bytes, count, members);
    return assay_list_evaluate(&type->list, (assay_list_text){bytes, count, type->is_json}, members);
}

assay_verdict assay_type_evaluate(const assay_type *type, const uint8_t *bytes, size_t count)
{
    if (assay_type_has_members(type)) return assay_type_count_members(type, bytes, count, NULL);
    assay_value value;
    return assay_type_parse(type, bytes, count, &value) ? ASSAY_PASS : ASSAY_FAIL;
}

/* Parses a value of a type with members. */
static bool parse_members(const assay_type *type, assay_list_text text, assay_value *value)
{
    *value = (assay_value){.text = text};
    const assay_verdict verdict = type->kind == ASSAY_KIND_LIST ? assay_list_evaluate(&type->list, text, NULL)
                                                                : evaluate_json(type, text.bytes, text.count, NULL);
    return verdict == ASSAY_PASS;
}

bool assay_type_parse(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value)
{
    if (!assay_type_has_members(type)) return assay_type_parse_single(type, bytes, count, value);
    return parse_members(type, (assay_list_text){bytes, count, type->is_json}, value);
}

bool assay_type_parse_written(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value)
{
    if (type->kind != ASSAY_KIND_LIST) return assay_type_parse(type, bytes, count, value);
    return parse_members(type, (assay_list_text){bytes, count, false}, value);
}

assay_status assay_type_visit_items(const assay_type *type, const uint8_t *value, size_t count,
                                    void (*visit)(void *context, const uint8_t *bytes, size_t item_count),
                                    void *context)
{
    if (type->kind != ASSAY_KIND_LIST) return ASSAY_BAD_DESCRIPTION;
    const assay_list_text text = {value, count, type->is_json};
    return assay_list_visit(&type->list, text, visit, context) ? ASSAY_OK : ASSAY_NO_MEMORY;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Comparing
 * ------------------------------------------------------------------------------------------------------------- */

bool assay_type_equal(const assay_type *type, const assay_value *left, const assay_value *right)
{
    return type->kind == ASSAY_KIND_LIST ? assay_list_equal(&type->list, left->text, right->text)
                                         : assay_type_equal_singles(type, left, right);
}

uint64_t assay_type_hash(const assay_type *type, const assay_value *value)
{
    return type->kind == ASSAY_KIND_LIST ? assay_list_hash(&type->list, value->text)
                                         : assay_type_hash_single(type, value);
}
