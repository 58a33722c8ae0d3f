# Sourced by tests/fresh_*.sh: makes a fresh Debian 12 and runs commands in it. The caller
# sets keep=true|false and include=PACKAGES. Needs root and debootstrap. Uses the mirrors and
# proxies of this machine's apt. Sets $debian, its directory, and defines in_debian.
# shellcheck shell=bash disable=SC2154 # keep and include are the caller's

release=bookworm
((EUID == 0)) || { echo "$0: debootstrap and chroot need root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "$0: debootstrap is missing" >&2; exit 2; }

# in_debian mounts in its own mount namespace, so no mount is visible here and
# removing the directory cannot delete through one.
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

# in_debian COMMAND...: runs a command as root with a clean environment, /proc, /sys
# and /dev. All its processes and mounts end with the namespace, however it ends.
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
[[ -n $mirror ]] || { echo "$0: this machine's apt has no mirror of $release" >&2; exit 2; }

debootstrap --variant=minbase --include="$include" $release "$debian" "$mirror" >"$debian.log" 2>&1 ||
  { tail -n 30 "$debian.log" >&2; exit 1; }
rm -f "$debian.log"
awk '{ print "deb", $1, $2, $3 }' <<<"$repositories" >"$debian/etc/apt/sources.list"
apt-config dump --format '%F "%v";%n' | grep -E '^Acquire::(http|https|Check-|Retries)' >"$debian/etc/apt/apt.conf.d/99host" || true
cp -L /etc/resolv.conf /etc/hosts "$debian/etc/"
