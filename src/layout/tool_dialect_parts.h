// Helpers for the tool dialects. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "text/json_text.h"

namespace holdfast::inline v1 {

inline std::string string_in(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

inline bool is_among(std::span<const std::string> ids, const std::string& id) {
  return std::ranges::find(ids, id) != ids.end();
}

// Copies those fields of `from` that exist, as written there.
inline void copy_fields(JsonWriter& json, JsonView from, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const JsonView value = from.find(key)) json.key(key).raw(value.raw());
}

// {"type":…,"text":…}
inline std::string text_block(std::string_view type, std::string_view text) {
  JsonWriter json;
  return json.begin_object().key("type").string(type).key("text").string(text).end_object().take();
}

// Whether the record belongs to a sub-agent's conversation in the same log.
inline bool is_aside(JsonView record) { return record.find("isSidechain").as_bool().value_or(false); }

}  // namespace holdfast::inline v1
