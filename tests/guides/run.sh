#!/usr/bin/env bash
# Runs the commands of a guide as a new user would: every ```sh block in order, in
# one shell, in an empty home. Stops at the first command that fails. A ```text block
# right after one is its exact output, where … matches anything. A <!-- test ... -->
# before a block makes what readers already have (their own stores).
#   run.sh HOLDFAST GUIDE
#
# Provides HOME, a working directory, REPO (the sources), and `holdfast`.
set -euo pipefail
binary=$1 guide=$2
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/bin" "$home/desk" "$home/.blocks"
ln -s "$binary" "$home/bin/holdfast"
ln -s "$repo/examples/workflow_hooks.sh" "$home/bin/workflow_hooks.sh"

# Make one script of all blocks. Block N prints to .blocks/N.out; N.text is the expected output.
awk -v out="$home/.blocks" '
  function begin(line) { n++; printf "exec >%s/%d.out 2>%s/%d.err\nblock=%d\n#%s\n", out, n, out, n, n, line }
  /^```sh$/ { begin(FNR); inside = "sh"; next }
  /^<!-- test$/ { begin(FNR); inside = "sh"; next }
  /^```text$/ && after { inside = "text"; printf "" > (out "/" n ".text"); next }
  /^(```|-->)$/ { after = inside == "sh"; inside = ""; next }
  inside == "sh" { print; next }
  inside == "text" { print > (out "/" n ".text"); next }
  NF { after = 0 }
' "$guide" >"$home/.blocks/script"
count=$(grep -c '^block=' "$home/.blocks/script" || true)
if [[ $count == 0 ]]; then
  echo "$(basename "$guide"): nothing to run" >&2
  exit 1
fi

fail() {
  echo "$(basename "$guide"), block $1: $2" >&2
  sed -n "/^block=$1\$/,/^exec /p" "$home/.blocks/script" | sed '/^exec /d; /^block=/d; /^#[0-9]*$/d' >&2
  tail -n 20 "$home/.blocks/$1.out" "$home/.blocks/$1.err" >&2
  exit 1
}

status=0
(cd "$home/desk" && env -i HOLDFAST_LOCK_ORDER=abort PATH="$home/bin:/usr/local/bin:/usr/bin:/bin" HOME="$home" REPO="$repo" \
  LC_ALL=C.UTF-8 TZ=UTC \
  bash -euc "$(cat "$home/.blocks/script")" </dev/null) || status=$?
last=$(find "$home/.blocks" -name '*.err' -printf '%f\n' | sort -n | tail -n 1)
[[ $status == 0 ]] || fail "${last%.err}" "exit code $status"
for wanted in "$home"/.blocks/*.text; do
  [[ -e $wanted ]] || continue
  number=$(basename "$wanted" .text)
  patterns=$(sed -e 's/[][\\.^$*]/\\&/g' -e 's/…/.*/g' "$wanted")
  got=$home/.blocks/$number.out
  [[ $(wc -l <"$got") == $(wc -l <"$wanted") ]] || fail "$number" "it prints $(wc -l <"$got") lines, not $(wc -l <"$wanted")"
  line=0
  while IFS= read -r pattern; do
    line=$((line + 1))
    sed -n "${line}p" "$got" | grep -qx -- "$pattern" || fail "$number" "line $line is not as the guide says"
  done <<<"$patterns"
done
echo "$(basename "$guide"): $count blocks run"
