"""Unusual environments: open descriptors, mounts, file names, permissions, and limits on resources."""

import json
import os
import shutil
import subprocess
import unittest

from support import ASSAY, PATIENCE, CommandTest, environment

ROWS = "a,b\n" + "1,2\n" * 1000


class OpenDescriptorTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("users.csv", ROWS)
        self.rules("a")

    def test_an_output_that_is_the_input(self):
        for script, what in (
            ("assay clean users.csv -r rules.json --force -q --clean /dev/stdout >> users.csv", "input users.csv"),
            ("assay clean users.csv -r rules.json --force -q --clean /dev/fd/9 9>> users.csv", "input users.csv"),
            ("ln -s /dev/stdout out; assay clean users.csv -r rules.json --force -q --clean out >> users.csv",
             "input users.csv"),
            ("assay check users.csv -q --findings /dev/stdout >> users.csv", "input users.csv"),
            ("assay check users.csv -r rules.json -q --report /dev/stdout >> rules.json", "rule file rules.json"),
        ):
            with self.subTest(script):
                before = self.read("rules.json")
                outcome = self.shell(f"ulimit -f 1000; {script}", status=2)
                self.assertIn(f"is the {what}\n  hint: give it another name", outcome.err)
                self.assertEqual((self.read("users.csv"), self.read("rules.json")), (ROWS.encode(), before))

    def test_a_skeleton_that_would_go_into_its_input(self):
        outcome = self.shell("assay init users.csv >> users.csv", status=2)
        self.assertIn("standard output is redirected to the input users.csv", outcome.err)
        self.assertEqual(self.read("users.csv"), ROWS.encode())

    def test_outputs_that_are_closed(self):
        for script in (
            "assay clean users.csv -r rules.json -q --clean /dev/stdout >&-",
            "assay clean users.csv -r rules.json -q --rejects /dev/fd/1 >&-",
            "assay check users.csv -q --report /dev/stdout >&-",
            "assay clean users.csv -r rules.json -q --clean /proc/thread-self/fd/1 >&-",
            "ln -sf /proc/self/fd fds; assay clean users.csv -r rules.json -q --clean fds/1 >&-",
            "assay check users.csv -q --findings /dev/stderr 2>&-",
        ):
            with self.subTest(script):
                outcome = self.shell(script, status=2)
                if "2>&-" not in script:
                    self.assertIn("Bad file descriptor", outcome.err)
                self.assertEqual([name for name in self.files() if name.startswith("users.")], ["users.csv"])

    def test_an_input_that_is_closed(self):
        for script in ("assay check - --no-header <&-", "assay check - <&-",
                       "assay clean - -r rules.json --no-header --rejects none <&-"):
            with self.subTest(script):
                outcome = self.shell(script, status=3)
                self.assertIn("cannot read standard input at byte 0: Bad file descriptor", outcome.err)
        for name in ("/dev/stdin", "/dev/fd/0"):
            with self.subTest(name):
                outcome = self.shell(f"assay check {name} --no-header <&-", status=2)
                self.assertIn(f"cannot read {name}: Bad file descriptor", outcome.err)

    def test_text_before_and_after_an_output(self):
        """Output to a descriptor starts at its current position and advances it, as in every other program."""
        script = "assay clean users.csv -r rules.json -q --force --rejects none --findings none --report none"
        for name, redirection in (("/dev/stdout", ""), ("/dev/fd/9", "9>&1"), ("fds/9", "9>&1")):
            with self.subTest(name):
                self.shell(f"ln -sfn /proc/self/fd fds; (echo before; {script} --clean {name} {redirection}; echo "
                           "behind) > all",
                           status=0)
                self.assertEqual(self.read("all").decode(), f"before\n{ROWS}behind\n")
        self.write("bad.csv", "a,b\n1\n1,2\n")
        self.shell("assay check bad.csv -r rules.json --findings /dev/stderr 2> all", status=1)
        self.assertTrue(self.read("all").startswith(b'{"record":1,"line":2,'), self.read("all"))
        self.assertIn(b"\nbad.csv  10 B in ", self.read("all"))

    def test_outputs_next_to_a_descriptor(self):
        for name in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            with self.subTest(name):
                outcome = self.shell(f"assay clean {name} -r rules.json -q < users.csv", status=2)
                self.assertEqual(
                    outcome.err,
                    f"assay: error: the input {name} is not a file, so its outputs cannot be placed beside it\n"
                                 "  hint: choose a directory with --output-dir\n")
                self.shell(f"assay clean {name} -r rules.json -q --force --output-dir . < users.csv", status=0)


class NameTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("users.csv", ROWS)
        self.rules("a")

    def test_a_directory_whose_name_is_no_text(self):
        script = """
            here=$(printf 'x\\377'); other=$(printf 'x\\357\\277\\275')
            mkdir "$here" "$other"; cp users.csv rules.json "$here"; echo kept > "$other/users.clean.csv"
            cd "$here"; assay clean users.csv -r rules.json -q
            echo old > users.clean.csv; ln -s users.rejects.csv link.csv
            assay clean users.csv -r rules.json -q --force --rejects link.csv
            cmp users.csv users.clean.csv && test -L link.csv && cd .. && cat "$other"/*
        """
        self.assertEqual(self.shell(script, status=0).text, "kept\n")

    def test_names_that_are_too_long(self):
        for length in (243, 244, 251):
            with self.subTest(length):
                name = "c" * length + ".csv"
                self.write(name, ROWS)
                outcome = self.assay("clean", name, "-r", "rules.json", "-q", status=2)
                self.assertIn("File name too long\n  hint: choose a shorter name for the output", outcome.err)
                self.assert_no_files_left("rules.json", "users.csv", name)
                os.unlink(self.path(name))

    def test_a_pipe_of_any_name(self):
        """Extensions apply to files only. The reader of a pipe is another program, which may expect any format."""
        self.shell("mkfifo good.csv.bz2; cat good.csv.bz2 > all & "
                   "assay clean users.csv -r rules.json -q --clean good.csv.bz2; wait", status=0)
        self.assertEqual(self.read("all"), ROWS.encode())
        self.shell("mkfifo good.csv.gz; zcat < good.csv.gz > all & "
                   "assay clean users.csv -r rules.json -q --clean good.csv.gz --rejects none --findings none "
                   "--report none; wait", status=0)
        self.assertEqual(self.read("all"), ROWS.encode())

    def test_one_output_by_two_names(self):
        self.path("d").mkdir()
        self.path("e").symlink_to("d")
        for other in ("./a.csv", "d/../a.csv", "e/../a.csv", "//" + str(self.path("a.csv"))):
            with self.subTest(other):
                outcome = self.assay(
                    "clean", "users.csv", "-r", "rules.json", "--clean", "a.csv", "--rejects", other, status=2)
                self.assertIn("two outputs would be the same file", outcome.err)

    def test_the_name_of_a_directory(self):
        outcome = self.assay("check", "users.csv", "--report", "x/", status=2)
        self.assertEqual(outcome.err, "assay: error: x/ is the name of a directory, not of a file\n")

    def test_outputs_of_an_earlier_run_among_the_inputs(self):
        self.assay("clean", "users.csv", "-r", "rules.json", "-q", status=0)
        outcome = self.shell("assay clean *.csv -r rules.json --force", status=2)
        self.assertIn("hint: if users.clean.csv was written by an earlier run, leave it out of the inputs", outcome.err)


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root, to be somebody else")
class SomebodyElseTests(CommandTest):
    def test_directories_above_that_cannot_be_searched(self):
        above = self.path("above")
        inside = above / "in"
        (inside / "store").mkdir(parents=True)
        (inside / "users.csv").write_text(ROWS)
        (inside / "rules.json").write_text('{"fields": [{"name": "a"}]}')
        (inside / "store" / "real.csv").write_text("old\n")
        (inside / "link.csv").symlink_to("store/real.csv")
        # The unprivileged user may not be able to read the build directory.
        shutil.copy(ASSAY, inside / "assay")
        for path in (self.directory, above, inside, inside / "store", *inside.iterdir()):
            os.chmod(path, 0o777)
        descriptor = os.open(inside, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        os.chmod(above, 0)
        self.addCleanup(os.chmod, above, 0o700)

        def run(*arguments):
            return subprocess.run(
                ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./assay", "clean", "users.csv",
                 "-r", "rules.json", "-q", "--force", *arguments],
                preexec_fn=lambda: os.fchdir(descriptor), capture_output=True, env=environment())

        self.assertEqual(run("--clean", "link.csv").returncode, 0)
        os.chmod(above, 0o700)
        self.assertTrue((inside / "link.csv").is_symlink())
        self.assertEqual((inside / "store" / "real.csv").read_text(), ROWS)
        os.chmod(above, 0)
        outcome = run("--clean", "a.csv", "--rejects", "store/../a.csv")
        self.assertEqual(outcome.returncode, 2)
        self.assertIn(b"two outputs would be the same file", outcome.stderr)


class ScarcityTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("users.csv", ROWS)
        self.rules("a")

    def test_few_files_may_be_open(self):
        for number in range(60):
            self.write(f"m{number:02}.csv", ROWS)
        outcome = self.shell("ulimit -n 64; assay clean m*.csv -r rules.json -q", status=2)
        self.assertEqual(
            outcome.err, "assay: error: 60 inputs are too many at once: 64 files may be open\n"
                         "  hint: give fewer inputs at a time, or raise the limit (ulimit -Hn)\n")
        self.shell("ulimit -n 64; assay clean m[0-4]?.csv -r rules.json -q", status=0)
        self.assertEqual(len([name for name in self.files() if name.endswith(".report.json")]), 50)

    def test_many_inputs_and_a_directory_that_is_missing(self):
        for number in range(450):
            self.write(f"m{number}.csv", ROWS)
        for count in (130, 450):
            with self.subTest(count):
                inputs = (f"m{number}.csv" for number in range(count))
                outcome = self.assay("clean", *inputs, "-r", "rules.json", "--output-dir", "out", status=2)
                self.assertEqual(outcome.err.count("hint: make the directory first: mkdir -p out/"), 1)

    def test_little_memory(self):
        """Assay starts as many threads as the memory allows, and reports an error if it cannot start any."""
        for limit in (200000, 700000, 1200000, 2000000):
            with self.subTest(limit):
                self.shell(f"ulimit -v {limit}; assay clean users.csv -r rules.json -q --force --threads 100", status=0)
                self.assertEqual(self.read("users.clean.csv"), ROWS.encode())
                self.assertLess(json.loads(self.read("users.report.json"))["threads"], 50)
        outcome = self.shell(
            "ulimit -v 2000000; assay clean users.csv -r rules.json -q --force --limit record-bytes=512M", status=3)
        self.assertIn("there is no memory for the records that a thread works on", outcome.err)
        self.assertEqual([name for name in self.files() if ".assay-" in name], [])

    def test_without_proc(self):
        script = "umount -l /proc && assay clean users.csv -r rules.json; echo $?"
        outcome = self.shell(f"unshare -m bash -c '{script}'")
        if outcome.text == "" or "umount" in outcome.err:
            self.skipTest("a namespace of one's own is not to be had")
        self.assertEqual(outcome.text, "2\n")
        self.assertIn("the command line cannot be read\n  hint: /proc must be mounted", outcome.err)

    def test_an_input_that_becomes_shorter(self):
        """The input is incomplete: status 3, and no output is published."""
        content = b"a,b\n" + b"1,2\n" * 2_000_000
        for flags in (["--threads", "1"], []):
            with self.subTest(flags):
                self.write("big.csv", content)
                process = self.start("clean", "big.csv", "-r", "rules.json", "--clean", "-", "-q", *flags)
                # The command has written as many bytes as fit into the pipe.
                process.stdout.read(4)
                os.truncate(self.path("big.csv"), 5_000_000)
                out, error = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 3, error)
                self.assertEqual(
                    error.decode(),
                    "assay: error: big.csv changed while it was being read: it ends at byte 5000000 and had "
                    f"{len(content)} bytes when it was opened; run again once it is complete\n")
                self.assertEqual([name for name in self.files() if name.startswith(("big.", ".big"))], ["big.csv"])

    @unittest.skipUnless(os.path.exists("/proc/self/mem"), "needs /proc")
    def test_a_failed_read_reports_the_offset(self):
        outcome = self.assay("check", "/proc/self/mem", status=3)
        self.assertEqual(outcome.err, "assay: error: cannot read /proc/self/mem at byte 0: Input/output error\n")

    def test_system_files_with_a_wrong_length(self):
        if not os.path.exists("/sys/kernel/mm/transparent_hugepage/enabled"):
            self.skipTest("there is no /sys")
        self.assay("check", "/sys/kernel/mm/transparent_hugepage/enabled", "--no-header", status=0)

    def test_an_input_that_grows(self):
        """The warning appears even with --quiet."""
        self.assertEqual(self.growing("check", "big.csv", "-r", "rules.json", "-q")[1],
                         "assay: big.csv: changed while it was being read; run again once it is complete\n")
