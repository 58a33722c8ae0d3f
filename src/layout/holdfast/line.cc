#include "layout/holdfast/line.h"

#include <algorithm>

#include "base/hash.h"
#include "base/utf8.h"
#include "model/block_read.h"
#include "model/model_json.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::native {
namespace {

void text_field(JsonWriter& json, std::string_view key, std::string_view text) {
  if (!text.empty()) json.key(key).string(text);
}

void write_blob(JsonWriter& json, std::string_view sha256, std::uint64_t bytes) {
  json.key("blob").begin_object().key("sha256").string(sha256).key("bytes").uint64(bytes).end_object();
}

// Adds the blob once, however often a message contains it.
void put_blob(Changes& blobs, const std::string& hash, std::string_view bytes) {
  Place place{"data", blob_path(hash)};
  if (std::ranges::any_of(blobs.list(), [&](const Change& known) { return known.place == place; })) return;
  blobs.put(std::move(place), std::string(bytes));
}

// The text under `key`, or its preview and the name of its blob.
void payload(JsonWriter& json, std::string_view key, std::string_view text, Changes& blobs) {
  if (text.size() <= kBlobOver) {
    json.key(key).string(text);
    return;
  }
  const std::string hash = sha256_hex(text);
  json.key(key).string(utf8_prefix(text, kPreview));
  write_blob(json, hash, text.size());
  put_blob(blobs, hash, text);
}

// The bytes of media are always a blob.
void write_media(JsonWriter& json, const Block& block, Changes& blobs) {
  json.key("media_type").string(block.media_type);
  if (!block.data.empty()) {
    const std::string hash = sha256_hex(block.data);
    write_blob(json, hash, block.data.size());
    put_blob(blobs, hash, block.data);
  } else if (!block.blob.empty()) {
    write_blob(json, block.blob, block.bytes);
  }
}

void write_block(JsonWriter& json, const Block& block, Changes& blobs) {
  json.begin_object().key("type").string(block_kind_name(block.kind));
  switch (block.kind) {
    case BlockKind::text:
    case BlockKind::thinking:
      payload(json, "text", block.text, blobs);
      text_field(json, "signature", block.signature);
      break;
    case BlockKind::tool_call:
      json.key("id").string(block.id).key("name").string(block.name);
      json.key("input").raw(block.json.empty() ? "{}" : std::string_view(block.json));
      break;
    case BlockKind::tool_result:
      json.key("id").string(block.id);
      text_field(json, "name", block.name);
      if (block.is_error) json.key("is_error").boolean(true);
      if (block.json.empty()) {
        payload(json, "output", block.text, blobs);
      } else {
        json.key("output").raw(block.json);
      }
      break;
    case BlockKind::image:
    case BlockKind::document:
    case BlockKind::audio: write_media(json, block, blobs); break;
    case BlockKind::other: json.key("raw").raw(block.json.empty() ? "null" : std::string_view(block.json)); break;
  }
  if (!block.extra.empty()) json.key("extra").raw(block.extra);
  json.end_object();
}

// Unknown members of a line, and those in its "extra", as one object.
class Rest {
 public:
  void add(const JsonItem& item) {
    if (item.key_is("extra") && item.value.kind() == JsonKind::object) {
      for (const JsonItem& inner : item.value.fields()) put(inner);
    } else {
      put(item);
    }
  }
  std::string take() { return any_ ? json_.end_object().take() : std::string(); }

 private:
  void put(const JsonItem& item) {
    if (!any_) json_.begin_object();
    any_ = true;
    json_.key(item.key()).raw(item.value.raw());
  }
  JsonWriter json_;
  bool any_ = false;
};

void read_blob_name(JsonView blob, Block& block) {
  const std::string hash = json_text(blob, "sha256");
  if (!is_sha256_hex(hash)) return;
  block.spilled = blob_path(hash);
  if (!is_media(block.kind)) return;
  block.bytes = json_count(blob, "bytes");
  block.blob = hash;
}

Block read_block(JsonView json) {
  const auto text = [](JsonView value) { return value.as_string().value_or(""); };
  const auto kind = block_kind_of(text(json.find("type")));
  if (!kind) return {.kind = BlockKind::other, .json = std::string(json.raw())};
  Block block{.kind = *kind};
  Rest rest;
  for (const JsonItem& item : json.fields()) {
    if (item.key_is("type")) continue;
    if (item.key_is("text"))
      block.text = text(item.value);
    else if (item.key_is("id"))
      block.id = text(item.value);
    else if (item.key_is("name"))
      block.name = text(item.value);
    else if (item.key_is("signature"))
      block.signature = text(item.value);
    else if (item.key_is("media_type"))
      block.media_type = text(item.value);
    else if (item.key_is("is_error"))
      block.is_error = item.value.as_bool().value_or(false);
    else if (item.key_is("input") || item.key_is("raw"))
      block.json = item.value.raw();
    else if (item.key_is("output"))
      set_output(item.value, block);
    else if (item.key_is("blob"))
      read_blob_name(item.value, block);
    else
      rest.add(item);
  }
  block.extra = rest.take();
  return block;
}

}  // namespace

std::string blob_path(std::string_view sha256) {
  return "blobs/" + std::string(sha256.substr(0, 2)) + "/" + std::string(sha256);
}

LineKind kind_of_line(JsonView line) {
  const JsonView type = line.find("type");
  if (type.is_string("message")) return LineKind::message;
  if (type.is_string("session")) return LineKind::session;
  if (type.is_string("leaf")) return LineKind::leaf;
  return LineKind::other;
}

std::string session_line(std::string_view id, const SessionDraft& draft, std::string_view created_at) {
  JsonWriter json;
  json.begin_object().key("type").string("session").key("schema_version").int64(kSchemaVersion);
  json.key("id").string(id);
  text_field(json, "project", draft.project);
  text_field(json, "agent", draft.agent);
  json.key("created_at").string(created_at);
  if (draft.parent) {
    json.key("parent").begin_object().key("id").string(draft.parent->id);
    json.key("kind").string(parent_kind_name(draft.parent->kind));
    text_field(json, "message", draft.parent->message);
    json.end_object();
  }
  return json.end_object().take();
}

std::string message_line(const Message& message, Changes& blobs) {
  JsonWriter json;
  json.begin_object().key("type").string("message").key("id").string(message.id);
  json.key("parent");
  if (message.parent.empty()) {
    json.null();
  } else {
    json.string(message.parent);
  }
  json.key("role").string(role_name(message.role));
  json.key("origin").string(origin_name(message.origin));
  json.key("timestamp").string(message.timestamp);
  text_field(json, "model", message.model);
  text_field(json, "stop_reason", message.stop_reason);
  if (message.usage) {
    json.key("usage");
    write_usage(json, *message.usage);
  }
  if (!message.cost.empty()) json.key("cost_usd").raw(message.cost);
  text_field(json, "response", message.response);
  text_field(json, "agent", message.agent);
  json.key("blocks").begin_array();
  for (const Block& block : message.blocks) write_block(json, block, blobs);
  json.end_array();
  text_field(json, "cwd", message.context.cwd);
  text_field(json, "git_branch", message.context.git_branch);
  text_field(json, "permission_mode", message.context.permission_mode);
  text_field(json, "version", message.context.version);
  text_field(json, "user_type", message.context.user_type);
  if (message.side) json.key("side").boolean(true);
  if (message.failed) json.key("failed").boolean(true);
  if (!message.extra.empty()) json.key("extra").raw(message.extra);
  return json.end_object().take();
}

std::string leaf_line(std::string_view message_id, std::string_view timestamp) {
  JsonWriter json;
  json.begin_object().key("type").string("leaf").key("message").string(message_id);
  return json.key("timestamp").string(timestamp).end_object().take();
}

// Reads every key once, in one walk over the line.
Message read_message(JsonView line) {
  Message message;
  Rest rest;
  const auto text = [](JsonView value) { return value.as_string().value_or(""); };
  for (const JsonItem& item : line.fields()) {
    if (item.key_is("type")) continue;
    if (item.key_is("id"))
      message.id = text(item.value);
    else if (item.key_is("parent"))
      message.parent = text(item.value);
    else if (item.key_is("role"))
      message.role = role_of(text(item.value)).value_or(Role::system);
    else if (item.key_is("origin"))
      message.origin = origin_of(text(item.value)).value_or(Origin::notice);
    else if (item.key_is("timestamp"))
      message.timestamp = text(item.value);
    else if (item.key_is("model"))
      message.model = text(item.value);
    else if (item.key_is("stop_reason"))
      message.stop_reason = text(item.value);
    else if (item.key_is("usage"))
      message.usage = usage_from_json(item.value);
    else if (item.key_is("cost_usd"))
      message.cost = item.value.raw();
    else if (item.key_is("response"))
      message.response = text(item.value);
    else if (item.key_is("agent"))
      message.agent = text(item.value);
    else if (item.key_is("cwd"))
      message.context.cwd = text(item.value);
    else if (item.key_is("git_branch"))
      message.context.git_branch = text(item.value);
    else if (item.key_is("permission_mode"))
      message.context.permission_mode = text(item.value);
    else if (item.key_is("version"))
      message.context.version = text(item.value);
    else if (item.key_is("user_type"))
      message.context.user_type = text(item.value);
    else if (item.key_is("side"))
      message.side = item.value.as_bool().value_or(false);
    else if (item.key_is("failed"))
      message.failed = item.value.as_bool().value_or(false);
    else if (item.key_is("blocks")) {
      for (const JsonItem& block : item.value.elements()) message.blocks.push_back(read_block(block.value));
    } else {
      rest.add(item);
    }
  }
  message.extra = rest.take();
  return message;
}

}  // namespace holdfast::inline v1::native
