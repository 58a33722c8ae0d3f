#include "text/json_object.h"

#include <utility>

#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/json_text.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool stands_at(std::string_view text, std::size_t at, char byte) { return at < text.size() && text[at] == byte; }

// Returns one value that may be a member, without whitespace around it; empty if `json` is not one.
std::string_view member_value(std::string_view json) {
  const std::string_view raw = JsonView(json).raw();
  const bool whole = !raw.empty() && json_value_end(raw, 0, 1) == raw.size();
  return whole && utf8_fault(raw) == kNone ? raw : std::string_view();
}

}  // namespace

std::optional<JsonObject> JsonObject::read(std::string text) {
  std::optional<JsonObject> object(std::in_place);
  object->text_ = std::move(text);
  if (!object->look()) object.reset();
  return object;
}

bool JsonObject::look() {
  members_.clear();
  const std::string_view text = text_;
  std::size_t at = skip_json_space(text, text.size() - without_bom(text).size());
  if (!stands_at(text, at, '{')) return false;
  at = skip_json_space(text, at + 1);
  for (bool first = true; !stands_at(text, at, '}'); first = false) {
    if (!first) {
      if (!stands_at(text, at, ',')) return false;
      at = skip_json_space(text, at + 1);
    }
    if (!stands_at(text, at, '"')) return false;
    const std::size_t key_end = json_value_end(text, at);
    if (key_end == kNone) return false;
    const std::size_t colon = skip_json_space(text, key_end);
    if (!stands_at(text, colon, ':')) return false;
    const std::size_t value_at = skip_json_space(text, colon + 1);
    const std::size_t value_end = json_value_end(text, value_at, 1);
    if (value_end == kNone) return false;
    members_.push_back({at, key_end - at, value_at, value_end - value_at});
    at = skip_json_space(text, value_end);
  }
  return skip_json_space(text, at + 1) == text.size();
}

const JsonObject::Member* JsonObject::member(std::string_view key) const {
  const std::string_view text = text_;
  for (std::size_t at = members_.size(); at-- > 0;) {
    const Member& each = members_[at];
    if (json_string_equals(text.substr(each.key_at, each.key_size), key)) return &each;
  }
  return nullptr;
}

JsonView JsonObject::find(std::string_view key) const {
  const Member* found = member(key);
  return found == nullptr ? JsonView() : JsonView(std::string_view(text_).substr(found->value_at, found->value_size));
}

Result<void> JsonObject::set(std::string_view key, std::string_view value_json) {
  const Member* found = member(key);
  const std::string_view value = member_value(value_json);
  if (found == nullptr || value.empty()) return become(json_set(text_, {JsonStep(key)}, value_json));
  const std::size_t at = found->value_at;
  const std::size_t before = found->value_size;
  text_.replace(at, before, value);
  for (Member& each : members_) {
    if (each.value_at == at) each.value_size = value.size();
    if (each.key_at < at) continue;
    each.key_at = each.key_at - before + value.size();
    each.value_at = each.value_at - before + value.size();
  }
  return {};
}

Result<void> JsonObject::set_before(std::string_view key, std::string_view value_json, std::string_view next) {
  const Member* place = member(next);
  const std::string_view value = member_value(value_json);
  if (member(key) != nullptr || place == nullptr || value.empty()) return set(key, value_json);
  const std::string_view text = text_;
  const std::size_t key_end = place->key_at + place->key_size;
  std::size_t space = place->key_at;
  while (space > 0 && std::string_view(" \t\r\n").contains(text[space - 1])) --space;
  std::string added = json_quoted(key);
  added.append(text.substr(key_end, place->value_at - key_end)).append(value).append(",");
  added.append(text.substr(space, place->key_at - space));
  std::string edited = text_;
  return become(edited.insert(place->key_at, added));
}

Result<void> JsonObject::remove(std::string_view key) {
  if (member(key) == nullptr) return {};
  return become(json_remove(text_, {JsonStep(key)}));
}

Result<void> JsonObject::become(Result<std::string> edited) {
  if (!edited) return fail(std::move(edited).error());
  text_ = std::move(*edited);
  if (!look()) return fail(Code::internal, "an edit did not leave an object");
  return {};
}

}  // namespace holdfast::inline v1
