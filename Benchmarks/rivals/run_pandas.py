"""pandas: the whole table in memory, with strings of pyarrow, and one vectorized match (RE2) per column."""

import pandas as pd

import job


def matches(frame, task):
    """Returns one column of Booleans per rule."""
    return pd.DataFrame(
        {name: frame[name].str.fullmatch(pattern).fillna(False).astype(bool) for name, pattern in task.rules.items()})


def write(frame, ok, task):
    """Writes the valid rows and the rejected ones with their reasons. Returns the answer."""
    good = ok.all(axis=1)
    frame[good].to_csv(task.valid, index=False, lineterminator="\n")
    failed = ~ok[~good]
    reasons = failed.dot(failed.columns + ";") if len(failed) else pd.Series(dtype=str)
    frame[~good].assign(reasons=reasons).to_csv(task.rejects, index=False, lineterminator="\n")
    return job.Answer(len(frame), int((~good).sum()), {name: int((~ok[name]).sum()) for name in task.rules})


def run(task):
    frame = pd.read_csv(task.input, dtype="string[pyarrow]", keep_default_na=False, engine="pyarrow")
    return write(frame, matches(frame, task), task)


if __name__ == "__main__":
    job.main(f"pandas {pd.__version__}", run)
