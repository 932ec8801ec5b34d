"""`clean --resume` continues an interrupted run. Its outputs must have the bytes of an uninterrupted run."""

import fcntl
import functools
import gzip
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest
from datetime import datetime, timezone

from support import ASSAY, PATIENCE, CommandTest, has_zstd, slow, volume

CHECKPOINT = ".t.clean.csv.assay-checkpoint"  # unless the outputs are compressed
NUMBER = hashlib.sha256(b"t.clean.csv").hexdigest()[:8]
INPUTS = ("t.csv", "t.jsonl", "t.csv.gz", "t.csv.zst", "t.jsonl.gz")
FIELDS = [
    {"name": "email", "format": "email", "repair": ["trim"]},
    {"name": "country", "constraints": {"pattern": "[A-Z]{2}"}, "repair": ["upper"]},
    {"name": "score", "rules": [{"id": "score.low", "pattern": "[0-9.]{1,4}", "severity": "warn"}]},
]


# Many chunks of 256 KiB, so that a run lasts longer than the pause before a kill.
ROWS = volume(40_000, 60_000)


@functools.cache
def table(form, rows):
    chance = random.Random(3)
    lines = ["email,country,score,note\n"] if form == "csv" else []
    for number in range(rows):
        row = {
            "email": chance.choice(["a{}@example.org", " b{}@example.org ", "c{}"]).format(number),
            "country": chance.choice(["DE", "fr", "?"]),
            "score": f"{chance.random() * 100:.3f}"[: chance.randrange(1, 6)],
            "note": chance.choice(["", "x" * 60, 'he said "so",\nand left', "ü" * 20]),
        }
        if form == "csv":
            cells = ('"' + cell.replace('"', '""') + '"' if set(cell) & set('",\n') else cell for cell in row.values())
            lines.append(",".join(cells) + "\n")
        else:
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)


class ResumeTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.rules(*FIELDS)

    def make(self, name="t.csv", rows=ROWS):
        return self.write(name, table(name.rpartition(".")[2], rows))

    def outputs(self):
        """The outputs of a run, without the elapsed time."""
        result = {}
        for name in self.files():
            if name.startswith("t.") and name not in INPUTS:
                result[name] = self.read(name)
                if name.endswith("report.json"):
                    report = json.loads(result[name])
                    for key in ("seconds", "bytesPerSecond", "threads", "started", "finished"):
                        report.pop(key, None)
                    result[name] = report
                os.remove(self.path(name))
        return result

    def command(self, table, *options, rules="rules.json"):
        return ["clean", table, "-r", rules, "--changes", "t.changes.csv", "--show-values", "-q", *options]

    def kill_and_resume(self, table, *options, kills):
        """Repeatedly starts a run and kills it after a checkpoint, then lets it finish. Returns the number of kills."""
        arguments = self.command(table, "--resume", "--checkpoint-every", 0, *options)
        chance = random.Random(len(options))
        count = 0
        while count < kills:
            process = self.start(*arguments, "--threads", chance.choice([1, 2, 5]))
            mark = self.mark()
            while process.poll() is None and self.mark() == mark:
                time.sleep(0.0005)
            time.sleep(chance.random() * 0.01)
            process.kill()
            status = process.wait(PATIENCE)
            if status == 0:
                return count
            self.assertEqual(status, -signal.SIGKILL, process.stderr.read())
            count += 1
            if self.exists("t.report.json"):
                # The outputs have their names. The checkpoint remains if the kill preceded its removal.
                if self.marks():
                    self.assay(*arguments, "--force", status=0)
                return count
        self.assay(*arguments, status=0)
        return count

    def marks(self):
        return {name for name in self.files() if name.endswith("-checkpoint")}

    def mark(self):
        for name in self.files():
            if name.endswith("-checkpoint"):
                try:
                    return os.stat(self.path(name)).st_ino
                except FileNotFoundError:
                    break
        return None

    def assert_resumes(self, table, *options, kills=6):
        self.assay(*self.command(table, *options), status=0)
        expected = self.outputs()
        self.assertGreater(len(expected), 4)
        for _ in range(60):
            if self.kill_and_resume(table, *options, kills=kills):
                break
            # On a busy machine, the run may have ended before the kill.
            self.outputs()
        else:
            self.fail("it is always faster")
        self.assertEqual([name for name in self.files() if name.startswith(".")], [])
        found = self.outputs()
        self.assertEqual(found.keys(), expected.keys())
        for name in expected:
            self.assertTrue(found[name] == expected[name], f"{name} differs")

    def test_the_outputs_are_those_of_a_run_that_was_not_ended(self):
        self.assert_resumes(self.make())

    def test_the_time_is_that_of_the_first_run(self):
        self.write("rules.json", json.dumps({
            "fields": [{"name": field["name"]} for field in FIELDS],
            "rows": [{"check": "timestamp('2000-01-01T00:00:00Z') < now()"}]}))
        table = self.make()
        arguments = self.command(table, "--resume", "--checkpoint-every", 0)
        for _ in range(60):
            begin = datetime.now(timezone.utc)
            process = self.start(*arguments, "--threads", 1)
            while process.poll() is None and self.mark() is None:
                time.sleep(0.0005)
            process.kill()
            if process.wait(PATIENCE) == 0 or self.mark() is None:
                self.outputs()
                continue
            end = datetime.now(timezone.utc)
            self.assay(*arguments, status=0)
            now = self.report("t.report.json")["now"]
            self.assertTrue(begin <= datetime.fromisoformat(now[:26].rstrip("Z") + "+00:00") <= end, now)
            return
        self.fail("it is always faster")

    def test_blank_lines(self):
        lines = table("csv", ROWS).split("\n")
        chance = random.Random(5)
        text = "\n".join(line + "\n" * (chance.random() < 0.1) for line in lines)
        for how in ("skip", "keep"):
            with self.subTest(how):
                self.write("t.csv", text + "\n" * 9 + "\x1a")
                self.assert_resumes("t.csv", "--blank-lines", how)

    def test_packed_outputs(self):
        self.assert_resumes(self.make(), "--compress", "gzip")

    def test_findings_as_csv_with_a_bound(self):
        self.assert_resumes(self.make(), "--findings", "t.findings.csv", "--max-findings", ROWS // 2, "--annotate")

    def test_json_lines(self):
        self.assert_resumes(self.make("t.jsonl"))

    # While the outputs are renamed

    def end_before_the_names(self):
        """Interrupts a run whose outputs are complete but unnamed, because the last name is taken. Returns the outputs
        of an undisturbed run."""
        self.make()
        self.assay(*self.command("t.csv"), status=0)
        expected = self.outputs()
        for _ in range(50):
            process = self.start(*self.command("t.csv", "--resume", "--checkpoint-every", 0, "--threads", 1))
            while process.poll() is None and not self.marks():
                time.sleep(0.0005)
            self.write("t.report.json", "another's")
            error = process.communicate(timeout=PATIENCE)[1].decode()
            os.remove(self.path("t.report.json"))
            if process.returncode == 3 and not self.exists("t.clean.csv"):
                self.assertIn("cannot rename into place t.report.json", error)
                return expected
            # The run was faster, or had already checked that the names are free.
            self.assay(*self.command("t.csv", "--resume", "--force"), status=0)
            self.outputs()
        self.fail("it is always faster")

    def name(self, *names):
        for name in names:
            os.rename(self.path(f".{name}.assay-resume-{NUMBER}"), self.path(name))

    ROWS = "t.clean.csv", "t.rejects.csv", "t.findings.jsonl", "t.changes.csv"

    @slow
    def test_a_run_that_was_killed_while_its_outputs_got_their_names(self):
        expected = self.end_before_the_names()
        for count in range(len(self.ROWS) + 1):
            with self.subTest(count=count):
                if count:
                    self.end_before_the_names()
                self.name(*self.ROWS[:count])
                names = [name if name in self.files() else f".{name}.assay-resume-{NUMBER}" for name in self.ROWS]
                before = [os.stat(self.path(name)).st_ino for name in names]
                if count == len(self.ROWS):
                    self.assertIn("these outputs exist already", self.assay(*self.command("t.csv"), status=2).err)
                else:
                    self.assertIn(
                        "add --resume to continue it, or --force to start over",
                        self.assay(*self.command("t.csv"), status=2).err)
                self.assay(*self.command("t.csv", "--resume"), status=0)
                self.assertEqual([os.stat(self.path(name)).st_ino for name in self.ROWS], before)
                self.assertEqual([name for name in self.files() if name.startswith(".")], [])
                self.assertEqual(self.outputs(), expected)

    def test_a_file_that_has_both_of_its_names(self):
        """The state inside a rename, on systems where a rename without replacement takes two steps."""
        expected = self.end_before_the_names()
        os.link(self.path(f".t.clean.csv.assay-resume-{NUMBER}"), self.path("t.clean.csv"))
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertEqual(self.outputs(), expected)

    def test_a_link_in_the_place_of_an_output_stays(self):
        expected = self.end_before_the_names()
        self.write("t.target", "old")
        os.symlink("t.target", self.path("t.rejects.csv"))
        os.rename(self.path(f".t.rejects.csv.assay-resume-{NUMBER}"), self.path("t.target"))
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertTrue(os.path.islink(self.path("t.rejects.csv")))
        os.replace(self.path("t.target"), self.path("t.rejects.csv"))
        self.assertEqual(self.outputs(), expected)

    def test_names_that_a_power_cut_has_kept_in_another_order(self):
        expected = self.end_before_the_names()
        self.name("t.rejects.csv", "t.changes.csv")
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertEqual(self.outputs(), expected)

    def test_published_outputs_are_not_touched(self):
        expected = self.end_before_the_names()
        self.name("t.clean.csv", "t.rejects.csv")
        os.link(self.path("t.clean.csv"), self.path("copy"))
        os.chmod(self.path("t.rejects.csv"), 0o400)
        os.chmod(self.path(f".t.findings.jsonl.assay-resume-{NUMBER}"), 0o444)
        names = "t.clean.csv", "t.rejects.csv"
        before = [os.stat(self.path(name)) for name in names]
        outcome = self.assay(*[option for option in self.command("t.csv", "--resume") if option != "-q"], status=0)
        size = os.stat(self.path("t.csv")).st_size
        size = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"
        self.assertIn(f"assay: continues after the first {size}", outcome.err)
        self.assertIn("  rejected  ", outcome.err)
        for name, status in zip(names, before):
            now = os.stat(self.path(name))
            self.assertEqual((now.st_ino, now.st_mtime_ns, now.st_mode),
                             (status.st_ino, status.st_mtime_ns, status.st_mode))
        self.assertEqual(self.read("copy"), expected["t.clean.csv"])
        self.assertEqual(self.outputs(), expected)

    def test_the_end_is_that_of_a_run_that_was_not_ended(self):
        self.end_before_the_names()
        self.name("t.clean.csv")
        self.assay(*self.command("t.csv", "--resume", "--max-reject-rate", "1%"), status=1)
        self.assertTrue(self.exists("t.report.json"))

    CHANGES = (
        lambda path: os.utime(path, (1, 1)),
        lambda path: path.write_bytes(path.read_bytes() + b"x"),
        lambda path: (shutil.copy2(path, path.with_name("u")), os.replace(path.with_name("u"), path)),
        lambda path: path.unlink(),
    )

    @slow
    def test_a_changed_complete_output_is_refused(self):
        for change in self.CHANGES:
            expected = self.end_before_the_names()
            change(self.path(f".t.rejects.csv.assay-resume-{NUMBER}"))
            self.assertIn("remove the checkpoint to start over", self.refused("--resume"))
            os.remove(self.path(CHECKPOINT))
            self.assay(*self.command("t.csv", "--resume"), status=0)
            self.assertEqual(self.outputs(), expected)

    @slow
    def test_an_output_that_has_changed_since_it_has_its_name_is_refused(self):
        for change in self.CHANGES:
            expected = self.end_before_the_names()
            self.name(*self.ROWS[:2])
            change(self.path("t.rejects.csv"))
            before = {name: self.read(name) for name in self.files()}
            error = self.assay(*self.command("t.csv", "--resume"), status=2).err
            exists = self.exists("t.rejects.csv")
            self.assertIn("this output exists already:\n    t.rejects.csv\n" if exists
                          else "remove the checkpoint to start over", error)
            error = self.assay(*self.command("t.csv", "--resume", "--annotate", "--force"), status=2).err
            self.assertIn("is of a run with other options", error)
            error = self.assay(*self.command("t.csv", "--resume", "--force"), status=2).err
            self.assertIn("remove the checkpoint to start over", error)
            self.assertEqual({name: self.read(name) for name in self.files()}, before)
            self.assay(*self.command("t.csv", "--force"), status=0)
            self.assertEqual([name for name in self.files() if name.startswith(".")], [])
            self.assertEqual(self.outputs(), expected)

    def test_a_living_run_that_names_its_outputs_is_left_alone(self):
        expected = self.end_before_the_names()
        self.name("t.clean.csv")
        with open(self.path("t.clean.csv"), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            error = self.assay(*self.command("t.csv", "--resume"), status=2).err
            self.assertIn("cannot resume t.clean.csv: another run is writing it, or it is another user's", error)
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertEqual(self.outputs(), expected)

    def pack(self, name, size=None):
        """Compresses a file, in members of `size` bytes each or as a single member."""
        plain = self.read(name)
        size = size or len(plain)
        with open(self.path(f"{name}.gz"), "wb") as file:
            for start in range(0, len(plain), size):
                file.write(gzip.compress(plain[start : start + size], 1))
        os.remove(self.path(name))
        return f"{name}.gz"

    @slow
    def test_packed_inputs(self):
        for size in (None, 100_000):
            with self.subTest(size=size):
                self.assert_resumes(self.pack(self.make(), size), "--annotate")
        self.assert_resumes(self.pack(self.make("t.jsonl")), "--compress", "none")

    @unittest.skipUnless(has_zstd(), "needs zstd")
    def test_a_packed_input_of_zstd(self):
        subprocess.run(["zstd", "-q", "--rm", str(self.path(self.make()))], check=True)
        self.assert_resumes("t.csv.zst")

    @slow
    def test_other_encodings(self):
        self.make()
        text = self.read("t.csv").decode()
        for encoding, bad, options in (
            ("windows-1252", b"\x81", []), ("windows-1252", b"\x81", ["--output-encoding", "same"]),
            ("UTF-16LE", b"\x00\xD8", []), ("Shift_JIS", b"\xFF", ["--output-encoding", "same"]),
        ):
            with self.subTest(encoding=encoding, options=options):
                rows = text.replace("ü", "u").encode(encoding).split("\n".encode(encoding))
                rows[len(rows) * 2 // 3] += bad
                self.write("t.csv", "\n".encode(encoding).join(rows))
                self.assert_resumes("t.csv", "--encoding", encoding, *options)

    def test_a_packed_input_that_has_changed(self):
        self.pack(self.make())
        self.leave(table="t.csv.gz")
        packed = self.read("t.csv.gz")
        self.write("t.csv.gz", packed[:-9] + b"\0" + packed[-8:])
        error = self.assay(*self.command("t.csv.gz", "--resume"), status=2).err
        self.assertIn("is of another input, or the input has changed", error)

    def change_byte(self, name, place):
        """Changes one byte of a file, and restores its size and its modification time."""
        path = self.path(name)
        status = os.stat(path)
        with open(path, "r+b") as file:
            file.seek(place)
            byte = file.read(1)
            file.seek(place)
            file.write(bytes([byte[0] ^ 1]))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def test_an_input_that_has_changed_in_one_byte_is_refused(self):
        self.make()
        self.assay(*self.command("t.csv"), status=0)
        expected = self.outputs()
        self.leave()
        # Beyond the first 64 KiB, before and after the position of the checkpoint. The remaining bytes were not read.
        size = os.stat(self.path("t.csv")).st_size
        for place in (70_000, 99_999, 150_000):
            self.change_byte("t.csv", place)
            self.assertIn("is of another input, or the input has changed", self.refused("--resume"))
            self.change_byte("t.csv", place)
        self.change_byte("t.csv", size - 2)
        self.change_byte("t.csv", size - 2)
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertEqual(self.outputs(), expected)

    def test_a_long_head_that_has_changed_in_one_byte_is_refused(self):
        self.write("t.csv", ("x" * 99 + "\n") * 2_000 + table("csv", ROWS))
        self.leave("--skip", 2_000)
        self.change_byte("t.csv", 150_000)
        self.assertIn("is of another input, or the input has changed", self.refused("--resume", "--skip", 2_000))

    def test_other_bytes_of_the_same_packed_size_are_refused(self):
        rows = table("csv", ROWS).encode()
        packed = gzip.compress(rows, 0, mtime=0)
        self.write("t.csv.gz", packed)
        self.leave(table="t.csv.gz")
        changed = bytearray(rows)
        changed[99_950] ^= 1
        status = os.stat(self.path("t.csv.gz"))
        with open(self.path("t.csv.gz"), "r+b") as file:
            file.write(gzip.compress(bytes(changed), 0, mtime=0)[: len(packed)])
        os.utime(self.path("t.csv.gz"), ns=(status.st_atime_ns, status.st_mtime_ns))
        error = self.assay(*self.command("t.csv.gz", "--resume"), status=2).err
        self.assertIn("is of another input, or the input has changed", error)

    def test_an_output_that_has_changed_in_one_byte_is_refused(self):
        self.make()
        self.assay(*self.command("t.csv"), status=0)
        expected = self.outputs()
        self.leave()
        for name, output in (("clean.csv", "t.clean.csv"), ("rejects.csv", "t.rejects.csv"),
                             ("findings.jsonl", "t.findings.jsonl"), ("changes.csv", "t.changes.csv")):
            path = f".t.{name}.assay-resume-{NUMBER}"
            for place in (0, 1, 1000):
                with self.subTest(name, place=place):
                    self.change_byte(path, place)
                    self.assertIn(
                        f"cannot resume {output}: it has been changed; remove the checkpoint to start over",
                        self.refused("--resume"))
                    self.change_byte(path, place)
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertEqual(self.outputs(), expected)

    def test_a_complete_output_with_one_changed_byte_is_refused(self):
        expected = self.end_before_the_names()
        path = f".t.rejects.csv.assay-resume-{NUMBER}"
        self.change_byte(path, 5000)
        self.assertIn("cannot resume t.rejects.csv: it has been changed", self.refused("--resume"))
        self.change_byte(path, 5000)
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertEqual(self.outputs(), expected)

    def test_a_small_file_needs_no_checkpoint(self):
        self.write("t.csv", "email,country,score,note\na@example.org,DE,1,\n")
        self.assay(*self.command("t.csv", "--resume", "--checkpoint-every", 0), status=0)
        self.assertFalse(self.exists(CHECKPOINT))
        self.assertEqual(self.read("t.clean.csv"), b"email,country,score,note\na@example.org,DE,1,\n")

    def test_a_small_file_in_many_chunks(self):
        """The file is too small to be read in blocks, and its many rules make the chunks small."""
        self.rules({"name": "a",
                    "rules": [{"id": f"a.{number}", "pattern": "x" * (number + 1)} for number in range(60)]})
        self.write("t.csv", "a\n" + "x\n" * 25_000)
        self.assay("clean", "t.csv", "-r", "rules.json", "-q", "--resume", "--checkpoint-every", 0, status=0)
        self.assertEqual(self.read("t.rejects.csv").count(b"\n"), 25_001)
        self.assertEqual([name for name in self.files() if name.startswith(".")], [])

    def test_long_names_do_not_become_one(self):
        name = "n" * 200
        self.make(f"{name}.csv", rows=3_000)
        self.assay("clean", f"{name}.csv", "-r", "rules.json", "-q", "--resume", "--checkpoint-every", 0, status=0)
        self.assertTrue(self.exists(f"{name}.rejects.csv"))

    # Mismatches

    def leave(self, *options, table="t.csv", **more):
        """Leaves a checkpoint and the partial outputs: a file size limit ends the run."""
        before = self.marks()
        command = self.command(table, "--resume", "--checkpoint-every", 0, "--threads", 1, *options, **more)
        # The limit is in blocks of 512 bytes: larger than the findings of the first chunk, smaller than all findings.
        outcome = self.assay("-c", f'ulimit -f {ROWS // 5} && exec "$0" "$@"', ASSAY, *command, status=3, binary="sh")
        self.assertIn("File too large", outcome.err)
        self.assertGreater(self.marks(), before)

    def test_leftovers_are_readable_only_by_the_owner(self):
        self.make()
        self.leave()
        left = [name for name in self.files() if name.startswith(".")]
        self.assertEqual(
            {name for name in left if not name.endswith(".new") and "report" not in name},
            {CHECKPOINT} | {f".t.{part}.assay-resume-{NUMBER}"
                            for part in ("changes.csv", "clean.csv", "findings.jsonl", "rejects.csv")})
        for name in left:
            self.assertEqual(os.stat(self.path(name)).st_mode & 0o777, 0o600)

    def refused(self, *options, status=2):
        before = {name: self.read(name) for name in self.files() if name.startswith(".") and "report" not in name}
        outcome = self.assay(*self.command("t.csv", *options), status=status)
        self.assertEqual({name: self.read(name) for name in before}, before, "nothing was touched")
        return outcome.err

    def test_another_run_is_refused(self):
        self.make()
        self.leave()
        again = "  hint: give the command that began it once more, or remove it to start over: " + CHECKPOINT + "\n"
        self.assertEqual(
            self.refused("--resume", "--annotate"),
            f"assay: error: the checkpoint {CHECKPOINT} is of a run with other options\n{again}")
        self.rules(*FIELDS[:2])
        self.assertEqual(
            self.refused("--resume"),
            f"assay: error: the checkpoint {CHECKPOINT} is of a run with other rules\n{again}")
        self.rules(*FIELDS)
        os.utime(self.path("t.csv"), (1, 1))
        self.assertEqual(
            self.refused("--resume"),
            f"assay: error: the checkpoint {CHECKPOINT} is of another input, or the input has changed\n{again}")

    def test_a_damaged_checkpoint_is_refused(self):
        self.make()
        self.leave()
        full = self.read(CHECKPOINT)
        for damaged in (b"", full[:-1], full + b"x", full.replace(b"checkpoint 2", b"checkpoint 1"),
                        full[:99] + b"~" + full[100:]):
            self.write(CHECKPOINT, damaged)
            self.assertEqual(
                self.refused("--resume"),
                f"assay: error: the checkpoint {CHECKPOINT} is damaged, or was written by another version of assay\n"
                f"  hint: remove it to start over: {CHECKPOINT}\n")
        self.write(CHECKPOINT, full)
        os.chmod(self.path(CHECKPOINT), 0o644)
        self.assertIn(f"assay: error: {CHECKPOINT} is no checkpoint of this user", self.refused("--resume"))

    def test_outputs_that_are_shorter_or_gone_are_refused(self):
        self.make()
        self.leave()
        name = f".t.clean.csv.assay-resume-{NUMBER}"
        content = self.read(name)
        self.write(name, content[:10])
        self.assertIn("cannot resume t.clean.csv: it has 10 bytes, and ", self.refused("--resume"))
        os.remove(self.path(name))
        self.assertIn("cannot resume " + name + ": No such file or directory", self.refused("--resume"))

    @slow
    def test_runs_that_share_a_later_output_have_separate_leftovers(self):
        self.make()
        strict = [{"name": "email", "constraints": {"pattern": "a.*"}}, *FIELDS[1:]]
        self.rules(*strict, name="strict.json")
        runs = [("t.a.csv", "rules.json"), ("t.b.csv", "strict.json")]
        expected = []
        for clean, rules in runs:
            self.assay(*self.command("t.csv", "--clean", clean, rules=rules), status=0)
            expected.append(self.outputs())
        for clean, rules in runs:
            self.leave("--clean", clean, rules=rules)
        self.assay(*self.command("t.csv", "--clean", "t.c.csv"), status=0)
        self.outputs()
        for (clean, rules), outputs in zip(runs, expected):
            self.assay(*self.command("t.csv", "--resume", "--clean", clean, rules=rules), status=0)
            self.assertTrue(self.outputs() == outputs)

    def test_a_signal_at_the_first_checkpoint(self):
        """In each state, the same command must complete the work."""
        self.make()
        for number in range(12):
            process = self.start(*self.command("t.csv", "--resume", "--checkpoint-every", 0))
            while process.poll() is None and not any(CHECKPOINT in name for name in self.files()):
                time.sleep(0.0005)
            process.terminate()
            process.wait(PATIENCE)
            self.assertFalse(self.exists(f"{CHECKPOINT}.new"))
            if number % 4 == 3:
                self.assay(*self.command("t.csv", "--resume", "--force"), status=0)
                self.outputs()

    def test_a_checkpoint_that_was_being_written_is_removed(self):
        self.make()
        self.leave()
        self.write(f"{CHECKPOINT}.new", "some of it")
        # At the default interval, the run writes no checkpoint.
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertEqual([name for name in self.files() if name.startswith(".")], [])

    def test_files_of_a_live_run_are_kept(self):
        self.make()
        self.leave()
        left = [name for name in self.files() if name.startswith(".") and "-resume-" in name]
        self.assertEqual(len(left), 4)
        with open(self.path(left[-1]), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.assay(*self.command("t.csv", "--force"), status=0)
            self.assertTrue(self.exists(CHECKPOINT) and self.exists(left[-1]))

    def test_outputs_with_the_names_of_kept_files_are_refused(self):
        self.make()
        for name in (CHECKPOINT, f"{CHECKPOINT}.new", f".t.clean.csv.assay-resume-{NUMBER}"):
            error = self.assay(*self.command("t.csv", "--resume", "--rejects", name), status=2).err
            self.assertEqual(
                error, f"assay: error: the output {name} has the name of a file that --resume keeps\n"
                       f"  hint: give it another name\n")
        for name in (CHECKPOINT, f".t.clean.csv.assay-resume-{NUMBER}"):
            os.rename(self.path("t.csv"), self.path(name))
            error = self.assay("clean", name, "-r", "rules.json", "--clean", "t.clean.csv", "--rejects", "r",
                               "--resume", status=2).err
            self.assertEqual(
                error, f"assay: error: the input {name} has the name of a file that --resume keeps\n"
                       f"  hint: give it another name\n")
            os.rename(self.path(name), self.path("t.csv"))
        self.write(CHECKPOINT, "email,country,score,note\n")
        self.assay("clean", CHECKPOINT, "--format", "csv", "-r", "rules.json", "--clean", "t.clean.csv",
                   "--rejects", "r", "--force", status=0)
        self.assertTrue(self.exists(CHECKPOINT), "it was the input")

    def test_a_checkpoint_that_cannot_be_opened_is_refused(self):
        self.make()
        os.symlink("/nowhere", self.path(CHECKPOINT))
        self.assertIn("hint: remove it to start over", self.assay(*self.command("t.csv", "--resume"), status=2).err)

    def test_another_file_in_the_place_of_the_input_is_refused(self):
        self.make()
        self.leave()
        status = os.stat(self.path("t.csv"))
        self.write("u.csv", self.read("t.csv"))
        os.replace(self.path("u.csv"), self.path("t.csv"))
        os.utime(self.path("t.csv"), ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertIn("is of another input, or the input has changed", self.refused("--resume"))

    def test_a_run_without_resume_reports_the_checkpoint(self):
        self.make()
        self.leave()
        self.assertEqual(
            self.refused(),
            f"assay: error: an interrupted run with --resume left the checkpoint {CHECKPOINT}\n"
            "  hint: add --resume to continue it, or --force to start over\n")
        self.assay(*self.command("t.csv", "--force"), status=0)
        self.assertEqual([name for name in self.files() if name.startswith(".")], [])

    @slow
    def test_checkpoint_of_published_outputs_is_ignored(self):
        """The run was killed after it had published all outputs, before it removed its checkpoint."""
        def leave():
            expected = self.end_before_the_names()
            self.name(*self.ROWS)
            self.write("t.report.json", "{}")
            return expected

        expected = leave()
        for options in ([], ["--annotate"]):
            self.assertIn("outputs exist already", self.assay(*self.command("t.csv", *options), status=2).err)
        self.assertIn("this output exists already:\n    t.report.json",
                      self.assay(*self.command("t.csv", "--resume"), status=2).err)
        inode = os.stat(self.path("t.clean.csv")).st_ino
        self.assay(*self.command("t.csv", "--force", "--resume"), status=0)
        self.assertEqual(os.stat(self.path("t.clean.csv")).st_ino, inode)
        self.assertEqual(self.outputs(), expected)
        for options in (["--force"], ["--force", "--annotate"], ["--resume", "--force", "--annotate"]):
            leave()
            self.assay(*self.command("t.csv", *options), status=0)
            self.assertEqual([name for name in self.files() if name.startswith(".")], [])
            self.assertEqual(self.outputs()["t.clean.csv"], expected["t.clean.csv"])
        # The next export: the old outputs were removed, or --force replaces them.
        for options in ([], ["--force"]):
            leave()
            if not options:
                for name in self.ROWS + ("t.report.json",):
                    os.remove(self.path(name))
            self.write("t.csv", "email,country,score,note\na@example.org,DE,1,\n")
            self.assay(*self.command("t.csv", "--resume", *options), status=0)
            self.assertEqual(self.outputs()["t.clean.csv"], b"email,country,score,note\na@example.org,DE,1,\n")

    def test_a_wrong_command_keeps_complete_outputs(self):
        expected = self.end_before_the_names()
        self.name("t.clean.csv")
        self.write("other.jsonl", "other")
        self.rules(*FIELDS, {"name": "missing"}, name="missing.json")
        before = {name: self.read(name) for name in self.files()}
        for command in (
            self.command("t.csv", "--resume", "--force", "--findings", "other.jsonl"),
            self.command("t.csv", "--resume", "--force", "--findings", "/dev/null"),
            self.command("t.csv", "--force", rules="missing.json"),
            self.command("t.csv", "--resume", "--force", rules="missing.json"),
        ):
            self.assay(*command, status=2)
            self.assertEqual({name: self.read(name) for name in self.files()}, before)
        self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertEqual(self.outputs(), expected)

    def test_it_resumes_after_an_interruption_and_an_error(self):
        self.make()
        self.assay(*self.command("t.csv"), status=0)
        expected = self.outputs()
        self.leave()
        process = self.start(*self.command("t.csv", "--resume", "--checkpoint-every", 0))
        process.send_signal(signal.SIGINT)
        # The run may have ended before the signal.
        if process.wait(PATIENCE) != 0:
            self.assay(*self.command("t.csv", "--resume"), status=0)
        self.assertTrue(self.outputs() == expected)

    def test_where_it_cannot_be(self):
        self.make(rows=3_000)
        for options, message in (
            (["--head", 5], "it is for whole files, and --head is given"),
            (["--stop-after", 5], "it is for whole files, and --stop-after is given"),
            (["--rejects", "/dev/null"], "the output /dev/null is no regular file"),
        ):
            self.assertEqual(
                self.assay(*self.command("t.csv", "--resume", *options), status=2).err,
                f"assay: error: --resume cannot be used: {message}\n  hint: leave out --resume\n")
        self.rules(*FIELDS, name="rules.json", primaryKey="email")
        self.assertIn("the rules have keys", self.assay(*self.command("t.csv", "--resume"), status=2).err)
        self.assertIn("--resume takes one input",
                      self.assay("clean", "t.csv", "u.csv", "-r", "rules.json", "--resume", status=2).err)
        self.assertIn(
            "--resume and --guard-formulas cannot be used together.",
            self.assay(*self.command("t.csv", "--resume", "--guard-formulas"), status=2).err)
        self.assertIn(
            "--resume cannot be used with standard input",
            self.assay("clean", "-", "-r", "rules.json", "--rejects", "r", "--resume", status=2).err)
        self.assertIn(
            "--checkpoint-every is for --resume.",
            self.assay(*self.command("t.csv", "--checkpoint-every", 1), status=2).err)
        self.assertIn(
            "--checkpoint-every takes a number of seconds from 0 to 86400.",
            self.assay(*self.command("t.csv", "--resume", "--checkpoint-every=-1"), status=2).err)
        self.assertEqual([name for name in self.files() if name.startswith(".")], [])


if __name__ == "__main__":
    unittest.main()
