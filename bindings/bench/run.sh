#!/usr/bin/env bash
# Compares the Node package with C: bindings/bench/run.sh BUILD OUT
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
rm -rf "$2" && mkdir -p "$2/node_modules"
out=$(cd "$2" && pwd)
node "$here/../node/build.mjs" "$out/node_modules/holdfast" "$build"
"${CC:-gcc}" -O2 -Wall -Wextra -I "$here/../../include" "$here/append.c" "$build/libholdfast.so.0" "-Wl,-rpath,$build" -o "$out/append"
cp "$here/bench.mjs" "$out/"
cd "$out"
node --expose-gc bench.mjs "$out/append" "$out"
