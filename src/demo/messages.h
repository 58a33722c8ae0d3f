// What the writers of the demo record: messages as coding agents write them, and a
// document next to each session. Both are functions of their numbers, so that
// verification can generate them again and compare every byte.
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
  std::uint32_t life = 0;    // of the writer: incremented after each kill
  std::uint64_t number = 0;  // within that life, from 1
  bool large = false;        // a tool output of two to five MiB

  auto operator<=>(const MessageId&) const = default;
};

// "msg-2-5-17", or "big-2-5-17" for a large one.
std::string id_text(const MessageId& id);

// One JSON object without a newline; its first key is "id".
std::string make_message(const MessageId& id);

// Returns the id of a record that make_message may have created.
std::optional<MessageId> id_of(std::string_view record);

// Returns version `number` of a writer's session.json.
std::string make_document(std::uint32_t writer, std::uint64_t number);
std::optional<std::uint64_t> document_number(std::string_view document);

}  // namespace holdfast::inline v1
