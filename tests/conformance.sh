#!/usr/bin/env bash
# Checks docs/conformance.md against a JUnit report: every claimed row names tests,
# one of them through a door of the built program, and all of them ran and passed.
# Every row of the mission must be either claimed or marked as open.
#   conformance.sh REPORT
set -euo pipefail
report=$1
table=$(dirname "${BASH_SOURCE[0]}")/../docs/conformance.md
bad=0
say() { echo "conformance: $*" >&2 && bad=1; }

# The names of the test cases with status="run", one per line.
ran=$(tr '\n' ' ' <"$report" | grep -oE '<testcase [^>]*' | grep 'status="run"' | sed -E 's/.*[^a-z]name="([^"]*)".*/\1/' | sort -u)
[[ -n $ran ]] || { say "no test ran according to $report"; exit 1; }

claimed=0 open=0 said=
while IFS='|' read -r _ row what layout tests _; do
  row=${row// /} layout=${layout// /}
  [[ $row =~ ^[LOGWM][0-9]{2}$ ]] || continue
  [[ -n ${what// /} ]] && said+=" $row"
  if [[ $tests =~ ^\ *open: ]]; then
    open=$((open + 1))
    continue
  fi
  # shellcheck disable=SC2016 # Markdown backquotes
  names=$(grep -oE '`[^`]+`' <<<"$tests" | tr -d '`' || true)
  [[ -n $names ]] || say "row $row ($layout) names no test"
  while read -r name; do
    [[ -z $name ]] || grep -qxF -- "$name" <<<"$ran" || say "row $row ($layout) names $name, which did not run or did not pass"
  done <<<"$names"
  claimed=$((claimed + 1))
done <"$table"

for row in $(printf 'L%02d ' {1..24}) $(printf 'O%02d ' {1..18}) $(printf 'G%02d ' {1..16}) $(printf 'W%02d ' {1..13}) $(printf 'M%02d ' {1..20}); do
  lines=$(grep -E "^\| $row " "$table") || say "row $row of the mission has no line"
  [[ " $said " == *" $row "* ]] || say "row $row does not say what works"
  [[ $lines == *'`system_test.'* || $lines == *'| open:'* ]] || say "row $row names no test through a door (system_test)"
done
echo "conformance: $claimed lines claimed, $open open"
exit $bad
