// Makes commands in a text for people work when they are pasted. Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Adds the stores that the person named (LAYOUT:ROOT) to every `holdfast COMMAND` in `text` that searches for
// sessions or records in a store. Everything else stays as it is. Without stores, returns `text`.
std::string with_stores(std::string text, std::span<const std::string> stores);
// Names sessions as LAYOUT/ID in `holdfast show ID`, where an id alone would name another one.
std::string with_layouts(std::string text);
// As with_stores, with the parameter `store` of a call, if it has one.
std::string with_store_of(std::string text, JsonView params);

}  // namespace holdfast::inline v1
