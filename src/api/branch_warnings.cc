#include "api/branch_warnings.h"

#include "api/call.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kOwn = " of other branches, or replaced by a compaction,";

}  // namespace

std::vector<std::string> omitted_branch_warnings(const OffBranch& off) {
  constexpr std::string_view kEnd = " left out; use --branch all to include them";
  std::vector<std::string> lines;
  if (off.own > 0) lines.push_back(counted(off.own, "message") + std::string(kOwn) + std::string(kEnd));
  if (off.aside > 0) lines.push_back(counted(off.aside, "message") + " of sub-agents" + std::string(kEnd));
  return lines;
}

std::vector<std::string> hidden_branch_warnings(const Call& call, const SessionName& session, const OffBranch& off) {
  if (off.own == 0) return {};
  std::string command = "holdfast show " + session_word(session.layout, session.id);
  for (const std::string_view option : {"machine", "store"})
    if (call.has(option)) command += " --" + std::string(option) + " " + shell_word(call.text(option));
  return {counted(off.own, "message") + std::string(kOwn) + " not shown; run " + command + " --branch all to show all"};
}

}  // namespace holdfast::inline v1
