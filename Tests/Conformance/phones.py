#!/usr/bin/env python3
"""Compares `canonical` of telephone numbers with libphonenumber (PyPI phonenumbers), in every region.

    python3 Tests/Conformance/phones.py build/core/phone_repairs                      200 numbers of each region
    python3 Tests/Conformance/phones.py build/core/phone_repairs --numbers 2000 DE ID

Each random valid number is written in fifteen ways, three of which have letters. A changed value is wrong if

* libphonenumber does not call the result a valid number, or
* libphonenumber reads another valid number in the value, or
* libphonenumber reads no valid number in the value, and the result is not the number that was written.

An unchanged value needs a reason, unless it is the number in canonical form.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys

import phonenumbers
from phonenumbers import PhoneMetadata, PhoneNumberFormat

KINDS = ("fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost", "personal_number", "voip", "pager",
         "uan", "voicemail")


def random_text(dice, items):
    """A random text that a pattern without look-arounds matches."""
    text = ""
    for op, value in items:
        op = str(op)
        if op == "LITERAL":
            text += chr(value)
        elif op == "IN":
            text += random_member(dice, value)
        elif op == "BRANCH":
            text += random_text(dice, dice.choice(value[1]))
        elif op == "SUBPATTERN":
            text += random_text(dice, value[-1])
        elif op == "MAX_REPEAT":
            minimum, maximum, inner = value
            text += "".join(random_text(dice, inner) for _ in range(dice.randint(minimum, maximum)))
        else:
            raise ValueError(op)
    return text


def random_member(dice, members):
    kind, value = dice.choice(members)
    if str(kind) == "RANGE":
        return chr(dice.randint(*value))
    return dice.choice("0123456789") if str(kind) == "CATEGORY" else chr(value)


def random_numbers(dice, region, count):
    """Valid numbers of a region; fewer if the plan is small."""
    plan = PhoneMetadata.metadata_for_region(region, None)
    patterns = [getattr(plan, kind).national_number_pattern for kind in KINDS if getattr(plan, kind) is not None]
    # Fixed and mobile numbers are the most frequent ones.
    patterns = [pattern for pattern in patterns[:2] * 4 + patterns[2:] if pattern]
    parsed = [re._parser.parse(pattern) for pattern in patterns]
    numbers = {}
    for _ in range(20 * count):
        text = random_text(dice, dice.choice(parsed))
        zeros = len(text) - len(text.lstrip("0"))
        number = phonenumbers.PhoneNumber(
            country_code=plan.country_code, national_number=int(text),
            italian_leading_zero=True if zeros else None, number_of_leading_zeros=zeros if zeros > 1 else None)
        if phonenumbers.is_valid_number_for_region(number, region):
            numbers[text] = number
            if len(numbers) == count:
                break
    return list(numbers.values())


def regroup(text, separator):
    return re.sub("[^0-9+]+", separator, text)


def spellings(dice, number, region):
    """Twelve ways to write a number, and three with letters. The prefix 0 is wrong in regions without a national
    prefix."""
    code, nsn = str(number.country_code), phonenumbers.national_significant_number(number)
    plan = PhoneMetadata.metadata_for_region(region, None)
    trunk = plan.national_prefix or "0"
    idd = plan.international_prefix or ""
    idd = idd if idd.isdigit() else "00" if re.match("(?:%s)" % idd,
                                                     "00" + code) else plan.preferred_international_prefix or "00"
    international = phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL)
    national = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
    groups = international.partition(" ")[2]
    return {
        "+CCNSN": "+" + code + nsn,
        "+CC N S N": international,
        "+CC-N-S-N": regroup(international, "-"),
        "IDD CC N S N": idd.replace("~", "") + " " + code + " " + groups,
        "+CC (0)N S N": "+%s (0)%s" % (code, groups),
        "+CC 0NSN": "+%s %s%s" % (code, trunk, nsn),
        "national format": national,
        "national, no-break spaces": regroup(national, "\u00a0").strip("\u00a0"),
        "0NSN": trunk + nsn,
        "NSN": nsn,
        "CCNSN": code + nsn,
        "CCNSN.0": code + nsn + ".0",
        "letter in +CC N S N": with_letter(international),
        "letter in 0NSN": with_letter(trunk + nsn),
        "extension": international + " x12",
    }


def with_letter(text):
    """A number with a letter that looks like its middle digit, or an x."""
    places = [place for place, character in enumerate(text) if character.isdigit()]
    place = places[len(places) // 2]
    return text[:place] + {"0": "O", "1": "l", "5": "S", "8": "B"}.get(text[place], "x") + text[place + 1:]


def e164(value, region):
    """libphonenumber's reading of a value: a valid number, or None."""
    try:
        number = phonenumbers.parse(value, region)
    except phonenumbers.NumberParseException:
        return None
    return phonenumbers.format_number(number, PhoneNumberFormat.E164) if phonenumbers.is_valid_number(number) else None


def compare(program, region, count, seed):
    """Counts per spelling, the first wrong values, and the values without a reason."""
    dice = random.Random("%d %s" % (seed, region))
    written = [(phonenumbers.format_number(number, PhoneNumberFormat.E164), way, value)
               for number in random_numbers(dice, region, count)
               for way, value in spellings(dice, number, region).items()]
    run = subprocess.run([program], input="".join("%s\t%s\n" % (region, value) for _, _, value in written).encode(),
                         stdout=subprocess.PIPE, check=True)
    tally, wrong, silent = collections.Counter(), [], []
    valid = {}
    for (number, way, value), line in zip(written, run.stdout.decode().splitlines(), strict=True):
        result, _, reason = line.partition("\t")
        theirs = e164(value, region)
        tally[way, "values"] += 1
        tally[way, "theirs"] += theirs == number
        if result != value or (result == theirs and reason == ""):
            tally[way, "right"] += result == number
            tally[way, "other"] += result != number
            if result not in valid:
                valid[result] = e164(result, region) == result
            if not valid[result] or result != (theirs or number):
                wrong.append("%s: %r became %s, libphonenumber reads %s" % (region, value, result, theirs))
        else:
            tally[way, "unchanged"] += 1
            tally[way, "unread"] += theirs is None
            if reason != "":
                tally["reason", reason] += 1
            elif value != number:
                silent.append("%s: %r stays and passes, libphonenumber reads %s" % (region, value, theirs))
    return tally, wrong, silent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("regions", nargs="*")
    parser.add_argument("--numbers", type=int, default=200, help="numbers of each region")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", type=int, default=20, help="lines of each kind that are shown")
    options = parser.parse_args()
    regions = options.regions or sorted(phonenumbers.SUPPORTED_REGIONS)
    tally, wrong, silent = collections.Counter(), [], []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(compare, os.path.abspath(options.program), region, options.numbers, options.seed)
                for region in regions]
        for run in runs:
            counts, wrong_ones, silent_ones = run.result()
            tally += counts
            wrong += wrong_ones
            silent += silent_ones
    print("%-26s %9s %9s %9s %9s %9s %9s" % ("spelling", "values", "right", "other", "unchanged", "unread", "theirs"))
    ways = [way for way, column in tally if column == "values"]
    for way in ways:
        print("%-26s %9d %9d %9d %9d %9d %9d" % (way, *(tally[way, column] for column in (
            "values", "right", "other", "unchanged", "unread", "theirs"))))
    print("reasons: " + ", ".join("%s %d" % (reason, count) for (kind, reason), count in tally.items()
                                  if kind == "reason"))
    for title, lines in (("wrong", wrong), ("without a reason", silent)):
        for line in lines[:options.show]:
            print("%s: %s" % (title, line))
    print("phones: %d values in %d regions, %d wrong, %d unchanged without a reason" % (
        sum(tally[way, "values"] for way in ways), len(regions), len(wrong), len(silent)))
    return 1 if wrong or silent else 0


if __name__ == "__main__":
    sys.exit(main())
