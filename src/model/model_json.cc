#include "model/model_json.h"

#include <array>
#include <tuple>

#include "model/session_view.h"
#include "model/time_formats.h"
#include "text/base64.h"
#include "text/valid_json.h"

namespace holdfast::inline v1 {
namespace {

void text_or_null(JsonWriter& json, std::string_view key, const TextView& text) {
  json.key(key);
  if (text.empty()) {
    json.null();
  } else {
    text.write(json);
  }
}

void text_field(JsonWriter& json, std::string_view key, const TextView& text) {
  if (!text.empty()) text.write(json.key(key));
}

void write_media(JsonWriter& json, const BlockView& block, MediaData request) {
  block.media_type.write(json.key("media_type"));
  const bool embedded = request == MediaData::base64 && !block.data.empty();
  if (embedded) json.key("data").string(base64(block.data));
  if (!embedded && !block.blob.empty()) json.key("blob").string(block.blob);
  if (block.bytes > 0) json.key("bytes").uint64(block.bytes);
}

void write_block(JsonWriter& json, const BlockView& block, MediaData request) {
  json.begin_object().key("type").string(block_kind_name(block.kind));
  switch (block.kind) {
    case BlockKind::text: block.text.write(json.key("text")); break;
    case BlockKind::thinking:
      block.text.write(json.key("text"));
      text_field(json, "signature", block.signature);
      break;
    case BlockKind::tool_call:
      block.id.write(json.key("id"));
      block.name.write(json.key("name"));
      block.json.write(json.key("input"), "{}");
      break;
    case BlockKind::tool_result:
      block.id.write(json.key("id"));
      text_field(json, "name", block.name);  // if its record names the tool too
      json.key("output");
      block.json.empty() ? block.text.write(json) : block.json.write(json);
      json.key("is_error").boolean(block.is_error);
      if (!block.spilled.empty()) json.key("spilled").string(block.spilled);
      break;
    case BlockKind::image:
    case BlockKind::document:
    case BlockKind::audio: write_media(json, block, request); break;
    case BlockKind::other: block.json.write(json.key("raw")); break;
  }
  if (!block.extra.empty()) block.extra.write(json.key("extra"));
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

void write_context(JsonWriter& json, const ContextView& context) {
  if (context.empty()) return;
  json.key("context").begin_object();
  text_field(json, "cwd", context.cwd);
  text_field(json, "git_branch", context.git_branch);
  text_field(json, "permission_mode", context.permission_mode);
  text_field(json, "version", context.version);
  text_field(json, "user_type", context.user_type);
  json.end_object();
}

void write_time(JsonWriter& json, std::string_view key, const TextView& written) {
  std::string decoded;
  const std::string_view text = written.text(decoded);
  if (is_iso_time(text))
    json.key(key).string(text);
  else
    text_or_null(json, key, to_iso_time(text));
}

}  // namespace

void write_message(JsonWriter& json, const Message& message, std::int64_t ordinal, MediaData request,
                   std::optional<double> estimated) {
  MessageView view = view_of(message);
  view.ordinal = ordinal;
  write_message(json, view, request, estimated);
}

void write_message(JsonWriter& json, const MessageView& message, MediaData request, std::optional<double> estimated) {
  json.begin_object().key("ordinal").int64(message.ordinal);
  text_or_null(json, "id", message.id);
  text_or_null(json, "parent", message.parent);
  json.key("role").string(role_name(message.role));
  write_time(json, "timestamp", message.timestamp);
  text_or_null(json, "model", message.model);
  text_or_null(json, "stop_reason", message.stop_reason);
  text_field(json, "agent", message.agent);
  json.key("usage");
  if (message.usage) {
    write_usage(json, *message.usage);
  } else {
    json.null();
  }
  if (!message.cost.empty()) message.cost.write(json.key("cost_usd"));
  if (estimated) json.key("estimated_usd").number(*estimated);
  json.key("blocks").begin_array();
  for (const BlockView& block : message.blocks) write_block(json, block, request);
  json.end_array();
  if (message.origin != usual_origin(message.role)) json.key("origin").string(origin_name(message.origin));
  text_field(json, "response", message.response);
  if (message.failed) json.key("failed").boolean(true);
  if (message.side) json.key("side").boolean(true);
  if (message.abandoned) json.key("abandoned").boolean(true);
  if (!message.raw.empty()) json.key("raw").string(message.raw);
  write_context(json, message.context);
  if (!message.extra.empty()) message.extra.write(json.key("extra"));
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
  std::size_t expected = 0;  // nearly always they come in this order
  for (const JsonItem& item : json.fields()) {
    for (std::size_t looked = 0; looked < std::size(kFigures); ++looked) {
      const std::size_t number = (expected + looked) % std::size(kFigures);
      const auto& [ours, theirs, figure] = kFigures[number];
      if (!item.key_is(ours) && !item.key_is(theirs)) continue;
      usage.*figure = item.value.as_int64().value_or(0);
      expected = number + 1;
      break;
    }
  }
  return usage;
}

}  // namespace holdfast::inline v1
