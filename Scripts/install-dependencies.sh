#!/bin/sh
# Installs the system packages that are missing, and says which. Nothing to do: says nothing.
#
#   sh Scripts/install-dependencies.sh build          what `make build` needs
#   sh Scripts/install-dependencies.sh test           what `make test` needs besides
set -eu

want() { # want PACKAGE-OF-APT PACKAGE-OF-BREW TEST…: adds the package unless the test succeeds
    apt=$1 brew=$2
    shift 2
    if ! "$@" >/dev/null 2>&1; then
        missing_apt="$missing_apt $apt"
        missing_brew="$missing_brew $brew"
    fi
}

missing_apt="" missing_brew=""
case ${1:-build} in
build | test)
    want pkg-config pkg-config command -v pkg-config
    want libpcre2-dev pcre2 pkg-config --exists libpcre2-8
    want libyaml-dev libyaml pkg-config --exists yaml-0.1
    want libisal-dev isa-l pkg-config --exists libisal
    want libzstd-dev zstd pkg-config --exists libzstd
    want libuchardet-dev uchardet pkg-config --exists uchardet
    want libutf8proc-dev utf8proc pkg-config --exists libutf8proc
    ;;
*)
    echo "usage: $0 build|test" >&2
    exit 2
    ;;
esac
if [ "${1:-build}" = test ]; then
    want cmake cmake command -v cmake
    want "gcc libc6-dev" gcc command -v cc
    want g++ gcc command -v c++
    want python3 python3 command -v python3
    want python3-venv python3 python3 -c "import ensurepip"
    want python3-dev python3 test -f "$(python3 -c "import sysconfig; print(sysconfig.get_path('include'))" 2>/dev/null)/Python.h"
    want clang-format clang-format command -v clang-format
    # Homebrew has none for macOS.
    [ "$(uname -s)" != Linux ] || want valgrind valgrind command -v valgrind
    want zstd zstd command -v zstd
fi
[ -n "$missing_apt" ] || exit 0

if command -v apt-get >/dev/null 2>&1; then
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    echo "installing with apt:$missing_apt"
    $sudo apt-get update -qq
    # shellcheck disable=SC2086 # the list is meant to be split
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing_apt >/dev/null
elif command -v brew >/dev/null 2>&1; then
    echo "installing with brew:$missing_brew"
    # shellcheck disable=SC2086
    brew install -q $missing_brew
else
    echo "please install:$missing_apt (neither apt-get nor brew is here)" >&2
    exit 1
fi
