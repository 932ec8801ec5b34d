"""Every limit, at its bound: the message, the time, the memory, and that no data is lost."""

import json
import unittest

from support import CommandTest, processor_time, slow, volume


class DataLimitTests(CommandTest):
    def split(self, content, *flags, status=0, rules=None):
        """Cleans a table. Returns its clean rows, its rejects and the codes of its findings."""
        self.write("users.csv", content)
        rules = rules or self.rules("a")
        self.assay("clean", "users.csv", "--rules", rules, "--force", "--quiet", *flags, status=status)
        found = [(finding["record"], finding["code"]) for finding in self.findings("users.findings.jsonl")]
        return self.read("users.clean.csv"), self.read("users.rejects.csv"), found

    def test_field(self):
        for cell, too_long in [(b"x" * 100, False), (b"x" * 101, True), (b'"' + b"x" * 98 + b'"', False),
                               (b'"' + b"x" * 99 + b'"', True), (b'"\n' + b"x" * 99 + b'"', True)]:
            with self.subTest(cell):
                content = b"a,b\n1,2\n1," + cell + b"\n3,4\n"
                clean, rejects, found = self.split(content, "--limit", "field-bytes=100")
                if too_long:
                    self.assertEqual(found, [(2, "structure.too-long")])
                    self.assertEqual((clean, rejects), (b"a,b\n1,2\n3,4\n", b"a,b\n1," + cell + b"\n"))
                else:
                    self.assertEqual((clean, found), (content, []))

    def test_field_by_default(self):
        clean, rejects, found = self.split(b"a,b\n1," + b"x" * (1 << 20) + b"\n2," + b"y" * ((1 << 20) + 1)
                                           + b"\n3,4\n")
        self.assertEqual(found, [(2, "structure.too-long")])
        self.assertEqual(len(rejects), 4 + 3 + (1 << 20) + 1)
        self.assertTrue(clean.endswith(b"\n3,4\n"))

    def test_record(self):
        flags = ["--limit", "record-bytes=50", "--limit", "field-bytes=50"]
        fits, long = b"1," + b"x" * 47 + b"\n", b"2," + b"x" * 20 + b"," + b"x" * 27 + b"\n"
        clean, rejects, found = self.split(b"a,b\n" + fits + long + b"3,4\n", *flags)
        self.assertEqual(found, [(2, "structure.too-long")])
        self.assertEqual((clean, rejects), (b"a,b\n" + fits + b"3,4\n", b"a,b\n" + long))

    def test_record_by_default(self):
        cells = b",".join([b"x" * 500_000] * 9)
        clean, rejects, found = self.split(b"a,b\n1,2\n" + cells + b"\n3,4\n")
        self.assertEqual(found, [(2, "structure.too-long")])
        self.assertTrue(rejects == b"a,b\n" + cells + b"\n")
        self.assertEqual(clean, b"a,b\n1,2\n3,4\n")

    def test_record_over_many_lines(self):
        """The closing quote is beyond the limit. Assay rejects only the line of the opening quote and reads the
        following lines as records."""
        inner = b"5,6\n" * 30
        clean, rejects, found = self.split(
            b'a,b\n1,2\n3,"x\n' + inner + b'"\n7,8\n', "--limit", "record-bytes=100", "--limit", "field-bytes=100")
        self.assertEqual(found[0], (2, "structure.quote"))
        self.assertEqual(clean, b"a,b\n1,2\n" + inner + b"7,8\n")
        self.assertEqual(rejects, b'a,b\n3,"x\n"\n')

    def test_limits_in_the_rules_and_flags_that_win(self):
        content = b"a,b\n1," + b"x" * 60 + b"\n"
        rules = self.rules("a", limits={"field-bytes": 50})
        self.assertEqual(self.split(content, rules=rules)[2], [(1, "structure.too-long")])
        self.assertEqual(self.split(content, "--limit", "field-bytes=60", rules=rules)[2], [])
        self.assertEqual(self.split(content, "--limit", "field-bytes=59", rules=self.rules("a"))[2],
                         [(1, "structure.too-long")])

    def test_units(self):
        content = b"a,b\n1," + b"x" * 2_048 + b"\n"
        for value, found in [("2K", []), ("2k", []), ("2KiB", []), ("2048", []), ("1K", [(1, "structure.too-long")])]:
            self.assertEqual(self.split(content, "--limit", f"field-bytes={value}")[2], found, value)

    def test_columns(self):
        for count, status in [(16_384, 0), (16_385, 2)]:
            self.write("wide.csv", ",".join(f"c{number}" for number in range(count)) + "\n" + "," * (count - 1) + "\n")
            outcome = self.assay("check", "wide.csv", status=status)
            if status == 2:
                self.assertIn("16385", outcome.err.replace(",", ""))
                self.assertIn("--limit columns=", outcome.err)
        self.assay("check", "wide.csv", "--limit", "columns=16385", status=0)
        self.write("wide.csv", "a,b,c\n1,2,3\n")
        self.assay("check", "wide.csv", "--limit", "columns=2", status=2)
        self.assay("check", "wide.csv", "--no-header", "--limit", "columns=2", status=2)

    def test_ten_megabytes_without_a_newline(self):
        line = b"x,y" * volume(1_500_000, 3_500_000)
        clean, rejects, found = self.split(b"a,b\n1,2\n" + line)
        self.assertEqual(found, [(2, "structure.too-long")])
        self.assertEqual(clean, b"a,b\n1,2\n")
        self.assertTrue(rejects == b"a,b\n" + line)
        clean, rejects, found = self.split(b"a,b\n1,2\n" + line + b"\r\n3,4\n" + line + b"\n5,6")
        self.assertEqual(found, [(2, "structure.too-long"), (4, "structure.too-long")])
        self.assertEqual(clean, b"a,b\n1,2\n3,4\n5,6")
        self.assertTrue(rejects == b"a,b\n" + line + b"\r\n" + line + b"\n")

    def test_long_lines_with_all_threads(self):
        """The reader passes overlong records on in pieces. The pieces must stay adjacent."""
        lines = [b"%d,%s\n" % (number, b"z" * (number * volume(1_050_000, 1_300_000)))
                 for number in range(volume(5, 9))]
        content = b"a,b\n" + b"".join(lines)
        results = [self.split(content, "--threads", threads) for threads in (1, 2, 8)]
        self.assertTrue(results[0] == results[1] == results[2])
        self.assertEqual(results[0][2], [(number + 1, "structure.too-long") for number in range(1, len(lines))])
        self.assertTrue(results[0][1] == b"a,b\n" + b"".join(lines[1:]))

    def test_a_cell_of_several_lines_in_a_record_over_its_limit(self):
        """Lines inside a quoted cell must never become records."""
        record = b'"x\n1,2\n",12,yyyyyyyyyy'
        for rest in [b"", b",zz"]:
            self.write("users.csv", b"a,b\n" + record + rest + b"\nz,1\n")
            self.assay("clean", "users.csv", "--rules", self.rules({"name": "a"}), "--limit", "record-bytes=16",
                       "--limit", "field-bytes=16", "--annotate", "--force", status=0)
            self.assertEqual(self.read("users.clean.csv"), b"a,b\nz,1\n")
            self.assertEqual(
                self.read("users.rejects.csv"),
                b"a,b,_line,_reasons\n" + record + rest + b",2,structure.too-long\n")

    def test_the_line_of_a_record_that_continues_in_the_next_chunk(self):
        self.write("users.csv", b'a,b\n1,2\n"x\ny\nz",' + b"z," * 300_000 + b"z\n3,4\n")
        self.assay("clean", "users.csv", "--rules", self.rules({"name": "a"}), "--limit", "record-bytes=100K",
                   "--limit", "field-bytes=100K", "--annotate", status=0)
        self.assertIn(b",z,3,structure.too-long\n", self.read("users.rejects.csv"))
        self.assertEqual(self.read("users.clean.csv"), b"a,b\n1,2\n3,4\n")

    def test_which_limit_it_was(self):
        for line, flags, message in [
            (b"1," + b"x" * 60, [], "has a field over 50 bytes (limit field-bytes)"),
            (b"1," + b"x" * 300, [], "is over 200 bytes (limit record-bytes)"),
            (b'"1\n1",' + b"x" * 300, [], "is over 200 bytes (limit record-bytes); lines 2 to 3 were read"),
        ]:
            with self.subTest(message):
                self.write("users.csv", b"a,b\n" + line + b"\n")
                outcome = self.assay(
                    "check", "users.csv", "--limit", "record-bytes=200", "--limit", "field-bytes=50", status=1)
                self.assertIn(f"structure.too-long the record {message}\n", outcome.err)

    def test_the_first_that_is_true_counts(self):
        """The order of precedence is that of the table in Docs/csv.md."""
        unclosed, text, few, misencoded = b'"y', b'"y"z', b"1,2,3", b"\xff"
        long_line, long_field = b"x" * 80, b"x" * 20
        for record, code in [
            (long_line + b"," + unclosed, "structure.too-long"), (long_field + b"," + unclosed, "structure.quote"),
            (long_field + b"," + text, "structure.too-long"), (misencoded + b"," + unclosed, "structure.quote"),
            (few + b"," + text, "structure.quote"), (few + b"," + long_field, "structure.too-long"),
            (few + misencoded, "structure.fields"), (b"1," + misencoded, "encoding"),
        ]:
            with self.subTest(record):
                self.write("users.csv", b"a,b\n" + record + b"\n1,2\n")
                self.assay(
                    "check", "users.csv", "--limit", "field-bytes=16", "--limit", "record-bytes=64", "-q", "--findings",
                    "f.jsonl", "--force", status=1)
                self.assertEqual([finding["code"] for finding in self.findings("f.jsonl")], [code])

    def test_annotated_long_lines_stay_records(self):
        line = b"2," + b"x" * 6_000_000
        self.write("users.csv", b"a,b\n1,2\n" + line + b"\n3\n")
        self.assay("clean", "users.csv", "--rules", self.rules("a"), "--annotate", "--quiet", status=0)
        rejects = self.read("users.rejects.csv").split(b"\n")
        self.assertEqual(rejects[0], b"a,b,_line,_reasons")
        self.assertTrue(rejects[1].startswith(line), "the bytes as they came")
        self.assertEqual(rejects[1][len(line):], b",3,structure.too-long")
        self.assertEqual(rejects[2:], [b"3,4,structure.fields", b""])

    @slow
    def test_ten_megabytes_of_header(self):
        self.write("users.csv", b"a," * 5_000_000)
        outcome = self.assay("check", "users.csv", status=2)
        self.assertLess(len(outcome.err), 2_000)

    def test_runaway_quote_in_20_megabytes(self):
        """An unclosed quote spoils one line, not the rest of the file."""
        rows = b"".join(b"%d,plain text that goes on\n" % number for number in range(volume(200_000, 700_000)))
        runaway = b'x,"an open quote\n'
        content = b"a,b\n" + rows[:1_000_000].rpartition(b"\n")[0] + b"\n" + runaway
        rest = rows[len(content) - 4 - len(runaway):]
        for threads in (1, 2):
            clean, rejects, found = self.split(content + rest, "--threads", threads)
            self.assertEqual(len(found), 1)
            self.assertEqual(found[0][1], "structure.quote")
            self.assertEqual(rejects, b"a,b\n" + runaway)
            self.assertTrue(clean == b"a,b\n" + rows)

    @slow
    def test_runaway_quotes_everywhere_take_linear_time(self):
        """Each of these lines begins a record that would contain megabytes."""
        for line in (b'x",y,"z\n', b'"\n', b'"a""\n', b'a,"b\n\n', b'"",""x"\n', b',"",\n"",""\n'):
            with self.subTest(line):
                content = b"a,b\n" + line * (6_000_000 // len(line))
                start = processor_time()
                clean, rejects, _ = self.split(content, "--max-findings", "10")
                self.assertLess(processor_time() - start, 20)
                self.assertEqual(len(clean) + len(rejects), len(content) + 4)


class RuleLimitTests(CommandTest):
    def check_rules(self, text, *flags, status=2):
        self.write("rules.json", text)
        self.write("users.csv", "a\nx\n")
        return self.assay("check", "users.csv", "--rules", "rules.json", *flags, status=status)

    def test_rule_file(self):
        text = json.dumps({"fields": [], "description": "x" * (1 << 20)})
        self.assertIn("rule-file-bytes", self.check_rules(text).err)
        self.check_rules(text, "--limit", "rule-file-bytes=2M", status=0)

    def test_a_long_rule_file_reports_its_length(self):
        """The message must contain the length, because its advice needs it."""
        self.write("users.csv", "a\nx\n")
        self.write("big.yaml", "#" * 1_100_000 + "\nfields: []\n")
        for command in (["check", "users.csv", "--rules", "big.yaml"], ["rules", "check", "big.yaml"]):
            with self.subTest(command):
                outcome = self.assay(*command, status=2)
                self.assertIn("the file has 1100012 bytes; a rule file may have 1048576", outcome.err)
                self.assertIn("raise it with --limit rule-file-bytes=1100012", outcome.err)
                self.assay(*command, "--limit", "rule-file-bytes=1100012", status=0)
        outcome = self.shell("assay rules check <(cat big.yaml)", status=2)
        self.assertIn("the file has more than 1048576 bytes", outcome.err)
        self.assertIn("raise it with --limit rule-file-bytes=…", outcome.err)
        with open(self.path("huge.yaml"), "wb") as file:
            file.truncate(1 << 30)
        outcome = self.assay("rules", "check", "huge.yaml", status=2)
        self.assertIn("no rule file may have more than 67108864: is it the right file?", outcome.err)

    def test_limits_that_do_not_fit_each_other(self):
        """The advice must name the limit that the user did not set."""
        self.write("users.csv", "a\nx\n")
        for limit, advice in [("record-bytes=200", "field-bytes=200"), ("field-bytes=8M", "record-bytes=8388608")]:
            with self.subTest(limit):
                outcome = self.assay("check", "users.csv", "--limit", limit, status=2)
                self.assertIn(f"; set {advice} too\n", outcome.err)
                self.assay("check", "users.csv", "--limit", limit, "--limit", advice, status=0)

    def test_a_rule_file_without_end(self):
        self.write("users.csv", "a\nx\n")
        self.assay("check", "users.csv", "--rules", "/dev/zero", status=2)

    def test_depth(self):
        def nested(depth):
            check = {"pattern": "x"}
            for _ in range(depth):
                check = {"not": check}
            return json.dumps({"fields": [{"name": "a", "rules": [check]}]})

        self.check_rules(nested(20), status=0)
        self.assertIn("32", self.check_rules(nested(40)).err)
        self.check_rules(nested(40), "--limit", "depth=64", status=0)
        outcome = self.check_rules("[" * 100_000)
        self.assertLess(len(outcome.err), 5_000)
        self.check_rules('{"a":' * 100_000)
        self.check_rules("- " * 100_000)

    @slow
    def test_rules(self):
        def many(count):
            return json.dumps({"fields": [
                {"name": "a", "rules": [{"id": f"r{number}", "maxLength": 9} for number in range(count)]}]})

        self.check_rules(many(10_000), status=0)
        self.assertIn("10000", self.check_rules(many(10_001)).err.replace(",", ""))
        self.check_rules(many(10_001), "--limit", "rules=10001", status=0)
        self.check_rules(many(3), "--limit", "rules=2")

    def test_nested_rules_count(self):
        checks = [{"maxLength": 9}] * 10_001
        self.check_rules(json.dumps({"fields": [{"name": "a", "rules": [{"id": "r", "all": checks}]}]}))

    def test_pattern(self):
        def long(length):
            return json.dumps({"fields": [{"name": "a", "constraints": {"pattern": "x" + "y?" * ((length - 1) // 2)}}]})

        self.check_rules(long(9_999), status=0)
        self.assertIn("pattern-bytes", self.check_rules(long(10_001)).err)
        self.check_rules(long(10_001), "--limit", "pattern-bytes=20000", status=0)

    def test_patterns_that_explode(self):
        """Short patterns that would compile to megabytes, nest without end or loop."""
        for pattern in ("(" * 5_000 + ")" * 5_000, "((((a{1000}){1000}){1000}){1000})", "(?R)" * 100, "(a|(?R)b)*",
                        r"(?:x{0,65535}){0,65535}", "[" + r"\p{L}" * 3_000 + "]"):
            with self.subTest(pattern[:40]):
                start = processor_time()
                outcome = self.check_rules(json.dumps({"fields": [{"name": "a", "constraints": {"pattern": pattern}}]}),
                                           status=None)
                self.assertIn(outcome.status, (0, 1, 2), outcome.err)
                self.assertLess(processor_time() - start, 10)

    @slow
    def test_rule_files_are_read_in_linear_time(self):
        """Each file has less than 1 MiB. A linear search for every name would take minutes."""
        names = [f"field{number}" for number in range(15_000)]
        similar = [f"fiield{number}" for number in range(900)]
        files = {
            "pairs": {"fields": names, "uniqueKeys": [list(pair) for pair in zip(names[:9_000], names[1:])]},
            "unique": {"fields": [{"name": name, "constraints": {"unique": True}} for name in names[:9_000]]},
            "one key": {"fields": names, "primaryKey": names},
            "unknown in keys": {"fields": names, "uniqueKeys": [[name] for name in similar]},
            "unknown in rows": {"fields": names, "rows": [{"check": f"{name} > 1"} for name in similar]},
            "unknown in thresholds": {"fields": names, "thresholds": {"columns": {name: "1%" for name in similar}}},
        }
        for name, file in files.items():
            fields = [{"name": field} if isinstance(field, str) else field for field in file["fields"]]
            self.write("large.json", json.dumps(file | {"fields": fields}))
            with self.subTest(name):
                start = processor_time()
                outcome = self.assay("rules", "check", "large.json", status=2 if name.startswith("unknown") else 0)
                self.assertLess(processor_time() - start, 20)
                if name.startswith("unknown"):
                    self.assertIn("did you mean", outcome.err[:400])

    @slow
    def test_wide_ranges_that_ignore_case(self):
        """Compilation visits each character of these ranges, which would take minutes for a file of them."""
        wide = "(?i)" + r"[\x{0}-\x{10FFFF}]" * 8
        self.write("wide.json", json.dumps({"fields": [
            {"name": f"f{number}", "constraints": {"pattern": wide}} for number in range(4_000)]}))
        start = processor_time()
        outcome = self.assay("rules", "check", "wide.json", status=2)
        self.assertLess(processor_time() - start, 10)
        self.assertIn("write (?-i:…) around large ones, or run with --trust-rules if you trust the file", outcome.err)
        self.write("wide.json", json.dumps({"fields": [
            {"name": f"f{number}", "constraints": {"pattern": wide}} for number in range(9)]}))
        self.assay("rules", "check", "wide.json", status=2)
        self.assay("rules", "check", "wide.json", "--trust-rules", status=0)
        self.assertIn("run with --trust-rules", self.assay("explain", "--rules", "wide.json", status=2).err)
        self.assertIn("has no row rules", self.assay("explain", "--rules", "wide.json", "--trust-rules", status=2).err)

    def test_aliases_do_not_expand(self):
        text = "a: &a [x, x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n"
                                          for n in range(24))
        outcome = self.check_rules(text)
        self.assertIn("alias", outcome.err)


class MatchLimitTests(CommandTest):
    PATTERNS = [r"(a+)+\d\1{0}", r"(a|aa)+\d\1{0}", r"(a*)*\d\1{0}", r"(a|a)*\d\1{0}", r"(?:.*)*(?=.*\d.*\d)x"]

    def undecided(self, pattern, value, *flags):
        self.write("users.csv", f"a,b\n{value},\n")
        rules = self.rules({"name": "a", "rules": [{"id": "r", "pattern": pattern}]})
        self.assay("check", "users.csv", "--rules", rules, "--findings", "f.jsonl", "--force", "--quiet", *flags)
        return [finding["code"] for finding in self.findings("f.jsonl")]

    @slow
    def test_never_a_pass_never_a_hang(self):
        for pattern in self.PATTERNS:
            for value in ("a" * 70, "a" * 70 + "!", "a1a1" + "a" * 300):
                for engine in ([], ["--no-jit"]):
                    with self.subTest(pattern=pattern, value=value[:9], engine=engine):
                        start = processor_time()
                        self.assertIn(self.undecided(pattern, value, *engine), (["undecided"], ["pattern"]))
                        self.assertLess(processor_time() - start, 5)

    def test_hit(self):
        for engine in ([], ["--no-jit"]):
            self.assertEqual(self.undecided(self.PATTERNS[0], "a" * 70, *engine), ["undecided"])

    def test_raised_and_lowered(self):
        value = "a" * 12
        self.assertEqual(self.undecided(self.PATTERNS[0], value, "--limit", "match-base=10000000"), ["pattern"])
        self.assertEqual(self.undecided(self.PATTERNS[0], value, "--limit", "match-base=10",
                                        "--limit", "match-per-byte=0"),
                         ["undecided"])

    def test_a_rule_file_that_raises_them_is_named(self):
        self.write("users.csv", "a\n1\n")
        rules = self.rules("a",
                           limits={"match-base": 20_000, "match-per-byte": 8, "heap-kib": 40_960, "columns": 99_999})
        note = ("assay: rules.json raises limits on the work that one value may cause: match-base from 5000 to 20000, "
                "heap-kib from 20480 to 40960; --limit overrides them\n")
        outcome = self.assay("check", "users.csv", "-r", rules, "--report", "r.json", status=0)
        self.assertEqual(outcome.err.count(note), 1, outcome.err)
        self.assertEqual(self.report("r.json")["limits"]["match-base"], 20_000)
        self.assertNotIn("raises", self.assay("check", "users.csv", "-r", rules, "--quiet", status=0).err)
        outcome = self.assay("check", "users.csv", "-r", rules, "--limit", "match-base=500",
                             "--limit", "heap-kib=20480", "--report", "r.json", "--force", status=0)
        self.assertNotIn("raises", outcome.err)
        self.assertEqual(self.report("r.json")["limits"]["match-base"], 500)

    # Four times the defaults.
    CEILINGS = {"match-base": 20_000, "match-per-byte": 256, "heap-kib": 81_920, "jit-stack-bytes": 4 << 20,
                "row-rule-bytes": 64 << 20}

    @slow
    def test_a_rule_file_raises_them_to_a_ceiling(self):
        self.write("users.csv", "a\n1\n")
        self.rules("a", limits=self.CEILINGS)
        self.assay("rules", "check", "rules.json", status=0)
        for name, maximum in self.CEILINGS.items():
            with self.subTest(name):
                rules = self.rules("a", limits={name: maximum + 1})
                shown = f"{maximum >> 20}M" if name.endswith("-bytes") else str(maximum)
                commands = [("check", "users.csv", "-r", rules), ("clean", "users.csv", "-r", rules),
                            ("rules", "check", rules), ("diff", rules, rules, "users.csv"),
                            ("bench", "users.csv", "-r", rules, "--rounds", "1")]
                for command in commands:
                    error = self.assay(*command, status=2).err
                    self.assertIn(f": error: a rule file may raise {name} to {shown}, not to {maximum + 1}\n", error)
                    self.assertIn("^ lower it, or run with --trust-rules if you trust the file\n", error)
                    self.assay(*command, "--trust-rules", *(["--force"] if command[0] == "clean" else []), status=0)
                # The command line overrides the rule file.
                self.assay("check", "users.csv", "-r", rules, "--limit", f"{name}={maximum // 4}", status=0)
                self.assay("rules", "lint", rules, status=0)
                self.assay("explain", "--rules", rules, status=2)  # there are no row rules

    def test_the_ceiling_of_a_data_package(self):
        self.write("users.csv", "a\n1\n")
        schema = {"fields": [{"name": "a"}], "limits": {"match-base": 20_001}}
        self.write("datapackage.json",
                   json.dumps({"resources": [{"name": "users", "path": "users.csv", "schema": schema}]}))
        self.assertIn("a rule file may raise match-base to 20000",
                      self.assay("check", "datapackage.json", status=2).err)
        self.assay("check", "datapackage.json", "--trust-rules", status=0)

    def test_failure_reasons_obey_the_same_limits(self):
        """To prove that only white space is wrong, Assay needs a match. A limit of one step is too low for it."""
        self.write("users.csv", 'e\n" a@example.org"\n')
        rules = self.rules({"name": "e", "format": "email"})
        for more in ([], ["--show-values"]):
            for limit, isProven in (("1000", True), ("1", False)):
                with self.subTest(limit=limit, more=more):
                    self.assay("check", "users.csv", "-r", rules, "--no-dfa", "--limit", f"match-base={limit}",
                               "--limit", "match-per-byte=0", "--findings", "f.jsonl", "-q", "--force", *more, status=1)
                    message = self.findings("f.jsonl")[0]["message"]
                    self.assertTrue(message.startswith("is not an e-mail address"), message)
                    self.assertEqual("white space" in message, isProven, message)

    def test_each_of_many_bad_values_ends_at_its_limit(self):
        """Each value would take very long. The limit of a value must not depend on earlier values: all are undecided,
        and no engine without a limit decides them."""
        self.write("users.csv", "a,b\n" + ("a" * 40 + "!,\n") * volume(300, 5_000))
        rules = self.rules({"name": "a", "rules": [{"id": "r", "pattern": self.PATTERNS[0]}]})
        self.assay("check", "users.csv", "--rules", rules, "--report", "r.json", "--force", status=1)
        self.assertEqual(self.report("r.json")["inputs"][0]["undecided"], volume(300, 5_000))

    def test_regional_indicators(self):
        """For each pair, PCRE2 counts back over all preceding indicators, and its limits do not interrupt that loop."""
        for pattern in (r"\X*", r"(?:\X\X)*b"):
            for engine in ([], ["--no-jit"]):
                with self.subTest(pattern=pattern, engine=engine):
                    self.assertEqual(self.undecided(pattern, "\U0001F1E6" * 65, *engine), ["undecided"])
                    self.assertEqual(self.undecided(pattern, "\U0001F1E6" * 250_000, *engine), ["undecided"])
                    self.assertNotEqual(self.undecided(pattern, "\U0001F1E6" * 64, *engine), ["undecided"])
        for count, clean in ((64, "-" * 32), (100_000, "\U0001F1E6" * 100_000)):
            self.write("users.csv", "a,b\n" + "\U0001F1E6" * count + ",\n")
            rules = self.rules({"name": "a", "repair": [{"replace": r"\X", "with": "-"}]})
            self.assay("clean", "users.csv", "--rules", rules, "--force", "--quiet", status=0)
            self.assertEqual(self.read("users.clean.csv").decode(), f"a,b\n{clean},\n")

    def test_many_arrays_and_members(self):
        """Neither the compilation of rules nor the check of a cell may compare all members pairwise."""
        maximum = volume(6_000, 60_000)
        rules = self.rules({"name": "a", "type": "array", "constraints": {"enum": [[n] for n in range(maximum)]}})
        self.write("users.csv", "a,b\n" + f"[{maximum - 1}.0],\n" * volume(1_000, 10_000) + f"[{maximum}],\n")
        self.assay("check", "users.csv", "--rules", rules, "--report", "r.json", status=1)
        self.assertEqual(self.report("r.json")["inputs"][0]["rejected"], 1)
        members = [f'""{n}"":{n}' for n in range(10_000)]
        rules = self.rules({"name": "a", "type": "object",
                            "constraints": {"enum": [{str(n): n for n in range(10_000)}]}})
        cells = [",".join(order) for order in (members[::-1], members[1:] + members[:1], members[1:])]
        self.write("users.csv", "a,b\n" + "".join(f'"{{{cell}}}",\n' for cell in cells))
        self.assay("check", "users.csv", "--rules", rules, "--report", "r.json", "--force", status=1)
        self.assertEqual(self.report("r.json")["inputs"][0]["rejected"], 1)

    def test_long_honest_values_pass(self):
        """Values that exceed PCRE2's default stack must still be decided."""
        for pattern, value in ((r"(?:a|b)+", "ab" * 20_000),
                               (r"(?=[a-z])[a-z]+(?:[.-][a-z]+)*", "abc.de-" * 5_000 + "f")):
            for engine in ([], ["--no-jit"]):
                with self.subTest(pattern=pattern, engine=engine):
                    self.assertEqual(self.undecided(pattern, value, *engine), [])


if __name__ == "__main__":
    unittest.main()
