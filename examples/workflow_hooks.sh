#!/usr/bin/env bash
# The workflow as an agent's hooks would use it: one or more holdfast commands per event.
# Each command is on the disk completely or not at all when it returns.
#
#   workflow_hooks.sh resume                         session start: prints what is known, corrects stale files
#   workflow_hooks.sh start NAME MILESTONE...        creates an initiative and begins its first milestone
#   workflow_hooks.sh phase COMPLETED NEXT CONTEXT   moves to the next phase: analyze plan "login form"
#   workflow_hooks.sh task TEXT [NEXT]               marks a task as done
#   workflow_hooks.sh learn TEXT                     adds a line to MEMORY.md
#   workflow_hooks.sh commit OUTCOME                 ends the workflow with its last phase
#   workflow_hooks.sh finish OUTCOME                 completes the milestone, completes and archives the initiative
#
# HOLDFAST is the binary, CLAUDE_PROJECT_DIR the project (default: the current
# directory). Answers are JSON on standard output. Exit code 5: nothing was written.
set -euo pipefail

holdfast=${HOLDFAST:-holdfast}
store=workflow:${CLAUDE_PROJECT_DIR:-$PWD}

call() { "$holdfast" "$@" --store "$store" --json; }

# Prints its arguments as a JSON list. Refuses names with quotes or backslashes.
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
