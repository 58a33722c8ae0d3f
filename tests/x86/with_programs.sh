#!/usr/bin/env bash
# Runs a command in its own user namespace, in which the kernel starts programs of ARCH with QEMU like native ones.
# Needs Linux 6.7. On older kernels the mount fails, and so does this script. Does not use or change what the machine
# itself has registered. The command runs as the calling user.
#   with_programs.sh ARCH QEMU COMMAND...
set -euo pipefail
case $1 in # as in qemu's scripts/qemu-binfmt-conf.sh: a 64-bit ELF, executable or shared, of that processor
  amd64) processor='\x3e' byte='\xfe' ;;
  arm64) processor='\xb7' byte='\xff' ;;
  *) exit 2 ;;
esac
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00'$processor'\x00'
mask='\xff\xff\xff\xff\xff'$byte$byte'\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
rule=":holdfast-$1:M::$magic:$mask:$(realpath "$2"):PF" # F: opens qemu now, so that it works in every root
shift 2

# shellcheck disable=SC2016 # expanded inside
register='
  mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  printf "%s" "$1" >/proc/sys/fs/binfmt_misc/register
  shift
'
if ((EUID != 0)); then
  # Only root may mount. A second namespace maps root back to the caller.
  exec unshare --user --map-root-user --mount bash -euc "$register"'exec unshare --user "$@"' with_programs \
    "$rule" --map-user="$EUID" --map-group="$(id -g)" -- "$@"
fi

# As root, tests switch to other users, so every id maps to itself. Only a process outside of the namespace may write
# that map, and root's capabilities come with the first exec after it.
{
  exec >/dev/null 2>&1
  until [[ $(readlink "/proc/$$/ns/user") != "$(readlink /proc/self/ns/user)" ]]; do sleep 0.01; done
  echo 0 0 4294967295 >"/proc/$$/gid_map"
  echo 0 0 4294967295 >"/proc/$$/uid_map"
} &
# shellcheck disable=SC2016 # expanded inside
exec unshare --user --mount bash -euc '
  for ((tries = 0; $(id -u) != 0; ++tries)); do ((tries < 1000)) || exit 1; sleep 0.01; done
  exec bash -euc "$@"
' with_programs "$register"'exec "$@"' with_programs "$rule" "$@"
