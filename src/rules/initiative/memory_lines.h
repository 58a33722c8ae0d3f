// The lines that workflows keep in MEMORY.md (layer 2): learnings under their
// headings, one line for the position of an active workflow, one for a finished
// one. Texts in, texts out; every byte outside the lines named stays, line ends
// included. Fenced code is not looked into. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

inline constexpr std::string_view kInitiativePatterns = "Initiative Patterns";
inline constexpr std::string_view kInterviewPatterns = "Interview Patterns";
inline constexpr std::string_view kDelegationPatterns = "Delegation Patterns";
inline constexpr std::string_view kWorkflowState = "Workflow State";

// The seed's text for a phase boundary, else its general format (W04). `type` is
// the kind of workflow (APEX, DEBUG, ...); empty: that of the boundary, APEX when
// it is none of the seed's five.
std::string phase_line(std::string_view type, std::string_view completed, std::string_view next,
                       std::string_view context);
// The type that one of the seed's five boundaries belongs to; empty for others.
std::string_view type_of_boundary(std::string_view completed, std::string_view next);
// git-commit and x-archive, and the short names of both.
bool is_terminal_phase(std::string_view phase);
// "Completed {type} for {context}: {outcome}" (W03).
std::string completion_line(std::string_view type, std::string_view context, std::string_view outcome);

struct ActiveLine {
  std::string type;  // "APEX"
  std::string text;  // the whole text, without bullet and quotes
};
std::vector<ActiveLine> active_lines(std::string_view memory);

// The texts of a section's list items, without bullets and quotes.
std::vector<std::string> lines_under(std::string_view memory, std::string_view heading);

// `memory` with "- text" as the last line of the section, which is made when it is
// missing; the same bytes when some line says so already.
std::string with_line(std::string_view memory, std::string_view heading, std::string_view text);

// The workflow that an active line is of. `phase`: the one that the line says is under way, where it is known.
struct WorkflowName {
  std::string_view type;
  std::string_view context;
  std::string_view phase = {};
};

// `memory` with `text` in the place of the active lines of this workflow. Without one: a new line under Workflow State.
std::string with_workflow_line(std::string_view memory, const WorkflowName& workflow, std::string_view text);
// `memory` without the active lines of this workflow.
std::string without_workflow_line(std::string_view memory, const WorkflowName& workflow);

}  // namespace holdfast::inline v1
