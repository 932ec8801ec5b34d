#!/bin/sh
# Makes a folder with archives of libraries that few runs need. The command includes them, because loading them as
# shared libraries took a tenth of its start-up time.
#
#   sh Scripts/static-libraries.sh FOLDER
#
# The linker uses an archive if the folder has no shared library; dangling links to missing archives are harmless.
# uchardet and Swift's runtime need the C++ runtime. The .pc files name this folder, because SwiftPM searches their
# folders first.
set -eu
folder=$1
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
for name in stdc++ zstd uchardet; do
    ln -sf "$(${CC:-cc} -print-file-name="lib$name.a")" "$folder/"
done
for pair in libzstd:zstd uchardet:uchardet; do
    package=${pair%:*} name=${pair#*:}
    cat >"$folder/$package.pc" <<TEXT
Name: $package
Description: its archive
Version: $(pkg-config --modversion "$package")
Cflags: $(pkg-config --cflags "$package")
Libs: -L$folder -l$name
TEXT
done
