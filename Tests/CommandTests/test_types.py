"""Types, formats and constraints on the command line, each with valid values and their nearest misses."""

import json
import unittest

from support import CommandTest, slow

# The field, the valid values, and the invalid ones.
TABLE = [
    ({"type": "integer"}, ["0", "-0", "+7", "007", "9" * 400, "-1"],
     ["1.0", "1e3", "1,000", "0x1F", " 1", "1 ", "--1", "+", "١", "1_0"]),
    ({"type": "integer", "groupChar": ","}, ["1,000", "1000", "12,345,678", "1,23,456"], ["1.000", "1,00", "0,123"]),
    ({"type": "integer", "bareNumber": False}, ["95%", "$95", "EUR 7", "7"], ["EUR", "%"]),
    ({"type": "number"}, ["1", "1.5", "-1.5", "1e3", "1E-3", "+1.5", ".5", "NaN", "INF", "-INF", "9" * 400 + ".1"],
     ["1,5", "1.5.5", "e3", "1e", "--1", "$1", "inf inity", "1 000"]),
    ({"type": "number", "decimalChar": ",", "groupChar": "."}, ["1,5", "1.000,5", "1", "1e3"],
     ["1,5,5", "1.5", "1,234.56", "7.067E+08"]),
    ({"type": "number", "bareNumber": False}, ["€1.50", "1.50 %"], ["€"]),
    ({"type": "boolean"}, ["true", "True", "TRUE", "1", "false", "False", "FALSE", "0"],
     ["yes", "tRUE", "2", "no", "t"]),
    ({"type": "boolean", "trueValues": ["ja"], "falseValues": ["nein"]}, ["ja", "nein"], ["true", "Ja", "0"]),
    ({"type": "date"}, ["2024-02-29", "2000-02-29", "1999-12-31", "0001-01-01"],
     ["2023-02-29", "1900-02-29", "1990-02-30", "2024-04-31", "2024-13-01", "2024-00-10", "2024-01-00",
      "24-01-01", "2024-1-1", "20240101", "2024-01-01T00:00:00", "2024-01-01Z", "2024/01/01", "2024-01-01\n",
      " 2024-01-01", "２０２４-01-01"]),
    ({"type": "date", "format": "%d/%m/%Y"}, ["29/02/2024", "31/12/1999"], ["30/02/1990", "2024-02-29", "32/01/2024"]),
    ({"type": "time"}, ["00:00:00", "23:59:59", "12:00:00.5", "12:00:00.123456789"],
     ["24:00:00", "23:59:60", "12:60:00", "12:00", "1:00:00", "12:00:00.", "12:00:00,5"]),
    ({"type": "time", "format": "%H:%M"}, ["00:00", "23:59"], ["24:00", "23:60", "12:00:00"]),
    ({"type": "datetime"},
     ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59+02:00", "2024-02-29T00:00:00.5-11:30", "2024-02-29T00:00:00"],
     ["2023-02-29T00:00:00Z", "2024-02-29 00:00:00Z", "2024-02-29T24:00:00Z", "2024-02-29T23:59:60Z", "2024-02-29",
      "2024-02-29T00:00Z", "2024-02-29T00:00:00+24:00", "2024-02-29T00:00:00+0200", "2024-02-29T00:00:00 Z"]),
    ({"type": "year"}, ["2024", "0001", "9999"], ["24", "20240", "-2024", "MMXX", "2024 "]),
    ({"type": "yearmonth"}, ["2024-01", "2024-12"], ["2024-13", "2024-00", "2024", "2024-1", "2024-01-01"]),
    ({"type": "duration"}, ["P1Y", "P1Y2M10DT2H30M", "PT36H", "PT0.5S", "P0D"],
     ["P", "PT", "1Y", "P1S", "P1YT", "p1y", "PT1.5H"]),
    ({"type": "any"}, ["x", " ", "日"], []),
    ({"type": "string"}, ["x", " ", "日\n", "\x00"], []),
    ({"format": "email"},
     ["a@example.org", "a.b+c_d@sub.example.org", "x@a-b.example", "!#$%&'*+/=?^_`{|}~-@example.org",
                           "a" * 64 + "@example.org"],
     ["a@b", "a@example..org", ".a@example.org", "a.@example.org", "a..b@example.org", "a@-b.org", "a@b-.org",
      "a b@example.org", "a@example.org\n", "@example.org", "a@", "a@b@c.org", "a" * 65 + "@example.org",
      "a@" + "b" * 64 + ".org", "a@1.2.3.4",
      "a@" + "x." * 130 + "org", "ä@example.org", "\"a\"@example.org", "a@[1.2.3.4]", "a@example.org."]),
    ({"format": "uuid"}, ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-42D3-B456-426614174000",
                          "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
     ["123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}",
      "123e4567-e89b-12d3-a456-42661417400",
      "123e4567-e89b-92d3-a456-426614174000", "123e4567-e89b-12d3-c456-426614174000",
      "g23e4567-e89b-12d3-a456-426614174000"]),
    ({"format": "uri"},
     ["https://example.org/", "mailto:a@example.org", "urn:isbn:0451450523", "http://[2001:db8::1]:80/x?y#z"],
     ["www.example.org", "//example.org", "http://exa mple.org", "http://example.org/%zz", "1http://x",
      "http://[::1", "/x/y"]),
    ({"format": "binary"}, ["aGk=", "aGVsbG8h", "YQ=="], ["aGk", "a===", "aGk=\n", "a-_="]),
    ({"constraints": {"minLength": 2, "maxLength": 3}}, ["ab", "日本語", "😀😀", "e\u0301x"],
     ["a", "abcd", "e\u0301xy", "😀"]),
    ({"lengthUnit": "utf8", "constraints": {"maxLength": 3}}, ["abc", "日"], ["abcd", "日本"]),
    ({"lengthUnit": "utf16", "constraints": {"maxLength": 2}}, ["😀", "ab"], ["😀a", "abc"]),
    ({"lengthUnit": "characters", "constraints": {"maxLength": 1}}, ["e\u0301", "👨‍👩‍👧", "\r\n", "🇩🇪"], ["ab", "🇩🇪🇫🇷"]),
    ({"constraints": {"enum": ["a", "B", "007"]}}, ["a", "B", "007"], ["A", "b", "7", "a "]),
    ({"type": "number", "constraints": {"enum": ["1.5", "2"]}}, ["1.5", "1.50", "15e-1", "2", "2.000"],
     ["1.51", "2.0000000000000000000001"]),
    ({"type": "integer", "constraints": {"minimum": -5, "maximum": 10}}, ["-5", "10", "0", "010"],
     ["-6", "11", "9" * 50, "-" + "9" * 50]),
    ({"type": "number", "constraints": {"exclusiveMinimum": 0, "exclusiveMaximum": 1}},
     ["0.1", "0." + "9" * 60, "1e-400", "5E-1"],
     ["0", "1", "-0", "1.0", "NaN", "1e400", "INF"]),
    ({"type": "number", "constraints": {"minimum": 0.1}}, ["0.1", "0.10", "1e-1"], ["0.09999999999999999999999999"]),
    ({"type": "date", "constraints": {"minimum": "2000-02-29", "maximum": "2024-12-31"}}, ["2000-02-29", "2024-12-31"],
     ["2000-02-28", "2025-01-01"]),
    ({"type": "datetime", "constraints": {"minimum": "2024-01-01T00:00:00Z"}},
     ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00", "2023-12-31T23:00:00-01:00"],
     ["2024-01-01T00:30:00+01:00", "2023-12-31T23:59:59.999Z"]),
    ({"type": "time", "constraints": {"maximum": "12:00:00"}}, ["12:00:00", "11:59:59.9"], ["12:00:00.1"]),
    ({"type": "yearmonth", "constraints": {"minimum": "2023-12"}}, ["2023-12", "2024-01"], ["2023-11"]),
    ({"type": "year", "constraints": {"maximum": 1999}}, ["1999"], ["2000"]),
    ({"constraints": {"pattern": "a|ab"}}, ["a", "ab"], ["abc", "ba", "ab\n"]),
    ({"constraints": {"pattern": "^[a-z]+$"}}, ["abc"], ["abc\n", "ABC", "ab1"]),
    ({"constraints": {"pattern": r"\d+"}}, ["123"], ["١٢٣"]),
    ({"rules": [{"pattern": r"\d+", "options": ["unicodeClasses"]}]}, ["123", "١٢٣"], ["x"]),
    ({"rules": [{"pattern": "straße", "options": ["caseInsensitive"]}]}, ["Straße", "STRAẞE"], ["strasse"]),
    ({"rules": [{"pattern": "b", "options": ["search"]}]}, ["abc", "b"], ["ac"]),
    ({"rules": [{"pattern": "a.b", "options": ["dotAll"]}]}, ["a\nb"], ["ab"]),
    ({"rules": [{"pattern": "a.b"}]}, ["a b"], ["a\nb"]),
    ({"rules": [{"pattern": "a b # comment", "options": ["extended"]}]}, ["ab"], ["a b"]),
    ({"rules": [{"pattern": r"\p{Lu}\p{L}+(?:[ -]\p{L}+)*"}]}, ["Żółkiewski", "Anne-Marie", "Ελένη"],
     ["1abc", "anne", "Anne "]),
    ({"rules": [{"any": [{"pattern": "a+"}, {"maxLength": 2}]}]}, ["aaaa", "zz"], ["zzz"]),
    ({"rules": [{"all": [{"pattern": "a+"}, {"maxLength": 2}]}]}, ["aa"], ["aaa", "b"]),
    ({"rules": [{"not": {"enum": ["test"]}}]}, ["x"], ["test"]),
    ({"rules": [{"when": {"pattern": "DE.*"}, "then": {"minLength": 4}}]}, ["DE12", "F"], ["DE1"]),
    ({"type": "integer", "rules": [{"minimum": 1, "maximum": 6}]}, ["1", "6"], ["0", "7"]),
    ({"rules": [{"type": "date"}]}, ["2024-02-29"], ["2023-02-29"]),
    ({"rules": [{"minimum": 10, "as": "integer"}]}, ["10"], ["9", "x"]),
]


class TypeTests(CommandTest):
    @slow
    def test_table(self):
        for engine in ([], ["--no-jit"]):
            for field, good, bad in TABLE:
                with self.subTest(field=json.dumps(field), engine=engine):
                    content = "a,b\n" + "".join('"%s",\n' % value.replace('"', '""') for value in good + bad)
                    self.write("t.csv", content)
                    rules = self.rules({"name": "a"} | field)
                    outcome = self.assay("check", "t.csv", "--rules", rules, "--findings", "-", "--show-values",
                                         "--quiet", *engine)
                    # A value may break more than one rule: NaN is neither above nor below a bound.
                    found = {finding["record"]: finding["value"]
                             for finding in map(json.loads, outcome.text.split("\n")[:-1])}
                    self.assertEqual(found, dict(enumerate(bad, len(good) + 1)), outcome.err)


if __name__ == "__main__":
    unittest.main()
