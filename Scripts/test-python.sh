#!/bin/sh
# Installs the Python package as `pip install ./Python` does, beside pyarrow, Polars, pandas and DuckDB, and tests it
# there: the tests of Python/tests, the examples in the documentation strings, the types.
#
#   sh Scripts/test-python.sh [ARGUMENTS OF pytest…]      ASSAY_LIBASSAY=FOLDER is a built libassay; default: built here
set -eu
cd "$(dirname "$0")/.."
sh Scripts/python-environment.sh python
python=build/python/bin/python
"$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --force-reinstall --no-deps ./Python
package=$("$python" -c 'import assay, os; print(os.path.dirname(assay.__file__))')
"$python" -m mypy --config-file Python/pyproject.toml --cache-dir build/mypy Python/src/assay
# Scripts/test-integration.sh tests Spark.
"$python" -m pytest -q --durations=10 --doctest-modules --ignore="$package/spark.py" "$package" Python/tests "$@"
