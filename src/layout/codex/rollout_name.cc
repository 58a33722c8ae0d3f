#include "layout/codex/rollout_name.h"

#include <algorithm>

#include "base/ascii.h"

namespace holdfast::inline v1::codex {
namespace {

constexpr std::string_view kPrefix = "rollout-";
constexpr std::string_view kStampShape = "0000-00-00T00-00-00";

bool is_stamp(std::string_view text) {
  return text.size() == kStampShape.size() && std::ranges::equal(text, kStampShape, [](char c, char shape) {
           return shape == '0' ? is_ascii_digit(c) : c == shape;
         });
}

bool is_id(std::string_view text) {
  return text.size() >= 8 && text.size() <= 64 &&
         std::ranges::all_of(text, [](char c) { return is_ascii_alnum(c) || c == '-'; });
}

}  // namespace

std::optional<RolloutName> parse_rollout_name(std::string_view file_name) {
  RolloutName name;
  if (file_name.ends_with(".zst")) {
    name.compressed = true;
    file_name.remove_suffix(4);
  }
  if (!file_name.starts_with(kPrefix) || !file_name.ends_with(".jsonl")) return std::nullopt;
  file_name.remove_prefix(kPrefix.size());
  file_name.remove_suffix(6);
  const std::string_view stamp = file_name.substr(0, kStampShape.size());
  if (!is_stamp(stamp) || file_name.size() <= stamp.size() || file_name[stamp.size()] != '-') return std::nullopt;
  const std::string_view ids = file_name.substr(stamp.size() + 1);
  const std::size_t underscore = ids.find('_');
  const std::string_view thread = ids.substr(0, underscore);
  const std::string_view segment = underscore == std::string_view::npos ? "" : ids.substr(underscore + 1);
  if (!is_id(thread) || (underscore != std::string_view::npos && !is_id(segment))) return std::nullopt;
  name.stamp = stamp;
  name.thread = thread;
  name.segment = segment;
  return name;
}

}  // namespace holdfast::inline v1::codex
