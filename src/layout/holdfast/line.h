// Reads and writes the lines of messages.jsonl. Format: docs/formats/holdfast.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

#include "layout/change.h"
#include "model/message_view.h"
#include "text/json_marks.h"
#include "text/json_value.h"

namespace holdfast::inline v1::native {

inline constexpr std::int64_t kSchemaVersion = 1;
inline constexpr std::size_t kBlobOver = std::size_t{256} << 10;
inline constexpr std::size_t kPreview = 2000;

enum class LineKind { session, message, leaf, other };
LineKind kind_of_line(JsonView line);

// Line 1, which makes the log readable without its session.json.
std::string session_line(std::string_view id, const SessionDraft& draft, std::string_view created_at);

// Payloads over kBlobOver are moved to `blobs`, content-addressed, and replaced by a preview.
std::string message_line(const Message& message, Changes& blobs);

std::string leaf_line(std::string_view message_id, std::string_view timestamp);

struct ReadLine {
  LineKind kind = LineKind::other;
  bool shown = true;  // false if the view lacks something of the message
};
// Reads the line into a new message. Never fails: unknown content becomes `other` blocks or is left out of the message.
// `marks` may be those of the line.
ReadLine read_line(std::string_view line, Message& message, const JsonMarks* marks = nullptr);
// The same without copies; the texts of blobs, and members that the message has in another form, are left out.
ReadLine read_line(std::string_view line, MessageView& message, const JsonMarks* marks = nullptr);

// Path of a block's blob, below the store's root.
std::string blob_path(std::string_view sha256);

}  // namespace holdfast::inline v1::native
