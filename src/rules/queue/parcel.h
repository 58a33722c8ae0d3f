// What is sent for one item: everything that the receiver needs, in one JSON object.
// The same state of the same subject gives the same bytes. Format:
// docs/formats/sync-directory.md. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

#include "layout/sync_map.h"

namespace holdfast::inline v1 {

struct Parcel {
  std::string origin;  // the sending store
  std::string layout;
  std::string item;  // the name of the subject's item
  SyncSubject subject;
  bool redacted = false;               // secrets were replaced with placeholders
  std::optional<SyncPayload> payload;  // none: the subject was deleted
};

// Fails with invalid_record if the payload is not UTF-8.
Result<std::string> parcel_text(const Parcel& parcel);
// Fails with corrupt or newer_schema.
Result<Parcel> parse_parcel(std::string_view text);

}  // namespace holdfast::inline v1
