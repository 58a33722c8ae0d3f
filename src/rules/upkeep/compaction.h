// Compacting a conversation without losing any of it (O16): a boundary and a
// summary are appended; what was before stays in its place, reachable with
// TranscriptQuery::branch = "all", and is no longer on the active branch.
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

struct Compaction {
  std::string summary;             // what the earlier messages said
  std::string trigger = "manual";  // or "auto"
  std::int64_t pre_tokens = 0;     // in use before it
  std::string model;               // that wrote the summary
  std::optional<Usage> usage;      // what it cost
};

struct Compacted {
  std::string boundary;  // ids of the two messages
  std::string summary;
};

Result<Compacted> compact_session(const Context& context, Store& store, std::string_view id,
                                  const Compaction& compaction);

}  // namespace holdfast::inline v1
