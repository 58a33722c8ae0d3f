#!/usr/bin/env bash
# Checks that the packages of `./dev package` install and work on a fresh Debian 12: the binary, its man pages and
# completions, programs in C++ and C that link the library, and the packages for Python and Node.
#
#   tests/fresh_package.sh [--keep] [DIRECTORY]
#     DIRECTORY  where the packages are; default: build/release/package
#     --keep     keep the Debian and print its directory
# shellcheck disable=SC2016 # expanded inside the Debian
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
keep=false packages=$repository/build/release/package
while (($#)); do
  case $1 in
    --keep) keep=true && shift ;;
    /* | ./* | [a-z]*) packages=$1 && shift ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2 && exit 2 ;;
  esac
done
ls "$packages"/holdfast_*.deb >/dev/null || { echo "fresh_package.sh: no package found; run ./dev package first" >&2; exit 2; }

include=ca-certificates
# shellcheck source=tests/debian_root.sh
source "$repository/tests/debian_root.sh"
# minbase keeps manual pages, but some images exclude them.
rm -f "$debian/etc/dpkg/dpkg.cfg.d/excludes"
mkdir "$debian/root/packages"
cp "$packages"/*.{deb,tgz} "$debian/root/packages/"
mkdir "$debian/root/consumer"
cp "$repository/tests/consumer/CMakeLists.txt" "$repository/tests/consumer/main.cc" \
  "$repository"/examples/{record_session,agent}.cc "$repository/examples/agent.c" "$debian/root/consumer/"
in_debian apt-get update -q >/dev/null

passed=0 failed=0
# check NAME SCRIPT: runs the script in the Debian, as root unless it uses su.
check() {
  if in_debian bash -euo pipefail -c "$2" >"$debian.out" 2>&1 </dev/null; then
    passed=$((passed + 1)) && echo "pass  $1"
  else
    failed=$((failed + 1)) && echo "FAIL  $1" && tail -n 30 "$debian.out"
  fi
  rm -f "$debian.out"
}

check "installs with its dependencies" \
  'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends /root/packages/holdfast_*.deb && useradd -m somebody
  ! dpkg -s libholdfast0'
check "runs" 'su somebody -c "holdfast --version && holdfast && { holdfast stores || [ \$? = 1 ]; }"'
check "stores a session" 'su - somebody -c "
  holdfast session create --title Fresh && holdfast message append @last hello && holdfast show @last | grep hello &&
  holdfast ls | grep Fresh && holdfast verify"'
check "loses nothing in the demo" 'su somebody -c "cd /tmp && holdfast demo --seconds 2"'
check "has man pages" 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends man-db &&
  man -w holdfast holdfast-ls holdfast-session && man holdfast-search | grep -q SYNOPSIS &&
  test "$(man --warnings holdfast 2>&1 >/dev/null | wc -l)" = 0'
check "completes in bash, zsh and fish" \
  'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends bash-completion zsh fish
  source /usr/share/bash-completion/bash_completion
  COMP_WORDS=(holdfast dem) COMP_CWORD=1 COMP_LINE="holdfast dem" COMP_POINT=12
  _completion_loader holdfast || [[ $? == 124 ]]; _holdfast; [[ ${COMPREPLY[*]} == demo ]]
  zsh -c "autoload -Uz compinit && compinit -u && [[ \${_comps[holdfast]} == _holdfast ]]"
  zsh -n /usr/share/zsh/vendor-completions/_holdfast
  fish -c "complete -C \"holdfast dem\"" | grep -q "^demo"'
check "can be linked" 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends g++ cmake ninja-build \
    pkg-config /root/packages/libholdfast0_*.deb /root/packages/libholdfast-dev_*.deb
  cmake -S /root/consumer -B /root/consumer/build -G Ninja && cmake --build /root/consumer/build
  /root/consumer/build/consumer /root/data
  [[ $(/root/consumer/build/record_session /root/store) == "why does login fail?" ]]'
check "can be linked from C" 'gcc /root/consumer/agent.c $(pkg-config --cflags --libs holdfast) -o /root/agent && cd /tmp && HOME=/tmp /root/agent /tmp/from-c hello'
check "works from Python" 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends /root/packages/python3-holdfast_*.deb
  su - somebody -c "python3 -c \"
import holdfast, holdfast.claude_agent_sdk
with holdfast.Store() as store:
    store.create(title='"'"'of Python'"'"').append('"'"'hello'"'"')
\" && holdfast ls | grep \"of Python\""'
check "works from Node, with the library in the package" 'apt-get purge -q -y python3-holdfast libholdfast-dev libholdfast0
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends nodejs npm
  install -d -o somebody /home/somebody/program && cp /root/packages/holdfast-*.tgz /home/somebody/program/
  su - somebody -c "cd program && npm install --offline --no-audit --no-fund ./holdfast-*.tgz && node -e \"
    const { Store } = require('"'"'holdfast'"'"');
    (async () => { const store = new Store(); await (await store.create({ title: '"'"'of Node'"'"' })).append('"'"'hello'"'"'); await store.close(); })()
  \" && holdfast ls | grep \"of Node\""'
check "includes the licenses" 'grep -q OpenSSL /usr/share/doc/holdfast/NOTICE && for name in libboost libsodium libssl libtomlplusplus libxxhash; do [[ -s /usr/share/doc/holdfast/copyright.$name ]] || exit 1; done'
check "uninstalls completely" 'apt-get purge -q -y holdfast && ! command -v holdfast && ! test -e /usr/include/holdfast && ! compgen -G "/usr/lib/libholdfast*" && ! test -e /usr/lib/python3/dist-packages/holdfast'
echo "$passed passed, $failed failed"
((failed == 0))
