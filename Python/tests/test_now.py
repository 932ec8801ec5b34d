"""``now()`` in row rules: one time for all rows of a call, which ``now=`` sets."""

import pickle
from datetime import datetime, timedelta, timezone

import pytest

import assay
from assay._now import instant, text_of

RULES = """
fields: [{name: at, type: datetime}, {name: day, type: date}]
rows: [{id: past, check: at <= now()}, {id: day, check: day <= today()}]
"""
NOON = datetime(2024, 2, 29, 12, 30, tzinfo=timezone.utc)
TABLE = {
    "at": ["2024-02-29T12:30:00Z", "2024-02-29T12:30:00.5Z", "2024-02-29T12:30:01Z", None],
    "day": ["2024-02-29", None, None, "2024-03-01"],
}


@pytest.fixture
def rules():
    return assay.Rules.parse(RULES)


@pytest.mark.parametrize(("now", "mask"), [
    (NOON, [True, False, False, False]),
    ("2024-02-29T12:30:00Z", [True, False, False, False]),
    ("2024-02-29T13:30:00.5+01:00", [True, True, False, False]),
    ("2024-02-29T12:30:00.499999999Z", [True, False, False, False]),
    (NOON + timedelta(milliseconds=500), [True, True, False, False]),
    (NOON.astimezone(timezone(timedelta(hours=-11))) + timedelta(days=1), [True] * 4),
    (NOON - timedelta(microseconds=1), [False] * 4),
    (datetime(1, 1, 1, tzinfo=timezone.utc), [False] * 4),
])
def test_a_given_time(rules, now, mask):
    assert rules.check(TABLE, now=now).mask == mask
    assert rules.check([dict(zip(TABLE, row)) for row in zip(*TABLE.values())], now=now, threads=2).mask == mask
    csv = "at,day\n" + "".join(f"{at or ''},{day or ''}\n" for at, day in zip(*TABLE.values()))
    result = rules.check_csv(csv, now=now)
    assert {finding.record for finding in result} == {row + 1 for row, clean in enumerate(mask) if not clean}


def test_libraries(rules):
    pyarrow, polars, pandas = (pytest.importorskip(name) for name in ("pyarrow", "polars", "pandas"))
    for table in pyarrow.table(TABLE), polars.DataFrame(TABLE), pandas.DataFrame(TABLE):
        assert rules.check(table, now=NOON).report.rejected == 3
        assert rules.check(table, now="2024-03-01T12:30:00Z").report.rejected == 0
    typed = polars.DataFrame({"at": [NOON, NOON + timedelta(seconds=1)], "day": [NOON.date()] * 2})
    assert list(rules.check(typed, now=NOON).mask) == [True, False]
    assert rules.validate(typed[:1], now=NOON).height == 1
    with pytest.raises(assay.ValidationError):
        rules.validate(typed, now=NOON)


def test_a_time_with_a_budget_and_references(rules):
    assert rules.check(TABLE, now=NOON, budget=assay.Budget(work=10**9)).mask == [True, False, False, False]
    assert rules.check(TABLE, now=NOON, budget=assay.Budget(work=1)).over_budget == 4
    both = assay.Rules.parse("""
    fields: [{name: at, type: datetime}, {name: key}]
    rows: [{check: at <= now()}]
    foreignKeys: [{fields: key, reference: {resource: other.csv, fields: key}}]
    """)
    table = {"at": TABLE["at"][:3], "key": ["a", "a", "b"]}
    found = both.check(table, now="2024-02-29T12:30:00.5Z", references={"other.csv": {"key": ["a"]}})
    assert found.mask == [True, True, False]


def test_one_time_for_all_rows(rules):
    begin = datetime.now(timezone.utc)
    times = [begin + timedelta(microseconds=50 * step) for step in range(20_000)]
    mask = rules.check({"at": times, "day": [None] * len(times)}).mask
    past = mask.index(False)
    assert past > 0
    assert mask == [True] * past + [False] * (len(mask) - past)


def test_files_and_reports(rules, tmp_path, misfits):
    path = tmp_path / "t.csv"
    path.write_text("at,day\n2024-02-29T12:30:00Z,2024-02-29\n2024-02-29T12:30:01Z,\n")
    report = rules.clean(path, now=NOON)
    assert (report["now"], report["inputs"][0]["rejected"]) == ("2024-02-29T12:30:00Z", 1)
    assert misfits(report, "report") == []
    assert rules.check(path, now=NOON).to_dict()["now"] == "2024-02-29T12:30:00Z"
    assert "2024-02-29T12:30:00Z" in rules.check(path, now=NOON).to_html()
    others = assay.Rules.parse("fields: [{name: at, type: datetime}, {name: day, type: date}]")
    assert "now" not in others.clean(path, replace=True, now=NOON)


def test_parquet(rules, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"at": [NOON, NOON + timedelta(seconds=1)], "day": [NOON.date()] * 2}), path)
    report = rules.clean(path, now="2024-02-29T12:30:00.25Z")
    assert (report["now"], report["inputs"][0]["rejected"]) == ("2024-02-29T12:30:00.25Z", 1)
    report = rules.clean_dataset(path, None, now=NOON + timedelta(seconds=1))
    assert (report["now"], report["inputs"][0]["rejected"]) == ("2024-02-29T12:30:01Z", 0)


def test_records_read_the_clock(rules):
    now = datetime.now(timezone.utc)
    assert rules.check_record({"at": now - timedelta(seconds=5)}) == []
    assert [found.rule for found in rules.check_record({"at": now + timedelta(minutes=1)})] == ["past"]
    rules.check(TABLE, now=NOON)
    assert pickle.loads(pickle.dumps(rules)).check_record({"at": now - timedelta(seconds=5)}) == []


@pytest.mark.parametrize(("now", "error", "words"), [
    (datetime(2024, 2, 29), ValueError, "needs a time zone"),
    ("2024-02-29", ValueError, "write it as in '2024-02-29T12:30:00Z'"),
    ("2024-02-29T12:30:00", ValueError, "write it as in '2024-02-29T12:30:00Z'"),
    ("2023-02-29T12:30:00Z", ValueError, "no time of the calendar"),
    ("2024-02-29T12:30:00Z\n", ValueError, "write it as in"),
    ("٢٠٢٤-02-29T12:30:00Z", ValueError, "write it as in"),
    ("0001-01-01T00:00:00+01:00", assay.AssayError, "years 1 to 9999"),
    (1709209800, TypeError, "a datetime with a time zone or a str, not int"),
    (NOON.date(), TypeError, "not date"),
])
def test_mistakes(rules, now, error, words):
    with pytest.raises(error, match=words):
        rules.check(TABLE, now=now)


def test_texts_of_times():
    for text in ("2024-02-29T12:30:00Z", "0001-01-01T00:00:00.25Z", "9999-12-31T23:59:59.999999999Z",
                 "1969-12-31T23:59:59.5Z", "1970-01-01T00:00:00.000000001Z"):
        assert text_of(*instant(text)) == text
    assert instant("1969-12-31T23:59:59.5Z") == (-1, 500_000_000)
    assert instant(datetime(1969, 12, 31, 23, 59, 59, 500_000, timezone.utc)) == (-1, 500_000_000)
