#!/bin/sh
# Tests the bindings in Bindings/ whose tools are installed: Rust, Java, Node.js, Go. Reports skipped languages with the
# reason.
#
#   sh Scripts/test-bindings.sh [rust|java|node|go…]      default: all
#
# ASSAY_LIBASSAY=FOLDER is a built libassay; default: built here. Builds go to build/bindings, without downloads.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
out=$root/build/bindings
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
libassay=${ASSAY_LIBASSAY:-}
if [ -z "$libassay" ]; then
    libassay=$root/build/libassay
    sh Scripts/build-libassay.sh "$libassay" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
export PKG_CONFIG_PATH="$libassay/lib/pkgconfig" LD_LIBRARY_PATH="$libassay/lib"
# Rules that refer to files outside of their folder.
export ASSAY_ESCAPES="$work/escapes"
python3 Tests/Escapes/escapes.py "$ASSAY_ESCAPES"

python3 Bindings/check_declarations.py
echo "ok: declarations are those of the header"

# The examples of all languages do the same and print the same.
cat >"$work/expected" <<'TEXT'
4000 records: 3760 clean, 240 rejected
line 35: balance has more than two decimals, or an exponent (balance.cents)
line 37: birth_date is not a date (YYYY-MM-DD) (birth_date.type)
line 53: notes still has something to do in it (notes.todo)
record: uuid is missing
record: full_name is missing
record: country is not one of AM, AU, BG, CN, CZ, DE and 23 more
record: signup_at is missing
record: plan is missing
TEXT
users="$root/Examples/users.csv $root/Examples/users.rules.yaml"

quietly() { # quietly COMMAND…: prints the output of the command only if it fails
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; echo "failed: $*" >&2; exit 1; }
}
example() { # example LANGUAGE COMMAND…
    language=$1
    shift
    # shellcheck disable=SC2086 # two paths
    "$@" $users >"$work/found"
    diff -u "$work/expected" "$work/found" || { echo "failed: the example in $language" >&2; exit 1; }
    echo "ok: $language"
}
# A folder with rules and a table for the example in Docs/bindings.md.
mkdir "$work/page"
echo "fields: [{name: id, type: integer}, {name: email, format: email, repair: [trim, lower]}]" \
    >"$work/page/users.rules.yaml"
printf 'id,email\n1,anna@example.org\nx,\n' >"$work/page/users.csv"
page() { # page LANGUAGE EXPECTED COMMAND…: runs a command in the folder of the page
    language=$1 expected=$2
    shift 2
    found=$(cd "$work/page" && "$@" 2>"$work/log") ||
        { cat "$work/log"; echo "failed: Docs/bindings.md, $language" >&2; exit 1; }
    [ "$found" = "$expected" ] || { echo "failed: Docs/bindings.md, $language: $found" >&2; exit 1; }
}
skip() { echo "skipped: $1: $2"; }

test_rust() {
    command -v cargo >/dev/null || { skip Rust "there is no cargo"; return 0; }
    needed=$(sed -n 's/^rust-version = "1\.\(.*\)"$/\1/p' Bindings/Rust/Cargo.toml)
    version=$(cargo --version | sed 's/^cargo 1\.\([0-9]*\).*/\1/')
    [ "$version" -ge "$needed" ] || { skip Rust "cargo is 1.$version, and 1.$needed is needed"; return 0; }
    export CARGO_TARGET_DIR="$out/rust"
    manifest="--manifest-path Bindings/Rust/Cargo.toml"
    # shellcheck disable=SC2086 # the option and its value
    {
        if cargo fmt --version >/dev/null 2>&1; then quietly cargo fmt $manifest --check; fi
        if cargo clippy --version >/dev/null 2>&1; then
            quietly cargo clippy --offline $manifest --all-targets -- -D warnings
        fi
        quietly cargo test --offline $manifest
        mkdir -p "$out/page/rust/src"
        {
            printf '[package]\nname = "page"\nversion = "0.1.0"\nedition = "2021"\n'
            printf '[dependencies]\nassay = { path = "%s" }\n' "$root/Bindings/Rust"
        } >"$out/page/rust/Cargo.toml"
        python3 Bindings/snippet.py rust >"$out/page/rust/src/main.rs"
        page Rust '2 Some("id") is not an integer' \
            cargo run --quiet --offline --manifest-path "$out/page/rust/Cargo.toml"
        example Rust cargo run --quiet --offline $manifest --example check_users --
    }
}

test_java() {
    command -v javac >/dev/null || { skip Java "there is no javac"; return 0; }
    jars=/usr/share/java/jna.jar
    tests=/usr/share/java/junit4.jar:/usr/share/java/hamcrest.jar
    [ -f "$jars" ] && [ -f "${tests%:*}" ] || { skip Java "needs libjna-java and junit4"; return 0; }
    rm -rf "$out/java"
    mkdir -p "$out/java"
    quietly javac --release 17 -Xlint:all -Werror -cp "$jars" -d "$out/java/classes" \
        Bindings/Java/src/main/java/assay/*.java
    jars=$out/java/classes:$jars
    tests=$out/java/tests:$tests
    # No lint for "processing" and "path": no processor handles the annotations of JUnit, and the folder of tests is
    # made here.
    quietly javac --release 17 -Xlint:all,-processing,-path -Werror -cp "$jars:$tests" -d "$out/java/tests" \
        Bindings/Java/src/test/java/assay/*.java
    quietly java -cp "$jars:$tests" org.junit.runner.JUnitCore assay.AssayTest assay.ColumnsTest assay.OptionsTest
    # Single records use java.lang.foreign since Java 22.
    for other in /usr/lib/jvm/*/bin/java; do
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "${other%/bin/java}/release" 2>/dev/null)
        [ "${version:-0}" -ge 22 ] || continue
        quietly "$other" -cp "$jars:$tests" org.junit.runner.JUnitCore assay.AssayTest assay.ColumnsTest
        echo "ok: Java $version"
        break
    done
    quietly java -Xint -XX:+UseSerialGC -cp "$jars:$tests" org.junit.runner.JUnitCore assay.LeakTest
    python3 Bindings/snippet.py java >"$work/Snippet.java"
    page Java "2 id is not an integer" java -cp "$jars" "$work/Snippet.java"
    example Java java -cp "$jars" Bindings/Java/examples/CheckUsers.java
    test_maven
}

# The same tests with Maven and the plugins of Debian.
test_maven() {
    repository=/usr/share/maven-repo
    for plugin in compiler resources surefire jar; do
        [ -d "$repository/org/apache/maven/plugins/maven-$plugin-plugin" ] || {
            skip Maven "needs maven, and libmaven-{compiler,resources,jar}-plugin-java and libsurefire-java"
            return 0
        }
    done
    command -v mvn >/dev/null || { skip Maven "there is no mvn"; return 0; }
    # pom.xml requires the compiler plugin of Debian 12.
    version=$(sed -n '/<artifactId>maven-compiler-plugin/{n;s/.*<version>\(.*\)<.*/\1/p;}' Bindings/Java/pom.xml)
    [ -d "$repository/org/apache/maven/plugins/maven-compiler-plugin/$version" ] || {
        skip Maven "Debian's packages have no maven-compiler-plugin $version"
        return 0
    }
    rm -rf "$out/maven"
    cp -R Bindings/Java "$out/maven"
    cp -R --symbolic-link "$repository" "$work/repository"
    quietly mvn --offline --quiet --batch-mode --file "$out/maven/pom.xml" "-Dmaven.repo.local=$work/repository" package
    release=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' Sources/CAssay/include/assay/core.h)
    jar=$out/maven/target/assay-$release.jar
    page Maven "2 id is not an integer" java -cp "$jar:/usr/share/java/jna.jar" "$work/Snippet.java"
    echo "ok: Maven"
}

test_node() {
    command -v node >/dev/null && command -v npm >/dev/null || { skip Node.js "there is no node, or no npm"; return 0; }
    [ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] || { skip Node.js "20 is needed"; return 0; }
    prefix=$(dirname "$(dirname "$(node -p 'process.execPath')")")
    gyp=$(npm root --global)/npm/node_modules/node-gyp/bin/node-gyp.js
    [ -f "$prefix/include/node/node_api.h" ] && [ -f "$gyp" ] ||
        { skip Node.js "its headers or node-gyp are not here"; return 0; }
    rm -rf "$out/node"
    cp -R Bindings/Node "$out/node"
    cd "$out/node"
    quietly node "$gyp" rebuild --nodedir="$prefix"
    quietly npm test
    mkdir "$work/node_modules"
    ln -s "$out/node" "$work/node_modules/assay"
    python3 "$root/Bindings/snippet.py" js >"$work/snippet.js"
    page Node.js "2 id is not an integer" node "$work/snippet.js"
    example Node.js node examples/check_users.js
    cd "$root"
}

test_go() {
    command -v go >/dev/null || { skip Go "there is no go"; return 0; }
    cd Bindings/Go
    export GOCACHE="$out/go" GOPROXY=off GOTOOLCHAIN=local CGO_ENABLED=1
    unformatted=$(gofmt -l .)
    [ -z "$unformatted" ] || { echo "failed: gofmt -l: $unformatted" >&2; exit 1; }
    quietly go vet ./...
    quietly go test -count=1 ./...
    mkdir -p "$out/page/go"
    module=$(sed -n 's/^module //p' go.mod)
    printf 'module page\n\ngo 1.19\n\nrequire %s v0.0.0\n\nreplace %s => %s\n' "$module" "$module" "$PWD" \
        >"$out/page/go/go.mod"
    python3 "$root/Bindings/snippet.py" go >"$out/page/go/main.go"
    (cd "$out/page/go" && quietly go build -o page .)
    page Go "2 id is not an integer" "$out/page/go/page"
    example Go go run ./examples/check_users
    cd "$root"
}

for language in ${*:-rust java node go}; do
    "test_$language"
done
