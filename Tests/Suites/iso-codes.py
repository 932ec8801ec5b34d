#!/usr/bin/env python3
"""Prints the cases of the suite iso-codes, as JSON lines.

    python3 Tests/Suites/iso-codes.py /usr/share/iso-codes/json >cases.jsonl

Two letters are a country or they are not; codes of three letters are also tested as codes of the other kind.
"""

import itertools
import json
import pathlib
import string
import sys


def codes(folder, name, key):
    """The sorted values of one key in iso_NAME.json."""
    entries = json.loads((folder / f"iso_{name}.json").read_text(encoding="utf-8"))[name]
    return sorted(entry[key] for entry in entries if key in entry)


def cases(folder):
    """Pairs of a type and its cases: (value, whether it is valid, note)."""
    two = set(codes(folder, "3166-1", "alpha_2"))
    three, currencies = codes(folder, "3166-1", "alpha_3"), codes(folder, "4217", "alpha_3")
    pairs = map("".join, itertools.product(string.ascii_uppercase, repeat=2))
    yield "country-alpha2", [(pair, pair in two, None) for pair in pairs]
    yield "country-alpha3", [(code, True, None) for code in three]
    yield "country-numeric", [(code, True, None) for code in codes(folder, "3166-1", "numeric")]
    yield "currency-alpha3", [(code, True, None) for code in currencies]
    yield "currency-alpha3", [
        (code, False, "a country alpha-3, not a currency") for code in three if code not in currencies]
    yield "country-alpha3", [(code, False, "a currency, not a country") for code in currencies if code not in three]


for kind, rows in cases(pathlib.Path(sys.argv[1])):
    for value, valid, note in rows:
        case = {"suite": "iso-codes", "type": kind, "value": value, "valid": valid}
        print(json.dumps(case | ({"note": note} if note else {})))
