"""libassay loads in a JVM: the same file that the Python package has inside."""

import glob
import os
import pathlib
import subprocess

import assay

HERE = pathlib.Path(__file__).resolve().parent


def test_a_jvm_loads_it():
    library = glob.glob(f"{os.path.dirname(assay.__file__)}/libassay.so.*")[0]
    done = subprocess.run(
        ["java", "-cp", "/usr/share/java/jna.jar", HERE / "JavaLoads.java", library],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, "ok 1\n"), done.stderr
