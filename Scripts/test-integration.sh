#!/bin/sh
# Tests that need heavy programs: Spark, a JVM, shell pipelines with PostgreSQL, DuckDB and jq, and the server of
# Examples/server. The Python package is the wheel of Scripts/build-wheel.sh.
#
#   sh Scripts/test-integration.sh [ARGUMENTS OF pytest…]
#
#   ASSAY            path of the command; default: .build/release/assay
#   ASSAY_SERVER     path of the server; default: built by Scripts/check-examples.sh
set -eu
cd "$(dirname "$0")/.."
ASSAY=${ASSAY:-$PWD/.build/release/assay}
[ -x "$ASSAY" ] || make build
export ASSAY

[ -n "${ASSAY_SERVER:-}" ] || ASSAY_SERVER=$(sh Scripts/check-examples.sh --server)
export ASSAY_SERVER

sh Scripts/python-environment.sh python-integration
[ -d build/wheel ] || make wheel
python=build/python-integration/bin/python
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps build/wheel/*.whl
# -rs names the tests that are skipped, and why.
"$python" -m pytest -q -rs --durations=10 Tests/IntegrationTests "$@"
