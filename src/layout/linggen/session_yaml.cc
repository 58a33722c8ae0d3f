#include "layout/linggen/session_yaml.h"

#include <vector>

#include "base/utf8.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1::linggen {
namespace {

// The offset after the first `count` characters; npos if there are not that many.
std::size_t after_characters(std::string_view text, std::size_t count) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_utf8_tail(text[at])) continue;
    if (count-- == 0) return at;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\v\f";
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
  return words;
}

}  // namespace

std::string auto_title(std::string_view prompt) {
  constexpr std::size_t kWords = 6, kLong = 50, kCut = 47;
  const std::vector<std::string_view> words = words_of(prompt);
  if (words.empty()) return std::string(kNoTitle);
  std::string title;
  for (std::size_t i = 0; i < std::min(words.size(), kWords); ++i) {
    if (i > 0) title += ' ';
    title += words[i];
  }
  if (after_characters(title, kLong) != std::string::npos)
    return title.substr(0, after_characters(title, kCut)) + "...";
  return words.size() > kWords ? title + "..." : title;
}

Result<std::string> new_session_yaml(std::string_view id, const SessionDraft& draft, std::int64_t created_at,
                                     bool with_project) {
  JsonWriter json;
  json.begin_object().key("id").string(id);
  json.key("title").string(draft.title.empty() ? auto_title(draft.first_prompt) : draft.title);
  json.key("created_at").int64(created_at);
  const auto field = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) json.key(key).string(text);
  };
  field("model_id", draft.model);
  field("agent_id", draft.agent);
  if (with_project) {
    field("cwd", draft.project);
    field("project", draft.project);
    field("project_name", draft.project.empty() ? "" : draft.project.substr(draft.project.rfind('/') + 1));
  }
  if (!draft.metadata.empty()) {
    for (const JsonItem& item : JsonView(draft.metadata).fields()) {
      const std::string key = item.key();
      const bool said =
          key == "id" || key == "title" || key == "created_at" || (key == "model_id" && !draft.model.empty()) ||
          (key == "agent_id" && !draft.agent.empty()) ||
          (with_project && !draft.project.empty() && (key == "cwd" || key == "project" || key == "project_name"));
      if (!said) json.key(key).raw(item.value.raw());
    }
  }
  const std::string text = json.end_object().take();
  return json_to_yaml(JsonView(text));
}

SessionFacts facts_of(JsonView yaml) {
  SessionFacts facts;
  facts.title = json_text(yaml, "title");
  const JsonView created = yaml.find("created_at");
  facts.created_at = created.kind() == JsonKind::number ? std::string(created.raw()) : created.as_string().value_or("");
  facts.updated_at = facts.created_at;
  facts.model = json_text(yaml, "model_id");
  facts.project = json_text(yaml, "project");
  if (facts.project.empty()) facts.project = json_text(yaml, "cwd");
  JsonWriter rest;
  rest.begin_object();
  bool any = false;
  for (const JsonItem& item : yaml.fields()) {
    const std::string key = item.key();
    if (key == "id" || key == "title" || key == "created_at" || key == "model_id" || key == "project") continue;
    rest.key(key == "consumer_user_id" ? "user_id" : key).raw(item.value.raw());
    any = true;
  }
  if (any) facts.metadata = rest.end_object().take();
  return facts;
}

}  // namespace holdfast::inline v1::linggen
