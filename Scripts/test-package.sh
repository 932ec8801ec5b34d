#!/bin/sh
# Tests which packages a program gets that depends on this package: by SwiftPM's resolution for each trait, beside newer
# and older versions of the same packages, and by a build of a program with Assay alone.
#
#   sh Scripts/test-package.sh
#
# The package is a copy of the working tree with a version tag, because SwiftPM resolves a folder differently.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=$root/build/package
rm -rf "$work"
mkdir -p "$work/probe/Sources/probe" "$work/assay"
unset ASSAY_TARGETS

tagged() { # tagged FOLDER VERSION: commits all files of a folder and tags them
    git -C "$1" init -q
    git -C "$1" add -A
    git -C "$1" -c user.name=test -c user.email=test@example.org commit -q --no-verify -m "Test"
    git -C "$1" tag "$2"
}
# The index still lists deleted files, which tar skips.
git ls-files -z --cached --others --exclude-standard |
    tar -cf - --null --ignore-failed-read -T - 2>"$work/log" | tar -xf - -C "$work/assay"
tagged "$work/assay" 1.0.0

# A later version of swift-argument-parser, which only the tag distinguishes.
git clone -q --bare https://github.com/apple/swift-argument-parser "$work/swift-argument-parser"
git -C "$work/swift-argument-parser" tag 1.99.0 "$(git -C "$work/swift-argument-parser" tag | tail -n 1)"

cat >"$work/probe/Sources/probe/main.swift" <<'END'
import Assay

print(Requirement<String>.email().evaluate("anna@example.org").isConfirmed)
END
cd "$work/probe"

probe() { # probe TRAITS [OTHER-DEPENDENCY OTHER-PRODUCT]: writes the manifest of the program and resolves its packages
    # Without traits, the program has the default traits of a dependency.
    traits_argument=${1:+", traits: [$1]"}
    cat >Package.swift <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "probe",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "file://$work/assay", from: "1.0.0"$traits_argument),
        ${2:-}
    ],
    targets: [.executableTarget(name: "probe", dependencies: [.product(name: "Assay", package: "assay"), ${3:-}])]
)
END
    rm -rf Package.resolved .build/checkouts .build/workspace-state.json
    swift package resolve >"$work/log" 2>&1 || { cat Package.swift "$work/log" >&2; exit 1; }
}
expect() { # expect NAME PACKAGE…: compares the packages that SwiftPM has fetched
    name=$1
    shift
    found=$(ls .build/checkouts | tr '\n' ' ')
    if [ "$found" != "$(printf '%s ' "$@")" ]; then
        printf '%s: fetched %s, not %s\n' "$name" "$found" "$*" >&2
        exit 1
    fi
    echo "$name: $*"
}
version() { # version PACKAGE: its resolved version
    sed -n "/\"identity\" : \"$1\"/,/}/s/.*\"version\" : \"\(.*\)\".*/\1/p" Package.resolved
}

probe ''
expect "no traits" assay
# Not before the probe has a manifest, because SwiftPM would configure the package of a folder above.
swift package config set-mirror --original https://github.com/apple/swift-argument-parser \
    --mirror "file://$work/swift-argument-parser" >"$work/log" 2>&1
probe '"Forms"'
expect "Forms" OpenCombine assay
probe '"Macros"'
expect "Macros" assay swift-syntax
probe '"Command"'
expect "Command" assay swift-argument-parser
probe '"Command", "Forms", "Macros"'
expect "all traits" OpenCombine assay swift-argument-parser swift-syntax

parser='.package(url: "https://github.com/apple/swift-argument-parser", exact: "1.99.0"),'
parser_product='.product(name: "ArgumentParser", package: "swift-argument-parser")'
for traits in '' '"Command"'; do
    probe "$traits" "$parser" "$parser_product"
    expect "beside a later swift-argument-parser, traits [$traits]" assay swift-argument-parser
    [ "$(version swift-argument-parser)" = 1.99.0 ]
done
for syntax in '"600.0.0"..<"601.0.0"' '"602.0.0"..<"603.0.0"' 'from: "603.0.0"'; do
    syntax_product='.product(name: "SwiftParser", package: "swift-syntax")'
    for traits in '' '"Macros"'; do
        # The macros need swift-syntax 602.
        case $traits$syntax in '"Macros""600'*) continue ;; esac
        probe "$traits" ".package(url: \"https://github.com/swiftlang/swift-syntax\", $syntax)," "$syntax_product"
        expect "beside swift-syntax $syntax, traits [$traits]" assay swift-syntax
    done
done

probe ''
swift build >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
[ "$(.build/debug/probe)" = true ] || { echo "the probe does not accept an e-mail address" >&2; exit 1; }
echo "built a program with Assay alone"
