# Sourced by ./dev: runs the tests of a cross build under qemu and compares that build with the release build.
# shellcheck shell=bash disable=SC2034 # runner and skipped belong to ./dev

# left_out WHEN: prints the regular expressions for WHEN in tests/x86/left_out.txt, joined into one.
left_out() { awk -v when="$1" '$1 == when { printf "%s%s", sep, $2; sep = "|" }' tests/x86/left_out.txt; }

# say_left_out ARCH WHEN: prints which tests are left out and why. Writes their names to build/ARCH/left_out.WHEN.
say_left_out() {
  local names=build/$1/left_out.$2 number
  ctest --test-dir "build/$1" -N -R "$(left_out "$2")" | sed -nE 's/^ *Test +#[0-9]+: //p' >"$names"
  [[ $2 != programs ]] || { grep -vE "$(left_out still)|$(left_out always)" "$names" >"$names.new" || true; mv "$names.new" "$names"; }
  number=$(wc -l <"$names")
  skipped=$((skipped + number))
  echo "$number tests are left out under qemu (names: $names):"
  sed -nE "s/^$2 +/  /p" tests/x86/left_out.txt
}

# run_emulated ARCH [CTEST ARGS...]
run_emulated() {
  local arch=$1 && shift
  local qemu=build/cross/$arch/qemu binary=build/$arch/holdfast
  say_left_out "$arch" always
  runner=(tests/x86/with_programs.sh "$arch" "$qemu")
  if "${runner[@]}" "$binary" --version >/dev/null 2>&1; then
    run_tests "$arch" -E "$(left_out always)" "$@"
  else
    runner=()
    echo "This kernel, Linux $(uname -r), cannot start $arch programs in a user namespace (6.7 can)."
    say_left_out "$arch" programs
    run_tests "$arch" -E "$(left_out always)|$(left_out programs)" "$@"
    run_tests "$arch" -R "$(left_out still)"
  fi
  # Emulate a processor of 2003, which has no CRC instruction.
  [[ $arch != amd64 ]] || QEMU_CPU=qemu64 run_tests "$arch" -R '^(base|text)_test\.'
  runner=()
  counted tests/x86/compare.sh "$PWD/build/release/holdfast" "$PWD/$qemu" "$PWD/$binary" "$PWD/build/check/$arch"
}
