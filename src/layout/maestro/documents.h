// Documents of a Maestro store as they are read: whole JSON objects, older
// versions upgraded.
#pragma once

#include <optional>
#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::maestro {

// The document of that kind; nullopt when there is none. corrupt, with its path,
// when it is no JSON object; schema_version_mismatch, with the version that is required.
Result<std::optional<std::string>> read_object(Feed& feed, std::string_view kind, const Place& place);

// One message as it lies in its file.
struct StoredMessage {
  std::int64_t time_ns = 0;  // of createdAt
  std::string id;
  std::string bytes;
};

// The messages of a thread, those of one session when `session` is given, by
// createdAt in any of its forms, then by id. A file that is no message of this
// version is complained of and left out.
Result<std::vector<StoredMessage>> read_messages(Feed& feed, std::string_view thread, std::string_view session);

}  // namespace holdfast::inline v1::maestro
