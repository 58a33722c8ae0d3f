#include "store/thread_record.h"

#include "model/when.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

bool pinned(const std::string& thread) {
  return JsonView(thread).find("metadata").find("pinned").as_bool().value_or(false);
}

}  // namespace

bool thread_comes_first(const std::string& a, const std::string& b) {
  if (pinned(a) != pinned(b)) return pinned(a);
  const auto a_time = parse_when(text_in(a, "updated_at")), b_time = parse_when(text_in(b, "updated_at"));
  if (a_time != b_time) return a_time > b_time;
  return text_in(a, "id") < text_in(b, "id");
}

std::string new_thread(const ThreadDraft& draft, std::string_view now) {
  JsonWriter json;
  json.begin_object().key("title").string(draft.title).key("created_at").string(now).key("updated_at").string(now);
  json.key("project_path").string(draft.project).key("harness").string(draft.harness);
  json.key("model").string(draft.model);
  if (!draft.privacy.empty()) json.key("privacy").raw(draft.privacy);
  if (!draft.metadata.empty()) json.key("metadata").raw(draft.metadata);
  return json.end_object().take();
}

std::string thread_of_project(const std::vector<std::string>& threads, std::string_view project) {
  const std::string* best = nullptr;
  for (const std::string& thread : threads) {
    if (project.empty() || text_in(thread, "project_path") != project) continue;
    if (best == nullptr || thread_comes_first(thread, *best)) best = &thread;
  }
  return best == nullptr ? std::string() : *best;
}

}  // namespace holdfast::inline v1
