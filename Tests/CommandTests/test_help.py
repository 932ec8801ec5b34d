"""Help, version, completions, colours."""

import os
import pty
import re
import shutil
import subprocess
import unittest

from support import ASSAY, PATIENCE, CommandTest, environment, slow

COMMANDS = [[], ["clean"], ["check"], ["init"], ["rules"], ["rules", "check"], ["rules", "lint"], ["types"],
            ["explain"], ["bench"], ["profile"], ["infer"], ["diff"]]

# Options of clean and check that the documentation names.
OPTIONS = ["--rules", "--findings", "--report", "--delimiter", "--quote", "--no-header", "--threads", "--head",
           "--max-reject-rate", "--max-findings", "--show-values", "--no-jit", "--limit", "--progress",
           "--quiet", "--force", "--stop-after", "--skip", "--escape", "--comment", "--extra-fields",
           "--skip-initial-space", "--trailing-delimiter", "--blank-lines", "--line-terminator", "--compression",
           "--resource", "--trust-rules"]
CLEAN_OPTIONS = OPTIONS + ["--clean", "--rejects", "--output-dir", "--annotate", "--compress"]

# The options of all commands that read a table, with values that fit any table without quotes and blanks.
READING = {"--delimiter": ",", "--quote": "none", "--no-header": None, "--skip": "1", "--escape": "none",
           "--comment": "none", "--skip-initial-space": None, "--trailing-delimiter": None, "--blank-lines": "keep",
           "--line-terminator": "lf", "--format": "csv", "--encoding": "utf-8", "--trust-encoding": None,
           "--compression": "none", "--limit": "columns=5"}
READERS = {"clean": "t.csv -r r.yaml", "check": "t.csv", "profile": "t.csv", "infer": "t.csv",
           "diff": "r.yaml r.yaml t.csv", "init": "t.csv", "bench": "t.csv -r r.yaml --rounds 1"}


class HelpTests(CommandTest):
    @slow
    def test_help_of_every_command(self):
        for command in COMMANDS:
            for form in ([*command, "--help"], [*command, "-h"], ["help", *command]):
                with self.subTest(form):
                    outcome = self.assay(*form, status=0)
                    self.assertIn("USAGE", outcome.text.upper())
                    self.assertEqual(outcome.error_bytes, b"")

    def test_all_options_are_documented(self):
        for command, options in (("clean", CLEAN_OPTIONS), ("check", OPTIONS + ["--sample", "--seed"])):
            text = self.assay(command, "--help", status=0).text
            for option in options:
                self.assertIn(option, text, command)

    def headings(self, command):
        """The names of options by the heading of the help under which they are."""
        found, heading = {}, ""
        for line in self.assay(command, "--help", status=0).text.splitlines():
            if line.endswith(":") and line[:-1].isupper():
                heading = line[:-1]
            elif heading and line.startswith("  -"):
                found.setdefault(heading, []).append(re.search("--[a-z-]+", line).group())
        return found

    def test_headings(self):
        self.assertEqual(list(self.headings("clean")), ["INPUT", "RULES", "OUTPUTS", "LIMITS", "RUNNING", "OPTIONS"])
        self.assertEqual(self.headings("init")["INPUT"], [name for name in READING if name != "--limit"])

    def test_each_command_that_reads_a_table_has_all_input_options(self):
        self.write("t.csv", "above\n1,2\n3,4\n")
        self.write("r.yaml", "fields: [{name: a}, {name: b}]\n")
        options = [word for pair in READING.items() for word in pair if word]
        for command, words in READERS.items():
            with self.subTest(command):
                headings = self.headings(command)
                self.assertEqual(headings["INPUT"][:len(READING) - 1], list(READING)[:-1])
                self.assertIn("--limit", headings["LIMITS"])
                self.assay(command, *words.split(), *options, status=0)

    def test_defaults_are_reported_once(self):
        for command in COMMANDS:
            self.assertNotIn("(default:", self.assay(*command, "--help", status=0).text)

    def test_examples_are_not_wrapped(self):
        """A command to copy must be on one line."""
        text = self.assay("--help", status=0).text
        for command in ("assay init users.csv > users.rules.yaml", "assay check users.csv --rules users.rules.yaml",
                        "assay clean users.csv --rules users.rules.yaml"):
            self.assertIn(command, text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, "help is read in terminals of 80 columns")
        examples = text[text.index("EXAMPLES"):text.index("EXIT STATUS")].splitlines()[1:]
        for line in examples:
            self.assertTrue(not line or line.startswith("  "), f"broken over lines: {examples}")

    def test_exit_status_is_documented(self):
        text = self.assay("--help", status=0).text
        self.assertIn("EXIT STATUS", text)

    def test_version(self):
        text = self.assay("--version", status=0).text
        self.assertRegex(text, r"assay \d+\.\d+\.\d+")
        self.assertRegex(text, r"PCRE2 10\.\d+")
        self.assertRegex(text, r"Unicode \d+\.\d+")
        self.assertIn("JIT", text)

    def test_completions(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell):
                outcome = self.assay("--generate-completion-script", shell, status=0)
                self.assertIn("max-reject-rate", outcome.text)
                if shutil.which(shell):
                    self.write("completion", outcome.out)
                    result = subprocess.run([shell, "-n", self.path("completion")], capture_output=True,
                                            timeout=PATIENCE)
                    self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assay("--generate-completion-script", "nonsense", status=2)

    def test_completion_of_files(self):
        for name in ("a.jsonl", "b.csv.gz", "c.csv", "datapackage.json", "r.yaml"):
            self.write(name, "")
        outputs = self.directory / "bash-completion"
        outputs.write_bytes(self.assay("--generate-completion-script", "bash", status=0).out)
        everything = ["a.jsonl", "b.csv.gz", "bash-completion", "c.csv", "datapackage.json", "r.yaml"]
        for words, expected in ((["clean", ""], everything), (["profile", ""], everything),
                                (["check", "--rules", ""], ["datapackage.json", "r.yaml"]),
                                (["explain", "--rules", ""], ["datapackage.json", "r.yaml"])):
            script = r"""
                . ./bash-completion
                COMP_WORDS=(assay "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
                _assay assay "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%s\n' "${COMPREPLY[@]}" """
            result = subprocess.run(["bash", "-c", script, "bash", *words], cwd=self.directory, capture_output=True,
                                    text=True, timeout=PATIENCE)
            self.assertEqual(sorted(result.stdout.split()), expected, (words, result.stderr))


class ColourTests(CommandTest):
    def on_a_terminal(self, *arguments, **env):
        """The output of a run if its standard output and error are a terminal."""
        reading, terminal = pty.openpty()
        process = subprocess.Popen([ASSAY, *arguments], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=terminal,
                                   stderr=terminal, env=environment(TERM="xterm", **env))
        os.close(terminal)
        output = b""
        while True:
            try:
                part = os.read(reading, 65_536)
            except OSError:
                break
            if not part:
                break
            output += part
        os.close(reading)
        process.wait(PATIENCE)
        return output

    def setUp(self):
        super().setUp()
        self.write("users.csv", "a,b\n1,2\n1\n")

    def test_colours_on_a_terminal(self):
        self.assertIn(b"\x1b[", self.on_a_terminal("check", "users.csv", "--progress", "never"))

    def test_no_color(self):
        for command in (["check", "users.csv", "--progress", "never"], ["explain", "a", "b", "a"]):
            self.assertNotIn(b"\x1b", self.on_a_terminal(*command, NO_COLOR="1"))
        self.assertIn(b"\x1b[", self.on_a_terminal("check", "users.csv", "--progress", "never", NO_COLOR=""),
                      "an empty NO_COLOR says nothing (no-color.org)")

    def test_a_dumb_terminal(self):
        self.assertNotIn(b"\x1b", self.on_a_terminal("check", "users.csv", "--progress", "never", NO_COLOR="1"))

    def test_a_bar_on_a_terminal(self):
        self.assertIn(b"\r", self.on_a_terminal("check", "users.csv").replace(b"\r\n", b""))
        self.assertNotIn(b"\r", self.on_a_terminal("check", "users.csv", "--quiet").replace(b"\r\n", b""))


if __name__ == "__main__":
    unittest.main()
