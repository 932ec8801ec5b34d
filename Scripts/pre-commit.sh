#!/usr/bin/env bash
# The hook assay-check-beside of .pre-commit-hooks.yaml: checks each file against the rules beside it.
#
#   pre-commit.sh [--OPTION=VALUE…] FILE…       users.csv, users.csv.gz: users.rules.yaml, .yml or .json
#
# A file without rules is checked for structure and encoding. Ends with the worst status of `assay check`.
set -u
command -v assay >/dev/null || {
    echo "assay is not installed: https://pre-commit.com runs the program that is on the PATH" >&2
    exit 2
}

options=()
worst=0
for word; do
    case $word in
    -*)
        options+=("$word")
        continue
        ;;
    *.gz | *.zst) stem=${word%.*} ;;
    *) stem=$word ;;
    esac
    stem=${stem%.*}
    rules=()
    for found in "$stem.rules.yaml" "$stem.rules.yml" "$stem.rules.json"; do
        if [ -f "$found" ]; then
            rules=(--rules "$found")
            break
        fi
    done
    # Empty arrays are unset to bash 3.
    assay check --progress never ${rules[@]+"${rules[@]}"} ${options[@]+"${options[@]}"} -- "$word"
    status=$?
    [ "$status" -le "$worst" ] || worst=$status
done
exit "$worst"
