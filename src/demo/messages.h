// What the writers of the demo record: messages as coding agents write them, and
// the session's document beside them. Both follow from their numbers alone, so
// that whoever verifies them makes them again and compares every byte.
// Thread-safety: pure functions.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct MessageId {
  std::uint32_t writer = 0;
  std::uint32_t life = 0;    // of the writer: one more after each kill
  std::uint64_t number = 0;  // in that life, from 1
  bool large = false;        // a tool's output of two to five MiB

  auto operator<=>(const MessageId&) const = default;
};

// "msg-2-5-17", or "big-2-5-17" for a large one.
std::string id_text(const MessageId& id);

// One JSON object without a newline; its first key is "id".
std::string make_message(const MessageId& id);

// The id of a record that make_message may have made.
std::optional<MessageId> id_of(std::string_view record);

// The `number`-th version of a writer's session.json.
std::string make_document(std::uint32_t writer, std::uint64_t number);
std::optional<std::uint64_t> document_number(std::string_view document);

}  // namespace holdfast::inline v1
