"""The Java binding, with the libassay of the Python package, in a Spark job written in Java."""

import os
import pathlib
import subprocess

import assay
import pyspark

ROOT = pathlib.Path(__file__).resolve().parents[2]
JAVA = ROOT / "Bindings/Java"
JNA = "/usr/share/java/jna.jar"
SPARK = pathlib.Path(pyspark.__file__).parent


def run(*command, **environment):
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_a_job_of_spark_in_java(tmp_path):
    library, examples = tmp_path / "assay.jar", tmp_path / "examples.jar"
    compiled = ["javac", "--release", "17", "-d"]
    run(*compiled, tmp_path / "library", "-cp", JNA, *sorted((JAVA / "src/main/java/assay").glob("*.java")))
    run("jar", "--create", "--file", library, "-C", tmp_path / "library", ".")
    classes = f"{library}:{SPARK}/jars/*"
    run(*compiled, tmp_path / "examples", "-cp", classes, JAVA / "examples/SparkClean.java")
    run("jar", "--create", "--file", examples, "-C", tmp_path / "examples", ".")

    table, rules = tmp_path / "users.csv", tmp_path / "users.rules.yaml"
    rows = [(str(number), "anna@example.org") for number in range(20_000)]
    rows[7], rows[9_000], rows[19_999] = ("x", "no address"), ("9000", ""), ("19999", "no address")
    table.write_text("id,email\n" + "".join(f"{id},{email}\n" for id, email in rows))
    rules.write_text(
        "fields:\n"
        "  - {name: id, type: integer}\n"
        "  - {name: email, format: email, constraints: {required: true}}\n"
        "rows: [{id: early, check: id > 0, severity: warn}]\n"
    )
    printed = run(
        SPARK / "bin/spark-submit",
        "--master=local[2]",
        "--conf=spark.ui.enabled=false",
        f"--jars={library},{JNA}",
        "--class=SparkClean",
        examples,
        table,
        rules,
        LD_LIBRARY_PATH=os.path.dirname(assay.__file__),
        SPARK_LOCAL_IP="127.0.0.1",
    )
    assert [line for line in printed.splitlines() if line] == [
        "+--------------+-----+",
        "|rule          |count|",
        "+--------------+-----+",
        "|email.format  |2    |",
        "|email.required|1    |",
        "|id.type       |1    |",
        "+--------------+-----+",
    ]
