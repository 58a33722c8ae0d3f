#!/usr/bin/env bash
# Tests the Node package without its adapters, on the library of a build and without npm: package.sh BUILD OUT
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$2" && mkdir -p "$2/tests"
node "$here/../build.mjs" "$2/node_modules/holdfast" "$1"
cp "$here"/{package.test,kill.test,support}.mjs "$2/tests/"
cd "$2"
HOLDFAST_BINARY=$1/holdfast HOLDFAST_TYPES=$here/../tools/types.mjs node --test tests/*.test.mjs
