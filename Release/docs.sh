#!/bin/sh
# Builds the DocC documentation of the libraries, one archive each, in build/docs. Fails if a link of an article has no
# target. To read an archive, use docc preview or a web server.
set -eu
cd "$(dirname "$0")/.."
tool() { command -v "$1" || xcrun --find "$1"; }
docc=$(tool docc)
extract=$(tool swift-symbolgraph-extract)
target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)
swift build
maps=""
for map in CAssay/include CAssaySystem CDigest/include CGzip/include CPCRE2 CUchardet CYAML CZstd; do
    maps="$maps -Xcc -fmodule-map-file=Sources/$map/module.modulemap"
done
helpers=.build/debug/COpenCombineHelpers.build/module.modulemap
if [ -f "$helpers" ]; then maps="$maps -Xcc -fmodule-map-file=$helpers"; fi
for module in Assay AssayForms AssayMacros AssayRules AssayFiles; do
    work=build/docs/$module.work
    rm -rf "$work" "build/docs/$module.doccarchive"
    mkdir -p "$work"
    # shellcheck disable=SC2086 # the list is meant to be split
    "$extract" -module-name "$module" -target "$target" -I .build/debug/Modules $maps \
        -minimum-access-level public -omit-extension-block-symbols -output-dir "$work"
    rm -f "$work"/*@*.json # extensions of other modules have no pages
    "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work" \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
        --output-path "build/docs/$module.doccarchive" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    # Comments also refer to symbols of other modules, which a single archive cannot resolve.
    if grep -A 1 -E "doesn't exist|is ambiguous" "$work/log" | grep -B 1 -E '^ *--> [A-Za-z]+\.md'; then exit 1; fi
    rm -rf "$work"
    echo "build/docs/$module.doccarchive"
done
