#!/bin/sh
# Installs the wheel of Scripts/build-wheel.sh beside pyarrow, Polars, pandas and DuckDB, and tests it there: the tests
# of Python/tests, the examples in the documentation strings, the types.
#
#   sh Scripts/test-python.sh [ARGUMENTS OF pytest…]
set -eu
cd "$(dirname "$0")/.."
sh Scripts/python-environment.sh python
[ -d build/wheel ] || make wheel
python=build/python/bin/python
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps build/wheel/*.whl
package=$("$python" -c 'import assay, os; print(os.path.dirname(assay.__file__))')
"$python" -m mypy --config-file Python/pyproject.toml --cache-dir build/mypy Python/src/assay
# Scripts/test-integration.sh tests Spark.
"$python" -m pytest -q --durations=10 --doctest-modules --ignore="$package/spark.py" "$package" Python/tests "$@"
