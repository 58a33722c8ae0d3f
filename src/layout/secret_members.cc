#include "layout/secret_members.h"

#include "text/json_edit.h"

namespace holdfast::inline v1 {
namespace {

bool holds_something(JsonView value) {
  switch (value.kind()) {
    case JsonKind::string: return !value.is_string("");
    case JsonKind::object: return !value.fields().empty();
    case JsonKind::array: return !value.elements().empty();
    default: return false;
  }
}

void look(JsonView value, IsSecretKey is_secret, std::vector<std::string>& path,
          std::vector<std::vector<std::string>>& found) {
  for (const JsonItem& item : value.fields()) {
    path.push_back(item.key());
    if (is_secret(path.back()) && holds_something(item.value)) {
      found.push_back(path);
    } else if (item.value.kind() == JsonKind::object) {
      look(item.value, is_secret, path, found);
    }
    path.pop_back();
  }
}

}  // namespace

std::vector<std::vector<std::string>> secret_members(JsonView object, IsSecretKey is_secret) {
  std::vector<std::vector<std::string>> found;
  std::vector<std::string> path;
  look(object, is_secret, path, found);
  return found;
}

std::string dotted(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& key : path) text += (text.empty() ? "" : ".") + key;
  return text;
}

Result<std::string> without_members(std::string_view object, const std::vector<std::vector<std::string>>& paths) {
  std::string clean(object);
  for (const auto& path : paths) {
    const std::vector<JsonStep> steps(path.begin(), path.end());
    HOLDFAST_LET(shorter, json_remove(clean, JsonPath(steps)));
    clean = std::move(shorter);
  }
  return clean;
}

}  // namespace holdfast::inline v1
