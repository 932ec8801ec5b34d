"""Foreign keys, into other files and into the same table, compared with a short Python implementation."""

import gzip
import json
import os
import random

from support import CommandTest, volume, slow


def keys_of(records, columns):
    """The keys of the records; None if a part is missing."""
    full = [tuple(record[column] for column in columns) for record in records]
    return [None if None in key else key for key in full]


def orphans(records, foreign, unique=()):
    """The rejections by foreign keys: for each rejected record (from 1), the numbers of its foreign keys, from 1.

    `foreign` contains, for each key, the columns, and either a set of keys or the referenced columns of the same table.
    `unique` contains columns that are keys; a record that is rejected for them maps to None.
    """
    refused, taken = {}, [set() for _ in unique]
    clean = []
    for number, record in enumerate(records, 1):
        lost = [
            index for index, (columns, target) in enumerate(foreign, 1)
            if isinstance(target, set) and (key := keys_of([record], columns)[0]) is not None and key not in target
        ]
        own = [keys_of([record], columns)[0] for columns in unique]
        if lost:
            refused[number] = lost
        elif any(key in held for key, held in zip(own, taken) if key is not None):
            refused[number] = None
        else:
            for key, held in zip(own, taken):
                held.add(key)
            clean.append(number)
    while True:
        lost = {}
        for index, (columns, target) in enumerate(foreign, 1):
            if isinstance(target, set):
                continue
            held = set(keys_of([records[number - 1] for number in clean], target)) | {None}
            for number in clean:
                if keys_of([records[number - 1]], columns)[0] not in held:
                    lost.setdefault(number, []).append(index)
        if not lost:
            break
        refused |= {number: [] for number in lost}
        clean = [number for number in clean if number not in lost]
    # Every reference to a record that is not clean is reported.
    for index, (columns, target) in enumerate(foreign, 1):
        if isinstance(target, set):
            continue
        held = set(keys_of([records[number - 1] for number in clean], target)) | {None}
        for number, own in refused.items():
            is_open = own is not None and not any(isinstance(foreign[each - 1][1], set) for each in own)
            if is_open and keys_of([records[number - 1]], columns)[0] not in held:
                own.append(index)
    return refused


class ForeignKeyTests(CommandTest):
    def clean(self, *arguments, rules="rules.json", status=0, **more):
        return self.assay("clean", *arguments, "-r", rules, "--force", "-q", status=status, **more)

    def refer(self, *keys, fields=("id",), **more):
        """Writes rules with foreign keys. Each is a tuple of the columns, the file, and the columns of the file."""
        self.rules(
            *fields, foreignKeys=[
                {"fields": own, "reference": {"resource": resource, "fields": other}} for own, resource, other in keys
            ], **more)

    def test_advice_about_a_table_is_for_its_reference(self):
        """Options of the command apply to its input, not to a file that rules name."""
        self.write("t.csv", "id\n1\n")
        self.write("nul.csv", b"\0" * 600)
        self.write("list.json", '[{"id": 1}]\n')
        for name in "nul.csv", "list.json":
            with self.subTest(name):
                self.refer(("id", name, "id"))
                error = self.assay("check", "t.csv", "-r", "rules.json", status=2).err
                self.assertNotIn("--encoding", error)
                self.assertNotIn("--format", error)
                self.assertEqual("dialect: {encoding: NAME}" in error, name == "nul.csv", error)

    def test_the_outputs_in_full(self):
        self.refer(
            ("customer", "customers.csv", "id"), (["country", "zip"], "zips.jsonl", ["c", "at.z"]),
            ("parent", "", "id"),
            fields=[{"name": "id", "type": "integer"}, {"name": "customer", "type": "integer"}, "country",
                    {"name": "zip", "type": "integer"}, {"name": "parent", "type": "integer"}],
            primaryKey="id", thresholds={"rules": {"foreignKeys.1": 1}})
        self.write("customers.csv", "name;id\na;1\nb;002\nc;x\n;\n")
        self.write("zips.jsonl", '{"c":"GB","at":{"z":10}}\n{"c":"FR","at":{"z":10}}\n{"c":"DE","at":{"z":"1"}}\n')
        self.write(
            "t.csv", "id,customer,country,zip,parent\n1,01,GB,10,\n2,9,GB,11,1\n3,2,FR,010,2\n4,,FR,,4\n5,1,DE,1,03\n"
            "1,8,,,\n,7,,,9\n6,2,,,5\n")
        self.clean("t.csv", "--annotate", "--show-values", status=1)
        self.assertEqual(self.read("t.clean.csv").decode(), "id,customer,country,zip,parent\n1,01,GB,10,\n4,,FR,,4\n")
        self.assertEqual(
            self.read("t.rejects.csv").decode(),
            "id,customer,country,zip,parent,_line,_reasons\n"
            '2,9,GB,11,1,3,foreignKeys.1;foreignKeys.2\n3,2,FR,010,2,4,foreignKeys.3\n5,1,DE,1,03,6,foreignKeys.2\n'
            '1,8,,,,7,foreignKeys.1\n,7,,,9,8,primaryKey;foreignKeys.1\n6,2,,,5,9,foreignKeys.3\n')
        found = self.findings("t.findings.jsonl")
        self.assertEqual(
            [(each["record"], each["line"], each["offset"], each["column"], each["position"], each["rule"],
              each["code"], each["message"], each["value"]) for each in found],
            [(2, 3, 45, "customer", 2, "foreignKeys.1", "foreignKey", "is not in 'id' of customers.csv", "9"),
             (2, 3, 43, None, None, "foreignKeys.2", "foreignKey", "is not in 'c, at.z' of zips.jsonl", "2,9,GB,11,1"),
             (3, 4, 66, "parent", 5, "foreignKeys.3", "foreignKey", "is not in 'id' of a clean record", "2"),
             (5, 6, 77, None, None, "foreignKeys.2", "foreignKey", "is not in 'c, at.z' of zips.jsonl", "5,1,DE,1,03"),
             (6, 7, 91, "customer", 2, "foreignKeys.1", "foreignKey", "is not in 'id' of customers.csv", "8"),
             (7, 8, 96, "id", 1, "primaryKey", "primaryKey", "is missing, and is the primary key", ""),
             (7, 8, 97, "customer", 2, "foreignKeys.1", "foreignKey", "is not in 'id' of customers.csv", "7"),
             (8, 9, 109, "parent", 5, "foreignKeys.3", "foreignKey", "is not in 'id' of a clean record", "5")])
        report = self.report("t.report.json")
        self.assertEqual(
            report["keys"], [{"id": "primaryKey", "refused": 1}, {"id": "foreignKeys.1", "refused": 3},
                             {"id": "foreignKeys.2", "refused": 2}, {"id": "foreignKeys.3", "refused": 2}])
        self.assertEqual(
            report["thresholds"], [{"of": "rule", "name": "foreignKeys.1", "max": 1, "min": None, "percent": None,
                                    "measured": 3, "exceeded": True}])

    @slow
    def test_random_tables(self):
        random.seed(11)
        for round in range(volume(6, 24)):
            count = random.choice([1, 40, 9_000])
            values = random.choice([3, 50, 6_000])
            draw = lambda: random.choice([None] + [str(random.randrange(values))] * 30)
            records = [(str(random.randrange(2 * values)), draw(), draw(), draw()) for _ in range(count)]
            other = [(str(random.randrange(values)), draw()) for _ in range(random.choice([0, 30, 9_000]))]
            unique = random.choice([[], [[0]]])
            foreign = random.sample([
                ([1], set(keys_of(other, [0]))), ([2, 1], set(keys_of(other, [1, 0]))), ([1], [0]), ([2, 3], [3, 2]),
            ], random.randrange(1, 5))
            names = "abcd"
            self.write("t.csv", "a,b,c,d\n" + "".join(",".join(each or "" for each in row) + "\n" for row in records))
            self.write("o.csv", "x,y\n" + "".join(",".join(each or "" for each in row) + "\n" for row in other))
            keys = []
            for own, target in foreign:
                if isinstance(target, set):
                    keys.append(([names[each] for each in own], "o.csv", ["x"] if own == [1] else ["y", "x"]))
                else:
                    keys.append(([names[each] for each in own], "", [names[each] for each in target]))
            self.refer(*keys, fields=names, **({"primaryKey": "a"} if unique else {}))
            refused = orphans(records, foreign, unique)
            for threads, memory in (1, "100M"), (3, "3M"):
                with self.subTest(round=round, threads=threads, keys=keys, unique=unique, count=count):
                    self.clean("t.csv", "--threads", threads, "--memory", memory, "--max-findings", 10**6)
                    found = {}
                    for finding in self.findings("t.findings.jsonl"):
                        if finding["rule"] == "primaryKey":
                            found[finding["record"]] = None
                        else:
                            number = int(finding["rule"].split(".")[1])
                            found.setdefault(finding["record"], []).append(number)
                    self.assertTrue(found == refused)
                    kept = [row for number, row in enumerate(records, 1) if number not in refused]
                    lines = "".join(",".join(each or "" for each in row) + "\n" for row in kept)
                    self.assertTrue(self.read("t.clean.csv").decode() == "a,b,c,d\n" + lines)

    @slow
    def test_keys_that_have_no_room_in_memory(self):
        random.seed(29)
        for round in range(volume(2, 6)):
            unique, extra = random.choice([[], [[0]], [[0], [2]]]), random.choice([[], [([3], [0])]])
            values = random.choice([20_000, 90_000])
            draw = lambda: random.choice([None] + [str(random.randrange(values))] * 30)
            records = [(str(random.randrange(2 * values)), draw(), draw(), draw())
                       for _ in range(random.choice([70, 2_000 if extra else 20_000]))]
            other = [(str(each), str(each % 7)) for each in range(0, values, random.choice([1, 2]))]
            few = [(str(each), "") for each in range(0, values, 37)]
            foreign = [([1], set(keys_of(other, [0]))), ([2], set(keys_of(few, [0])))][:random.choice([1, 2])] + extra
            self.write("t.csv", "a,b,c,d\n" + "".join(",".join(each or "" for each in row) + "\n" for row in records))
            self.write("o.csv", "x,y\n" + "".join(f"{x},{y}\n" for x, y in other))
            self.write("few.csv", "x\n" + "".join(f"{x}\n" for x, _ in few))
            keys = [("b", "o.csv", "x"),
                    ("c", "few.csv", "x")][:len(foreign) - len(extra)] + [("d", "", "a")] * len(extra)
            self.refer(
                *keys, fields="abcd", **({"primaryKey": "a"} if unique else {}),
                **({"uniqueKeys": ["c"]} if len(unique) > 1 else {}))
            refused = orphans(records, foreign, unique)
            outputs = set()
            for threads, memory in (2, "100M"), (1, "1M"), (3, "2M"), (2, "4M"):
                with self.subTest(round=round, threads=threads, memory=memory, keys=keys, unique=unique,
                                  count=len(records)):
                    self.clean(
                        "t.csv", "--threads", threads, "--memory", memory if not extra or memory == "100M" else "8M",
                        "--max-findings", 10**6)
                    found = {}
                    for finding in self.findings("t.findings.jsonl"):
                        if finding["rule"].startswith("foreignKeys"):
                            number = int(finding["rule"].split(".")[1])
                            found.setdefault(finding["record"], []).append(number)
                        else:
                            found[finding["record"]] = None
                    self.assertTrue(found == refused)
                    outputs.add((self.read("t.clean.csv"), self.read("t.rejects.csv"), self.read("t.findings.jsonl")))
            self.assertEqual(len(outputs), 1)

    def test_foreign_keys_agree_with_and_without_other_keys(self):
        # If a table has only foreign keys into files, Assay keeps only orphans.
        random.seed(31)
        records = [
            {"n": str(number), "a": random.choice(["", *map(str, range(9))]), "b": random.choice(["x", "", "y"])}
            for number in range(9_000)]
        self.write("o.csv", "a,b\n" + "".join(f"0{each},x\n" for each in range(8)))
        self.write("t.csv", "n,a,b\n" + "".join(",".join(row.values()) + "\n" for row in records))
        self.write("t.jsonl", "".join(json.dumps(row) + "\n" for row in records))
        keys = [("a", "o.csv", "a"), (["b", "a"], "o.csv", ["b", "a"])]
        fields = [{"name": "n", "type": "integer"}, {"name": "a", "type": "integer"}, "b"]
        for table in "t.csv", "t.jsonl":
            seen = set()
            for more in {}, {"primaryKey": "n"}:
                self.refer(*keys, fields=fields, types="text", **more)
                self.clean(table, "--annotate", "--show-values", "--threads", 3)
                ending = table[1:]
                names = f"t.clean{ending}", f"t.rejects{ending}", "t.findings.jsonl"
                seen.add(tuple(self.read(name) for name in names))
            self.assertEqual(len(seen), 1)
            self.assertGreater(len(self.findings("t.findings.jsonl")), 1_000)

    def test_a_chain_of_orphans_is_linear(self):
        count = volume(6_000, 60_000)
        self.refer(("b", "", "a"), fields="ab")
        self.write("t.csv", "a,b\n" + "".join(f"{each},{each + 1}\n" for each in range(count)))
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv"), b"a,b\n")
        self.write("t.csv", f"a,b\n{count},\n" + "".join(f"{each},{each + 1}\n" for each in range(count)))
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv"), self.read("t.csv"))

    def test_json_lines_and_types(self):
        self.refer(("a.b", "ids.csv", "id"), fields=[{"name": "a.b", "type": "boolean", "trueValues": ["yes"]}])
        self.write("ids.csv", "id\nyes\n")
        self.write("t.jsonl", '{"a":{"b":true}}\n{"a":{"b":false}}\n{"a":{}}\n')
        self.clean("t.jsonl")
        self.assertEqual(self.read("t.clean.jsonl"), b'{"a":{"b":true}}\n{"a":{}}\n')
        self.refer(("tags[]", "ids.csv", "id"), fields=["tags[]"])
        outcome = self.clean("t.jsonl", status=2)
        self.assertIn("the key foreignKeys.1 is of the list 'tags[]'", outcome.err)

    def test_places_of_findings(self):
        """A finding of a single-column key is at its value, and one of several columns is at the record."""
        self.write("ref.csv", "x,y\n1,2\n")
        self.refer(("a", "ref.csv", "x"), (["a", "b"], "ref.csv", ["x", "y"]), fields=("a", "b"))
        csv, record = "z,a,b\n,1,2\n", "z,3,2\n"
        json_lines, object = '{"b": "2", "a": "1"}\n', '{"b": "2", "a": "3"}\n'
        for name, before, broken in (("t.csv", csv, record), ("t.jsonl", json_lines, object)):
            with self.subTest(name):
                self.write(name, before + broken)
                self.clean(name)
                places = [(f["rule"], f["column"], f["line"], f["offset"]) for f in self.findings("t.findings.jsonl")]
                at = len(before)
                value = at + broken.index("3") - (name == "t.jsonl")
                line = before.count("\n") + 1
                self.assertEqual(places, [("foreignKeys.1", "a", line, value), ("foreignKeys.2", None, line, at)])

    def test_several_inputs_a_packed_reference_and_a_directory_of_its_own(self):
        self.refer(("id", "more/ids.csv.gz", "id"))
        self.write("x/rules.json", self.read("rules.json"))
        self.write("x/more/ids.csv.gz", gzip.compress(b"id\n1\n"))
        self.write("a.csv", "id\n1\n2\n")
        self.write("b.csv", "id\n2\n1\n")
        self.clean("a.csv", "b.csv", rules="x/rules.json")
        self.assertEqual((self.read("a.clean.csv"), self.read("b.clean.csv")), (b"id\n1\n", b"id\n1\n"))
        self.clean("a.csv", "b.csv", "--as-one", rules="x/rules.json")
        self.assertEqual(self.read("all.clean.csv"), b"id\n1\n1\n")
        outcome = self.assay("check", "-", "-r", "x/rules.json", "-q", stdin=b"id\n1\n")
        self.assertEqual(outcome.err, "")

    def test_malformed_records_and_missing_values_are_not_referred_to(self):
        self.refer(("id", "o.csv", "id"), fields=[{"name": "id", "missingValues": ["", "-"]}])
        self.write("o.csv", 'id,x\n1,1\n2,2,2\n-,3\n"4,4\n')
        self.write("t.csv", "id\n1\n2\n-\n4\n")
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv"), b"id\n1\n-\n")

    def test_malformed_records_are_reported(self):
        self.write("s.csv", "id;n\nMüller;1\nSmith;2\nX;3;4\n".encode("cp1252"))
        self.write("o.csv", "o;k\n1;Müller\n2;Smith\n")
        rules = "fields: [{name: k}]\nforeignKeys: [{fields: k, reference: {resource: s.csv, fields: id%s}}]"
        self.write("r.yaml", rules % "")
        result = self.assay("check", "o.csv", "--rules", "r.yaml", "--report", "r.json", status=1)
        self.assertIn("malformed records of s.csv, left out of foreignKeys.1", result.err)
        self.assertRegex(result.err, r"\n    structure.fields +1 +33.33 %\n    encoding +1 +33.33 %\n")
        self.assertIn("under 'reference' in the rules: dialect: {encoding: ", result.err)
        report = json.loads(self.read("r.json"))["references"]
        guess = report[0].pop("encodingGuess")
        self.assertIn(f"dialect: {{encoding: {guess}}}", result.err)
        self.assertEqual(report, [{
            "id": "foreignKeys.1", "resource": "s.csv", "records": 3,
            "structure": {"fields": 1, "quote": 0, "tooLong": 0, "encoding": 1, "json": 0, "blank": 0}}])
        quiet = self.assay("check", "o.csv", "--rules", "r.yaml", "--quiet", status=1)
        self.assertEqual(quiet.err, "")
        # The advice must help.
        self.write("r.yaml", rules % ", dialect: {encoding: windows-1252, delimiter: ';'}")
        result = self.assay("check", "o.csv", "--rules", "r.yaml", status=0)
        self.assertRegex(result.err, r"rejected +0 ")
        self.assertIn("structure.fields", result.err)
        self.assertNotIn("encoding", result.err)

    def test_rules_check_reports_missing_files(self):
        self.write("r.yaml",
                   "fields: [{name: k}]\nforeignKeys: [{fields: k, reference: {resource: later.csv, fields: id}}]")
        outcome = self.assay("rules", "check", "r.yaml", status=0)
        self.assertEqual(outcome.text, "r.yaml: good, 1 field and 1 rule\n")
        self.assertEqual(outcome.err, "assay: r.yaml: 'foreignKeys.1' refers to later.csv, which is not there\n")
        self.assertEqual(self.assay("rules", "check", "-q", "r.yaml", status=0).err, "")
        self.write("later.csv", "id\n1\n")
        self.assertEqual(self.assay("rules", "check", "r.yaml", status=0).err, "")

    def test_a_header_in_another_encoding(self):
        self.write("s.csv", "id;Größe\nMüller;1\nSmith;2\n".encode("cp1252"))
        self.write("o.csv", "o;k\n1;Müller\n2;Smith\n")
        rules = "fields: [{name: k}]\nforeignKeys: [{fields: k, reference: {resource: s.csv, fields: id%s}}]"
        self.write("r.yaml", rules % "")
        result = self.assay("check", "o.csv", "--rules", "r.yaml", status=2)
        self.assertIn("'foreignKeys.1': s.csv:1: the header is not UTF-8", result.err)
        self.assertIn("read it with this, under 'reference' in the rules: dialect: {encoding: ", result.err)
        self.assertNotIn("--encoding", result.err)
        self.write("r.yaml", rules % ", dialect: {encoding: windows-1252}")
        self.assay("check", "o.csv", "--rules", "r.yaml", status=0)

    def test_mistakes(self):
        self.write("t.csv", "id\n1\n")
        self.write("o.csv", "idd\n1\n")
        os.mkfifo(self.path("pipe"))
        cases = [
            ("none.csv", "id", "cannot open none.csv: No such file or directory\n"
             "  hint: 'foreignKeys.1' refers to none.csv\n"),
            ("o.csv", "id", "'foreignKeys.1': o.csv: no column is named 'id'\n"
             "  hint: the header has other names\n"
             "        if the file has no header line, say so under 'reference' in the rules: dialect: {header: false}\n"
             "        the contents of the file are shown only for trusted rules\n"
             "        if you trust the rules, run with --trust-rules\n"),
            (".", "id",
             "cannot read .: it is a directory; name the file, such as ./*.csv\n  hint: 'foreignKeys.1' refers to .\n"),
            ("pipe", "id", "pipe is not a regular file, and 'foreignKeys.1' refers to it\n"
             "  hint: write its contents to a file first\n"),
        ]
        for resource, column, message in cases:
            with self.subTest(resource):
                self.refer(("id", resource, column))
                self.assertEqual(self.clean("t.csv", status=2).err, "assay: error: " + message)
        for resource, message in [
            ("o.csv", "'foreignKeys.1': o.csv: no column is named 'id'\n"
             "  hint: the header has: idd\n"
             "        if the file has no header line, say so under 'reference' in the rules: "
             "dialect: {header: false}\n"),
            ("/dev/null", "/dev/null is not a regular file, and 'foreignKeys.1' refers to it\n"
             "  hint: write its contents to a file first\n"),
        ]:
            self.refer(("id", resource, "id"))
            self.assertEqual(self.clean("t.csv", "--trust-rules", status=2).err, "assay: error: " + message)
        self.refer(("id", "", "id"))
        outcome = self.assay("check", "t.csv", "-r", "rules.json", "--sample", "1", status=2)
        self.assertEqual(
            outcome.err, "assay: error: 'foreignKeys.1' refers to the table itself, and a sample is incomplete\n"
            "  hint: leave out --sample\n")
        self.refer(("id", "o.csv", "idd"))
        outcome = self.clean("t.csv", "--clean", "o.csv", status=2)
        self.assertIn("the output o.csv is the referenced file o.csv", outcome.err)

    def test_too_little_memory_is_reported(self):
        self.write("o.csv", "id\n" + "".join(f"{each}\n" for each in range(100_000)))
        self.refer(("id", "o.csv", "id"))
        self.write("t.csv", "id\n1\n")
        self.clean("t.csv", "--memory", "2M")
        outcome = self.clean("t.csv", "--memory", "2M", "--temp-dir", "none", status=2)
        self.assertIn("--temp-dir takes a directory, but there is no directory at 'none'.", outcome.err)
        outcome = self.clean("t.csv", "--memory", "2M", "--stop-after", 1, status=2)
        self.assertIn("--stop-after counts the records that they refuse", outcome.err)
        self.refer(("id", "", "id"))
        outcome = self.clean("o.csv", "--memory", "2M", status=2)
        self.assertEqual(
            outcome.err, "assay: error: foreignKeys.1 into the table itself has no room in the memory for keys\n"
            "  hint: allow more with --memory\n")
