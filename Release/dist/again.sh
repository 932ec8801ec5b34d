#!/bin/sh
# Repeats the release build of `make dist` for the same commit, and compares all files byte by byte.
#
#   sh Release/dist/again.sh                          once, in another folder
#   sh Release/dist/again.sh --times 10               ten times; each build takes as long as `make dist`
#   sh Release/dist/again.sh --times 10 --no-swift    only the parts that need no Swift: the C core, the source archive,
#                                                     and the Python package with the libassay of
#                                                     ASSAY_LIBASSAY=FOLDER, of `make dist` or of `make libassay`. The
#                                                     first build is compared with the others
#
# Each build has its own folder, user name, host name (if it runs as root), time zone, locale, umask, and number of
# processors and jobs.
set -eu
cd "$(dirname "$0")/../.."
times=1 swift=yes
while [ $# -gt 0 ]; do
    case $1 in
    --times) times=${2:?"again: --times needs a number"}; shift 2 ;;
    --no-swift) swift=no; shift ;;
    *) echo "usage: $0 [--times N] [--no-swift]" >&2; exit 2 ;;
    esac
done
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' Sources/CAssay/include/assay/core.h)
if [ $swift = yes ]; then
    first=$PWD/build/dist/$version/SHA256SUMS
    [ -f "$first" ] || { echo "again: run 'make dist' first" >&2; exit 1; }
    commit=$(cat build/dist/commit)
else
    libassay=${ASSAY_LIBASSAY:-build/dist/libassay}
    [ -d "$libassay" ] || libassay=build/libassay
    [ -d "$libassay" ] || { echo "again: there is no libassay: run 'make libassay' first" >&2; exit 1; }
    libassay=$(cd "$libassay" && pwd)
    commit=$(git rev-parse HEAD)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# vary NUMBER COMMAND…: runs the command in the environment of this build.
vary() {
    number=$1
    shift
    case $((number % 4)) in
    0) mask=022 zone=UTC locale=C ;;
    1) mask=077 zone=Pacific/Kiritimati locale=C.UTF-8 ;;
    2) mask=002 zone=America/St_Johns locale=POSIX ;;
    3) mask=027 zone=Asia/Kolkata locale=C.UTF-8 ;;
    esac
    set -- env USER="builder$number" LOGNAME="builder$number" TZ=$zone LC_ALL=$locale LANG=tr_TR.UTF-8 \
        CMAKE_BUILD_PARALLEL_LEVEL=$((number % 3 + 1)) MAKEFLAGS=-j$((number % 3 + 1)) "$@"
    [ $((number % 2)) -eq 0 ] || ! taskset -c 0 true 2>/dev/null || set -- taskset -c 0 "$@"
    ! unshare --uts true 2>/dev/null ||
        set -- unshare --uts sh -c 'hostname "$1" && shift && exec "$@"' sh "builder$number" "$@"
    (umask $mask && exec "$@")
}

# make_parts OUT COMMIT LIBASSAY: makes the parts that need no Swift, in the folder of the build.
make_parts='
    set -eu
    out=$1 commit=$2 libassay=$3
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
    export SOURCE_DATE_EPOCH
    cmake -S . -B build/core-release -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
    cmake --build build/core-release
    cmake --install build/core-release --prefix "$out/core"
    git -c tar.umask=0002 archive --format=tar --prefix=assay/ "$commit" | gzip -9n >"$out/source.tar.gz"
    sh Release/dist/python.sh "$commit" "$libassay" "$out"
    cd "$out" && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
'

for number in $(seq "$times"); do
    there=$work/$number
    for _ in $(seq $((number % 3))); do there=$there/deeper; done
    there=$there/assay-$number
    git clone --quiet --no-checkout . "$there"
    mkdir -p "$there/build/dist/link"
    # Copy the installed Python packages to avoid downloading them again.
    [ ! -d build/dist/python-build ] || cp -R build/dist/python-build "$there/build/dist/"
    if [ $swift = yes ]; then
        vary "$number" git -C "$there" checkout --quiet --detach "$commit"
        mkdir -p "$there/.build"
        cp -R .build/repositories .build/checkouts .build/workspace-state.json "$there/.build/"
        cp Package.resolved "$there/"
        cp -R build/dist/link/isal "$there/build/dist/link/"
        vary "$number" make -C "$there" dist >"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
        found=$there/build/dist/$version/SHA256SUMS
    else
        vary "$number" git -C "$there" checkout --quiet --detach "$commit"
        mkdir "$there/build/out"
        (cd "$there" && vary "$number" sh -c "$make_parts" sh "$there/build/out" "$commit" "$libassay") \
            >"$work/log" 2>&1 ||
            { tail -40 "$work/log"; exit 1; }
        found=$there/build/out/SHA256SUMS
    fi
    if [ -z "${first:-}" ]; then
        cp "$found" "$work/first"
        first=$work/first
        echo "build $number: $(wc -l <"$first") files"
    elif ! cmp -s "$first" "$found"; then
        echo "again: build $number differs:" >&2
        diff "$first" "$found" >&2 || true
        exit 1
    else
        echo "build $number: the same $(wc -l <"$first") files"
    fi
    rm -rf "${work:?}/$number"
done
echo "ok: the same bytes in $times builds, each in a folder of its own"
