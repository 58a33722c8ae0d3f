// Holdfast's hooks in the settings.json of Claude Code, and the text that explains the commands to it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1::claude_code {

// See AgentHooks::add and AgentHooks::remove.
Result<std::string> add_hooks(std::string_view settings, std::string_view program, bool capture);
Result<std::string> remove_hooks(std::string_view settings);

// For CLAUDE.md or a skill.
inline constexpr std::string_view kHooksText =
    R"(## Workflow state

`holdfast` keeps the state of initiatives and workflows of this project. Do not write `.claude/initiative.json`,
`.claude/workflow-state.json`, `.claude/interview-state.json`, `WORKFLOW-STATUS.yaml` or the workflow lines of
`MEMORY.md` yourself. Run the command for what happened; everything it changes is on disk when it returns. Run
commands from the project's directory, and pass on every line that begins with `warning:`.

| when | command |
|---|---|
| an initiative begins | `holdfast initiative create NAME --milestones '["M1","M2"]'`, then `holdfast initiative start M1` |
| a task is done | `holdfast initiative task "what was done" --next-action "what comes next"` |
| a milestone is done | `holdfast initiative milestone --notes "how it went"` |
| the status changes | `holdfast initiative status blocked` (or in_progress, completed) |
| a phase is over, the next begins | `holdfast workflow phase implement --completed plan --context "login form"` |
| a workflow ends | `holdfast workflow phase git-commit --outcome "all green"` |
| something was learned | `holdfast memory learn "The build needs cmake 3.25"` |
| a skill has interviewed the user | `holdfast interview record SKILL --confidence '{"problem_understanding":80}'` |
| work was handed to another agent | `holdfast delegation record --agent NAME --task "what"` |
| an initiative is completed | `holdfast initiative archive --outcome "shipped" --yes` |
| where do we stand? | `holdfast initiative context` |
)";

}  // namespace holdfast::inline v1::claude_code
