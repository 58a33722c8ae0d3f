#!/usr/bin/env bash
# Makes the packages for Node and Python from a build of the library and tests them as installed:
# bindings/test.sh BUILD OUT. Installs npm packages in OUT. Needs g++, Node with its headers, npm, jq, python3; and
# for pip python3-venv, python3-setuptools, python3-wheel; mypy. HOLDFAST_KILLS is how often each writer is killed (default 8).
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
CI=1 node_modules/.bin/vitest run --globals --reporter=json --outputFile=langgraph.json tests/langgraph.spec.mjs
passed=$(jq .numPassedTests langgraph.json) all=$(jq .numTotalTests langgraph.json)
echo "LangGraph: $passed of $all"
((passed == all && all >= 718))

# ---- Python: install the package with the library as the README says; no compiler needed
rm -rf "$out/python" "$out/venv"
cp -r "$here/python" "$out/python"
cp -L "$build/libholdfast.so.0" "$out/python/holdfast/libholdfast.so.0"
python=$out/venv/bin/python
# Debian's Python, because its packages bring setuptools and wheel.
if /usr/bin/python3 -c 'import ensurepip, setuptools, wheel' 2>/dev/null; then
  /usr/bin/python3 -m venv --system-site-packages "$out/venv"
  (cd "$out/python" && "$python" -m pip install --quiet --no-index --no-build-isolation .)
  unset PYTHONPATH
else
  echo "skip  pip install: python3-venv, python3-setuptools or python3-wheel is not installed"
  python=python3
  export PYTHONPATH=$out/python
fi
cd "$out"
export HOLDFAST_LIBRARY=''
installed=$("$python" -c 'import holdfast; print(holdfast.__file__)')
echo "Python: $installed"
[[ $installed == "$out"/* && -e $(dirname "$installed")/libholdfast.so.0 ]]
"$python" -B -m unittest discover -s "$here/python/tests"
mkdir -p "$out/typed" # where no directory is named holdfast
cp "$here/python/tests/typed.py" "$out/typed/"
(cd "$out/typed" && MYPYPATH=${PYTHONPATH:-} "$python" -m mypy --strict typed.py && MYPYPATH=${PYTHONPATH:-} "$python" -m mypy --strict -p holdfast)
