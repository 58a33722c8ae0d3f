#include "transfer/atif_export.h"

#include <charconv>

#include "text/base64.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/valid_json.h"
#include "transfer/atif_steps.h"
#include "transfer/import.h"

namespace holdfast::inline v1 {
namespace {

std::string agent_name(const Session& session, const AtifOptions& options) {
  if (!options.agent.empty()) return options.agent;
  if (session.layout == "open-agent") return "open-agent-sdk";
  return session.layout.empty() ? "unknown" : session.layout;
}

std::string agent_version(const Transcript& transcript, const AtifOptions& options) {
  if (!options.agent_version.empty()) return options.agent_version;
  for (const Message& message : transcript.messages) {
    if (!message.context.version.empty()) return message.context.version;
  }
  return "unknown";
}

class Writer {
 public:
  explicit Writer(const AtifOptions& options)
      : new_(options.version == AtifVersion::v1_7), json_(options.pretty ? JsonLayout::pretty : JsonLayout::compact) {}

  std::string write(const Transcript& transcript, const std::vector<AtifStep>& steps, const AtifOptions& options) {
    const Session& session = transcript.session;
    json_.begin_object().key("schema_version").string(new_ ? "ATIF-v1.7" : "ATIF-v1.6");
    json_.key("session_id").string(session.id);
    json_.key("agent").begin_object().key("name").string(agent_name(session, options));
    json_.key("version").string(agent_version(transcript, options));
    if (!session.models.empty()) json_.key("model_name").string(session.models.front());
    json_.end_object().key("steps").begin_array();
    std::int64_t number = 0;
    for (const AtifStep& step : steps) write_step(step, ++number);
    json_.end_array();
    write_totals(steps);
    json_.end_object();
    return json_.take() + "\n";
  }

 private:
  void write_step(const AtifStep& step, std::int64_t number) {
    json_.begin_object().key("step_id").int64(number);
    if (!step.timestamp.empty()) json_.key("timestamp").string(step.timestamp);
    json_.key("source").string(step.source);
    if (!step.model.empty()) json_.key("model_name").string(step.model);
    json_.key("message").string(step.text);
    if (!step.reasoning.empty()) json_.key("reasoning_content").string(step.reasoning);
    if (!step.calls.empty()) {
      json_.key("tool_calls").begin_array();
      for (const AtifCall& call : step.calls) write_call(call);
      json_.end_array();
    }
    if (!step.results.empty()) {
      json_.key("observation").begin_object().key("results").begin_array();
      for (const AtifCall& result : step.results) write_result(result, step.orphan);
      json_.end_array().end_object();
    }
    if (step.usage || !step.cost.empty()) write_metrics(step);
    const std::string orphan = step.orphan ? step.results.front().id : std::string();
    if (!step.origin.empty() || !orphan.empty() || !step.others.empty() || !step.media.empty()) {
      json_.key("extra").begin_object();
      if (!step.origin.empty()) json_.key("origin").string(step.origin);
      if (!orphan.empty()) json_.key("source_call_id").string(orphan);
      if (!step.others.empty()) json_.key("other").begin_array();
      for (const Block* other : step.others) write_valid_json(json_, other->json);
      if (!step.others.empty()) json_.end_array();
      if (!step.media.empty()) json_.key("media").begin_array();
      for (const AtifMedia& media : step.media) write_media(media);
      if (!step.media.empty()) json_.end_array();
      json_.end_object();
    }
    json_.end_object();
  }

  // As in messages of Holdfast, with all bytes.
  void write_media(const AtifMedia& media) {
    const Block& block = *media.block;
    json_.begin_object().key("type").string(block_kind_name(block.kind)).key("media_type").string(block.media_type);
    if (!block.data.empty()) json_.key("data").string(base64(block.data));
    if (block.bytes > 0) json_.key("bytes").uint64(block.bytes);
    if (!block.extra.empty()) write_valid_json(json_.key("extra"), block.extra);
    if (!media.call.empty()) json_.key("source_call_id").string(media.call);
    json_.end_object();
  }

  // Arguments are always written as an object.
  void write_call(const AtifCall& made) {
    const Block& call = *made.block;
    json_.begin_object().key("tool_call_id").string(made.id).key("function_name").string(call.name).key("arguments");
    const std::string whole = call.json.empty() ? "{}" : valid_json(call.json);
    if (JsonView(whole).kind() == JsonKind::object) {
      json_.raw(JsonView(whole).raw());
    } else {
      json_.begin_object().key("value").raw(JsonView(whole).raw()).end_object();
    }
    json_.end_object();
  }

  void write_result(const AtifCall& result, bool orphan) {
    json_.begin_object();
    if (!orphan) json_.key("source_call_id").string(result.id);
    json_.key("content").string(result.block->text);
    // Only 1.7 and later have `extra` in results.
    if (result.block->is_error && new_) json_.key("extra").begin_object().key("is_error").boolean(true).end_object();
    json_.end_object();
  }

  void write_metrics(const AtifStep& step) {
    json_.key("metrics").begin_object();
    if (step.usage) {
      const Usage& usage = *step.usage;
      const std::int64_t prompt = usage.input + usage.cache_read + usage.cache_write;
      json_.key("prompt_tokens").int64(prompt).key("completion_tokens").int64(usage.output);
      json_.key("cached_tokens").int64(usage.cache_read);
      prompt_ += prompt;
      completion_ += usage.output;
      cached_ += usage.cache_read;
      known_ = true;
    }
    if (!step.cost.empty()) {
      write_valid_json(json_.key("cost_usd"), step.cost);
      double cost = 0;
      (void)std::from_chars(step.cost.data(), step.cost.data() + step.cost.size(), cost);
      cost_ += cost;
      costs_ = true;
    }
    if (step.usage && (step.usage->cache_write != 0 || step.usage->reasoning != 0)) {
      json_.key("extra").begin_object();
      if (step.usage->cache_write != 0) json_.key("cache_creation_tokens").int64(step.usage->cache_write);
      if (step.usage->reasoning != 0) json_.key("reasoning_tokens").int64(step.usage->reasoning);
      json_.end_object();
    }
    json_.end_object();
  }

  void write_totals(const std::vector<AtifStep>& steps) {
    json_.key("final_metrics").begin_object();
    if (known_) {
      json_.key("total_prompt_tokens").int64(prompt_).key("total_completion_tokens").int64(completion_);
      json_.key("total_cached_tokens").int64(cached_);
    }
    if (costs_) json_.key("total_cost_usd").number(cost_);
    json_.key("total_steps").uint64(steps.size()).end_object();
  }

  bool new_;
  JsonWriter json_;
  std::int64_t prompt_ = 0, completion_ = 0, cached_ = 0;
  double cost_ = 0;
  bool known_ = false, costs_ = false;
};

}  // namespace

Result<std::string> export_atif(const Transcript& transcript, const AtifOptions& options) {
  const std::vector<AtifStep> steps = atif_steps(transcript.messages);
  if (steps.empty())
    return fail(Code::invalid_argument, "the session has nothing to export; a trajectory needs a step",
                transcript.session.id);
  return Writer(options).write(transcript, steps, options);
}

AtifLeftOut atif_left_out(const Transcript& transcript) {
  AtifLeftOut left{.blocks = kept_verbatim(transcript.messages)};
  for (const Message& message : transcript.messages)
    for (const Block& block : message.blocks) left.attachments += is_media(block.kind) ? 1 : 0;
  for (const AtifStep& step : atif_steps(transcript.messages)) {
    left.blocks -= step.others.size();
    for (const AtifMedia& media : step.media) {
      // What is only referred to is kept as it is: the address is in `extra`.
      if (!media.block->data.empty() || !media.block->extra.empty()) --left.attachments;
      if (!media.block->extra.empty()) --left.blocks;
    }
  }
  left.blocks += left.attachments;
  return left;
}

}  // namespace holdfast::inline v1
