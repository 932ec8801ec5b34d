#!/usr/bin/env bash
# The hooks of .pre-commit-hooks.yaml.
#
#   pre-commit.sh check        [--OPTION…] FILE…    assay check
#   pre-commit.sh rules        [--OPTION…] FILE…    assay rules check
#   pre-commit.sh check-beside [--OPTION=VALUE…] FILE…
#                              assay check of each file with the rules in its folder: for users.csv and users.csv.gz
#                              those of users.rules.yaml, .yml or .json. A file without rules is checked for structure
#                              and encoding.
#
# The exit status is the highest status of assay.
set -u
command -v assay >/dev/null || {
    echo "assay is not installed: https://pre-commit.com runs the program that is on the PATH" >&2
    exit 2
}
hook=$1
shift

# Options and files are one list. Separate them safely, because a file whose name looks like an option could change its
# check.
for word; do
    case $word in
    -*)
        if [ -e "$word" ] || [ -L "$word" ]; then
            echo "'$word' is a file with the name of an option: rename it" >&2
            exit 2
        fi
        ;;
    esac
done

case $hook in
check) exec assay check --progress never "$@" ;;
rules) exec assay rules check "$@" ;;
check-beside) ;;
*)
    echo "pre-commit.sh: unknown hook '$hook'" >&2
    exit 2
    ;;
esac

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
    # bash 3 treats empty arrays as unset.
    assay check --progress never ${rules[@]+"${rules[@]}"} ${options[@]+"${options[@]}"} -- "$word"
    status=$?
    [ "$status" -le "$worst" ] || worst=$status
done
exit "$worst"
