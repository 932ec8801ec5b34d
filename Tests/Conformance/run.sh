#!/bin/sh
# Compares the built-in types with test suites and other libraries (conformance.py), repairs of telephone numbers with
# libphonenumber (phones.py), row rules with cel-python (cel.py), the guesses of `assay infer` with other tools
# (guesses.py), and the rows that are kept beside a stray quote with DuckDB (stray_quotes.py).
# The repairs need `make core`, which builds build/core/phone_repairs.
#
#   sh Tests/Conformance/run.sh [PATH-OF-ASSAY]      default: .build/release/assay
#
# Installs the other libraries into the virtual environment build/conformance.
set -eu
cd "$(dirname "$0")/../.."
assay=${1:-.build/release/assay}
sh Scripts/python-environment.sh conformance
python=build/conformance/bin/python
for part in types suites oracles; do "$python" Tests/Conformance/conformance.py --assay "$assay" "$part"; done
"$python" Tests/Conformance/phones.py build/core/phone_repairs
"$python" Tests/Conformance/cel.py --assay "$assay"
"$python" Tests/Conformance/guesses.py --assay "$assay"
"$python" Tests/Conformance/stray_quotes.py --assay "$assay"
