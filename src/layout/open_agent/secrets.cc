#include "layout/open_agent/secrets.h"

#include <algorithm>
#include <array>

#include "text/json_edit.h"

namespace holdfast::inline v1::open_agent {
namespace {

constexpr std::array<std::string_view, 9> kParts = {"key",   "token",         "secret", "password",  "passwd",
                                                    "oauth", "authorization", "cookie", "credential"};

bool suspect(std::string_view key) {
  std::string name(key);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (name == "env" || name == "auth" || name == "bearer") return true;
  return std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

bool holds_something(JsonView value) {
  switch (value.kind()) {
    case JsonKind::string: return !value.is_string("");
    case JsonKind::object: return value.fields().begin() != std::default_sentinel;
    case JsonKind::array: return value.elements().begin() != std::default_sentinel;
    default: return false;
  }
}

void look(JsonView value, std::vector<std::string>& path, std::vector<std::vector<std::string>>& found) {
  for (const JsonItem& item : value.fields()) {
    path.push_back(item.key());
    if (suspect(path.back()) && holds_something(item.value)) {
      found.push_back(path);
    } else if (item.value.kind() == JsonKind::object) {
      look(item.value, path, found);
    }
    path.pop_back();
  }
}

}  // namespace

std::vector<std::vector<std::string>> secrets_in(JsonView object) {
  std::vector<std::vector<std::string>> found;
  std::vector<std::string> path;
  look(object, path, found);
  return found;
}

std::string dotted(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& key : path) text += (text.empty() ? "" : ".") + key;
  return text;
}

Result<std::string> without_secrets(std::string_view object) {
  std::string clean(object);
  for (const auto& path : secrets_in(JsonView(object))) {
    const std::vector<JsonStep> steps(path.begin(), path.end());
    HOLDFAST_LET(shorter, json_remove(clean, JsonPath(steps)));
    clean = std::move(shorter);
  }
  return clean;
}

}  // namespace holdfast::inline v1::open_agent
