"""Reports as HTML, Markdown, SARIF and JUnit XML: the figures of the JSON report, in the form that the file extension
selects."""

import html.parser
import importlib.metadata
import importlib.util
import json
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as xml

from support import EXAMPLES, CommandTest, slow, volume

FORMS = ["json", "html", "md", "sarif", "xml"]
RULES = {"name": "age", "type": "integer", "constraints": {"maximum": 150}}
TABLE = "name,age\nanna,31\nbo,x\n,200\nd\n"

# Elements that make a browser fetch or run a resource.
FETCHED = {"script", "img", "iframe", "object", "embed", "audio", "video", "source", "base", "form"}
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    """A parsed page with the cells of its tables. The tags must be closed in the order in which they were opened."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.text, self.tables, self.ids = [], [], "", [], []
        self.captions, self.bars = [], 0
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        elif tag == "caption":
            self.captions.append("")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if "style" in self.open:
            return
        self.text += data
        if "caption" in self.open:
            self.captions[-1] += data
        elif ("td" in self.open or "th" in self.open) and self.tables and self.tables[-1]:
            self.tables[-1][-1][-1] += data

    def table(self, caption):
        return self.tables[self.captions.index(caption)]


def count(text):
    return int(text.replace(",", ""))


class ReportTests(CommandTest):
    def reports(self, *arguments, forms=FORMS, name="r", status=1):
        """Runs `check` with a report in each form. Returns their texts."""
        options = [word for form in forms for word in ("--report", f"{name}.{form}")]
        self.assay("check", *arguments, *options, "--force", "-q", status=status)
        return {form: self.read(f"{name}.{form}").decode() for form in forms}

    def small(self, *arguments, **more):
        self.write("users.csv", TABLE)
        return self.reports("users.csv", "-r", self.rules("name", RULES), *arguments, **more)

    # Complete texts

    def test_markdown(self):
        self.assertEqual(self.small()["md"], """\
## `users.csv`: 75.00 % rejected

3 of 4 records are rejected. CSV, UTF-8, 29 B.

| records | clean | rejected | undecided | warnings |
|--:|--:|--:|--:|--:|
| 4 | 1 (25.00 %) | 3 (75.00 %) | 0 | 0 |

**What next**

* Begin with `structure.fields`: 1 record (33.33 % of all failures), first on line 5.
* Add `--findings findings.jsonl` to list every finding, or split the file with `assay clean`.

| rule | column | failed | warned | undecided | first | problem |
|:--|:--|--:|--:|--:|:--|:--|
| `structure.fields` |  | 1 | 0 | 0 | line 5 | another number of fields than the header |
| `age.type` | `age` | 1 | 0 | 0 | line 3 | is not an integer |
| `age.maximum` | `age` | 1 | 0 | 0 | line 4 | is above 150 |

**Where in the file**: Too few are rejected to tell a pattern. Each mark represents 1 record, \
the highest for 1 rejected.

`·███`
""")

    def test_mistakes_of_all_files_are_reported(self):
        """A statement about all failures must be true of all. A statement about the first one is an example."""
        values = ["a@", "b@"] + ["c"] * 5
        self.write("t.csv", "k,m,n\n" + "".join(f"{n % 4},{value},x\n" for n, value in enumerate(values, 1)))
        fields = [{"name": "m", "format": "email"}, {"name": "n", "type": "integer"}]
        self.write("r.json", json.dumps({"fields": [{"name": "k"}] + fields}))
        self.write("k.json", json.dumps({"fields": [{"name": "k"}, {"name": "m"}], "primaryKey": ["k"]}))
        reason = "its host name is empty, starts or ends with a dot, or has two in a row"
        expected = {
            "m.format": f"is not an e-mail address, for example: {reason}", "n.type": "is not an integer",
            "primaryKey": "for example: equals record 1 (line 2)"}
        for rules, rule, column in (("r.json", "m.format", "m"), ("r.json", "n.type", "n"),
                                    ("k.json", "primaryKey", "k")):
            with self.subTest(rule):
                reports = self.reports("t.csv", "-r", rules, forms=["html", "md", "xml"])
                words, counted = expected[rule], 7 if rules == "r.json" else 3
                self.assertRegex(
                    reports["md"],
                    rf"\| `{rule}` \| `{column}` \| {counted} \| 0 \| 0 \| lines? [0-9, ]+ \| {re.escape(words)} \|\n")
                [row] = [row for row in Page(reports["html"]).table("Findings by rule") if row[0] == rule]
                self.assertEqual((row[1], row[6]), (column, words))
                self.assertIn(f'message="{counted} failed of 7 records: {words}"', reports["xml"])
        # The message contains the reason, because all known values share it.
        self.write("t.csv", "k,m,n\n1,a@,1\n2,b@,2\n3,c@d.org,3\n")
        self.assertIn(f"| is not an e-mail address: {reason} |",
                      self.reports("t.csv", "-r", "r.json", forms=["md"])["md"])

    def test_junit(self):
        version = json.loads(self.small()["json"])["assay"]
        self.assertEqual(self.small()["xml"], f"""\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay" tests="7" failures="3" errors="0">
  <testsuite name="users.csv" tests="7" failures="3" errors="0" skipped="0">
    <properties>
      <property name="assay" value="{version}"/>
      <property name="records" value="4"/>
      <property name="clean" value="1"/>
      <property name="rejected" value="3"/>
      <property name="undecided" value="0"/>
      <property name="warnings" value="0"/>
    </properties>
    <testcase classname="users.csv" name="structure.fields">
      <failure message="1 failed of 4 records: another number of fields than the header" type="reject">\
users.csv:5:1 the record has 1 field where 2 are expected</failure>
    </testcase>
    <testcase classname="users.csv" name="structure.quote"/>
    <testcase classname="users.csv" name="structure.blank"/>
    <testcase classname="users.csv" name="structure.too-long"/>
    <testcase classname="users.csv" name="encoding"/>
    <testcase classname="users.csv.age" name="age.type">
      <failure message="1 failed of 4 records: is not an integer" type="reject">\
users.csv:3:4 age is not an integer</failure>
    </testcase>
    <testcase classname="users.csv.age" name="age.maximum">
      <failure message="1 failed of 4 records: is above 150" type="reject">users.csv:4:2 age is above 150</failure>
    </testcase>
  </testsuite>
</testsuites>
""")

    def test_sarif(self):
        log = json.loads(self.small()["sarif"])
        [run] = log["runs"]
        self.assertEqual(log["version"], "2.1.0")
        self.assertEqual(run["columnKind"], "unicodeCodePoints")
        self.assertEqual(run["artifacts"], [
            {"location": {"uri": "users.csv", "uriBaseId": "%SRCROOT%"}, "roles": ["analysisTarget"]}])
        self.assertEqual(run["invocations"], [{"executionSuccessful": True, "toolExecutionNotifications": []}])
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(rules, ["structure.fields", "structure.quote", "structure.json", "structure.blank",
                                 "structure.too-long", "encoding", "age.type", "age.maximum"])
        first = run["results"][0]
        self.assertRegex(first["partialFingerprints"].pop("assayPlace/v1"), "^[0-9a-f]{32}$")
        self.assertEqual(first, {
            "ruleId": "age.type", "ruleIndex": 6, "level": "error", "message": {"text": "age is not an integer."},
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": {"uri": "users.csv", "uriBaseId": "%SRCROOT%", "index": 0},
                    "region": {"startLine": 3, "startColumn": 4}},
                "logicalLocations": [{"name": "age", "kind": "column"}]}],
            "partialFingerprints": {}, "properties": {"record": 2, "offset": 20}})
        self.assertEqual([result["ruleId"] for result in run["results"]],
                         ["age.type", "age.maximum", "structure.fields"])

    def test_page(self):
        page = Page(self.small()["html"])
        self.assertEqual(page.table("Findings by rule"), [
            ["rule", "column", "", "failed", "warned", "undecided", "problem", "first"],
            ["structure.fields", "", "", "1", "0", "0", "another number of fields than the header", "line 5"],
            ["age.type", "age", "", "1", "0", "0", "is not an integer", "line 3"],
            ["age.maximum", "age", "", "1", "0", "0", "is above 150", "line 4"],
        ])
        self.assertEqual(page.table("The columns that have rules"), [
            ["column", "rejected", "", "of all", "missing", "", "of all", "most frequent"],
            ["age", "2", "", "50.00 %", "0", "", "0 %", "age.type"],
            ["name", "0", "", "0 %", "1", "", "25.00 %", ""],
        ])
        self.assertEqual(page.table("Rejected records by their place in the file"), [
            ["records", "rejected", "share"], ["2", "1", "100 %"], ["3", "1", "100 %"], ["4", "1", "100 %"]])
        self.assertIn("3 of 4 records are rejected.", page.text)

    def test_no_mistakes(self):
        self.write("users.csv", "name,age\nanna,31\n")
        texts = self.reports("users.csv", "-r", self.rules("name", RULES), status=0)
        self.assertIn("The one record is clean.", Page(texts["html"]).text)
        self.assertIn("No action needed: no rule found anything.", texts["html"])
        self.assertIn("## `users.csv`: 0 % rejected\n\nThe one record is clean.", texts["md"])
        self.assertEqual(json.loads(texts["sarif"])["runs"][0]["results"], [])
        self.assertEqual(xml.fromstring(texts["xml"]).get("failures"), "0")
        for content, sentence in (("name,age\n", "There are no records."),
                                  ("name,age\nx,y\n", "The one record is rejected.")):
            self.write("users.csv", content)
            texts = self.reports("users.csv", "-r", self.rules("name", RULES), status=None)
            self.assertIn(sentence, Page(texts["html"]).text)
            self.assertIn(sentence, texts["md"])

    # The same figures

    def test_figures_are_those_of_the_report(self):
        self.write("users.csv", (EXAMPLES / "users.csv").read_bytes())
        texts = self.reports("users.csv", "-r", EXAMPLES / "users.rules.yaml")
        report = json.loads(texts["json"])
        [counts] = report["inputs"]
        rules = {rule["id"]: rule for column in report["columns"] for rule in column["rules"]}
        rules |= {rule["id"]: rule for rule in report["rows"]}
        names = {"fields": "structure.fields", "quote": "structure.quote", "tooLong": "structure.too-long",
                 "encoding": "encoding", "json": "structure.json", "blank": "structure.blank"}
        rules |= {names[kind]: {"failed": n, "warned": 0, "undecided": 0} for kind, n in report["structure"].items()}
        rules |= {key["id"]: {"failed": key["refused"], "warned": 0, "undecided": 0} for key in report["keys"]}
        found = {rule: counts for rule, counts in rules.items()
                 if counts["failed"] + counts["warned"] + counts["undecided"]}
        self.assertGreater(len(found), 10)
        three = {rule: [n["failed"], n["warned"], n["undecided"]] for rule, n in found.items()}

        page = Page(texts["html"])
        self.assertEqual({row[0]: [count(n) for n in row[3:6]] for row in page.table("Findings by rule")[1:]},
                         three)
        self.assertEqual({row[0]: (count(row[1]), count(row[4]))
                          for row in page.table("The columns that have rules")[1:]},
                         {column["name"]: (column["rejected"], column["missing"]) for column in report["columns"]})
        strip = {row[0]: count(row[1]) for row in page.table("Rejected records by their place in the file")[1:]}
        each, parts = report["positions"]["recordsEach"], report["positions"]["rejected"]
        self.assertEqual(sum(parts), counts["rejected"])
        self.assertEqual(list(strip.values()), [n for n in parts if n])
        self.assertEqual(page.table("The files")[1],
                         ["users.csv", page.table("The files")[1][1]] + [f"{counts[key]:,}" for key in
                                                                       ("records", "clean", "rejected", "undecided")])

        rows = [re.split(r" \| ", line.strip("| ")) for line in texts["md"].splitlines() if line.startswith("| `")]
        self.assertEqual({row[0].strip("`"): [count(n) for n in row[2:5]] for row in rows},
                         {row[0]: three[row[0]] for row in page.table("Findings by rule")[1:31]})

        driver = json.loads(texts["sarif"])["runs"][0]["tool"]["driver"]
        self.assertEqual({rule["id"]: [rule["properties"][key] for key in ("failed", "warned", "undecided")]
                          for rule in driver["rules"] if rule["id"] in found}, three)
        self.assertEqual(len(json.loads(texts["sarif"])["runs"][0]["results"]), report["findings"]["total"])

        suite = xml.fromstring(texts["xml"])[0]
        failed = {case.get("name"): case[0].get("message") for case in suite.iter("testcase")
                  if case.find("failure") is not None}
        self.assertEqual(set(failed), {rule for rule, n in three.items() if n[0] or n[2]})
        for rule, message in failed.items():
            self.assertEqual(count(message.split(" ")[0]), three[rule][0] or three[rule][2])

        # The distribution must match the findings.
        self.assay("clean", "users.csv", "-r", EXAMPLES / "users.rules.yaml", "-q", "--findings", "f.jsonl", status=0)
        findings = self.findings("f.jsonl")
        rejected = {finding["record"] for finding in findings if finding["severity"] == "reject"}
        buckets = [0] * len(parts)
        for record in rejected:
            buckets[(record - 1) // each] += 1
        self.assertEqual(parts, buckets)
        for row in page.table("Findings by rule")[1:]:
            lines = [finding["line"] for finding in findings if finding["rule"] == row[0]][:3]
            self.assertEqual(row[7],
                             f"line{'s' * (len(lines) > 1)} " + ", ".join(f"{line:,}" for line in lines), row[0])

    @slow
    def test_the_first_place_of_every_rule(self):
        """This includes a rule that fails only once, late, after many thousands of other findings. The number of
        threads must not matter."""
        maximum = volume(8_000, 40_000)
        lines = ["x,1\n"] * maximum
        lines[maximum - 1_000], lines[maximum - 500], lines[maximum - 10] = "x,\n", "x,1,2\n", "y,1\n"
        self.write("t.csv", "a,b\n" + "".join(lines))
        rules = self.rules({"name": "a", "rules": [{"id": "a.y", "pattern": "y"}]},
                           {"name": "b", "constraints": {"required": True}})
        texts = {threads: self.reports("t.csv", "-r", rules, "--threads", threads) for threads in (1, 2, 7)}
        found = Page(texts[1]["html"]).table("Findings by rule")[1:]
        self.assertEqual([(row[0], row[7]) for row in found], [
            ("a.y", "lines 2, 3, 4"), ("structure.fields", f"line {maximum - 498:,}"),
            ("b.required", f"line {maximum - 998:,}")])
        for form in FORMS[1:]:
            self.assertEqual(texts[1][form], texts[2][form])
            self.assertEqual(texts[1][form], texts[7][form])
        for report in (json.loads(texts[threads]["json"]) for threads in (1, 2, 7)):
            self.assertEqual(sum(report["positions"]["rejected"]), maximum - 1)
            self.assertEqual(report["positions"], json.loads(texts[1]["json"])["positions"])
        [run] = json.loads(texts[1]["sarif"])["runs"]
        self.assertEqual(len(run["results"]), 5_000)
        self.assertEqual(run["invocations"][0]["toolExecutionNotifications"], [
            {"level": "note", "message": {"text": f"Only the first 5,000 of {maximum:,} findings are listed."}}])

    def test_where_rejects_are(self):
        """For every input size, there are at most 128 parts of equal size, except for the last one."""
        for records in (1, 2, 127, 128, 129, 256, 257, 1000, volume(5_000, 20_000)):
            with self.subTest(records=records):
                bad = {number for number in range(1, records + 1) if number % 7 == 3 or records * 3 < number * 4}
                self.write("t.csv",
                           "a,b\n" + "".join(f"1{',2' if n in bad else ''},3\n" for n in range(1, records + 1)))
                self.assay("check", "t.csv", "--report", "r.json", "--force", "-q", "--threads", 7,
                           status=1 if bad else 0)
                positions = self.report("r.json")["positions"]
                each = positions["recordsEach"]
                self.assertEqual(each, max(1, 1 << (max(0, (records - 1)) // 128).bit_length()))
                expected = [0] * -(-records // each)
                for number in bad:
                    expected[(number - 1) // each] += 1
                self.assertEqual(positions["rejected"], expected)

    def test_where_rejects_are_among_comments_overlong_records_and_keys(self):
        lines = ["#\n", "1,2\n", "#\n", f"{'x' * 400_000},2\n", "1\n", "#\n", "3,3\n", "1,2\n"]
        self.write("t.csv", "a,b\n" + "".join(lines))
        rules = self.rules({"name": "a", "constraints": {"unique": True}}, "b")
        limits = ["--limit", "record-bytes=1000", "--limit", "field-bytes=900"]
        for more in [], ["--memory", "1"]:
            self.assay("check", "t.csv", "-r", rules, "--comment", "#", *limits, "--report", "r.json", "--force",
                       "-q", *more, status=1)
            self.assertEqual(self.report("r.json")["positions"], {"recordsEach": 1, "rejected": [0, 1, 1, 0, 1]})

    def test_a_cluster_is_named(self):
        self.write("t.csv", "a,b\n" + "".join("1\n" if 3000 <= n < 3100 else "1,2\n" for n in range(1, 10_001)))
        texts = self.reports("t.csv")
        self.assertIn("Look at records 2,945 to 3,072: half of the rejected records are in this 1.28 % of the file.",
                      texts["html"])
        self.write("t.csv", "a,b\n" + "".join("1\n" if n % 50 == 0 else "1,2\n" for n in range(1, 10_001)))
        self.assertIn("The rejected records are spread over the file.", self.reports("t.csv")["md"])

    # Untrusted text

    HOSTILE = ["<script>alert(1)</script>", "tag\U000e0041\u180e", "a|b`c``d", "[x](javascript:1)",
               "@team #12 www.example.org", "\u202eevil\u2066", "&amp;{0}", '"><img src=x>',
               "a@evil.org GH-12 mailto:a@b.c", "é" * 300, "`", " ", "]]>", "tab\there", "$(id)",
               "'; DROP TABLE x; --", "|\u0301"]

    def test_hostile_names_and_values(self):
        names = self.HOSTILE
        quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
        row = ",".join('"' + name.replace('"', '""') + '"' for name in reversed(names))
        path = "d/<b>`|&'\u202e#.csv"
        self.write(path, quoted + "\n" + row + "\n")
        fields = [{"name": name,
                   "rules": [{"id": f"{name}.rule", "pattern": "z", "message": f"is <i>bad</i> | {name} {{0}}"}]}
                  for name in names]
        texts = self.reports(path, "-r", self.rules(*fields), "--show-values")
        page = Page(texts["html"])
        self.assertEqual(FETCHED & {tag for tag, _ in page.tags}, set())
        self.assertEqual([tag for tag, attributes in page.tags if any(name.startswith("on") for name in attributes)],
                         [])
        shown = {row[0] for row in page.table("Findings by rule")[1:]}
        self.assertIn("<script>alert(1)</script>.rule", shown)
        self.assertIn("\\u202Eevil\\u2066.rule", shown)
        self.assertEqual(len(page.table("The first values that each rule found")) - 1, len(names))
        for text in texts.values():
            self.assertEqual(
                re.findall("[\x00-\x09\x0b-\x1f\x7f\u180e\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]", text), [])
        suite = xml.fromstring(texts["xml"])[0]
        self.assertIn("<script>alert(1)</script>.rule", {case.get("name") for case in suite.iter("testcase")})
        [run] = json.loads(texts["sarif"])["runs"]
        self.assertEqual(run["artifacts"][0]["location"]["uri"], "d/%3Cb%3E%60%7C%26%27%E2%80%AE%23.csv")
        self.assertIn("is <i>bad</i> | &amp;{{0}} {{0}}.",
                      " ".join(result["message"]["text"] for result in run["results"]))
        rows = [line for line in texts["md"].splitlines() if line.startswith("| `")]
        self.assertEqual(len(rows), len(names))
        for line in rows:
            self.assertEqual(len(re.findall(r"(?<!\\)\|", line)), 8, line)
            outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
            # GitHub would turn these into mentions or links without a separator.
            self.assertEqual(re.findall(r"(?:&#(?:64|35);|(?i:gh)-)(?!<!-- -->)", outside), [], line)
            self.assertEqual(re.findall(r"[<>@\[\]`*]|www\.", outside.replace("<!-- -->", "")), [], line)

    def test_no_message_of_sarif_has_a_link(self):
        """A link is [text](place). In its text, a backslash escapes a bracket or a backslash (SARIF 2.1.0, section
        3.11.6)."""
        self.write("t.csv", "a\nb\n")
        for backslashes in range(6):
            text = "see [login" + "\\" * backslashes + "](http://evil.example/) at C:\\temp [1]"
            with self.subTest(text):
                rules = self.rules({"name": "a", "rules": [{"id": "r", "pattern": "z", "message": text}]})
                [run] = json.loads(self.reports("t.csv", "-r", rules, forms=["sarif"])["sarif"])["runs"]
                [message] = [result["message"]["text"] for result in run["results"]]
                self.assertEqual(re.findall(r"\[(?:[^\[\]\\]|\\.)*\]\(", message), [], message)
                link = re.search(r"(?s)\[login((?:\\.)*)\(http", message)
                self.assertIsNotNone(link, message)
                self.assertTrue(link[1].endswith("\\]"), message)
                self.assertEqual(message.count("\\temp"), 1)

    def test_files_and_columns_whose_names_differ_only_in_their_bytes(self):
        names = ["\u00e9", "e\u0301"]
        for name in names:
            self.write(f"{name}.csv", "a\nx\n")
        rules = self.rules({"name": "a", "type": "integer"})
        texts = self.reports(*(f"{name}.csv" for name in names), "--as-one", "-r", rules, forms=["sarif"])
        [run] = json.loads(texts["sarif"])["runs"]
        places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
        self.assertEqual([place["index"] for place in places], [0, 1])
        self.assertEqual([run["artifacts"][place["index"]]["location"]["uri"] for place in places],
                         [place["uri"] for place in places])

        def prints(*columns):
            self.write("t.csv", ",".join(columns) + "\n" + ",".join("x" for _ in columns) + "\n")
            rules = self.rules(*({"name": column, "type": "integer"} for column in columns))
            [run] = json.loads(self.reports("t.csv", "-r", rules, forms=["sarif"])["sarif"])["runs"]
            return [result["partialFingerprints"]["assayPlace/v1"] for result in run["results"]]

        self.assertEqual(prints(*names), [prints(name)[0] for name in names])

    def test_values_only_on_request(self):
        self.write("t.csv", "name,age\nanna,secret-value\n")
        rules = self.rules("name", RULES)
        for text in self.reports("t.csv", "-r", rules).values():
            self.assertNotIn("secret-value", text)
        texts = self.reports("t.csv", "-r", rules, "--show-values")
        self.assertEqual([form for form, text in texts.items() if "secret-value" in text], ["html"])
        self.assertEqual(Page(texts["html"]).table("The first values that each rule found")[1],
                         ["age.type", "age", "2", "secret-value", "is not an integer"])

    # Places

    def test_columns_of_characters(self):
        """In code points of the file: in quotes, after characters of any width, on a later line of a record."""
        self.write("t.csv", 'a,b\n"é😀",x\n"one\ntwo",x\nz,"x"\n')
        rules = self.rules("a", {"name": "b", "type": "integer"})
        [run] = json.loads(self.reports("t.csv", "-r", rules, forms=["sarif"])["sarif"])["runs"]
        regions = [result["locations"][0]["physicalLocation"]["region"] for result in run["results"]]
        self.assertEqual(regions, [{"startLine": 2, "startColumn": 6}, {"startLine": 4, "startColumn": 6},
                                   {"startLine": 5, "startColumn": 3}])
        self.write("latin.csv", "a,b\né,x\n".encode("latin-1"))
        texts = self.reports("latin.csv", "-r", rules, "--encoding", "windows-1252", forms=["sarif"])
        [result] = json.loads(texts["sarif"])["runs"][0]["results"]
        self.assertEqual(result["locations"][0]["physicalLocation"]["region"], {"startLine": 2, "startColumn": 3})

    def test_json_lines_and_several_files(self):
        self.write("a.jsonl", '{"id": 1}\n{"id": "x"}\n[]\n')
        self.write("b.jsonl", '{"id": 1}\n\n{"id": "y"}\n')
        rules = self.rules({"name": "id", "type": "integer"})
        texts = self.reports("a.jsonl", "b.jsonl", "--as-one", "-r", rules)
        page = Page(texts["html"])
        self.assertEqual([row[:1] + row[6:] for row in page.table("Findings by rule")[1:]], [
            ["id.type", "is not an integer: it is a JSON string; 'types: text' would read its text",
             "line 2 of a.jsonl, line 3 of b.jsonl"],
            ["structure.json", "no object of JSON, or a name twice", "line 3 of a.jsonl"],
            ["structure.blank", "a blank line", "line 2 of b.jsonl"],
        ])
        [run] = json.loads(texts["sarif"])["runs"]
        self.assertEqual([(result["ruleId"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
                          for result in run["results"]],
                         [("id.type", "a.jsonl"), ("structure.json", "a.jsonl"), ("structure.blank", "b.jsonl"),
                          ("id.type", "b.jsonl")])
        self.assertIn("## `a.jsonl` and 1 other: ", texts["md"])

    def test_standard_input_and_paths(self):
        texts = {}
        for name, arguments in {"-": ["-"], "abs": [self.path("users.csv")], "up": ["d/../users.csv"]}.items():
            self.write("users.csv", "a\nx,y\n")
            self.write("d/x", "")
            self.assay("check", *arguments, "--report", "r.sarif", "--force", "-q", stdin="a\nx,y\n", status=1)
            [run] = json.loads(self.read("r.sarif"))["runs"]
            texts[name] = run["artifacts"][0]["location"]
        self.assertEqual(texts["-"], {"uri": "stdin"})
        self.assertEqual(texts["abs"], {"uri": self.path("users.csv").resolve().as_uri()})
        self.assertEqual(texts["up"], {"uri": "d/../users.csv"})

    def test_fingerprints_stay(self):
        def prints(content):
            self.write("t.csv", content)
            [run] = json.loads(self.reports("t.csv", "-r", self.rules("name", RULES), forms=["sarif"])["sarif"])["runs"]
            return [result["partialFingerprints"]["assayPlace/v1"] for result in run["results"]]

        first = prints(TABLE)
        self.assertEqual(len(set(first)), 3)
        self.assertEqual(prints(TABLE), first)
        self.assertEqual(prints(TABLE + "e,y\n")[:3], first)

    # The command

    def test_forms_by_name(self):
        self.write("users.csv", TABLE)
        begins = {"json": "{", "html": "<!DOCTYPE html>", "HTML": "<!DOCTYPE html>", "md": "## ",
                  "sarif": '{\n  "version": "2.1.0"', "xml": "<?xml", "junit.xml": "<?xml",
                  "prom": "# HELP assay_records ", "annotations": "::error file=users.csv,line="}
        for ending, start in begins.items():
            self.assay("check", "users.csv", "--report", f"x.{ending}", "-q", status=1)
            self.assertTrue(self.read(f"x.{ending}").decode().startswith(start), ending)
        self.assay("check", "users.csv", "--report", "x.html.gz", "-q", status=1)
        self.assertTrue(self.read("x.html.gz").startswith(b"\x1f\x8b"))
        self.assertTrue(self.assay("check", "users.csv", "--report", "-", "-q", status=1).text.startswith("{"))
        known = ".json, .html, .md, .sarif, .xml, .prom, .annotations"
        for name in ("r.yaml", "r.htm", "r.txt", "r.pdf", "r.csv.gz"):
            ending = "." + name.removesuffix(".gz").rsplit(".")[-1]
            self.assertEqual(
                self.assay("check", "users.csv", "--report", name, status=2).err,
                f"assay: error: no report is written as '{ending}', the ending of {name}\n"
                f"  hint: use a name that ends in one of {known}; .md is Markdown, .xml is JUnit's XML\n")

    def test_several_at_once(self):
        self.write("users.csv", TABLE)
        rules = self.rules("name", RULES)
        outcome = self.assay("clean", "users.csv", "-r", rules, "--report", "a.html", "--report", "a.json",
                             "--report", "a.md", status=0)
        self.assertIn("    report    a.html\n    report    a.json\n    report    a.md\n", outcome.err)
        self.assert_no_files_left("a.html", "a.json", "a.md", "rules.json", "users.clean.csv", "users.csv",
                                 "users.findings.jsonl", "users.rejects.csv")
        # The last output exists already, so the command must not write any of them.
        before = self.read("a.html")
        self.assertEqual(
            self.assay("clean", "users.csv", "-r", rules, "--output-dir", ".", "--report", "b.html",
                       "--report", "a.json", status=2).err
            .split("\n")[:2], ["assay: error: these outputs exist already:", "    ./users.clean.csv"])
        self.assertFalse(self.exists("b.html"))
        self.assertEqual(self.read("a.html"), before)
        for reports, message in (
            (["a.md", "./a.md"], "two outputs would be the same file: a.md and ./a.md"),
            (["-", "-"], "At most one output can be standard output (-)."),
            (["none", "x.md"], "--report none cannot be combined with another --report."),
            (["x.md", "x.csv"], "no report is written as '.csv', the ending of x.csv"),
        ):
            arguments = [word for report in reports for word in ("--report", report)]
            self.assertIn(message, self.assay("check", "users.csv", *arguments, "--force", status=2).err)
        self.write("b.csv", TABLE)
        self.assertIn("--findings and --report take one input",
                      self.assay("check", "users.csv", "b.csv", "--report", "x.md", status=2).err)

    def test_monitoring(self):
        """Each gauge has the count of the JSON report, also if names contain quotes, backslashes and line breaks."""
        name = 'a"b\\c\nd,e'
        self.write("users.csv", f'id,"{name.replace(chr(34), chr(34) * 2)}"\n1,x\nx,\n3,\n4,5,6\n'.encode())
        rules = {"fields": [{"name": "id", "type": "integer"},
                            {"name": name, "rules": [{"id": "short", "max": 0, "severity": "warn", "maxLength": 0}]}],
                 "thresholds": {"rejected": "1%"}}
        del rules["fields"][1]["rules"][0]["max"]
        self.write("rules.json", json.dumps(rules))
        self.assay("check", "users.csv", "-r", "rules.json", "--report", "r.prom", "--report", "r.json",
                   "--report", "r.annotations", "-q", status=1)
        report = json.loads(self.read("r.json"))
        gauges = {}
        for line in self.read("r.prom").decode().split("\n")[:-1]:
            if line.startswith("#"):
                self.assertRegex(line, "^# (HELP|TYPE) assay_[a-z_]+ .")
                continue
            metric, labels, value = re.fullmatch(r'(assay_[a-z_]+)\{((?:[a-z]+="(?:[^"\\\n]|\\.)*",?)+)\} (\d+)',
                                                 line).groups()
            pairs = {key: re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text)
                     for key, text in re.findall(r'([a-z]+)="((?:[^"\\]|\\.)*)"', labels)}
            self.assertEqual(pairs.pop("table"), "users.csv")
            gauges[(metric, *pairs.values())] = int(value)
        [read] = report["inputs"]
        self.assertEqual(gauges[("assay_records", "clean")], read["clean"])
        self.assertEqual(gauges[("assay_records", "rejected")], read["rejected"])
        self.assertEqual(gauges[("assay_read_bytes",)], read["bytes"])
        self.assertEqual(gauges[("assay_findings", "short", name, "warned")], 1)
        self.assertEqual(gauges[("assay_findings", "id.type", "id", "failed")], 1)
        self.assertEqual(gauges[("assay_findings", "structure.fields", "", "failed")], 1)
        self.assertEqual(gauges[("assay_missing_values", name)], 2)
        self.assertEqual(gauges[("assay_column_rejected_records", "id")], 1)
        self.assertEqual(gauges[("assay_threshold_exceeded", "rejected at most 1%")], 1)
        lines = self.read("r.annotations").decode().split("\n")
        self.assertEqual(len(lines), 5)
        self.assertIn("::error file=users.csv,line=4,col=1,title=id.type::id: 1 of 4 records: is not an integer", lines)
        [warning] = [line for line in lines if line.startswith("::warning ")]
        self.assertIn(",title=short::", warning)
        self.assertIn("::error file=users.csv,title=threshold::rejected 2 of 4 records (50.00 %25), more than 1%25 "
                      "(thresholds.rejected)", lines)

    def test_monitoring_of_hostile_names(self):
        name = "a\x1b[31m\u202eb"
        self.write("users.csv", f"{name},c\nx,2\n3\n")
        self.write("rules.json", json.dumps({"fields": [{"name": name, "type": "integer"}, {"name": "c"}]}))
        self.assay("check", "users.csv", "-r", "rules.json", "--report", "r.prom", "--report", "r.annotations", "-q",
                   status=1)
        for report in ("r.prom", "r.annotations"):
            self.assert_safe(self.read(report))
            self.assertIn("[31m", self.read(report).decode())

    def test_several_of_a_stopped_run(self):
        self.write("users.csv", TABLE)
        self.assay("check", "users.csv", "-r", self.rules("name", RULES), "--stop-after", 1,
                   "--report", "a.html", "--report", "a.sarif", "-q", status=1)
        self.assert_no_files_left("rules.json", "users.csv")

    # The page

    def style(self, text):
        [css] = re.findall(r"<style>(.*?)</style>", text, re.S)
        return css

    def test_page_is_complete_and_self_contained(self):
        self.write("users.csv", (EXAMPLES / "users.csv").read_bytes())
        text = self.reports("users.csv", "-r", EXAMPLES / "users.rules.yaml", "--show-values")["html"]
        page = Page(text)
        self.assertEqual(FETCHED & {tag for tag, _ in page.tags}, set())
        self.assertEqual(re.findall(r"https?:|//|url\(|@import", self.style(text)), [])
        links = [attributes.get("href", attributes.get("src")) for _, attributes in page.tags]
        self.assertEqual({link for link in links if link}, {"#main"})
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertIn(("html", {"lang": "en"}), page.tags)
        labelled = [attributes["aria-labelledby"] for _, attributes in page.tags if "aria-labelledby" in attributes]
        self.assertEqual(set(labelled) - set(page.ids), set())
        self.assertEqual(len(page.captions), len(page.tables))
        headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
        self.assertEqual(headings[0], 1)
        self.assertTrue(all(later - earlier <= 1 for earlier, later in zip(headings, headings[1:])))
        # A bar is decorative: the number beside it has the same information.
        for row in re.findall(r"<tr>.*?</tr>", text):
            if 'class="bar"' in row:
                self.assertRegex(row, r'<td class="number">[\d,.<> &lt;%]+</td>')
        self.assertEqual(len(re.findall('class="bar"', text)), len(re.findall('class="bar" aria-hidden="true"', text)))
        for bar in re.findall(r'<rect class="bad".*?</rect>', text):
            self.assertRegex(bar, r"<title>records [\d,]+ to [\d,]+: [\d,]+ rejected</title>")
        if importlib.util.find_spec("html5lib"):
            import html5lib
            html5lib.HTMLParser(strict=True).parse(text)

    def test_contrast(self):
        css = self.style(self.small()["html"])
        themes = re.findall(r":root\{(.*?)\}", css, re.S)
        self.assertEqual(len(themes), 2)

        def colours(theme):
            return {name: value for name, value in re.findall(r"--([\w-]+):(#[0-9a-f]{6})", theme)}

        def luminance(colour):
            parts = [int(colour[place:place + 2], 16) / 255 for place in (1, 3, 5)]
            linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
            return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))

        def contrast(one, other):
            light, dark = sorted([luminance(one), luminance(other)], reverse=True)
            return (light + 0.05) / (dark + 0.05)

        for theme in map(colours, themes):
            for text in ("text", "quiet", "bad", "good", "warn", "link"):
                for ground in ("card", "page", "track"):
                    with self.subTest(text=text, ground=ground):
                        self.assertGreaterEqual(contrast(theme[text], theme[ground]), 4.5)
            for bar in ("bad-bar", "good-bar", "warn-bar", "info-bar"):
                for ground in ("card", "track"):
                    with self.subTest(bar=bar, ground=ground):
                        self.assertGreaterEqual(contrast(theme[bar], theme[ground]), 3)
        # The page uses no other colours.
        used = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", css)) - {"#fff", "#bbb"}
        self.assertEqual(used - {value for theme in themes for value in colours(theme).values()}, set())

    @slow
    def test_page_is_small(self):
        """3,000 columns with long names of the characters with the longest escapes, all values bad and shown."""
        names = [f"{number}" + "&" * 300 for number in range(3_000)]
        self.write("t.csv", ",".join(names) + "\n" + ("&" * 200 + ",") * 2_999 + "&\n")
        fields = [{"name": name, "rules": [{"id": f"{rule}{number}" + "&" * 300, "pattern": "x", "message": "&" * 400}
                                           for rule in "ab"]} for number, name in enumerate(names)]
        texts = self.reports("t.csv", "-r", self.rules(*fields), "--show-values", "--limit", "rule-file-bytes=9000000")
        self.assertLess(len(texts["html"].encode()), 300_000)
        page = Page(texts["html"])
        self.assertIn("5,920 more rules found less.", page.text)
        self.assertIn("2,940 more columns with fewer rejected records and missing cells.", page.text)
        self.assertLess(len(texts["md"].encode()), 100_000)

    # Other readers

    def test_sarif_fits_its_schema(self):
        """Validates with the JSON Schema of the standard, if a Python package that contains it is installed."""
        if importlib.util.find_spec("jsonschema") is None:
            self.skipTest("jsonschema is not installed")
        import jsonschema
        files = [file.locate() for package in importlib.metadata.distributions() for file in package.files or []
                 if re.fullmatch(r"sarif-schema(-2\.1\.0)?\.json", file.name)]
        if not files:
            self.skipTest("no Python package that is installed has the JSON Schema of SARIF 2.1.0")
        schema = json.loads(files[0].read_text())
        check = jsonschema.validators.validator_for(schema)(schema)
        self.write("users.csv", (EXAMPLES / "users.csv").read_bytes())
        self.write("bad.csv", "a\n1,2\n")
        for arguments in (["users.csv", "-r", EXAMPLES / "users.rules.yaml"], ["bad.csv"],
                          ["users.csv", "bad.csv"][:1]):
            log = json.loads(self.reports(*arguments, forms=["sarif"], status=None)["sarif"])
            self.assertEqual([error.message for error in check.iter_errors(log)], [])

    def test_sarif_in_a_consumer(self):
        tool = shutil.which("sarif")
        if tool is None:
            self.skipTest("sarif-tools is not installed")
        self.small()
        summary = subprocess.run([tool, "summary", "r.sarif"], cwd=self.directory, capture_output=True, text=True,
                                 check=True).stdout
        self.assertIn("error: 3", summary)
        self.assertIn("age.type", summary)

    def test_disk_full_and_conservation(self):
        """If one report cannot be written, the others must not be published."""
        self.write("users.csv", TABLE)
        self.write("d/x", "")
        outcome = self.assay("check", "users.csv", "--report", "a.md", "--report", "nowhere/a.html", status=2)
        self.assertIn("nowhere", outcome.err)
        self.assert_no_files_left("d/x", "users.csv")


    def test_cells_with_line_breaks(self):
        self.write("a.csv", 'id,n|m\n1,"a\nb"\n2,c\n')
        text = self.reports("a.csv", forms=["md", "html"], status=0)
        self.assertIn("\n\n1 cell contains line breaks.\n", text["md"])
        self.assertIn("<p>1 cell contains line breaks.</p>", text["html"])
        self.write("b.csv", "id,n|m\n1,x\n" + '2,"' + "y\n" * 30 + '"\n')
        text = self.reports("a.csv", "b.csv", "--as-one", forms=["md", "html", "json"], status=0)
        line = "2 cells contain line breaks; the one on line 3 of b.csv, in column "
        self.assertIn(line, text["md"])
        self.assertIn(line, text["html"])
        self.assertEqual(json.loads(text["json"])["lineBreaks"]["outlier"]["input"], "b.csv")


if __name__ == "__main__":
    unittest.main()
