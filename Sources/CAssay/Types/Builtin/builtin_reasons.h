/* What can be wrong with a value of a built-in type, beyond "is not an IBAN". The texts go on behind a colon, hold
   nothing of the value, and are said of types of many kinds. */
#ifndef ASSAY_BUILTIN_REASONS_H
#define ASSAY_BUILTIN_REASONS_H

#define BUILTIN_FLAWS(FLAW)                                                                                            \
    /* What the whole text would pass without. */                                                                      \
    FLAW(LINE_END, "line-end", "it ends in a line break")                                                              \
    FLAW(SPACE_AROUND, "space-around", "white space stands before or after it")                                        \
    FLAW(SEPARATORS, "separators", "spaces, hyphens or dots stand inside, where nothing may")                          \
    FLAW(CAPITALS, "capitals", "it has capital letters where small ones are asked for")                                \
    FLAW(SMALL_LETTERS, "small-letters", "it has small letters where capitals are asked for")                          \
    FLAW(OTHER_DIGITS, "other-digits", "its digits are not the ASCII digits 0 to 9")                                   \
    /* Length and form. */                                                                                             \
    FLAW(EMPTY, "empty", "it is empty")                                                                                \
    FLAW(TOO_SHORT, "too-short", "it is too short")                                                                    \
    FLAW(TOO_LONG, "too-long", "it is too long")                                                                       \
    FLAW(RANGE, "range", "the number is out of range")                                                                 \
    FLAW(PRECISION, "precision", "it has more digits than it may have")                                                \
    FLAW(UNKNOWN, "unknown", "there is none of that name")                                                             \
    /* Codes. */                                                                                                       \
    FLAW(CHECK_DIGITS, "check-digits", "the check digits do not fit the rest")                                         \
    FLAW(COUNTRY, "country", "its country code is none that has them")                                                 \
    FLAW(COUNTRY_LENGTH, "country-length", "its country has them in another length")                                   \
    FLAW(COUNTRY_FORM, "country-form", "its country has digits and letters in other places")                           \
    FLAW(BRAND, "brand", "no known network has numbers of that start and length")                                      \
    FLAW(VERSION, "version", "its version is another")                                                                 \
    FLAW(VARIANT, "variant", "its variant is not that of the IETF")                                                    \
    FLAW(CURRENCY, "currency", "its currency is none")                                                                 \
    FLAW(MINOR_UNITS, "minor-units", "it has more digits after the point than its currency has")                       \
    /* Dates and times. */                                                                                             \
    FLAW(MONTH, "month", "there is no such month")                                                                     \
    FLAW(DAY, "day", "its month has no such day")                                                                      \
    FLAW(LEAP_DAY, "leap-day", "its year is no leap year and has no 29 February")                                      \
    FLAW(YEAR_DAY, "year-day", "its year has no such day")                                                             \
    FLAW(WEEK, "week", "its year has no such week")                                                                    \
    FLAW(HOUR, "hour", "there is no such hour")                                                                        \
    FLAW(MINUTE, "minute", "there is no such minute")                                                                  \
    FLAW(SECOND, "second", "there is no such second")                                                                  \
    FLAW(NO_OFFSET, "no-offset", "the offset from UTC is missing (Z or such as +02:00)")                               \
    FLAW(LEAP_SECOND, "leap-second", "no leap second can be then")                                                     \
    FLAW(NOT_PAST, "not-past", "it is not in the past")                                                                \
    FLAW(NOT_FUTURE, "not-future", "it is not in the future")                                                          \
    FLAW(AGE, "age", "the age is not within the bounds")                                                               \
    /* The network. */                                                                                                 \
    FLAW(NO_AT, "no-at", "there is no @")                                                                              \
    FLAW(NO_LOCAL_PART, "no-local-part", "nothing stands before the @")                                                \
    FLAW(LOCAL_LENGTH, "local-length", "more than 64 bytes stand before the @")                                        \
    FLAW(LOCAL_PART, "local-part", "what stands before the @ has a dot too many or a character it may not have")       \
    FLAW(SINGLE_LABEL, "single-label", "its host name has no dot")                                                     \
    FLAW(EMPTY_LABEL, "empty-label", "its host name is empty, starts or ends with a dot, or has two in a row")         \
    FLAW(LABEL_LENGTH, "label-length", "its host name has more than 63 bytes between dots")                            \
    FLAW(NAME_LENGTH, "name-length", "its host name has more than 253 bytes")                                          \
    FLAW(HYPHEN, "hyphen", "its host name has a hyphen before or after a dot or at an end")                            \
    FLAW(HOST_CHARACTER, "host-character", "its host name has a character that none may have")                         \
    FLAW(IDNA, "idna", "its host name has a part that IDNA 2008 does not allow")                                       \
    FLAW(NUMERIC_NAME, "numeric-name", "its host name ends in a number, as only addresses do")                         \
    FLAW(SUFFIX, "suffix", "it does not stand below a public suffix")                                                  \
    FLAW(SCHEME, "scheme", "it does not start with a scheme that is let through, such as https://")                    \
    FLAW(ADDRESS, "address", "its host is an address")                                                                 \
    FLAW(NOT_ADDRESS, "not-address", "what stands in its brackets is no address")                                      \
    FLAW(NOT_PUBLIC, "not-public", "its host is an address that is not public")                                        \
    FLAW(LOCAL_NAME, "local-name", "its host is a name of the machine itself, such as localhost")                      \
    FLAW(PORT, "port", "its port is not 1 to 65535")                                                                   \
    FLAW(OCTET, "octet", "a number in it is above 255")                                                                \
    FLAW(LEADING_ZERO, "leading-zero", "a number in it has a leading zero")                                            \
    FLAW(PREFIX_LENGTH, "prefix-length", "no slash and prefix length end it")                                          \
    FLAW(PREFIX_RANGE, "prefix-range", "its prefix length is more than an address has bits")                           \
    FLAW(HOST_BITS, "host-bits", "bits are set behind the prefix")                                                     \
    FLAW(PLUS, "plus", "it does not start with + and a country code")                                                  \
    FLAW(PLAN, "plan", "no numbering plan that is asked has such a number")                                            \
    /* Passwords and names. */                                                                                         \
    FLAW(COMMON, "common", "it is among the most common passwords")                                                    \
    FLAW(BLOCKED, "blocked", "it has a word in it that is not allowed")                                                \
    FLAW(NO_KIND, "no-kind", "a kind of character that is asked for is not in it")                                     \
    FLAW(DEVICE, "device", "Windows keeps that name for a device")                                                     \
    FLAW(DOT_END, "dot-end", "it ends in a dot or a space")

typedef enum builtin_flaw {
    FLAW_NONE = 0,
#define BUILTIN_FLAW_NAME(name, key, text) FLAW_##name,
    BUILTIN_FLAWS(BUILTIN_FLAW_NAME)
#undef BUILTIN_FLAW_NAME
} builtin_flaw;

#endif
