"""Repairs of files: reading an output again must give the same values."""

import json

from support import CommandTest


class RepairFileTests(CommandTest):
    def repaired(self, name, text, fields, **more):
        """The clean rows of a table. Asserts that the same rules do not change them again."""
        self.write(name, text)
        self.rules(*fields, **more)
        ending = name.partition(".")[2]
        self.assay("clean", name, "-r", "rules.json", "--force", "-q")
        clean = self.read(f"{name.partition('.')[0]}.clean.{ending}")
        self.write(f"again.{ending}", clean)
        self.assay("clean", f"again.{ending}", "-r", "rules.json", "--force", "-q", status=0)
        self.assertEqual(self.read(f"again.clean.{ending}"), clean)
        return clean.decode()

    def test_an_absent_member_in_a_list_stays_absent(self):
        fields = [{"name": "os[].k", "repair": ["trim", {"default": "D"}]}]
        lines = '{"os":[{"z":1},{},{"k":null},{"k":" v"}]}\n{"os":[]}\n{}\n'
        self.assertEqual(
            self.repaired("t.jsonl", lines, fields), '{"os":[{"z":1},{},{"k":"D"},{"k":"v"}]}\n{"os":[]}\n{}\n')

    def test_strict_types_of_json_are_kept(self):
        fields = [
            {"name": "i", "type": "integer", "repair": [{"map": {"1": "+1", "2": "3"}}, {"default": "007"}]},
            {"name": "b", "type": "boolean", "repair": [{"map": {"false": "FALSE"}}, {"default": "true"}]},
            {"name": "n", "type": "number",
             "repair": [{"map": {"1": "NaN", "2": "2.5"}}, {"replace": "^9$", "with": ""}]},
            {"name": "y", "type": "year", "repair": [{"default": "2020"}]},
        ]
        lines = '{"i":1}\n{"i":2}\n{"i":null}\n{"b":false}\n{"b":null}\n{"n":1}\n{"n":2}\n{"n":9}\n{"y":null}\n'
        self.assertEqual(
            self.repaired("t.jsonl", lines, fields),
            '{"i":1}\n{"i":3}\n{"i":null}\n{"b":false}\n{"b":true}\n{"n":1}\n{"n":2.5}\n{"n":null}\n{"y":"2020"}\n')

    def test_only_the_first_field_begins_a_comment(self):
        fields = [{"name": name, "repair": ["upper"]} for name in ("a", "b")]
        self.assertEqual(
            self.repaired(
                "t.csv", "a,b\nx,#c\n", fields, dialect={"delimiter": ",", "quoteChar": "none", "commentChar": "#"}),
            "a,b\nX,#C\n")

    def suggestions(self, text, *options):
        """The repairs that `check` suggests."""
        self.write("t.csv", text)
        self.rules({"name": "id", "type": "integer"})
        lines = self.assay("check", "t.csv", "-r", "rules.json", *options, status=1).err.splitlines()
        start = next(number for number, line in enumerate(lines) if line.startswith("  repairs to add"))
        return [" ".join(line.split()) for line in lines[start:lines.index("", start)]]

    def test_repairs_are_tried_below_skipped_lines_and_without_a_header(self):
        expected = [
            "repairs to add: with the first of each column 2 of the 3 rejected records would pass",
            "id fixes 2 of 2 repair: [trim]", "id fixes 2 of 2 repair: [canonical]",
        ]
        self.assertEqual(self.suggestions("junk\nid,n\n1\n 2,a\n3,b\n 4,c", "--skip", "1"), expected)
        self.assertEqual(self.suggestions("0,z\n1\n 2,a\n3,b\n 4,c", "--no-header"), expected)
        self.assertEqual(
            self.suggestions("id,n\n 2,a\n 4,c"),
            ["repairs to add: with the first of each column 2 of the 2 rejected records would pass"] + expected[1:])

    def test_a_table_that_is_referred_to_is_read_as_it_is(self):
        self.write("other.csv", "k,n\n x,1\nY,2\n,3\n")
        self.write("t.csv", "a\nx\n y\n\"\"\n")
        self.rules(
            {"name": "a", "repair": ["trim", "upper", {"default": "Z"}]},
            foreignKeys=[{"fields": "a", "reference": {"resource": "other.csv", "fields": "k"}}])
        self.assay("clean", "t.csv", "-r", "rules.json", "-q", status=0)
        self.assertEqual(self.read("t.clean.csv"), b"a\nY\n")

    def test_members_in_any_order(self):
        fields = [{"name": name, "repair": ["trim"]} for name in ("i", "b", "l[]")]
        self.assertEqual(
            self.repaired("t.jsonl", '{"l":[" x"]}\n{"b":" 1","i":" 2"}\n', fields), '{"l":["x"]}\n{"b":"1","i":"2"}\n')

    def test_a_file_of_changes_has_a_header_without_repairs(self):
        self.write("t.csv", "a\n x\n")
        self.rules("a")
        self.assay("clean", "t.csv", "-r", "rules.json", "-q", "--changes", "c.csv", status=0)
        self.assertEqual(self.read("c.csv"), b"record,line,offset,column,position,repairs\n")
        outcome = self.assay("clean", "t.csv", "-r", "rules.json", "--force", "--changes", "c.parquet", status=2)
        self.assertEqual(
            outcome.err,
            "assay: error: changes are written as JSON lines or as CSV, and c.parquet has the ending of another "
            "format\n"
            "  hint: use a name that ends in .jsonl or .csv, and convert the file to parquet afterwards\n")

    def test_values_that_would_change_again_are_counted(self):
        self.write("t.csv", "a\n'x'\n 'a'\n 'b'\ny\n")
        self.rules({"name": "a", "repair": ["unquote", "trim"], "constraints": {"maxLength": 3}})
        outcome = self.assay("clean", "t.csv", "-r", "rules.json", "--report", "report.json", status=0)
        self.assertIn(
            "\n  repaired cells of clean records: 1\n    a unquote                                     1\n"
            "\n  left unchanged: their repairs would change them a second time\n"
            "    a                                             2\n", outcome.err)
        self.assertEqual(self.read("t.clean.csv"), b"a\nx\ny\n")
        column = json.loads(self.read("report.json"))["columns"][0]
        self.assertEqual(column["repairs"], [{"name": "unquote", "changed": 1}, {"name": "trim", "changed": 0}])
        self.assertEqual(column["unsettled"], 2)

    def test_elements_that_would_change_again_are_counted(self):
        self.write("t.jsonl", '{"l":["\'x\'"," \'y\'"],"a":" \'z\'"}\n{"l":[" \'y\'"]}\n')
        self.rules({"name": "a", "repair": ["unquote", "trim"]}, {"name": "l[]", "repair": ["unquote", "trim"]})
        self.assay("clean", "t.jsonl", "-r", "rules.json", "-q", "--report", "report.json", status=0)
        counts = {column["name"]: column["unsettled"] for column in json.loads(self.read("report.json"))["columns"]}
        self.assertEqual(counts, {"a": 1, "l[]": 2})

    def test_a_field_does_not_become_longer_than_fields_may_be(self):
        for value, limit, expected in (
            ("x", 6, "abcd"), ("x", 5, "x"), ("y", 7, '"a,b"'), ("y", 5, '"a,b"'), ("y", 4, "y"),
            ('"x"', 6, '"abcd"'), ('"x"', 5, '"x"'), ('"efgh"', 6, '"EFGH"'), ("efgh", 4, "EFGH"),
        ):
            with self.subTest(value, limit=limit):
                repair = [{"map": {"x": "abcd", "y": "a,b", "efgh": "EFGH"}}]
                self.assertEqual(
                    self.repaired(
                        "t.csv", f"k,v\n{value},1\n", [{"name": "k", "repair": repair}], limits={"field-bytes": limit}),
                    f"k,v\n{expected},1\n")

    def test_findings_on_elements_are_about_repaired_values(self):
        self.write("t.jsonl", '{"a":" ann","l":[" ann","Bob "," x@y "]}\n')
        self.rules(
            {"name": "a", "format": "email", "repair": ["trim"]},
            {"name": "l[]", "format": "email", "repair": ["trim"]})
        self.assay("clean", "t.jsonl", "-r", "rules.json", "-q", "--findings", "f.jsonl", "--show-values", status=0)
        found = [json.loads(line) for line in self.read("f.jsonl").decode().splitlines()]
        self.assertEqual(
            [(finding["column"], finding["message"].partition(":")[0], finding["value"]) for finding in found],
            [("a", "is not an e-mail address", "ann"), ("l[0]", "is not an e-mail address", "ann"),
             ("l[1]", "is not an e-mail address", "Bob"), ("l[2]", "is not an e-mail address", "x@y")])
