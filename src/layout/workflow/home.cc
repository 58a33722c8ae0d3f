#include "base/ascii.h"
#include "layout/agent_home.h"
#include "layout/workflow/workflow_layout.h"

namespace holdfast::inline v1::workflow {
namespace {

// Claude Code's auto-memory of a project: its path with everything but letters and digits replaced by '-'.
std::string memory_of(std::string_view project) {
  std::string key(project);
  for (char& letter : key)
    if (!is_ascii_alnum(letter)) letter = '-';
  return "projects/" + key + "/memory";
}

}  // namespace

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.from = HomeFolder::From::project, .folder = ".claude", .needs = ".claude"},
      // The last one stays after an initiative was archived.
      .marks = {".claude/initiative.json", ".claude/workflow-state.json", ".claude/interview-state.json",
                ".claude/.holdfast"},
      .beside = {.root = kMemory, .place = {.folder = ".claude", .variable = "CLAUDE_CONFIG_DIR"}, .below = memory_of}};
  return home;
}

}  // namespace holdfast::inline v1::workflow
