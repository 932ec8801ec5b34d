#!/bin/sh
# Makes the site of the documents, build/site/index.html: `make site`. Reading and searching need no network. A link
# without a target is an error.
#
# mkdocs-material is installed in build/site-tools. ASSAY_HOMEPAGE is the address in links to sources.
set -eu
cd "$(dirname "$0")/../.."
tools=build/site-tools
if [ ! -x "$tools/bin/mkdocs" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q mkdocs-material ||
        { rm -rf "$tools"; echo "skipped: mkdocs-material cannot be installed"; exit 0; }
fi
python3 Release/site/stage.py build/site-source "${ASSAY_HOMEPAGE:-https://example.org/assay}"
export NO_MKDOCS_2_WARNING=1
"$tools/bin/mkdocs" build --quiet --strict --config-file Release/site/mkdocs.yml
# Use our search script, because that of the theme for sites without a server is loaded from the network.
cp Release/site/search.js build/site/assets/
find build/site -name '*.html' -exec sed -i 's|https://unpkg.com/iframe-worker/shim|assets/search.js|' {} +
if grep -n '```' build/site/*.html; then
    echo "site: the lines above have a block of code that was not read as one" >&2
    exit 1
fi
# Check that pages load no files from other addresses.
if grep -rnE '<(script|link|img)[^>]*(src|href)="https?://' build/site --include='*.html' |
    grep -v 'rel="canonical"'; then
    echo "site: the pages above load something from the network" >&2
    exit 1
fi
echo "build/site/index.html: $(find build/site -name '*.html' | wc -l) pages"
