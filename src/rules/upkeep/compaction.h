// Compacts a conversation without losing any of it (O16): appends a boundary and a
// summary; earlier messages stay in place, readable with TranscriptQuery::branch =
// "all", but no longer on the active branch.
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

struct Compaction {
  std::string summary;             // what the earlier messages said
  std::string trigger = "manual";  // or "auto"
  std::int64_t pre_tokens = 0;     // in use before compaction
  std::string model;               // the model that wrote the summary
  std::optional<Usage> usage;      // cost of the summary
};

struct Compacted {
  std::string boundary;  // ids of the two messages
  std::string summary;
};

Result<Compacted> compact_session(const Context& context, Store& store, std::string_view id,
                                  const Compaction& compaction);

}  // namespace holdfast::inline v1
