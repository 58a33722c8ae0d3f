#!/usr/bin/env bash
# Every row that docs/conformance.md claims names tests, one of them through the
# doors of the built program, and each of them ran and passed in the run whose
# JUnit report is given; every row of the mission is either claimed or said to be
# open.   conformance.sh REPORT
set -euo pipefail
report=$1
table=$(dirname "${BASH_SOURCE[0]}")/../docs/conformance.md
bad=0
say() { echo "conformance: $*" >&2 && bad=1; }

# name="..." ... status="run" of each test case, one a line.
ran=$(tr '\n' ' ' <"$report" | grep -oE '<testcase [^>]*' | grep 'status="run"' | sed -E 's/.*[^a-z]name="([^"]*)".*/\1/' | sort -u)
[[ -n $ran ]] || { say "no test ran according to $report"; exit 1; }

claimed=0 open=0
while IFS='|' read -r _ row layout tests _; do
  row=${row// /} layout=${layout// /}
  [[ $row =~ ^[LOGWM][0-9]{2}$ ]] || continue
  if [[ $tests =~ ^\ *open: ]]; then
    open=$((open + 1))
    continue
  fi
  # shellcheck disable=SC2016 # backquotes of Markdown
  names=$(grep -oE '`[^`]+`' <<<"$tests" | tr -d '`' || true)
  [[ -n $names ]] || say "row $row ($layout) names no test"
  while read -r name; do
    [[ -z $name ]] || grep -qxF -- "$name" <<<"$ran" || say "row $row ($layout) names $name, which did not run or did not pass"
  done <<<"$names"
  claimed=$((claimed + 1))
done <"$table"

for row in $(printf 'L%02d ' {1..24}) $(printf 'O%02d ' {1..18}) $(printf 'G%02d ' {1..16}) $(printf 'W%02d ' {1..13}) $(printf 'M%02d ' {1..20}); do
  lines=$(grep -E "^\| $row " "$table") || say "row $row of the mission has no line"
  [[ $lines == *'`system_test.'* || $lines == *'| open:'* ]] || say "row $row names no test through a door (system_test)"
done
echo "conformance: $claimed lines claimed, $open open"
exit $bad
