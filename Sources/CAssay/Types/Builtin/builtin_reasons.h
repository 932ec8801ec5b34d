/* Reasons why a value of a built-in type fails, in addition to messages such as "is not an IBAN". The texts follow a
   colon and must not contain parts of the value. Several types share a text. */
#ifndef ASSAY_BUILTIN_REASONS_H
#define ASSAY_BUILTIN_REASONS_H

#define BUILTIN_REASONS(REASON)                                                                                        \
    /* Mistakes without which the whole text would pass. */                                                            \
    REASON(LINE_END, "line-end", "it ends in a line break")                                                            \
    REASON(SPACE_AROUND, "space-around", "it begins or ends with white space")                                         \
    REASON(SEPARATORS, "separators", "it has spaces, hyphens or dots in the wrong places")                             \
    REASON(CAPITALS, "capitals", "it has capital letters, but small letters are required")                             \
    REASON(SMALL_LETTERS, "small-letters", "it has small letters, but capital letters are required")                   \
    REASON(OTHER_DIGITS, "other-digits", "its digits are not the ASCII digits 0 to 9")                                 \
    /* Length and form. */                                                                                             \
    REASON(EMPTY, "empty", "it is empty")                                                                              \
    REASON(TOO_SHORT, "too-short", "it is too short")                                                                  \
    REASON(TOO_LONG, "too-long", "it is too long")                                                                     \
    REASON(RANGE, "range", "the number is out of range")                                                               \
    REASON(PRECISION, "precision", "it has more digits than it may have")                                              \
    REASON(UNKNOWN, "unknown", "the name is unknown")                                                                  \
    /* Codes. */                                                                                                       \
    REASON(CHECK_DIGITS, "check-digits", "the check digits do not fit the rest")                                       \
    REASON(COUNTRY, "country", "its country code is unknown")                                                          \
    REASON(COUNTRY_LENGTH, "country-length", "its length is wrong for its country")                                    \
    REASON(COUNTRY_FORM, "country-form", "its digits and letters do not fit its country")                              \
    REASON(BRAND, "brand", "no known network has numbers with this start and length")                                  \
    REASON(VERSION, "version", "it has another version")                                                               \
    REASON(VARIANT, "variant", "its variant is not that of the IETF")                                                  \
    REASON(CURRENCY, "currency", "its currency code is unknown")                                                       \
    REASON(MINOR_UNITS, "minor-units", "it has more digits after the point than its currency has")                     \
    /* Dates and times. */                                                                                             \
    REASON(MONTH, "month", "there is no such month")                                                                   \
    REASON(DAY, "day", "its month has no such day")                                                                    \
    REASON(LEAP_DAY, "leap-day", "its year is no leap year and has no 29 February")                                    \
    REASON(YEAR_DAY, "year-day", "its year has no such day")                                                           \
    REASON(WEEK, "week", "its year has no such week")                                                                  \
    REASON(HOUR, "hour", "there is no such hour")                                                                      \
    REASON(MINUTE, "minute", "there is no such minute")                                                                \
    REASON(SECOND, "second", "there is no such second")                                                                \
    REASON(NO_OFFSET, "no-offset", "the offset from UTC is missing (Z or such as +02:00)")                             \
    REASON(LEAP_SECOND, "leap-second", "no leap second can be then")                                                   \
    REASON(NOT_PAST, "not-past", "it is not in the past")                                                              \
    REASON(NOT_FUTURE, "not-future", "it is not in the future")                                                        \
    REASON(AGE, "age", "the age is not within the bounds")                                                             \
    REASON(AMBIGUOUS, "ambiguous", "it has two readings")                                                              \
    /* The network. */                                                                                                 \
    REASON(NO_AT, "no-at", "there is no @")                                                                            \
    REASON(NO_LOCAL_PART, "no-local-part", "the part before the @ is empty")                                           \
    REASON(LOCAL_LENGTH, "local-length", "the part before the @ has more than 64 bytes")                               \
    REASON(LOCAL_PART, "local-part", "the part before the @ has a misplaced dot or a forbidden character")             \
    REASON(SINGLE_LABEL, "single-label", "its host name has no dot")                                                   \
    REASON(EMPTY_LABEL, "empty-label", "its host name is empty, starts or ends with a dot, or has two in a row")       \
    REASON(LABEL_LENGTH, "label-length", "its host name has more than 63 bytes between dots")                          \
    REASON(NAME_LENGTH, "name-length", "its host name has more than 253 bytes")                                        \
    REASON(HYPHEN, "hyphen", "its host name has a hyphen before or after a dot or at an end")                          \
    REASON(HOST_CHARACTER, "host-character", "its host name has a forbidden character")                                \
    REASON(UNICODE, "unicode", "it has letters outside ASCII, which need the option unicode")                          \
    REASON(IDNA, "idna", "its host name has a part that IDNA 2008 does not allow")                                     \
    REASON(NUMERIC_NAME, "numeric-name", "its host name ends in a number, as only addresses do")                       \
    REASON(SUFFIX, "suffix", "its host name has no public suffix")                                                     \
    REASON(SCHEME, "scheme", "it does not start with an allowed scheme, such as https://")                             \
    REASON(ADDRESS, "address", "its host is an address")                                                               \
    REASON(NOT_ADDRESS, "not-address", "the text in its brackets is not an address")                                   \
    REASON(NOT_PUBLIC, "not-public", "its host is an address that is not public")                                      \
    REASON(LOCAL_NAME, "local-name", "its host is a name of the machine itself, such as localhost")                    \
    REASON(PORT, "port", "its port is not 1 to 65535")                                                                 \
    REASON(OCTET, "octet", "a number in it is above 255")                                                              \
    REASON(LEADING_ZERO, "leading-zero", "a number in it has a leading zero")                                          \
    REASON(PREFIX_LENGTH, "prefix-length", "it does not end with a slash and a prefix length")                         \
    REASON(PREFIX_RANGE, "prefix-range", "its prefix length is more than an address has bits")                         \
    REASON(HOST_BITS, "host-bits", "bits are set after the prefix")                                                    \
    REASON(PLUS, "plus", "it does not start with + and a country code")                                                \
    REASON(PHONE_CHARACTER, "phone-character", "it has a character that is not an ASCII digit or a separator")         \
    REASON(PLAN, "plan", "no allowed numbering plan has such a number")                                                \
    /* Passwords and names. */                                                                                         \
    REASON(COMMON, "common", "it is among the most common passwords")                                                  \
    REASON(BLOCKED, "blocked", "it contains a word that is not allowed")                                               \
    REASON(NO_KIND, "no-kind", "a required kind of character is missing")                                              \
    REASON(DEVICE, "device", "Windows reserves the name for a device")                                                 \
    REASON(DOT_END, "dot-end", "it ends in a dot or a space")

typedef enum builtin_reason {
    REASON_NONE = 0,
#define BUILTIN_REASON_NAME(name, key, text) REASON_##name,
    BUILTIN_REASONS(BUILTIN_REASON_NAME)
#undef BUILTIN_REASON_NAME
} builtin_reason;

#endif
