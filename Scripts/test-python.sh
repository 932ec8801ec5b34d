#!/bin/sh
# Builds the Python package as `pip install ./Python` does, installs it beside pyarrow, Polars, pandas and DuckDB, and tests
# it there: the tests of Python/tests, the examples in the documentation strings, the types.
#
#   sh Scripts/test-python.sh [ARGUMENTS OF pytest…]
set -eu
cd "$(dirname "$0")/.."
sh Scripts/install-dependencies.sh test
environment=build/python
if [ ! -x "$environment/bin/python" ]; then
    python3 -m venv "$environment" 2>/dev/null || {
        echo "test-python: python3 -m venv does not work here (Debian: apt-get install python3-venv)" >&2
        exit 1
    }
fi
python=$environment/bin/python
"$python" -m pip install --quiet --disable-pip-version-check pyarrow polars duckdb 'pandas<3' pytest tqdm mypy \
    'setuptools>=77' build auditwheel pydantic
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps ./Python
package=$("$python" -c 'import assay, os; print(os.path.dirname(assay.__file__))')
"$python" -m mypy --config-file Python/pyproject.toml --cache-dir build/mypy Python/src/assay
# Spark is for Scripts/test-integration.sh.
"$python" -m pytest -q --doctest-modules --ignore="$package/spark.py" "$package" Python/tests "$@"
