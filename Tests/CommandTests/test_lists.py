"""Lists, arrays and objects in a cell: Table Schema's types `list`, `array` and `object`, in CSV and in JSON Lines."""

import json
import random
import unittest

from support import CommandTest

# The item types of a list, with valid and invalid texts.
ITEMS = {
    "string": (["a", "x y", ""], []),
    "integer": (["1", "-20", "+007"], ["1.5", "x", "", " 1"]),
    "number": (["1.5", "1e3", "NaN", "-.5"], ["x", "", "1,5"]),
    "boolean": (["true", "0"], ["yes", ""]),
    "date": (["2024-02-29"], ["2023-02-29", "2024-02", ""]),
    "time": (["13:45:00"], ["24:00:00", "13:45"]),
    "datetime": (["2024-02-29T13:45:00Z"], ["2024-02-29"]),
}


class ListTest(CommandTest):
    def bad(self, name, rules, *flags):
        """The records with findings, their rules and messages."""
        self.assay("check", name, "-r", rules, "--findings", "f.jsonl", "--force", "-q", *flags)
        return [(finding["record"], finding["rule"], finding["message"]) for finding in self.findings("f.jsonl")]

    def mistakes(self, rules):
        self.write("bad.yaml", rules)
        return self.assay("rules", "check", "bad.yaml", status=2).err


class CSV(ListTest):
    def test_list_items_are_checked_one_by_one(self):
        """The verdict on a list must equal the verdicts on its items in a separate column."""
        draw = random.Random(24)
        for kind, (good, bad) in ITEMS.items():
            with self.subTest(kind):
                lists = [[draw.choice(good + bad * (draw.random() < 0.3)) for _ in range(draw.randrange(1, 5))]
                         for _ in range(300)]
                # The empty text is a missing value, and items do not contain the delimiter.
                lists = [items for items in lists if ";".join(items)]
                self.write("l.yaml", f"fields: [{{name: a, type: list, itemType: {kind}, delimiter: ';'}}]\n")
                self.write("i.yaml", f"missingValues: []\nfields: [{{name: i, type: {kind}}}]\n")
                self.write("l.csv", "a\n" + "".join('"' + ";".join(items) + '"\n' for items in lists))
                self.write("i.csv",
                           "i,of\n" + "".join(f'"{item}",{n}\n' for n, items in enumerate(lists, 1) for item in items))
                found = self.bad("l.csv", "l.yaml")
                of = [line.rsplit(",", 1)[1] for line in self.read("i.csv").decode().splitlines()[1:]]
                expected = sorted({int(of[record - 1]) for record, _, _ in self.bad("i.csv", "i.yaml")})
                self.assertEqual([record for record, _, _ in found], expected)
                self.assertEqual({rule for _, rule, _ in found}, {"a.type"} if bad else set())

    def test_findings(self):
        self.write("r.yaml", """
fields:
  - {name: id, type: integer}
  - {name: tags, type: list, constraints: {required: true, minLength: 2, maxLength: 3}}
  - {name: sizes, type: list, itemType: integer, delimiter: '|', constraints: {enum: [[1, 2], '3']}}
  - {name: points, type: array, constraints: {minLength: 1, enum: [[1, [2, a]], '[null]']}}
  - {name: more, type: object, constraints: {maxLength: 1}}
""")
        self.write("a.csv", """id,tags,sizes,points,more
1,"a,b",1|2,"[1, [2.0, ""a""]]","{""a"": 1}"
2,,,,
3,a,1|2|3,[null],{}
4,"a,b,c,d",01|+2,[],"{""a"": 1, ""b"": 2}"
5,"a,b",x|2,"[1,","{""a"": 1,}"
6,"a,b",3,{},[]
""")
        self.assertEqual(self.bad("a.csv", "r.yaml"), [
            (2, "tags.required", "is missing"),
            (3, "tags.minLength", "has fewer than 2 items"), (3, "sizes.enum", "is not one of 1|2, 3"),
            (4, "tags.maxLength", "has more than 3 items"), (4, "points.minLength", "has fewer than 1 item"),
            (4, "points.enum", 'is not one of [1,[2,"a"]], [null]'), (4, "more.maxLength", "has more than 1 member"),
            (5, "sizes.type", "is not a list of integers"), (5, "points.type", "is not an array of JSON"),
            (5, "more.type", "is not an object of JSON"),
            (6, "points.type", "is not an array of JSON"), (6, "more.type", "is not an object of JSON"),
        ])

    def test_rules_with_constraints(self):
        self.write("r.yaml", """
fields:
  - name: tags
    type: list
    rules:
      - {id: few, maxLength: 2, message: has too many tags, severity: warn}
      - {id: not-alone, not: {minLength: 1, maxLength: 1}}
      - {id: as-text, pattern: '[a-z,]*'}
  - name: json
    rules:
      - {id: three, minLength: 3, as: array}
""")
        self.write("a.csv", 'tags,json\n"a,b,c","[1,2,3]"\na,"[1,2]"\n"A,b",x\n')
        self.assertEqual(self.bad("a.csv", "r.yaml"), [
            (1, "few", "has too many tags"), (2, "not-alone", "is forbidden by the rule"),
            (2, "three", "has fewer than 3 items"),
            (3, "as-text", "does not match [a-z,]*"), (3, "three", "has fewer than 3 items"),
        ])
        # The rules in the report are equivalent to the original ones.
        self.assay("check", "a.csv", "-r", "r.yaml", "-q", "--report", "r.json")
        self.write("again.json", json.dumps(self.report("r.json")["rules"]))
        self.assertEqual(len(self.bad("a.csv", "again.json")), 5)

    def test_repair_before_the_list_is_read(self):
        self.write("r.yaml",
                   "fields: [{name: a, type: list, itemType: integer, repair: [{replace: ' *[,;] *', with: ','}]}]\n")
        self.write("a.csv", "a\n1; 2\n1;x\n")
        self.assay("clean", "a.csv", "-r", "r.yaml", "-q")
        self.assertEqual(self.read("a.clean.csv"), b'a\n"1,2"\n')

    def test_row_rules(self):
        self.write("r.yaml", """
fields:
  - {name: tags, type: list}
  - {name: sizes, type: list, itemType: integer, delimiter: ' '}
  - {name: days, type: list, itemType: date}
  - {name: most, type: integer}
rows:
  - {id: known, check: "tags.all(t, t in ['a', 'b'])"}
  - {id: has-a, check: "tags.exists(t, t == 'a')"}
  - {id: many, check: "size(sizes) <= most"}
  - {id: large, check: "!sizes.exists(s, s > 100)"}
  - {id: late, check: "days[0] < timestamp('2026-01-01T00:00:00Z')"}
""")
        self.write("a.csv", 'tags,sizes,days,most\n"a,b",1 2,2024-01-01,2\n"b,c",1 2 3,2026-01-01,2\n'
                            'a,1000,"2024-01-01,2026-01-01",1\n,,,\n')
        self.assertEqual([(record, rule) for record, rule, _ in self.bad("a.csv", "r.yaml")], [
            (2, "known"), (2, "has-a"), (2, "many"), (2, "late"), (3, "large")])

    def test_mistakes(self):
        for rules, messages in {
            "{name: a, type: list, itemType: year}": [
                "unknown itemType 'year'", "known are string, integer, boolean, number, datetime, date, time"],
            "{name: a, type: list, delimiter: ''}": ["a delimiter is a text of 1 to 16 bytes, found the text ''"],
            "{name: a, delimiter: ';'}": ["'delimiter' is for list, and this is a string", "write type: list"],
            "{name: a, type: array, itemType: string}": ["'itemType' is for list, and this is an array"],
            "{name: a, type: list, format: email}": ["the type 'list' has no format 'email'"],
            "{name: a, type: list, constraints: {minimum: 1}}": ["and this is a list",
                                                                 "'minLength' and 'maxLength' count its members"],
            "{name: a, type: list, lengthUnit: utf8, constraints: {minLength: 1, lengthUnit: utf8}}": [
                "'lengthUnit' is for texts, and this is a list", "remove it: items are counted"],
            "{name: a, type: list, constraints: {unique: true}}": [
                "a list cannot be part of a key", "leave out its type: the texts are then compared byte by byte"],
            "{name: a, type: list, constraints: {enum: [['a,b']]}}": [
                "the item 'a,b' contains the delimiter of the list, so it would be read as two items"],
            "{name: a, type: array, constraints: {enum: ['[1']}}": ["'[1' is not an array",
                                                                    "write it as JSON: '[\"a\", \"b\"]'"],
            "{name: a, type: object, constraints: {jsonSchema: {}}}": ["'jsonSchema' is not supported: there is no "
                                                                       "validator of JSON Schema in Assay",
                                                                       "address.city or items[].price"],
            "{name: a, type: list, repair: [canonical]}": ["has no canonical form"],
            "{name: a, rules: [{id: r, minLength: 1, as: integer}]}": ["'as' has no meaning beside 'minLength', "
                                                                       "unless it is list, array or object"],
        }.items():
            with self.subTest(rules):
                error = self.mistakes(f"fields:\n  - {rules}\n")
                for message in messages:
                    self.assertIn(message, error)
        self.assertIn("a list cannot be part of a key",
                      self.mistakes("fields: [{name: a, type: list}]\nprimaryKey: a\n"))
        self.assertIn(
            "'a' is an object of JSON, and row rules over those are not supported",
            self.mistakes("fields: [{name: a, type: object}]\nrows: [{check: \"a == ''\"}]\n"))


class JSONLines(ListTest):
    RULES = """
fields:
  - {name: tags, type: list, constraints: {maxLength: 2, enum: [[a, b], c, '']}}
  - {name: n.sizes, type: list, itemType: integer}
  - {name: days, type: list, itemType: date}
  - {name: any, type: array, constraints: {minLength: 1}}
  - {name: n, type: object, constraints: {maxLength: 2}}
  - {name: 'any[]', type: integer}
"""

    def test_lists_are_arrays(self):
        self.write("r.yaml", self.RULES)
        self.write("a.jsonl", "\n".join([
            '{"tags":["a","\\u0062"],"n":{"sizes":[1,2]},"days":["2024-02-29"],"any":[1,2]}',
            '{"tags":[],"n":{"sizes":[]},"days":[],"any":[0]}',
            '{"tags":"a,b","n":{"sizes":"1"},"days":{},"any":{}}',
            '{"tags":["c","d","e"],"n":{"sizes":[1.0],"x":1,"y":2},"days":["2023-02-29"],"any":[]}',
            '{"tags":[1],"n":{"sizes":["1"]},"days":[null],"any":[1,"x"]}',
            '{"tags":null}', '{}',
        ]) + "\n")
        self.assertEqual([(record, rule) for record, rule, _ in self.bad("a.jsonl", "r.yaml")], [
            (3, "tags.type"), (3, "n.sizes.type"), (3, "days.type"), (3, "any.type"), (3, "any[].type"),
            (4, "tags.maxLength"), (4, "tags.enum"), (4, "n.sizes.type"), (4, "days.type"), (4, "any.minLength"),
            (4, "n.maxLength"), (5, "tags.type"), (5, "n.sizes.type"), (5, "days.type"), (5, "any[].type"),
        ])

    def test_types_text(self):
        self.write("r.yaml", "types: text\nfields: [{name: l, type: list, itemType: integer}, {name: a, type: array}, "
                             "{name: o, type: object}]\n")
        self.write("a.jsonl", "\n".join([
            '{"l":"1,2","a":[1],"o":{"a":1}}', '{"l":7,"a":"[1]","o":"{}"}', '{"l":[1],"a":{},"o":[]}',
            '{"l":"x","a":"x","o":"x"}',
        ]) + "\n")
        self.assertEqual([(record, rule) for record, rule, _ in self.bad("a.jsonl", "r.yaml")], [
            (3, "l.type"), (3, "a.type"), (3, "o.type"), (4, "l.type"), (4, "a.type"), (4, "o.type")])

    def test_row_rules(self):
        self.write("r.yaml", """
fields: [{name: tags, type: list}, {name: n, type: list, itemType: number}, {name: limit, type: number}]
rows:
  - {id: x, check: 'tags.exists(t, t == "x")'}
  - {id: size, check: size(tags) < 3}
  - {id: limits, check: 'n.all(v, v <= limit)'}
""")
        self.write("a.jsonl", "\n".join([
            '{"tags":["x","y"],"n":[1.5,2],"limit":2}', '{"tags":["y"],"n":[3],"limit":2}',
            '{"tags":["\\u0078","a","b"]}', '{"tags":[]}', '{"tags":null,"n":[1]}', '{"tags":[7]}',
        ]) + "\n")
        self.assertEqual([(record, rule) for record, rule, _ in self.bad("a.jsonl", "r.yaml")], [
            (2, "x"), (2, "limits"), (3, "size"), (4, "x"), (6, "tags.type")])

    def test_rules_for_elements_suggest_the_list(self):
        error = self.mistakes("fields: [{name: 'tags[]'}]\nrows: [{check: \"size(row['tags[]']) > 1\"}]\n")
        self.assertIn("'tags[]' names each element of a list, but a row rule needs the whole list", error)
        self.assertIn("or add the list as a field of type: list", error)

    def test_repairs_are_for_texts(self):
        self.write("r.yaml", "fields: [{name: tags, type: list, repair: [trim]}]\n")
        self.write("a.jsonl", '{"tags":["a"]}\n')
        error = self.assay("check", "a.jsonl", "-r", "r.yaml", status=2).err
        self.assertIn("field 'tags', repair: a list of JSON has no text that could be repaired", error)


if __name__ == "__main__":
    unittest.main()
