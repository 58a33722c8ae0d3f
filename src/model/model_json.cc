#include "model/model_json.h"

#include <array>
#include <tuple>

#include "model/session_view.h"
#include "model/time_formats.h"
#include "text/base64.h"
#include "text/valid_json.h"

namespace holdfast::inline v1 {
namespace {

void text_or_null(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  if (text.empty()) {
    json.null();
  } else {
    json.string(text);
  }
}

void write_media(JsonWriter& json, const Block& block, MediaData request) {
  json.key("media_type").string(block.media_type);
  const bool embedded = request == MediaData::base64 && !block.data.empty();
  if (embedded) json.key("data").string(base64(block.data));
  if (!embedded && !block.blob.empty()) json.key("blob").string(block.blob);
  if (block.bytes > 0) json.key("bytes").uint64(block.bytes);
}

void write_block(JsonWriter& json, const Block& block, MediaData request) {
  json.begin_object().key("type").string(block_kind_name(block.kind));
  switch (block.kind) {
    case BlockKind::text: json.key("text").string(block.text); break;
    case BlockKind::thinking:
      json.key("text").string(block.text);
      if (!block.signature.empty()) json.key("signature").string(block.signature);
      break;
    case BlockKind::tool_call:
      json.key("id").string(block.id).key("name").string(block.name);
      write_valid_json(json.key("input"), block.json, "{}");
      break;
    case BlockKind::tool_result:
      json.key("id").string(block.id);
      if (!block.name.empty()) json.key("name").string(block.name);  // if its record names the tool too
      json.key("output");
      block.json.empty() ? json.string(block.text) : write_valid_json(json, block.json);
      json.key("is_error").boolean(block.is_error);
      if (!block.spilled.empty()) json.key("spilled").string(block.spilled);
      break;
    case BlockKind::image:
    case BlockKind::document:
    case BlockKind::audio: write_media(json, block, request); break;
    case BlockKind::other: write_valid_json(json.key("raw"), block.json); break;
  }
  if (!block.extra.empty()) write_valid_json(json.key("extra"), block.extra);
  json.end_object();
}

constexpr std::array<std::pair<Origin, std::string_view>, 7> kOrigins = {{{Origin::typed, "typed"},
                                                                          {Origin::model, "model"},
                                                                          {Origin::tool, "tool"},
                                                                          {Origin::injected, "injected"},
                                                                          {Origin::summary, "summary"},
                                                                          {Origin::command, "command"},
                                                                          {Origin::notice, "notice"}}};

template <typename Row>
void write_counts(JsonWriter& json, const Row& session) {
  json.begin_object();
  json.key("user").int64(session.counts.user).key("assistant").int64(session.counts.assistant);
  json.key("tool_calls").int64(session.counts.tool_calls).key("tool_results").int64(session.counts.tool_results);
  json.key("records").int64(session.counts.records).end_object();
  json.key("models").strings(session.models);
  json.key("usage");
  write_usage(json, session.usage);
}

// Row is a Session or a SessionView.
template <typename Row>
void write_row(JsonWriter& json, const Row& session) {
  json.begin_object();
  json.key("id").string(session.id).key("layout").string(session.layout).key("store").string(session.store);
  json.key("path").string(session.path);
  text_or_null(json, "project", session.project);
  text_or_null(json, "title", session.title);
  text_or_null(json, "first_prompt", session.first_prompt);
  json.key("status").string(status_name(session.status));
  text_or_null(json, "created_at", session.created_at);
  text_or_null(json, "updated_at", session.updated_at);
  json.key("counts");
  if (session.counted) {
    write_counts(json, session);
  } else {
    json.null().key("models").begin_array().end_array().key("usage").null();
  }
  text_or_null(json, "git_branch", session.git_branch);
  json.key("parent");
  if (session.parent) {
    json.begin_object().key("id").string(session.parent->id);
    json.key("kind").string(parent_kind_name(session.parent->kind));
    if (!session.parent->message.empty()) json.key("message").string(session.parent->message);
    json.end_object();
  } else {
    json.null();
  }
  json.key("subagents").int64(session.subagents).key("bytes").uint64(session.bytes);
  json.key("damage").int64(session.damage);
  if (session.archived) json.key("archived").boolean(true);
  if (!session.summary.empty()) json.key("summary").string(session.summary);
  if (!session.metadata.empty()) write_valid_json(json.key("metadata"), session.metadata);
  json.end_object();
}

}  // namespace

std::string_view origin_name(Origin origin) {
  for (const auto& [known, name] : kOrigins) {
    if (known == origin) return name;
  }
  return "notice";
}

std::optional<Origin> origin_of(std::string_view name) {
  for (const auto& [origin, known] : kOrigins) {
    if (known == name) return origin;
  }
  return std::nullopt;
}

void write_usage(JsonWriter& json, const Usage& usage) {
  json.begin_object().key("input").int64(usage.input).key("output").int64(usage.output);
  json.key("cache_read").int64(usage.cache_read).key("cache_write").int64(usage.cache_write);
  if (usage.reasoning != 0) json.key("reasoning").int64(usage.reasoning);
  if (usage.cache_write_1h != 0) json.key("cache_write_1h").int64(usage.cache_write_1h);
  if (usage.reasoning_apart != 0) json.key("reasoning_apart").int64(usage.reasoning_apart);
  json.end_object();
}

void write_session(JsonWriter& json, const Session& session) { write_row(json, session); }
void write_session(JsonWriter& json, const SessionView& session) { write_row(json, session); }

namespace {

void write_context(JsonWriter& json, const MessageContext& context) {
  if (context == MessageContext()) return;
  json.key("context").begin_object();
  const std::pair<std::string_view, const std::string*> fields[] = {{"cwd", &context.cwd},
                                                                    {"git_branch", &context.git_branch},
                                                                    {"permission_mode", &context.permission_mode},
                                                                    {"version", &context.version},
                                                                    {"user_type", &context.user_type}};
  for (const auto& [name, value] : fields) {
    if (!value->empty()) json.key(name).string(*value);
  }
  json.end_object();
}

}  // namespace

void write_message(JsonWriter& json, const Message& message, std::int64_t ordinal, MediaData request,
                   std::optional<double> estimated) {
  json.begin_object().key("ordinal").int64(ordinal);
  text_or_null(json, "id", message.id);
  text_or_null(json, "parent", message.parent);
  json.key("role").string(role_name(message.role));
  text_or_null(json, "timestamp", to_iso_time(message.timestamp));
  text_or_null(json, "model", message.model);
  text_or_null(json, "stop_reason", message.stop_reason);
  if (!message.agent.empty()) json.key("agent").string(message.agent);
  json.key("usage");
  if (message.usage) {
    write_usage(json, *message.usage);
  } else {
    json.null();
  }
  if (!message.cost.empty()) write_valid_json(json.key("cost_usd"), message.cost);
  if (estimated) json.key("estimated_usd").number(*estimated);
  json.key("blocks").begin_array();
  for (const Block& block : message.blocks) write_block(json, block, request);
  json.end_array();
  if (message.origin != usual_origin(message.role)) json.key("origin").string(origin_name(message.origin));
  if (!message.response.empty()) json.key("response").string(message.response);
  if (message.failed) json.key("failed").boolean(true);
  if (message.side) json.key("side").boolean(true);
  if (message.abandoned) json.key("abandoned").boolean(true);
  if (!message.raw.empty()) json.key("raw").string(message.raw);
  write_context(json, message.context);
  if (!message.extra.empty()) write_valid_json(json.key("extra"), message.extra);
  json.end_object();
}

std::optional<Usage> usage_from_json(JsonView json) {
  if (json.kind() != JsonKind::object) return std::nullopt;
  constexpr std::tuple<std::string_view, std::string_view, std::int64_t Usage::*> kFigures[] = {
      {"input", "input_tokens", &Usage::input},
      {"output", "output_tokens", &Usage::output},
      {"cache_read", "cache_read_input_tokens", &Usage::cache_read},
      {"cache_write", "cache_creation_input_tokens", &Usage::cache_write},
      {"reasoning", "reasoning_tokens", &Usage::reasoning},
      {"cache_write_1h", "cache_write_1h", &Usage::cache_write_1h},
      {"reasoning_apart", "reasoning_apart", &Usage::reasoning_apart}};
  Usage usage;
  for (const JsonItem& item : json.fields()) {
    for (const auto& [ours, theirs, figure] : kFigures) {
      if (!item.key_is(ours) && !item.key_is(theirs)) continue;
      usage.*figure = item.value.as_int64().value_or(0);
      break;
    }
  }
  return usage;
}

}  // namespace holdfast::inline v1
