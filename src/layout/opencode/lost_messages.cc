#include "layout/opencode/lost_messages.h"

#include <algorithm>

#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::opencode {
namespace {

// Values that the other messages of the session share.
struct Neighbours {
  std::string model = "unknown", provider = "unknown", directory, prompt;
};

std::string answer_data(const Neighbours& known, std::int64_t created, std::int64_t completed) {
  JsonWriter json;
  json.begin_object().key("role").string("assistant").key("time").begin_object();
  json.key("created").int64(created).key("completed").int64(completed).end_object();
  json.key("parentID").string(known.prompt).key("agent").string("build").key("mode").string("build");
  json.key("path").begin_object().key("cwd").string(known.directory).key("root").string(known.directory).end_object();
  json.key("cost").int64(0).key("tokens").begin_object();
  json.key("input").int64(0).key("output").int64(0).key("reasoning").int64(0);
  json.key("cache").begin_object().key("read").int64(0).key("write").int64(0).end_object().end_object();
  return json.key("modelID").string(known.model).key("providerID").string(known.provider).end_object().take();
}

std::string prompt_data(const Neighbours& known, std::int64_t created) {
  JsonWriter json;
  json.begin_object().key("role").string("user").key("time").begin_object().key("created").int64(created).end_object();
  json.key("agent").string("build").key("model").begin_object();
  json.key("providerID").string(known.provider).key("modelID").string(known.model).end_object();
  return json.end_object().take();
}

}  // namespace

// Only the model thinks, calls tools and takes steps.
bool is_of_answer(std::string_view data) {
  const JsonView type = JsonView(data).find("type");
  constexpr std::string_view kOfAnswers[] = {"tool", "reasoning", "step-start", "step-finish", "patch"};
  return std::ranges::any_of(kOfAnswers, [&](std::string_view kind) { return type.is_string(kind); });
}

bool LostMessages::add(const std::string& message, const std::string& part, std::int64_t time, std::string_view data) {
  if (!check_json(data).ok() || JsonView(data).kind() != JsonKind::object) return false;
  messages_[message].push_back({part, std::string(data), time});
  return true;
}

std::uint64_t LostMessages::restore(SavedSession& saved, const std::string& session) const {
  Neighbours known{.directory = saved.directory};
  for (const auto& [place, message] : saved.messages) {
    const JsonView model = JsonView(message.json).find("modelID");
    if (model.kind() != JsonKind::string) continue;
    known.model = model.as_string().value_or("unknown");
    known.provider = JsonView(message.json).find("providerID").as_string().value_or("unknown");
  }
  for (const auto& [id, parts] : messages_) {
    const auto [first, last] = std::ranges::minmax_element(parts, {}, &Part::time);
    // Ids rise with time, so the prompt of an answer is the last one before it.
    for (const auto& [place, message] : saved.messages) {
      if (place.second < id && JsonView(message.json).find("role").is_string("user")) known.prompt = place.second;
    }
    const bool answer = std::ranges::any_of(parts, [](const Part& part) { return is_of_answer(part.data); });
    const std::string data = answer ? answer_data(known, first->time, last->time) : prompt_data(known, first->time);
    (void)saved.add_message(session, id, first->time, data);
    for (const Part& part : parts) (void)saved.add_part(session, part.id, id, part.data);
  }
  return messages_.size();
}

}  // namespace holdfast::inline v1::opencode
