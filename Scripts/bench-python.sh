#!/bin/sh
# The benchmarks of the Python package, for `make bench`: columns compared with pyarrow, Polars and the C core, the
# first job of a process, and Spark. Writes the cases python, words, cold and spark to the results of this machine.
#
#   sh Scripts/bench-python.sh DIRECTORY-OF-RESULTS
#
# Uses the environments that Scripts/test-python.sh and Scripts/test-integration.sh make; reports missing ones.
set -eu
cd "$(dirname "$0")/.."
results=$1
python=build/python/bin/python
python_with_spark=build/python-integration/bin/python
has() { "$1" -c "import $2" 2>/dev/null; } # has PYTHON MODULES
install() { "$1" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps ./Python; }
if ! has "$python" "pyarrow, polars"; then
    echo "bench-python: absent, since there is no build/python: make test-python makes it" >&2
    exit 0
fi
# Install the package of this tree, to measure it.
install "$python"
"$python" Python/benchmarks/columns.py --results "$results"
"$python" Python/benchmarks/words.py --results "$results"
"$python" Python/benchmarks/cold.py --results "$results"
if has "$python_with_spark" pyspark && command -v java >/dev/null; then
    install "$python_with_spark"
    SPARK_LOCAL_IP=127.0.0.1 "$python_with_spark" Python/benchmarks/spark_overhead.py --results "$results"
else
    echo "bench-python: Spark is absent: make test-integration installs it" >&2
fi
