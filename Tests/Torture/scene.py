"""A run to disturb: its command, its inputs, and the expected outputs.

Before each run, old outputs exist at the names of the new ones. After any disturbance, each output is either old or
complete, the new ones are the first in order of publication, and the input is unchanged. The next run removes leftover
files of a killed run and either starts again or resumes.
"""

import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSAY = str(pathlib.Path(os.environ.get("ASSAY") or ROOT / ".build/release/assay").resolve())
OLD = b"an older output\n"
# The mode of the old outputs. Their replacements must have it as well.
OLD_MODE = 0o640
PATIENCE = 600


def export(path: pathlib.Path, rows: int) -> None:
    maker = [sys.executable, ROOT / "Scripts/make-example.py", "--columns", "ten", "--rows", str(rows),
             "--output", path]
    subprocess.run(maker, check=True, stdout=subprocess.DEVNULL)


class Scene:
    """One command in its own directory. `outputs` is in order of publication."""

    def __init__(self, name: str, rows: int, threads: int, packed: bool = False, keys: bool = False,
                 resumes: bool = False):
        self.name = name
        self.resumes = resumes
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="assay-torture-"))
        self.input = "ten.csv.gz" if packed else "ten.csv"
        export(self.base / "ten.csv", rows)
        if packed:
            (self.base / self.input).write_bytes(gzip.compress((self.base / "ten.csv").read_bytes(), mtime=0))
        header = (self.base / "ten.csv").read_bytes().split(b"\n", 1)[0].decode().split(",")
        fields = [{"name": name} for name in header]
        fields[1]["constraints"] = {"pattern": "[^@]+@[^@]+"}
        rules = {"fields": fields} | ({"uniqueKeys": [[header[0], header[2]]]} if keys else {})
        (self.base / "rules.json").write_text(json.dumps(rules))
        ending = ".gz" if packed else ""
        self.outputs = [f"ten.clean.csv{ending}", f"ten.rejects.csv{ending}", "ten.findings.jsonl", "ten.report.json"]
        self.command = [
            ASSAY, "clean", self.input, "--rules", "rules.json", "--force", "--quiet", "--threads", str(threads)]
        if resumes:
            self.command += ["--resume", "--checkpoint-every", "0"]
        if keys:
            self.command += ["--memory", "1M", "--temp-dir", "."]
        place = self.stage()
        subprocess.run(self.command, cwd=place, check=True, timeout=PATIENCE)
        self.expected = {output: self.content(place, output) for output in self.outputs}
        if any(content == OLD for content in self.expected.values()):
            raise SystemExit(f"{name}: the undisturbed run writes nothing")
        shutil.rmtree(place)

    def stage(self) -> pathlib.Path:
        """Creates a directory for one run, with old outputs."""
        place = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=self.base))
        for file in (self.input, "rules.json"):
            shutil.copyfile(self.base / file, place / file)
        for output in self.outputs:
            self.write_old(place / output)
        return place

    @staticmethod
    def write_old(path: pathlib.Path) -> None:
        path.write_bytes(OLD)
        path.chmod(OLD_MODE)

    def content(self, place: pathlib.Path, output: str) -> bytes:
        """The content of an output. For reports, without the values that differ between runs."""
        data = (place / output).read_bytes()
        if not output.endswith(".json") or data == OLD:
            return data
        report = json.loads(data)
        # The engine may differ, because without executable memory the interpreter runs the patterns, and the report
        # states this.
        for key in ("seconds", "threads", "engine"):
            report.pop(key, None)
        return json.dumps(report).encode()

    def published(self, place: pathlib.Path) -> int:
        """The number of new outputs. Raises AssertionError if an output is neither old nor complete, or if the new ones
        are not the first."""
        is_new = []
        for output in self.outputs:
            content = self.content(place, output)
            assert content == OLD or content == self.expected[output], f"{output} is neither old nor whole"
            is_new.append(content != OLD)
        assert is_new == sorted(is_new, reverse=True), f"published out of order: {is_new}"
        assert (place / self.input).read_bytes() == (self.base / self.input).read_bytes(), "the input has changed"
        return sum(is_new)

    def leftovers(self, place: pathlib.Path) -> list[str]:
        known = {self.input, "rules.json", *self.outputs}
        return sorted(file.name for file in place.iterdir() if file.name not in known)

    def next_run(self, place: pathlib.Path, keeps_modes: bool = True) -> None:
        """Runs the command to completion and asserts that it leaves no other files. `keeps_modes`: whether the previous
        run kept file modes."""
        continues = any(name.endswith(".assay-checkpoint") for name in self.leftovers(place))
        command = [argument for argument in self.command if argument != "--quiet"]
        result = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 0, f"the next run: {result.stderr}"
        assert continues == ("continues after the first " in result.stderr), f"the next run says: {result.stderr}"
        for output in self.outputs:
            mode = (place / output).stat().st_mode & 0o777
            assert mode == OLD_MODE or not keeps_modes, f"{output} has mode {mode:o}"
        assert self.published(place) == len(self.outputs), "the next run has not written everything"
        assert self.leftovers(place) == [], f"the next run has left {self.leftovers(place)}"

    def remove(self) -> None:
        shutil.rmtree(self.base)
