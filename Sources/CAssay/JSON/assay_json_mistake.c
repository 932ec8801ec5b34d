/* Malformed lines: storing the mistake, and its message. */
#include "JSON/assay_json.h"

const uint8_t *assay_json_fail(assay_json_reader *reader, const uint8_t *place, assay_json_mistake_code code)
{
    reader->mistake = (assay_json_mistake){(uint32_t)(place - reader->bytes), code};
    /* Check open objects without a shape for duplicate names, which is otherwise done when they are closed. */
    for (uint32_t i = reader->depth; i-- > 0;) {
        const json_level *level = &reader->levels[i];
        if (level->shape != 0) continue;
        const uint32_t duplicate = assay_json_find_duplicate(reader, level);
        reader->name_count = level->names;
        if (duplicate < reader->mistake.place) {
            reader->mistake = (assay_json_mistake){duplicate, ASSAY_JSON_DUPLICATE_NAME};
        }
    }
    return NULL;
}

const char *assay_json_mistake_text(assay_json_mistake_code code)
{
    switch (code) {
    case ASSAY_JSON_NO_MISTAKE:
        return "";
    case ASSAY_JSON_BLANK:
        return "is blank";
    case ASSAY_JSON_NOT_OBJECT:
        return "is not a JSON object";
    case ASSAY_JSON_EXPECTED_VALUE:
        return "is not valid JSON: a value is expected";
    case ASSAY_JSON_EXPECTED_NAME:
        return "is not valid JSON: a name in quotes is expected";
    case ASSAY_JSON_EXPECTED_COLON:
        return "is not valid JSON: a colon is expected";
    case ASSAY_JSON_EXPECTED_BRACE:
        return "is not valid JSON: a comma or } is expected";
    case ASSAY_JSON_EXPECTED_BRACKET:
        return "is not valid JSON: a comma or ] is expected";
    case ASSAY_JSON_BAD_ESCAPE:
        return "is not valid JSON: a string has a bad escape";
    case ASSAY_JSON_CONTROL:
        return "is not valid JSON: a string has a control character";
    case ASSAY_JSON_UNCLOSED_STRING:
        return "is not valid JSON: a string is never closed";
    case ASSAY_JSON_BAD_NUMBER:
        return "is not valid JSON: a number is not written as JSON has it";
    case ASSAY_JSON_BAD_LITERAL:
        return "is not valid JSON: a word is not true, false or null";
    case ASSAY_JSON_TOO_DEEP:
        return "is nested deeper than 128 levels";
    case ASSAY_JSON_TEXT_AFTER:
        return "is not valid JSON: text follows the object";
    case ASSAY_JSON_LONE_SURROGATE:
        return "has an escape that is half of a surrogate pair";
    case ASSAY_JSON_DUPLICATE_NAME:
        return "has a name twice in one object";
    }
    return "";
}
