// Warnings that a session has more than the requested branch. Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "api/session_name.h"
#include "store/off_branch.h"

namespace holdfast::inline v1 {

struct Call;

// For session.export: "2 messages of other branches, … left out; --branch all includes them".
std::vector<std::string> omitted_branch_warnings(const OffBranch& off);

// For session.show of this session, with the command that shows them. Does not mention sub-agents, whose
// transcripts are separate sessions.
std::vector<std::string> hidden_branch_warnings(const Call& call, const SessionName& session, const OffBranch& off);

}  // namespace holdfast::inline v1
