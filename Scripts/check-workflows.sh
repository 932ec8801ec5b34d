#!/bin/sh
# Checks .github against the schemas of workflows and issue forms that check-jsonschema ships, and by the rules of zizmor: nothing is asked of
# the network but to install these two, in build/check-workflows.
set -eu
cd "$(dirname "$0")/.."
tools=build/check-workflows
if [ ! -x "$tools/bin/zizmor" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q check-jsonschema zizmor || { rm -rf "$tools"; echo "skipped: its tools cannot be installed"; exit 0; }
fi
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/idea.yml
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
"$tools/bin/zizmor" --offline --quiet --no-progress --config .github/zizmor.yml .github/workflows action.yml
# They call make targets, install what `make` itself needs, and nothing else.
if grep -hE '^ +- run:' .github/workflows/*.yml | grep -vE 'run: (make [a-z-]+|apt-get update && apt-get install -y)'; then
    echo "check-workflows: the lines above do something else than to call make" >&2
    exit 1
fi
for target in $(grep -ohE 'run: make [a-z-]+' .github/workflows/*.yml | awk '{ print $3 }' | sort -u); do
    grep -q "^$target:" Makefile || { echo "check-workflows: there is no target $target" >&2; exit 1; }
done
echo "ok: workflows"
