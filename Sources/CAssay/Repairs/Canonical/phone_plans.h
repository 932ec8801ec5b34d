/* Numbering plans, applied as in libphonenumber.
 *
 *     00 49 | 030 901820     international prefix, country code, national prefix, number
 *             0 | 30 901820
 *
 * The first thread that needs the rules of a plan compiles them. */
#ifndef ASSAY_PHONE_PLANS_H
#define ASSAY_PHONE_PLANS_H

#include "Patterns/assay_scratch.h"
#include "Types/Builtin/builtin_tables.h"
#include "assay/core.h"

enum { PHONE_MAX_DIGITS = 32 };

typedef struct phone_digits {
    uint8_t bytes[PHONE_MAX_DIGITS];
    size_t count;
} phone_digits;

/* The compiled rules of the plans used so far. Any number of threads may use one object. */
typedef struct phone_plans phone_plans;

phone_plans *phone_plans_create(assay_error *error);
void phone_plans_free(phone_plans *plans);

/* The index of the plan of a region such as GB, or builtin_phone_plan_count. */
size_t phone_plan_find(assay_text region);

/* Splits a country code from the digits. Returns the index of the main plan of this code, or builtin_phone_plan_count
 * if the digits do not start with a code. */
size_t phone_plan_of_code(const phone_digits *digits, phone_digits *rest);

/* Splits the international prefix of the region of a plan from the digits. Returns false if they do not start with
 * it. */
bool phone_plans_split_international(phone_plans *plans, size_t plan, assay_scratch *scratch,
                                     const phone_digits *digits, phone_digits *rest);

/* Writes the number without a national prefix, or unchanged if it has no such prefix. */
void phone_plans_split_national(phone_plans *plans, size_t plan, assay_scratch *scratch, const phone_digits *digits,
                                phone_digits *number);

/* Whether digits without a plus start with the country code of the region: they are a number of the plan only without
 * the code, or are too long with it. `rest` is the number after the code. */
bool phone_plans_split_own_code(phone_plans *plans, size_t plan, assay_scratch *scratch, const phone_digits *digits,
                                phone_digits *rest);

/* Writes the digits after the country code of the region, if they start with it. */
bool phone_plan_starts_with_code(size_t plan, const phone_digits *digits, phone_digits *rest);

#endif
