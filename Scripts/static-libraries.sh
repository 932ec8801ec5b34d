#!/bin/sh
# Makes a folder from which the linker takes archives of libraries that few runs need: to load them as shared ones took a tenth
# of the time that the command needs to start.
#
#   sh Scripts/static-libraries.sh FOLDER
#
# Where only the archive is found, the linker takes it; where there is none, the link leads nowhere and does no harm. The C++
# runtime is below uchardet and below Swift's. SwiftPM puts the folders of .pc files first, so that these name this folder.
set -eu
folder=$1
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
for name in stdc++ zstd uchardet utf8proc; do
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
