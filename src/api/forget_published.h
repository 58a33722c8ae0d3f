// session.forget in what this machine has published and does not have any more, because its home was restored from a
// backup. The next sync withdraws what is noted here.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "archive/archive.h"

namespace holdfast::inline v1 {

struct PublishedText {
  struct Session {
    std::string remote, id;  // name and id of the remote
    std::uint64_t epoch = 0;
    CaptureKey key;
  };
  std::vector<Session> sessions = {};
  std::vector<Finding> unread = {};   // what could not be searched at remotes that have earlier epochs of this machine
  std::vector<Finding> unasked = {};  // remotes that may have more of this machine, and could not be asked

  std::set<CaptureKey> keys() const;
};

// Whether this home has any remote, also one that it has never synced with.
Result<bool> has_remotes(const Call& call);
// Searches what other epochs of this machine have at every remote; if `text` is empty, returns all sessions there.
// `local` has bytes that need not be fetched. Fails with busy while another process syncs.
Result<PublishedText> find_published(const Call& call, Packs* local, std::string_view text);
// What was found is to be withdrawn.
Result<void> note_published(const Call& call, const PublishedText& found);

// For people: what of these sessions the remotes have until the next sync, as far as this home knows.
std::set<std::string> published_places(const Call& call, const std::set<CaptureKey>& sessions);
// The same of what was found there.
std::set<std::string> published_places(const PublishedText& found);

}  // namespace holdfast::inline v1
