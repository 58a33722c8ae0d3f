#include "model/message_as.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/block_read.h"
#include "text/base64.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/valid_json.h"

namespace holdfast::inline v1 {
namespace {

// An object that knows the names of its members, so members from `extra` replace none of them.
class Object {
 public:
  Object& set(std::string_view name, std::string json) {
    members_.emplace_back(name, std::move(json));
    return *this;
  }
  Object& text(std::string_view name, std::string_view text) { return set(name, json_quoted(text)); }
  Object& text_if(std::string_view name, std::string_view text) {
    return text.empty() ? *this : set(name, json_quoted(text));
  }
  Object& figure(std::string_view name, std::int64_t value) { return set(name, std::to_string(value)); }

  // Adds the members of `extra`; one that has another value under an existing name goes into "extra".
  Object& extra(std::string_view json, std::initializer_list<std::string_view> without = {}) {
    JsonWriter left;
    left.begin_object();
    const std::size_t nothing = left.text().size();
    for (const JsonItem& item : JsonView(json).fields()) {
      const std::string name = item.key();
      if (std::ranges::find(without, name) != without.end()) continue;
      const auto known = std::ranges::find(members_, name, &std::pair<std::string, std::string>::first);
      if (known == members_.end()) {
        set(name, std::string(item.value.raw()));
      } else if (known->second != item.value.raw()) {
        left.key(name).raw(item.value.raw());
      }
    }
    if (left.text().size() != nothing) set("extra", left.end_object().take());
    return *this;
  }
  std::string take() const {
    JsonWriter json;
    json.begin_object();
    for (const auto& [name, value] : members_) write_valid_json(json.key(name), value);
    return json.end_object().take();
  }

 private:
  std::vector<std::pair<std::string, std::string>> members_;
};

// A null is kept in `extra`.
bool is_null_in(std::string_view extra, std::string_view name) { return JsonView(extra).find(name).is_null(); }

std::string output_of(const Block& block) {
  if (is_null_in(block.extra, "output")) return "null";
  return block.json.empty() ? json_quoted(block.text) : block.json;
}

std::string other_of(const Block& block) {
  if (JsonView(block.json).find("type").kind() == JsonKind::string && block.extra.empty())
    return valid_json(block.json);
  return Object().text("type", "other").set("raw", block.json.empty() ? "null" : block.json).extra(block.extra).take();
}

// ---- Anthropic

std::string source_of(const Block& block) {
  Object source;
  source.text("type", "base64").text("media_type", block.media_type).text("data", base64(block.data));
  return source.extra(JsonView(block.extra).find("source").raw()).take();
}

std::string anthropic_block(const Block& block) {
  Object object;
  switch (block.kind) {
    case BlockKind::text: object.text("type", "text").text("text", block.text); break;
    case BlockKind::thinking:
      object.text("type", "thinking").text("thinking", block.text).text_if("signature", block.signature);
      break;
    case BlockKind::tool_call:
      object.text("type", "tool_use").text("id", block.id).text("name", block.name);
      if (!is_null_in(block.extra, "input")) object.set("input", block.json.empty() ? "{}" : block.json);
      break;
    case BlockKind::tool_result:
      object.text("type", "tool_result").text("tool_use_id", block.id);
      // A null in `extra` means that there is no output.
      if (!is_null_in(block.extra, "content") && !is_null_in(block.extra, "output"))
        object.set("content", output_of(block));
      if (block.is_error) object.set("is_error", "true");
      return object
          .extra(block.extra, {is_null_in(block.extra, "content") ? "content" : "",
                               is_null_in(block.extra, "output") ? "output" : ""})
          .take();
    case BlockKind::image:
    case BlockKind::document:
    case BlockKind::audio:
      object.text("type", block_kind_name(block.kind));
      if (!block.data.empty()) return object.set("source", source_of(block)).extra(block.extra, {"source"}).take();
      // A source that is no bytes names the type itself.
      if (!JsonView(block.extra).find("source")) object.text_if("media_type", block.media_type);
      object.text_if("blob", block.blob);
      break;
    case BlockKind::other: return other_of(block);
  }
  return object.extra(block.extra).take();
}

// ---- OpenAI

std::string arguments_of(const Block& block) {
  if (const JsonView own = JsonView(block.extra).find("arguments"); own.kind() == JsonKind::string)
    return std::string(own.raw());
  const JsonView input(block.json);
  if (input.kind() == JsonKind::string) return block.json;  // it was not an object
  return json_quoted(block.json.empty() ? "{}" : std::string_view(block.json));
}

std::string openai_part(const Block& block, Role role) {
  const std::string url = "data:" + block.media_type + ";base64," + base64(block.data);
  Object object;
  switch (block.kind) {
    case BlockKind::text: {
      const auto own = JsonView(block.extra).find("type").as_string();
      const bool theirs = own == "input_text" || own == "output_text";
      object.text("type", theirs ? *own : role == Role::assistant ? "output_text" : "input_text");
      object.text("text", block.text);
      break;
    }
    case BlockKind::image:
      object.text("type", "input_image");
      if (!block.data.empty()) object.text("image_url", url);
      break;
    case BlockKind::document:
      object.text("type", "input_file");
      if (!block.data.empty()) object.text("file_data", url);
      break;
    case BlockKind::audio: {
      object.text("type", "input_audio");
      Object audio;
      audio.text("data", base64(block.data));
      audio.text("format", std::string_view(block.media_type).substr(block.media_type.find('/') + 1));
      const std::string_view more = JsonView(block.extra).find("input_audio").raw();
      return object.set("input_audio", audio.extra(more).take()).extra(block.extra, {"input_audio"}).take();
    }
    default: return other_of(block);
  }
  return object.extra(block.extra).take();
}

std::string context_of(const Message& message) {
  Object context;
  context.text_if("cwd", message.context.cwd).text_if("git_branch", message.context.git_branch);
  context.text_if("permission_mode", message.context.permission_mode).text_if("version", message.context.version);
  return context.text_if("user_type", message.context.user_type).take();
}

// Adds what neither API can express, under our names, which are understood when the message is given again.
void add_own_words(Object& object, const Message& message) {
  object.text_if("agent", message.agent).text_if("response", message.response);
  if (!(message.context == MessageContext())) object.set("context", context_of(message));
}

// The parts of figures that have another price.
void add_parts(Object& usage, const Message& message) {
  const JsonView kept = JsonView(message.extra).find("usage").find("cache_creation");
  const std::int64_t hour = message.usage->cache_write_1h;
  if (hour != 0)
    usage.set("cache_creation", Object().figure("ephemeral_1h_input_tokens", hour).extra(kept.raw()).take());
  else if (kept)
    usage.set("cache_creation", std::string(kept.raw()));
  if (message.usage->reasoning_apart != 0) usage.figure("reasoning_apart", message.usage->reasoning_apart);
}

// Their input includes tokens from a cache.
std::string openai_usage(const Message& message) {
  const Usage& said = *message.usage;
  const JsonView more = JsonView(message.extra).find("usage");
  Object usage;
  usage.figure("input_tokens", said.input + said.cache_read).figure("output_tokens", said.output);
  const auto details = [&](std::string_view object, std::string_view name, std::int64_t value) {
    if (value == 0 && !more.find(object)) return;
    usage.set(object, Object().figure(name, value).extra(more.find(object).raw()).take());
  };
  details("input_tokens_details", "cached_tokens", said.cache_read);
  details("output_tokens_details", "reasoning_tokens", said.reasoning);
  if (said.cache_write != 0) usage.figure("cache_creation_input_tokens", said.cache_write);
  add_parts(usage, message);
  return usage.extra(more.raw(), {"input_tokens_details", "output_tokens_details", "cache_creation"}).take();
}

// Adds what concerns the whole message: to the first item of type message, else to the first item.
void add_head(Object& object, const Message& message) {
  object.text_if("model", message.model).text_if("stop_reason", message.stop_reason);
  if (message.usage) object.set("usage", openai_usage(message));
  add_own_words(object, message);
  object.extra(message.extra, {"usage"});
}

// True for an item that is kept verbatim, as given.
bool is_item(const Block& block) {
  return block.kind == BlockKind::other &&
         role_of_item(JsonView(block.json).find("type").as_string().value_or("")).has_value();
}

// The block as an item of its own; empty if it is part of a message.
std::string openai_item(const Block& block, const Message* head) {
  Object object;
  switch (block.kind) {
    case BlockKind::tool_call:
      object.text("type", "function_call").text("call_id", block.id).text("name", block.name);
      object.set("arguments", arguments_of(block));
      break;
    case BlockKind::tool_result:
      object.text("type", "function_call_output").text("call_id", block.id).set("output", output_of(block));
      if (block.is_error) object.set("is_error", "true");
      break;
    case BlockKind::thinking:
      object.text("type", "reasoning");
      if (!JsonView(block.extra).find("summary"))
        object.set("summary", "[" + Object().text("type", "summary_text").text("text", block.text).take() + "]");
      object.text_if("signature", block.signature);
      break;
    case BlockKind::other:
      if (!is_item(block)) return {};
      object.extra(block.json);
      break;
    default: return {};
  }
  object.extra(block.extra);
  if (head != nullptr) add_head(object, *head);
  return object.take();
}

std::string openai_message(const Message& message, const std::string& content, bool first) {
  Object object;
  object.text("type", "message");
  const auto own = JsonView(message.extra).find("role").as_string();
  object.text("role", own ? std::string_view(*own) : role_name(message.role)).set("content", "[" + content + "]");
  if (!first) return object.take();
  object.text_if("id", message.id);
  add_head(object, message);
  return object.take();
}

std::string anthropic_usage(const Message& message) {
  Object usage;
  usage.figure("input_tokens", message.usage->input).figure("output_tokens", message.usage->output);
  usage.figure("cache_read_input_tokens", message.usage->cache_read);
  usage.figure("cache_creation_input_tokens", message.usage->cache_write);
  if (message.usage->reasoning != 0) usage.figure("reasoning_tokens", message.usage->reasoning);
  add_parts(usage, message);
  return usage.extra(JsonView(message.extra).find("usage").raw(), {"cache_creation"}).take();
}

}  // namespace

void write_as_anthropic(JsonWriter& json, const Message& message) {
  std::string content;
  for (const Block& block : message.blocks) content += (content.empty() ? "" : ",") + anthropic_block(block);
  Object object;
  object.text_if("id", message.id).text("role", message.role == Role::tool ? "user" : role_name(message.role));
  object.set("content", "[" + content + "]").text_if("model", message.model);
  object.text_if("stop_reason", message.stop_reason);
  if (message.usage) object.set("usage", anthropic_usage(message));
  add_own_words(object, message);
  json.raw(object.extra(message.extra, {"usage"}).take());
}

void write_as_openai(JsonWriter& json, const Message& message) {
  const bool speaks = std::ranges::any_of(message.blocks, [](const Block& block) {
    return block.kind != BlockKind::tool_call && block.kind != BlockKind::tool_result &&
           block.kind != BlockKind::thinking && !is_item(block);
  });
  std::string content;
  bool first = true;
  const auto flush = [&](bool even_empty = false) {
    if (content.empty() && !even_empty) return;
    json.raw(openai_message(message, content, first));
    content.clear();
    first = false;
  };
  for (const Block& block : message.blocks) {
    const std::string item = openai_item(block, first && !speaks ? &message : nullptr);
    if (item.empty()) {
      content += (content.empty() ? "" : ",") + openai_part(block, message.role);
      continue;
    }
    flush();
    json.raw(item);
    if (!speaks) first = false;
  }
  flush(first);
}

}  // namespace holdfast::inline v1
