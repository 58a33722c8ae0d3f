#include "layout/holdfast/line.h"

#include <algorithm>

#include "base/hash.h"
#include "base/utf8.h"
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

}  // namespace

std::string blob_path(std::string_view sha256) {
  return "blobs/" + std::string(sha256.substr(0, 2)) + "/" + std::string(sha256);
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

}  // namespace holdfast::inline v1::native
