#!/usr/bin/env bash
# Compares two builds of the same sources, one of them under qemu: both give byte-identical answers, and each can use
# what the other wrote: caches of the corpus (HOLDFAST_CORPUS, or tests/fixtures/corpus), a native store, an archive.
#   compare.sh HOLDFAST QEMU OTHER_HOLDFAST DIR
# Prints a line per comparison and how many passed. Leaves answers that differ in DIR.
set -euo pipefail
# shellcheck disable=SC2034 # as() uses one of them by name
here=("$1") there=("$2" "$3") work=$4
corpus=${HOLDFAST_CORPUS:-$(dirname "${BASH_SOURCE[0]}")/../fixtures/corpus}
passed=0 failed=0
rm -rf "$work"
mkdir -p "$work/home" "$work/out"

# as BUILD CACHE ARGUMENTS...: runs holdfast of BUILD (here or there) with that cache directory.
as() {
  local -n command=$1
  local cache=$2 && shift 2
  env -i HOLDFAST_LOCK_ORDER=abort PATH=/usr/bin:/bin HOME="$work/home" XDG_CACHE_HOME="$work/$cache" TZ=UTC \
    LC_ALL=C.UTF-8 "${command[@]}" "$@" </dev/null
}
# said FILE BUILD CACHE ARGUMENTS...: writes its output and exit code to FILE.
said() {
  local file=$work/out/$1 code=0 && shift
  as "$@" >"$file" 2>"$file.err" || code=$?
  { cat "$file.err" && echo "exit $code"; } >>"$file"
  rm "$file.err"
  ((code != 2 && code < 100)) || { head -n 5 "$file" >&2 && return 1; }
}
verdict() { # OK NAME
  if [[ $1 == true ]]; then
    passed=$((passed + 1)) && echo "pass  $2"
  else
    failed=$((failed + 1)) && echo "FAIL  $2"
  fi
}
# alike NAME HERE_CACHE THERE_CACHE ARGUMENTS...: checks that both builds give the same answer.
alike() {
  local name=$1 mine=$2 theirs=$3 ok=true file && shift 3
  file=$(printf '%s' "$name" | tr -c 'A-Za-z0-9._-' _)
  said "$file.here" here "$mine" "$@" || ok=false
  said "$file.there" there "$theirs" "$@" || ok=false
  cmp "$work/out/$file.here" "$work/out/$file.there" >&2 || ok=false
  $ok && rm "$work/out/$file".{here,there}
  verdict $ok "$name"
}
hashes() { (cd "$work/$1" && find . -type f -exec sha256sum {} + | sort -k 2); }

# ---- answers and caches -----------------------------------------------------

# Fills the caches of all stores and reads them.
questions() { # PREFIX HERE_CACHE THERE_CACHE
  alike "$1 ls" "$2" "$3" ls --all -n 5000 --json
  alike "$1 stats" "$2" "$3" stats --json
  for by in session model project agent; do alike "$1 stats by $by" "$2" "$3" stats --by $by --json; done
  alike "$1 search" "$2" "$3" search the -n 5000 --json
  alike "$1 search for two words" "$2" "$3" search file error --json
  alike "$1 search for bytes above 127" "$2" "$3" search ünïcode --json
  alike "$1 search by an expression" "$2" "$3" search --regex '[a-z]+_[0-9]{2,}' --case --json
}

compare_corpus() {
  cp -a "$corpus"/*/. "$work/home/"
  sleep 3 # a cache does not trust files that changed within the last 2 s (docs/formats/index.md)
  questions cold cache.here cache.there
  local id
  while IFS= read -r id; do
    alike "show $id" cache.here cache.there show "$id" --json
    alike "export $id" cache.here cache.there export "$id" --format html
    alike "tail $id" cache.here cache.there tail "$id" -n 3 --json
  done < <(as here cache.here ls --all -n 5000 --print0 | tr '\0' '\n')
  alike verify cache.here cache.there verify -n 5000 --json

  # A build would rewrite a cache that it does not trust.
  local before
  before=$(hashes cache.here && hashes cache.there)
  questions "swapped caches:" cache.there cache.here
  local ok=true
  [[ -n $before && $(hashes cache.here && hashes cache.there) == "$before" ]] || ok=false
  verdict $ok "each build trusts the caches of the other"

  # Sessions that the agents have lost are read from the archive.
  local writer
  for writer in here there; do
    rm -rf "$work/home/.local/share/holdfast"
    cp -a "$corpus"/*/. "$work/home/"
    as $writer cache.$writer archive run --json >"$work/out/archive.$writer"
    alike "archive of $writer: verify" cache.here cache.there archive verify --json
    rm -rf "$work/home"/.{claude,codex,pi}
    alike "archive of $writer: ls" cache.here cache.there ls --all -n 5000 --json
    alike "archive of $writer: search" cache.here cache.there search the -n 5000 --json
    alike "archive of $writer: stats" cache.here cache.there stats --json
  done
}

# ---- native stores ----------------------------------------------------------

# append BUILD STORE TEXT
append() {
  jq -Rs '{session: "ses-a", text: .}' <<<"$3" >"$work/message"
  as "$1" "cache.$1" call --store "$2" message.append @"$work/message" >/dev/null
}

compare_stores() {
  local writer other store large
  large=$(printf 'a line of a large message, %d\n' {1..20000}) # stored as a blob
  for writer in here there; do
    [[ $writer == here ]] && other=there || other=here
    store=holdfast:$work/store.$writer
    as $writer cache.$writer call --store "$store" session.create '{"id":"ses-a","title":"Löcher","project":"/srv/ä b"}' >/dev/null
    append $writer "$store" "first, by $writer: \"ünïcode\" 😀"
    append $writer "$store" "$large"
    append $other "$store" "then, by $other"
    append $writer "$store" "and $writer again"
    for words in "ls" "show ses-a" "verify" "search again" "export ses-a"; do
      # shellcheck disable=SC2086 # a command and its arguments
      alike "store of $writer: $words" cache.here cache.there $words --store "$store" --json
    done
    local ok=true
    as $other cache.$other verify --store "$store" >/dev/null 2>&1 || ok=false
    [[ $(as $other cache.$other show ses-a --store "$store" --json | jq '.messages | length') == 4 ]] || ok=false
    verdict $ok "$other reads all of the store of $writer and finds no damage"
  done
}

compare_stores
compare_corpus
echo "$passed passed, $failed failed"
((failed == 0))
