// Reads the documents of a Maestro store: whole JSON objects, with older versions
// upgraded.
#pragma once

#include <optional>
#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::maestro {

// The document of this kind; nullopt if missing. Fails with corrupt and its path if it
// is not a JSON object, and with schema_version_mismatch and the required version.
Result<std::optional<std::string>> read_object(Feed& feed, std::string_view kind, const Place& place);

// One message as stored in its file.
struct StoredMessage {
  std::int64_t time_ns = 0;  // from createdAt
  std::string id;
  std::string session;
  bool names_parent = false;
  std::string bytes;
};

// The messages of a thread, or of one session if `session` is given, ordered by
// createdAt in any of its forms, then by id. A file that is not a message of this
// version is a finding and left out.
Result<std::vector<StoredMessage>> read_messages(Feed& feed, std::string_view thread, std::string_view session);

}  // namespace holdfast::inline v1::maestro
