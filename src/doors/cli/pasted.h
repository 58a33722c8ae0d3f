// Commands that a text for people names, spelled so that they work when they are pasted. Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// `text` with the stores that the person named (LAYOUT:ROOT) behind every `holdfast COMMAND` in it that looks for
// sessions or records in a store; all others stay as they are. Without stores, `text` itself.
std::string with_stores(std::string text, std::span<const std::string> stores);
// The same with `store` of the parameters of a call, if it has one.
std::string with_store_of(std::string text, JsonView params);

}  // namespace holdfast::inline v1
