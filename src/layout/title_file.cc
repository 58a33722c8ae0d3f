#include "layout/title_file.h"

#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

std::string codex_line(std::string_view id, std::string_view title, std::string_view updated_at) {
  JsonWriter json;
  json.begin_object().key("id").string(id).key("thread_name").string(title);
  return json.key("updated_at").string(updated_at).end_object().take() + "\n";
}

}  // namespace

const TitleFile* title_file_of(std::string_view layout) {
  static constexpr TitleFile kCodex{"session_index.jsonl", codex_line};
  return layout == "codex" ? &kCodex : nullptr;
}

}  // namespace holdfast::inline v1
