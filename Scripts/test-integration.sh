#!/bin/sh
# Tests what needs heavy programs beside it: Spark, a JVM, shell pipelines with PostgreSQL, DuckDB and jq, the server of
# Examples/server, and the bindings of other languages. Installs what is missing, but no Rust and no Node.js. Some minutes.
#
#   sh Scripts/test-integration.sh [ARGUMENTS OF pytest…]      ASSAY=path of the command; default: .build/release/assay
#                                              ASSAY_SERVER=path of the server; default: built here, in build/server
set -eu
cd "$(dirname "$0")/.."
missing=""
want() { # want PACKAGE COMMAND…: adds the package unless the command succeeds
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
want openjdk-17-jdk-headless command -v javac
want libjna-java test -f /usr/share/java/jna.jar
want junit4 test -f /usr/share/java/junit4.jar
want maven command -v mvn
for plugin in compiler resources jar; do
    want "libmaven-$plugin-plugin-java" test -d "/usr/share/maven-repo/org/apache/maven/plugins/maven-$plugin-plugin"
done
want libsurefire-java test -d /usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin
want golang-go command -v go
want jq command -v jq
want curl command -v curl
want postgresql sh -c 'ls /usr/lib/postgresql/*/bin/initdb || command -v initdb'
if [ -n "$missing" ]; then
    command -v apt-get >/dev/null || { echo "please install:$missing" >&2; exit 1; }
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    echo "installing with apt:$missing"
    $sudo apt-get update -qq
    # No cluster of its own: the tests make theirs, and remove it.
    if [ -d /etc ] && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
        $sudo mkdir -p /etc/postgresql-common
        echo "create_main_cluster = false" | $sudo tee /etc/postgresql-common/createcluster.conf >/dev/null
    fi
    # shellcheck disable=SC2086 # the list is meant to be split
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

ASSAY=${ASSAY:-$PWD/.build/release/assay}
[ -x "$ASSAY" ] || make build
export ASSAY

if [ -z "${ASSAY_SERVER:-}" ]; then
    # A cached plan does not know of files that are new in the library.
    build="-c release --package-path Examples/server --scratch-path build/server --disable-build-manifest-caching"
    # shellcheck disable=SC2086 # the options are meant to be split
    swift build $build
    # shellcheck disable=SC2086
    ASSAY_SERVER=$(swift build $build --show-bin-path)/assay-server
fi
export ASSAY_SERVER

# Apart from build/python, whose tests must not come to need Spark.
environment=build/python-integration
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
python=$environment/bin/python
"$python" -m pip install --quiet --disable-pip-version-check pyarrow duckdb 'pandas<3' pytest 'pyspark[connect]==4.3.0'
if [ -z "${ASSAY_PYTHON_INSTALLED:-}" ]; then
    "$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps ./Python
fi
"$python" -m pytest -q Tests/IntegrationTests "$@"
sh Scripts/test-bindings.sh
