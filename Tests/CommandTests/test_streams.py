"""Standard input and output, pipes, and other special files."""

import os
import signal
import time
import unittest

from support import PATIENCE, Background, CommandTest, make_ten, volume, wait_until

SMALL = "a,b\n1,ök\n2,nö\n3,ök\n".encode()
CLEAN, REJECTS = "a,b\n1,ök\n3,ök\n".encode(), "a,b\n2,nö\n".encode()


class StreamTest(CommandTest):
    def ok_rules(self):
        return self.rules("a", {"name": "b", "constraints": {"pattern": "ök.*"}})


class FilterTests(StreamTest):
    def test_filter(self):
        outcome = self.assay("clean", "-", "--rules", self.ok_rules(), "--rejects", "bad.csv", stdin=SMALL, status=0)
        self.assertEqual(outcome.out, CLEAN)
        self.assertEqual(self.read("bad.csv"), REJECTS)
        self.assertIn("rejected", outcome.err, "the summary goes to standard error")
        self.assert_no_files_left("bad.csv", "rules.json")

    def test_rejects_have_to_be_named(self):
        outcome = self.assay("clean", "-", "--rules", self.ok_rules(), stdin=SMALL, status=2)
        self.assertIn("--rejects", outcome.err)
        self.assertEqual(outcome.out, b"")

    def test_no_directory_for_outputs_without_names(self):
        outcome = self.assay("clean", "-", "--rules", self.ok_rules(), "--rejects", "none", "--output-dir", ".",
                             stdin=SMALL, status=2)
        self.assertIn("name them with --clean, --rejects, --findings and --report", outcome.err)
        self.assert_no_files_left("rules.json")

    def test_rejects_none(self):
        outcome = self.assay("clean", "-", "--rules", self.ok_rules(), "--rejects", "none", stdin=SMALL, status=0)
        self.assertEqual(outcome.out, CLEAN)
        self.assertIn("none", outcome.err)
        self.assert_no_files_left("rules.json")

    def test_findings_and_report_where_named(self):
        self.assay("clean", "-", "--rules", self.ok_rules(), "--rejects", "bad.csv", "--findings", "f.jsonl",
                   "--report", "r.json", stdin=SMALL, status=0)
        self.assertEqual(self.findings("f.jsonl")[0]["record"], 2)
        self.assertEqual(self.report("r.json")["inputs"][0]["path"], "-")

    def test_one_output_at_most(self):
        for options in (["--rejects", "-"], ["--rejects", "x", "--findings", "-"], ["--rejects", "x", "--report", "-"]):
            self.assay("clean", "-", "--rules", self.ok_rules(), *options, stdin=SMALL, status=2)
        outcome = self.assay("clean", "-", "--rules", self.ok_rules(), "--clean", "good.csv", "--rejects", "-",
                             stdin=SMALL, status=0)
        self.assertEqual((outcome.out, self.read("good.csv")), (REJECTS, CLEAN))

    def test_a_file_to_standard_output(self):
        self.write("users.csv", SMALL)
        outcome = self.assay("clean", "users.csv", "--rules", self.ok_rules(), "--clean", "-", status=0)
        self.assertEqual(outcome.out, CLEAN)
        self.assertEqual(self.read("users.rejects.csv"), REJECTS)

    def test_standard_input_once(self):
        self.assay("check", "-", "-", stdin=SMALL, status=2)

    def test_empty_input(self):
        outcome = self.assay("clean", "-", "--rules", self.ok_rules(), "--rejects", "bad.csv", stdin=b"", status=2)
        self.assertEqual(outcome.out, b"")
        self.assert_no_files_left("rules.json")

    def test_two_in_a_row(self):
        self.ok_rules()
        self.write("users.csv", SMALL * 3)
        self.shell("cat users.csv | assay clean - -r rules.json --rejects 1.csv -q | "
                   "assay clean - -r rules.json --rejects 2.csv -q > good.csv", status=0)
        self.assertEqual(self.read("2.csv"), b"a,b\n")
        self.assertEqual(self.read("good.csv"), CLEAN + CLEAN[4:] * 2)
        self.assertEqual(self.read("1.csv").count("nö".encode()), 3)


    def test_head_waits_for_no_more_than_it_reads(self):
        """The writer of the pipe has written the requested records and keeps the pipe open."""
        self.rules("a", "b")
        long = "x" * 200_000
        cases = [
            (["--head", "1"], b"a,b\n1,2\n", b"a,b\n1,2\n"),
            (["--head", "1"], b"a,b\r\n1,2\r\n3", b"a,b\r\n1,2\r\n"),
            (["--head", "1"], b"\xef\xbb\xbfa,b\n1,2\n", b"\xef\xbb\xbfa,b\n1,2\n"),
            (["--head", "2"], b'a,b\n"1\n\n",2\n3,4\n', b'a,b\n"1\n\n",2\n3,4\n'),
            (["--head", "1"], b"a,b\r1,2\r3", b"a,b\r1,2\r"),
            (["--head", "0"], b"a,b\n", b"a,b\n"),
            (["--head", "2", "--no-header"], b"1,2\n3,4\n5,", b"1,2\n3,4\n"),
            (["--head", "1"], f"a,b\n{long},2\n".encode(), f"a,b\n{long},2\n".encode()),
            (["--head", "1"], f"a,b,{long}\n1,2,3\n".encode(), f"a,b,{long}\n1,2,3\n".encode()),
        ]
        for flags, given, expected in cases:
            with self.subTest(flags=flags, given=given[:40]):
                process = self.start("clean", "-", "-r", "rules.json", "--rejects", "none", "-q", *flags)
                process.stdin.write(given)
                process.stdin.flush()
                self.assertEqual(process.stdout.read(), expected)
                self.assertEqual(process.wait(PATIENCE), 0, process.stderr.read())

    def test_head_of_a_stream_without_end(self):
        self.ok_rules()
        outcome = self.shell("yes 1,ök | assay clean - -r rules.json --no-header --rejects none --head 3 -q; "
                             "echo ${PIPESTATUS[*]}", status=0)
        self.assertEqual(outcome.text, "1,ök\n" * 3 + "141 0\n")

    def test_closed_descriptors(self):
        """A file that is opened while standard output or error is closed must not be confused with it."""
        self.write("users.csv", SMALL)
        self.ok_rules()
        for closed in ("2>&-", "1>&-", "1>&- 2>&-", "<&-", "<&- 1>&- 2>&-"):
            with self.subTest(closed):
                self.shell("assay clean users.csv -r rules.json --force --progress always "
                           f"--clean good --rejects bad --findings why --report how {closed}", status=0)
                self.assertEqual((self.read("good"), self.read("bad")), (CLEAN, REJECTS))
        self.shell("assay clean - -r rules.json --force --progress always --clean good --rejects bad < users.csv 2>&-",
                   status=0)
        self.assertEqual((self.read("good"), self.read("bad")), (CLEAN, REJECTS))
        self.write("bad", "old")
        outcome = self.shell("assay clean - -r rules.json --force --rejects bad < users.csv 1>&-")
        # There is no output for the clean rows. They must not be written to the rejects.
        self.assertIn(self.read("bad"), (b"old", REJECTS))
        self.assertIn(outcome.status, (0, 2, 3))


class SlowTests(StreamTest):
    def test_tiny_writes(self):
        """A pipe that provides one byte at a time, so that reads end inside characters, CR LF and quotes."""
        content = '\ufeffa,b\r\n1,ök 😀\r\n"2\r\n",nö\r\n3,"ö""k"\r\n4,ök"\r\n'.encode() * 20
        process = self.start("clean", "-", "--rules", self.ok_rules(), "--rejects", "bad.csv", "--quiet")
        for i in range(len(content)):
            os.write(process.stdin.fileno(), content[i:i + 1])
            if i % 64 == 0:
                time.sleep(0.001)
        process.stdin.close()
        out = process.stdout.read()
        self.assertEqual(process.wait(PATIENCE), 0, process.stderr.read())
        self.write("whole.csv", content)
        self.assay("clean", "whole.csv", "--rules", "rules.json", status=0)
        self.assertEqual(out, self.read("whole.clean.csv"))
        self.assertEqual(self.read("bad.csv"), self.read("whole.rejects.csv"))

    def test_writes_of_odd_sizes(self):
        """Input for several chunks, in pieces of arbitrary sizes."""
        content = b"a,b\n" + 'x,"ök\r\n""😀""\r\n"\r\ny,nö ö\r\n'.encode() * volume(20_000, 60_000)
        self.write("whole.csv", content)
        self.assay("clean", "whole.csv", "--rules", self.ok_rules(), "--quiet", status=0)
        process = self.start("clean", "-", "--rules", "rules.json", "--rejects", "bad.csv", "--quiet")

        def feed():
            position, size = 0, 1
            while position < len(content):
                position += os.write(process.stdin.fileno(), content[position:position + size])
                size = size * 7 % 9_973 + 1
            process.stdin.close()

        feeding = Background(feed)
        out = process.stdout.read()
        feeding.result()
        self.assertEqual(process.wait(PATIENCE), 0, process.stderr.read())
        self.assertTrue(out == self.read("whole.clean.csv"))
        self.assertTrue(self.read("bad.csv") == self.read("whole.rejects.csv"))


class BrokenPipeTests(StreamTest):
    def test_the_reader_has_gone(self):
        """SIGPIPE ends the process without a message, and no output is published."""
        make_ten(self.path("big.csv"), volume(4_000, 20_000))
        with open(self.path("big.csv"), "rb") as big:
            process = self.start("clean", "-",
                                 "--rules", self.rules({"name": "country", "constraints": {"maxLength": 2}}),
                                 "--rejects", "bad.csv", "--findings", "f.jsonl", "--report", "r.json", stdin=big)
            process.stdout.read(10)
            process.stdout.close()
            self.assertEqual(process.wait(PATIENCE), -signal.SIGPIPE)
            self.assertEqual(process.stderr.read(), b"")
        self.assert_no_files_left("big.csv", "rules.json")

    def test_the_reader_was_never_there(self):
        reading, writing = os.pipe()
        os.close(reading)
        process = self.start("clean", "-", "--rules", self.ok_rules(), "--rejects", "bad.csv", stdout=writing)
        os.close(writing)
        process.stdin.write(SMALL)
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), -signal.SIGPIPE)
        self.assertEqual(process.stderr.read(), b"")
        self.assert_no_files_left("rules.json")

    def test_as_the_shell_sees_it(self):
        make_ten(self.path("big.csv"), volume(4_000, 20_000))
        self.rules({"name": "country", "constraints": {"maxLength": 2}})
        outcome = self.shell(
            "assay clean - -r rules.json --rejects bad.csv < big.csv | head -n 1 > head.txt; echo ${PIPESTATUS[0]}")
        self.assertEqual((outcome.out, outcome.err), (b"141\n", ""))
        self.assertFalse(self.exists("bad.csv"))

    def test_head_of_other_commands(self):
        """Commands with long outputs behave like filters as well."""
        outcome = self.shell("assay --generate-completion-script bash | head -n 1 > /dev/null; echo ${PIPESTATUS[0]}")
        self.assertIn(outcome.out, (b"0\n", b"141\n"))
        self.assertEqual(outcome.err, "")


class FullDiskTests(StreamTest):
    def assert_full(self, *options, stdout=None):
        self.write("users.csv", SMALL * 2)
        with open("/dev/full", "wb") as full:
            process = self.start("clean", "users.csv", "--rules", self.ok_rules(), *options, stdin=None,
                                 stdout=full if stdout else None)
            _, error = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 3, error)
        self.assertIn("No space left", error.decode())
        self.assert_no_files_left("rules.json", "users.csv")

    def test_standard_output(self):
        self.assert_full("--clean", "-", stdout=True)

    def test_named_outputs(self):
        for option in ("--clean", "--rejects", "--findings", "--report"):
            with self.subTest(option):
                self.assert_full(option, "/dev/full")

    def test_help_and_explain(self):
        for command in ("assay --help", "assay --version", "assay explain a b", "assay init users.csv",
                        "assay rules check rules.json"):
            with self.subTest(command):
                self.write("users.csv", SMALL)
                self.ok_rules()
                self.assertEqual(self.shell(f"{command} > /dev/full").status, 3)

    @unittest.skipUnless(hasattr(os, "posix_fallocate"), "no limits on file sizes here")
    def test_a_limit_on_file_sizes(self):
        """ulimit -f: the write fails, because SIGXFSZ is ignored, and no output is published."""
        self.write("users.csv", b"a,b\n" + "1,ök\n".encode() * volume(30_000, 100_000))
        self.ok_rules()
        outcome = self.shell("trap '' XFSZ; ulimit -f 100; assay clean users.csv -r rules.json")
        self.assertEqual(outcome.status, 3, outcome.err)
        self.assert_no_files_left("rules.json", "users.csv")


class SpecialFileTests(StreamTest):
    def test_dev_null(self):
        """A device is written to, not replaced, and needs no --force."""
        for option in ("--clean", "--rejects", "--findings", "--report"):
            with self.subTest(option):
                self.write("users.csv", SMALL)
                self.assay("clean", "users.csv", "--rules", self.ok_rules(), option, "/dev/null", "--output-dir", ".",
                           status=0)
                self.assertFalse(os.path.isfile("/dev/null"))
                for name in self.files():
                    os.remove(self.path(name))

    def test_two_outputs_in_one_stream(self):
        """An anonymous or named pipe, or a file through a descriptor. Devices accept both outputs."""
        self.write("users.csv", SMALL)
        self.path("out").mkdir()
        clean = f"assay clean users.csv -r {self.ok_rules()} -q --output-dir out"
        os.mkfifo(self.path("fifo"))
        for script, one, other in [
            (f"{clean} --clean /dev/stdout --rejects - | cat", "/dev/stdout", "standard output"),
            (f"{clean} --clean - --findings /dev/stderr 2>&1 | cat", "standard output", "/dev/stderr"),
            (f"{clean} --clean /dev/stdout --rejects - > both.csv", "/dev/stdout", "standard output"),
            (f"{clean} --clean fifo --report fifo", "fifo", "fifo"),
        ]:
            with self.subTest(script):
                outcome = self.shell(f"set -o pipefail; {script}", status=2)
                self.assertEqual(
                    outcome.err + outcome.text, f"assay: error: two outputs are the same file: {one} and {other}\n"
                    "  hint: give them different names\n")
        self.shell(f"{clean} --clean /dev/null --rejects /dev/null --findings /dev/stderr | cat", status=0)

    def test_fifos_as_outputs(self):
        self.write("users.csv", SMALL)
        names = ["clean", "rejects", "findings", "report"]
        for name in names:
            os.mkfifo(self.path(name))
        readers = [Background(self.path(name).read_bytes) for name in names]
        options = [word for name in names for word in (f"--{name}", name)]
        self.assay("clean", "users.csv", "--rules", self.ok_rules(), *options, status=0)
        clean, rejects, findings, report = [reader.result() for reader in readers]
        self.assertEqual((clean, rejects), (CLEAN, REJECTS))
        self.assertEqual(findings.count(b"\n"), 1)
        self.assertTrue(report.startswith(b"{"))

    def test_a_fifo_as_input(self):
        os.mkfifo(self.path("users.csv"))
        writer = Background(self.path("users.csv").write_bytes, SMALL)
        self.assay("clean", "users.csv", "--rules", self.ok_rules(), status=0)
        writer.result()
        self.assertEqual(self.read("users.clean.csv"), CLEAN)

    def test_process_substitution(self):
        self.write("users.csv", SMALL)
        self.ok_rules()
        outcome = self.shell(
            "assay clean <(cat users.csv) -r <(cat rules.json) --clean >(sort > sorted.txt) --rejects none --findings "
            "none --report none", status=0)
        wait_until(lambda: self.exists("sorted.txt") and self.read("sorted.txt"), "the other end has written")
        self.assertEqual(sorted(self.read("sorted.txt").splitlines()), sorted(CLEAN.splitlines()), outcome.err)

    def test_rules_from_a_pipe(self):
        self.write("users.csv", SMALL)
        rules = self.read(self.ok_rules())
        self.assay("check", "users.csv", "--rules", "/dev/stdin", stdin=rules, status=1)


if __name__ == "__main__":
    unittest.main()
