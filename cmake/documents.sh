#!/usr/bin/env bash
# Writes the man pages and completions that the binary prints.  documents.sh BINARY OUT
set -euo pipefail
binary=$1 out=$2
rm -rf "$out"
mkdir -p "$out/man1"
for page in $("$binary" man --list); do
  topic=${page#holdfast}
  # shellcheck disable=SC2086 # holdfast(1) has no topic
  "$binary" man ${topic#-} | gzip -9n >"$out/man1/$page.1.gz"
done
for shell in bash zsh fish; do
  "$binary" completions "$shell" >"$out/completions.$shell"
done
