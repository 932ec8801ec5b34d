#!/usr/bin/env python3
"""Makes the example export in Examples/, and large exports for tests and benchmarks.

    python3 Scripts/make-example.py                       Examples/users.csv, for Examples/users.rules.yaml
    python3 Scripts/make-example.py --rows 1000000 --bad 6 --columns ten --output /tmp/export.csv
                                                          240 MB, for Benchmarks/export.rules.yaml

Equal arguments produce equal bytes. The script prints the expected result as JSON, because it knows the spoilt rows:
records, clean, rejected, malformed records, and the count of findings per rule. Tests and benchmarks compare their
results with it.

All people, numbers and addresses are fictitious; the domains are reserved by RFC 2606.
"""

import argparse
import collections
import json
import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Dice:
    """Random choices that are equal in all Python versions. Uses only `random()`, because only its values are
    stable."""

    def __init__(self, seed):
        self._random = random.Random(seed).random

    def chance(self, share):
        return self._random() < share

    def below(self, count):
        return int(self._random() * count)

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def pick(self, values):
        return values[self.below(len(values))]

    def digits(self, count):
        return "".join(str(self.below(10)) for _ in range(count))

    def hex(self, count):
        return "".join("0123456789abcdef"[self.below(16)] for _ in range(count))

    def shuffled(self, values):
        values = list(values)
        for i in range(len(values) - 1, 0, -1):
            j = self.below(i + 1)
            values[i], values[j] = values[j], values[i]
        return values


class Expectation:
    """The expected result for a file."""

    def __init__(self):
        self.records = 0
        self.rejected = 0
        self.structure = collections.Counter(fields=0, quote=0, tooLong=0, encoding=0, blank=0)
        # Counts of values that break a rule, by rule id. Rules with `warn` reject no records.
        self.rules = collections.Counter()
        self.warnings = collections.Counter()
        # Messages of findings, if they are known.
        self.messages = collections.Counter()

    def add(self, reason, warnings=(), message=None, times=1):
        """Counts a record; `reason` is the rule it breaks, or "structure.…", or None for a clean record."""
        self.records += times
        if reason is not None:
            self.rejected += times
            if reason == "encoding":
                self.structure["encoding"] += times
                return
            if reason.startswith("structure."):
                self.structure[reason.removeprefix("structure.")] += times
                return
            self.rules[reason] += times
            if message is not None:
                self.messages[message] += times
        self.warnings.update(warnings)

    def json(self, path, size):
        return json.dumps({
            "path": path, "bytes": size, "records": self.records, "clean": self.records - self.rejected,
            "rejected": self.rejected, "structure": dict(self.structure), "rules": dict(sorted(self.rules.items())),
            "warnings": dict(sorted(self.warnings.items())), "messages": dict(sorted(self.messages.items())),
        }, indent=2)


# ---------------------------------------------------------------------------------------------------------------------
# People
# ---------------------------------------------------------------------------------------------------------------------

# country, prefix of phone numbers, given names, family names; each name with its ASCII spelling.
PEOPLES = [
    ("US", "+1202555", "Grace=grace James=james Maya=maya Owen=owen Zoe=zoe",
     "Carter=carter Nguyen=nguyen Brooks=brooks O'Neill=oneill"),
    ("GB", "+447700900", "Alice=alice Harry=harry Imogen=imogen Rhys=rhys",
     "Ashworth=ashworth Smith-Jones=smith.jones Llewellyn=llewellyn"),
    ("DE", "+4930555", "Jürgen=juergen Anneliese=anneliese Käthe=kaethe Jörg=joerg",
     "Müller=mueller Weiß=weiss Schröder=schroeder Groß=gross"),
    ("FR", "+33199005", "Élodie=elodie François=francois Zoé=zoe Noël=noel",
     "Lefèvre=lefevre D’Arcy=darcy Béranger=beranger"),
    ("ES", "+34910555", "Iñaki=inaki Lucía=lucia Ángel=angel", "Núñez=nunez García=garcia Peña=pena"),
    ("PT", "+351210555", "João=joao Inês=ines Conceição=conceicao", "Gonçalves=goncalves Simões=simoes"),
    ("IS", "+354555", "Þórunn=thorunn Björk=bjork Ævar=aevar", "Guðmundsdóttir=gudmundsdottir Sigurðsson=sigurdsson"),
    ("NO", "+4721555", "Bjørn=bjorn Åse=ase Sølvi=solvi", "Ødegård=odegard Bråten=braten"),
    ("PL", "+4822555", "Łukasz=lukasz Małgorzata=malgorzata Zdzisław=zdzislaw",
     "Żółkiewski=zolkiewski Wiśniewska=wisniewska"),
    ("CZ", "+420210555", "Jiří=jiri Šárka=sarka", "Dvořák=dvorak Černá=cerna"),
    ("TR", "+90212555", "Çağla=cagla İbrahim=ibrahim Işıl=isil", "Yıldız=yildiz Öztürk=ozturk Şahin=sahin"),
    ("GR", "+30210555", "Ελένη=eleni Γιώργος=giorgos Δήμητρα=dimitra", "Παπαδόπουλος=papadopoulos Ιωάννου=ioannou"),
    ("UA", "+38044555", "Олена=olena Тарас=taras Їжак=yizhak", "Шевченко=shevchenko Ґалаґан=galagan"),
    ("BG", "+3592555", "Йордан=yordan Цветана=tsvetana", "Петков=petkov Ангелова=angelova"),
    ("AM", "+37410555", "Անահիտ=anahit Տիգրան=tigran", "Սարգսյան=sargsyan Պետրոսյան=petrosyan"),
    ("GE", "+995322555", "თამარ=tamar გიორგი=giorgi", "ბერიძე=beridze კაპანაძე=kapanadze"),
    ("IL", "+97225555", "נועה=noa איתן=eitan", "כהן=cohen לוי=levi"),
    ("EG", "+2022555", "فاطمة=fatima أحمد=ahmed مريم=mariam", "المصري=elmasri حسن=hassan"),
    ("IR", "+9821555", "زهرا=zahra کیان=kian", "احمدی=ahmadi رضایی=rezaei"),
    ("IN", "+9111555", "प्रिया=priya राहुल=rahul अनुष्का=anushka", "शर्मा=sharma कुलकर्णी=kulkarni"),
    ("LK", "+94115550", "தமிழ்=tamil கவிதா=kavitha", "செல்வன்=selvan பிரியா=priya"),
    ("TH", "+662555", "สมชาย=somchai กัญญา=kanya", "ศรีสุข=srisuk แก้วใส=kaewsai"),
    ("VN", "+8424555", "Thị Hương=huong Văn Đức=duc", "Nguyễn=nguyen Trần=tran Đặng=dang"),
    ("CN", "+8610555", "小明=xiaoming 丽=li 国强=guoqiang", "王=wang 欧阳=ouyang 李=li"),
    ("JP", "+813555", "さくら=sakura 健太=kenta ユウキ=yuki", "佐藤=sato 山﨑=yamazaki 髙橋=takahashi"),
    ("KR", "+822555", "지민=jimin 서연=seoyeon", "김=kim 박=park"),
    ("ET", "+25111555", "ሰላም=selam አበበ=abebe", "ተስፋዬ=tesfaye ገብሬ=gebre"),
    ("NG", "+2341555", "Ọláolú=olaolu Chiámaka=chiamaka", "Adébáyọ̀=adebayo Ńwọkọ́=nwoko"),
    ("AU", "+61255500", "Kylie=kylie Lachlan=lachlan", "Murray=murray O’Shea=oshea"),
]
WRITTEN_FAMILY_FIRST = {"CN", "JP", "KR", "VN"}
DOMAINS = ["example.org", "example.com", "example.net", "mail.example.org", "uni.example.net"]


def read_people():
    def words(text):
        # "Thị Hương=huong Văn Đức=duc": names may contain spaces, ASCII spellings must not.
        names, rest = [], text
        while rest:
            name, rest = rest.split("=", 1)
            ascii_name, _, rest = rest.partition(" ")
            names.append((name, ascii_name))
        return names

    return [(country, phone, words(given), words(family)) for country, phone, given, family in PEOPLES]


# ---------------------------------------------------------------------------------------------------------------------
# The export that ships: twelve columns, for Examples/users.rules.yaml
# ---------------------------------------------------------------------------------------------------------------------

USER_COLUMNS = ["id", "uuid", "email", "full_name", "phone", "country", "birth_date", "signup_at", "plan", "balance",
                "website", "notes"]

NOTES = [
    "Prefers to be called after 5 pm.",
    "Moved, see ticket 4812",
    'Asked for the "family" discount twice.',
    "VIP, handle with care",
    "Line one of the address\nLine two of the address\nLine three",
    'Said: "No, thank you."\nWill call back.',
    "Bonjour, je préfère être contacté par courriel.",
    "Überweisung erhalten; Danke schön!",
    "請於週五之前回覆。",
    "Просит прислать счёт по почте",
    "🎉 Tenth year with us 🎉",
    "اتصل به صباحًا",
    "Windows\r\nline endings, pasted from a form",
    "5\" disk shipped 1998, lost",
    "TODO: merge with the old account",
    "=SUM(A1:A9) is only text here",
    "a;b|c\td",
]

# The broken rule, the column, and its invalid values. A callable receives the row.
SPOILT_CELLS = [
    ("id.required", "id", [""]),
    ("id.type", "id", ["12a", "1,5", "0x1F", "twelve"]),
    ("id.minimum", "id", ["0", "-7"]),
    ("uuid.required", "uuid", [""]),
    ("uuid.format", "uuid", [
        lambda row: row["uuid"][:-1], lambda row: row["uuid"].replace("-", ""), lambda row: "g" + row["uuid"][1:],
        lambda row: row["uuid"] + "\n"]),
    ("email.required", "email", ["", "n/a"]),
    ("email.format", "email", [
        lambda row: row["email"].replace("@", " at "), lambda row: row["email"].replace("@", "@@"),
        lambda row: row["email"] + ".", lambda row: "ann..lee@example.org", lambda row: row["email"] + "\n",
        lambda row: " " + row["email"], lambda row: "mailto:" + row["email"] + ">", lambda row: "root@localhost",
        lambda row: "a" * 65 + "@example.org", lambda row: row["email"].replace("example", "exa_mple")]),
    ("full_name.required", "full_name", [""]),
    ("full_name.pattern", "full_name", [
        lambda row: row["full_name"] + " ", lambda row: row["full_name"] + "3", "<b>Bob</b>", "Robert'); DROP TABLE",
        "name@example.org", lambda row: row["full_name"].replace(" ", "  "), "\u200bInvisible Start"]),
    ("full_name.maxLength", "full_name", [lambda row: " ".join(["Hubert Blaine"] * 8), "अ" * 81]),
    ("phone.pattern", "phone", ["555-1234", "(030) 123456", "+0123456789", "+1 202 555 0100", "tel:+12025550100"]),
    ("phone.uk-length", "phone", ["+44770090012", "+4477009001234"]),
    ("country.enum", "country", ["XX", "uk", "Germany", "DE ", "no"]),
    ("birth_date.type", "birth_date", [
        "1990-02-30", "2023-02-29", "1900-02-29", "31/12/1999", "1990-13-01", "1990-1-1", "1990-06-31", "unknown",
        "1990-06-30\n", "19900630"]),
    ("birth_date.minimum", "birth_date", ["1850-01-01", "0001-01-01"]),
    ("birth_date.maximum", "birth_date", ["2091-05-05", "2014-01-01"]),
    ("signup_at.required", "signup_at", [""]),
    ("signup_at.type", "signup_at", [
        "2024-05-05 10:00:00Z", "2024-05-05T25:00:00Z", "2024-05-05T23:59:60Z", "2024-02-30T10:00:00Z", "yesterday",
        "1714903200", "2024-05-05T10:00:00+0200"]),
    ("signup_at.minimum", "signup_at", ["2014-12-31T23:59:59Z", "2015-01-01T00:30:00+01:00"]),
    ("signup_at.exclusiveMaximum", "signup_at", ["2027-01-01T00:00:00Z", "2031-03-03T03:03:03Z"]),
    ("plan.required", "plan", [""]),
    ("plan.enum", "plan", ["Free", "gold", "free\n", "team "]),
    ("balance.type", "balance", ["12,50", "1.234,50", "12 EUR", "--5", "$5", "NaN5"]),
    ("balance.cents", "balance", ["12.345", "1e3", "-0.001"]),
    ("balance.maximum", "balance", ["1000000.01", "99999999999999999999999999.00"]),
    ("website.format", "website",
     ["www.example.org", "https://exam ple.org/", "//example.org/x", "https://example.org/a%zz"]),
    ("website.public", "website", [
        "ftp://example.org/pub", "http://localhost:8080/", "https://127.0.0.1/admin", "http://192.168.0.12/",
        # A backtracking matcher tries every way to cut this into labels: 2 to the power of 60 without a limit.
        "https://" + "a" * 60 + "!"]),
    ("notes.card-number", "notes", ["Card 4111 1111 1111 1111", "IBAN? 4000-0566-5566-5556, asked twice"]),
    ("notes.maxLength", "notes", ["blah " * 90, "ё" * 401]),
]

# Malformed records: the change to the finished line, without its terminator.
SPOILT_LINES = [
    ("structure.fields", lambda line: line.rsplit(b",", 1)[0]),
    ("structure.fields", lambda line: line + b",one more"),
    ("structure.blank", lambda line: b""),
    ("structure.fields", lambda line: b"Total users exported: 4000"),
    ("structure.quote", lambda line: b'"' + line.replace(b",", b'"!,', 1)),
    ("encoding", lambda line: line.replace(b",", b",J\xfcrgen ", 1)),
    ("encoding", lambda line: line.replace(b",", b",\xed\xa0\x80", 1)),
]


def quoted(text, always=False):
    """Quotes a cell as in RFC 4180. Doubles every quote, as writers do, although only a leading quote is ambiguous."""
    if always or any(byte in text for byte in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def make_user(dice, people, number):
    country, phone, given, family = dice.pick(people)
    (first, ascii_first), (last, ascii_last) = dice.pick(given), dice.pick(family)
    name = f"{last} {first}" if country in WRITTEN_FAMILY_FIRST else f"{first} {last}"
    if dice.chance(0.03):
        name = f"{last}, {first}"
    elif dice.chance(0.02):
        name = f"Dr. {name} Jr."
    email = f"{ascii_first}{dice.pick(['.', '_', '', '-'])}{ascii_last}{number}@{dice.pick(DOMAINS)}"
    if dice.chance(0.02):
        email = email[0].upper() + email[1:]
    signup = "{}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}".format(
        dice.between(2016, 2025), dice.between(1, 12), dice.between(1, 28), dice.below(24), dice.below(60),
        dice.below(60), dice.pick(["", "", "." + dice.digits(3)]), dice.pick(["Z", "Z", "+02:00", "-05:00", "+05:30"]))
    return {
        "id": str(number),
        "uuid": f"{dice.hex(8)}-{dice.hex(4)}-4{dice.hex(3)}-{dice.pick('89ab')}{dice.hex(3)}-{dice.hex(12)}",
        "email": email,
        "full_name": name,
        "phone": "" if dice.chance(0.2) else phone + dice.digits(13 - len(phone) if country == "GB" else 4),
        "country": country,
        "birth_date": dice.pick(["", "n/a"]) if dice.chance(0.1) else
            f"{dice.between(1930, 2012)}-{dice.between(1, 12):02}-{dice.between(1, 28):02}",
        "signup_at": signup,
        "plan": dice.pick(["free", "free", "free", "plus", "team"]),
        "balance": "" if dice.chance(0.05) else
            f"{'-' if dice.chance(0.1) else ''}{dice.below(10 ** dice.between(1, 5))}.{dice.digits(2)}",
        "website": "" if dice.chance(0.5) else
            f"https://{dice.pick(['', 'www.', 'blog.'])}{ascii_last}.{dice.pick(DOMAINS)}/"
            f"{dice.pick(['', 'about', 'cv?lang=en'])}",
        "notes": dice.pick(NOTES) if dice.chance(0.4) else "",
    }


def user_warnings(row, spoilt):
    """Yields the `warn` rules that a row breaks; other rules skip a value that fails its type."""
    if spoilt != "email" and any("A" <= letter <= "Z" for letter in row["email"]):
        yield "email.lower-case"
    if "TODO" in row["notes"]:
        yield "notes.todo"


def make_users(path, rows, bad, seed):
    dice = Dice(seed)
    people = read_people()
    # The list of all errors, which the loop below repeats in shuffled order.
    cells = [(reason, column, value) for reason, column, values in SPOILT_CELLS for value in values]
    kinds = dice.shuffled(cells + [(reason, None, change) for reason, change in SPOILT_LINES])
    expectation = Expectation()
    spoilt = 0
    with open(path, "wb") as file:
        file.write((",".join(USER_COLUMNS) + "\n").encode())
        for number in range(1, rows + 1):
            row = make_user(dice, people, number)
            reason, column, change = None, None, None
            # Scatter the requested share of bad rows, but keep the first lines clean.
            if spoilt < int(rows * bad / 100) and number > min(8, rows // 2):
                left = rows - number + 1
                if dice.below(left) < int(rows * bad / 100) - spoilt:
                    reason, column, change = kinds[spoilt % len(kinds)]
                    spoilt += 1
            if column is not None:
                if reason == "phone.uk-length":
                    row["country"] = "GB"
                row[column] = change(row) if callable(change) else change
            texts = [quoted(row[name], always=dice.chance(0.02)) for name in USER_COLUMNS]
            line = ",".join(texts).encode()
            if reason is not None and column is None:
                # Line changes count commas, so the line must have no quoted cells.
                line = ",".join(quoted(row[name]) for name in USER_COLUMNS[:3]).encode()
                line += b",Anna Lee,,DE,,2020-02-02T02:02:02Z,free,1.00,,"
                line = change(line)
            expectation.add(reason, [] if reason and column is None else user_warnings(row, column))
            # Most lines end in LF, and a part in CRLF, as after an edit on Windows.
            file.write(line + (b"\r\n" if rows // 2 <= number < rows // 2 + rows // 20 else b"\n"))
    return expectation


# ---------------------------------------------------------------------------------------------------------------------
# The exports of the benchmarks, for Benchmarks/export.rules.yaml and Benchmarks/types.rules.yaml
# ---------------------------------------------------------------------------------------------------------------------

BLOCK_ROWS = 5_000

# The error of a row: the rule that it breaks, the column and its value or the change of its line, and the message of
# the finding if the rule has several.
Spoilt = collections.namedtuple("Spoilt", "reason column change message", defaults=[None])

# An export: its columns; a function that makes a row as bytes, with the placeholders %012x and %07d for the row number;
# the errors of values and lines.
Export = collections.namedtuple("Export", "columns make_row values lines", defaults=[[]])


def make_ten_row(dice, people):
    country, phone, given, family = dice.pick(people)
    if dice.chance(0.8):
        country, phone, given, family = people[dice.below(2)]
    (first, ascii_first), (last, ascii_last) = dice.pick(given), dice.pick(family)
    name = quoted(f"{last}, {first}") if dice.chance(0.08) else f"{first} {last}"
    if dice.chance(0.02):
        name = quoted(f'{first} "{first[:1]}" {last}')
    return {
        "email": f"{ascii_first}.{ascii_last}%07d@{dice.pick(DOMAINS)}",
        "phone": phone + dice.digits(4),
        "url": "https://www.{}.example.{}/{}/{}/%07d?ref={}&from={}".format(
            ascii_last, dice.pick(["org", "com", "net"]), dice.pick(["users", "profiles", "members"]), ascii_first,
            dice.hex(6), dice.pick(["spring", "mail", "none"])),
        "uuid": f"{dice.hex(8)}-{dice.hex(4)}-4{dice.hex(3)}-{dice.pick('89ab')}{dice.hex(3)}-%012x",
        "date": f"{dice.between(1950, 2024)}-{dice.between(1, 12):02}-{dice.between(1, 28):02}",
        "timestamp": "{}-{:02}-{:02}T{:02}:{:02}:{:02}.{}{}".format(
            dice.between(2015, 2025), dice.between(1, 12), dice.between(1, 28), dice.below(24), dice.below(60),
            dice.below(60), dice.digits(3), dice.pick(["Z", "+02:00"])),
        "ipv4": ".".join(str(dice.below(256)) for _ in range(4)),
        "country": country,
        "name": name,
        "amount": f"{'-' if dice.chance(0.1) else ''}{dice.below(10 ** dice.between(2, 6))}.{dice.digits(2)}",
    }


TEN = Export(
    ["email", "phone", "url", "uuid", "date", "timestamp", "ipv4", "country", "name", "amount"], make_ten_row,
    [Spoilt(*kind) for kind in [
        ("email.pattern", "email", "anna.lee.example.org"), ("email.pattern", "email", "anna lee@example.org"),
        ("email.pattern", "email", "anna@example"), ("phone.pattern", "phone", "0171 5550123"),
        ("phone.pattern", "phone", "+49171555"[:7]), ("url.pattern", "url", "htp://www.example.org/"),
        ("url.pattern", "url", "https://www.example.org/a b"),
        ("uuid.pattern", "uuid", "0f8fad5b-d9cb-469f-a165-70867728950"),
        ("uuid.pattern", "uuid", "0F8FAD5B-D9CB-469F-A165-70867728950E"), ("date.pattern", "date", "2024-13-01"),
        ("date.pattern", "date", "24-01-31"), ("timestamp.pattern", "timestamp", "2024-01-31 12:00:00Z"),
        ("timestamp.pattern", "timestamp", "2024-01-31T24:00:00Z"), ("ipv4.pattern", "ipv4", "192.0.2.256"),
        ("ipv4.pattern", "ipv4", "192.0.2"), ("country.pattern", "country", "de"),
        ("country.pattern", "country", "DEU"),
        ("name.pattern", "name", "R2D2"), ("name.pattern", "name", "Anna Lee "), ("amount.pattern", "amount", "12.5"),
        ("amount.pattern", "amount", "1 200.00"),
    ]],
    [Spoilt(*kind) for kind in [
        ("structure.fields", None, lambda line: line.rsplit(b",", 1)[0]),
        ("structure.quote", None, lambda line: b'"x"' + line),
        ("encoding", None, lambda line: b"\xe4" + line),
    ]])


def luhn_digit(digits):
    """Returns the check digit (ISO/IEC 7812) of these digits."""
    total = sum(sum(divmod(int(digit) * (2 - i % 2), 10)) for i, digit in enumerate(reversed(digits)))
    return str(-total % 10)


def iban(country, account):
    """Returns the IBAN (ISO 13616) of an account: country, check digits, account."""
    number = int("".join(str(int(letter, 36)) for letter in account + country + "00"))
    return f"{country}{98 - number % 97:02}{account}"


def make_types_row(dice, people):
    row = make_ten_row(dice, people[:4])
    account = [("DE", dice.digits(18)), ("ES", dice.digits(20)), ("GB", "WEST" + dice.digits(14)),
               ("FR", dice.digits(10) + "0500013M026"[:11] + dice.digits(2))]
    card = dice.pick(["4", "51", "55"])
    card += dice.digits(15 - len(card))
    return {name: row[name] for name in ["email", "uuid", "date", "phone", "url"]} | {
        "iban": iban(*dice.pick(account)),
        "card": card + luhn_digit(card),
        "hostname": f"{dice.pick(['www', 'mail', 'db-1', 'shop'])}.%07d.{dice.pick(DOMAINS)}",
    }


TYPES = Export(
    ["email", "uuid", "iban", "card", "date", "hostname", "phone", "url"], make_types_row,
    [Spoilt(f"{column}.format", column, value, f"is not {message}") for column, value, message in [
        ("email", "anna.lee.example.org", "an e-mail address: there is no @"),
        ("email", "anna lee@example.org",
         "an e-mail address: the part before the @ has a misplaced dot or a forbidden character"),
        ("email", "anna@example", "an e-mail address: its host name has no dot"),
        ("email", "anna.lee@example.org ", "an e-mail address: it begins or ends with white space"),
        ("email", "anna.lee@ex_ample.org", "an e-mail address: its host name has a forbidden character"),
        ("uuid", "0f8fad5b-d9cb-469f-a165-70867728950", "a UUID: it is too short"),
        ("uuid", "0f8fad5bd9cb469fa16570867728950e", "a UUID: it is too short"),
        ("uuid", "0f8fad5b-d9cb-069f-a165-70867728950e", "a UUID: it has another version"),
        ("uuid", "0f8fad5b-d9cb-469f-c165-70867728950e", "a UUID: its variant is not that of the IETF"),
        ("iban", "DE88370400440532013000", "an IBAN: the check digits do not fit the rest"),
        ("iban", "DE89 3704 0044 0532 0130 00",
         "an IBAN: it has spaces, hyphens or dots in the wrong places"),
        ("iban", "de89370400440532013000", "an IBAN: it has small letters, but capital letters are required"),
        ("iban", "US89370400440532013000", "an IBAN: its country code is unknown"),
        ("iban", "DE8937040044053201300", "an IBAN: its length is wrong for its country"),
        ("card", "4111111111111112", "a payment card number: the check digits do not fit the rest"),
        ("card", "4111 1111 1111 1111",
         "a payment card number: it has spaces, hyphens or dots in the wrong places"),
        ("card", "9111111111111111", "a payment card number: no known network has numbers with this start and length"),
        ("date", "2023-02-29", "a date: its year is no leap year and has no 29 February"),
        ("date", "2024-13-01", "a date: there is no such month"),
        ("date", "2024-06-31", "a date: its month has no such day"),
        ("date", "31.12.2024", "a date"),
        ("hostname", "www.exa_mple.org", "a host name: its host name has a forbidden character"),
        ("hostname", "www.-example.org", "a host name: its host name has a hyphen before or after a dot or at an end"),
        ("hostname", "www..example.org",
         "a host name: its host name is empty, starts or ends with a dot, or has two in a row"),
        ("phone", "0171 5550123", "a telephone number: it does not start with + and a country code"),
        ("phone", "+49 171 5550123", "a telephone number: it has spaces, hyphens or dots in the wrong places"),
        ("phone", "+49171x550123",
         "a telephone number: it has a character that is not an ASCII digit or a separator"),
        ("url", "www.example.org/",
         "a public web address: it does not start with an allowed scheme, such as https://"),
        ("url", "https://192.0.2.1/", "a public web address: its host is an address"),
        ("url", "https://www.example.org/a b", "a public web address"),
    ]])
EXPORTS = {"ten": TEN, "types": TYPES}


def make_block(export, dice, people, bad, values_only):
    """Returns the lines of a block as templates, the row of each placeholder, and the error of each row."""
    bad_rows = set(dice.shuffled(range(BLOCK_ROWS))[:round(BLOCK_ROWS * bad / 100)])
    kinds = dice.shuffled(export.values + ([] if values_only else export.lines))
    lines, owners, spoilt = [], [], []
    for index in range(BLOCK_ROWS):
        row = export.make_row(dice, people)
        kind = kinds[index % len(kinds)] if index in bad_rows else None
        if kind and kind.column:
            row[kind.column] = kind.change
        line = ",".join(row[name] for name in export.columns).encode()
        if kind and not kind.column:
            line = kind.change(line)
        lines.append(line + b"\n")
        owners += [index] * line.count(b"%0")
        spoilt.append(kind)
    return lines, owners, spoilt


def make_export(columns, path, rows, bad, seed, values_only=False):
    export = EXPORTS[columns]
    dice = Dice(seed)
    lines, owners, spoilt = make_block(export, dice, read_people(), bad, values_only)
    template = b"".join(lines)
    expectation = Expectation()
    with open(path, "wb") as file:
        file.write((",".join(export.columns) + "\n").encode())
        for base in range(0, rows, BLOCK_ROWS):
            count = min(BLOCK_ROWS, rows - base)
            if count < BLOCK_ROWS:
                template = b"".join(lines[:count])
                owners = [owner for owner in owners if owner < count]
            file.write(template % tuple([base + owner for owner in owners]))
    full, rest = divmod(rows, BLOCK_ROWS)
    for index, kind in enumerate(spoilt):
        expectation.add(kind and kind.reason, message=kind and kind.message, times=full + (index < rest))
    return expectation


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=4_000, help="data rows (default: 4000)")
    parser.add_argument("--bad", type=float, default=6, help="percentage of spoilt rows (default: 6)")
    parser.add_argument("--columns", choices=["users", *EXPORTS], default="users",
                        help="users: the twelve of the example; ten, types: those of the benchmarks, written fast")
    parser.add_argument("--values-only", action="store_true",
                        help="not with users: spoil values only, and leave every record well-formed and UTF-8")
    parser.add_argument("--output", default=os.path.join(ROOT, "Examples", "users.csv"), help="where to write")
    parser.add_argument("--seed", type=int, default=2024)
    arguments = parser.parse_args()
    if arguments.columns == "users":
        if arguments.values_only:
            parser.error("--values-only does not go with --columns users")
        expectation = make_users(arguments.output, arguments.rows, arguments.bad, arguments.seed)
    else:
        expectation = make_export(
            arguments.columns, arguments.output, arguments.rows, arguments.bad, arguments.seed, arguments.values_only)
    print(expectation.json(os.path.relpath(arguments.output, ROOT) if arguments.output.startswith(ROOT + os.sep)
                           else arguments.output, os.path.getsize(arguments.output)))


if __name__ == "__main__":
    sys.exit(main())
