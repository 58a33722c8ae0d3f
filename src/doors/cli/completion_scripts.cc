// The scripts pass the words to `holdfast complete` and show its answer, so they need no change when a command changes.
#include "doors/cli/complete.h"

namespace holdfast::inline v1 {
namespace {

// Bash also splits words at : = and @. The script joins them again, and returns only
// the part of each answer after the last such character.
constexpr std::string_view kBash = R"bash(# bash completion of holdfast; made by: holdfast completions bash
_holdfast() {
  local line=${COMP_LINE:0:COMP_POINT} word words=() answer typed before
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ ${#words[@]} -eq 0 || $line == [[:space:]]* ]]; then
      line=${line#"${line%%[![:space:]]*}"}
      words+=("$word")
    else
      words[-1]+=$word
    fi
    line=${line#"$word"}
  done
  typed=${words[-1]} before=
  case ${COMP_WORDS[COMP_CWORD]} in
    [:=@]) before=$typed ;;
    *) before=${typed%"${COMP_WORDS[COMP_CWORD]}"} ;;
  esac
  COMPREPLY=()
  mapfile -t answer < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
  case ${answer[0]-} in
    files)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "${typed#"$before"}")
      ;;
    directories)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "${typed#"$before"}")
      ;;
    words)
      for word in "${answer[@]:1}"; do
        word=${word%%$'\t'*}
        COMPREPLY+=("${word#"$before"}")
      done
      [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
      ;;
  esac
}
complete -F _holdfast holdfast
)bash";

constexpr std::string_view kZsh = R"zsh(#compdef holdfast
# zsh completion of holdfast; made by: holdfast completions zsh
_holdfast() {
  local -a answer described
  local line
  answer=("${(@f)$("${words[1]/#\~/$HOME}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case ${answer[1]} in
    files) _files ;;
    directories) _files -/ ;;
    words)
      for line in "${(@)answer[2,-1]}"; do
        line="${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}"
        described+=("${line%:}")
      done
      (( ${#described} )) && _describe -V holdfast described
      ;;
  esac
}
if [[ ${funcstack[1]} == _holdfast ]]; then
  _holdfast "$@"
else
  compdef _holdfast holdfast
fi
)zsh";

constexpr std::string_view kFish = R"fish(# fish completion of holdfast; made by: holdfast completions fish
function __holdfast_complete
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    set -l answer ($before[1] complete -- $before[2..-1] "$typed" 2>/dev/null)
    switch "$answer[1]"
        case files
            complete -C"'' $typed"
        case directories
            __fish_complete_directories "$typed"
        case words
            test (count $answer) -gt 1; and printf '%s\n' $answer[2..-1]
    end
end
complete -c holdfast -e
complete -c holdfast -f -k -a '(__holdfast_complete)'
)fish";

}  // namespace

std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  return shell == "fish" ? kFish : std::string_view();
}

}  // namespace holdfast::inline v1
