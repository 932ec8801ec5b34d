#!/bin/sh
# Installs the command with its man page and completions.
#   sh Scripts/install.sh PATH-TO-ASSAY PREFIX
set -eu
assay=$1 prefix=$2
put() { # put MODE FILE DIRECTORY NAME
    # Set the umask, so that all users can read the files.
    (umask 022 && mkdir -p "$3")
    install -m "$1" "$2" "$3/$4"
    echo "installed $3/$4"
}
temporary=$(mktemp)
trap 'rm -f "$temporary"' EXIT
put 755 "$assay" "$prefix/bin" assay
put 644 Docs/assay.1 "$prefix/share/man/man1" assay.1
for schema in Docs/*.json; do put 644 "$schema" "$prefix/share/doc/assay" "${schema#Docs/}"; done
for document in Docs/*.md; do
    # Replace links to files that are not installed with their text.
    sed -E -e ':all' -e '$!{' -e N -e 'b all' -e '}' -e 's/\[([^]]*)\]\(\.\.\/[^)]*\)/\1/g' "$document" >"$temporary"
    put 644 "$temporary" "$prefix/share/doc/assay" "${document#Docs/}"
done
for shell in bash zsh fish; do
    "$assay" --generate-completion-script "$shell" >"$temporary"
    case $shell in
    bash) put 644 "$temporary" "$prefix/share/bash-completion/completions" assay ;;
    zsh) put 644 "$temporary" "$prefix/share/zsh/site-functions" _assay ;;
    fish) put 644 "$temporary" "$prefix/share/fish/vendor_completions.d" assay.fish ;;
    esac
done
