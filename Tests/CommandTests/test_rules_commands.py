"""`init`, `rules check`, `explain`: the commands about rules."""

import json
import re
import unittest

from support import EXAMPLES, CommandTest, csv_rows, slow, volume


class InitTests(CommandTest):
    HEADERS = [
        "id,email,full name",
        '"quoted","with, comma","with ""quotes"""',
        "ünï,日本,имя,😀",
        "NO,yes,on,null,~,true,007,1.5,1e3,2024-01-01",
        "- dash,# hash,: colon,a: b,[x],{y},*alias,&anchor,!tag,%percent,@at,`tick`,'single',|pipe,>fold,?q",
        ' leading, trailing ,"line\nfeed","tab\there",back\\slash',
        ",empty",
        "x",
        "name,fields,constraints,rules",
    ]

    @slow
    def test_round_trip(self):
        """The skeleton must be a valid rule file that its table passes, for any column names."""
        for header in self.HEADERS:
            for mark in ("", "\ufeff"):
                with self.subTest(header=header, mark=bool(mark)):
                    names = csv_rows(header.encode())[0]
                    row = ",".join(f"v{number}" for number in range(len(names)))
                    self.write("users.csv", f"{mark}{header}\r\n{row}\r\n")
                    rules = self.assay("init", "users.csv", status=0)
                    self.assertEqual(rules.error_bytes, b"")
                    self.write("users.rules.yaml", rules.out)
                    self.assay("rules", "check", "users.rules.yaml", status=0)
                    self.assay("clean", "users.csv", "--rules", "users.rules.yaml", "--force", status=0)
                    self.assertEqual(self.read("users.clean.csv"), self.read("users.csv"))

    def test_every_column_is_there(self):
        self.write("users.csv", "id,email,full name\n")
        text = self.assay("init", "users.csv", status=0).text
        for name in ("id", "email", "full name"):
            self.assertIn(f"name: {name}\n", text)

    def test_no_values_in_it(self):
        self.write("users.csv", "a,b\nSECRET,SECRET\n")
        self.assertNotIn("SECRET", self.assay("init", "users.csv", status=0).text)

    def test_other_delimiters_are_kept(self):
        for delimiter, spelled in ((";", "';'"), ("|", "'|'"), ("\t", "tab")):
            with self.subTest(delimiter):
                self.write("users.csv", f"a{delimiter}b\n1{delimiter}2\n")
                found = self.assay("init", "users.csv", status=0).text
                self.assertIn(f"\ndialect:\n  delimiter: {spelled}\n", found)
                self.assertEqual(self.assay("init", "users.csv", "--delimiter", delimiter, status=0).text, found)
                self.write("r.yaml", found)
                self.assay("clean", "users.csv", "--rules", "r.yaml", "--force", status=0)
                self.assertEqual(self.read("users.clean.csv"), self.read("users.csv"))
        self.write("users.csv", "a,b\n1,2\n")
        self.assertNotIn("dialect", self.assay("init", "users.csv", status=0).text)
        self.write("users.tsv", "a\tb\n1\t2\n")
        self.write("t.yaml", self.assay("init", "users.tsv", status=0).out)
        self.assay("clean", "users.tsv", "--rules", "t.yaml", "--output-dir", ".", "--report", "x", "--findings", "y",
                   status=0)

    def test_duplicate_names(self):
        """A rule for a duplicate name could not work, so the skeleton must omit it or report it."""
        self.write("users.csv", "a,b,a\n1,2,3\n")
        outcome = self.assay("init", "users.csv")
        if outcome.status == 0:
            self.write("r.yaml", outcome.out)
            self.assay("rules", "check", "r.yaml", status=0)
            self.assay("clean", "users.csv", "--rules", "r.yaml", status=0)
        else:
            self.assertEqual(outcome.status, 2)

    @slow
    def test_values_of_json(self):
        """The skeleton must accept its own input, for any kinds of values."""
        kinds = ["1", '"x"', "true", "null", "{}", "[]", '{"b":1}', '{"":2}', '{"b":{"c":"x"}}', "[1]", "[[2]]",
                 '[{"b":1},3]', "[[[[[1]]]]]"]
        cases = [[f'{{"id":{n},"name":"x"}}' for n in range(9)], ['{"":{"z":1},"b":2}', '{"":[1]}', '{"":3}'],
                 ['{"a.b":1,"a":{"b":2},"x[]":[3]}']]
        cases += [[f'{{"a":{one}}}', f'{{"a":{other},"b":1}}'] for one in kinds for other in kinds]
        # Every eighth case, which still covers each kind of value in both positions, because there are 13 kinds.
        for lines in volume(cases[::8], cases):
            with self.subTest(lines):
                self.write("t.jsonl", "\n".join(lines) + "\n")
                self.write("r.yaml", self.assay("init", "t.jsonl", status=0).out)
                self.assay("check", "t.jsonl", "--rules", "r.yaml", status=0)

    def test_paths_of_json_without_a_rule(self):
        self.write("t.jsonl", '{"a":1,"b":{"":1},"c":1}\n{"a":[2],"c":"x"}\n')
        text = self.assay("init", "t.jsonl", status=0).text
        self.assertTrue(text.endswith("""\
# Values that no path can name are left out, the first in record 1.
fields:
  # - name: a  # of several kinds: a rule for one would refuse the others
  - name: c
    type: any
    # constraints: {required: true}
  # - name: 'a[]'  # of several kinds: a rule for one would refuse the others
"""), text)

    def test_a_long_first_line_of_json(self):
        self.write("t.jsonl", '{"id":1,"text":"' + "x" * 70_000 + '","last":2}\n{"id":2}\n')
        self.assertIn("  - name: last\n", self.assay("init", "t.jsonl", status=0).text)

    def test_standard_input(self):
        self.assertIn("name: a", self.assay("init", "-", stdin=b"a,b\n1,2\n", status=0).text)

    def test_the_example(self):
        self.write("r.yaml", self.assay("init", EXAMPLES / "users.csv", status=0).out)
        self.assay("rules", "check", "r.yaml", status=0)
        self.assay("check", EXAMPLES / "users.csv", "--rules", "r.yaml", status=1)

    def test_empty_input_at_first(self):
        self.write("empty.csv", b"")
        error = self.assay("init", "empty.csv", status=2).err
        self.assertNotIn("--no-header", error, "it has no such option")
        self.assertIn("hint: a skeleton needs the names of the columns", error)
        self.assay("init", "nowhere.csv", status=2)

    def test_limits(self):
        self.write("wide.csv", ",".join(f"c{n}" for n in range(20_000)) + "\n")
        self.assertIn("raise it with --limit columns=20000", self.assay("init", "wide.csv", status=2).err)
        self.assay("init", "wide.csv", "--limit", "columns=20000", status=0)


class RulesCheckTests(CommandTest):
    def test_good(self):
        for name in ("users.rules.yaml", "users.rules.json", "schema.table-schema.json"):
            outcome = self.assay("rules", "check", EXAMPLES / name, status=0)
            self.assertIn(name, outcome.text)
            self.assertEqual(self.assay("rules", "check", "--quiet", EXAMPLES / name, status=0).out, b"")

    def test_benchmark_rules(self):
        self.assay("rules", "check", EXAMPLES.parent / "Benchmarks" / "export.rules.yaml", status=0)

    # Each mistake is on the line with its number in a comment.
    MISTAKES = r"""
fieldz: []                                                              # 2 fields
fields:
  - name: a
    constraints: {requird: true}                                        # 5 required
  - name: b
    type: intger                                                        # 7 integer
  - name: c
    constraints: {pattern: '(\d{4}'}                                    # 9 parenthes
  - name: d
    constraints: {minLength: -1}                                        # 11 0 or more
  - name: e
    constraints: {unique: yes}                                          # 13 true
  - name: f
    type: date
    constraints: {minimum: 1990-02-30}                                  # 16 1990-02-30|date
  - name: g
    rules:
      - {pattern: x, severity: warning}                                 # 19 warn
      - {pattern: x, options: [caseInsensitiv]}                         # 20 caseInsensitive
      - {id: h, pattern: x}
      - {id: h, pattern: y}                                             # 22 21
  - name: a                                                             # 23 4
  - name: i
    type: geopoint                                                      # 25 not supported
  - name: j
    constraints: {minLength: 5, maxLength: 2}                           # 27 less
primaryKey: id                                                          # 28 no field
"""

    def test_all_mistakes_at_once_with_their_places(self):
        self.write("bad.yaml", self.MISTAKES)
        outcome = self.assay("rules", "check", "bad.yaml", status=2)
        expected = [(int(line.split("# ")[1].split(" ", 1)[0]), line.split("# ")[1].split(" ", 1)[1])
                    for line in self.MISTAKES.splitlines() if "# " in line]
        lines = [int(line) for line in re.findall(r"(?m)^bad\.yaml:(\d+):\d+: error: ", outcome.err)]
        self.assertEqual(lines, [line for line, _ in expected], outcome.err)
        parts = re.split(r"(?m)^(?=bad\.yaml:\d+:)", outcome.err)[1:]
        for part, (line, word) in zip(parts, expected):
            self.assertRegex(part, word)
            self.assertIn(self.MISTAKES.splitlines()[line - 1].strip()[:20], part, "the line is shown")
            self.assertIn("^", part, "with a caret")

    def test_other_commands_report_the_same(self):
        self.write("bad.yaml", self.MISTAKES)
        self.write("users.csv", "a\n1\n")
        expected = self.assay("rules", "check", "bad.yaml", status=2).err
        self.assertEqual(self.assay("check", "users.csv", "--rules", "bad.yaml", status=2).err, expected)
        self.assertEqual(self.assay("clean", "users.csv", "--rules", "bad.yaml", status=2).err, expected)
        self.assert_no_files_left("bad.yaml", "users.csv")

    def test_place_inside_a_pattern(self):
        """PCRE2's own message, and a caret at its offset."""
        self.write("bad.yaml", "fields:\n  - name: a\n    constraints: {pattern: 'ab[c'}\n")
        outcome = self.assay("rules", "check", "bad.yaml", status=2)
        self.assertIn("missing terminating ] for character class", outcome.err)
        line, caret = outcome.err.splitlines()[1:3]
        self.assertEqual(line[caret.index("^") - 1], "c", outcome.err)

    def test_syntax(self):
        for text in ("fields: [", "fields:\n\t- name: a\n", "{\"fields\": [}", "fields: 'x", "\xff", "a: b: c",
                     "--- x\n--- y\n"):
            with self.subTest(text):
                self.write("bad.yaml", text.encode("latin-1"))
                outcome = self.assay("rules", "check", "bad.yaml", status=2)
                self.assertRegex(outcome.err, r"^bad\.yaml:\d+:\d+: error: ")

    def test_anchors_and_aliases_are_refused(self):
        self.write("bad.yaml", "fields:\n  - &f {name: a}\n  - *f\n")
        outcome = self.assay("rules", "check", "bad.yaml", status=2)
        self.assertEqual(re.findall(r"(?m)^bad\.yaml:(\d+)", outcome.err), ["2", "3"])

    def test_several_files(self):
        self.write("good.json", '{"fields": []}')
        self.write("bad.json", '{"fields": [{}]}')
        outcome = self.assay("rules", "check", "bad.json", "good.json", "nowhere.json", status=2)
        self.assertIn("good.json", outcome.text)
        self.assertIn("bad.json:1:", outcome.err)
        self.assertIn("nowhere.json", outcome.err)

    def test_words_that_differ_only_in_their_bytes(self):
        """A single character, and a letter with a combining mark: Swift's == considers them equal."""
        words = ["s\u00ed", "si\u0301"]
        self.rules({"name": "a", "type": "boolean", "trueValues": words[:1], "falseValues": words[1:]})
        self.assay("rules", "check", "rules.json", status=0)
        self.rules("a", rows=[{"id": word, "check": "a != ''"} for word in words])
        for word in words:
            self.assertEqual(self.assay("explain", "-r", "rules.json", word, status=0).text.count("rule     "), 1)

    def test_a_csv_for_rules(self):
        self.write("users.csv", "a,b\n1,2\n")
        for name in ("users.csv", "users.TSV", "users.jsonl", "users.ndjson", "users.csv.gz", "users.jsonl.zst"):
            self.write(name, "secret: [cell\n")
            for command in (["rules", "check", name], ["rules", "lint", name], ["check", "users.csv", "-r", name],
                            ["clean", "users.csv", "--rules", name], ["bench", "users.csv", "-r", name],
                            ["explain", "-r", name]):
                with self.subTest(command):
                    outcome = self.assay(*command, status=2)
                    self.assertEqual(
                        outcome.err, f"assay: error: {name} is named like a table, not like rules\n"
                        f"  hint: rules are a file of YAML or JSON; to judge the table: assay check {name} --rules "
                        f"FILE\n")
        for name in ("rules", "rules.txt", "rules.yml", "csv", "a.csv.yaml", "a.csv/rules"):
            self.write(name, "fields: []\n")
            self.assay("rules", "check", name, status=0)
        self.write("binary.yaml", bytes(range(256)))
        self.assay("rules", "check", "binary.yaml", status=2)
        self.write("empty.yaml", b"")
        self.assertIn("empty", self.assay("rules", "check", "empty.yaml", status=2).err)

    def test_rules_are_counted_by_their_ids(self):
        for field, count in [
            ("{name: a}", "0 rules"), ("{name: a, format: email}", "1 rule"), ("{name: a, type: integer}", "1 rule"),
            ("{name: a, constraints: {required: true}}", "1 rule"),
            ("{name: a, constraints: {unique: true}}", "1 rule"),
            ("{name: a, format: email, constraints: {required: true, maxLength: 9}, rules: [{pattern: x}]}", "4 rules"),
        ]:
            with self.subTest(field):
                self.write("r.yaml", f"fields: [{field}]")
                text = self.assay("rules", "check", "r.yaml", status=0).text
                self.assertEqual(text, f"r.yaml: good, 1 field and {count}\n")

    def test_scalars_are_words(self):
        """`enum: [NO, 007, on]` contains these three texts."""
        self.write("r.yaml", "fields:\n  - name: a\n    constraints: {enum: [NO, 007, on, 1.0, 'null']}\n")
        self.write("users.csv", "a\nNO\n007\non\n1.0\nnull\nfalse\n7\ntrue\n1\n")
        self.assay("clean", "users.csv", "--rules", "r.yaml", status=0)
        self.assertEqual(self.read("users.clean.csv"), b"a\nNO\n007\non\n1.0\nnull\n")

    def test_never_ignored(self):
        """An unsupported key is an error that names it."""
        for key, text in [
            ("jsonSchema", '{"fields": [{"name": "a", "type": "object", "constraints": {"jsonSchema": {}}}]}'),
            ("geojson", '{"fields": [{"name": "a", "type": "geojson"}]}'),
            ("commentRows", '{"fields": [], "dialect": {"commentRows": [1]}}'),
            ("nullSequence", '{"fields": [], "dialect": {"nullSequence": "NULL"}}'),
            ("doubleQuote", '{"fields": [], "dialect": {"doubleQuote": false}}'),
        ]:
            with self.subTest(key):
                self.write("r.json", text)
                outcome = self.assay("rules", "check", "r.json", status=2)
                self.assertIn(key, outcome.err)
                self.assertIn("not supported", outcome.err)


class BenchTests(CommandTest):
    def test_cost_of_each_rule(self):
        outcome = self.assay("bench", EXAMPLES / "users.csv", "--rules", EXAMPLES / "users.rules.yaml", status=0)
        for rule in ("email.format", "full_name.pattern", "website.public", "country.enum"):
            self.assertIn(rule, outcome.text)
        self.assert_no_files_left()

    def test_required_applies_to_every_record(self):
        self.write("users.csv", "a\n1\n\"\"\n3\n")
        rules = self.rules({"name": "a", "type": "integer", "constraints": {"required": True}})
        rows = {row[0]: row for row in map(str.split,
                                           self.assay("bench", "users.csv", "-r", rules, status=0).text.splitlines())
                if row and row[0].startswith("a.")}
        self.assertEqual({name: row[1:3] for name, row in rows.items()},
                         {"a.required": ["3", "1"], "a.type": ["2", "0"]})
        for row in rows.values():
            self.assertRegex(row[4], r"^[\d,]+\.\d$", "nanoseconds for a value")

    def test_limits(self):
        self.write("wide.csv", ",".join(f"c{n}" for n in range(20_000)) + "\n" + "," * 19_999 + "\n")
        arguments = ["bench", "wide.csv", "-r", self.rules("c0"), "--rounds", "1"]
        self.assertIn("raise it with --limit columns=20000", self.assay(*arguments, status=2).err)
        self.assay(*arguments, "--limit", "columns=20000", status=0)

    def test_unmeasured_rules_are_reported(self):
        self.write("users.csv", "id,note\n1,\n2,\n")
        self.write("rules.json", json.dumps({
            "fields": [{"name": "id", "constraints": {"unique": True}},
                       {"name": "note", "constraints": {"pattern": "a"}}],
            "rows": [{"id": "a-rule-with-a-name-that-is-longer-than-its-column", "check": "size(id) / 0 == 1"}]}))
        text = self.assay("bench", "users.csv", "-r", "rules.json", "--rounds", 1, status=0).text
        self.assertIn("Nor do they include keys (id.unique).", text)
        rows = {line.split()[0]: line.split() for line in text.splitlines() if line.startswith("  ")}
        self.assertEqual(rows["a-rule-with-a-name-that-is-longer-than-its-column"][1:4], ["2", "0", "2"])
        # Without values there is no time to report.
        self.assertEqual(rows["note.pattern"][1:4] + rows["note.pattern"][-3:],
                         ["0", "0", "0", "DFA;", "columns:", "DFA"])
        self.assertEqual(len({len(line.partition(" %")[0]) for line in text.splitlines() if line.startswith("  ")}), 2)

    def test_mistakes(self):
        self.assay("bench", status=2)
        self.assay("bench", "nowhere.csv", "--rules", EXAMPLES / "users.rules.yaml", status=2)
        self.write("users.csv", "x,y\n1,2\n")
        self.write("header.csv", "a\n")
        self.assertIn("no records", self.assay("bench", "header.csv", "--rules", self.rules("a"), status=2).err)
        self.assertIn("no column",
                      self.assay("bench", "users.csv", "--rules", EXAMPLES / "users.rules.yaml", status=2).err)


class ExplainTests(CommandTest):
    def test_verdicts(self):
        outcome = self.assay("explain", r"\d{4}-\d{2}", "2024-02", "2024/02", "2024-0", "x2024-02", "2024-02\n",
                             status=None)
        lines = outcome.text.splitlines()
        self.assertRegex(lines[0], r"^pattern +\\d\{4\}-\\d\{2\}$")
        verdicts = [line.split()[0] for line in lines if re.match(r"(pass|fail|undecided)\b", line)]
        self.assertEqual(verdicts, ["pass", "fail", "fail", "fail", "fail"], outcome.text)

    def test_how_far_it_matched(self):
        text = self.assay("explain", r"\d{4}-\d{2}", "2024/02", "äö").text
        lines = text.splitlines()
        index = next(number for number, line in enumerate(lines) if "2024/02" in line)
        self.assertEqual(lines[index + 1].index("^") - lines[index].index("2024"), len("2024"), text)
        text = self.assay("explain", r"(?<=x)y", "z").text
        self.assertIn("not available", text)

    def test_the_caret_is_at_the_terminal_column(self):
        """Wide characters take two columns, combining ones no column. Hidden characters are shown as escapes."""
        for matched, columns in [
            ("2024", 4), ("東京", 4), ("ｶﾅ", 2), ("é", 1), ("e\u0301", 1), ("한글", 4), ("🙂", 2), ("👩‍👩‍👧", 2),
            ("a\u200bb", 8), ("\u202e", 6), ("\t", 2),
        ]:
            with self.subTest(matched):
                lines = self.assay("explain", f"{matched}x", f"{matched}/").text.splitlines()
                index = next(number for number, line in enumerate(lines) if line.startswith("fail"))
                self.assertEqual(lines[index + 1].index("^"), lines[index].index("'") + 1 + columns, "\n".join(lines))
                outcome = self.assay("explain", f"{matched}(", status=2)
                pattern, caret = outcome.err.splitlines()[-2:]
                self.assertEqual(caret.index("^"), 4 + columns + 1, outcome.err)

    def test_options_engine_and_size(self):
        text = self.assay("explain", "ab", "AB", "--case-insensitive").text
        self.assertIn("caseInsensitive", text)
        self.assertRegex(text, r"(?m)^pass .*AB")
        self.assertIn("PCRE2 10.", text)
        self.assertRegex(text, r"JIT, [\d,]+ bytes|interpreter")
        self.assertIn("interpreter: JIT is switched off (PCRE2 10.", self.assay("explain", "ab", "--no-jit").text)
        self.assertRegex(self.assay("explain", "a*" * 4_900).text,
                         "interpreter: (the pattern is too large for|this host)")
        self.assertRegex(self.assay("explain", "b", "abc").text, r"(?m)^fail")
        self.assertRegex(self.assay("explain", "b", "abc", "--search").text, r"(?m)^pass")
        self.assertRegex(self.assay("explain", r"\d+", "١٢").text, r"(?m)^fail")
        self.assertRegex(self.assay("explain", r"\d+", "١٢", "--unicode-classes").text, r"(?m)^pass")

    def test_a_pattern_in_the_words_of_icu(self):
        text = self.assay("explain", "[a-z--[aeiou]]", "b", "a", "--icu-compatible").text
        self.assertIn("pattern  [a-z--[aeiou]]\nPCRE2    (?:(?![aeiou])[a-z])\noptions  icuCompatible\n", text)
        self.assertRegex(text, r"(?m)^pass .*b")
        self.assertRegex(text, r"(?m)^fail .*a")
        outcome = self.assay("explain", "é{,3}", "--icu-compatible", status=2)
        self.assertIn("write {0,n} for up to n at offset 2\n    é{,3}\n     ^", outcome.err)

    def test_undecided(self):
        self.assertRegex(self.assay("explain", r"(a+)+\d\1{0}", "a" * 60).text, r"(?m)^undecided")

    def test_a_pattern_that_does_not_compile(self):
        outcome = self.assay("explain", "ab[c", "x", status=2)
        self.assertIn("missing terminating ]", outcome.err)
        pattern, caret = outcome.err.splitlines()[-2:]
        self.assertEqual(caret.index("^") - pattern.index("ab[c"), 4)


class LintTests(CommandTest):
    """Patterns whose work can explode. The tests check each witness again."""

    RULES = {
        "fields": [
            {"name": "a", "rules": [{"id": str(number), "pattern": pattern} for number, pattern in
                                    enumerate((r"(a+)+\1x", r"(?:a+)+x", r"([a-z]+)=\1"))]},
            {"name": "b", "constraints": {"pattern": r"\d+"}, "repair": [{"replace": r"\s+$", "with": ""}]},
        ],
        "rows": [{"id": "r", "check": r"a.matches('(b*)*\\1c')"}],
    }

    def lint(self, *flags, status, rules=RULES):
        self.write("r.json", json.dumps(rules))
        return self.assay("rules", "lint", "r.json", *flags, status=status)

    def patterns(self):
        return json.loads(self.lint("--json", status=1).text)["files"][0]["patterns"]

    def test_the_findings(self):
        found = [(one["pattern"], one["growth"]) for one in self.patterns()]
        self.assertEqual(found, [
            (r"(a+)+\1x", "exponential"), (r"(?:a+)+x", "linear"), (r"([a-z]+)=\1", "no witness"), (r"\d+", "linear"),
            (r"\s+$", "polynomial"), (r"(b*)*\1c", "exponential")])

    def test_a_witness_is_undecided_from_its_length_on(self):
        """As in a check of a file: with one byte less of the pump, every value has a verdict."""
        one = self.patterns()[0]
        witness = one["witness"]
        fixed = len(witness["prefix"] + witness["suffix"])
        repeats, rest = divmod(witness["undecidedBytes"] - fixed, len(witness["pump"]))
        self.assertEqual(rest, 0)
        for times, verdict in ((repeats - 1, "fail"), (repeats, "undecided")):
            value = witness["prefix"] + witness["pump"] * times + witness["suffix"]
            self.assertRegex(self.assay("explain", one["pattern"], value, status=0).text, f"(?m)^{verdict} ")

    def test_messages(self):
        text = self.lint(status=1).text
        self.assertRegex(text,
                         r"(?m)^r.json:1:\d+: warning: the work of this pattern can grow exponentially with the value$")
        self.assertRegex(text, r"(?m)^     \| ('a+', then )?'a' again and again$")
        self.assertRegex(text, r"(?m)^     \|   \d+ times: [\d,]+ steps$")
        self.assertRegex(text, r"(?m)^     \|   undecided from \d+ bytes$")
        self.assertIn("can grow with the square of the length of the value", text)
        self.assertTrue(text.endswith(
            "r.json: 6 patterns: 3 can explode, 2 linear, 1 by backtracking, with no witness found\n"), text)
        self.assertNotIn("6 patterns", self.lint("--quiet", status=1).text)

    def test_limits_beyond_the_ceiling(self):
        """A rule file that is only examined may exceed the ceilings for rule files that run."""
        rules = {"fields": [{"name": "a", "constraints": {"pattern": "a+"}}], "limits": {"match-base": 20_001}}
        self.assertEqual(self.lint(status=0, rules=rules).text, "r.json: 1 pattern: 1 linear\n")

    def test_no_findings(self):
        for rules, summary in (({"fields": []}, "r.json: 0 patterns\n"),
                            ({"fields": [{"name": "a", "constraints": {"pattern": "a+"}}]},
                             "r.json: 1 pattern: 1 linear\n")):
            outcome = self.lint(status=0, rules=rules)
            self.assertEqual((outcome.text, outcome.error_bytes), (summary, b""))

    @slow
    def test_unexamined_patterns_are_reported_with_quiet(self):
        """The work for a rule file is bounded, and these patterns exhaust the bound."""
        patterns = [rf"(a+)+\1x{{{number}}}" for number in range(1, 900)]
        rules = {"fields": [{"name": "a", "rules": [{"id": f"r{number}", "pattern": pattern}
                                                    for number, pattern in enumerate(patterns)]}]}
        text = self.lint("--quiet", status=1, rules=rules).text
        summary = re.search(r"\nr\.json: (\d+) patterns not examined\n$", text)
        self.assertEqual(text.count(": warning: ") + int(summary[1]), len(patterns))

    def test_mistakes(self):
        outcome = self.lint(status=2, rules={"fields": [{"name": "a", "constraints": {"pattern": "("}}]})
        self.assertIn("r.json:1:", outcome.err)
        self.assertIn("No such file", self.assay("rules", "lint", "missing.yaml", status=2).err)
        self.assertIn("name a file", self.assay("rules", "lint", "-", status=2).err)


if __name__ == "__main__":
    unittest.main()
