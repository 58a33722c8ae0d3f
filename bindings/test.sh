#!/usr/bin/env bash
# Makes the packages for Node and Python from a build of the library and tests them as installed:
# bindings/test.sh BUILD OUT. Installs npm packages in OUT. Needs g++, Node with its headers, npm, jq, python3.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)

# ---- Node: assemble, pack, and install beside the SDKs that the adapters are for
rm -rf "$out/holdfast" "$out/pack"
mkdir -p "$out/pack" "$out/node/tests" "$out/node/pages"
node "$here/node/build.mjs" "$out/holdfast" "$build"
(cd "$out/holdfast" && npm pack --silent --pack-destination "$out/pack" >/dev/null)
cp "$here/node/tests/package.json" "$out/node/package.json"
(cd "$out/node" && npm install --silent --no-audit --no-fund --no-save "$out"/pack/holdfast-*.tgz)
rm -rf "$out/node/tests" "$out/node/pages"
cp -r "$here/node/tests" "$out/node/tests"
rm "$out/node/tests/package.json"
mkdir "$out/node/pages"
cp "$here/node/README.md" "$here"/node/adapters/*.md "$out/node/pages/"

export HOLDFAST_BINARY=$build/holdfast HOLDFAST_TYPES=$here/node/tools/types.mjs
cd "$out/node"
node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --lib es2023,dom,dom.asynciterable,esnext.disposable \
  --module nodenext --moduleResolution nodenext --types '' tests/types.ts
node --test tests/*.test.mjs
CI=1 node_modules/.bin/vitest run --globals --reporter=json --outputFile=langgraph.json tests/langgraph.vitest.mjs
passed=$(jq .numPassedTests langgraph.json) all=$(jq .numTotalTests langgraph.json)
echo "LangGraph: $passed of $all"
((passed == all && all >= 718))

# ---- Python: copy the package with the library; no compiler needed
rm -rf "$out/python"
mkdir -p "$out/python"
cp -r "$here/python/holdfast" "$out/python/holdfast"
cp -L "$build/libholdfast.so.0" "$out/python/holdfast/libholdfast.so.0"
PYTHONPATH=$out/python HOLDFAST_LIBRARY='' python3 -B -m unittest discover -s "$here/python/tests"
