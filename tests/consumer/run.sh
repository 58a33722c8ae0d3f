#!/usr/bin/env bash
# Installs a build into a temporary prefix, then builds and runs programs outside the
# tree against it, with find_package and with pkg-config.  run.sh BUILD_DIR CXX_COMPILER
set -euo pipefail
build=$1 compiler=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
cp "$here/CMakeLists.txt" "$here"/*.cc "$here"/../../examples/{record_session,agent}.cc "$work/"
cmake -S "$work" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
cmake --build "$work/build"
"$work/build/consumer" "$work/data"
[[ $("$work/build/record_session" "$work/store") == "why does login fail?" ]]
[[ $("$work/build/agent" "$work/agents" hello | tr '\n' ' ') == "user: hello assistant: You said: hello " ]]

library=$(dirname "$(find "$work/prefix" -name libholdfast.so)")
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
read -ra flags < <(pkg-config --cflags --libs holdfast)
"$compiler" -std=c++23 -Wall -Wextra -Werror "$work/sessions.cc" "${flags[@]}" -o "$work/sessions"
"$work/sessions" "$work/sessions-store"

# The same from C.
c_compiler=${compiler/clang++/clang}
"${c_compiler/g++/gcc}" -std=c11 -Wall -Wextra -Werror -pedantic "$here/../../examples/agent.c" "${flags[@]}" -o "$work/agent-c"
[[ $("$work/agent-c" "$work/c-store" hello) == *'"text":"hello"'* ]]
if "$work/agent-c" "$work/c-store" hello 2>"$work/error"; then exit 1; fi # the session already exists
grep -q already_exists "$work/error"
