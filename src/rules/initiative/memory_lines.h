// The lines that workflows keep in MEMORY.md (layer 2): learnings under their headings,
// one line for the position of an active workflow, one for a finished one. Functions
// from text to text; every byte outside the named lines stays, line ends included.
// Fenced code is ignored. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

inline constexpr std::string_view kInitiativePatterns = "Initiative Patterns";
inline constexpr std::string_view kInterviewPatterns = "Interview Patterns";
inline constexpr std::string_view kDelegationPatterns = "Delegation Patterns";
inline constexpr std::string_view kWorkflowState = "Workflow State";

// Returns the seed's text for a phase boundary, else its general format (W04). `type`
// is the kind of workflow (APEX, DEBUG, ...); if empty, that of the boundary, or APEX
// if the boundary is not one of the seed's five.
std::string phase_line(std::string_view type, std::string_view completed, std::string_view next,
                       std::string_view context);
// Returns the type that one of the seed's five boundaries belongs to; empty for others.
std::string_view type_of_boundary(std::string_view completed, std::string_view next);
// Returns the type of the workflow that begins with this phase (analyze, troubleshoot, brainstorm); empty for others.
std::string_view type_of_opening(std::string_view phase);
// True for git-commit and x-archive, and the short names of both.
bool is_terminal_phase(std::string_view phase);
// "Completed {type} for {context}: {outcome}" (W03).
std::string completion_line(std::string_view type, std::string_view context, std::string_view outcome);

struct ActiveLine {
  std::string type;  // "APEX"
  std::string text;  // the whole text, without bullet and quotes
};
std::vector<ActiveLine> active_lines(std::string_view memory);

// Returns the texts of a section's list items, without bullets and quotes.
std::vector<std::string> lines_under(std::string_view memory, std::string_view heading);

// Returns `memory` with "- text" as the last line of the section, which is created if
// missing; unchanged if some line says so already.
std::string with_line(std::string_view memory, std::string_view heading, std::string_view text);

// Identifies the workflow of an active line. `phase` is the phase under way according to the line, if known.
struct WorkflowName {
  std::string_view type;
  std::string_view context;
  std::string_view phase = {};
};

// Returns `memory` with `text` in place of the active lines of this workflow. If there are none, adds a line under
// Workflow State.
std::string with_workflow_line(std::string_view memory, const WorkflowName& workflow, std::string_view text);
// Returns `memory` without the active lines of this workflow.
std::string without_workflow_line(std::string_view memory, const WorkflowName& workflow);

}  // namespace holdfast::inline v1
