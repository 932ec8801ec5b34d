/* The tests and preparations used by builtin_table.c, grouped by file. */
#ifndef ASSAY_BUILTIN_TESTS_H
#define ASSAY_BUILTIN_TESTS_H

#include "Types/Builtin/builtin_definition.h"

/* builtin_network.c */
builtin_prepare builtin_email_prepare, builtin_hostname_prepare, builtin_domain_prepare;
builtin_prepare builtin_mac_prepare;
builtin_test builtin_idn_hostname_test, builtin_ipv4_test, builtin_ipv6_test, builtin_ip_test, builtin_cidr_test;
builtin_reason_finder builtin_email_reason, builtin_hostname_reason, builtin_domain_reason, builtin_ipv4_reason,
    builtin_cidr_reason;

/* builtin_uri.c */
builtin_prepare builtin_uri_prepare, builtin_uri_reference_prepare, builtin_iri_prepare, builtin_iri_reference_prepare;
builtin_prepare builtin_uri_template_prepare, builtin_url_prepare;
builtin_reason_finder builtin_url_reason;
assay_prefilter_confirm builtin_url_confirm;

/* builtin_codes.c */
builtin_prepare builtin_card_prepare, builtin_isbn_prepare, builtin_issn_prepare, builtin_gtin_prepare;
builtin_prepare builtin_iban_prepare, builtin_uuid_prepare, builtin_hash_prepare;
builtin_test builtin_iban_test, builtin_bic_test, builtin_isin_test, builtin_lei_test, builtin_luhn_test;
builtin_reason_finder builtin_card_reason, builtin_iban_reason, builtin_isin_reason, builtin_uuid_reason;

/* builtin_vat.c */
builtin_prepare builtin_vat_prepare;

/* builtin_members.c */
builtin_prepare builtin_postal_prepare;
builtin_test builtin_country_test, builtin_country_3_test, builtin_country_numeric_test, builtin_currency_test;
builtin_test builtin_language_test, builtin_language_tag_test, builtin_zone_test;

/* builtin_time.c */
builtin_prepare builtin_date_prepare, builtin_time_prepare, builtin_datetime_prepare, builtin_duration_prepare;
builtin_test builtin_week_test, builtin_ordinal_test;
builtin_reason_finder builtin_date_reason, builtin_time_reason, builtin_datetime_reason;

/* builtin_numbers.c */
builtin_prepare builtin_integer_prepare, builtin_decimal_prepare, builtin_money_prepare, builtin_percent_prepare;
builtin_test builtin_port_test;
builtin_reason_finder builtin_money_reason, builtin_percent_reason;

/* builtin_encodings.c */
builtin_prepare builtin_base64_prepare, builtin_hex_prepare;
builtin_test builtin_base64url_test, builtin_jwt_test;

/* builtin_json.c */
builtin_prepare builtin_json_prepare;

/* builtin_text.c */
builtin_prepare builtin_password_prepare, builtin_text_prepare, builtin_username_prepare, builtin_semver_prepare;
builtin_test builtin_file_name_test;
builtin_reason_finder builtin_password_reason, builtin_file_name_reason;

/* builtin_regex.c */
builtin_test builtin_regex_test;

/* builtin_ecma.c */
builtin_test builtin_ecma_test;

/* builtin_phone.c */
builtin_prepare builtin_phone_prepare;
builtin_reason_finder builtin_phone_reason;

#endif
