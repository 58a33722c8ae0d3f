// A message without copies, to be written as JSON: its texts are views of the record that it was read from, or of a
// Message. Plain values; lifetime: that of the viewed bytes.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// A text: its bytes, or a JSON string that decodes to it.
class TextView {
 public:
  TextView() = default;
  TextView(std::string_view text) : bytes_(text) {}    // NOLINT: converts like a string_view
  TextView(const std::string& text) : bytes_(text) {}  // NOLINT
  // `token` with its quotes; any other value is an empty text.
  static TextView of_token(std::string_view token);

  bool empty() const { return bytes_.empty(); }
  std::string text() const;
  // The same, copied into `decoded` if it has to be.
  std::string_view text(std::string& decoded) const;
  // Writes the text like JsonWriter::string, usually without decoding it.
  void write(JsonWriter& json) const;
  // False only if it does not begin with `text`, which has nothing to escape. Looks no further than the first escape.
  bool may_begin_with(std::string_view text) const;
  void move(const char* from, const char* to);

 private:
  std::string_view inside() const { return token_ ? bytes_.substr(1, bytes_.size() - 2) : bytes_; }

  std::string_view bytes_;
  bool token_ = false;  // then not empty: the text has at least one character
};

// JSON of a message.
class JsonPart {
 public:
  JsonPart() = default;
  JsonPart(const std::string& json) : bytes_(json) {}  // NOLINT: of a Message, which may hold anything
  // One whole value of a record. `spaced`: the message has it without the spaces between its tokens.
  static JsonPart of_record(std::string_view value, bool spaced = false);

  bool empty() const { return bytes_.empty(); }
  void clear() { bytes_ = {}; }
  // Writes one JSON value, `fallback` if this is empty.
  void write(JsonWriter& json, std::string_view fallback = "null") const;
  void move(const char* from, const char* to);

 private:
  std::string_view bytes_;
  bool whole_ = false, spaced_ = false;
};

// The fields of Block, without `text` if a tool's output is JSON.
struct BlockView {
  BlockKind kind = BlockKind::text;
  TextView text = {}, id = {}, name = {};
  JsonPart json = {};
  TextView media_type = {};
  std::string_view data = {}, blob = {};
  std::uint64_t bytes = 0;
  bool is_error = false;
  TextView signature = {};
  std::string_view spilled = {};
  JsonPart extra = {};
};

struct ContextView {
  TextView cwd = {}, git_branch = {}, permission_mode = {}, version = {}, user_type = {};

  bool empty() const {
    return cwd.empty() && git_branch.empty() && permission_mode.empty() && version.empty() && user_type.empty();
  }
};

// Same field names as Message.
struct MessageView {
  TextView id = {}, parent = {};
  Role role = Role::user;
  Origin origin = Origin::typed;
  TextView timestamp = {}, model = {}, stop_reason = {};
  std::optional<Usage> usage = {};
  JsonPart cost = {};
  TextView response = {};
  std::vector<BlockView> blocks = {};
  JsonPart extra = {};
  ContextView context = {};
  TextView agent = {};
  bool side = false, failed = false, abandoned = false;
  std::string_view raw = {};
  std::uint64_t offset = 0;
  std::int64_t ordinal = 0;

  // Views the same bytes elsewhere: those at `from` have been copied to `to`.
  void move(const char* from, const char* to);
};

MessageView view_of(const Message& message);

}  // namespace holdfast::inline v1
