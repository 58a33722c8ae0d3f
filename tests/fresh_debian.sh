#!/usr/bin/env bash
# Proves on a fresh Debian 12 what the README promises: debootstraps one that has
# nothing but apt, git and bash, clones the committed state of this checkout into it
# and runs ./dev there.
#
#   tests/fresh_debian.sh [--keep] [--verb VERB]...
#     --verb VERB   what to run, e.g. --verb build; default: --verb "run demo" --verb test
#     --keep        leave the Debian behind and say where
#
# Needs root and debootstrap. Mirrors and proxies are those of this machine's apt.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
release=bookworm
verbs=() keep=false
while (($#)); do
  case $1 in
    --verb) verbs+=("$2") && shift 2 ;;
    --keep) keep=true && shift ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2 && exit 2 ;;
  esac
done
((${#verbs[@]})) || verbs=("run demo" test)
((EUID == 0)) || { echo "fresh_debian.sh: debootstrap and chroot need root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "fresh_debian.sh: debootstrap is missing" >&2; exit 2; }

# Mounts are made in a mount namespace of their own (in_debian), so none is visible
# here and removing the directory cannot reach through one.
debian=$(mktemp -d -t holdfast-debian.XXXXXX)
chmod 755 "$debian"
cleanup() {
  if $keep; then
    echo "kept: $debian" >&2
  else
    rm -rf --one-file-system "$debian"
  fi
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# in_debian COMMAND...: as root, with a clean environment, /proc, /sys and /dev. The
# namespace takes every process and every mount with it when it ends, however it ends.
# shellcheck disable=SC2016 # expanded inside
in_debian() {
  unshare --mount --propagation private --pid --fork --kill-child bash -c '
    set -euo pipefail
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" "$@"
  ' in_debian "$debian" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "${proxies[@]}" "$@"
}

proxies=()
for name in http_proxy https_proxy no_proxy; do
  [[ -z ${!name:-} ]] || proxies+=("$name=${!name}")
done

# shellcheck disable=SC2016 # apt's variables
repositories=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  awk -v release=$release '$2 ~ "^" release "(-updates|-security)?$" && $3 == "main"')
mirror=$(awk -v release=$release '$2 == release { print $1; exit }' <<<"$repositories")
[[ -n $mirror ]] || { echo "fresh_debian.sh: this machine's apt knows no mirror of $release" >&2; exit 2; }

begin=$SECONDS
debootstrap --variant=minbase --include=git,ca-certificates $release "$debian" "$mirror" >"$debian.log" 2>&1 ||
  { tail -n 30 "$debian.log" >&2; exit 1; }
rm -f "$debian.log"
awk '{ print "deb", $1, $2, $3 }' <<<"$repositories" >"$debian/etc/apt/sources.list"
apt-config dump --format '%F "%v";%n' | grep -E '^Acquire::(http|https|Check-|Retries)' >"$debian/etc/apt/apt.conf.d/99host" || true
cp -L /etc/resolv.conf /etc/hosts "$debian/etc/"
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
