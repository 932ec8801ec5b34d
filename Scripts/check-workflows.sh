#!/bin/sh
# Checks .github with the schemas of workflows and issue forms in check-jsonschema, and with zizmor. The network is
# needed only to install these two in build/check-workflows; if that fails, the script uses those of an earlier run.
# Scripts/check-pins.py needs no network.
set -eu
cd "$(dirname "$0")/.."
tools=build/check-workflows versions="check-jsonschema==0.39.0 zizmor==1.32.0" skipped=""
if [ "$(cat "$tools/made-of" 2>/dev/null)" != "$versions" ]; then
    python3 -m venv "$tools"
    # shellcheck disable=SC2086 # the list is meant to be split
    if "$tools/bin/python" -m pip install -q --disable-pip-version-check $versions; then
        echo "$versions" >"$tools/made-of"
    else
        echo "check-workflows: cannot install $versions" >&2
    fi
fi
python3 Scripts/check-pins.py
jsonschema() { "$tools/bin/python" -m check_jsonschema "$@"; }
if jsonschema --version >/dev/null 2>&1; then
    jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
    jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/idea.yml
    jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
    jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
    jsonschema --builtin-schema vendor.github-actions action.yml
else
    skipped="$skipped, without check-jsonschema"
fi
if "$tools/bin/zizmor" --version >/dev/null 2>&1; then
    "$tools/bin/zizmor" --offline --quiet --no-progress --persona auditor --config .github/zizmor.yml .github action.yml
else
    skipped="$skipped, without zizmor"
fi
# Workflow steps may only call make targets, install the prerequisites of `make`, and set git's safe.directory.
if grep -hE '^ +(- )?run:' .github/workflows/*.yml |
    grep -vE -e 'run: make [a-z-]+( [A-Z_]+=[0-9]+)?$' \
        -e 'run: apt-get update && apt-get install -y[a-z0-9 -]+$' \
        -e 'run: git config --global safe\.directory "\*"$'; then
    echo "check-workflows: the lines above do something else than to call make" >&2
    exit 1
fi
for target in $(grep -ohE 'run: make [a-z-]+' .github/workflows/*.yml | awk '{ print $3 }' | sort -u); do
    grep -q "^$target:" Makefile || { echo "check-workflows: there is no target $target" >&2; exit 1; }
done
echo "ok: workflows$skipped"
