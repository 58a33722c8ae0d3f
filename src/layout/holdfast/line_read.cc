// Reads a line in one walk: into a Message, or into a MessageView, which copies nothing.
#include <cstdint>

#include "base/hash.h"
#include "layout/holdfast/line.h"
#include "model/block_read.h"
#include "model/model_json.h"
#include "text/json_cursor.h"
#include "text/json_string.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::native {
namespace {

// Passes the key of each member of the object at the cursor to `take`, which takes the value from the cursor, or
// returns false and leaves it to `other`.
template <typename Take, typename Other>
void take_members(JsonCursor& at, const Take& take, const Other& other) {
  if (!at.enter_object()) return;
  for (std::string_view key; at.next_key(key);) {
    if (take(key)) continue;
    const std::string_view token(key.data() - 1, key.size() + 2);
    if (key.contains('\\') && take(decode_json_string(token).value_or(std::string()))) continue;
    other(JsonItem{token, at.skip()});
  }
}

// What a word of a closed list names.
template <typename Named>
auto take_word(JsonCursor& at, const Named& named) -> decltype(named(std::string_view())) {
  const std::string_view token = at.skip_raw();
  if (token.size() < 2 || token.front() != '"') return named(std::string_view());
  if (auto thing = named(token.substr(1, token.size() - 2))) return thing;
  return named(decode_json_string(token).value_or(std::string()));
}

void take(JsonCursor& at, std::string& text) { text = at.text(); }
void take(JsonCursor& at, TextView& text) { text = TextView::of_token(at.skip_raw()); }
void take(JsonCursor& at, bool& flag) { flag = at.skip().as_bool().value_or(false); }

void set_json(std::string_view value, std::string& json) { json = value; }
void set_json(std::string_view value, JsonPart& json) { json = JsonPart::of_record(value); }

// Returns false if a view lacks the text: it has the JSON that an output is.
bool take_output(JsonCursor& at, Block& block) {
  set_output(at.skip(), block);
  return true;
}
bool take_output(JsonCursor& at, BlockView& block) {
  const JsonView output = at.skip();
  if (!output || output.is_null()) return true;
  const bool text = output.kind() == JsonKind::string && json_string_is_text(output.raw());
  if (text)
    block.text = TextView::of_token(output.raw());
  else
    block.json = JsonPart::of_record(output.raw(), true);
  return text;
}

// Unknown members of a line, and those in its "extra", as one object.
class Rest {
 public:
  void add(const JsonItem& item) {
    if (item.key_is("extra") && item.value.kind() == JsonKind::object) {
      extra_ = item.value.raw();
      for (const JsonItem& inner : item.value.fields()) put(inner);
    } else {
      put(item);
    }
  }
  // Returns false if a view cannot show it, because the line does not have it as it is here.
  bool set(std::string& json) {
    json = taken();
    return true;
  }
  bool set(JsonPart& json) {
    if (!any_) return true;
    set_json(extra_, json);
    return taken() == extra_;
  }

 private:
  void put(const JsonItem& item) {
    if (!any_) json_.begin_object();
    any_ = true;
    json_.key(item.key()).raw(item.value.raw());
  }
  std::string taken() { return any_ ? json_.end_object().take() : std::string(); }

  JsonWriter json_;
  bool any_ = false;
  std::string_view extra_;
};

// The name of a blob; the last one that is a name counts.
struct BlobName {
  std::string hash;
  std::uint64_t bytes = 0;

  void read(JsonView blob) {
    std::string sha256 = json_text(blob, "sha256");
    if (!is_sha256_hex(sha256)) return;
    hash = std::move(sha256);
    bytes = json_count(blob, "bytes");
  }
  bool set(Block& block) const {
    if (hash.empty()) return true;
    block.spilled = blob_path(hash);
    if (!is_media(block.kind)) return true;
    block.bytes = bytes;
    block.blob = hash;
    return true;
  }
  bool set(BlockView&) const { return hash.empty(); }  // the blob must be read
};

// Returns false if a view cannot show the block.
template <typename AnyBlock>
bool take_block(JsonCursor& at, AnyBlock& block) {
  const char* const begin = at.rest().data();
  std::optional<BlockKind> kind;
  bool has_text = true;
  BlobName blob;
  Rest rest;
  const auto take_member = [&](std::string_view key) {
    if (key == "type")
      kind = take_word(at, block_kind_of);
    else if (key == "text")
      take(at, block.text);
    else if (key == "id")
      take(at, block.id);
    else if (key == "name")
      take(at, block.name);
    else if (key == "input" || key == "raw")
      set_json(at.skip_raw(), block.json);
    else if (key == "output")
      has_text = take_output(at, block) && has_text;
    else if (key == "is_error")
      take(at, block.is_error);
    else if (key == "signature")
      take(at, block.signature);
    else if (key == "media_type")
      take(at, block.media_type);
    else if (key == "blob")
      blob.read(at.skip());
    else
      return false;
    return true;
  };
  if (at.kind() == JsonKind::object)
    take_members(at, take_member, [&](const JsonItem& item) { rest.add(item); });
  else
    at.skip();
  if (!kind) {
    block = AnyBlock();
    block.kind = BlockKind::other;
    set_json({begin, static_cast<std::size_t>(at.rest().data() - begin)}, block.json);
    return true;
  }
  block.kind = *kind;
  const bool shown = blob.set(block) && (has_text || block.kind == BlockKind::tool_result);
  return rest.set(block.extra) && shown;
}

template <typename AnyBlock>
bool take_blocks(JsonCursor& at, std::vector<AnyBlock>& blocks) {
  bool shown = true;
  if (!at.enter_array()) {
    at.skip();
    return true;
  }
  while (at.next_element()) shown = take_block(at, blocks.emplace_back()) && shown;
  return shown;
}

std::optional<LineKind> kind_named(std::string_view type) {
  if (type == "message") return LineKind::message;
  if (type == "session") return LineKind::session;
  return type == "leaf" ? std::optional(LineKind::leaf) : std::nullopt;
}

template <typename AnyMessage>
ReadLine take_line(std::string_view line, AnyMessage& message, const JsonMarks* marks) {
  ReadLine read;
  JsonCursor at(line, marks);
  Rest rest;
  const auto take_member = [&](std::string_view key) {
    if (key == "type")
      read.kind = take_word(at, kind_named).value_or(LineKind::other);
    else if (key == "id")
      take(at, message.id);
    else if (key == "parent")
      take(at, message.parent);
    else if (key == "role")
      message.role = take_word(at, role_of).value_or(Role::system);
    else if (key == "origin")
      message.origin = take_word(at, origin_of).value_or(Origin::notice);
    else if (key == "timestamp")
      take(at, message.timestamp);
    else if (key == "blocks")
      read.shown = take_blocks(at, message.blocks) && read.shown;
    else if (key == "model")
      take(at, message.model);
    else if (key == "stop_reason")
      take(at, message.stop_reason);
    else if (key == "usage")
      message.usage = usage_from_json(at.skip());
    else if (key == "cost_usd")
      set_json(at.skip_raw(), message.cost);
    else if (key == "response")
      take(at, message.response);
    else if (key == "agent")
      take(at, message.agent);
    else if (key == "cwd")
      take(at, message.context.cwd);
    else if (key == "git_branch")
      take(at, message.context.git_branch);
    else if (key == "permission_mode")
      take(at, message.context.permission_mode);
    else if (key == "version")
      take(at, message.context.version);
    else if (key == "user_type")
      take(at, message.context.user_type);
    else if (key == "side")
      take(at, message.side);
    else if (key == "failed")
      take(at, message.failed);
    else
      return false;
    return true;
  };
  take_members(at, take_member, [&](const JsonItem& item) { rest.add(item); });
  read.shown = rest.set(message.extra) && read.shown;
  return read;
}

}  // namespace

LineKind kind_of_line(JsonView line) { return kind_named(json_text(line, "type")).value_or(LineKind::other); }

ReadLine read_line(std::string_view line, Message& message, const JsonMarks* marks) {
  return take_line(line, message, marks);
}

ReadLine read_line(std::string_view line, MessageView& message, const JsonMarks* marks) {
  return take_line(line, message, marks);
}

}  // namespace holdfast::inline v1::native
