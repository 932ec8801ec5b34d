#!/bin/sh
# Installs missing system packages with apt-get or brew, and prints their names. Prints no output if all are present.
#
#   sh Scripts/install-dependencies.sh build    to build the command
#   sh Scripts/install-dependencies.sh core     to build and test the C core alone
#   sh Scripts/install-dependencies.sh test     for `make test`
#   sh Scripts/install-dependencies.sh all      for `make test-all`
#
# Does not install Rust and Node.js. Their tests are skipped if they are missing.
set -eu

missing_apt="" missing_brew=""
# want PACKAGE-OF-APT PACKAGE-OF-BREW TEST…: adds the package unless the test succeeds. Homebrew lacks a package named -
want() {
    apt=$1 brew=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    missing_apt="$missing_apt $apt"
    [ "$brew" = - ] || missing_brew="$missing_brew $brew"
}

for_core() {
    want pkg-config pkg-config command -v pkg-config
    want libpcre2-dev pcre2 pkg-config --exists libpcre2-8
    want cmake cmake command -v cmake
    want "gcc libc6-dev" gcc command -v cc
}
for_build() {
    want pkg-config pkg-config command -v pkg-config
    want libpcre2-dev pcre2 pkg-config --exists libpcre2-8
    want libyaml-dev libyaml pkg-config --exists yaml-0.1
    want libisal-dev isa-l pkg-config --exists libisal
    want libzstd-dev zstd pkg-config --exists libzstd
    want libuchardet-dev uchardet pkg-config --exists uchardet
}
for_test() {
    for_build
    want libutf8proc-dev utf8proc pkg-config --exists libutf8proc # test_normal_forms compares with it
    want cmake cmake command -v cmake
    want "gcc libc6-dev" gcc command -v cc
    want python3 python3 command -v python3
    want clang-format clang-format command -v clang-format
    want zstd zstd command -v zstd
    want openssh-client - command -v ssh-keygen
}
for_all() {
    for_test
    want g++ gcc command -v c++
    want python3-venv python3 python3 -c "import ensurepip"
    headers=$(python3 -c "import sysconfig; print(sysconfig.get_path('include'))" 2>/dev/null || true)
    want python3-dev python3 test -f "$headers/Python.h"
    want valgrind - command -v valgrind
    want strace - command -v strace
    want openjdk-17-jdk-headless openjdk@17 command -v javac
    want libjna-java - test -f /usr/share/java/jna.jar
    want junit4 - test -f /usr/share/java/junit4.jar
    want maven maven command -v mvn
    for plugin in compiler resources jar; do
        want "libmaven-$plugin-plugin-java" - \
            test -d "/usr/share/maven-repo/org/apache/maven/plugins/maven-$plugin-plugin"
    done
    want libsurefire-java - test -d /usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin
    want golang-go go command -v go
    want jq jq command -v jq
    want curl curl command -v curl
    want postgresql postgresql sh -c 'ls /usr/lib/postgresql/*/bin/initdb || command -v initdb'
}

case ${1:-build} in
build | core | test | all) "for_${1:-build}" ;;
*)
    echo "usage: $0 build|core|test|all" >&2
    exit 2
    ;;
esac

if command -v apt-get >/dev/null 2>&1; then
    [ -n "$missing_apt" ] || exit 0
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    echo "installing with apt:$missing_apt"
    $sudo apt-get update -qq
    case $missing_apt in
    *postgresql*)
        # The tests make and remove their own clusters.
        if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
            $sudo mkdir -p /etc/postgresql-common
            echo "create_main_cluster = false" | $sudo tee /etc/postgresql-common/createcluster.conf >/dev/null
        fi
        ;;
    esac
    # shellcheck disable=SC2086 # the list is meant to be split
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing_apt >/dev/null
elif command -v brew >/dev/null 2>&1; then
    [ -n "$missing_brew" ] || exit 0
    echo "installing with brew:$missing_brew"
    # shellcheck disable=SC2086
    brew install -q $missing_brew
elif [ -n "$missing_apt" ]; then
    echo "please install:$missing_apt (this machine has neither apt-get nor brew)" >&2
    exit 1
fi
