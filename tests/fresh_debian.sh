#!/usr/bin/env bash
# Checks the README's promise on a fresh Debian 12: debootstraps one that has nothing
# but apt, git and bash, clones the committed state of this checkout into it and runs
# ./dev there.
#
#   tests/fresh_debian.sh [--keep] [--verb VERB]...
#     --verb VERB   what to run, e.g. --verb build; default: --verb "run demo" --verb test
#     --keep        keep the Debian and print its directory
#
# Needs root and debootstrap. Uses the mirrors and proxies of this machine's apt.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
verbs=() keep=false
while (($#)); do
  case $1 in
    --verb) verbs+=("$2") && shift 2 ;;
    --keep) keep=true && shift ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2 && exit 2 ;;
  esac
done
((${#verbs[@]})) || verbs=("run demo" test)

begin=$SECONDS include=git,ca-certificates
# shellcheck source=tests/debian_root.sh
source "$repository/tests/debian_root.sh"
git clone -q --no-hardlinks "$repository" "$debian/root/holdfast"
git -C "$debian/root/holdfast" remote remove origin
echo "fresh Debian: $(cat "$debian/etc/debian_version"), $(in_debian dpkg-query -W | wc -l) packages," \
  "commit $(git -C "$debian/root/holdfast" rev-parse --short HEAD), $((SECONDS - begin)) s"

passed=0 failed=0
for verb in "${verbs[@]}"; do
  begin=$SECONDS
  echo "== ./dev $verb"
  # shellcheck disable=SC2016,SC2086 # $@ is expanded inside; a verb and its arguments
  if in_debian bash -c 'cd /root/holdfast && ./dev "$@"' dev $verb </dev/null; then
    passed=$((passed + 1))
    echo "pass  ./dev $verb ($((SECONDS - begin)) s)"
  else
    failed=$((failed + 1))
    echo "FAIL  ./dev $verb ($((SECONDS - begin)) s)"
  fi
done
echo "$passed passed, $failed failed"
((failed == 0))
