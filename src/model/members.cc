#include "model/members.h"

#include <algorithm>

#include "text/json_copy.h"
#include "text/json_integer.h"
#include "text/json_string.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::int64_t kMaxCount = std::int64_t{1} << 53;  // small enough that sums cannot overflow

}  // namespace

Members::Members(JsonView object, std::string where) : where_(std::move(where)) {
  if (object.kind() != JsonKind::object) {
    wrong_ = (where_.empty() ? "a message" : where_) + " must be an object";
    return;
  }
  for (const JsonItem& item : object.fields()) {
    std::string name = item.key();
    if (!json_string_is_text(item.raw_key)) wrong(name, kNoText);
    if (find(name) != nullptr) wrong(name, "is given twice");
    all_.push_back({std::move(name), item.value});
  }
}

Members::Member* Members::find(std::string_view name) {
  const auto found = std::ranges::find(all_, name, &Member::name);
  return found == all_.end() ? nullptr : &*found;
}

bool Members::has(std::string_view name) const {
  const JsonView value = look(name);
  return value && !value.is_null();
}

JsonView Members::look(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Member::name);
  return found == all_.end() ? JsonView() : found->value;
}

std::string_view Members::either(std::string_view first, std::string_view second) {
  const auto [name, other] = has(first) ? std::pair(first, second) : std::pair(second, first);
  if (!has(other)) take(other);
  return name;
}

JsonView Members::take(std::string_view name) {
  Member* const member = find(name);
  if (member == nullptr) return {};
  member->taken = true;
  return member->value.is_null() ? JsonView() : member->value;
}

std::string Members::text(std::string_view name) {
  const JsonView value = take(name);
  if (value && value.kind() != JsonKind::string) wrong(name, "must be a string");
  if (value && !json_string_is_text(value.raw())) wrong(name, kNoText);
  return value.as_string().value_or("");
}

std::string Members::nonempty_text(std::string_view name) {
  return look(name).is_string("") ? std::string() : text(name);
}

std::string Members::text_or_number(std::string_view name) {
  if (look(name).kind() == JsonKind::number) return std::string(take(name).raw());
  const JsonView value = take(name);
  if (value && value.kind() != JsonKind::string) wrong(name, "must be a string or a number");
  if (value && !json_string_is_text(value.raw())) wrong(name, kNoText);
  return value.as_string().value_or("");
}

std::int64_t Members::count(std::string_view name) {
  const JsonView value = take(name);
  if (!value) return 0;
  const auto number = json_integer(value);
  if (!number || *number < 0 || *number > kMaxCount)
    wrong(name, "must be a whole number from 0 to " + std::to_string(kMaxCount));
  return number.value_or(0);
}

bool Members::flag(std::string_view name) {
  const JsonView value = take(name);
  if (value && value.kind() != JsonKind::boolean) wrong(name, "must be true or false");
  return value.as_bool().value_or(false);
}

std::string Members::json(std::string_view name) {
  const JsonView value = take(name);
  return value ? compact_json(value) : std::string();
}

JsonView Members::array(std::string_view name) {
  const JsonView value = take(name);
  if (value && value.kind() != JsonKind::array) wrong(name, "must be an array");
  return value.kind() == JsonKind::array ? value : JsonView();
}

JsonView Members::object(std::string_view name) {
  const JsonView value = take(name);
  if (value && value.kind() != JsonKind::object) wrong(name, "must be an object");
  return value.kind() == JsonKind::object ? value : JsonView();
}

void Members::wrong(std::string_view name, std::string_view what) {
  if (!wrong_) wrong_ = path(name) + " " + std::string(what);
}

void Members::take_over(const Result<void>& other) {
  if (!other && !wrong_) wrong_ = other.error().message;
}

std::string Members::path(std::string_view name) const {
  return where_.empty() ? std::string(name) : where_ + "." + std::string(name);
}

std::string Members::rest(const More& more, bool own_extra) {
  JsonWriter json;
  json.begin_object();
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, std::string_view value) {
    if (std::ranges::find(names, name) != names.end()) return wrong(name, "is given twice: by itself and in extra");
    json.key(name).raw(value);
    names.push_back(name);
  };
  for (const JsonItem& item : own_extra ? object("extra").fields() : JsonView().fields()) {
    if (!json_string_is_text(item.raw_key)) wrong("extra", std::string("has a key that ") += kNoText);
    add(item.key(), compact_json(item.value));
  }
  for (const Member& member : all_) {
    if (!member.taken) add(member.name, compact_json(member.value));
  }
  for (const auto& [name, value] : more) add(name, value);
  json.end_object();
  return names.empty() ? std::string() : json.take();
}

Result<void> Members::check() const {
  if (wrong_) return fail(Code::invalid_argument, *wrong_);
  return {};
}

}  // namespace holdfast::inline v1
