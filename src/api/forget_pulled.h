// session.forget in what sync brought from other machines. Removes it from this machine only; what was removed here is
// never fetched again (decision 41).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "api/call.h"
#include "archive/capture.h"

namespace holdfast::inline v1 {

// A text, or if that is empty these sessions and their sub-agents, from whichever store.
struct SoughtText {
  std::string text = {};
  std::set<CaptureKey> sessions = {};
};

struct PulledText {
  struct Session {
    std::string machine;
    CaptureKey key;
    bool removed = false;  // the whole session; else only versions before the one that its machine shares now
  };
  std::vector<Session> sessions = {};
};

// Fails with busy while another process syncs, if there is something to remove.
Result<PulledText> forget_pulled(const Call& call, const SoughtText& sought);
// Returns what forget_pulled would remove; changes nothing.
Result<PulledText> find_pulled(const Call& call, const SoughtText& sought);

void write_pulled(JsonWriter& json, const PulledText& pulled);
// ", and …" for a dry run; empty if nothing was found.
std::string pulled_text_message(const PulledText& pulled);

}  // namespace holdfast::inline v1
