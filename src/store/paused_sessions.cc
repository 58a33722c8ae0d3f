#include "store/paused_sessions.h"

#include "base/safe_name.h"
#include "disk/staged.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

std::string mark_of(const Root& root, std::string_view id) { return root.side("paused", encode_name(id)); }

}  // namespace

void PausedSessions::pause(Root& root, std::string_view id, std::string_view why) {
  {
    const ScopedLock guard(mutex_);
    why_[std::string(id)] = why;
  }
  // The name alone says it: on a full disk there is often room for a name and none for bytes.
  if (!root.ensure_directory(root.side("paused"))) return;
  const auto file = root.directory().open(mark_of(root, id), OpenMode::create_update);
  if (file) (void)(*file)->write_at(0, why);
  if (does(Step::paused_sync)) (void)root.directory().sync_directory(root.side("paused"));
}

std::optional<std::string> PausedSessions::why(Root& root, std::string_view id) const {
  {
    const ScopedLock guard(mutex_);
    if (const auto at = why_.find(id); at != why_.end()) return at->second;
  }
  const auto written = read_whole(root.directory(), mark_of(root, id));
  if (!written) return std::nullopt;
  return written->empty() ? "a save failed" : *written;
}

Result<void> PausedSessions::go_on(Root& root, std::string_view id) {
  auto gone = root.directory().remove(mark_of(root, id));
  if (!gone && gone.error().code != Code::not_found) return gone;
  const ScopedLock guard(mutex_);
  if (const auto at = why_.find(id); at != why_.end()) why_.erase(at);
  return {};
}

}  // namespace holdfast::inline v1
