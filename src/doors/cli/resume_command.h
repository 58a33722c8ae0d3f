// `holdfast resume`: the agent's own command that goes on with one of its sessions, executed or printed.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "api/agents.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

struct ResumeSession {
  std::string id;
  std::string store;         // LAYOUT:ROOT, or empty
  bool print = false;        // the command, instead of running it
  std::string handoff = {};  // parameters of session.handoff, an object: goes on in another agent; empty: in its own
  std::string ask = {};      // the other machine that it comes from, unless somebody has said that they looked at it
};

// Whether a text is one word of any shell as it stands: ASCII letters, digits and a few
// marks that mean nothing there, and no option. Only such text of others is printed where
// a shell may read it.
bool is_plain_word(std::string_view text);

// Of a session as session.list has it. unsupported: its agent has no such command or would not find
// the session, the id is no plain word, or only the archive has the session.
Result<ResumeWords> resume_of(JsonView session, const Machine& machine);

// A line for a shell, in the session's directory where the agent looks for sessions by directory.
// unsupported also when something in it could not be shown as it is.
Result<std::string> resume_line(JsonView session, const Machine& machine);

// Becomes the agent; returns only when it cannot.
Result<int> run_resume(JsonView session, const Machine& machine);

Result<int> run_resume(const ResumeSession& request, bool json);

}  // namespace holdfast::inline v1
