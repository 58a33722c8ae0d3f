# Sourced by ./dev: the tests of a cross build under qemu, and what it and the release build must have in common.
# shellcheck shell=bash disable=SC2034 # runner and skipped are those of ./dev

# left_out WHEN: the regular expressions of tests/x86/left_out.txt, as one.
left_out() { awk -v when="$1" '$1 == when { printf "%s%s", sep, $2; sep = "|" }' tests/x86/left_out.txt; }

# run_emulated ARCH [CTEST ARGS...]
run_emulated() {
  local arch=$1 && shift
  local qemu=build/cross/$arch/qemu binary=build/$arch/holdfast without number
  without=$(left_out always)
  echo "Left out under qemu:"
  sed -nE 's/^always +/  /p' tests/x86/left_out.txt
  runner=(tests/x86/with_programs.sh "$arch" "$qemu")
  if ! "${runner[@]}" "$binary" --version >/dev/null 2>&1; then
    runner=()
    without+="|$(left_out programs)"
    echo "Left out too, because they start programs: this kernel, Linux $(uname -r), does not start those of $arch in a user namespace (6.7 does):"
    sed -nE 's/^programs +/  /p' tests/x86/left_out.txt
  fi
  number=$(ctest --test-dir "build/$arch" -N -R "$without" | sed -nE 's/^Total Tests: //p')
  skipped=$((skipped + ${number:-0}))

  run_tests "$arch" -E "$without" "$@"
  # A processor of 2003, which has no instruction for CRCs.
  [[ $arch != amd64 ]] || QEMU_CPU=qemu64 run_tests "$arch" -R '^(base|text)_test\.'
  runner=()
  counted tests/x86/compare.sh "$PWD/build/release/holdfast" "$PWD/$qemu" "$PWD/$binary" "$PWD/build/check/$arch"
}
