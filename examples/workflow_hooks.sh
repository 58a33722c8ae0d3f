#!/usr/bin/env bash
# The workflow as an agent's hooks would use it: one holdfast command an event,
# each of them all or nothing on disk when it returns.
#
#   workflow_hooks.sh resume                         start of a session: what is known, files that disagree corrected
#   workflow_hooks.sh start NAME MILESTONE...        a new initiative, its first milestone begun
#   workflow_hooks.sh phase COMPLETED NEXT CONTEXT   analyze plan "login form"
#   workflow_hooks.sh task TEXT [NEXT]               a task is done
#   workflow_hooks.sh learn TEXT                     a line for MEMORY.md
#   workflow_hooks.sh commit OUTCOME                 the workflow's last phase
#   workflow_hooks.sh finish OUTCOME                 milestone done, initiative completed and archived
#
# HOLDFAST is the binary, CLAUDE_PROJECT_DIR the project (default: here). Answers
# are JSON on standard output; exit code 5 means that nothing was written.
set -euo pipefail

holdfast=${HOLDFAST:-holdfast}
store=workflow:${CLAUDE_PROJECT_DIR:-$PWD}

call() { "$holdfast" "$@" --store "$store" --json; }

# ["M1","M2"] of its arguments; names with quotes or backslashes are refused.
list() {
  local text='' name
  for name in "$@"; do
    case $name in *[\"\\]*) echo "not a milestone: $name" >&2 && exit 2 ;; esac
    text+=${text:+,}\"$name\"
  done
  echo "[$text]"
}

event=${1:?which event?}
shift
case $event in
  resume) call initiative resume ;;
  start)
    name=${1:?which initiative?}
    shift
    call initiative create "$name" --milestones "$(list "$@")" >/dev/null
    call initiative start "${1:?which milestone?}"
    ;;
  phase) call workflow phase "${2:?which phase begins?}" --completed "$1" --context "${3:?about what?}" ;;
  task) call initiative task "${1:?which task?}" ${2:+--next-action "$2"} ;;
  learn) call memory learn "${1:?what?}" ;;
  commit) call workflow phase git-commit --outcome "${1:?how did it end?}" ;;
  finish)
    call initiative milestone >/dev/null
    call initiative status completed >/dev/null
    call initiative archive --outcome "${1:?how did it end?}" --yes
    ;;
  *) echo "no such event: $event" >&2 && exit 2 ;;
esac
