#include "transfer/atif_import.h"

#include <algorithm>
#include <iterator>

#include "model/block_read.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Reads a text, or a list of parts; parts that are not texts are kept as they are.
void read_parts(JsonView content, std::vector<Block>& blocks) {
  if (content.kind() == JsonKind::string) {
    if (std::string text = content.as_string().value_or(""); !text.empty())
      blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
    return;
  }
  for (const JsonItem& part : content.elements()) {
    if (part.value.find("type").is_string("text"))
      blocks.push_back({.kind = BlockKind::text, .text = json_text(part.value, "text")});
    else if (part.value.find("type").is_string("image"))
      blocks.push_back({.kind = BlockKind::image, .media_type = json_text(part.value.find("source"), "media_type")});
    else
      blocks.push_back({.kind = BlockKind::other, .json = std::string(part.value.raw())});
  }
}

// An attachment as export writes it; anything else is kept as it is.
void read_media(JsonView media, std::vector<Block>& blocks) {
  const std::string block = json_remove(media.raw(), {"source_call_id"}).value_or(std::string(media.raw()));
  std::vector<Block> read;
  if (read_input_block(JsonView(block), {}, Role::user, UnknownBlocks::refuse, read) && read.size() == 1)
    blocks.push_back(std::move(read[0]));
  else
    blocks.push_back({.kind = BlockKind::other, .json = std::string(media.raw())});
}

void keep_fields(JsonView object, std::span<const std::string_view> known, std::vector<Block>& blocks) {
  if (std::string rest = unknown_fields(object, known); !rest.empty())
    blocks.push_back({.kind = BlockKind::other, .json = std::move(rest)});
}

// Reads what export writes to `extra`, and keeps everything else. Media of results have their place there.
void read_extra(JsonView extra, std::vector<Block>& blocks) {
  constexpr std::string_view kKnown[] = {"origin", "source_call_id", "other", "media"};
  for (const JsonItem& other : extra.find("other").elements())
    blocks.push_back({.kind = BlockKind::other, .json = std::string(other.value.raw())});
  for (const JsonItem& media : extra.find("media").elements())
    if (!media.value.find("source_call_id")) read_media(media.value, blocks);
  keep_fields(extra, kKnown, blocks);
}

// Appends the media of a result.
void read_result_media(JsonView extra, std::string_view call, std::vector<Block>& blocks) {
  for (const JsonItem& media : extra.find("media").elements())
    if (media.value.find("source_call_id").is_string(call)) read_media(media.value, blocks);
}

// prompt_tokens includes tokens from the cache.
std::optional<Usage> usage_of(JsonView metrics) {
  const auto prompt = metrics.find("prompt_tokens").as_int64();
  const auto output = metrics.find("completion_tokens").as_int64();
  if (!prompt && !output) return std::nullopt;
  Usage usage;
  usage.cache_read = metrics.find("cached_tokens").as_int64().value_or(0);
  usage.cache_write = metrics.find("extra").find("cache_creation_tokens").as_int64().value_or(0);
  usage.reasoning = metrics.find("extra").find("reasoning_tokens").as_int64().value_or(0);
  usage.input = std::max<std::int64_t>(0, prompt.value_or(0) - usage.cache_read - usage.cache_write);
  usage.output = output.value_or(0);
  return usage;
}

// A result whose call is not in the trajectory has its id in `extra` of the step.
Message results_of(JsonView step, const std::string& timestamp) {
  const JsonView observation = step.find("observation"), beside = step.find("extra");
  Message message;
  if (observation.kind() != JsonKind::object) return message;
  message.role = Role::tool;
  message.origin = Origin::tool;
  message.timestamp = timestamp;
  for (const JsonItem& result : observation.find("results").elements()) {
    Block block{.kind = BlockKind::tool_result, .id = json_text(result.value, "source_call_id")};
    if (block.id.empty()) block.id = json_text(beside, "source_call_id");
    block.is_error = result.value.find("extra").find("is_error").as_bool().value_or(false);
    std::vector<Block> parts;
    read_parts(result.value.find("content"), parts);
    for (const Block& part : parts)
      if (part.kind == BlockKind::text) block.text += (block.text.empty() ? "" : "\n") + part.text;
    const std::string call = block.id;
    message.blocks.push_back(std::move(block));
    read_result_media(beside, call, message.blocks);
    std::ranges::copy_if(parts, std::back_inserter(message.blocks),
                         [](const Block& part) { return part.kind != BlockKind::text; });
    constexpr std::string_view kKnown[] = {"source_call_id", "content", "extra"}, kExtra[] = {"is_error"};
    keep_fields(result.value, kKnown, message.blocks);
    keep_fields(result.value.find("extra"), kExtra, message.blocks);
  }
  return message;
}

Result<void> read_step(JsonView step, std::size_t number, std::vector<Message>& messages) {
  const std::string source = json_text(step, "source");
  Message message;
  if (source == "agent") {
    message.role = Role::assistant;
    message.origin = Origin::model;
  } else if (source == "system") {
    message.role = Role::system;
    message.origin = Origin::injected;
  } else if (source != "user") {
    return fail(Code::invalid_argument, "step " + std::to_string(number) + " has no source of user, agent or system");
  }
  message.timestamp = json_text(step, "timestamp");
  message.model = json_text(step, "model_name");
  if (const std::string thought = json_text(step, "reasoning_content"); !thought.empty())
    message.blocks.push_back({.kind = BlockKind::thinking, .text = thought});
  read_parts(step.find("message"), message.blocks);
  for (const JsonItem& call : step.find("tool_calls").elements()) {
    Block block{.kind = BlockKind::tool_call, .id = json_text(call.value, "tool_call_id")};
    block.name = json_text(call.value, "function_name");
    block.json = call.value.find("arguments").raw();
    message.blocks.push_back(std::move(block));
  }
  if (const JsonView metrics = step.find("metrics")) {
    message.usage = usage_of(metrics);
    if (metrics.find("cost_usd").kind() == JsonKind::number) message.cost = metrics.find("cost_usd").raw();
  }
  constexpr std::string_view kKnown[] = {"step_id",           "timestamp",  "source",      "model_name", "message",
                                         "reasoning_content", "tool_calls", "observation", "metrics",    "extra"};
  keep_fields(step, kKnown, message.blocks);
  read_extra(step.find("extra"), message.blocks);
  Message results = results_of(step, message.timestamp);
  // A step that only carries results is no answer.
  const bool answers = !message.blocks.empty() || message.usage || !message.cost.empty() || !message.model.empty();
  if (answers || results.blocks.empty()) messages.push_back(std::move(message));
  if (!results.blocks.empty()) messages.push_back(std::move(results));
  return {};
}

}  // namespace

Result<ImportedSession> read_atif(JsonView indented) {
  // Values that are kept verbatim become parts of one-line records.
  const std::string text = compact_json(indented);
  const JsonView document(text);
  ImportedSession imported;
  imported.format = "atif";
  imported.draft.id = json_text(document, "session_id");
  imported.draft.agent = json_text(document.find("agent"), "name");
  imported.draft.model = json_text(document.find("agent"), "model_name");
  JsonWriter origin;
  origin.begin_object().key("imported_from").begin_object().key("format").string(json_text(document, "schema_version"));
  origin.key("agent").string(imported.draft.agent).key("id").string(imported.draft.id).end_object().end_object();
  imported.past.origin = origin.take();
  std::size_t number = 0;
  for (const JsonItem& step : document.find("steps").elements())
    HOLDFAST_TRY(read_step(step.value, ++number, imported.messages));
  if (number == 0) return fail(Code::invalid_argument, "the trajectory has no step");
  // final_metrics are sums over the steps.
  constexpr std::string_view kKnown[] = {"schema_version", "session_id", "agent", "steps", "final_metrics"};
  constexpr std::string_view kAgent[] = {"name", "version", "model_name"};
  Message rest{.role = Role::system, .origin = Origin::notice};
  keep_fields(document, kKnown, rest.blocks);
  keep_fields(document.find("agent"), kAgent, rest.blocks);
  if (!rest.blocks.empty()) imported.messages.push_back(std::move(rest));
  return imported;
}

}  // namespace holdfast::inline v1
