// Workflows of this store that are paused because saving them failed (decision 16). Remembered
// in this process, and in the side folder if it can be written, so other processes know.
// Thread-safety: any thread.
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
  // `why` describes the failure. Never fails: if the pause cannot be written, it is remembered in memory.
  void pause(Root& root, std::string_view id, std::string_view why);
  // Why the workflow is paused; nullopt if it is not.
  std::optional<std::string> why(Root& root, std::string_view id) const;
  Result<void> go_on(Root& root, std::string_view id);

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::string, std::less<>> why_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
