// Which workflows of this store stand still because a save of theirs failed
// (decision 16). This process remembers it; the side folder too, when it can be
// written, so that other processes know. Thread-safety: any thread.
#pragma once

#include <holdfast/root.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace holdfast::inline v1 {

class PausedSessions {
 public:
  // `why` is what failed, in words. Never fails: what cannot be written is remembered.
  void pause(Root& root, std::string_view id, std::string_view why);
  // Why it stands still; nullopt: it does not.
  std::optional<std::string> why(Root& root, std::string_view id) const;
  Result<void> go_on(Root& root, std::string_view id);

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::string, std::less<>> why_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
