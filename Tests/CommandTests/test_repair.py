"""Repairs: Assay rewrites changed cells, copies all other bytes, and lists every change."""

import csv
import gzip
import io
import json
import random
import unicodedata

from support import CommandTest, slow, volume

RULES = {"fields": [
    {"name": "name", "repair": ["trim"]},
    {"name": "email", "format": "email", "repair": ["trim", "lower"]},
    {"name": "born", "type": "date", "repair": [{"canonical": {"from": ["%d.%m.%Y", "%m/%d/%Y"]}}]},
    {"name": "amount", "type": "number", "repair": [{"canonical": {"decimalChar": ",", "groupChar": "."}}]},
    {"name": "state", "constraints": {"enum": ["new", "old"]}, "repair": [{"missing": ["N/A", "-"]}]},
]}

TABLE = """name,email,born,amount,state
Anna , Anna@Example.ORG,31.12.1999,"1.234,56",N/A
Bo,bo@example.org,1999-12-31,12,new
"  Cy ""C""  ",cy@example.org,32.12.1999,1,-
Di, di@example.org ,02/01/2000,"2,5",new
 Ed ,ed@EXAMPLE.org,05.06.2001,7,"N/A"
"""

CLEAN = """name,email,born,amount,state
Anna,anna@example.org,1999-12-31,"1234.56",
Bo,bo@example.org,1999-12-31,12,new
Di,di@example.org,2000-02-01,"2.5",new
Ed,ed@example.org,2001-06-05,7,
"""


def fields(line, delimiter):
    """The fields of a record as written, including quotes."""
    found, start, inside = [], 0, False
    for place, character in enumerate(line):
        if character == '"':
            inside = not inside
        elif character == delimiter and not inside:
            found.append(line[start:place])
            start = place + 1
    return found + [line[start:]]


class RepairTests(CommandTest):
    def clean(self, *arguments, rules="rules.json", **more):
        return self.assay("clean", *arguments, "-r", rules, "--force", "-q", **more)

    def changes(self, name="changes.jsonl"):
        return [json.loads(line) for line in self.read(name).decode().splitlines()]

    def write_rules(self, rules=RULES):
        self.write("rules.json", json.dumps(rules))

    def test_messages_name_the_tried_settings(self):
        self.write("d.csv", "b,p\n31.02.1980,0171\n1981-02-29,+49 171 1781527\n12.12.1981,0171 1781527\n")
        form = {"canonical": {"from": ["%d.%m.%Y", "%m/%d/%Y"]}}
        born = {"name": "b", "type": "date", "repair": [form]}
        self.write_rules({"fields": [born,
                                     {"name": "p", "format": "phone", "repair": [{"canonical": {"region": "DE"}}]}]})
        self.clean("d.csv", "--findings", "f.jsonl", status=0)
        says = "is not a date (YYYY-MM-DD), nor made one by %d.%m.%Y or %m/%d/%Y"
        self.assertEqual([json.loads(line)["message"] for line in self.read("f.jsonl").decode().splitlines()], [
            says,
            "is not a telephone number, nor one as it is dialled in DE: no allowed numbering plan has such a "
            "number",
            f"{says}: its year is no leap year and has no 29 February"])
        self.clean("d.csv", "--no-repair", "--findings", "f.jsonl", status=0)
        self.assertEqual(
            json.loads(self.read("f.jsonl").decode().splitlines()[0])["message"], "is not a date (YYYY-MM-DD)")

    def test_messages_explain_failed_formats(self):
        for field, formats, value, says in (
                ({"type": "date"}, ["%d/%m/%Y", "%m/%d/%Y"], "02/03/2000",
                 "is not a date (YYYY-MM-DD), nor made one by %d/%m/%Y or %m/%d/%Y: it has two readings"),
                ({"format": "date-time"}, ["%d.%m.%Y %H:%M"], "31.12.1999 23:59",
                 "is not a date and time, nor made one by %d.%m.%Y %H:%M: the offset from UTC is missing (Z or such "
                 "as +02:00)"),
                ({"format": "date past on=2000-01-01"}, ["%d.%m.%Y"], "01.01.2000",
                 "is not a date, nor made one by %d.%m.%Y: it is not in the past"),
                ({"format": "date past on=2000-01-01"}, ["%d.%m.%Y"], "2000-01-01",
                 "is not a date, nor made one by %d.%m.%Y: it is not in the past"),
                ({"format": "time"}, ["%H:%M"], "2:05",
                 "is not a time, nor made one by %H:%M: the offset from UTC is missing (Z or such as +02:00)"),
                ({"format": "time local"}, ["%H:%M"], "25:00",
                 "is not a time, nor made one by %H:%M: it is too short")):
            with self.subTest(field, value=value):
                self.write_rules(
                    {"fields": [{"name": "t", **field, "repair": ["trim", {"canonical": {"from": formats}}]}]})
                # Findings of many values are written from a mask, findings with values one by one.
                for options in [], ["--show-values"]:
                    self.write("t.csv", f"t\n{value}\n x\n{value} \n")
                    self.clean("t.csv", "--findings", "f.jsonl", *options, status=0)
                    messages = [json.loads(line)["message"] for line in self.read("f.jsonl").decode().splitlines()]
                    self.assertEqual([messages[0], messages[2]], [says, says])
                    self.assertNotIn("differently", messages[1])

    def test_times_come_by_formats(self):
        self.write("t.csv", "t\n2:05\n23:59:59z\n14:05:00\n24:00\n")
        self.write_rules(
            {"fields": [{"name": "t", "format": "time local", "repair": [{"canonical": {"from": ["%H:%M"]}}]}]})
        self.clean("t.csv", status=0)
        self.assertEqual(self.read("t.clean.csv").decode(), "t\n02:05:00\n23:59:59Z\n14:05:00\n")

    def test_bench_reports_the_cost_of_repairs(self):
        self.write("t.csv", TABLE)
        self.write_rules()
        lines = self.assay("bench", "t.csv", "-r", "rules.json", "--rounds", 1, status=0).text.splitlines()
        self.assertEqual(
            sorted(line.split()[2] for line in lines if line.startswith("  repairs of ")),
            ["amount", "born", "email", "name", "state"])

    # Outputs

    def test_the_outputs_in_full(self):
        self.write_rules()
        self.write("t.csv", TABLE)
        self.clean("t.csv", "--changes", "changes.jsonl", "--show-values")
        self.assertEqual(self.read("t.clean.csv").decode(), CLEAN)
        self.assertEqual(
            self.read("t.rejects.csv").decode(),
            'name,email,born,amount,state\n"  Cy ""C""  ",cy@example.org,32.12.1999,1,-\n')
        self.assertEqual(
            self.read("changes.jsonl").decode().splitlines()[:4],
            ['{"record":1,"line":2,"offset":29,"column":"name","position":1,"repairs":["trim"],"before":"Anna ",'
             '"after":"Anna"}',
             '{"record":1,"line":2,"offset":35,"column":"email","position":2,"repairs":["trim","lower"],'
             '"before":" Anna@Example.ORG","after":"anna@example.org"}',
             '{"record":1,"line":2,"offset":53,"column":"born","position":3,"repairs":["canonical"],'
             '"before":"31.12.1999","after":"1999-12-31"}',
             '{"record":1,"line":2,"offset":64,"column":"amount","position":4,"repairs":["canonical"],'
             '"before":"\\"1.234,56\\"","after":"\\"1234.56\\""}'])
        report = self.report("t.report.json")
        self.assertEqual(
            {column["name"]: column["repairs"] for column in report["columns"]},
            {"name": [{"name": "trim", "changed": 2}],
             "email": [{"name": "trim", "changed": 2}, {"name": "lower", "changed": 2}],
             "born": [{"name": "canonical", "changed": 3}], "amount": [{"name": "canonical", "changed": 2}],
             "state": [{"name": "missing", "changed": 2}]})
        self.assertEqual((report["changes"], len(self.changes())), (12, 12))
        self.assertEqual(report["inputs"][0]["outputs"]["changes"], "changes.jsonl")
        self.clean("t.csv", "--changes", "changes.csv")
        self.assertEqual(
            self.read("changes.csv").decode().splitlines()[:3],
            ["record,line,offset,column,position,repairs", "1,2,29,name,1,trim", "1,2,35,email,2,trim;lower"])

    def test_cleaning_clean_rows_again_has_no_effect(self):
        self.write_rules()
        self.write("t.csv", CLEAN)
        self.clean("t.csv", "--changes", "changes.jsonl")
        self.assertEqual(self.read("t.clean.csv").decode(), CLEAN)
        self.assertEqual(self.read("changes.jsonl"), b"")

    def test_no_repair_checks_the_original_values(self):
        self.write_rules()
        self.write("t.csv", TABLE)
        self.clean("t.csv", "--no-repair")
        self.assertEqual(
            self.read("t.clean.csv").decode(), "name,email,born,amount,state\nBo,bo@example.org,1999-12-31,12,new\n")

    def test_preview_and_summary(self):
        self.write_rules()
        self.write("t.csv", TABLE)
        outcome = self.assay("check", "t.csv", "-r", "rules.json", "--repair-preview", status=1)
        self.assertIn(
            "\n  repaired cells of clean records: 12\n"
            "    name trim                                     2\n"
            "    email trim                                    2\n", outcome.err)
        self.assertIn(
            "\n  first changes\n    line 2 name  trim\n      - |Anna |\n      + |Anna|\n"
            "    line 2 email  trim, lower\n      - | Anna@Example.ORG|\n      + |anna@example.org|\n", outcome.err)
        outcome = self.assay("check", "t.csv", "-r", "rules.json", status=1)
        self.assertNotIn("first changes", outcome.err)
        self.assertNotIn("Anna", outcome.err)

    def test_check_suggests_repairs(self):
        rules = {"fields": [{key: value for key, value in field.items() if key != "repair"}
                            for field in RULES["fields"]]}
        self.write_rules(rules)
        self.write("t.csv", TABLE)
        outcome = self.assay("check", "t.csv", "-r", "rules.json", status=1)
        self.assertIn(
            "  repairs to add: with the first of each column 3 of the 4 rejected records would pass\n"
            "    email          fixes 2 of 2          repair: [trim]\n"
            '    born           fixes 3 of 4          repair: [{canonical: {from: ["%d.%m.%Y", "%d/%m/%Y"]}}]\n'
            '    amount         fixes 2 of 2          repair: [{canonical: {decimalChar: ",", groupChar: "."}}]\n',
            outcome.err)
        self.assertIn('    state          fixes 3 of 3          repair: [{missing: ["N/A", "-"]}]\n', outcome.err)
        # The suggested repairs have the announced effect.
        for field, repair in zip(rules["fields"][1:], (
                "trim", {"canonical": {"from": ["%d.%m.%Y", "%d/%m/%Y"]}},
                {"canonical": {"decimalChar": ",", "groupChar": "."}}, {"missing": ["N/A", "-"]})):
            field["repair"] = [repair]
        self.write_rules(rules)
        outcome = self.assay("check", "t.csv", "-r", "rules.json", "--report", "r.json", "--force", status=1)
        self.assertEqual(self.report("r.json")["inputs"][0]["rejected"], 4 - 3)

    def suggestions(self, field, values):
        self.write_rules({"fields": [field]})
        self.write("t.csv", field["name"] + "\n" + "".join(f"{value}\n" for value in values))
        lines = self.assay("check", "t.csv", "-r", "rules.json", status=1).err.splitlines()
        return [" ".join(line.split()[1:]) for line in lines if " fixes " in line]

    def test_the_region_of_a_phone_format_counts(self):
        self.assertEqual(
            self.suggestions({"name": "p", "format": "phone region=DE"},
                             ["030 901820", "089 1234567", "+49 30 901820", "0301234567", "x"]),
            ["fixes 4 of 5 repair: [canonical]"])

    def test_formats_are_tried_together(self):
        both = ["31.12.1999", "12/31/1999"] * 3
        self.assertEqual(
            self.suggestions({"name": "d", "type": "date"}, both),
            ['fixes 6 of 6 repair: [{canonical: {from: ["%d.%m.%Y", "%m/%d/%Y"]}}]'])
        # A format that reads only some values, and reads these differently, is not recommended.
        self.assertEqual(
            self.suggestions({"name": "d", "type": "date"}, ["01/02/1999"] * 3 + ["12/31/1999"]),
            ['fixes 4 of 4 repair: [{canonical: {from: ["%m/%d/%Y"]}}]'])
        self.assertEqual(
            self.suggestions({"name": "t", "type": "datetime"},
                             ["31.12.1999 10:00", "31.12.1999 10:00:01", "12/31/1999 10:00"] * 2),
            ['fixes 6 of 6 repair: [{canonical: {from: ["%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M"]}}]'])

    def test_values_with_two_readings(self):
        """Assay recommends neither reading. With both date formats, such values stay unchanged."""
        for field, values, recommended, count, readings in [
            ({"type": "number"}, ['"797,165"', '"699,557"'], [], 2,
             ['{canonical: {decimalChar: ",", groupChar: " "}}', '{canonical: {groupChar: ","}}']),
            ({"type": "date"}, ["01/02/2024", "03/04/2024"], [], 2,
             ['{canonical: {from: ["%d/%m/%Y"]}}', '{canonical: {from: ["%m/%d/%Y"]}}']),
            # Both formats occur, so the format of 01/02/2024 is ambiguous.
            ({"type": "date"}, ["01/02/2024", "03/04/2024", "31/12/2024", "12/31/2024"],
             ['fixes 2 of 4 repair: [{canonical: {from: ["%d/%m/%Y", "%m/%d/%Y"]}}]'], 2,
             ['{canonical: {from: ["%d/%m/%Y"]}}', '{canonical: {from: ["%m/%d/%Y"]}}']),
        ]:
            with self.subTest(values):
                self.assertEqual(self.suggestions({"name": "d", **field}, values), recommended)
                warning = "  values with two readings: no repair is recommended for 2 values of d\n"
                error = self.assay("check", "t.csv", "-r", "rules.json", status=1).err
                self.assertIn(warning + "".join(f"    repair: [{reading}]\n" for reading in readings), error)
                error = self.assay("check", "t.csv", "-r", "rules.json", "--show-values", status=1).err
                self.assertRegex(error, rf"{warning}    [\d/,\"]+ → [\d.\"-]+ +repair: ")

    def test_unchecked_records_are_not_clean(self):
        """Repairing values outside the sample does not count as a change of clean values."""
        values = ['"123,5"' if number % 4 == 0 else "1.5" for number in range(4_000)]
        rules = self.rules({"name": "n", "type": "number"})
        self.write("s.csv", "id,n\n" + "".join(f"{number},{value}\n" for number, value in enumerate(values)))
        error = self.assay("check", "s.csv", "-r", rules, "--sample", "50%", "--seed", "3", status=1).err
        self.assertRegex(error, r"repairs to add(.|\n)* fixes (\d+) of \2 ")

    def test_long_clean_records_are_tried(self):
        rules = self.rules({"name": "n", "type": "number"})
        self.write("s.csv", "t,n\n" + f"{'x' * 70_000},1.234\n" * 12 + 'y,"1,5"\n' * 5)
        error = self.assay("check", "s.csv", "-r", rules, status=1).err
        self.assertIn("changes 12 clean values", error)
        # Examples are truncated.
        self.rules({"name": "n", "constraints": {"pattern": "(Q )*x?|a"}})
        self.write("t.csv", "n\n" + f"{'Q ' * 20_000}x\n" * 10 + "A\n" * 5)
        self.assertLess(len(self.assay("check", "t.csv", "-r", "rules.json", "--show-values", status=1).err), 10_000)

    def test_repairs_that_would_change_clean_values(self):
        """Assay shows them with the reason and does not recommend them."""
        number, semicolon = {"name": "n",
                             "type": "number"}, '{{canonical: {{decimalChar: ",", groupChar: "{}"}}}}'.format
        states = {"name": "n", "constraints": {"enum": ["a", "B"]}}
        countries = {"name": "n", "constraints": {"enum": ["DE", "FR"]}}
        signs = {"name": "n", "constraints": {"enum": ["+", "x"]}}
        for field, values, recommended, withheld, reason in [
            (number, ["1.231", "1.232", '"1,5"', '"2,5"', '"1.234,5"'],
             ["fixes 2 of 3 repair: [" + semicolon(" ") + "]"],
             "fixes 3 of 3 repair: [" + semicolon(".") + "]", "changes 2 clean values, such as 1.231 → 1231"),
            (states, ["B"] * 4 + ["A"] * 2, [], "fixes 2 of 2 repair: [lower]",
             "makes 4 clean records rejected, such as B → b"),
            ({"name": "n", "constraints": {"maxLength": 3}}, [" x", "  ab", "y"], [], "fixes 1 of 1 repair: [trim]",
             "changes 1 clean value, such as  x → x"),
            (countries, ["DE", "NA", "N/A"], ["fixes 1 of 2 repair: [{missing: [\"N/A\"]}]"],
             'fixes 1 of 2 repair: [{missing: ["NA"]}]', "right only if the column never has NA as a value"),
            (signs, ["+", "-"], [], 'fixes 1 of 1 repair: [{missing: ["-"]}]',
             "right only if the column never has - as a value"),
        ]:
            with self.subTest(values):
                found = self.suggestions(field, values)
                self.assertEqual(found[:len(recommended)], recommended)
                self.assertIn(withheld, found[len(recommended):])
                error = self.assay("check", "t.csv", "-r", "rules.json", "--show-values", status=1).err
                self.assertIn(
                    "\n  repairs that are not recommended: each may be wrong for other values\n", error)
                self.assertIn(f"\n      {reason}\n", error)
                error = self.assay("check", "t.csv", "-r", "rules.json", status=1).err
                self.assertIn(f"\n      {reason.split(', such')[0]}\n", error)
        # A number has only one meaning, and a text that is not an address cannot be a valid value.
        for field in number, {"name": "n", "format": "email"}:
            self.assertEqual(
                self.suggestions(field, ["NA", "-"]), ['fixes 2 of 2 repair: [{missing: ["NA", "-"]}]'])

    def test_a_maximum_decides_about_years_of_two_digits(self):
        field = {"name": "d", "type": "date", "repair": [{"canonical": {"from": ["%d.%m.%y"]}}]}
        self.write("t.csv", "d\n01.02.68\n01.02.69\n01.02.05\n")
        for constraints, clean in [({}, "2068-02-01\n1969-02-01\n2005-02-01\n"),
                                   ({"maximum": "2025-12-31"}, "1969-02-01\n2005-02-01\n")]:
            self.write_rules({"fields": [{**field, "constraints": constraints}]})
            self.clean("t.csv", status=0)
            self.assertEqual(self.read("t.clean.csv").decode(), "d\n" + clean)

    def test_clean_values_are_from_the_complete_file(self):
        """There are more clean values than Assay keeps. The sample must not depend on the number of threads."""
        self.suggestions({"name": "n", "type": "number"}, ['"1,5"'] * 3 + [12345] * 300_000 + ["1.231"] * 30_000)
        lines = [
            self.assay("check", "t.csv", "-r", "rules.json", "--threads", threads, status=1).err.splitlines()
            for threads in ("1", "3")]
        counts = [[line for line in each if "clean values" in line] for each in lines]
        self.assertRegex(counts[0][0], r"^      changes [\d,]+ clean values$")
        self.assertEqual(counts[0], counts[1])

    def test_leading_zero_means_decimals_not_groups(self):
        values = ['"0,437"', '"0,125"', '"-0,123"']
        self.assertEqual(
            self.suggestions({"name": "n", "type": "number"}, values),
            [f'fixes 3 of 3 repair: [{{canonical: {{decimalChar: ",", groupChar: "{group}"}}}}]'
             for group in (".", " ")])
        self.assertEqual(self.suggestions({"name": "n", "type": "integer"}, values), [])

    def test_points_separate_groups_of_integers(self):
        self.assertEqual(
            self.suggestions({"name": "n", "type": "integer"}, ["1.234.567", "12.345", "0.500"]),
            ['fixes 2 of 3 repair: [{canonical: {groupChar: "."}}]'])
        self.write_rules({"fields": [{"name": "n", "type": "integer", "repair": [{"canonical": {"groupChar": "."}}]}]})
        self.write("t.csv", "n\n1.234.567\n-12.345\n7\n0.500\n")
        self.clean("t.csv", status=0)
        self.assertEqual(self.read("t.clean.csv").decode(), "n\n1234567\n-12345\n7\n")

    def test_ten_columns_are_tried(self):
        for columns, saved in (10, 2), (11, 0):
            self.write_rules(
                {"fields": [{"name": f"c{each}", "constraints": {"enum": ["x"]}} for each in range(columns)]})
            names = ",".join(f"c{each}" for each in range(columns))
            self.write("t.csv", names + "\n" + (",".join([" x"] * columns) + "\n") * 2)
            outcome = self.assay("check", "t.csv", "-r", "rules.json", status=1)
            self.assertIn(
                f"  repairs to add: with the first of each column {saved} of the 2 rejected records would pass\n",
                outcome.err)

    # Quoting

    def test_quotes_only_where_they_must_be(self):
        rules = {"fields": [{"name": "a", "repair": [{"map": {
            "comma": "x,y", "quote": 'x"y', "line": "x\ny", "space": " x ", "empty": "", "same": "same",
            "tab": "x\ty"}}]},
            {"name": "b"}]}
        self.write_rules(rules)
        values = ["comma", "quote", "line", "space", "empty", "same", "tab"]
        self.write("t.csv", "a,b\n" + "".join(f'{value},1\n"{value}",2\n' for value in values))
        self.clean("t.csv")
        self.assertEqual(
            self.read("t.clean.csv").decode(),
            'a,b\n"x,y",1\n"x,y",2\n"x""y",1\n"x""y",2\n"x\ny",1\n"x\ny",2\n x ,1\n" x ",2\n,1\n,2\nsame,1\n"same",2\n'
            'x\ty,1\n"x\ty",2\n')

    def test_a_value_that_a_dialect_cannot_write_stays(self):
        rules = {"fields": [{"name": "a", "constraints": {"enum": ["x;y", "ok"]},
                             "repair": [{"map": {"1": "x;y", "2": "ok"}}]}],
                             "dialect": {"delimiter": ";", "quoteChar": None}}
        self.write_rules(rules)
        self.write("t.csv", "a;b\n1;1\n2;2\n")
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv"), b"a;b\nok;2\n")
        self.assertEqual(self.read("t.rejects.csv"), b"a;b\n1;1\n")
        rules["dialect"]["escapeChar"] = "\\"
        self.write_rules(rules)
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv"), b"a;b\nx\\;y;1\nok;2\n")

    def test_one_column_whose_value_is_removed_is_no_blank_line(self):
        self.write_rules({"fields": [{"name": "a", "repair": [{"missing": ["-"]}]}]})
        self.write("t.csv", "a\n-\nx\n-")
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv"), b'a\n""\nx\n""')

    def test_a_default_at_the_end_of_the_file(self):
        self.write_rules({"fields": [{"name": "b", "repair": [{"default": "0"}]}]})
        for end in "", "\n", "\r\n":
            self.write("t.csv", f"a,b\n1,\n2,{end}")
            self.clean("t.csv")
            self.assertEqual(self.read("t.clean.csv").decode(), f"a,b\n1,0\n2,0{end}")

    # Replay

    def replay(self, header, clean, changes, delimiter, newline, rejects):
        """Reconstructs the input from the outputs."""
        by_cell = {(change["record"], change["position"]): change for change in changes}
        lines, number = iter(clean), 0
        records = []
        while True:
            number += 1
            if number in rejects:
                records.append(rejects[number])
                continue
            cells = next(lines, None)
            if cells is None:
                break
            for position in range(1, len(cells) + 1):
                change = by_cell.pop((number, position), None)
                if change:
                    self.assertEqual(cells[position - 1], change["after"])
                    cells[position - 1] = change["before"]
            records.append(delimiter.join(cells) + newline)
        self.assertEqual(by_cell, {})
        return header + "".join(records)

    def test_changes_replayed_backwards_give_the_input_again(self):
        chance = random.Random(25)
        words = ["x", " x", "x ", "N/A", "", "X", "Ä ", "e\u0301", "a  b", "'q'", "1.234,5", "31.12.1999",
                 "1/2/2000", "bad"]
        rules = {"fields": [
            {"name": "a", "repair": ["trim", "collapse", "nfc"]},
            {"name": "b", "constraints": {"maxLength": 9},
             "repair": ["lower", {"missing": ["n/a"]}, {"default": "none"}]},
            {"name": "c", "type": "any", "constraints": {"enum": ["x", "X", "1999-12-31", "q", "a b"]},
             "repair": ["trim", "unquote", "collapse", {"map": {"31.12.1999": "1999-12-31"}}]},
        ]}
        self.write_rules(rules)
        for delimiter, newline, quoted, rows in (",", "\n", 0.3, volume(5_000, 20_000)), (";", "\r\n", 1, 300), (
                "\t", "\n", 0, volume(3_000, 9_000)):
            def cell():
                value = chance.choice(words)
                if chance.random() < quoted or delimiter in value:
                    return '"' + value.replace('"', '""') + '"'
                return value
            records = [[cell(), cell(), cell()] for _ in range(rows)]
            lines = [delimiter.join(record) + newline for record in records]
            header = delimiter.join("abc") + newline
            self.write("t.csv", header + "".join(lines))
            outputs = set()
            for threads in 1, 3:
                self.clean("t.csv", "--changes", "changes.jsonl", "--show-values", "--threads", threads, "--annotate",
                           "--max-findings", 0)
                outputs.add((self.read("t.clean.csv"), self.read("t.rejects.csv"), self.read("changes.jsonl")))
            self.assertEqual(len(outputs), 1)
            clean = self.read("t.clean.csv").decode()
            self.assertTrue(clean.startswith(header))
            rejected = [int(fields(line, delimiter)[-2]) - 1
                        for line in self.read("t.rejects.csv").decode().split(newline)[1:-1]]
            cells = [fields(line, delimiter) for line in clean[len(header):].split(newline)[:-1]]
            again = self.replay(
                header, cells, self.changes(), delimiter, newline, {number: lines[number - 1] for number in rejected})
            self.assertTrue(again == header + "".join(lines))
            # A reader of the clean rows sees the values that Python computes.
            for record in csv.reader(io.StringIO(clean[len(header):]), delimiter=delimiter):
                self.assertEqual(record[0], unicodedata.normalize("NFC", " ".join(record[0].split())))
                self.assertEqual(record[1], record[1].lower())
                self.assertNotIn(record[1], ("n/a", ""))
            self.assertGreater(len(rejected), rows // 10)
            # A second run changes and rejects no values.
            self.write("again.csv", clean)
            self.clean("again.csv", "--changes", "changes.jsonl")
            self.assertTrue(self.read("again.clean.csv").decode() == clean)
            self.assertEqual(self.read("changes.jsonl"), b"")

    @slow
    def test_a_short_rule_does_not_fill_the_memory(self):
        self.write("t.csv", "a,b\n" + "x,1\n" * 3_000)
        self.write("t.jsonl", '{"a":"x","b":["x","x"]}\n' * 3_000)
        message = (
            "repaired values: those of a few thousand records may have 256 MiB together; shorten the texts that "
            "the repairs write, or give the process more memory")
        for table, field, length in ("t.csv", "a", 140_000), ("t.csv", "a", 100_000), ("t.jsonl", "b[]", 60_000):
            with self.subTest(table, field=field, length=length):
                self.write_rules({"fields": [{"name": field, "repair": [{"map": {"x": "\"" * length}}]}]})
                outcome = self.clean(table, status=3)
                self.assertIn(message, outcome.err)
        self.assertEqual([name for name in self.files() if "clean" in name], [])

    def test_combining_marks_in_a_row(self):
        self.write_rules({"fields": [{"name": "a", "repair": ["nfc"]}]})
        values = ["x" + "\u0301" * (count - 1) + "\u0323" for count in (2, 128, 129, 100_000)]
        expected = [unicodedata.normalize("NFC", value) for value in values]
        # U+0F73 has no combining class. It decomposes to two characters that have one, and is not composed again.
        # Python would take quadratic time to sort them.
        self.assertEqual(unicodedata.normalize("NFC", "\u0f73" * 2), "\u0f71" * 2 + "\u0f72" * 2)
        counts = (64, 65, 100_000)
        values += ["\u0f73" * count for count in counts]
        expected += ["\u0f71" * count + "\u0f72" * count for count in counts]
        self.write("t.csv", "a,b\n" + "".join(f"{value},1\n" for value in values))
        self.clean("t.csv")
        self.assertTrue(self.read("t.clean.csv").decode() == "a,b\n" + "".join(f"{value},1\n" for value in expected))

    # Combination with other features

    def test_keys_and_foreign_keys_are_those_of_repaired_values(self):
        self.write("customers.csv", "id\n1\n2\n")
        self.write_rules({"fields": [
            {"name": "id", "repair": ["trim", "lower"], "constraints": {"unique": True}},
            {"name": "customer", "repair": ["trim"]}],
            "foreignKeys": [{"fields": "customer", "reference": {"resource": "customers.csv", "fields": "id"}}]})
        self.write("t.csv", "id,customer\na, 1\nA ,1\nb,3\n b,2 \nc,\n")
        for more in (), ("--memory", "0"):
            with self.subTest(more):
                if more:
                    # Chunks wait in a temporary file together with their repaired values.
                    more = ("--memory", "900K")
                self.clean("t.csv", "--changes", "changes.jsonl", "--show-values", *more)
                self.assertEqual(self.read("t.clean.csv"), b"id,customer\na,1\nb,2\nc,\n")
                self.assertEqual(self.read("t.rejects.csv"), b"id,customer\nA ,1\nb,3\n")
                self.assertEqual([(each["record"], each["column"]) for each in self.changes()],
                                 [(1, "customer"), (4, "id"), (4, "customer")])

    def test_chunks_that_wait(self):
        chance = random.Random(5)
        records = [f"{chance.choice(['', ' '])}{chance.randrange(30_000)},{chance.choice('abAB')}"
                   for _ in range(volume(15_000, 40_000))]
        self.write("t.csv", "id,x\n" + "\n".join(records) + "\n")
        rules = {"fields": [{"name": "id", "type": "integer", "repair": ["trim"]}, {"name": "x", "repair": ["lower"]}],
                 "primaryKey": "id"}
        self.write_rules(rules | {"keep": "none"})
        self.clean("t.csv", "--changes", "changes.jsonl", "--threads", 3)
        times = {}
        for record in records:
            times[record.split(",")[0].strip()] = times.get(record.split(",")[0].strip(), 0) + 1
        clean = [record.strip().lower() for record in records if times[record.split(",")[0].strip()] == 1]
        self.assertTrue(self.read("t.clean.csv").decode() == "id,x\n" + "\n".join(clean) + "\n")
        kept = [record for record in records if times[record.split(",")[0].strip()] == 1]
        self.assertEqual(len(self.changes()), sum((each[0] == " ") + (each[-1] in "AB") for each in kept))

    def test_row_rules_see_repaired_values(self):
        self.write_rules({"fields": [{"name": "a", "type": "integer", "repair": ["trim"]},
                                     {"name": "b", "repair": ["lower"]}],
                          "rows": [{"id": "r", "check": "a > 1 && b == 'x'"}]})
        self.write("t.csv", "a,b\n 2,X\n1,x\n 3 ,y\n")
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv"), b"a,b\n2,x\n")
        self.assertEqual(self.read("t.rejects.csv"), b"a,b\n1,x\n 3 ,y\n")

    def test_packed_encoded_and_several_inputs(self):
        self.write_rules({"fields": [{"name": "a", "repair": ["trim", "upper"]}]})
        self.write("t.csv.gz", gzip.compress("a,b\n ä,1\nx ,2\n".encode("utf-16")))
        self.clean("t.csv.gz", "--output-encoding", "same")
        self.assertEqual(gzip.decompress(self.read("t.clean.csv.gz")).decode("utf-16"), "a,b\nÄ,1\nX,2\n")
        self.write("p1.csv", "a,b\n x,1")
        self.write("p2.csv", "a,b\ny ,2\n")
        self.clean("p1.csv", "p2.csv", "--as-one", "--changes", "changes.jsonl")
        self.assertEqual(self.read("p.clean.csv"), b"a,b\nX,1\nY,2\n")
        self.assertEqual([(each["record"], each["line"], each["input"]) for each in self.changes()],
                         [(1, 2, "p1.csv"), (2, 2, "p2.csv")])

    # JSON Lines

    def test_json_lines(self):
        self.write_rules({"fields": [
            {"name": "name", "repair": ["trim"]},
            {"name": "a.born", "type": "date", "repair": [{"canonical": {"from": ["%d.%m.%Y"]}}]},
            {"name": "n", "type": "number", "repair": [{"default": "0"}]},
            {"name": "state", "repair": [{"missing": ["N/A"]}]},
            {"name": "tags[]", "repair": ["trim", "lower"]}]})
        self.write(
            "t.jsonl",
            '{"name":" A\\"\\u0041 ", "a": {"born":"31.12.1999"},"n":1.50,"state":"N/A","tags":[" A ","b", "C"]}\n'
            '{"state":"new","n":null,"name":"x\\ty","tags":[]}\n{"n":"1","name":" y"}\n')
        self.clean("t.jsonl", "--changes", "changes.jsonl", "--show-values")
        self.assertEqual(
            self.read("t.clean.jsonl").decode(),
            '{"name":"A\\"A", "a": {"born":"1999-12-31"},"n":1.50,"state":null,"tags":["a","b", "c"]}\n'
            '{"state":"new","n":0,"name":"x\\ty","tags":[]}\n')
        self.assertEqual(self.read("t.rejects.jsonl"), b'{"n":"1","name":" y"}\n')
        self.assertEqual(
            [(each["record"], each["column"], each["before"], each["after"]) for each in self.changes()],
            [(1, "name", '" A\\"\\u0041 "', '"A\\"A"'), (1, "a.born", '"31.12.1999"', '"1999-12-31"'),
             (1, "state", '"N/A"', "null"), (1, "tags[]", '" A "', '"a"'), (1, "tags[]", '"C"', '"c"'),
             (2, "n", "null", "0")])

    def test_two_long_lists_of_one_record(self):
        count = volume(15_000, 150_000)
        self.write_rules({"fields": [{"name": name, "repair": ["trim"]} for name in ("b[]", "a[]")]})
        line = '{"a":[%s],"b":[%s]}\n'
        self.write("t.jsonl", line % (",".join(['" x"'] * count), ",".join(['"y "'] * count)))
        self.clean("t.jsonl")
        self.assertTrue(self.read("t.clean.jsonl").decode() == line
                        % (",".join(['"x"'] * count), ",".join(['"y"'] * count)))

    def test_json_lines_of_texts(self):
        self.write_rules({"types": "text", "fields": [
            {"name": "n", "repair": [{"map": {"1": "2", "true": "false", "3": "x"}}]}]})
        self.write("t.jsonl", '{"n":1}\n{"n":true}\n{"n":3}\n{"n":"1"}\n{"n":4}\n')
        self.clean("t.jsonl")
        self.assertEqual(
            self.read("t.clean.jsonl").decode(), '{"n":2}\n{"n":false}\n{"n":"x"}\n{"n":"2"}\n{"n":4}\n')
