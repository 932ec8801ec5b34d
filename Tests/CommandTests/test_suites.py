"""The archives of Tests/Suites, and Scripts/suites.sh, which unpacks them."""

import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

from support import PATIENCE, ROOT

STORED = ROOT / "Tests" / "Suites"
MISSING = "iso-codes, iban-registry (see Tests/Suites/README.md)\n"


class ArchiveTests(unittest.TestCase):
    """Each archive is reproducible, and has an origin, a licence and a section in the README."""

    def setUp(self):
        self.archives = {path.name.removesuffix(".tar.gz"): path for path in sorted(STORED.glob("*.tar.gz"))}

    def test_archives(self):
        self.assertIn("blns", self.archives)
        for name, path in self.archives.items():
            with self.subTest(name), tarfile.open(path) as archive:
                members = archive.getmembers()
                names = [member.name for member in members]
                self.assertEqual({member.split("/")[0] for member in names}, {name})
                self.assertEqual([member for member in names if ".." in member.split("/")], [])
                self.assertEqual(names, sorted(names, key=lambda member: member.split("/")))
                self.assertEqual({(member.uid, member.gid, member.mtime) for member in members}, {(0, 0, 0)})
                self.assertTrue(all(member.isfile() or member.isdir() for member in members))
                source = archive.extractfile(f"{name}/SOURCE.txt").read().decode()
                self.assertEqual(re.findall("^[a-z]+", source, re.M),
                                 ["repository", "commit", "licence", "files", "use"])

    def test_gzip_headers(self):
        for name, path in self.archives.items():
            with self.subTest(name):  # no flags, such as a file name, and no timestamp
                self.assertEqual(path.read_bytes()[:8], b"\x1f\x8b\x08" + bytes(5))

    def test_licences(self):
        texts = {path.stem: path.read_text() for path in (STORED / "licenses").glob("*.txt")}
        self.assertEqual(sorted(texts), sorted(self.archives))
        for name, text in texts.items():
            with self.subTest(name):
                self.assertRegex(text, "(?i)copyright")
                self.assertRegex(text, "(?i)as is")

    def test_sections_of_the_readme(self):
        suites = {}
        for section in (STORED / "README.md").read_text().split("\n### ")[1:]:
            name, _, text = section.partition("\n")
            suites[name] = dict(re.findall("^- ([a-z ]+): (.*)$", text.replace("\n  ", " "), re.M))
        self.assertEqual(
            sorted(suites), sorted([*self.archives, "iso-codes (not stored)", "iban-registry (not stored)"]))
        for name, path in self.archives.items():
            with self.subTest(name), tarfile.open(path) as archive:
                suite = suites[name]
                self.assertIn(f"(licenses/{name}.txt)", suite["licence"])
                source = archive.extractfile(f"{name}/SOURCE.txt").read().decode()
                self.assertIn(re.search(r"\((https://\S+)\)", suite["upstream"])[1], source)
                revision = suite.get("commit", suite["upstream"])
                self.assertIn(re.search("`(?:pcre2 )?([^`]+)`", revision)[1], source)
                for test in re.findall("`([^`]+)`", suite["used by"]):
                    self.assertTrue(any((ROOT / "Tests").rglob(test)), f"there is no {test}")


class ScriptTests(unittest.TestCase):
    """Scripts/suites.sh in a repository of its own, with two archives."""

    def setUp(self):
        directory = pathlib.Path(tempfile.mkdtemp(prefix="assay-test-"))
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        self.root = directory / "assay"
        for folder in ("Scripts", "Tests/Suites"):
            (self.root / folder).mkdir(parents=True)
        shutil.copy(ROOT / "Scripts" / "suites.sh", self.root / "Scripts")
        for name in ("blns", "uuid-uuidjs"):
            shutil.copy(STORED / f"{name}.tar.gz", self.root / "Tests" / "Suites")
        self.environment = {name: value for name, value in os.environ.items() if name != "ASSAY_SUITES"}

    def start(self, *arguments, **environment):
        return subprocess.Popen(
            ["sh", self.root / "Scripts" / "suites.sh", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=self.environment | environment)

    def run_script(self, *arguments, status=0, **environment):
        process = self.start(*arguments, **environment)
        output = process.communicate(timeout=PATIENCE)[0]
        self.assertEqual(process.returncode, status, output)
        return output

    def files(self, folder):
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def put(self, folder, name, content="repository: none\n"):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "SOURCE.txt").write_text(content)

    def test_unpacks_all_archives(self):
        self.assertEqual(self.run_script(), "")
        found = self.root / "build" / "suites"
        self.assertEqual(sorted(os.listdir(found)), ["blns", "stamp", "uuid-uuidjs"])
        for name in ("blns", "uuid-uuidjs"):
            with tarfile.open(STORED / f"{name}.tar.gz") as archive:
                files = [member for member in archive.getmembers() if member.isfile()]
                self.assertEqual(
                    self.files(found / name),
                    {pathlib.Path(member.name).relative_to(name): archive.extractfile(member).read()
                     for member in files})

    def test_leaves_a_current_folder(self):
        self.run_script()
        before = (self.root / "build" / "suites").stat().st_ino
        self.assertEqual(self.run_script(), "")
        self.assertEqual((self.root / "build" / "suites").stat().st_ino, before)

    def test_replaces_the_folder_if_an_archive_changes(self):
        self.run_script()
        shutil.copy(STORED / "csv-spectrum.tar.gz", self.root / "Tests" / "Suites")
        (self.root / "Tests" / "Suites" / "blns.tar.gz").unlink()
        self.run_script()
        self.assertEqual(sorted(os.listdir(self.root / "build")), ["suites"])
        self.assertEqual(sorted(os.listdir(self.root / "build" / "suites")), ["csv-spectrum", "stamp", "uuid-uuidjs"])

    def test_missing(self):
        self.assertEqual(self.run_script("--missing"), "test suites: 2 of 4 present; missing: " + MISSING)

    def test_copies_suites_without_an_archive(self):
        shared = self.root.parent / "shared" / "suites"
        self.put(shared, "iso-codes")
        self.put(shared, "blns", "an archive takes precedence\n")
        self.assertEqual(
            self.run_script("--missing"),
            "test suites: 3 of 4 present; missing: iban-registry (see Tests/Suites/README.md)\n")
        self.put(shared, "iban-registry")
        self.assertEqual(self.run_script("--missing"), "test suites: 4 of 4 present\n")
        self.put(shared, "iso-codes", "repository: another\n")
        self.run_script()
        found = self.root / "build" / "suites"
        self.assertEqual((found / "iso-codes" / "SOURCE.txt").read_text(), "repository: another\n")
        self.assertNotIn("precedence", (found / "blns" / "SOURCE.txt").read_text())
        # An existing copy stays, because it may be a download.
        shutil.rmtree(shared)
        (self.root / "Tests" / "Suites" / "blns.tar.gz").unlink()
        self.assertEqual(self.run_script("--missing"), "test suites: 3 of 3 present\n")

    def test_another_folder(self):
        other = self.root.parent / "other"
        self.put(other, "uuid-uuidjs")
        self.put(other, "iban-registry")
        self.assertEqual(
            self.run_script("--missing", ASSAY_SUITES=str(other)),
            "test suites: 2 of 4 present; missing: blns, iso-codes (see Tests/Suites/README.md)\n")
        self.assertEqual(
            self.run_script("--missing"),
            "test suites: 3 of 4 present; missing: iso-codes (see Tests/Suites/README.md)\n")

    def test_several_processes(self):
        for process in [self.start("--missing") for _ in range(6)]:
            self.assertEqual(process.communicate(timeout=PATIENCE)[0],
                             "test suites: 2 of 4 present; missing: " + MISSING)
            self.assertEqual(process.returncode, 0)
        self.assertEqual(os.listdir(self.root / "build"), ["suites"])
        self.assertEqual(sorted(os.listdir(self.root / "build" / "suites")), ["blns", "stamp", "uuid-uuidjs"])

    def test_a_broken_archive(self):
        self.run_script()
        (self.root / "Tests" / "Suites" / "blns.tar.gz").write_bytes(b"no archive")
        process = self.start()
        self.assertNotEqual(process.communicate(timeout=PATIENCE)[0], "")
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(os.listdir(self.root / "build"), ["suites"])
        self.assertIn("blns", os.listdir(self.root / "build" / "suites"))

    def test_unknown_option(self):
        self.assertRegex(self.run_script("--help", status=2), r"^usage: \S+suites\.sh \[--fetch \| --missing\]\n$")


if __name__ == "__main__":
    unittest.main()
