#!/usr/bin/env bash
# Tests the modules that need no browser: test/run.sh ESBUILD NODE WORK
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$3" && mkdir -p "$3"
"$1" "$here"/*.test.mjs --bundle --platform=node --format=esm --out-extension:.js=.mjs --outdir="$3" --log-level=warning
exec "$2" --test "$3"
