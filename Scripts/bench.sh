#!/bin/sh
# Benchmarks/bench.py for `make bench`: in the environment of the Python package, and Spark in that of the integration
# tests.
#
#   sh Scripts/bench.sh OPTIONS-OF-BENCH.PY
#
# Uses the environments that Scripts/test-python.sh and Scripts/test-integration.sh make. Without them, the cases of the
# Python package are absent.
set -eu
cd "$(dirname "$0")/.."
python=build/python/bin/python
python_with_spark=build/python-integration/bin/python
# Install the package of this tree, to measure it.
install() { "$1" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps ./Python; }
if [ -x "$python" ]; then
    install "$python"
else
    echo "bench: the Python package is absent: make test-python installs it" >&2
    python=Benchmarks/.rivals/bin/python
    [ -x "$python" ] || python=python3
fi
"$python" Benchmarks/bench.py "$@"
if [ -x "$python_with_spark" ] && command -v java >/dev/null; then
    install "$python_with_spark"
    "$python_with_spark" Benchmarks/bench.py --case spark "$@"
else
    echo "bench: Spark is absent: make test-integration installs it" >&2
fi
