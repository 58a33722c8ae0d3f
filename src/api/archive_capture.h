// One look at every store for what the archive does not have yet.
#pragma once

#include <optional>

#include "api/call.h"
#include "archive/capture_store.h"
#include "archive/store_watch.h"

namespace holdfast::inline v1 {

// Those that `ls` looks at; they are only read.
Result<std::vector<StoreOptions>> stores_to_read(const Call& call);

// What the person's settings leave out.
ArchiveRules archive_rules(const Call& call);

struct Captured {
  CaptureReport report;
  std::uint64_t added = 0;   // bytes in the archive
  std::uint64_t healed = 0;  // chunks that were damaged
};

// nullopt: another process is writing to the archive. With a watch, what it holds is captured too, and the directories
// that hold sessions are watched from then on.
Result<std::optional<Captured>> capture_now(const Call& call, const std::string& path, StoreWatch* watch = nullptr);

}  // namespace holdfast::inline v1
