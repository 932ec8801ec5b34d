"""Great Expectations over pandas: one expectation per column, with the rows of all unexpected values."""

import logging

import great_expectations as gx
import pandas as pd

import job
import run_pandas


def run(task):
    logging.disable(logging.CRITICAL)
    frame = pd.read_csv(task.input, dtype=str, keep_default_na=False)
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    batch = (context.data_sources.add_pandas("job").add_dataframe_asset("table")
             .add_batch_definition_whole_dataframe("all").get_batch(batch_parameters={"dataframe": frame}))
    suite = gx.ExpectationSuite(name="rules", expectations=[
        gx.expectations.ExpectColumnValuesToMatchRegex(
            column=name, regex=rf"\A(?:{job.python_pattern(pattern)})\Z")
        for name, pattern in task.rules.items()
    ])
    report = batch.validate(suite, result_format={"result_format": "COMPLETE"})
    ok = pd.DataFrame(True, index=frame.index, columns=list(task.rules))
    for result in report.results:
        rows = result.result.get("unexpected_index_list") or []
        ok.loc[rows, result.expectation_config.kwargs["column"]] = False
    return run_pandas.write(frame, ok, task)


job.main(f"Great Expectations {gx.__version__}, pandas", run)
