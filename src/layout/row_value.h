// Values of a row as a given type; a value of another type reads as nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "layout/feed.h"

namespace holdfast::inline v1 {

inline std::string_view text_at(std::span<const FeedValue> row, std::size_t column) {
  const auto* text = column < row.size() ? std::get_if<std::string_view>(&row[column]) : nullptr;
  return text == nullptr ? std::string_view() : *text;
}

inline std::optional<std::int64_t> integer_at(std::span<const FeedValue> row, std::size_t column) {
  const auto* number = column < row.size() ? std::get_if<std::int64_t>(&row[column]) : nullptr;
  return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace holdfast::inline v1
