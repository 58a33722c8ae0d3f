// A session as an ATIF trajectory (Agent Trajectory Interchange Format, RFC 0001
// of harbor): what was said, called and answered, with the tokens of every step
// as they were recorded (O08). Unknown figures are left out, never zero; the
// format forbids keys of one's own, so what it has no word for goes to `extra`.
// Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

enum class AtifVersion { v1_6, v1_7 };

struct AtifOptions {
  AtifVersion version = AtifVersion::v1_7;
  std::string agent = {};          // empty: by the session's layout
  std::string agent_version = {};  // empty: what the messages say, else "unknown"
  bool pretty = true;
};

// Of the transcript as it was read: one branch, sub-agents left out. Messages of
// one API response are one step, so that nothing is counted twice.
// invalid_argument for a transcript without a step; the format needs one.
Result<std::string> export_atif(const Transcript& transcript, const AtifOptions& options = {});

// Blocks of the kind `other` that no step holds: of messages that are no step, and of sub-agents.
std::uint64_t atif_left_out(const Transcript& transcript);

}  // namespace holdfast::inline v1
