// session.forget --match in what sync brought from other machines. It goes here; there it is for its own machine to
// forget, and what was removed here never comes from there again (decision 41).
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
    bool removed = false;  // all of it; else only states before the one that its machine shares now
  };
  std::vector<Session> sessions = {};
  std::uint64_t looked_at = 0;  // sessions
  bool none = false;            // nothing was ever brought here
};

// busy while another process syncs.
Result<PulledText> forget_pulled(const Call& call, std::string_view text);
// What that would remove; nothing is changed.
Result<PulledText> find_pulled(const Call& call, std::string_view text);

void write_pulled(JsonWriter& json, const PulledText& pulled);
// ", and …" for a dry run; empty: nothing.
std::string pulled_words(const PulledText& pulled);

}  // namespace holdfast::inline v1
