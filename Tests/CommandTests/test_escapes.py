"""Untrusted rules may open files only in their own folder, and messages must not reveal the content of other files."""

import gzip
import json
import os
import random
import shutil
import subprocess
import sys

from support import ASSAY, ROOT, SLOW, CommandTest, volume

sys.path.insert(0, str(ROOT / "Tests" / "Escapes"))

from escapes import SECRET, cases, make  # noqa: E402

TEXT = "rules that are given as text open no files"


class EscapeTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.folder = make(self.path("tree"))
        self.lines = [line.split("\t") for line in (self.folder / "list.tsv").read_text().splitlines()]
        self.write("t.csv", f"id\n{SECRET}\nother\n")

    def check(self, *arguments, **more):
        outcome = self.assay(*arguments, **more)
        self.assertNotIn("SECRET-", outcome.err)
        self.assertNotIn("SECRET-", outcome.text)
        return outcome


class RuleTests(EscapeTest):
    def test_there_are_enough(self):
        self.assertGreaterEqual(sum(kind != "allowed" for kind, _ in self.lines), 60)

    def test_rule_files(self):
        for (kind, name), (_, resource) in zip(self.lines, cases(self.folder)):
            rules = self.folder / "rules" / name
            with self.subTest(resource):
                outcome = self.check("check", "t.csv", "--rules", rules, "-q", status=1 if kind == "allowed" else 2)
                if kind == "secret":
                    self.assertRegex(outcome.err, r"'foreignKeys\.1' may not open .*: it is ")
                    self.assertIn("if you trust the rules, run with --trust-rules\n", outcome.err)
                if kind != "other":
                    self.assay("check", "t.csv", "--rules", rules, "-q", "--trust-rules", status=1)

    def test_rules_that_are_given_as_text(self):
        for (kind, name), (_, resource) in list(zip(self.lines, cases(self.folder)))[::1 if SLOW else 3]:
            rules = self.folder / "rules" / name
            with self.subTest(resource):
                outcome = self.check(
                    "check", "t.csv", "--rules", "/dev/stdin", "-q", stdin=rules.read_bytes(),
                    cwd=self.directory, status=2)
                if "://" not in resource:
                    self.assertIn(TEXT, outcome.err)
        text = (self.folder / "rules/01.rules.json").read_bytes()
        for path in "/dev/fd/0", "/proc/self/fd/0":
            self.assertIn(TEXT, self.check("check", "t.csv", "--rules", path, "-q", stdin=text, status=2).err)
        # A file as standard input, a link to it, and a named pipe.
        os.symlink("/dev/stdin", self.folder / "rules/linked.json")
        os.mkfifo(self.folder / "rules/pipe.json")
        for path in "/dev/stdin", self.folder / "rules/linked.json":
            with open(self.folder / "rules/01.rules.json", "rb") as file:
                run = subprocess.run([ASSAY, "check", "t.csv", "--rules", path, "-q"], cwd=self.directory, stdin=file,
                                     capture_output=True)
                self.assertEqual((run.returncode, TEXT in run.stderr.decode()), (2, True), run.stderr)
        with subprocess.Popen(["cp", self.folder / "rules/01.rules.json", self.folder / "rules/pipe.json"]):
            self.assertIn(TEXT,
                          self.check("check", "t.csv", "--rules", self.folder / "rules/pipe.json", "-q", status=2).err)

    def test_all_commands(self):
        """All commands that open files named in rules apply the same policy."""
        self.write("sub/t.csv", f"id\n{SECRET}\n")
        for number, (kind, name) in list(enumerate(self.lines))[::1 if SLOW else 2]:
            if kind == "allowed":
                continue
            rules = self.folder / "rules" / name
            commands = (
                ["clean", "t.csv", "--rules", rules, "--force"], ["check", "t.csv", "--rules", rules],
                ["diff", rules, rules, "t.csv"],
            )
            for command in commands if SLOW else [commands[number % 3]]:
                with self.subTest(command=command[0], rules=name):
                    self.check(*command, status=2)
            outcome = self.check("rules", "check", rules)
            self.assertEqual(outcome.status, 2 if "://" in rules.read_text() else 0)
            if kind == "secret":
                self.assertIn("'foreignKeys.1' may not open ", outcome.err)

    def test_messages_do_not_quote_the_file(self):
        """Messages are the same whether or not the files exist."""
        def messages():
            found = []
            for kind, name in self.lines:
                if kind == "secret":
                    found.append(self.check("check", "t.csv", "--rules", self.folder / "rules" / name,
                                            "-q", status=2).err)
                    found.append(self.check("rules", "check", self.folder / "rules" / name, status=0).err)
            return found

        before = messages()
        shutil.rmtree(self.folder / "outside")
        shutil.rmtree(self.folder / "rules-other")
        self.assertEqual(messages(), before)

    def test_messages(self):
        shutil.copytree(self.folder / "rules", self.path("rules"), symlinks=True,
                        ignore=shutil.ignore_patterns("*.json", "pipe.csv", "socket.csv"))
        def error_of(resource, **more):
            self.write("rules/r.json", json.dumps({"fields": ["id"], "foreignKeys": [
                {"fields": "id", "reference": {"resource": resource, "fields": "id"} | more}]}).replace(
                    '["id"]', '[{"name": "id"}]'))
            return self.check("check", "t.csv", "--rules", "rules/r.json", "-q", status=2).err

        trust = "        if you trust the rules, run with --trust-rules\n"
        self.assertEqual(error_of("../x.csv"), (
            "assay: error: 'foreignKeys.1' may not open rules/../x.csv: it is not in the folder of the rule file\n"
            "  hint: put the file into that folder\n" + trust))
        self.assertEqual(error_of("/dev/null"), (
            "assay: error: 'foreignKeys.1' may not open /dev/null: it is not in the folder of the rule file\n"
            "  hint: put the file into that folder\n" + trust))
        self.assertEqual(error_of("link.csv"), (
            "assay: error: 'foreignKeys.1' may not open rules/link.csv: it is a link out of the folder of the rule "
            "file\n"
            "  hint: put the file itself into that folder\n" + trust))
        self.assertEqual(
            error_of("x.csv"), "assay: error: cannot open rules/x.csv: No such file or directory\n"
            "  hint: 'foreignKeys.1' refers to x.csv; its path is relative to the rule file\n")
        self.assertEqual(error_of("sub/users.csv", fields="column"), (
            "assay: error: 'foreignKeys.1': rules/sub/users.csv: no column is named 'column'\n"
            "  hint: the header has other names\n"
            "        if the file has no header line, say so under 'reference' in the rules: dialect: {header: false}\n"
            "        the contents of the file are shown only for trusted rules\n" + trust))
        outcome = self.assay("check", "t.csv", "--rules", "rules/r.json", "-q", "--trust-rules", status=2)
        self.assertIn("hint: the header has: id, SECRET-column\n", outcome.err)

    def test_spoilt_files(self):
        """Messages must not reveal the content of a referenced file, whatever error it contains."""
        secret = "SECRET"
        tables = {
            "names.csv": f"{secret}1,{secret}2\n1,2\n", "near.csv": f"idSECRET\n1\n", "case.csv": "ID,SECRET\n1,2\n",
            "twice.csv": f"id,id,{secret}\n1,2,3\n",
            "quote.csv": f'"id,{secret}\n{secret}', "latin.csv": f"id,{secret}\xe9\n{secret},\xfc\n".encode("latin-1"),
            "bytes.csv": bytes(range(256)) + secret.encode(), "html.csv": f"<!DOCTYPE html><html>{secret}</html>\n",
            "xml.csv": f"<?xml version='1.0'?><a>{secret}</a>\n", "zip.csv": b"PK\x03\x04" + secret.encode() * 50,
            "sqlite.csv": b"SQLite format 3\x00" + secret.encode() * 50, "pdf.csv": f"%PDF-1.4 {secret}\n",
            "array.json": f'[{{"{secret}": 1}}]\n',
            "object.json": f'{{"{secret}":\n 1}}\n', "plain.json": f"{secret}\n",
            "members.jsonl": f'{{"{secret}": "{secret}", "iid": 1}}\n' * 3,
            "broken.jsonl": f"{secret}\n{secret}\n", "empty.csv": "", "semicolon.csv": f"id;{secret}\n1;2\n",
            "one.csv": f"{secret}\n",
            "wide.csv": ",".join(f"{secret}{number}" for number in range(40)) + "\n",
            "long.csv": "id\n" + secret * 2_000,
            "long-header.csv": secret * 2_000 + "\n1\n", "sep.csv": f"sep={secret}\n",
            "utf16.csv": f"{secret},b\n1,2\n".encode("utf-16"),
            "half.csv.gz": gzip.compress(secret.encode() * 9000)[:-9], "env.csv": f"A={secret}\0B={secret}\0",
            "crlf.csv": f"{secret}\r1\r2\r",
        }
        for name, content in tables.items():
            self.write("rules/" + name, content)
            variants = ({}, {"fields": ["id", "SECRE"]}, {"dialect": {"header": False}},
                        {"dialect": {"encoding": "windows-1252", "skip": 1}})
            for more in variants if SLOW else variants[:2]:
                fields = more.get("fields", ["id"])
                self.write("rules/r.json", json.dumps({
                    "fields": [{"name": name} for name in "ab"],
                    "limits": {"columns": 20, "record-bytes": 8000, "field-bytes": 8000}, "foreignKeys": [
                    {"fields": ["a", "b"][:len(fields)], "reference": {"resource": name, "fields": fields} | more}]}))
                self.write("ab.csv", "a,b\n1,2\n")
                with self.subTest(name=name, more=more):
                    outcome = self.assay("check", "ab.csv", "--rules", "rules/r.json")
                    self.assertNotIn("SECRET", outcome.err)

    def test_a_link_that_is_put_there_meanwhile(self):
        """A file, a folder and links out of the folder alternate under one name while rules are checked."""
        rules = self.folder / "rules"
        (rules / "turn").mkdir()
        (rules / "turn/users.csv").write_text("id\ninside\n")
        self.write("one.csv", f"id\n{SECRET}\n")
        (rules / "r.json").write_text(json.dumps({"fields": [{"name": "id"}], "foreignKeys": [
            {"fields": "id", "reference": {"resource": "turn/users.csv", "fields": "id"}}]}))
        program = (
            "import os, sys\nos.chdir(sys.argv[1])\nos.symlink('../outside', 'away')\n"
            "os.symlink('secret.csv', '../outside/users.csv')\n"
            "print(flush=True)\n"
            "while True:\n os.rename('turn', 'real'); os.rename('away', 'turn'); os.rename('turn', 'away'); "
            "os.rename('real', 'turn')\n")
        with subprocess.Popen([sys.executable, "-c", program, rules], stdout=subprocess.PIPE) as swapper:
            try:
                swapper.stdout.readline()
                for _ in range(volume(20, 200)):
                    outcome = self.assay("check", "one.csv", "--rules", rules / "r.json", "-q")
                    # Rejected (the file inside), refused or missing, but never clean.
                    self.assertIn(outcome.status, (1, 2), outcome.err)
            finally:
                swapper.kill()


class NameOfFolderTests(CommandTest):
    """A folder can have several names: links to it, and paths with `..` or two slashes."""

    def setUp(self):
        super().setUp()
        self.write("real/rules/c.csv", "id\n1\n")
        self.write("real/secret.csv", "id\n1\n")
        (self.directory / "link").symlink_to("real")
        self.write("t.csv", "id\n1\n")

    def rules_naming(self, resource):
        self.write("real/rules/r.json", json.dumps({
            "fields": [{"name": "id"}],
            "foreignKeys": [{"fields": "id", "reference": {"resource": resource, "fields": "id"}}]}))

    def test_absolute_paths(self):
        top = self.directory.resolve()
        for resource in (f"{top}/link/rules/c.csv", f"{top}//real/rules/c.csv", f"{top}/real/./rules/c.csv",
                         f"{top}/real/../real/rules/c.csv"):
            self.rules_naming(resource)
            for rules in "real/rules/r.json", "link/rules/r.json", top / "link/rules/r.json":
                with self.subTest(resource, rules=rules):
                    self.assay("check", "t.csv", "--rules", rules, "-q", status=0)
        for resource in f"{top}/link/secret.csv", f"{top}/real/rules/../secret.csv", f"{top}/link/rules/..":
            self.rules_naming(resource)
            with self.subTest(resource):
                self.assertIn("may not open",
                              self.assay("check", "t.csv", "--rules", "real/rules/r.json", status=2).err)

    def test_links_with_another_name_of_the_folder(self):
        (self.directory / "real/rules/in.csv").symlink_to(self.directory / "link/rules/c.csv")
        (self.directory / "real/rules/out.csv").symlink_to(self.directory / "link/secret.csv")
        self.rules_naming("in.csv")
        self.assay("check", "t.csv", "--rules", "real/rules/r.json", "-q", status=0)
        self.rules_naming("out.csv")
        self.assertIn("a link out of the folder",
                      self.assay("check", "t.csv", "--rules", "real/rules/r.json", status=2).err)


class PackageTests(EscapeTest):
    def refused(self, resource, **descriptor):
        package = self.folder / "rules/datapackage.json"
        package.write_text(json.dumps({"resources": [{"name": "t"} | descriptor]} ))
        for more in ([], ["--trust-rules"]):
            outcome = self.assay("check", package, "-q", *more, status=2)
            self.assertNotIn("SECRET-", outcome.err)

    def test_descriptors(self):
        for number, (kind, resource) in enumerate(cases(self.folder)):
            if kind == "allowed":
                continue
            descriptors = (
                {"path": resource, "type": "table"}, {"path": ["sub/users.csv", resource], "type": "table"},
                {"path": "sub/users.csv", "schema": resource}, {"path": "sub/users.csv", "dialect": resource},
                {"path": "sub/users.csv", "schema": {"$ref": resource}},
            )
            for descriptor in descriptors if SLOW else [descriptors[number % 5]]:
                with self.subTest(descriptor):
                    self.refused(resource, **descriptor)

    def test_a_package_in_a_package(self):
        rules = self.folder / "rules"
        (rules / "nested").mkdir()
        (rules / "nested/datapackage.json").write_text(json.dumps(
            {"resources": [{"name": "t", "path": "../../outside/secret.csv", "schema": {"fields": [{"name": "id"}]}}]}))
        for descriptor in (
            {"path": "nested/datapackage.json", "type": "table", "schema": {"fields": [{"name": "id"}]}},
            {"path": "sub/users.csv", "schema": "nested/datapackage.json"},
        ):
            with self.subTest(descriptor):
                self.refused("", **descriptor)

    def test_mistakes_in_a_schema_do_not_show_it(self):
        rules = self.folder / "rules"
        self.maxDiff = None
        for content in (
            "fields: [{name: id, type: SECRET-}]\n", "SECRET-", "a: SECRET-\nb: SECRET-2\n",
            "fields: [{name: SECRET-, SECRET-S: 1}]\n", "[SECRET-",
            '{"fields": [{"name": "id", "constraints": {"pattern": "(SECRET-"}}]}', "SECRET-: &SECRET- [*SECRET-]\n",
            "\tSECRET-\n", "fields: SECRET-", "delimiter: SECRET-\n", "encoding: SECRET-\n",
        ):
            (rules / "own.yaml").write_text(content)
            for key in "schema", "dialect":
                (rules / "datapackage.json").write_text(
                    json.dumps({"resources": [{"name": "t", "path": "sub/users.csv", key: "own.yaml"}]}))
                with self.subTest(content=content, key=key):
                    outcome = self.check("check", rules / "datapackage.json", "-q")
                    self.assertEqual(outcome.status, 2, outcome.err)
                    trusted = self.assay("check", rules / "datapackage.json", "-q", "--trust-rules", status=2)
                    self.assertIn("SECRET-", trusted.err)
        (rules / "own.yaml").write_text("fields:\n  - {name: id, type: intger}\n  - {nam: x}\n")
        (rules / "datapackage.json").write_text(
            json.dumps({"resources": [{"name": "t", "path": "sub/users.csv", "schema": "own.yaml"}]}))
        self.assertEqual(self.check("check", "rules/datapackage.json", "-q", cwd=self.folder, status=2).err, """\
rules/datapackage.json:1:65: error: rules/own.yaml is not a schema: it has 2 mistakes, the first at 2:22
   1 | {"resources": [{"name": "t", "path": "sub/users.csv", "schema": "own.yaml"}]}
     |                                                                 ^^^^^^^^^^ correct the file \
(assay rules check names the mistakes), or run with --trust-rules if you trust the file
""")

    def test_lists_are_not_files(self):
        for given in ({"enum": "../outside/secret.csv"}, {"enum": {"$ref": "../outside/secret.csv"}},
                      {"enum": {"resource": "../outside/secret.csv"}}):
            self.write("r.json", json.dumps({"fields": [{"name": "id", "constraints": given}]}))
            self.check("check", "t.csv", "--rules", "r.json", "-q", status=2)

    def test_outputs_are_not_written_through_links(self):
        self.write("pk/datapackage.json", json.dumps({"resources": [
            {"name": "a", "path": "a.csv", "schema": {"fields": [{"name": "id", "type": "integer"}]}}]}))
        self.write("pk/a.csv", "id\n1\nx\n")
        self.write("home/profile", "mine")
        for target in "../home/profile", "/dev/stdout":
            with self.subTest(target):
                os.symlink(target, self.path("pk/a.clean.csv"))
                outcome = self.assay("clean", "pk/datapackage.json", "-q", "--force", status=2)
                self.assertIn("the output pk/a.clean.csv is a link", outcome.err)
                self.assertEqual(outcome.text, "")
                os.unlink(self.path("pk/a.clean.csv"))
        self.assertEqual(self.read("home/profile"), b"mine")
        self.assay("clean", "pk/datapackage.json", "-q", status=0)

    def test_a_refused_key_has_the_option_of_the_command(self):
        self.write("pk/datapackage.json", json.dumps({"resources": [
            {"name": "t", "path": "t.csv", "schema": {"fields": [{"name": "other"}]}},
            {"name": "u", "path": "u.csv", "schema": {"fields": [{"name": "id"}], "foreignKeys": [
                {"fields": "id", "reference": {"resource": "t", "fields": "other"}}]}}]}))
        self.write("pk/t.csv", "id\n1\n")
        self.write("pk/u.csv", "id\n1\n")
        outcome = self.assay("check", "pk/datapackage.json", "-q", "--resource", "u", status=2)
        self.assertNotIn("trustRuleFiles", outcome.err)
        self.assertIn("--trust-rules", outcome.err)
