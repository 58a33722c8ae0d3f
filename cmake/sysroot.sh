#!/usr/bin/env bash
# Makes what cmake/cross.cmake needs: DIR/root, a tree of Debian 12 packages for ARCH with their dependencies, and
# DIR/qemu. Unpacks the packages with its own apt state, so it needs no root and does not change this machine's apt or
# its architectures. qemu comes from backports, because the one in Debian 12 does not support openat2.
#   sysroot.sh ARCH DIR PACKAGE...
set -euo pipefail
release=bookworm
arch=$1 dir=$2 && shift 2
packages=(libc6-dev libstdc++-12-dev "$@")
case $arch in
  amd64) emulator=qemu-x86_64 ;;
  arm64) emulator=qemu-aarch64 ;;
  *) echo "$0: no such architecture: $arch" >&2 && exit 2 ;;
esac
made="${packages[*]}"
[[ ! -e $dir/made || $(cat "$dir/made") != "$made" ]] || exit 0

echo "Unpacking for $arch: $made, $emulator" >&2
rm -rf "$dir"
mkdir -p "$dir/root"
dir=$(cd "$dir" && pwd)

# Use the mirrors of this machine's apt.
# shellcheck disable=SC2016 # apt's variables
repositories=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  awk -v release=$release '$2 ~ "^" release "(-updates|-security)?$" && $3 == "main" { print "deb", $0 }' | sort -u)
mirror=$(awk -v release=$release '$3 == release { print $2; exit }' <<<"$repositories")
[[ -n $mirror ]] || { echo "$0: this machine's apt has no mirror of $release" >&2; exit 2; }

# fetch ARCH SOURCES PACKAGE...: downloads the packages and their dependencies into DIR/apt-ARCH/cache/archives.
fetch() {
  local own=$dir/apt-$1 options
  mkdir -p "$own"/{state/lists/partial,cache/archives/partial}
  : >"$own/status"
  echo "$2" >"$own/sources.list"
  options=(-q -o Dir::State="$own/state" -o Dir::State::status="$own/status" -o Dir::Cache="$own/cache"
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::sourcelist="$own/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o APT::Architecture="$1" -o APT::Architectures="$1" -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none
    -o APT::Get::List-Cleanup=false -o Debug::NoLocking=true)
  shift 2
  {
    apt-get "${options[@]}" update &&
      apt-get "${options[@]}" install -y --no-install-recommends --download-only "$@"
  } >"$dir/apt.log" 2>&1 || { cat "$dir/apt.log" >&2 && return 1; }
}

fetch "$arch" "$repositories" "${packages[@]}"
for name in bin sbin lib lib64; do
  mkdir -p "$dir/root/usr/$name"
  ln -s "usr/$name" "$dir/root/$name"
done
for package in "$dir/apt-$arch"/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$dir/root"
done
while IFS= read -r link; do
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$dir/root$(readlink "$link")")" "$link"
done < <(find "$dir/root" -type l -lname '/*')

here=$(dpkg --print-architecture)
[[ $here != "$arch" ]] || { echo "$0: this machine is $arch" >&2; exit 2; }
fetch "$here" "deb $mirror $release-backports main" qemu-user
dpkg-deb --fsys-tarfile "$dir/apt-$here"/cache/archives/qemu-user_*.deb | tar -xO "./usr/bin/$emulator" >"$dir/qemu"
chmod +x "$dir/qemu"
rm -rf "$dir/apt-$arch" "$dir/apt-$here"
echo "$made" >"$dir/made"
