#!/usr/bin/env python3
"""Tests Tools/record-terminal.py, which records the animations of the documents."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "Tools/record-terminal.py"
SVG = "{http://www.w3.org/2000/svg}"

specification = importlib.util.spec_from_file_location("record_terminal", SCRIPT)
recorder = importlib.util.module_from_spec(specification)
specification.loader.exec_module(recorder)


def lines(*pieces):
    """Returns the lines of a screen as text after the pieces of output."""
    screen = recorder.Screen()
    for piece in pieces:
        screen.feed(piece)
    return ["".join(character for character, _ in line) for line in screen.lines]


class ScreenTests(unittest.TestCase):
    def test_a_line_is_written_again(self):
        self.assertEqual(lines("10 %\r20"), ["20 %"])
        self.assertEqual(lines("10 %\r\x1b[K9"), ["9"])
        self.assertEqual(lines("a\r\nb\n"), ["a", "b", ""])

    def test_a_sequence_in_two_pieces(self):
        screen = recorder.Screen()
        for piece in ("\x1b", "[1;3", "1mred", "\x1b[0m."):
            screen.feed(piece)
        self.assertEqual(screen.lines, [[(letter, ("1", "31")) for letter in "red"] + [(".", ())]])

    def test_unknown_sequences_end_the_recording(self):
        for piece in ("\x1b[2J", "\x1b[1K", "\x1b]0;a title of a window\x07"):
            with self.subTest(piece), self.assertRaisesRegex(SystemExit, "unknown sequence"):
                lines(piece)


class RecordingTests(unittest.TestCase):
    def record(self, code, *options):
        """Returns the completed recorder and, for each file, the lines of each frame without spaces between styles."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, SCRIPT, "--output", f"{folder}/r", *options, "--", sys.executable, "-c", code],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            frames = {}
            for file in pathlib.Path(folder).iterdir():
                groups = xml.etree.ElementTree.parse(file).getroot().findall(f"{SVG}g")
                frames[file.name] = [["".join(line.itertext()).replace("\u00a0", " ") for line in group]
                                     for group in groups]
            return done, frames

    def test_both_themes_show_the_command_and_its_last_state(self):
        code = "import sys, time; sys.stdout.write('50 %'); sys.stdout.flush(); time.sleep(0.3); print('\\r100 % <&>')"
        done, frames = self.record(code, "--shown", "run it")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(set(frames), {"r-light.svg", "r-dark.svg"})
        for states in frames.values():
            self.assertEqual(states[0], ["$"])
            self.assertIn(["$run it", "50 %"], states)
            self.assertEqual(states[-1], ["$run it", "100 % <&>"])
            self.assertRegex(done.stdout, rf"^{len(states)} states, [0-9.]+ seconds$")

    def test_another_status_than_expected(self):
        done, frames = self.record("raise SystemExit(3)")
        self.assertEqual((done.returncode, frames), (1, {}))
        self.assertIn("ended with status 3 instead of 0", done.stderr)
        self.assertEqual(self.record("raise SystemExit(3)", "--status", "3")[0].returncode, 0)

    def test_the_recordings_of_the_documents_are_complete(self):
        for name in ("clean-light.svg", "clean-dark.svg"):
            text = (SCRIPT.parents[1] / "Docs" / name).read_text(encoding="utf-8")
            count = len(xml.etree.ElementTree.fromstring(text).findall(f"{SVG}g"))
            self.assertGreater(count, 10)
            self.assertEqual(len(re.findall("@keyframes", text)), count)


if __name__ == "__main__":
    unittest.main()
