"""Signals: the process is killed by the signal and leaves no files behind."""

import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import unittest

from support import ASSAY, PATIENCE, CommandTest, environment, make_ten, volume, wait_until, wait_until_asleep

# All signals that end a process by default and do not indicate a crash. SIGPIPE and SIGXFSZ become write errors.
NAMES = ["INT", "TERM", "HUP", "QUIT", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "XCPU", "IO", "PWR", "STKFLT"]
ENDINGS = [getattr(signal, "SIG" + name) for name in NAMES if hasattr(signal, "SIG" + name)]
if hasattr(signal, "SIGRTMIN"):
    ENDINGS += [signal.SIGRTMIN, signal.SIGRTMIN + 7, signal.SIGRTMAX]

RULES = {"name": "b", "constraints": {"pattern": "ok.*"}}


class SignalTests(CommandTest):
    def setUp(self):
        super().setUp()
        # SIGQUIT and other signals would write a core dump.
        limit = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, limit[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, limit)
        # Under nohup, or in the background of a script, the tests ignore some of these signals, and the command would
        # inherit this.
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
            if signal.getsignal(number) == signal.SIG_IGN:
                self.addCleanup(signal.signal, number, signal.signal(number, signal.SIG_DFL))

    def is_staging(self):
        """Whether a temporary file exists, so the run has begun."""
        return any(".assay-" in name or name.startswith(".") for name in self.files())

    def assert_dies_of(self, number, process, *files):
        status = process.wait(PATIENCE)
        self.assertIn(status, (-number, 128 + number))
        self.assertEqual(process.stderr.read().strip(b"\r\n\x1b[K"), b"", "nothing to be said")
        self.assert_no_files_left("rules.json", *files)

    def test_while_waiting_for_standard_input(self):
        for number in ENDINGS:
            with self.subTest(number):
                process = self.start("clean", "-", "--rules", self.rules("a", RULES), "--rejects", "bad.csv")
                process.stdin.write(b"a,b\n1,ok\n2,no\n")
                process.stdin.flush()
                wait_until(self.is_staging, "it has begun to write")
                process.send_signal(number)
                self.assert_dies_of(number, process)

    def test_in_a_long_run(self):
        """The input does not end, and some output is already written."""
        make_ten(self.path("ten.csv"), volume(1_000, 40_000))
        content = self.read("ten.csv")
        os.remove(self.path("ten.csv"))
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.start(
                    "clean", "-", "--rules", self.rules({"name": "uuid", "constraints": {"pattern": "[0-9a-f-]{36}"}}),
                    "--clean", "good.csv", "--rejects", "bad.csv", "--findings", "why.jsonl", "--report", "how.json")
                for _ in range(5):
                    process.stdin.write(content)
                process.stdin.flush()
                wait_until(self.is_staging, "it has begun to write")
                process.send_signal(number)
                self.assert_dies_of(number, process)

    def test_while_writing_to_a_reader_that_sleeps(self):
        content = b"a,b\n" + b"1,ok\n" * volume(100_000, 500_000)
        self.write("users.csv", content)
        process = self.start("clean", "users.csv", "--rules", self.rules("a", RULES), "--clean", "-")
        wait_until(self.is_staging, "it has begun to write")
        wait_until_asleep(process)
        process.send_signal(signal.SIGTERM)
        self.assert_dies_of(signal.SIGTERM, process, "users.csv")

    def test_while_waiting_to_open_a_fifo(self):
        self.write("users.csv", b"a,b\n1,ok\n")
        os.mkfifo(self.path("pipe"))
        process = self.start("clean", "users.csv", "--rules", self.rules("a", RULES), "--findings", "pipe")
        wait_until(self.is_staging, "it has begun to write")
        wait_until_asleep(process)
        process.send_signal(signal.SIGINT)
        self.assert_dies_of(signal.SIGINT, process, "pipe", "users.csv")

    def test_as_the_shell_sees_it(self):
        for name, status in (("INT", 130), ("TERM", 143)):
            with self.subTest(name):
                self.rules("a", RULES)
                # A background job of a script would ignore SIGINT. Python starts it with the default action.
                process = subprocess.Popen(
                    ["bash", "-c", '"$0" clean - -r rules.json --rejects bad.csv; echo $?', ASSAY], cwd=self.directory,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(),
                    start_new_session=True)
                process.stdin.write(b"a,b\n")
                process.stdin.flush()
                wait_until(self.is_staging, "it has begun to write")
                children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)],
                                          capture_output=True, text=True)
                os.kill(int(children.stdout), getattr(signal, "SIG" + name))
                out, _ = process.communicate(timeout=PATIENCE)
                # The scheduler determines whether the header was written by then.
                self.assertEqual(out.removeprefix(b"a,b\n"), b"%d\n" % status)
                self.assert_no_files_left("rules.json")

    @unittest.skipUnless(hasattr(os, "SCHED_IDLE"), "this system does not schedule single threads")
    def test_before_outputs_get_their_names(self):
        """The input ends after the signal, but before the thread that waits for signals gets a processor."""
        for _ in range(volume(1, 3)):
            process = self.start("clean", "-", "-r", self.rules("a", RULES), "--rejects", "bad.csv", "-q",
                                 "--threads", "1")
            process.stdin.write(b"a,b\n1,ok\n2,no\n")
            process.stdin.flush()
            wait_until(self.is_staging, "it has begun to write")
            wait_until_asleep(process)
            processor = {min(os.sched_getaffinity(0))}
            # With one thread for the records, the other one waits for signals.
            for thread in map(int, os.listdir(f"/proc/{process.pid}/task")):
                if thread != process.pid:
                    os.sched_setaffinity(thread, processor)
                    os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))
            busy = subprocess.Popen(["sh", "-c", "while :; do :; done"])
            self.addCleanup(busy.wait)
            self.addCleanup(busy.kill)
            os.sched_setaffinity(busy.pid, processor)
            times = pathlib.Path(f"/proc/{busy.pid}/stat")
            wait_until(lambda: int(times.read_text().split()[13]) > 0, "the loop runs")
            process.send_signal(signal.SIGTERM)
            process.stdin.close()
            # The run has reached its end, and waits for the other thread, which the busy loop keeps off the processor.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2)
            busy.kill()
            self.assert_dies_of(signal.SIGTERM, process)

    def test_an_ignored_signal_stays_ignored(self):
        """As under nohup."""
        self.rules("a", RULES)
        process = subprocess.Popen(
            ["bash", "-c", 'trap "" HUP INT USR1; exec "$0" clean - -r rules.json --rejects bad.csv -q', ASSAY],
            cwd=self.directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment())
        self.addCleanup(self._end, process)
        process.stdin.write(b"a,b\n1,ok\n")
        process.stdin.flush()
        wait_until(self.is_staging, "it has begun to write")
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGUSR1)
        wait_until_asleep(process)
        self.assertIsNone(process.poll())
        out, error = process.communicate(b"2,no\n", timeout=PATIENCE)
        self.assertEqual((process.returncode, out, error), (0, b"a,b\n1,ok\n", b""))
        self.assertEqual(self.read("bad.csv"), b"a,b\n2,no\n")

    def test_other_commands_can_be_interrupted(self):
        for arguments in (["check", "-"], ["init", "-"]):
            with self.subTest(arguments):
                process = self.start(*arguments)
                wait_until_asleep(process)
                process.send_signal(signal.SIGINT)
                self.assertIn(process.wait(PATIENCE), (-signal.SIGINT, 130))


if __name__ == "__main__":
    unittest.main()
