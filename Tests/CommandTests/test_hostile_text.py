"""Untrusted text must not reach a terminal unescaped: names of files and columns, rules, values and options, in every
command.

A terminal obeys escape sequences (CWE-150), and controls of the writing direction disguise text (CVE-2021-42574).
"""

import json
import os
import pty
import re
import shlex
import subprocess

from support import ASSAY, PATIENCE, CommandTest, environment, slow, volume

# C0, DEL, C1, line separators, zero-width characters, bidi controls including deprecated ones, annotations, tags.
SIGNS = "\x07\x08\x0d\x1b\x7f\x9b\u061c\u200b\u200e\u2028\u202e\u2066\u206a\u206f\ufeff\ufff9\u180e\U000e0041"
EVIL = f"\x1b]0;pwned\x07\x1b[2J\x9b31m{SIGNS}x"
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-"
                     "\ufffb\u180e\U000e0000-\U000e007f]")


class HostileTest(CommandTest):
    def assert_no_harm(self, *arguments, **more):
        outcome = self.assay(*arguments, **more)
        self.assertIn(outcome.status, (0, 1, 2, 3))
        for text in (outcome.text, outcome.err.replace("\r\x1b[K", "")):
            self.assertEqual(HARMFUL.findall(text), [], text)
        return outcome

    def table(self, name):
        return self.write(name, f'id,"{EVIL}",b\n1,"{EVIL}",x\n2,ok,"{EVIL}"\n2,y\n'.encode())

    def rule_file(self, name):
        return self.write(name, json.dumps({
            "fields": [{"name": "id", "constraints": {"unique": True}},
                       {"name": EVIL, "title": EVIL, "repair": [{"map": {"ok": EVIL}}],
                        "rules": [{"id": f"r.{EVIL}", "pattern": "ok", "message": EVIL}]},
                       {"name": "b", "constraints": {"enum": ["x", EVIL]}}],
            "rows": [{"id": f"row.{EVIL}", "check": "id != '2'", "message": EVIL}],
            "thresholds": {"columns": {EVIL: "0%"}, "rules": {f"r.{EVIL}": 0}},
        }))


class CommandTests(HostileTest):
    def test_every_command_on_hostile_tables_and_rules(self):
        table, rules = self.table(f"{EVIL}.csv"), self.rule_file(f"{EVIL}.yaml")
        other = self.rules("id", name="other.json")
        for arguments in (
            ["check", table], ["check", table, "-r", rules],
            ["check", table, "-r", rules, "--show-values", "--repair-preview"],
            ["check", table, "-r", rules, "--no-repair", "--stop-after", "1"], ["clean", table, "-r", rules, "--force"],
            ["check", table, "-r", rules, "--progress", "always"],
            ["clean", table, "-r", rules, "--guard-formulas", "--annotate", "--force", "--show-values"],
            ["diff", other, rules, table], ["diff", other, rules, table, "--show-values"],
            ["diff", rules, other, table, "--json"],
            ["diff", other, rules, table, "--show-values", "--json"],
            ["diff", other, rules, table, "--progress", "always"],
            ["diff", rules, f"no {EVIL}", table], ["diff", rules, other, f"no {EVIL}"],
            ["profile", table], ["profile", table, "--show-values"], ["profile", table, "--json", "--show-values"],
            ["init", table], ["infer", table], ["rules", "check", rules], ["explain", "--rules", rules],
            ["explain", "--rules", rules, f"row.{EVIL}"], ["explain", "--rules", rules, f"no {EVIL}"],
            ["bench", table, "--rules", rules], ["types", EVIL], ["types", "email", "--try", EVIL],
        ):
            with self.subTest(arguments):
                self.assert_no_harm(*arguments)

    def test_every_byte_in_cells(self):
        """This includes decoded bytes, and bytes that are not UTF-8."""
        every = [bytes([byte]) for byte in range(256)]
        rows = [b'"x%sy"' % (byte if byte != b'"' else b'""') for byte in every]
        content = b"id,name,kind\n" + b"".join(b"%d,%s,%s\n" % (row, cell, rows[row // 8])
                                               for row, cell in enumerate(rows))
        self.write("raw.csv", content)
        self.write("utf8.csv", b"id,name,kind\n" + b"".join(
            f'{code},"x{chr(code)}y","{chr(code // 8)}"\n'.encode() for code in range(256) if chr(code) != '"'))
        rules = self.rules(
            {"name": "id", "constraints": {"unique": True}},
            {"name": "name", "repair": ["trim"], "rules": [{"id": "never", "pattern": "[^x]*"}]},
            {"name": "kind", "constraints": {"maxLength": 1}})
        other = self.rules("id", "name", name="other.json")
        encodings = volume(["windows-1252", "IBM437"], ["windows-1252", "ISO-8859-1", "IBM437", "KOI8-R", "macintosh",
                                                        "Shift_JIS", "GB18030", "UTF-16LE"])
        for table, flags in [("raw.csv", []), ("utf8.csv", [])] + [("raw.csv", ["--encoding", name])
                                                                   for name in encodings]:
            for arguments in (
                ["check", table, "-r", rules, "--show-values"],
                ["check", table, "-r", rules, "--show-values", "--repair-preview"],
                ["check", table, "-r", rules], ["check", table],
                ["clean", table, "-r", rules, "--force", "--show-values"],
                ["diff", other, rules, table, "--show-values"],
                ["diff", other, rules, table, "--show-values", "--json"],
                ["profile", table, "--show-values"], ["profile", table, "--show-values", "--json"], ["infer", table],
                ["init", table], ["bench", table, "--rules", rules],
            ):
                with self.subTest(arguments, flags=flags):
                    self.assert_no_harm(*arguments, *flags)

    def test_columns_that_are_not_there(self):
        table = self.table("t.csv")
        self.write("r.json", json.dumps({"fields": [{"name": f"no {EVIL}"}, {"name": f"{EVIL}y"}]}))
        self.assertEqual(self.assert_no_harm("check", table, "-r", "r.json").status, 2)
        self.assertEqual(self.assert_no_harm("diff", "r.json", "r.json", table).status, 2)

    def test_json_lines(self):
        rows = [{EVIL: {EVIL: [EVIL, 1]}, "b": EVIL}, {"b": 1}]
        self.write("t.jsonl",
                   "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows) + f'{{"{EVIL}": {EVIL}}}\n')
        path = EVIL.replace("[", "\\[").replace("]", "\\]")
        self.write("r.json", json.dumps(
            {"fields": [{"name": f"{path}.{path}[]", "constraints": {"maxLength": 2}}, {"name": "b"}]}))
        for arguments in (["check", "t.jsonl", "-r", "r.json", "--show-values"], ["profile", "t.jsonl"],
                          ["init", "t.jsonl"], ["infer", "t.jsonl"], ["check", "t.jsonl"]):
            with self.subTest(arguments):
                self.assert_no_harm(*arguments)

    def test_data_packages(self):
        self.table("t.csv")
        self.write("datapackage.json", json.dumps({"name": EVIL, "title": EVIL, "resources": [
            {"name": f"t{EVIL}", "path": "t.csv", "profile": "tabular-data-resource", "schema": {"fields": [
                {"name": "id"}, {"name": EVIL}, {"name": "b"}], "foreignKeys": [
                    {"fields": "b", "reference": {"resource": f"u{EVIL}", "fields": "id"}}]}},
            {"name": f"u{EVIL}", "path": f"u{EVIL}.csv", "profile": "tabular-data-resource",
             "schema": {"fields": [{"name": "id"}]}},
            {"name": f"other {EVIL}", "path": f"o{EVIL}.pdf"}]}))
        self.assert_no_harm("check", "datapackage.json")
        self.write(f"u{EVIL}.csv", "id\nx\n")
        self.assert_no_harm("check", "datapackage.json")
        self.assert_no_harm("check", "datapackage.json", "--progress", "always")
        self.assert_no_harm("check", "datapackage.json", "--resource", f"no{EVIL}")

    @slow
    def test_values_of_options(self):
        self.write("t.csv", "a,b\n1,2\n")
        self.rules("a", name="r.json")
        text = self.assay("clean", "--help", status=0).text + self.assay("diff", "--help", status=0).text
        for option in sorted(set(re.findall(r"(--[\w-]+) <", text)) | {"--sample", "--seed"}):
            for command in (["clean", "t.csv", "-r", "r.json"], ["check", "t.csv"],
                            ["diff", "r.json", "r.json", "t.csv"]):
                with self.subTest(command=command[0], option=option):
                    self.assert_no_harm(*command, option, EVIL)
                    self.assert_no_harm(*command, f"{option}={EVIL}")


class CombiningTests(CommandTest):
    """In Swift, U+0301 and the preceding character form a single Character, but other programs treat them as two."""

    def test_commands_that_are_suggested(self):
        for name in ("a'\u0301;touch pwned;'\u0301.csv", "-\u0301x.csv", "'\u0301$(touch pwned)'\u0301.csv"):
            with self.subTest(name):
                self.write(name, "a,b;c\n1,2;3\n")
                error = self.assay("check", f"./{name}", status=2).err
                command = error.split("  try:\n")[1].splitlines()[0].strip()
                self.shell(command, status=0)
                self.assertFalse(self.path("pwned").exists())
                if name.startswith("-"):
                    error = self.assay("check", name, status=2).err
                    self.assertIn(f"assay check './{name}'", error)

    def test_query_of_another_program(self):
        name = "a'\u0301b.parquet"
        self.write(name, b"PAR1\x15\x00\x15\x80" + bytes(100) + b"PAR1")
        command = self.assay("check", name, status=2).err.split("  try:\n")[1].splitlines()[0].strip()
        words = shlex.split(command)
        self.assertEqual(words[0], "duckdb")
        self.assertIn("read_parquet('a''\u0301b.parquet')", words[2])

    def test_rules_that_are_written(self):
        name, word = "it'\u0301s", "o'\u0301k"
        self.write("c.csv", f"id,{name},d\n" + "".join(f"{n},{word if n % 2 else 'no'},x\n" for n in range(60)))
        for command in ("init", "infer"):
            with self.subTest(command):
                self.write("r.yaml", self.assay(command, "c.csv", status=0).text)
                self.assay("rules", "check", "r.yaml", status=0)
                self.assay("check", "c.csv", "-r", "r.yaml", status=0)
        self.assertIn(word.replace("'", "''"), self.read("r.yaml").decode())

    def test_outputs_are_in_their_directory(self):
        self.write("d/\u0301x.csv", "a\n1\n")
        self.assay("clean", "d/\u0301x.csv", "-r", self.rules("a"), "-q", status=0)
        self.assertEqual(self.read("d/\u0301x.clean.csv"), b"a\n1\n")
        self.assay("clean", "d/\u0301x.csv", "-r", "rules.json", "-q", "--output-dir", "d", "--force", status=0)

    def test_items_of_lists(self):
        rules = {"name": "a", "type": "list", "constraints": {"enum": [["p,\u0301q"]]}}
        self.write("t.csv", "a\nx\n")
        error = self.assay("check", "t.csv", "-r", self.rules(rules), status=2).err
        self.assertIn("contains the delimiter of the list", error)


class TerminalTests(HostileTest):
    def test_on_a_terminal(self):
        """Colours and the progress bar are Assay's own controls; the output must not contain others."""
        table, rules = self.table(f"{EVIL}.csv"), self.rule_file("r.json")
        self.write("other.json", json.dumps({"fields": [{"name": "id"}]}))
        for arguments in (["check", table, "-r", rules, "--show-values", "--repair-preview"],
                          ["diff", "other.json", rules, table, "--show-values"],
                          ["profile", table, "--show-values"], ["bench", table, "--rules", rules]):
            reading, terminal = pty.openpty()
            process = subprocess.Popen([ASSAY, *arguments], cwd=self.directory, stdin=subprocess.DEVNULL,
                                       stdout=terminal, stderr=terminal, env=environment(TERM="xterm"))
            os.close(terminal)
            output = b""
            while True:
                try:
                    part = os.read(reading, 65_536)
                except OSError:
                    break
                if not part:
                    break
                output += part
            os.close(reading)
            process.wait(PATIENCE)
            text = re.sub(r"\x1b\[(?:0|1|2|31|32|33)m|\r\x1b\[K|\r(?=\n)", "", output.decode())
            self.assertEqual(HARMFUL.findall(text), [], text)
