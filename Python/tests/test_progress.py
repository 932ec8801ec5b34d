"""Progress and interruption of checks."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay

ROWS = 30_000


@pytest.fixture
def integers():
    return assay.Rules.parse("fields: [{name: id, type: integer}]")


IDS = pa.table({"id": [str(number) for number in range(ROWS)]})


@pytest.mark.parametrize(
    ("data", "total"),
    [
        (IDS, ROWS),
        (pa.concat_tables([IDS.slice(0, 9000), IDS.slice(9000)]), ROWS),
        (IDS.to_batches()[0], ROWS),
        (IDS.to_batches(max_chunksize=7000), ROWS),
        ((batch for batch in IDS.to_batches(max_chunksize=7000)), 0),
        (IDS.to_reader(max_chunksize=7000), 0),
        (pl.from_arrow(IDS), ROWS),
        (IDS.to_pandas(), ROWS),
        ({"id": IDS["id"]}, ROWS),
        ({"id": IDS["id"].to_pylist()}, ROWS),
        (IDS.to_pylist(), ROWS),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else type(value).__name__,
)
def test_progress_is_reported_during_the_run(integers, data, total):
    seen = []
    integers.check(data, threads=1, progress=lambda done, of: seen.append((done, of)))
    assert len(seen) >= 5 and [done for done, _ in seen] == sorted(done for done, _ in seen)
    # The total is 0 for readers and generators, because their length is unknown.
    assert seen[-1] == (ROWS, total) and {of for _, of in seen} == {total}


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_of_rows_that_are_decided_at_the_end(threads):
    rules = assay.Rules.parse("{keep: none, fields: [{name: id, constraints: {unique: true}}]}")
    batches = IDS.to_batches(max_chunksize=7000)
    for data, total in [(IDS.to_reader(max_chunksize=7000), 0), (batches, ROWS), (iter(batches), ROWS)]:
        seen = []
        rules.check(data, threads=threads, progress=lambda done, of: seen.append((done, of)))
        assert [done for done, _ in seen] == sorted({done for done, _ in seen})
        assert seen[-1] == (ROWS, total) and {of for _, of in seen} == {total}


def test_progress_of_a_column(integers):
    seen = []
    integers.check_column("id", IDS["id"], threads=1, progress=lambda *step: seen.append(step))
    assert len(seen) >= 5 and seen[-1] == (ROWS, ROWS)


def test_an_exception_of_the_callback_ends_a_stream(integers):
    def fail(done, total):
        raise KeyError("stop")

    for data in (IDS, IDS.to_reader(max_chunksize=7000), pl.from_arrow(IDS), pd.DataFrame({"id": ["1"]})):
        with pytest.raises(KeyError, match="stop"):
            integers.check(data, progress=fail)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), KeyError("stop"), pa.ArrowInvalid("no")], ids=repr)
@pytest.mark.parametrize("made", [0, 2])
def test_exceptions_of_whoever_makes_batches(integers, error, made):
    def batches():
        yield from IDS.to_batches(max_chunksize=7000)[:made]
        raise error

    for data in (batches(), pa.RecordBatchReader.from_batches(IDS.schema, batches())):
        with pytest.raises(type(error)) as caught:
            integers.check(data)
        assert str(caught.value) == str(error)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), KeyError("stop"), pa.ArrowInvalid("no")], ids=repr)
def test_exceptions_of_readers_that_libassay_reads(error):
    def batches():
        yield IDS.to_batches(max_chunksize=7000)[0]
        raise error

    rules = assay.Rules.parse("{keep: none, fields: [{name: id, constraints: {unique: true}}]}")
    with pytest.raises(type(error)) as caught:
        rules.check(pa.RecordBatchReader.from_batches(IDS.schema, batches()))
    assert caught.value is error
    rules = assay.Rules.parse(
        "{fields: [{name: id}], foreignKeys: [{fields: id, reference: {resource: ids, fields: id}}]}")
    with pytest.raises(type(error)) as caught:
        rules.check(IDS, references={"ids": pa.RecordBatchReader.from_batches(IDS.schema, batches())})
    assert caught.value is error


def test_readers(integers):
    """Errors in the columns are raised before the first batch; no batches means no rows."""
    none = integers.check(pa.RecordBatchReader.from_batches(IDS.schema, []))
    assert none.mask.to_pylist() == [] and none.findings.num_rows == 0
    assert "id.type" in {count.rule for count in none.report.rules}
    made = iter(IDS.to_batches(max_chunksize=7000))
    with pytest.raises(assay.AssayError, match="no column is named 'x'"):
        assay.Rules.parse("fields: [{name: x}]").check(pa.RecordBatchReader.from_batches(IDS.schema, made))
    assert len(list(made)) == 5
    found = integers.check(pa.table({"id": ["1", "x", "y"]}).to_reader(max_chunksize=2))
    assert [finding.record for finding in found] == [2, 3]
    # Some types cannot be created without rows.
    union = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])
    other = pa.record_batch([pa.array(["x"]), union], names=["id", "other"])
    assert not integers.check(pa.RecordBatchReader.from_batches(other.schema, [other])).ok
    with pytest.raises(assay.AssayError, match="the array is a struct, which no rule can judge"):
        assay.Pattern("a").match(IDS.to_reader())


def interrupted(call, after=0.3):
    """Returns the seconds that a call runs after Ctrl-C."""
    sent = []

    def send():
        time.sleep(after)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # Restore the handler, because Ctrl-C is ignored if a script started the tests with &.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=send)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - sent[0]
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)


#: A pattern that only PCRE2 can match, which takes half a minute for all values.
SLOW = r"(a+)+b|\1"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("form", [pa.array, lambda values: pa.chunked_array([values] * 3), list], ids=str)
def test_interrupted_check(form, threads):
    values = form(["a" * 18] * 200_000)
    pattern = assay.Pattern(SLOW)
    assert interrupted(lambda: pattern.match(values, threads=threads)) < 5
    assert pattern.match(["b"]) == [False]


def test_interrupted_repairs():
    """Interrupts repairs, which run before the first row is checked, and checks of dictionary values."""
    values = pa.array([f"{'a' * 11}{row}" for row in range(1_000_000)])
    repairing = assay.Rules.parse(f"fields: [{{name: id, repair: [{{replace: '{SLOW}', with: b}}]}}]")
    evaluation = assay.Rules.parse(f"fields: [{{name: id, constraints: {{pattern: '{SLOW}'}}}}]")
    assert interrupted(lambda: repairing.check(pa.table({"id": values}))) < 5
    assert interrupted(lambda: repairing.repair(pa.table({"id": values}))) < 5
    assert interrupted(lambda: evaluation.check(pa.table({"id": values.dictionary_encode()}))) < 5


def test_interrupted_clean(tmp_path):
    rules = assay.Rules.parse(f"fields: [{{name: id, constraints: {{pattern: '{SLOW}'}}}}]")
    source = tmp_path / "users.csv"
    # After Ctrl-C each thread finishes its current chunk of the file.
    source.write_text("id\n" + ("a" * 8 + "\n") * 1_000_000)
    assert interrupted(lambda: rules.clean(source)) < 5
    assert interrupted(lambda: rules.check_csv(source.read_text())) < 5
    assert [path.name for path in tmp_path.iterdir()] == ["users.csv"]


def test_other_signals_are_handled_under_way():
    """A Python signal handler runs during a check in the main thread, and the check continues."""
    program = """
        import signal, threading, time, os, assay
        seen = []
        signal.signal(signal.SIGUSR1, lambda *_: seen.append(time.monotonic()))
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        values = ["a" * 18] * 400
        while not seen:
            assay.Pattern(r"(a+)+b|\\1").match(values, threads=1)
        print("handled")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "handled\n", done.stderr
