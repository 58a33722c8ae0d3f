// Exports a session as an ATIF trajectory (Agent Trajectory Interchange Format, RFC
// 0001 of harbor): what was said, called and answered, with the recorded tokens of
// every step (O08). Unknown counts are left out, never zero. The format forbids custom
// keys, so everything it has no key for goes to `extra`.
// Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

enum class AtifVersion { v1_6, v1_7 };

struct AtifOptions {
  AtifVersion version = AtifVersion::v1_7;
  std::string agent = {};          // empty: from the session's layout
  std::string agent_version = {};  // empty: from the messages, else "unknown"
  bool pretty = true;
};

// The transcript is one branch, without sub-agents. Messages of one API response become
// one step, so nothing is counted twice. Fails with invalid_argument if there is no
// step; the format requires one.
Result<std::string> export_atif(const Transcript& transcript, const AtifOptions& options = {});

// What no step contains: of messages that are not steps, and of sub-agents.
struct AtifLeftOut {
  std::uint64_t blocks = 0;       // of kind `other`, members in `extra`, and attachments
  std::uint64_t attachments = 0;  // images, documents and recordings, also those whose bytes the session does not hold
};
AtifLeftOut atif_left_out(const Transcript& transcript);

}  // namespace holdfast::inline v1
