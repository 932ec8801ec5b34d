"""Tests the CI integrations, which are the pre-commit hooks and the GitHub Action, without GitHub."""

import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest

from support import ASSAY, PATIENCE, ROOT, CommandTest, environment

GOOD = "id,name\n1,Anna\n2,Bo\n"
BAD = "id,name\n1,Anna\nx,Bo\n"
RULES = "fields:\n  - {name: id, type: integer}\n"
SCRIPTS = ["Release/pre-commit.sh", "Release/action/install.sh", "Release/action/check.sh"]


def yaml_of(name):
    try:
        import yaml
    except ImportError as error:
        raise unittest.SkipTest("Python has no yaml here") from error
    return yaml.safe_load((ROOT / name).read_text())


class CITest(CommandTest):
    def setUp(self):
        super().setUp()
        (self.directory / ".tools").mkdir()
        (self.directory / ".tools/assay").symlink_to(ASSAY)

    def env(self, **changes):
        env = environment(**changes)
        return env | {"PATH": f"{self.directory}/.tools:{env['PATH']}"}

    def run_script(self, script, *arguments, status=0, **env):
        result = subprocess.run(["bash", str(ROOT / script), *arguments], cwd=self.directory,
                                env=self.env(**env), text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                timeout=PATIENCE)
        self.assertEqual(result.returncode, status, result.stdout)
        return result.stdout

    def lines(self, name):
        return self.read(name).decode().splitlines()


class FileTests(unittest.TestCase):
    def test_scripts_are_shell(self):
        for script in SCRIPTS:
            with self.subTest(script):
                self.assertTrue(os.access(ROOT / script, os.X_OK))
                subprocess.run(["bash", "-n", ROOT / script], check=True, timeout=PATIENCE)
        shellcheck = shutil.which("shellcheck")
        if shellcheck is None:
            self.skipTest("there is no shellcheck")
        subprocess.run([shellcheck, *(ROOT / script for script in SCRIPTS)], check=True, timeout=PATIENCE)

    def test_actions_and_images_are_pinned(self):
        result = subprocess.run([sys.executable, ROOT / "Scripts/check-pins.py"], stdout=subprocess.PIPE, text=True,
                                timeout=PATIENCE)
        self.assertEqual(result.stdout, "ok: pins\n")

    def test_pins_that_are_not_in_the_table(self):
        digest, commit = "sha256:" + "1" * 64, "2" * 40
        table = f"| `swift` | 6-b | `{digest}` | there |\n| `a/b` | v1 | `{commit}` | there |\n"
        good = f"    container: swift:6-b@{digest}\n      - uses: a/b@{commit} # v1\n"
        cases = [("", ""), ("@" + commit, "@v1"), (commit, "3" * 40), (" # v1", ""), ("# v1", "# v2"),
                 ("@" + digest, ""), (digest, "sha256:" + "4" * 64), ("swift:", "swifter:"), ("a/b", "a/c")]
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / ".github/workflows").mkdir(parents=True)
            (root / ".github/pins.md").write_text(table)
            (root / "action.yml").write_text("name: x\n")
            for old, new in cases:
                with self.subTest(old=old, new=new):
                    (root / ".github/workflows/a.yml").write_text(good.replace(old, new) if old else good)
                    result = subprocess.run([sys.executable, ROOT / "Scripts/check-pins.py", root],
                                            stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
                    self.assertEqual(result.returncode, 1 if old else 0, result.stdout)
                    self.assertEqual(".github/workflows/a.yml:" in result.stdout, bool(old), result.stdout)

    def test_the_action(self):
        action = yaml_of("action.yml")
        self.assertEqual(action["runs"]["using"], "composite")
        text = (ROOT / "action.yml").read_text()
        # Each input is declared and used. Untrusted values must reach scripts only through the environment.
        self.assertEqual(set(re.findall(r"inputs\.(\w+)", text)), set(action["inputs"]))
        for step in action["runs"]["steps"]:
            self.assertNotIn("${{", step.get("run", ""))
            self.assertIn("shell" if "run" in step else "uses", step)
            for script in re.findall(r"(?:Scripts|Release)/[\w/.-]+", step.get("run", "")):
                self.assertTrue((ROOT / script).is_file())
                names = set(re.findall(r"ASSAY_[A-Z]+", (ROOT / script).read_text()))
                self.assertEqual(names, set(step["env"]), script)

    def test_the_hooks(self):
        hooks = {hook["id"]: hook for hook in yaml_of(".pre-commit-hooks.yaml")}
        self.assertEqual(set(hooks), {"assay-check", "assay-check-beside", "assay-rules"})
        for name, fits in (("a.csv", 2), ("d/a.tsv", 2), ("a.jsonl.gz", 2), ("a.ndjson", 2), ("a.json", 0), ("csv", 0),
                           ("a.rules.yaml", 1), ("a.rules.json", 1), ("a.yaml", 0)):
            found = sum(bool(re.search(hook["files"], name)) for hook in hooks.values())
            self.assertEqual(found, fits, name)


class RulesNextToInputTests(CITest):
    """Release/pre-commit.sh."""

    def test_rules_next_to_the_file(self):
        for name, rules in (("a.csv", "a.rules.yaml"), ("d/b.tsv", "d/b.rules.json"), ("a b.csv", "a b.rules.yml"),
                            ("-c.csv", "-c.rules.yaml")):
            with self.subTest(name):
                self.write(name, BAD.replace(",", "\t") if name.endswith("tsv") else BAD)
                self.assertIn("clean", self.run_script("Release/pre-commit.sh", "check-beside", f"./{name}"))
                self.write(rules,
                           '{"fields": [{"name": "id", "type": "integer"}]}' if rules.endswith("json") else RULES)
                self.assertIn("id.type",
                              self.run_script("Release/pre-commit.sh", "check-beside", f"./{name}", status=1))

    def test_options_and_the_worst_status(self):
        self.write("a.rules.yaml", RULES)
        self.write("a.csv", BAD)
        self.write("b.csv", GOOD)
        self.write("c.rules.yaml", "fields: [{name: other}]\n")
        self.write("c.csv", GOOD)
        self.run_script("Release/pre-commit.sh", "check-beside")
        self.run_script("Release/pre-commit.sh", "check-beside", "b.csv", "a.csv", "b.csv", status=1)
        self.run_script("Release/pre-commit.sh", "check-beside", "--quiet", "--max-reject-rate=50%", "b.csv", "a.csv")
        self.run_script("Release/pre-commit.sh", "check-beside", "c.csv", "a.csv", status=2)

    def test_packed_files(self):
        self.write("a.rules.yaml", RULES)
        self.write("a.csv", BAD)
        subprocess.run(["gzip", "a.csv"], cwd=self.directory, check=True)
        self.run_script("Release/pre-commit.sh", "check-beside", "a.csv.gz", status=1)

    def test_the_other_hooks(self):
        self.write("a.rules.yaml", RULES)
        self.write("a.csv", BAD)
        self.run_script("Release/pre-commit.sh", "check", "a.csv")
        self.run_script("Release/pre-commit.sh", "check", "--rules", "a.rules.yaml", "a.csv", status=1)
        self.run_script("Release/pre-commit.sh", "rules", "a.rules.yaml")
        self.assertIn("unknown hook 'chek'", self.run_script("Release/pre-commit.sh", "chek", status=2))

    def test_files_with_names_of_options(self):
        self.write("a.csv", GOOD)
        for hook in ("check", "check-beside", "rules"):
            for name in ("--findings=found.csv", "-x.csv"):
                with self.subTest(hook=hook, name=name):
                    self.write(name, BAD)
                    text = self.run_script("Release/pre-commit.sh", hook, name, "a.csv", status=2)
                    self.assertEqual(text, f"'{name}' is a file with the name of an option: rename it\n")
                    self.path(name).unlink()
        self.assertFalse(self.exists("found.csv"))

    def test_without_the_program(self):
        (self.directory / ".tools/assay").unlink()
        os.symlink(shutil.which("bash"), self.path(".tools/bash"))
        result = subprocess.run(["bash", ROOT / "Release/pre-commit.sh", "check", "a.csv"],
                                env={"PATH": f"{self.directory}/.tools"},
                                capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((result.returncode, result.stderr.split(":")[0]), (2, "assay is not installed"))


class PreCommitTests(CITest):
    """Runs the real pre-commit on a repository with tables."""

    def git(self, *arguments, cwd="."):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false", *arguments],
                       cwd=self.path(cwd), env=self.env(), check=True, capture_output=True, timeout=PATIENCE)

    def pre_commit(self, *arguments, status):
        command = shutil.which("pre-commit") or str(pathlib.Path(sys.executable).parent / "pre-commit")
        if not os.access(command, os.X_OK):
            self.skipTest("there is no pre-commit: pip install pre-commit")
        result = subprocess.run([command, *arguments], cwd=self.path("work"), text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
                                env=self.env(PRE_COMMIT_HOME=str(self.path("home"))))
        self.assertEqual(result.returncode, status, result.stdout)
        return result.stdout

    def test_hooks_run(self):
        for name in (".pre-commit-hooks.yaml", "Release/pre-commit.sh"):
            self.write(f"hooks/{name}", (ROOT / name).read_bytes())
            self.path(f"hooks/{name}").chmod((ROOT / name).stat().st_mode)
        self.git("init", "-q", "hooks")
        self.git("add", "-A", cwd="hooks")
        self.git("commit", "-qm", "hooks", cwd="hooks")
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.path("hooks"), capture_output=True,
                              text=True).stdout.strip()
        self.git("init", "-q", "work")
        self.write("work/.pre-commit-config.yaml",
                   json.dumps({"repos": [{"repo": str(self.path("hooks")), "rev": head, "hooks": [
            {"id": "assay-check", "args": ["--rules=users.rules.yaml"], "files": r"^users.*\.csv$"},
            {"id": "assay-check-beside"},
            {"id": "assay-rules"}]}]}))
        self.write("work/users.rules.yaml", RULES)
        self.write("work/users.csv", GOOD)
        self.write("work/other.csv", "a,b\n1,2\n")
        self.git("add", "-A", cwd="work")
        text = self.pre_commit("run", "--all-files", status=0)
        self.assertEqual(text.count("Passed"), 3, text)
        self.write("work/users.csv", BAD)
        self.write("work/other.csv", "a,b\n1\n")
        self.write("work/users.rules.yaml", RULES + "nonsense: 1\n")
        self.git("add", "-A", cwd="work")
        text = self.pre_commit("run", "--all-files", status=1)
        self.assertEqual(text.count("Failed"), 3, text)
        self.write("work/users.rules.yaml", RULES)
        self.git("add", "-A", cwd="work")
        text = self.pre_commit("run", "--all-files", status=1)
        self.assertEqual(text.count("users.csv:3:15 id.type"), 2, text)
        self.assertEqual((text.count("Failed"), text.count("Passed")), (2, 1), text)


class ActionTests(CITest):
    """The steps of action.yml."""

    def step(self, script, status=0, **env):
        for name in ("output", "summary", "path"):
            self.write(name, "")
        self.path("runner").mkdir(exist_ok=True)
        places = {"GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary", "GITHUB_PATH": "path",
                  "RUNNER_TEMP": "runner"}
        return self.run_script(f"Release/action/{script}", status=status, **env,
                               **{name: str(self.path(place)) for name, place in places.items()})

    def setUp(self):
        super().setUp()
        self.write("r.yaml", RULES)
        self.write("exports/good.csv", GOOD)
        self.write("exports/bad one.csv", BAD)

    def test_the_statuses(self):
        for files, rules, status in (("exports/good.csv", "r.yaml", 0), ("exports/*.csv", "", 0),
                                     ("exports/*.csv", "r.yaml", 1),
                                     ("  exports/bad one.csv  \n\nexports/good.csv\n", "r.yaml", 1),
                                     ("exports/good.csv", "none.yaml", 2)):
            with self.subTest(files=files, rules=rules):
                text = self.step("check.sh", ASSAY_FILES=files, ASSAY_RULES=rules)
                self.assertEqual(self.lines("output"), [f"status={status}"])
                self.assertEqual("id.type" in text, status == 1)
                self.assertEqual(self.read("summary"), b"")

    def test_arguments(self):
        self.step("check.sh", ASSAY_FILES="exports/bad one.csv", ASSAY_RULES="r.yaml",
                  ASSAY_ARGUMENTS="--max-reject-rate=50%\n--quiet\n")
        self.assertEqual(self.lines("output"), ["status=0"])
        # No part of the arguments may run as a command.
        text = self.step("check.sh", ASSAY_FILES="$(touch x)\n", ASSAY_ARGUMENTS="`touch x`")
        self.assertEqual((text, self.lines("output")), ("::error::no file fits '$(touch x)'\n", ["status=2"]))
        self.step("check.sh", ASSAY_FILES="exports/good.csv", ASSAY_ARGUMENTS="; touch x")
        self.assertEqual(self.lines("output"), ["status=2"])
        self.assertFalse(self.exists("x"))

    def test_names_that_are_commands_of_the_runner(self):
        self.write("::notice::x.csv", GOOD)
        text = self.step("check.sh", ASSAY_FILES="*.csv", ASSAY_RULES="r.yaml")
        stop = re.match(r"::stop-commands::([0-9a-f]{32})\n", text)
        self.assertIsNotNone(stop, text)
        self.assertGreater(text.index("\n::notice::x.csv"), stop.end() - 2)
        self.assertTrue(text.endswith(f"\n::{stop[1]}::\n"), text)

    def test_more_files_than_alerts_are_taken_of(self):
        for number in range(21):
            self.write(f"many/{number}.csv", GOOD)
        text = self.step("check.sh", ASSAY_FILES="many/*.csv", ASSAY_SARIF="true")
        self.assertIn("::error::21 files are too many for code scanning alerts", text)
        self.assertEqual(self.lines("output"), ["status=2"])
        self.step("check.sh", ASSAY_FILES="many/*.csv")
        self.assertEqual(self.lines("output"), ["status=0"])

    def test_files_that_are_not_there(self):
        for files, message in (("", "'files' of the assay action names no file"),
                               ("none.csv", "no file fits 'none.csv'"), ("*.tsv", "no file fits '*.tsv'")):
            self.assertEqual(self.step("check.sh", ASSAY_FILES=files), f"::error::{message}\n")
            self.assertEqual(self.lines("output"), ["status=2"])

    def test_the_summary(self):
        self.step("check.sh", ASSAY_FILES="exports/*.csv", ASSAY_RULES="r.yaml", ASSAY_SUMMARY="true")
        summary = self.read("summary").decode()
        self.assertIn("bad one.csv", summary)
        self.assertIn("good.csv", summary)
        self.step("check.sh", ASSAY_FILES="exports/good.csv", ASSAY_RULES="none.yaml", ASSAY_SUMMARY="true")
        self.assertEqual(self.read("summary").decode(), "**exports/good.csv** could not be checked: status 2\n")

    def test_sarif(self):
        self.step("check.sh", ASSAY_FILES="exports/*.csv", ASSAY_RULES="r.yaml", ASSAY_SUMMARY="true",
                  ASSAY_SARIF="true")
        status, sarif = self.lines("output")
        self.assertEqual(status, "status=1")
        folder = pathlib.Path(sarif.removeprefix("sarif="))
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["1.sarif", "2.sarif"])
        runs = [json.loads(path.read_text())["runs"] for path in sorted(folder.iterdir())]
        self.assertEqual([len(run[0]["results"]) for run in runs], [1, 0])
        # Both reports are from one run over each file.
        summary = self.read("summary").decode()
        self.assertEqual([summary.count(f"exports/{name}") > 0 for name in ("bad one.csv", "good.csv")], [True, True])
        places = [result["locations"][0]["physicalLocation"] for result in runs[0][0]["results"]]
        self.assertEqual([place["region"]["startLine"] for place in places], [3])
        self.assertTrue(places[0]["artifactLocation"]["uri"].endswith("exports/bad%20one.csv"), places)


class ReleaseTests(CITest):
    """Release/dist/sign.sh and Release/action/install.sh, with keys that the test generates."""

    VERSION = "1.2.3"

    def setUp(self):
        super().setUp()
        for tool in ("curl", "ssh-keygen"):
            if shutil.which(tool) is None:
                self.skipTest(f"there is no {tool}")
        for name in ("Release/dist/sign.sh", "Release/action/install.sh", "Sources/CAssay/include/assay/core.h"):
            self.write(f"tree/{name}", (ROOT / name).read_bytes())
        self.key = self.new_key("key")
        self.trust(self.key)

    def new_key(self, name):
        path = self.path(name)
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path], check=True,
                       timeout=PATIENCE)
        return path

    def trust(self, *keys, namespace="assay-release", principal="assay-release"):
        lines = (f'{principal} namespaces="{namespace}" {key.with_suffix(".pub").read_text()}' for key in keys)
        self.write("tree/Release/action/allowed_signers", "# the keys\n" + "".join(lines))

    def release(self, version=VERSION):
        """The folder of a release with its archive and its checksums, which are still unsigned."""
        name = f"assay-{version}-{platform.system().lower()}-{platform.machine()}"
        folder = self.path(f"releases/v{version}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.archive = folder / f"{name}.tar.gz"
        with tarfile.open(self.archive, "w:gz") as tar:
            program = self.path(self.write("program/assay", f"#!/bin/sh\necho assay {version}\n"))
            program.chmod(0o755)
            tar.add(program, f"{name}/bin/assay")
        (folder / "other.deb").write_text("another file\n")
        self.write_sums(folder)
        return folder

    def write_sums(self, folder, form="{}  {}\n"):
        self.checksum = hashlib.sha256(self.archive.read_bytes()).hexdigest()
        other = hashlib.sha256((folder / "other.deb").read_bytes()).hexdigest()
        (folder / "SHA256SUMS").write_text(f"{other}  other.deb\n" + form.format(self.checksum, self.archive.name))

    def sign(self, folder, key=None, status=0):
        return self.run_script(self.path("tree/Release/dist/sign.sh"), str(folder), status=status,
                               ASSAY_SIGNING_KEY=str(key or self.key))

    def sign_by_hand(self, folder, key, namespace="assay-release"):
        (folder / "SHA256SUMS.sig").unlink(missing_ok=True)
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", namespace, folder / "SHA256SUMS"],
                       check=True,
                       stderr=subprocess.DEVNULL, timeout=PATIENCE)

    def install(self, status=0, **env):
        for name in ("output", "summary", "path"):
            self.write(name, "")
        self.path("runner").mkdir(exist_ok=True)
        places = {"GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary", "GITHUB_PATH": "path",
                  "RUNNER_TEMP": "runner"}
        text = self.run_script(self.path("tree/Release/action/install.sh"), status=status,
                               **({"ASSAY_VERSION": self.VERSION} | env),
                               ASSAY_RELEASES=f"file://{self.path('releases')}",
                               **{name: str(self.path(place)) for name, place in places.items()})
        # A rejected archive is not unpacked, so later steps do not find a program.
        self.assertEqual(len(list(self.path("runner").rglob("bin/assay"))) > 0 and bool(self.lines("path")),
                         status == 0, text)
        if status:
            self.assertEqual(list(self.path("runner").rglob("bin")), [])
        return text

    def refused(self, message, **env):
        text = self.install(2, **env)
        self.assertEqual(text.splitlines()[-1], f"::error::{message}")
        return text

    def test_a_signed_release_is_installed(self):
        folder = self.release()
        self.sign(folder)
        for given in ("", self.checksum, self.checksum.upper()):
            self.assertEqual(self.install(ASSAY_CHECKSUM=given), "assay 1.2.3\n")
            self.assertTrue(os.access(pathlib.Path(self.lines("path")[0]) / "assay", os.X_OK))
        self.assertEqual(self.install(ASSAY_VERSION="v1.2.3"), "assay 1.2.3\n")
        self.write_sums(folder, "{} *{}\n")
        self.sign(folder)
        self.assertEqual(self.install(), "assay 1.2.3\n")

    def test_keys_by_their_text_and_several_keys(self):
        folder = self.release()
        other = self.new_key("other")
        self.trust(other, self.key)
        self.assertTrue(self.sign(folder, self.key.read_text().strip()).endswith("/SHA256SUMS.sig\n"))
        self.install()
        self.sign(folder, other)
        self.install()
        self.assertEqual(stat.S_IMODE((folder / "SHA256SUMS.sig").stat().st_mode) & 0o111, 0)

    def test_a_wrong_key(self):
        folder = self.release()
        message = "SHA256SUMS of assay 1.2.3 is not signed with a key of this version of the action"
        self.sign_by_hand(folder, self.new_key("stranger"))
        self.refused(message)
        self.sign_by_hand(folder, self.key, namespace="file")
        self.refused(message)
        self.sign_by_hand(folder, self.key)
        for wrong in ({"namespace": "git"}, {"principal": "somebody"}):
            self.trust(self.key, **wrong)
            self.refused(message)
        self.trust(self.key)
        for text in (b"", b"::notice::x\n", b"-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n"):
            (folder / "SHA256SUMS.sig").write_bytes(text)
            self.assertNotRegex(self.refused(message), r"(?m)^::notice")

    def test_changed_files(self):
        folder = self.release()
        self.sign(folder)
        sums = (folder / "SHA256SUMS").read_text()
        content = self.archive.read_bytes()
        self.archive.write_bytes(content + b"\0")
        changed = hashlib.sha256(content + b"\0").hexdigest()
        self.refused(f"{self.archive.name} has the checksum {changed}, not {self.checksum}")
        # The option contains the checksum of another archive, and then that of the changed one.
        self.refused(f"'checksum' of the assay action is {changed}, and {self.archive.name} of the release has "
                     f"{self.checksum}", ASSAY_CHECKSUM=changed)
        (folder / "SHA256SUMS").write_text(sums.replace(self.checksum, changed))
        self.refused("SHA256SUMS of assay 1.2.3 is not signed with a key of this version of the action",
                     ASSAY_CHECKSUM=changed)

    def test_missing_files(self):
        folder = self.release()
        self.sign(folder)
        self.archive.unlink()
        self.refused(f"assay 1.2.3 has no {self.archive.name}: SHA256SUMS names it")
        folder = self.release()
        # A release without a signature, although its checksums are correct.
        self.refused("assay 1.2.3 has no SHA256SUMS.sig: releases are signed, and this one is not")
        self.refused("assay 1.2.3 has no SHA256SUMS.sig: releases are signed, and this one is not",
                     ASSAY_CHECKSUM=self.checksum)
        (folder / "SHA256SUMS").unlink()
        self.refused("assay 1.2.3 has no SHA256SUMS: is there such a release?")
        self.refused("assay 9.9.9 has no SHA256SUMS: is there such a release?", ASSAY_VERSION="9.9.9")

    def test_the_signed_files_of_another_release(self):
        older = self.release("1.2.2")
        self.sign(older)
        old_archive = self.archive
        folder = self.release()
        for name in ("SHA256SUMS", "SHA256SUMS.sig"):
            shutil.copy(older / name, folder / name)
        shutil.copy(old_archive, self.archive)
        system = f"{platform.system().lower()} on {platform.machine()}"
        self.refused(f"SHA256SUMS names no {self.archive.name}: is there such a release for {system}?")
        # Two checksums for one name.
        self.write_sums(folder)
        with (folder / "SHA256SUMS").open("a") as sums:
            sums.write(f"{'0' * 64}  {self.archive.name}\n")
        self.sign_by_hand(folder, self.key)
        self.refused(f"SHA256SUMS names no {self.archive.name}: is there such a release for {system}?")

    def test_bad_versions(self):
        for version in ("", "latest", "../..", "1.2", "1.2.3/../x"):
            self.assertIn("is a release such as 0.1.0", self.install(2, ASSAY_VERSION=version))

    def test_an_action_without_keys(self):
        self.sign(self.release())
        self.write("tree/Release/action/allowed_signers", "# no key yet\n")
        self.refused("this version of the assay action has no key of a release: use a newer one")
        self.assertIn("allowed_signers has no key yet", self.sign(self.path("releases/v1.2.3"), status=1))

    def test_the_keys_of_the_repository(self):
        """Each line of the real allowed_signers must be a key for releases only."""
        for line in (ROOT / "Release/action/allowed_signers").read_text().splitlines():
            if not line.startswith("#"):
                self.assertRegex(line, r'^assay-release namespaces="assay-release" '
                                       r'(ssh-ed25519|sk-ssh-ed25519@openssh\.com) [A-Za-z0-9+/=]+( |$)')

    def test_unsigned_files(self):
        folder = self.release()
        self.assertIn("does not have this key", self.sign(folder, self.new_key("stranger"), status=1))
        self.assertIn("ssh-keygen could not sign", self.sign(folder, "/nonexistent", status=1))
        (folder / "more.whl").write_text("x")
        self.assertIn("SHA256SUMS does not name more.whl", self.sign(folder, status=1))
        (folder / "more.whl").unlink()
        (folder / "other.deb").write_text("changed\n")
        self.assertIn("the files are not those of SHA256SUMS", self.sign(folder, status=1))
        self.assertFalse((folder / "SHA256SUMS.sig").exists())


if __name__ == "__main__":
    unittest.main()
