#!/usr/bin/env bash
# Checks files on a runner of GitHub Actions (action.yml). Each file has its own report: in the step summary, and as
# SARIF.
#
#   ASSAY_FILES, ASSAY_ARGUMENTS   one per line; files may be patterns
#   ASSAY_RULES                    a rule file, or empty
#   ASSAY_SUMMARY, ASSAY_SARIF     true or false
#
# The exit status is 0, and the highest status of `assay check` is an output, so that the following steps run.
set -uo pipefail
shopt -s nullglob globstar 2>/dev/null || shopt -s nullglob

fail() {
    echo "::error::$1"
    echo "status=2" >>"$GITHUB_OUTPUT"
    exit 0
}

command -v assay >/dev/null || fail "assay is not on the PATH: say which 'version' to install"

files=()
while IFS= read -r line; do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    [ -n "$line" ] || continue
    if [ -e "$line" ]; then
        files+=("$line")
        continue
    fi
    found=()
    IFS=
    # shellcheck disable=SC2206 # the pattern is meant to become the files that fit it
    found=($line)
    unset IFS
    [ ${#found[@]} -gt 0 ] && [ -e "${found[0]}" ] || fail "no file fits '$line'"
    files+=("${found[@]}")
done <<<"${ASSAY_FILES:-}"
[ ${#files[@]} -gt 0 ] || fail "'files' of the assay action names no file"
# GitHub accepts at most 20 runs per upload.
many="${#files[@]} files are too many for code scanning alerts, because GitHub takes those of 20 files"
[ "${ASSAY_SARIF:-}" != true ] || [ ${#files[@]} -le 20 ] || fail "$many: split 'files', or leave out 'sarif'"

options=(--progress never)
[ -z "${ASSAY_RULES:-}" ] || options+=(--rules "$ASSAY_RULES")
while IFS= read -r line; do
    [ -z "$line" ] || options+=("$line")
done <<<"${ASSAY_ARGUMENTS:-}"

# Disable workflow commands, because the output contains file names such as '::notice::x.csv'.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
reports=$(mktemp -d "${RUNNER_TEMP:-/tmp}/assay-reports-XXXXXX")
worst=0
number=0
for file in "${files[@]}"; do
    number=$((number + 1))
    own=()
    [ "${ASSAY_SUMMARY:-}" != true ] || own+=(--report "$reports/$number.md")
    [ "${ASSAY_SARIF:-}" != true ] || own+=(--report "$reports/$number.sarif")
    assay check "${options[@]}" ${own[@]+"${own[@]}"} -- "$file"
    status=$?
    [ "$status" -le "$worst" ] || worst=$status
    if [ -f "$reports/$number.md" ]; then
        cat "$reports/$number.md" >>"$GITHUB_STEP_SUMMARY"
        rm "$reports/$number.md"
    elif [ "${ASSAY_SUMMARY:-}" = true ]; then
        # Without a report, the command failed. Its message is in the log.
        printf '**%s** could not be checked: status %s\n' "$file" "$status" >>"$GITHUB_STEP_SUMMARY"
    fi
done
echo "::$token::"

echo "status=$worst" >>"$GITHUB_OUTPUT"
[ "${ASSAY_SARIF:-}" != true ] || [ -z "$(ls -A "$reports")" ] || echo "sarif=$reports" >>"$GITHUB_OUTPUT"
exit 0
