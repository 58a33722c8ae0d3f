#!/usr/bin/env bash
# Runs the C example, and the tests of holdfast.h with their sixteen threads, under valgrind's memcheck:
# bindings/valgrind.sh BUILD OUT. BUILD has libholdfast.so.0 and api_test. Fails on any error and on memory that is lost.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
rm -rf "$2" && mkdir -p "$2"
out=$(cd "$2" && pwd)

# memcheck NAME COMMAND...
memcheck() {
  local name=$1 log=$out/$1.log code=0 && shift
  valgrind --tool=memcheck --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
    --fair-sched=yes --log-file="$log" "$@" >"$out/$name.out" 2>&1 || code=$?
  ((code == 0)) || cat "$out/$name.out" "$log"
  echo "$name: $(sed -nE 's/^==[0-9]+== +(total heap usage: .*)/\1/p' "$log"); $(sed -nE 's/^==[0-9]+== ERROR SUMMARY: ([0-9]+ errors).*/\1/p' "$log")"
  return "$code"
}

"${CC:-gcc}" -std=c11 -g -Wall -Wextra -I "$here/../include" -I "$build/generated" "$here/../examples/agent.c" \
  "$build/libholdfast.so.0" "-Wl,-rpath,$build" -o "$out/agent"
memcheck agent "$out/agent" "$out/store" hello
grep -q '"text":"hello"' "$out/agent.out"
memcheck api_test "$build/api_test" --gtest_filter='CApi*'
grep -q 'OK.*CApiThreads' "$out/api_test.out"
