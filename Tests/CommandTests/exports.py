"""Tables like the exports of shops, banks, mailing lists and instruments, with the correct description of each column.

test_infer.py compares them with the output of `assay infer`, and Tests/Conformance/guesses.py with the guesses of other
tools. A seeded generator makes the rows. Each description is handwritten and has one of these forms:

    integer, number, boolean, time, text     the type
    number ,   integer .                     the notation: decimal comma, group separator
    date %d.%m.%Y                            the format; without one, ISO 8601
    text email                               an optional format; a guess may omit it
    integer | boolean                        both types are correct
    integer; missing N/A                     a missing value, in addition to the empty text
"""

import csv
import datetime
import random
import re
from typing import NamedTuple


class Column(NamedTuple):
    name: str
    truth: str
    make: object


class Export(NamedTuple):
    name: str
    columns: list
    delimiter: str = ","
    encoding: str = "utf-8"
    rows: int = 500

    def write(self, folder, seed=0):
        """Writes the file. Returns its path and the texts of each column."""
        chance = random.Random(f"{self.name} {seed}")
        rows = [[column.make(chance, n) for column in self.columns] for n in range(self.rows)]
        path = folder / f"{self.name}.csv"
        with open(path, "w", newline="", encoding=self.encoding) as file:
            writer = csv.writer(file, delimiter=self.delimiter)
            writer.writerow([column.name for column in self.columns])
            writer.writerows(rows)
        return path, {column.name: [row[i] for row in rows] for i, column in enumerate(self.columns)}


# --- Value generators -----------------------------------------------------------------------------------------------


def pick(*words):
    return lambda r, n: r.choice(words)


def mostly(common, share, *rare):
    """Replaces this share of the values by rare words."""
    return lambda r, n: r.choice(rare) if r.random() < share else common(r, n)


def some(make, share):
    """Generates a value in this share of the rows, and an empty text in the others."""
    return mostly(make, 1 - share, "")


def integer(minimum, maximum):
    return lambda r, n: str(r.randint(minimum, maximum))


def decimal(minimum, maximum, places=2):
    return lambda r, n: f"{r.uniform(minimum, maximum):.{places}f}"


def grouped(minimum, maximum, places, point=".", group=","):
    swap = str.maketrans({",": group, ".": point})
    return lambda r, n: f"{r.uniform(minimum, maximum):,.{places}f}".translate(swap)


def digits(count, zeros=0.1):
    """A code of `count` digits; a share of `zeros` begins with 0."""
    return lambda r, n: ("0" if r.random() < zeros
                         else r.choice("123456789")) + "".join(r.choices("0123456789", k=count - 1))


def letters(alphabet, count):
    return lambda r, n: "".join(r.choices(alphabet, k=count))


def counted(form, start=1):
    return lambda r, n: form.format(start + n)


def joined(*parts):
    return lambda r, n: "".join(part if isinstance(part, str) else part(r, n) for part in parts)


def when(form, minimum=(2019, 1, 1), days=1900, padded=True):
    start = datetime.datetime(*minimum, tzinfo=datetime.timezone.utc)

    def make(r, n):
        moment = start + datetime.timedelta(days=r.randrange(days), seconds=r.randrange(86_400))
        text = moment.strftime(form)
        return text if padded else "/".join(part.lstrip("0") for part in text.split("/"))

    return make


def early(form):
    """Days from 1 to 12, so that day and month are ambiguous."""
    return lambda r, n: datetime.date(2024, r.randint(3, 12), r.randint(1, 12)).strftime(form)


def with_check_digit(make):
    """A code of digits, followed by its GS1 check digit."""

    def ean(r, n):
        code = make(r, n)
        total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(code)))
        return code + str(-total % 10)

    return ean


def iban(r, n):
    bank = f"{r.randint(10_000_000, 99_999_999)}{r.randint(0, 9_999_999_999):010}"
    return f"DE{98 - int(bank + '131400') % 97:02}{bank}"


FIRST = pick("Anna", "Ben", "Chloé", "Dmitri", "Eve", "Faruk", "Grace", "Håkon", "Ines", "Jörg", "True", "Nan")
LAST = pick("Meyer", "O'Brien", "Null", "Nuñez", "Lee", "de la Cruz", "Ng", "Smith-Jones", "Öztürk", "None",
            "Young", "Na")
CITY = pick("Berlin", "Boston", "São Paulo", "New York", "Paris", "Köln", "Oslo", "Reno")
WORDS = pick("call again", "prefers mail", "moved, see note", "", "wants a copy of the last invoice", "7 days", "ok",
             "2024 plan")
HEX = "0123456789abcdef"
MAIL = joined(pick("anna", "b.lee", "c_o", "d+news", "eve"), integer(1, 99_999), "@",
              pick("example.org", "mail.example.com"))
URL = joined("https://www.example.org/", pick("shop", "blog", "p"), "/", integer(1, 9_999))
IP = joined(integer(1, 223), ".", integer(0, 255), ".", integer(0, 255), ".", integer(1, 254))
ZIP = digits(5, 0.08)
CAPITALS, SMALL = "ABCDEFGHJKLMNPQRSTUVWXYZ", "abcdefghjkmnpqrstuvwxyz"

# --- The exports ---------------------------------------------------------------------------------------------------

EXPORTS = [
    Export("shop_orders", [
        Column("Name", "text", counted("#{}", 1001)),
        Column("Email", "text email", MAIL),
        Column("Financial Status", "text", pick("paid", "paid", "refunded", "pending")),
        Column("Paid at", "datetime %Y-%m-%d %H:%M:%S %z", some(when("%Y-%m-%d %H:%M:%S -0500"), 0.9)),
        Column("Accepts Marketing", "boolean", pick("yes", "no")),
        Column("Currency", "text currency", pick("USD", "EUR", "CAD")),
        Column("Subtotal", "number", decimal(5, 900)),
        Column("Shipping", "number", pick("0.00", "4.95", "9.90")),
        Column("Total", "number", decimal(5, 1900)),
        Column("Discount Code", "text", some(pick("SPRING10", "VIP", "2024", "50OFF"), 0.2)),
        Column("Lineitem quantity", "integer", integer(1, 6)),
        Column("Lineitem name", "text", joined(pick("Mug", "T-Shirt", "Lamp"), " - ", pick("S", "M", "XL"))),
        Column("Lineitem sku", "text", digits(8, 0.2)),
        Column("Lineitem requires shipping", "boolean", pick("true", "false")),
        Column("Billing Zip", "text", joined("'", ZIP)),
        Column("Shipping Zip", "text", ZIP),
        Column("Shipping Country", "text country", pick("US", "CA", "NA", "DE", "FR", "NO", "IT", "ES", "GB", "SE")),
        Column("Phone", "text phone", some(joined("+1", integer(2_000_000_000, 9_899_999_999)), 0.6)),
        Column("Id", "integer", counted("{}", 5_120_000_000_001)),
        Column("Tags", "text", some(pick("gift", "vip, returning", "wholesale"), 0.3)),
    ]),
    Export("card_payments", [
        Column("id", "text", joined("ch_3", letters(HEX + CAPITALS, 20))),
        Column("Created date (UTC)", "datetime %Y-%m-%d %H:%M", when("%Y-%m-%d %H:%M")),
        Column("Amount", "number", grouped(1, 9000, 2)),
        Column("Amount Refunded", "number", mostly(pick("0.00"), 0.05, "12.50", "99.00")),
        Column("Currency", "text", pick("usd", "eur", "gbp")),
        Column("Captured", "boolean", mostly(pick("TRUE"), 0.1, "FALSE")),
        Column("Card Last4", "text", digits(4, 0.1)),
        Column("Card Exp Month", "integer", integer(1, 12)),
        Column("Card Exp Year", "integer | year", integer(2024, 2031)),
        Column("Card Brand", "text", pick("Visa", "MasterCard", "American Express")),
        Column("CVC Check", "text", some(pick("pass", "unavailable", "fail"), 0.8)),
        Column("Customer ID", "text", joined("cus_", letters(SMALL + CAPITALS, 14))),
        Column("Customer Email", "text email", some(MAIL, 0.8)),
        Column("Status", "text", pick("Paid", "Failed", "Refunded")),
        Column("Disputed Amount", "number", some(decimal(5, 99), 0.05)),
        Column("Fingerprint", "text", letters(HEX, 16)),
    ]),
    Export("crm_contacts", [
        Column("Id", "text", joined("003", letters("0123456789" + CAPITALS, 12), "AAQ")),
        Column("FirstName", "text", FIRST),
        Column("LastName", "text", LAST),
        Column("Email", "text email", some(MAIL, 0.95)),
        Column("Phone", "text phone", joined("(", digits(3, 0), ") 555-", digits(4))),
        Column("Fax", "text", some(digits(10, 0), 0.3)),
        Column("MailingState", "text", pick("MA", "NY", "CA", "NV", "TX", "ME")),
        Column("MailingPostalCode", "text", mostly(ZIP, 0.1, "02134-1011", "94105-0011")),
        Column("BillingPostalCode", "text", digits(5, 0)),
        Column("Birthdate", "date %m/%d/%Y", some(when("%m/%d/%Y", (1950, 1, 1), 18_000, padded=False), 0.7)),
        Column("CreatedDate", "datetime %Y-%m-%dT%H:%M:%S.%f%z", when("%Y-%m-%dT%H:%M:%S.000+0000")),
        Column("LastActivityDate", "date", some(when("%Y-%m-%d"), 0.6)),
        Column("DoNotCall", "boolean | integer", pick("0", "0", "0", "1")),
        Column("HasOptedOut", "boolean", pick("false", "false", "true")),
        Column("AnnualRevenue", "number", some(joined(integer(10, 9_000), "000.0"), 0.7)),
        Column("NumberOfEmployees", "integer", some(integer(1, 20_000), 0.8)),
        Column("Description", "text", WORDS),
    ]),
    Export("mailing_list", [
        Column("Email Address", "text email", MAIL),
        Column("MEMBER_RATING", "integer", integer(1, 5)),
        Column("OPTIN_TIME", "datetime %Y-%m-%d %H:%M:%S", some(when("%Y-%m-%d %H:%M:%S"), 0.7)),
        Column("OPTIN_IP", "text ipv4", some(IP, 0.7)),
        Column("LATITUDE", "number", some(decimal(-60, 70, 7), 0.9)),
        Column("LONGITUDE", "number", some(decimal(-180, 180, 7), 0.9)),
        Column("GMTOFF", "integer", integer(-8, 9)),
        Column("TIMEZONE", "text time-zone",
               pick("America/New_York", "Europe/Berlin", "Asia/Tokyo", "America/Sao_Paulo")),
        Column("CC", "text", pick("us", "de", "jp", "no", "na")),
        Column("REGION", "text", pick("ny", "be", "13", "ma", "sp")),
        Column("LEID", "integer", integer(100_000_000, 999_999_999)),
        Column("EUID", "text", letters(HEX, 10)),
        Column("TAGS", "text", some(pick("a,b", "customer", "2023"), 0.4)),
    ]),
    Export("web_events", [
        Column("event_date", "date %Y%m%d", when("%Y%m%d")),
        Column("event_timestamp", "integer", lambda r, n: str(1_709_600_000_000_000 + r.randrange(10**13))),
        Column("event_name", "text", pick("page_view", "scroll", "click", "purchase")),
        Column("user_pseudo_id", "text",
               joined(integer(100_000_000, 2_000_000_000), ".", integer(1_600_000_000, 1_709_000_000))),
        Column("ga_session_id", "integer", integer(1_600_000_000, 1_709_000_000)),
        Column("page_location", "text url", URL),
        Column("engagement_time_msec", "integer", some(integer(1, 90_000), 0.5)),
        Column("value", "number", some(decimal(1, 300), 0.05)),
        Column("geo_country", "text", mostly(pick("Germany", "United States", "Côte d’Ivoire"), 0.05, "(not set)")),
        Column("device", "text", pick("mobile", "desktop", "tablet")),
        Column("is_active_user", "boolean", mostly(pick("true"), 0.03, "false")),
        Column("app_version", "text", pick("1.9", "1.10", "1.11", "2.0", "1.1")),
        Column("gclid", "text", some(letters(HEX + CAPITALS + "-_", 30), 0.2)),
    ]),
    Export("deals", [
        Column("Record ID", "integer", counted("{}", 9_100_300_411)),
        Column("Deal Name", "text", joined(LAST, " ", integer(1, 99))),
        Column("Deal Stage", "text", pick("Closed Won", "Closed Lost", "Appointment Scheduled")),
        Column("Amount", "number", some(mostly(integer(100, 90_000), 0.4, "99.5", "1250.75", "10.1"), 0.9)),
        Column("Close Date", "datetime %Y-%m-%d %H:%M", when("%Y-%m-%d %H:%M")),
        Column("Create Day", "date %m/%d/%Y", when("%m/%d/%Y")),
        Column("Probability", "number", pick("0.2", "0.4", "0.6", "0.8", "1.0")),
        Column("Probability %", "text percent", pick("20%", "40%", "60%", "80%", "12.5%")),
        Column("Is Closed Won", "boolean", pick("Yes", "No")),
        Column("Days to Close", "integer", integer(-30, 400)),
        Column("Company IDs", "text",
               mostly(integer(10**9, 10**10), 0.15, "6012345678;6012345679", "7012345678;7012345670")),
        Column("Owner", "text", FIRST),
        Column("Revenue", "text money", joined("$", grouped(100, 99_000, 2))),
    ]),
    Export("site_users", [
        Column("ID", "integer", counted("{}")),
        Column("user_login", "text", joined(pick("anna", "ben", "chloe", "1", "007"), integer(1, 9_999))),
        Column("user_pass", "text", joined("$P$B", letters(SMALL + CAPITALS + "./", 30))),
        Column("user_email", "text email", MAIL),
        Column("user_url", "text url", some(URL, 0.1)),
        Column("user_registered", "datetime %Y-%m-%d %H:%M:%S", when("%Y-%m-%d %H:%M:%S")),
        Column("user_status", "integer | boolean", pick("0")),
        Column("spam", "boolean | integer", mostly(pick("0"), 0.02, "1")),
        Column("last_login", "integer", some(integer(1_600_000_000, 1_709_000_000), 0.8)),
        Column("locale", "text", some(pick("de_DE", "en_US", "fr_FR"), 0.6)),
        Column("meta", "text", joined("a:1:{s:4:\"", letters(SMALL, 4), "\";i:", integer(1, 9), ";}")),
        Column("prefs", "text json object",
               joined('{"theme": "', pick("dark", "light"), '", "n": ', integer(1, 9), "}")),
        Column("session_token", "text hash", letters(HEX, 64)),
    ]),
    Export("umsaetze", [
        Column("Auftragskonto", "text iban", iban),
        Column("Buchungstag", "date %d.%m.%y", when("%d.%m.%y")),
        Column("Valutadatum", "date %d.%m.%Y", when("%d.%m.%Y")),
        Column("Buchungstext", "text", pick("FOLGELASTSCHRIFT", "GUTSCHR. UEBERWEISUNG", "KARTENZAHLUNG")),
        Column("Verwendungszweck", "text", pick("Miete 03/2024", "Rechnung 4711", "Ökostrom", "Danke")),
        Column("Mandatsreferenz", "text", some(digits(9, 0.15), 0.6)),
        Column("Begünstigter", "text", LAST),
        Column("BIC", "text bic", some(pick("BELADEBEXXX", "COBADEFFXXX", "DEUTDEDB101", "GENODEF1S10"), 0.95)),
        Column("Betrag", "number , .", grouped(-4000, 4000, 2, ",", ".")),
        Column("Saldo", "number , .", grouped(-900, 90_000, 2, ",", ".")),
        Column("Zinssatz", "number ,", pick("1,5", "2,25", "3,0", "0,75")),
        Column("Währung", "text currency", pick("EUR")),
        Column("Umsatznummer", "integer .", grouped(1_000, 90_000, 0, ",", ".")),
        Column("Info", "text", pick("Umsatz gebucht", "Umsatz vorgemerkt")),
    ], ";", "windows-1252"),
    Export("us_bank", [
        Column("Posting Date", "date %m/%d/%Y", when("%m/%d/%Y")),
        Column("Description", "text", pick("ACH DEBIT", "CHECK 1042", "POS PURCHASE, BOSTON", "0000")),
        Column("Amount", "number", grouped(-9_000, 9_000, 2)),
        Column("Balance", "text money", joined("$", grouped(100, 90_000, 2))),
        Column("Type", "text", pick("DEBIT", "CREDIT", "CHECK")),
        Column("Check Number", "integer | text", some(integer(1000, 1999), 0.1)),
        Column("Routing", "text", pick("021000021", "011401533", "091000019", "026009593")),
        Column("Account", "text", joined("000", integer(100_000_000, 999_999_999))),
        Column("Pending", "boolean", pick("Y", "N", "N")),
        Column("Fee", "number; missing -", mostly(decimal(0, 9), 0.3, "-")),
    ]),
    Export("sensors", [
        Column("timestamp", "datetime", when("%Y-%m-%dT%H:%M:%SZ")),
        Column("device", "text", letters(HEX, 4)),
        Column("mac", "text mac", lambda r, n: ":".join(f"{r.randrange(256):02X}" for _ in range(6))),
        Column("temperature", "number; missing NaN", mostly(decimal(-20, 40), 0.03, "NaN")),
        Column("humidity", "integer", integer(20, 99)),
        Column("pressure", "number", decimal(980, 1040, 1)),
        Column("lux", "number", lambda r, n: f"{10 ** r.uniform(-3, 5):.3e}"),
        Column("battery", "text percent", joined(integer(1, 100), "%")),
        Column("firmware", "text semver", joined(integer(1, 3), ".", integer(0, 12), ".", integer(0, 9))),
        Column("alarm", "boolean", mostly(pick("false"), 0.02, "true")),
        Column("raw", "text", joined("0x", letters("0123456789ABCDEF", 4))),
        Column("uptime", "text duration", joined("PT", integer(1, 900), "M")),
        Column("seq", "integer", counted("{}", 0)),
        Column("error", "integer; missing null", mostly(integer(0, 40), 0.5, "null")),
    ]),
    Export("personal", [
        Column("Personalnummer", "text", digits(6, 0.5)),
        Column("Nachname", "text", LAST),
        Column("Geburtsdatum", "date %d.%m.%Y", when("%d.%m.%Y", (1955, 1, 1), 17_000)),
        Column("Eintritt", "date %d.%m.%Y", when("%d.%m.%Y")),
        Column("Austritt", "date %d.%m.%Y", some(when("%d.%m.%Y"), 0.08)),
        Column("Kostenstelle", "integer | text", integer(4100, 4190)),
        Column("Gehalt", "number , .", grouped(24_000, 120_000, 2, ",", ".")),
        Column("Bonus", "integer .", grouped(1_000, 9_999, 0, ",", ".")),
        Column("Wochenstunden", "number ,", pick("38,5", "40", "20", "19,25")),
        Column("Urlaubstage", "integer", pick("28", "30", "24")),
        Column("Schwerbehindert", "boolean", mostly(pick("nein"), 0.06, "ja")),
        Column("Steuer-ID", "text", digits(11, 0.08)),
        Column("SV-Nummer", "text", joined(integer(10, 99), digits(6), pick("A", "M", "S"), digits(3))),
        Column("Telefon", "text phone", joined(pick("030", "040", "0221"), " ", integer(100_000, 9_999_999))),
        Column("PLZ", "text", digits(5, 0.1)),
        Column("Ort", "text", CITY),
        Column("Anteil", "text percent", pick("50 %", "100 %", "75 %")),
    ], ";", "utf-8-sig"),
    Export("dates", [
        Column("iso", "date", when("%Y-%m-%d")),
        Column("us", "date %m/%d/%Y", when("%m/%d/%Y")),
        Column("us_short", "date %m/%d/%y", when("%m/%d/%y")),
        Column("british", "date %d/%m/%Y", when("%d/%m/%Y")),
        Column("early_us", "date %m/%d/%Y | text", early("%m/%d/%Y")),
        Column("early_british", "date %d/%m/%Y | text", early("%d/%m/%Y")),
        Column("long", "date %d %b %Y", when("%d %b %Y")),
        Column("american", "date %B %d, %Y", when("%B %d, %Y")),
        Column("rfc", "datetime %a, %d %b %Y %H:%M:%S %z", when("%a, %d %b %Y %H:%M:%S +0000")),
        Column("zoned", "datetime", when("%Y-%m-%dT%H:%M:%S.250+02:00")),
        Column("am_pm", "datetime %m/%d/%Y %I:%M %p", when("%m/%d/%Y %I:%M %p")),
        Column("clock", "time %H:%M", when("%H:%M")),
        Column("seconds", "time", when("%H:%M:%S")),
        Column("month", "yearmonth | text", when("%Y-%m")),
        Column("week", "text week", when("%G-W%V")),
        Column("year", "integer | year", when("%Y", (1960, 1, 1), 20_000)),
        Column("serial", "integer", integer(43_000, 45_500)),
        Column("open_end", "date", mostly(when("%Y-%m-%d"), 0.3, "9999-12-31")),
        Column("zero", "date; missing 0000-00-00", mostly(when("%Y-%m-%d"), 0.03, "0000-00-00")),
        Column("mixed", "text", lambda r, n: when(r.choice(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y"]))(r, n)),
    ]),
    Export("products", [
        Column("ean", "text ean", with_check_digit(joined(pick("0", "4", "5"), digits(11)))),
        Column("sku", "text", joined(letters(CAPITALS, 3), "-", digits(4))),
        Column("article", "text", letters("0123456789E", 6)),
        Column("price", "text money", joined("€", grouped(1, 2_000, 2))),
        Column("list_price", "number", decimal(1, 99)),
        Column("weight", "text", joined(decimal(0.1, 20, 1), " kg")),
        Column("size", "text", joined(integer(1, 99), "x", integer(1, 99), "x", integer(1, 99))),
        Column("in_stock", "boolean | integer", pick("1", "0")),
        Column("stock", "integer", mostly(integer(0, 400), 0.2, "0")),
        Column("rating", "number", some(decimal(1, 5, 1), 0.7)),
        Column("color", "text hex-color", joined("#", letters(HEX, 6))),
        Column("hs_code", "text", joined(pick("0101", "8471", "9503", "6109"), ".", integer(10, 90))),
        Column("category", "text", joined(pick("Home", "Toys"), " > ", pick("Lamps", "Cars"))),
        Column("vat", "text percent", pick("19 %", "7 %", "0 %")),
        Column("description", "text", pick("Two lines\nof text", 'A "quoted" one', "plain", "1")),
        Column("image", "text url", URL),
        Column("discontinued", "text", some(pick("x"), 0.04)),
    ]),
    Export("survey", [
        Column("respondent", "integer", counted("{}", 100_000)),
        Column("gender", "text", pick("m", "f", "d")),
        Column("age", "integer; missing N/A", mostly(integer(18, 80), 0.04, "N/A")),
        Column("income", "integer", grouped(10_000, 200_000, 0)),
        Column("satisfied", "integer", integer(1, 5)),
        Column("agree", "text", pick("yes", "no", "maybe")),
        Column("consent", "boolean", pick("y", "n")),
        Column("subscribed", "boolean", pick("t", "f")),
        Column("score", "text", joined(integer(1, 9), "/", integer(10, 12))),
        Column("range", "text", joined(integer(1, 9), "-", integer(10, 12))),
        Column("fraction", "text", pick("1/2", "1/3", "3/4")),
        Column("zip3", "text", digits(3, 0.1)),
        Column("household", "text", mostly(integer(1, 6), 0.15, "more than 6")),
        Column("children", "integer; missing -", mostly(integer(0, 4), 0.2, "-")),
        Column("initials", "text", pick("NA", "TF", "YN", "ON")),
        Column("comment", "text", WORDS),
    ]),
    Export("access_log", [
        Column("ip", "text ipv4", IP),
        Column("time", "datetime %d/%b/%Y:%H:%M:%S %z", when("%d/%b/%Y:%H:%M:%S +0100")),
        Column("method", "text", pick("GET", "POST", "HEAD")),
        Column("path", "text", joined("/", pick("shop", "blog"), "/", integer(1, 99))),
        Column("status", "integer", pick("200", "301", "404", "500")),
        Column("bytes", "integer; missing -", mostly(integer(0, 90_000), 0.1, "-")),
        Column("referer", "text url; missing -", mostly(URL, 0.3, "-")),
        Column("request_id", "text uuid", lambda r, n: "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}".format(
            r.getrandbits(32), r.getrandbits(16), r.getrandbits(12), r.getrandbits(12), r.getrandbits(48))),
        Column("commit", "text", letters(HEX, 7)),
        Column("shard", "text", letters("0123456789", 2)),
        Column("seconds", "number", decimal(0, 3, 3)),
        Column("cached", "text", pick("HIT", "MISS", "-")),
    ], "\t"),
    Export("genes", [
        Column("symbol", "text", pick("SEPT2", "MARCH1", "DEC1", "TP53", "NAN", "INS")),
        Column("chromosome", "text", mostly(integer(1, 22), 0.12, "X", "Y", "MT")),
        Column("position", "integer", integer(1, 240_000_000)),
        Column("strand", "text", pick("+", "-")),
        Column("p_value", "number", lambda r, n: f"{10 ** r.uniform(-12, 0):.2e}"),
        Column("clone", "text", joined(digits(7), pick("E", "A", "P"), digits(2))),
        Column("plate", "text", joined(digits(2), "E", digits(2))),
        Column("reads", "integer; missing NA", mostly(integer(0, 4_000), 0.1, "NA")),
        Column("quality", "number; missing .", mostly(decimal(0, 60, 1), 0.02, ".")),
        Column("genotype", "text", pick("0/0", "0/1", "1/1")),
    ], "\t"),
    Export("books", [
        Column("isbn", "text isbn", with_check_digit(joined("978", digits(9)))),
        Column("title", "text",
               joined(pick("The", "A"), " ", pick("Lamp", "Blue Table", "Clock"), ", ", integer(1, 9))),
        Column("author", "text", joined(FIRST, " ", LAST)),
        Column("published", "integer | year", integer(1950, 2024)),
        Column("pages", "integer", integer(80, 900)),
        Column("language", "text language", pick("en", "de", "fr", "es", "it")),
        Column("shelf", "text", joined(pick("A", "B", "C"), integer(10, 99))),
    ]),
    Export("places", [
        Column("id", "integer", counted("{}")),
        Column("place", "text", CITY),
        Column("lat", "number", decimal(-60, 70, 5)),
        Column("lon", "number", decimal(-170, 170, 5)),
        Column("where", "text lat-long", joined(decimal(-60, 70, 4), ", ", decimal(-170, 170, 4))),
        Column("iso3", "text country-alpha3", pick("DEU", "FRA", "ITA", "ESP", "POL", "USA", "CAN", "MEX", "BRA")),
        Column("site", "text hostname two-labels", some(joined("www.", letters(SMALL, 6), ".com"), 0.8)),
        Column("opens", "time %H:%M", pick("09:00", "10:30", "08:15")),
    ]),
    Export("passengers", [
        Column("PassengerId", "integer", counted("{}")),
        Column("Survived", "integer | boolean", pick("0", "1")),
        Column("Pclass", "integer", pick("1", "2", "3")),
        Column("Name", "text", joined(LAST, ", Mr. ", FIRST)),
        Column("Sex", "text", pick("male", "female")),
        Column("Age", "number", some(pick("22", "0.42", "35", "28.5", "4"), 0.8)),
        Column("Ticket", "text", pick("A/5 21171", "PC 17599", "113803", "STON/O2. 3101282")),
        Column("Cabin", "text", some(joined("C", integer(10, 130)), 0.2)),
        Column("Embarked", "text", pick("S", "C", "Q")),
    ]),
    # The following exports were written after `infer`, to test it on tables that it was not developed with.
    Export("factures", [
        Column("Numéro", "text", counted("FA-2024-{:05}")),
        Column("Date", "date %d/%m/%Y", when("%d/%m/%Y")),
        Column("SIREN", "text | integer", digits(9, 0.05)),
        Column("Client", "text", LAST),
        Column("Montant HT", "number , space", grouped(1, 9_000, 2, ",", " ")),
        Column("Code postal", "text", digits(5, 0.12)),
        Column("Payé", "boolean", pick("oui", "non")),
        Column("TVA", "number ,", pick("5,5", "20", "10")),
        Column("Téléphone", "text phone", joined("0", pick("1", "6"), digits(8))),
    ], ";"),
    Export("trips", [
        Column("requested_at", "datetime %m/%d/%Y %H:%M", when("%m/%d/%Y %H:%M")),
        Column("fare", "number", decimal(3, 90)),
        Column("currency_code", "text currency", pick("USD")),
        Column("distance_miles", "number", decimal(0.1, 40)),
        Column("driver_rating", "number", some(decimal(1, 5, 1), 0.8)),
        Column("promo", "text", some(pick("FREE5", "2OFF"), 0.1)),
        Column("surge", "number", pick("1.0", "1.2", "2.5")),
        Column("pickup_lat", "number", decimal(33, 34, 6)),
        Column("canceled", "boolean | integer", pick("0", "0", "1")),
        Column("driver_id", "integer", integer(100_000, 999_999)),
        Column("plate", "text", joined(letters(CAPITALS, 3), digits(4))),
        Column("duration", "time | text", when("%H:%M:%S")),
    ]),
    Export("lab", [
        Column("sample", "text", counted("S{:04}")),
        Column("patient_mrn", "text", digits(8)),
        Column("dob", "date", when("%Y-%m-%d", (1940, 1, 1), 20_000)),
        Column("sex", "text", pick("F", "M", "U")),
        Column("glucose", "number; missing <5.0", mostly(decimal(50, 300, 1), 0.02, "<5.0")),
        Column("icd10", "text", pick("E11.9", "I10", "J45.909", "Z00.0")),
        Column("loinc", "text", pick("2345-7", "718-7", "4548-4")),
        Column("flag", "text", some(pick("H", "L", "HH"), 0.3)),
        Column("collected", "datetime", when("%Y-%m-%dT%H:%M:%S")),
        Column("ndc", "text", joined("0", digits(4, 0), "-", digits(4, 0), "-", digits(2))),
        Column("weight_kg", "number", decimal(40, 120, 1)),
        Column("units", "text", pick("mg/dL", "mmol/L", "%")),
    ]),
    Export("ads", [
        Column("Day", "date", when("%Y-%m-%d")),
        Column("Campaign ID", "integer", integer(10**9, 10**10)),
        Column("Campaign", "text", joined(pick("Brand", "Search"), "_", integer(2019, 2024))),
        Column("Impressions", "integer", grouped(100, 900_000, 0)),
        Column("Clicks", "integer", integer(0, 900)),
        Column("CTR", "text percent", joined(decimal(0, 9), "%")),
        Column("Avg. CPC", "number", decimal(0, 4)),
        Column("Cost", "text money", joined("$", grouped(1, 900, 2))),
        Column("Conv. value", "number; missing --", mostly(decimal(0, 90), 0.3, "--")),
        Column("Final URL", "text url", URL),
        Column("Quality Score", "integer; missing --", mostly(integer(1, 10), 0.2, "--")),
        Column("Device", "text", pick("Mobile", "Desktop")),
        Column("Hour", "integer", integer(0, 23)),
        Column("Keyword", "text", pick("buy lamp", "[lamp]", '"blue lamp"')),
    ]),
]

# --- Grading a guess ------------------------------------------------------------------------------------------------


class Guess(NamedTuple):
    """The guess of a tool about one column. A field is None if the tool does not report it."""

    kind: str
    form: str = None
    minimum: object = None
    missing: object = None


class Truth:
    """The correct facts about a column, from its description above and from its values."""

    def __init__(self, line, texts):
        line, _, missing = line.partition("; missing ")
        self.missing = {"", *missing.split()}
        self.options = [option.split(" ", 1) + [None] for option in line.split(" | ")]
        self.values = [text for text in texts if text not in self.missing]
        self.kind, self.form = self.options[0][:2]

    def minimum(self):
        """The minimum, as a number or an ISO date. None for types without a minimum."""
        if self.kind in ("integer", "number"):
            point, group = self.writing()
            return min(float(text.replace(group, "").replace(point, ".")) for text in self.values)
        if self.kind == "date":
            return min(datetime.datetime.strptime(text, self.form or "%Y-%m-%d")
                       for text in self.values).date().isoformat()
        return None

    def writing(self):
        """The decimal character and the group separator."""
        signs = [" " if sign == "space" else sign for sign in (self.form or "").split()]
        if self.kind == "integer":
            return (",", signs[0]) if signs else (".", ",")
        return signs[0] if signs else ".", signs[1] if len(signs) > 1 else ","

    def evaluate(self, guess):
        """Returns "right", "less" if the guess is true but incomplete, or "false"."""
        if guess.missing is not None and not guess.missing <= self.missing:
            return "false"
        for kind, form, *_ in self.options:
            if guess.kind == kind:
                if not self.agrees(guess, form):
                    return "false"
                return "right" if guess.missing in (None, self.missing) or kind == "text" else "less"
        weaker = [("integer", "number"), ("date", "datetime"), ("yearmonth", "date"), ("boolean", "integer")]
        if any((kind, guess.kind) in weaker for kind, *_ in self.options):
            return "less" if guess.minimum in (None, self.minimum()) else "false"
        is_less = guess.kind == "text" and guess.form is None or self.form == "%Y%m%d" and guess.kind == "integer"
        return "less" if is_less else "false"

    def agrees(self, guess, form):
        """Whether the other facts in a guess of the correct type are true."""
        if guess.kind in ("integer", "number"):
            point, group = self.writing()
            if guess.form and (guess.form[0] != point and guess.kind == "number" or guess.form[1] not in ("", group)):
                return False
        elif guess.form is not None and guess.form != (form or ""):
            return False
        return None in (guess.minimum, self.minimum()) or guess.minimum == self.minimum()


def inferred(rules):
    """The guesses in a rule file from `assay infer`, read line by line."""
    fields, field = {}, None
    for line in rules.splitlines():
        line = re.sub(r"  # .*$", "", line)
        if found := re.match(r"  - name: (.*)", line):
            field = fields.setdefault(unquoted(found[1]), {})
        elif field is not None and (found := re.match(r"    +(\w+): (.+)", line)):
            field[found[1]] = found[2]
    return {name: guess(field) for name, field in fields.items()}


def guess(field):
    kind, form = field.get("type", "text"), field.get("format")
    form = unquoted(form) if form else None if kind == "text" else ""
    missing = {unquoted(text)
               for text in field["missingValues"][1:-1].split(", ")} if "missingValues" in field else {""}
    if kind in ("integer", "number"):
        form = (unquoted(field.get("decimalChar", ".")), unquoted(field.get("groupChar", "")))
    return Guess(kind, form, missing=missing)


def unquoted(text):
    """The text of a YAML scalar in the notation that assay writes."""
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1].replace("''", "'") if is_quoted else text
