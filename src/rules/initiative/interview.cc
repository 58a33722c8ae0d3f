#include "rules/initiative/interview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/time.h"
#include "model/time_formats.h"
#include "rules/initiative/memory_lines.h"
#include "store/record_text.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::hours kLife{24};
constexpr std::int64_t kSkipsUntilShort = 3;
constexpr double kNoComposite = -1;
constexpr std::int64_t kMaxAnAnswerAdds = 30;

struct Dimension {
  std::string_view name, brief;  // in the list of sessions, and in the other shape
};
constexpr std::array<Dimension, 5> kDimensions = {{{"problem_understanding", "problem"},
                                                   {"context_completeness", "context"},
                                                   {"technical_clarity", "technical"},
                                                   {"scope_definition", "scope"},
                                                   {"risk_awareness", "risk"}}};

Result<void> check_dimension(std::string_view what, std::string_view name) {
  std::string all;
  for (const Dimension& one : kDimensions) {
    if (one.name == name) return {};
    all.append(all.empty() ? "" : ", ").append(one.name);
  }
  return fail(Code::invalid_argument,
              std::string(what) + " no dimension " + std::string(name) + "; the dimensions are " + all);
}

Result<void> check_entry(const InterviewEntry& entry) {
  if (entry.skill.empty()) return fail(Code::invalid_argument, "an interview needs a skill");
  for (const auto& [name, score] : entry.confidence) {
    HOLDFAST_TRY(check_dimension("confidence has", name));
    if (score < 0 || score > 100)
      return fail(Code::invalid_argument, "the confidence " + name + " must be a number from 0 to 100");
  }
  for (const auto& [name, weight] : entry.weights) {
    HOLDFAST_TRY(check_dimension("weights have", name));
    if (!(weight >= 0 && weight <= 1))
      return fail(Code::invalid_argument, "the weight of " + name + " must be a number from 0 to 1");
  }
  return {};
}

// Returns the sum of score times weight; without weights, the mean of the given scores.
double composite_of(const InterviewEntry& entry) {
  double sum = 0;
  for (const auto& [name, score] : entry.confidence) {
    const auto weight = entry.weights.find(name);
    const double share = entry.weights.empty()           ? 1.0 / static_cast<double>(entry.confidence.size())
                         : weight == entry.weights.end() ? 0.0
                                                         : weight->second;
    sum += static_cast<double>(score) * share;
  }
  return sum;
}

// Over all dimensions of the single interview; weights from the entry, else from the file, else equal.
double composite_of(JsonView confidence, const InterviewEntry& entry) {
  const JsonView weights = confidence.find("weights");
  double sum = 0;
  for (const Dimension& dimension : kDimensions) {
    const auto given = entry.weights.find(std::string(dimension.name));
    double share = 1.0 / static_cast<double>(kDimensions.size());
    if (!entry.weights.empty())
      share = given == entry.weights.end() ? 0.0 : given->second;
    else if (weights)
      share = weights.find(dimension.brief).as_double().value_or(0.0);
    sum += confidence.find(dimension.brief).as_double().value_or(0.0) * share;
  }
  return std::round(sum * 100) / 100;
}

bool is_expired(JsonView session, std::chrono::system_clock::time_point now) {
  if (const auto expires = parse_any_time(session.find("expiresAt").as_string().value_or(""))) return *expires <= now;
  const auto began = parse_any_time(session.find("timestamp").as_string().value_or(""));
  return began && *began + kLife <= now;
}

bool is_single(JsonView state) { return !state.find("sessions") && (state.find("mode") || state.find("gateStatus")); }

std::string spell_entry(const InterviewEntry& entry, std::chrono::system_clock::time_point now) {
  JsonWriter json;
  json.begin_object().key("skill").string(entry.skill).key("timestamp").string(iso8601(now));
  json.key("expiresAt").string(iso8601(now + kLife)).key("confidence").begin_object();
  for (const Dimension& dimension : kDimensions) {
    const auto score = entry.confidence.find(std::string(dimension.name));
    if (score != entry.confidence.end()) json.key(dimension.name).int64(score->second);
  }
  if (!entry.confidence.empty()) json.key("composite").int64(std::llround(composite_of(entry)));
  json.end_object().key("questions_asked").int64(entry.questions_asked).key("bypassed").boolean(entry.bypassed);
  if (entry.skipped) json.key("skipped").boolean(true);
  if (!entry.skip_reason.empty()) json.key("skip_reason").string(entry.skip_reason);
  return json.end_object().take();
}

Result<std::string> without_expired(std::string state, std::chrono::system_clock::time_point now) {
  for (std::size_t at = 0;;) {
    const std::string before = state;
    const JsonView sessions = JsonView(before).find("sessions");
    std::size_t index = 0;
    bool dropped = false;
    for (const JsonItem& session : sessions.elements()) {
      if (index++ < at) continue;
      if (!is_expired(session.value, now)) {
        ++at;
        continue;
      }
      HOLDFAST_LET(edited, json_remove(before, {JsonStep("sessions"), JsonStep(at)}));
      state = std::move(edited);
      dropped = true;
      break;
    }
    if (!dropped) return state;
  }
}

// The other shape holds one interview: sets its numbers in place.
Result<std::string> set_single(std::string state, const InterviewEntry& entry,
                               std::chrono::system_clock::time_point now) {
  const std::string before = state;
  const JsonView old = JsonView(before).find("confidence");
  const auto set = [&](std::initializer_list<JsonStep> path, std::string_view json) -> Result<void> {
    HOLDFAST_LET(edited, json_set(state, path, json));
    state = std::move(edited);
    return {};
  };
  for (const Dimension& dimension : kDimensions) {
    const auto score = entry.confidence.find(std::string(dimension.name));
    if (score == entry.confidence.end()) continue;
    const std::int64_t was = old.find(dimension.brief).as_int64().value_or(0);
    if (score->second - was > kMaxAnAnswerAdds)
      return fail(Code::invalid_argument, std::string(dimension.name) + " cannot rise from " + std::to_string(was) +
                                              " to " + std::to_string(score->second) + ": one answer adds at most 30");
    HOLDFAST_TRY(set({"confidence", dimension.brief}, std::to_string(score->second)));
  }
  if (!entry.confidence.empty()) {
    const double composite = composite_of(JsonView(state).find("confidence"), entry);
    HOLDFAST_TRY(set({"confidence", "composite"}, JsonWriter().number(composite).take()));
  }
  if (entry.skipped) HOLDFAST_TRY(set({"status"}, "\"skipped\""));
  HOLDFAST_TRY(set({"updatedAt"}, json_quoted(iso8601(now))));
  HOLDFAST_TRY(set({"expiresAt"}, json_quoted(iso8601(now + kLife))));
  return state;
}

Result<std::optional<std::string>> state_in(LayerDraft& draft) {
  HOLDFAST_LET(bytes, draft.bytes("interview"));
  if (!bytes) return std::nullopt;
  HOLDFAST_LET(place, draft.place("interview"));
  if (!check_json(without_bom(*bytes)).ok() || JsonView(*bytes).kind() != JsonKind::object)
    return fail(Code::corrupt, "not a JSON object", place.path);
  return std::move(*bytes);
}

}  // namespace

Result<RecordedInterview> record_interview(const Context& context, Store& store, const InterviewEntry& entry) {
  HOLDFAST_TRY(check_entry(entry));
  RecordedInterview taken;
  HOLDFAST_LET(outcome, write_layers(context, store, entry.project, [&](LayerDraft& draft) -> Result<void> {
                 const auto now = context.clock->now();
                 HOLDFAST_LET(before, state_in(draft));
                 taken.entry = spell_entry(entry, now);
                 if (before && is_single(JsonView(*before))) {
                   HOLDFAST_LET(edited, set_single(*before, entry, now));
                   // Over all dimensions in the file, not only the given ones.
                   if (!entry.confidence.empty()) {
                     const JsonView composite = JsonView(edited).find("confidence").find("composite");
                     HOLDFAST_LET(told, json_set(taken.entry, {"confidence", "composite"}, composite.raw()));
                     taken.entry = std::move(told);
                   }
                   HOLDFAST_TRY(draft.put("interview", {}, std::move(edited)));
                 } else {
                   HOLDFAST_LET(
                       living,
                       without_expired(before.value_or("{\n  \"version\": \"1.0\",\n  \"sessions\": []\n}\n"), now));
                   std::size_t count = 0;
                   const JsonView sessions = JsonView(living).find("sessions");
                   for ([[maybe_unused]] const JsonItem& one : sessions.elements()) ++count;
                   HOLDFAST_LET(edited, json_set(living, {JsonStep("sessions"), JsonStep(count)}, taken.entry));
                   HOLDFAST_TRY(draft.put("interview", {}, std::move(edited)));
                 }
                 if (entry.learning.empty()) return {};
                 return draft.remember(
                     [&](std::string_view memory) { return with_line(memory, kInterviewPatterns, entry.learning); });
               }));
  taken.outcome = std::move(outcome);
  return taken;
}

Result<std::string> read_interviews(const Context& context, Store& store, std::string_view project,
                                    std::string_view skill) {
  std::string answer;
  HOLDFAST_TRY(read_layers(context, store, project, [&](LayerDraft& draft) -> Result<void> {
    const auto now = context.clock->now();
    HOLDFAST_LET(bytes, state_in(draft));
    const std::string text = bytes.value_or("{}");
    const JsonView state(text);
    std::int64_t expired = 0, skips = 0;
    double last = kNoComposite;
    std::optional<std::string> of;  // the skill of the sessions so far
    bool several = false;
    JsonWriter json;
    json.begin_object().key("skill").string(skill).key("sessions").begin_array();
    const JsonView sessions = state.find("sessions");
    for (const JsonItem& session : sessions.elements()) {
      if (!skill.empty() && !session.value.find("skill").is_string(skill)) continue;
      if (is_expired(session.value, now)) {
        ++expired;
        continue;
      }
      json.raw(session.value.raw());
      const std::string its(session.value.find("skill").raw());
      several = several || (of && *of != its);
      of = its;
      if (session.value.find("skipped").as_bool().value_or(false)) ++skips;
      if (const auto composite = session.value.find("confidence").find("composite").as_double()) last = *composite;
    }
    // What one skill may ask next does not follow from the interviews of others.
    if (several) last = kNoComposite;
    const bool single = is_single(state);
    const bool single_expired = single && is_expired(state, now);
    if (single && !single_expired) last = state.find("confidence").find("composite").as_double().value_or(kNoComposite);
    json.end_array().key("expired").int64(expired + (single_expired ? 1 : 0)).key("skips").int64(skips);
    json.key("max_questions");
    skips >= kSkipsUntilShort && !several ? json.int64(1) : json.null();
    json.key("baseline");
    last >= 0 ? json.int64(static_cast<std::int64_t>(std::min(80.0, std::floor(0.85 * last + 1e-9)))) : json.null();
    json.key("state");
    single ? json.raw(state.raw()) : json.null();
    answer = json.end_object().take();
    return {};
  }));
  return answer;
}

Result<bool> clear_interviews(const Context& context, Store& store, std::string_view project) {
  bool any = false;
  HOLDFAST_TRY(write_layers(context, store, project, [&](LayerDraft& draft) -> Result<void> {
    HOLDFAST_LET(bytes, draft.bytes("interview"));
    any = bytes.has_value();
    return draft.remove("interview");
  }));
  return any;
}

}  // namespace holdfast::inline v1
