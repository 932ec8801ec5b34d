#!/bin/sh
# Cleans the export in Examples/ and shows the outputs.
#   sh Scripts/demo.sh PATH-TO-ASSAY
set -eu
assay=$1
out=build/demo
rm -rf "$out"
mkdir -p "$out"
echo '$ assay clean Examples/users.csv --rules Examples/users.rules.yaml --output-dir '"$out"
"$assay" clean Examples/users.csv --rules Examples/users.rules.yaml --output-dir "$out"
echo
echo "The first rejects, as they came, with what is wrong with them (assay clean --annotate writes it beside them):"
"$assay" clean Examples/users.csv --rules Examples/users.rules.yaml --output-dir "$out" --force --quiet --annotate \
    --clean none --findings none --report none --rejects "$out/annotated.csv"
head -n 6 "$out/annotated.csv" | cut -c 1-160
