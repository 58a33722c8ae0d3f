#!/usr/bin/env bash
# Makes changelog/VERSION.md from the files in changelog/unreleased/, by kind, and
# removes them.  gather.sh VERSION [--print]   --print: writes to standard output and removes nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
shopt -s nullglob
version=${1:?gather.sh VERSION [--print]} print=${2:-}
[[ $version =~ ^[0-9]+(\.[0-9]+)*$ ]] || { echo "usage: gather.sh VERSION [--print]" >&2 && exit 2; }

gather() {
  local kind file title
  echo "# Holdfast $version"
  for kind in security fixed changed removed added; do
    title=${kind^}
    for file in unreleased/*.md; do
      [[ -e $file && $(sed -n 's/^kind: *//p' "$file" | head -n 1) == "$kind" ]] || continue
      [[ -z $title ]] || printf '\n## %s\n' "$title"
      title=
      # Print the text after the first empty line as one list item, unless it already begins with a dash.
      sed '1,/^$/d' "$file" | awk 'NF { if ($0 ~ /^- /) print; else if (!begun) { print "- " $0; begun = 1 } else print "  " $0 }'
    done
  done
}

for file in unreleased/*.md; do
  grep -qE '^kind: *(added|changed|fixed|removed|security)$' "$file" ||
    { echo "gather.sh: $file names no kind (added, changed, fixed, removed, security)" >&2 && exit 1; }
done
if [[ $print == --print ]]; then
  gather
else
  [[ ! -e $version.md ]] || { echo "gather.sh: changelog/$version.md already exists" >&2 && exit 1; }
  gather >"$version.md"
  rm -- unreleased/*.md
fi
