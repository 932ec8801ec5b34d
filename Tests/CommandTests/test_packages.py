"""Data Packages: a descriptor as the input of check and clean."""

import gzip
import hashlib
import json
import os

from support import CommandTest, slow

PEOPLE = "id;email\n1;a@example.org\n2;bad\n"
TOWNS = "id,name\n1,Wien\nx,Graz\n2,Linz\n"

PEOPLE_FIELDS = [{"name": "id", "type": "integer"}, {"name": "email", "format": "email"}]
TOWN_FIELDS = [{"name": "id", "type": "integer"}, {"name": "name"}]


class PackageTest(CommandTest):
    def package(self, *resources, name="datapackage.json", **more):
        return self.write(name, json.dumps({"name": "test", "resources": list(resources)} | more))

    def two(self):
        self.write("data/people.csv", PEOPLE)
        self.write("towns.csv", TOWNS)
        return self.package(
            {"name": "people", "path": "data/people.csv", "dialect": {"delimiter": ";"},
             "schema": {"fields": PEOPLE_FIELDS}},
            {"name": "towns", "path": "towns.csv", "schema": {"fields": TOWN_FIELDS, "primaryKey": "id"}})

    def refusal(self, text, *arguments, name="datapackage.json"):
        """The error message for a rejected descriptor."""
        self.write(name, text)
        return self.assay(*(arguments or ("check", name)), status=2).err


class ReadingTests(PackageTest):
    def test_each_table_is_checked_by_its_schema(self):
        outcome = self.assay("check", self.two(), status=1)
        self.assertIn("\ntowns.csv  ", outcome.err)
        self.assertIn("data/people.csv:3:27 email.format", outcome.err)
        self.assertIn("towns.csv:3:15 id.type", outcome.err)
        self.assertIn("2 files  5 records, 3 clean, 2 rejected (40.00 %)\n", outcome.err)

    def test_outputs_next_to_each_file(self):
        self.assay("clean", self.two(), "--quiet", status=0)
        self.assertEqual(self.read("data/people.clean.csv").decode(), "id;email\n1;a@example.org\n")
        self.assertEqual(self.read("towns.rejects.csv").decode(), "id,name\nx,Graz\n")
        self.assertEqual(len(self.files()), 11)
        self.assertEqual(self.report("towns.report.json")["inputs"][0]["path"], "towns.csv")

    def test_outputs_in_a_directory(self):
        self.two()
        self.path("out").mkdir()
        self.assay("clean", "./datapackage.json", "--output-dir", "out", "--quiet", status=0)
        self.assertEqual(
            [name for name in self.files() if name.startswith("out/")],
            [f"out/{table}.{what}" for table in ("people", "towns")
             for what in ("clean.csv", "findings.jsonl", "rejects.csv", "report.json")])

    def test_from_another_folder(self):
        """Paths are relative to the descriptor, not to the working directory."""
        self.two()
        self.path("elsewhere").mkdir()
        outcome = self.assay("check", "../datapackage.json", cwd=self.path("elsewhere"), status=1)
        self.assertIn("../data/people.csv:3:27 email.format", outcome.err)

    def test_yaml(self):
        self.write("towns.csv", TOWNS)
        self.write("datapackage.yaml", """\
resources:
  - name: towns
    path: towns.csv
    schema:
      fields:
        - {name: id, type: integer, title@de: Nummer}
        - {name: name}
""")
        self.assertIn("towns.csv:3:15 id.type", self.assay("check", "datapackage.yaml", status=1).err)
        self.write("any name.yaml", self.read("datapackage.yaml"))
        self.assay("check", "any name.yaml", status=1)

    def test_a_single_resource(self):
        self.write("towns.csv", TOWNS)
        for name in ("towns.json", "a.resource.yaml"):
            self.write(name, json.dumps({"name": "towns", "path": "towns.csv", "schema": {"fields": TOWN_FIELDS}}))
            self.assertIn("towns.csv:3:15 id.type", self.assay("check", name, status=1).err)

    def test_several_parts_are_one_table(self):
        self.write("part-1.csv", "id,name\n1,a\n2,b\n")
        self.write("part-2.csv", "id,name\n2,c\n3,d\n")
        self.package({
            "name": "parts", "path": ["part-1.csv", "part-2.csv"],
            "schema": {"fields": TOWN_FIELDS, "primaryKey": ["id"]}})
        self.assay("clean", "datapackage.json", "--quiet", status=0)
        self.assertEqual(self.read("part.clean.csv").decode(), "id,name\n1,a\n2,b\n3,d\n")
        self.assertEqual(self.findings("part.findings.jsonl")[0]["input"], "part-2.csv")

    def test_schema_and_dialect_in_files_of_their_own(self):
        self.write("data/people.csv", PEOPLE)
        self.write("rules/people.yaml", "fields:\n  - {name: id, type: integer}\n  - {name: email, format: email}\n")
        self.write("rules/dialect.json", '{"delimiter": ";"}')
        self.package({
            "name": "people", "path": "data/people.csv", "schema": "rules/people.yaml",
            "dialect": "rules/dialect.json"})
        self.assertIn("people.csv:3:27 email.format", self.assay("check", "datapackage.json", status=1).err)

    def test_dialects_of_schema_and_resource(self):
        """Both apply. A contradiction between them is an error."""
        self.write("e.csv", "a;b\nx;Gr\xfc\xdfe\n".encode("latin-1"))
        fields = [{"name": "a"}, {"name": "b", "constraints": {"enum": ["Gr\u00fc\u00dfe"]}}]
        schema = {"fields": fields, "dialect": {"encoding": "windows-1252", "delimiter": ";"}}
        for more in ({}, {"dialect": {"delimiter": ";"}}, {"dialect": {"csv": {"quoteChar": "'"}}},
                     {"encoding": "cp1252"}):
            with self.subTest(more):
                self.package({"name": "e", "path": "e.csv", "schema": schema} | more)
                self.assay("check", "datapackage.json", status=0)
        self.write("s.json", json.dumps(schema))
        for more, message in (
            ({"dialect": {"delimiter": ","}}, "the dialect in the schema has another value under 'delimiter'"),
            ({"dialect": {"encoding": "utf-8"}}, "the dialect in the schema has another value under 'encoding'"),
            ({"encoding": "utf-8"}, "the dialect of the resource names another encoding: 'windows-1252'"),
            ({"encoding": "utf-8-sig"}, "the dialect of the resource names another encoding: 'windows-1252'"),
            ({"dialect": {"quoteChar": ";"}},
             "the delimiter and the quote are the same character, together with the dialect in the schema"),
        ):
            for where in (schema, "s.json"):
                with self.subTest(message, where=where):
                    self.package({"name": "e", "path": "e.csv", "schema": where} | more)
                    self.assertIn(f"error: {message}\n", self.assay("check", "datapackage.json", status=2).err)

    def test_encoding_is_suggested_as_the_descriptor_has_it(self):
        self.write("e.csv", ("a\n" + "Gr\u00fc\u00dfe\n" * 20).encode("latin-1"))
        self.package({"name": "e", "path": "e.csv", "schema": {"fields": [{"name": "a"}]}})
        hint = 'If the whole file is in it: "encoding": "windows-1252" in its resource\n'
        self.assertIn(hint, self.assay("check", "datapackage.json", status=1).err)
        self.assertIn(hint, self.assay("profile", "datapackage.json", status=0).text)

    def test_encoding_and_compression(self):
        self.write("towns.csv.gz", gzip.compress("id,name\n1,Köln\n".encode("cp1252")))
        self.package({
            "name": "towns", "path": "towns.csv.gz", "encoding": "windows-1252", "compression": "gz",
            "schema": {"fields": [{"name": "name", "constraints": {"enum": ["Köln"]}}]}})
        self.assay("check", "datapackage.json", status=0)
        self.package({"name": "towns", "path": "towns.csv.gz", "encoding": "utf-8-sig"})
        self.assertIn("encoding", self.assay("check", "datapackage.json", status=1).err)

    def test_json_lines(self):
        self.write("towns.txt", '{"id": 1}\n{"id": "x"}\n')
        self.package({
            "name": "towns", "path": "towns.txt", "format": "ndjson", "dialect": {"json": {"keyed": True}},
            "schema": {"fields": [{"name": "id", "type": "integer"}]}})
        self.assertIn("towns.txt:2:", self.assay("check", "datapackage.json", status=1).err)

    def test_dialects_of_both_versions(self):
        self.write("a.tsv", "a note\nid\tname\n1\tx\n")
        self.package(
            {"name": "a", "path": "a.tsv", "profile": "tabular-data-resource", "dialect": {
                "csvddfVersion": "1.2", "delimiter": "\t", "lineTerminator": "\r\n", "doubleQuote": True,
                "skipInitialSpace": False, "header": True, "commentChar": "a"}},
            {"name": "b", "path": "a.tsv", "type": "table", "dialect": {
                "$schema": "https://datapackage.org/profiles/2.0/tabledialect.json", "headerRows": [2]}},
            {"name": "c", "path": "a.tsv", "dialect": {"csv": {"delimiter": "\t"}, "skip": 1}},
            profile="tabular-data-package", created="2024-01-01T00:00:00Z", keywords=["test"])
        error = self.assay("check", "datapackage.json", status=0).err
        self.assertEqual(error.count("has no schema: only structure and encoding are judged"), 3)

    def test_resources_that_are_not_tables_are_omitted(self):
        self.write("towns.csv", TOWNS)
        self.write("README.md", "# Towns\n")
        self.package({"name": "readme", "path": "README.md"}, {"name": "towns", "path": "towns.csv"})
        self.assertTrue(self.assay("check", "datapackage.json", status=0).err.startswith(
            "assay: readme (README.md) is left out: it is not a table\n"
            "assay: towns has no schema: only structure and encoding are judged\n"))
        self.assertEqual(self.assay("check", "datapackage.json", "--quiet", status=0).err, "")

    def test_thresholds_and_the_worst_status(self):
        self.two()
        self.assay("check", "datapackage.json", "--max-reject-rate", "50%", "--quiet", status=0)
        self.assay("check", "datapackage.json", "--max-reject-rate", "40%", status=1)

    def test_a_table_of_json_lines_is_no_descriptor(self):
        self.write("a.json", '{"id": 1, "resources": []}\n{"id": 2, "resources": []}\n')
        self.assay("check", "a.json", status=0)
        self.write("datapackage.json", '{"id": 1}\n')
        self.assay("check", "datapackage.json", "--format", "jsonl", status=0)
        self.assay("check", "datapackage.json", status=2)


class ForeignKeyTests(PackageTest):
    def countries(self, resource="town"):
        self.write("data/towns.csv", "nr;name\n1;Wien\n2;Graz\n")
        self.write("countries.csv", "id,capital,neighbour\n7,1,8\n8,3,7\n9,,1\n")
        return self.package(
            {"name": "country", "path": "countries.csv", "schema": {
                "fields": [{"name": name, "type": "integer"} for name in ("id", "capital", "neighbour")],
                "foreignKeys": [
                    {"fields": ["capital"], "reference": {"resource": resource, "fields": ["nr"]}},
                    {"fields": "neighbour", "reference": {"resource": "country", "fields": "id"}}]}},
            {"name": "town", "path": "data/towns.csv", "dialect": {"delimiter": ";"}, "schema": {
                "fields": [{"name": "nr", "type": "integer"}, {"name": "name"}]}}, name="p/datapackage.json")

    def test_resources_are_named(self):
        self.countries()
        for name in ("data", "countries.csv"):
            self.path(name).rename(self.path("p") / name)
        self.assay("clean", "p/datapackage.json", "--quiet", status=0)
        self.assertEqual(
            [(finding["line"], finding["rule"]) for finding in self.findings("p/countries.findings.jsonl")],
            [(2, "foreignKeys.2"), (3, "foreignKeys.1"), (4, "foreignKeys.2")])
        self.assertEqual(self.read("p/data/towns.rejects.csv"), b"nr;name\n")

    def test_resources_that_a_schema_in_another_folder_names(self):
        self.write("p/data/towns.csv", "nr\n1\n")
        self.write("p/countries.csv", "capital\n1\n3\n")
        self.write("p/rules/country.yaml", (
            "fields: [{name: capital}]\nforeignKeys: [{fields: capital, reference: {resource: town, fields: nr}}]\n"))
        package = self.package(
            {"name": "country", "path": "countries.csv", "schema": "rules/country.yaml"},
            {"name": "town", "path": "data/towns.csv", "schema": {"fields": [{"name": "nr"}]}},
            name="p/datapackage.json")
        outcome = self.assay("check", package, status=1)
        self.assertIn("countries.csv:3:10 foreignKeys.1 capital is not in 'nr' of town", outcome.err)
        self.write("p/rules/country.yaml", (
            "fields: [{name: capital}]\n"
            "foreignKeys: [{fields: capital, reference: {resource: town, fields: nr, dialect: {skip: 1}}}]\n"))
        outcome = self.assay("check", package, status=2)
        self.assertIn("in a Data Package a reference has no 'dialect'", outcome.err)
        self.assertIn("write it in the resource 'town'", outcome.err)

    def test_names_that_differ_only_in_their_bytes(self):
        """A single character, and a letter with a combining mark: Swift's == considers them equal."""
        names = ["caf\u00e9", "cafe\u0301"]
        for number, name in enumerate(names):
            self.write(f"{number}.csv", f"a\n{name}\n")
            self.write(f"ref{number}.csv", f"a,b\n{number},{number}\n")
        schemas = [{"fields": [{"name": "a", "constraints": {"enum": [name]}}]} for name in names]
        package = self.package(*(
            {"name": f"t{number}", "path": f"{number}.csv", "schema": schemas[number]} for number in (0, 1)))
        self.assay("check", package, status=0)
        self.write("1.csv", f"a\n{names[0]}\n")
        self.assertIn("1.csv:2:", self.assay("check", package, status=1).err)
        # Resources with these names.
        tables = [{"name": name, "path": f"ref{number}.csv", "schema": {"fields": [{"name": "a"}, {"name": "b"}]}}
                  for number, name in enumerate(names)]
        tables[1]["schema"]["foreignKeys"] = [{"fields": "a", "reference": {"resource": names[0], "fields": "a"}}]
        package = self.package(*tables)
        for name, status in zip(names, (0, 1)):
            outcome = self.assay("check", package, "--resource", name, status=status)
            self.assertNotIn("2 files", outcome.err)
        # Two foreign keys in one table.
        self.write("all.csv", "a,b\n0,1\n")
        keys = [{"fields": field, "reference": {"resource": name, "fields": "a"}} for field, name in zip("ab", names)]
        del tables[1]["schema"]["foreignKeys"]
        tables.append({"name": "all", "path": "all.csv",
                       "schema": {"fields": [{"name": "a"}, {"name": "b"}], "foreignKeys": keys}})
        self.assay("check", self.package(*tables), status=0)

    def test_no_such_resource(self):
        self.countries("tonw")
        error = self.assay("check", "p/datapackage.json", status=2).err
        self.assertIn(": error: foreignKeys.1 refers to 'tonw', and the Data Package has no such table\n", error)
        self.assertIn("did you mean 'town'?", error)


class RefusalTests(PackageTest):
    def test_paths_that_leave_the_folder(self):
        for path, message in [
            ("../a.csv", "'../a.csv' leads out of the folder of the descriptor"),
            ("a/../../b.csv", "'a/../../b.csv' leads out of the folder of the descriptor"),
            ("/etc/passwd", "'/etc/passwd' is not a path relative to the descriptor"),
            ("../\u0301x.csv", "'../\u0301x.csv' leads out of the folder of the descriptor"),
            ("/\u0301x.csv", "'/\u0301x.csv' is not a path relative to the descriptor"),
            ("http://\u0301x.csv", "'http://\u0301x.csv' is a URL, and Assay does not read from the network"),
            ("~/a.csv", "'~/a.csv' is not a path relative to the descriptor"),
            ("c:\\\\a.csv", "'c:\\a.csv' is not a path relative to the descriptor"),
            ("https://example.org/a.csv",
             "'https://example.org/a.csv' is a URL, and Assay does not read from the network"),
            ("", "the path is empty"),
        ]:
            for key in ("path", "schema"):
                with self.subTest(path=path, key=key):
                    other = '"path": "a.csv", ' if key == "schema" else ""
                    error = self.refusal('{"resources": [{"name": "a", ' + other + f'"{key}": "{path}"}}]}}')
                    self.assertIn(f": error: {message}\n", error)

    def test_links_and_pipes_in_the_folder(self):
        """The author of the descriptor may have created them."""
        os.mkdir(self.path("package"))
        self.write("secret.csv", "secret\n1\n")
        self.write("package/a.csv", "x\n1\n")
        self.write("package/real.json", json.dumps({"fields": [{"name": "x"}]}))
        os.symlink("../secret.csv", self.path("package/out.csv"))
        os.symlink("..", self.path("package/up"))
        os.symlink("real.json", self.path("package/in.json"))
        os.mkfifo(self.path("package/pipe"))
        leads = "it is a link out of the folder of the Data Package; put the file itself there"
        for table, schema, message in (
            ("a.csv", "out.csv", f"cannot read package/out.csv: {leads}"),
            ("out.csv", "in.json", f"cannot read package/out.csv: {leads}"),
            ("up/secret.csv", "in.json", f"cannot read package/up/secret.csv: {leads}"),
            ("a.csv", "pipe", "cannot read package/pipe: it is no regular file"),
            ("pipe", "in.json", "cannot read package/pipe: it is no regular file"), ("a.csv", "in.json", None),
        ):
            with self.subTest(table=table, schema=schema):
                self.write("package/datapackage.json",
                           json.dumps({"resources": [{"name": "t", "path": table, "schema": schema}]}))
                outcome = self.assay("check", "package/datapackage.json", "-q", status=2 if message else 0)
                self.assertIn(message or "", outcome.err.splitlines()[0] if message else "")

    def test_mistakes_have_places(self):
        self.assertEqual(
            self.refusal("""\
resources:
  - name: a
    path: a.csv
    shema: {fields: []}
  - name: a
    path: [b.csv, ../c.csv]
    format: xls
  - name: c
    path: c.csv
    compression: zip
    fields: []
    schema:
      fields:
        - {name: x, type: intger}
  - path: d.csv
    schema: {fields: [], foreignKeys: []}
  - name: e
    data: [1]
""", "check", "datapackage.yaml", name="datapackage.yaml"), """\
datapackage.yaml:4:5: error: unknown key 'shema' in a resource
   4 |     shema: {fields: []}
     |     ^^^^^ did you mean 'schema'?
datapackage.yaml:5:11: error: a second resource named 'a'
   5 |   - name: a
     |           ^ the first is on line 2
datapackage.yaml:6:19: error: '../c.csv' leads out of the folder of the descriptor
   6 |     path: [b.csv, ../c.csv]
     |                   ^^^^^^^^ move the file into it: a Data Package may name no others
datapackage.yaml:7:13: error: the format 'xls' is not read
   7 |     format: xls
     |             ^^^ export it as csv, tsv or jsonl
datapackage.yaml:10:18: error: the compression 'zip' is not read
  10 |     compression: zip
     |                  ^^^ unpack the file, or pack it with gzip or zstd
datapackage.yaml:11:5: error: 'fields' belongs under 'schema'
  11 |     fields: []
     |     ^^^^^^ write schema: {fields: …}
datapackage.yaml:14:27: error: unknown type 'intger'
  14 |         - {name: x, type: intger}
     |                           ^^^^^^ did you mean 'integer'?
datapackage.yaml:15:5: error: the resource has no 'name'
  15 |   - path: d.csv
     |     ^
datapackage.yaml:18:5: error: data inside the descriptor is not read
  18 |     data: [1]
     |     ^^^^ put it into a file, and name its 'path'
""")

    def test_mistakes_of_a_schema_in_its_own_file(self):
        self.write("a.schema.yaml", "fields:\n  - {name: id, type: intger}\n")
        self.write("a.csv", "id\n1\n")
        self.assertEqual(
            self.refusal('{"resources": [{"name": "a", "path": "a.csv", "schema": "a.schema.yaml"}]}'), """\
datapackage.json:1:57: error: a.schema.yaml is not a schema: it has a mistake at 2:22
   1 | {"resources": [{"name": "a", "path": "a.csv", "schema": "a.schema.yaml"}]}
     |                                                         ^^^^^^^^^^^^^^^ correct the file \
(assay rules check names the mistakes), or run with --trust-rules if you trust the file
""")
        self.assertEqual(self.assay("check", "datapackage.json", "--trust-rules", status=2).err, """\
a.schema.yaml:2:22: error: unknown type 'intger'
   2 |   - {name: id, type: intger}
     |                      ^^^^^^ did you mean 'integer'?
""")
        self.assertEqual(
            self.refusal('{"resources": [{"name": "a", "path": "a.csv", "schema": "b.yaml"}]}'), """\
datapackage.json:1:57: error: cannot open b.yaml: No such file or directory
   1 | {"resources": [{"name": "a", "path": "a.csv", "schema": "b.yaml"}]}
     |                                                         ^^^^^^^^
""")

    def test_no_table(self):
        for text, message in [
            ("", "the descriptor is empty"), ("[]", "expected a mapping with 'resources', found a list"),
            ("{}", "'resources' is missing"), ('{"resources": []}', "the list of resources is empty"),
            ('{"resources": [{"name": "a", "path": "a.pdf"}]}', "the resources do not include a table"),
            ('{"resorces": []}', "unknown key 'resorces' in a Data Package"),
            ('{"resources": [{"name": "a", "path": []}]}', "the list of paths is empty"),
        ]:
            with self.subTest(text):
                error = self.refusal(text)
                self.assertTrue(error.startswith("datapackage.json:1:"), error)
                self.assertEqual(error.count(": error: "), 1)
                self.assertIn(f"error: {message}\n", error)

    def test_options_that_the_descriptor_has(self):
        self.two()
        self.rules("id")
        for option in ("--delimiter=;", "--quote=none", "--no-header", "--skip=1", "--encoding=auto", "--as-one",
                       "--comment=#", "--escape=!", "--extra-fields=keep", "--skip-initial-space",
                       "--trailing-delimiter", "--blank-lines=keep"):
            name = option.split("=")[0]
            self.assertEqual(
                self.assay("check", "datapackage.json", option, status=2).err,
                f"assay: error: {name} is for a single table, and datapackage.json is a Data Package\n"
                "  hint: say it in the descriptor: a resource has 'path', 'dialect' and 'encoding'\n")
        self.assertEqual(
            self.assay("check", "datapackage.json", "-r", "rules.json", status=2).err,
            "assay: error: datapackage.json is a Data Package: its schemas are the rules, not rules.json\n"
            "  hint: leave out --rules; to judge one of its files by other rules, give that file\n")
        self.assertEqual(
            self.assay("check", "datapackage.json", "towns.csv", status=2).err,
            "assay: error: datapackage.json is a Data Package, which cannot be combined with other inputs\n"
            "  hint: it names its files; give it alone\n")
        self.assertIn(
            "--findings and --report take one table, and the Data Package has 2.",
            self.assay("check", "datapackage.json", "--report", "r.json", status=2).err)
        self.assertIn(
            "name one file each; with several tables use --output-dir.",
            self.assay("clean", "datapackage.json", "--clean", "c.csv", status=2).err)

    def test_one_table_has_named_outputs(self):
        self.write("towns.csv", TOWNS)
        self.package({"name": "towns", "path": "towns.csv", "schema": {"fields": TOWN_FIELDS}})
        self.assay("clean", "datapackage.json", "--clean", "-", "--rejects", "none", "--report", "none", "--findings",
                   "none", "--quiet", status=0)
        self.assay("check", "datapackage.json", "--report", "r.json", "--quiet", status=1)
        self.assertEqual(self.report("r.json")["inputs"][0]["rejected"], 1)

    def test_the_descriptor_is_no_output(self):
        self.write("towns.csv", TOWNS)
        self.package({"name": "towns", "path": "towns.csv", "schema": {"fields": TOWN_FIELDS}})
        error = self.assay("check", "datapackage.json", "--report", "datapackage.json", "--force", status=2).err
        self.assertIn("the output datapackage.json is the rule file datapackage.json", error)

    def test_all_tables_are_known_before_the_first_runs(self):
        self.write("towns.csv", TOWNS)
        self.write("people.csv", PEOPLE)
        self.package(
            {"name": "towns", "path": "towns.csv", "schema": {"fields": TOWN_FIELDS}},
            {"name": "people", "path": "people.csv", "schema": {"fields": PEOPLE_FIELDS},
             "dialect": {"delimiter": ","}},
            {"name": "gone", "path": "gone.csv", "schema": {"fields": []}})
        self.assertEqual(
            self.assay("clean", "datapackage.json", status=2).err,
            "assay: error: cannot open gone.csv: No such file or directory\n")
        self.write("gone.csv", "a\n")
        self.assertEqual(
            self.assay("clean", "datapackage.json", status=2).err,
            "assay: error: people.csv:1: the header is a single column when read with ',', but it contains ';'\n"
            "  hint: read it with this, in the rules: dialect: {delimiter: ';'}\n")
        self.assert_no_files_left("datapackage.json", "gone.csv", "people.csv", "towns.csv")


class VerificationTests(PackageTest):
    """`bytes` and `hash` identify the expected file."""

    def described(self, status, **declared):
        self.write("towns.csv", TOWNS)
        package = self.package({"name": "towns", "path": "towns.csv", "schema": {"fields": TOWN_FIELDS}} | declared)
        return self.assay("clean", package, "--force", "-q", status=status)

    def test_the_file_that_is_described(self):
        content = TOWNS.encode()
        self.described(0, bytes=len(content))
        self.described(0, hash=hashlib.md5(content).hexdigest())
        for algorithm in ("md5", "sha1", "sha256", "sha512"):
            digits = hashlib.new(algorithm, content).hexdigest()
            self.described(0, bytes=len(content), hash=f"{algorithm}:{digits}")
            self.described(0, hash=f"{algorithm.upper()}:{digits.upper()}")
        self.described(0, bytes=None, hash=None)
        self.described(0, hash="")

    @slow
    def test_hashes_of_any_length(self):
        """Lengths around the ends of blocks, and one beyond the size of a read."""
        for length in (4, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 300_000):
            content = ("a\n" + "x" * (length - 3) + "\n").encode()
            self.write("x.csv", content)
            for algorithm in ("md5", "sha1", "sha256", "sha512"):
                package = self.package(
                    {"name": "x", "path": "x.csv",
                     "hash": f"{algorithm}:{hashlib.new(algorithm, content).hexdigest()}"})
                self.assay("check", package, "-q", status=0)

    def test_another_file(self):
        """As for other damaged input, no output is written."""
        outcome = self.described(3, bytes=28)
        self.assertEqual(outcome.err,
                         "assay: error: cannot verify towns.csv: it has 29 bytes, and datapackage.json states 28\n")
        digits = hashlib.sha256(TOWNS.encode()).hexdigest()
        outcome = self.described(3, hash="sha256:" + "0" * 64)
        self.assertEqual(
            outcome.err,
            f"assay: error: cannot verify towns.csv: its sha256 is {digits}, and datapackage.json states {'0' * 64}\n")
        self.assertEqual(self.files(), ["datapackage.json", "towns.csv"])

    def test_parts_are_one_file_after_another(self):
        parts = ["id,name\n1,Wien\n", "id,name\n2,Linz\n"]
        for number, part in enumerate(parts):
            self.write(f"p{number}.csv", part)
        digits = hashlib.sha1("".join(parts).encode()).hexdigest()
        full = {"name": "p", "path": ["p0.csv", "p1.csv"], "schema": {"fields": TOWN_FIELDS}, "bytes": 30}
        self.assay("check", self.package(full | {"hash": f"sha1:{digits}"}), "-q", status=0)
        error = self.assay("check", self.package(full | {"bytes": 31}), "-q", status=3).err
        self.assertIn(
            "cannot verify p0.csv: with its other parts it has 30 bytes, and datapackage.json states 31", error)

    def test_packed_bytes_are_those_of_the_file(self):
        packed = gzip.compress(TOWNS.encode())
        self.write("towns.csv.gz", packed)
        package = self.package(
            {"name": "towns", "path": "towns.csv.gz", "schema": {"fields": TOWN_FIELDS}, "bytes": len(packed),
             "hash": hashlib.md5(packed).hexdigest()})
        self.assay("check", package, "-q", status=1)

    def test_tables_that_are_referred_to(self):
        self.write("towns.csv", TOWNS)
        self.write("people.csv", "id,town\n1,1\n")
        people = {"name": "people", "path": "people.csv", "schema": {
            "fields": [{"name": "id"}, {"name": "town"}],
            "foreignKeys": [{"fields": "town", "reference": {"resource": "towns", "fields": "id"}}]}}
        package = self.package(people, {"name": "towns", "path": "towns.csv", "bytes": 30})
        self.assertIn("cannot verify towns.csv", self.assay("check", package, "--resource", "people", status=3).err)

    def test_unverifiable_hashes(self):
        self.write("towns.csv", TOWNS)
        for declared, message in (
            ({"hash": "crc32:00000000"}, "the hash 'crc32' is not verified"),
            ({"hash": "00"}, "md5 is 32 hexadecimal digits, found the text '00'"),
            ({"hash": "0" * 64}, "write its name before it: sha256:…"),
            ({"hash": "sha1:" + "g" * 40}, "sha1 is 40 hexadecimal digits"),
            ({"bytes": -1}, "expected a whole number, 0 or more"),
        ):
            package = self.package({"name": "towns", "path": "towns.csv"} | declared)
            self.assertIn(message, self.assay("check", package, status=2).err)
        package = self.package({"name": "pipe", "path": "gone.csv", "bytes": 1, "format": "csv"})
        self.assertIn("cannot open gone.csv", self.assay("check", package, status=2).err)


class ChoiceTests(PackageTest):
    def test_one_table(self):
        outcome = self.assay("check", self.two(), "--resource", "towns", status=1)
        self.assertIn("towns.csv:3:15 id.type", outcome.err)
        self.assertNotIn("people", outcome.err)

    def test_several_in_the_order_of_the_descriptor(self):
        outcome = self.assay("check", self.two(), "--resource", "towns", "--resource", "people", status=1)
        self.assertIn("2 files  5 records", outcome.err)

    def test_mistakes(self):
        self.two()
        error = self.assay("check", "datapackage.json", "--resource", "town", status=2).err
        self.assertIn("datapackage.json has no resource 'town'", error)
        self.assertIn("did you mean 'towns'?", error)
        error = self.assay("check", "towns.csv", "--resource", "towns", status=2).err
        self.assertIn("--resource chooses tables of a Data Package, but towns.csv is not one", error)
        self.write("notes.txt", "a\n")
        package = self.package({"name": "towns", "path": "towns.csv"}, {"name": "notes", "path": "notes.txt"})
        error = self.assay("check", package, "--resource", "notes", status=2).err
        self.assertIn("the resource 'notes' of datapackage.json is not a table", error)

    def test_a_dialect_of_version_1(self):
        self.write("towns.csv", TOWNS)
        for sensitive in (True, False):
            package = self.package({
                "name": "towns", "path": "towns.csv",
                "dialect": {"csvddfVersion": 1.2, "caseSensitiveHeader": sensitive}, "schema": {"fields": TOWN_FIELDS}})
            self.assay("check", package, "-q", status=1)

