// session.forget --match in what sync brought from other machines. Removes the text from this machine only; what was
// removed here is never fetched again (decision 41).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "archive/capture.h"

namespace holdfast::inline v1 {

struct PulledText {
  struct Session {
    std::string machine;
    CaptureKey key;
    bool removed = false;  // the whole session; else only versions before the one that its machine shares now
  };
  std::vector<Session> sessions = {};
  std::uint64_t looked_at = 0;  // sessions
  bool none = false;            // sync has never brought anything here
};

// Fails with busy while another process syncs.
Result<PulledText> forget_pulled(const Call& call, std::string_view text);
// Returns what forget_pulled would remove; changes nothing.
Result<PulledText> find_pulled(const Call& call, std::string_view text);

void write_pulled(JsonWriter& json, const PulledText& pulled);
// ", and …" for a dry run; empty if nothing was found.
std::string pulled_text_message(const PulledText& pulled);

}  // namespace holdfast::inline v1
