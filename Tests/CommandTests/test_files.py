"""Files that Assay must not harm, cannot read, or must not publish yet."""

import json
import os
import pathlib
import stat
import subprocess
import tempfile
import unittest

from support import ASSAY, PATIENCE, CommandTest, environment, wait_until

SMALL = b"a,b\n1,ok\n2,no\n"
OUTPUTS = ["users.clean.csv", "users.findings.jsonl", "users.rejects.csv", "users.report.json"]


class FileTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("users.csv", SMALL)
        self.rules({"name": "b", "constraints": {"pattern": "ok.*"}})

    def clean(self, *arguments, status=0):
        return self.assay("clean", "users.csv", "--rules", "rules.json", *arguments, status=status)


class SameFileTests(FileTest):
    """An output that is also the input would destroy it. Assay must detect it under any name, and refuse it with
    --force as well."""

    def assert_refused(self, option, path):
        before = self.files()
        for force in ([], ["--force"]):
            outcome = self.clean(option, path, *force, status=2)
            self.assertIn("users.csv", outcome.err)
        self.assertEqual(self.read("users.csv"), SMALL)
        self.assertEqual(self.files(), before)

    def test_the_same_name(self):
        for option in ("--clean", "--rejects", "--findings", "--report"):
            self.assert_refused(option, "users.csv")

    def test_another_spelling(self):
        os.mkdir(self.path("x"))
        for path in ("./users.csv", "x/../users.csv", str(self.path("users.csv")), ".//users.csv"):
            self.assert_refused("--clean", path)

    def test_a_hard_link(self):
        os.link(self.path("users.csv"), self.path("link.csv"))
        self.assert_refused("--rejects", "link.csv")

    def test_a_symbolic_link(self):
        os.symlink("users.csv", self.path("link.csv"))
        self.assert_refused("--clean", "link.csv")
        self.assertTrue(os.path.islink(self.path("link.csv")))

    def test_through_a_linked_directory(self):
        os.symlink(".", self.path("here"))
        self.assert_refused("--clean", "here/users.csv")

    def test_the_input_is_a_link_to_the_output(self):
        os.symlink("users.csv", self.path("input.csv"))
        outcome = self.assay("clean", "input.csv", "--rules", "rules.json", "--clean", "users.csv", "--force", status=2)
        self.assertIn("users.csv", outcome.err)
        self.assertEqual(self.read("users.csv"), SMALL)

    def test_standard_input_that_is_the_output(self):
        with open(self.path("users.csv"), "rb") as stdin:
            process = self.start("clean", "-", "--rules", "rules.json", "--clean", "x",
                                 "--rejects", "users.csv", "--force", stdin=stdin)
            process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 2)
        self.assertEqual(self.read("users.csv"), SMALL)

    def test_standard_output_that_is_the_input(self):
        """`assay clean users.csv --clean - >> users.csv` would read its own output without end."""
        with open(self.path("users.csv"), "ab") as stdout:
            process = self.start("clean", "users.csv", "--rules", "rules.json", "--clean", "-", stdin=None,
                                 stdout=stdout)
            _, error = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 2, error)
        self.assertEqual(self.read("users.csv"), SMALL)

    def test_standard_output_that_is_another_output(self):
        self.write("out.csv", "")
        with open(self.path("out.csv"), "ab") as stdout:
            process = self.start("clean", "users.csv", "--rules", "rules.json", "--clean", "-", "--rejects", "out.csv",
                                 "--force", stdin=None, stdout=stdout)
            _, error = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 2, error)

    def test_another_input(self):
        self.write("users.clean.csv", SMALL)
        outcome = self.assay("clean", "users.csv", "users.clean.csv", "--rules", "rules.json", "--force", status=2)
        self.assertIn("users.clean.csv", outcome.err)
        self.assertEqual(self.read("users.clean.csv"), SMALL)

    def test_the_rules(self):
        """An output must never replace the rule file, under any name."""
        before = self.read("rules.json")
        self.write("users.report.json", before)
        os.symlink("rules.json", self.path("link.json"))
        os.link(self.path("rules.json"), self.path("hard.json"))
        for rules, arguments in [
            ("rules.json", ["clean", "users.csv", "--report", "rules.json"]),
            ("rules.json", ["clean", "users.csv", "--clean", "./rules.json"]),
            ("rules.json", ["clean", "users.csv", "--rejects", "hard.json"]),
            ("link.json", ["clean", "users.csv", "--findings", "rules.json"]),
            ("rules.json", ["check", "users.csv", "--report", "link.json"]),
            ("rules.json", ["check", "users.csv", "--findings", "rules.json"]),
            ("users.report.json", ["clean", "users.csv"]),
        ]:
            for force in ([], ["--force"]):
                with self.subTest(arguments + force):
                    outcome = self.assay(*arguments, "--rules", rules, *force, status=2)
                    self.assertRegex(outcome.err,
                                     rf"error: the output \S+ is the rule file {rules}\n  hint: give it another name")
        self.assertEqual(self.read("rules.json"), before)
        self.assertEqual(self.read("users.report.json"), before)
        self.assert_no_files_left("hard.json", "link.json", "rules.json", "users.csv", "users.report.json")

    def test_two_outputs_the_same(self):
        os.mkdir(self.path("x"))
        os.symlink(".", self.path("here"))
        for one, other in [("out", "out"), ("out", "./out"), ("out", "x/../out"), ("out", str(self.path("out"))),
                           ("out", "here/out"), ("users.rejects.csv", None)]:
            with self.subTest(one=one, other=other):
                more = ["--rejects", other] if other else []
                self.clean("--clean", one, *more, status=2)
                self.assert_no_files_left("rules.json", "users.csv")

    def test_two_outputs_that_are_links_to_one(self):
        self.write("old", "old")
        os.link(self.path("old"), self.path("link"))
        self.clean("--clean", "old", "--rejects", "link", "--force", status=2)
        self.assertEqual(self.read("old"), b"old")

    def test_two_inputs_that_are_the_same(self):
        outcome = self.assay("clean", "users.csv", "./users.csv", "--rules", "rules.json", status=2)
        self.assertIn("users.clean.csv", outcome.err)
        self.assert_no_files_left("rules.json", "users.csv")

    def test_an_output_that_is_a_dangling_link(self):
        """Assay refuses dangling links, because it must neither replace a link nor guess that its target should be
        created."""
        os.symlink("elsewhere", self.path("out.csv"))
        os.symlink("self.csv", self.path("self.csv"))
        for name, leads_to in (("out.csv", "elsewhere"), ("self.csv", "self.csv")):
            for force in ([], ["--force"]):
                with self.subTest(name, force=force):
                    outcome = self.clean("--clean", name, *force, status=2)
                    self.assertEqual(
                        outcome.err, f"assay: error: the output {name} is a dangling link\n"
                        "  hint: remove the link, or create the file it points to\n")
                    self.assertEqual(os.readlink(self.path(name)), leads_to)
        self.assert_no_files_left("out.csv", "rules.json", "self.csv", "users.csv")


class MadeMeanwhileTests(FileTest):
    """A file that another process creates at an output's name during a run must survive."""

    def run_with(self, make, *arguments):
        """Cleans standard input and calls `make` after the outputs are staged. Returns the exit status and standard
        error."""
        before = set(self.files())
        process = self.start("clean", "-", "--rules", "rules.json", "--clean", "good.csv", "--rejects", "bad.csv",
                             "--report", "report.json", *arguments)
        process.stdin.write(SMALL)
        process.stdin.flush()
        wait_until(lambda: len(set(self.files()) - before) == 3, "the outputs are staged")
        make()
        _, error = process.communicate(timeout=PATIENCE)
        return process.returncode, error.decode()

    def test_a_file(self):
        for name in ("good.csv", "bad.csv", "report.json"):
            with self.subTest(name):
                status, error = self.run_with(lambda: self.write(name, "theirs"))
                self.assertEqual(status, 3, error)
                self.assertEqual(
                    error,
                    f"assay: error: cannot rename into place {name}: File exists; it was created during this run, and "
                    f"is left as it is\n"
                    "  these outputs are already in place: none\n"
                    "  hint: remove it or choose another name, and run again\n")
                self.assertEqual(self.read(name), b"theirs")
                self.assert_no_files_left("rules.json", "users.csv", name)
                os.remove(self.path(name))

    def test_a_dangling_link(self):
        status, error = self.run_with(lambda: os.symlink("elsewhere", self.path("good.csv")))
        self.assertEqual(status, 3, error)
        self.assertIn("good.csv", error)
        self.assertEqual(os.readlink(self.path("good.csv")), "elsewhere")
        self.assertFalse(self.exists("elsewhere"))

    def test_with_force(self):
        status, error = self.run_with(lambda: self.write("good.csv", "theirs"), "--force")
        self.assertEqual(status, 0, error)
        self.assertEqual(self.read("good.csv"), b"a,b\n1,ok\n")

    def test_no_file_is_created(self):
        status, error = self.run_with(lambda: None)
        self.assertEqual(status, 0, error)
        self.assert_no_files_left("bad.csv", "good.csv", "report.json", "rules.json", "users.csv")
        self.assertEqual(os.stat(self.path("good.csv")).st_nlink, 1)


class UnreadableTests(FileTest):
    def test_missing(self):
        outcome = self.assay("clean", "nowhere.csv", "--rules", "rules.json", status=2)
        self.assertIn("nowhere.csv", outcome.err)
        self.assertIn("No such file", outcome.err)
        outcome = self.assay("clean", "users.csv", "--rules", "nowhere.yaml", status=2)
        self.assertIn("nowhere.yaml", outcome.err)

    def test_directory(self):
        os.mkdir(self.path("folder"))
        outcome = self.assay("clean", "folder", "--rules", "rules.json", status=2)
        self.assertIn("directory", outcome.err)
        outcome = self.assay("clean", "users.csv", "--rules", "folder", status=2)
        self.assertIn("directory", outcome.err)

    def test_an_output_is_a_directory(self):
        os.mkdir(self.path("folder"))
        outcome = self.clean("--clean", "folder", status=2)
        self.assertIn("folder", outcome.err)
        self.assert_no_files_left("rules.json", "users.csv")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_no_permission(self):
        os.chmod(self.path("users.csv"), 0)
        outcome = self.clean(status=2)
        self.assertIn("Permission denied", outcome.err)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_directory_that_cannot_be_written_to(self):
        os.mkdir(self.path("locked"), 0o500)
        outcome = self.clean("--output-dir", "locked", status=2)
        self.assertIn("Permission denied", outcome.err)

    def test_a_directory_that_is_missing(self):
        for arguments in (["--output-dir", "nowhere"], ["--report", "nowhere/r.json"]):
            with self.subTest(arguments):
                outcome = self.clean(*arguments, status=2)
                self.assertIn("nowhere", outcome.err)
                self.assert_no_files_left("rules.json", "users.csv")

    def test_an_input_that_breaks_off(self):
        """A read error during the run: status 3, and no output is published."""
        if not os.path.exists("/proc/self/mem"):
            self.skipTest("no file here fails to be read")
        outcome = self.assay("clean", "/proc/self/mem", "--rules", "rules.json", "--output-dir", ".")
        self.assertEqual(outcome.status, 3, outcome.err)
        self.assert_no_files_left("rules.json", "users.csv")


class StagingTests(FileTest):
    def test_outputs_are_renamed_after_all_are_written(self):
        options = ["--clean", "good", "--rejects", "bad", "--findings", "why", "--report", "how"]
        process = self.start("clean", "-", "--rules", "rules.json", *options, "-q")
        process.stdin.write(SMALL * 100_000)
        process.stdin.flush()
        wait_until(lambda: len(self.files()) > 2, "it has begun to write")
        self.assertFalse({"good", "bad", "why", "how"} & set(self.files()))
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assert_no_files_left("bad", "good", "how", "rules.json", "users.csv", "why")

    def test_old_outputs_stay_until_then(self):
        self.write("bad", "old")
        process = self.start("clean", "-", "--rules", "rules.json", "--clean", "good", "--rejects", "bad",
                             "--force", "-q")
        process.stdin.write(SMALL)
        process.stdin.flush()
        wait_until(lambda: len(self.files()) > 3, "it has begun to write")
        self.assertEqual(self.read("bad"), b"old")
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(self.read("bad"), b"a,b\n2,no\n")

    def test_a_failure_leaves_old_outputs(self):
        self.write("bad", "old")
        self.clean("--clean", "/dev/full", "--rejects", "bad", "--force", status=3)
        self.assertEqual(self.read("bad"), b"old")
        self.assert_no_files_left("bad", "rules.json", "users.csv")

    def test_mistakes_leave_no_files(self):
        self.write("users.csv", b"x,y\n1,2\n")
        self.clean(status=2)
        self.assert_no_files_left("rules.json", "users.csv")

    def test_long_names(self):
        """A name of 255 bytes is valid, so the name of the temporary file beside it must not be longer."""
        name = "n" * 251 + ".csv"
        self.clean("--clean", name, status=0)
        self.assertEqual(self.read(name), b"a,b\n1,ok\n")

    def test_a_temporary_file_that_a_killed_process_left(self):
        """In a container every process may have the same id, and find the temporary file of a previous one."""
        script = f"touch .users.clean.csv.assay-$$-0; exec {ASSAY} clean users.csv --rules rules.json --quiet"
        self.shell(script, status=0)
        self.assertTrue((self.directory / "users.clean.csv").exists())

    def test_a_file_size_limit(self):
        """By default, exceeding ulimit -f sends a signal. Assay must report a write error and leave no files behind."""
        self.write("users.csv", "a,b\n" + "1,ok and some more\n" * 200_000)
        self.shell(f"ulimit -f 100; exec {ASSAY} clean users.csv --rules rules.json --quiet", status=3)
        self.assert_no_files_left("rules.json", "users.csv")

    @unittest.skipUnless(os.path.isdir("/dev/shm"), "there is no /dev/shm")
    def test_files_below_dev(self):
        """Entries of /dev/shm are regular files: Assay does not replace them without --force, and never appends to
        them."""
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            self.clean("--output-dir", folder, status=0)
            names = sorted(os.listdir(folder))
            self.assertEqual(names, OUTPUTS)
            before = {name: pathlib.Path(folder, name).read_bytes() for name in OUTPUTS[:3]}
            outcome = self.clean("--output-dir", folder, status=2)
            for name in OUTPUTS:
                self.assertIn(name, outcome.err)
            self.clean("--output-dir", folder, "--force", status=0)
            self.assertEqual({name: pathlib.Path(folder, name).read_bytes() for name in before}, before)
            json.loads(pathlib.Path(folder, "users.report.json").read_bytes())

    def test_a_rename_that_fails(self):
        """A directory appears at the name of an output: status 3, and the message names the published outputs."""
        process = self.start("clean", "-", "--rules", "rules.json", "--clean", "good", "--rejects", "bad",
                             "--report", "how", "--force")
        process.stdin.write(SMALL)
        process.stdin.flush()
        wait_until(lambda: len(self.files()) == 5, "the outputs are staged")
        os.mkdir(self.path("bad"))
        process.stdin.close()
        error = process.stderr.read().decode()
        self.assertEqual(process.wait(PATIENCE), 3, error)
        self.assertIn("good", error)
        self.assertIn("bad", error)
        self.assert_no_files_left("good", "rules.json", "users.csv")


class ModeTests(FileTest):
    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def test_umask(self):
        os.chmod(self.path("users.csv"), 0o666)
        for umask, mode in [("022", 0o644), ("077", 0o600), ("002", 0o664)]:
            with self.subTest(umask):
                self.shell(f"umask {umask}; assay clean users.csv -r rules.json --force -q", status=0)
                for name in OUTPUTS:
                    self.assertEqual(self.mode(name), mode, name)
                    os.remove(self.path(name))

    def test_other_users_cannot_read_unfinished_outputs(self):
        process = self.start("clean", "-", "--rules", "rules.json", "--rejects", "bad", "-q")
        # Assay first creates a file with the default mode, to learn that mode. The file is empty until it has mode
        # 0600.
        wait_until(
            lambda: {self.mode(name) for name in self.files() if name.startswith(".bad.assay-")} == {0o600},
            "only its owner can read it")
        process.stdin.write(SMALL)
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_a_replaced_output_keeps_its_mode(self):
        self.clean()
        os.chmod(self.path("users.rejects.csv"), 0o640)
        self.clean("--force")
        self.assertEqual(self.mode("users.rejects.csv"), 0o640)

    def test_no_output_is_open_to_more_people_than_the_input(self):
        modes = [(0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o400, 0o400), (0o604, 0o604), (0o755, 0o644)]
        for given, expected in modes:
            with self.subTest(oct(given)):
                os.chmod(self.path("users.csv"), given)
                self.clean("--force")
                for name in OUTPUTS:
                    self.assertEqual(oct(self.mode(name)), oct(expected), name)
                    os.remove(self.path(name))

    def test_outputs_of_check_and_standard_input(self):
        os.chmod(self.path("users.csv"), 0o600)
        self.shell("umask 022; assay check users.csv -r rules.json --findings f.jsonl --report r.json -q; "
                   "assay clean - -r rules.json --clean c --rejects j -q < users.csv; "
                   "cat users.csv | assay clean - -r rules.json --clean p --rejects q -q", status=0)
        for name in ("f.jsonl", "r.json", "c", "j"):
            self.assertEqual(oct(self.mode(name)), oct(0o600), name)
        for name in ("p", "q"):
            self.assertEqual(oct(self.mode(name)), oct(0o644), name)

    def test_the_strictest_of_several_inputs(self):
        self.write("more.csv", SMALL)
        for one, other, expected in ((0o644, 0o600, 0o600), (0o640, 0o604, 0o600), (0o640, 0o660, 0o640)):
            os.chmod(self.path("users.csv"), one)
            os.chmod(self.path("more.csv"), other)
            self.shell("umask 002; assay clean users.csv more.csv --as-one -r rules.json --clean c --rejects j "
                       "--findings f --changes h --report r --force -q", status=0)
            for name in "cjfhr":
                self.assertEqual(oct(self.mode(name)), oct(expected), name)
                os.remove(self.path(name))

    @unittest.skipUnless(os.geteuid() == 0, "needs another user")
    def test_a_pipe_of_another_program_gets_no_bytes(self):
        os.mkdir(self.path("all"))
        os.chmod(self.path("all"), 0o1777)
        os.mkfifo(self.path("all/users.clean.csv"))
        os.chown(self.path("all/users.clean.csv"), 65534, 65534)
        error = self.assay("clean", "users.csv", "-r", "rules.json", "--output-dir", "all", status=2).err
        self.assertIn("all/users.clean.csv: it is a pipe of another user, in a directory where everybody may put one",
                      error)

    def test_temporary_names_are_unpredictable(self):
        """The names contain 64 random bits, so another user cannot create a link at such a name in advance."""
        names = set()
        for _ in range(3):
            process = self.start("clean", "-", "--rules", "rules.json", "--rejects", "bad", "--force", "-q")
            start = f".bad.assay-{process.pid}-"
            wait_until(lambda: any(name.startswith(start) for name in self.files()), "it has begun to write")
            [name] = [name for name in self.files() if name.startswith(start)]
            names.add(int(name.removeprefix(start), 16))
            process.kill()
            process.wait(PATIENCE)
        self.assertEqual(len(names), 3)
        self.assertGreater(max(names), 1 << 56)

    def test_a_replaced_output_is_closed_to_those_who_cannot_read_the_input(self):
        self.clean()
        os.chmod(self.path("users.rejects.csv"), 0o664)
        os.chmod(self.path("users.clean.csv"), 0o600)
        os.chmod(self.path("users.csv"), 0o640)
        self.clean("--force")
        self.assertEqual(oct(self.mode("users.rejects.csv")), oct(0o640))
        self.assertEqual(oct(self.mode("users.clean.csv")), oct(0o600))

    def test_the_group_of_an_output_may_be_another_one(self):
        others = [group for group in os.getgroups() if group != os.getegid()]
        if os.geteuid() == 0:
            others = [os.getegid() + 1]
        if not others:
            self.skipTest("this user is in one group only")
        os.chown(self.path("users.csv"), -1, others[0])
        for given, expected in [(0o640, 0o600), (0o644, 0o644), (0o604, 0o600), (0o666, 0o644)]:
            with self.subTest(oct(given)):
                os.chmod(self.path("users.csv"), given)
                self.clean("--force")
                for name in OUTPUTS:
                    self.assertEqual(oct(self.mode(name)), oct(expected), name)
                    os.remove(self.path(name))

    def test_strange_names(self):
        for name in ("with space.csv", "ümlaut-日本.csv", "-dash.csv", "a\nb.csv", "quote'\".csv", "*?.csv", "%s%n.csv"):
            with self.subTest(name):
                self.write(name, SMALL)
                self.assay("clean", "--rules", "rules.json", "--", name, status=0)
                self.assertEqual(self.read(name.replace(".csv", ".clean.csv")), b"a,b\n1,ok\n")

    def test_names_that_are_not_utf8(self):
        with open(os.fsencode(self.directory) + b"/caf\xe9.csv", "wb") as file:
            file.write(SMALL)
        result = subprocess.run([ASSAY, "clean", b"caf\xe9.csv", "--rules", "rules.json"], cwd=self.directory,
                                env=environment(), capture_output=True, timeout=PATIENCE)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(b"argument 2 is not UTF-8: $'caf\\xe9.csv'", result.stderr)
        self.shell("assay check - < $'caf\\xe9.csv'", status=0)


if __name__ == "__main__":
    unittest.main()
