#include "layout/open_agent/spill.h"

#include <algorithm>

#include "base/hash.h"
#include "base/safe_name.h"
#include "base/utf8.h"

namespace holdfast::inline v1::open_agent {
namespace {

constexpr std::size_t kPreview = 2048;
constexpr std::string_view kOpen = "<persisted-output>\n";
constexpr std::string_view kClose = "\n</persisted-output>";
constexpr std::string_view kSaved = "Full output saved to: ";
constexpr std::string_view kEnd = ".txt";

// "48.9KB", with one digit after the point, as in Claude Code.
std::string size_text(std::size_t bytes) {
  const std::size_t tenths = (bytes * 10 + 512) / 1024;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "KB";
}

}  // namespace

bool is_large(std::string_view text) {
  if (text.size() <= kSpillOver) return false;
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_utf8_tail)) > kSpillOver;
}

std::string spill_name(std::string_view call_id) {
  constexpr std::size_t kRoom = kMaxName - kEnd.size();
  if (is_safe_name(call_id)) return std::string(call_id) + std::string(kEnd);
  std::string name = encode_name(call_id.empty() ? "result" : call_id);
  if (name.size() > kRoom) name = sha256_hex(call_id);
  return name + std::string(kEnd);
}

std::string spill_name_again(std::string_view call_id, std::string_view text) {
  std::string name = spill_name(call_id);
  name.resize(name.size() - kEnd.size());
  if (name.size() > 200) name.resize(200);
  return name + "-" + sha256_hex(text).substr(0, 8) + std::string(kEnd);
}

std::string preview_text(std::string_view text, std::string_view saved_to) {
  std::size_t end = std::min(text.size(), kPreview);
  while (end > 0 && end < text.size() && is_utf8_tail(text[end])) --end;
  std::string preview(kOpen);
  preview += "Output too large (" + size_text(text.size()) + "). ";
  preview.append(kSaved).append(saved_to).append("\n\nPreview (first 2KB):\n");
  preview.append(text.substr(0, end)).append(end < text.size() ? "\n..." : "").append(kClose);
  return preview;
}

std::string spilled_name(std::string_view text) {
  if (!text.starts_with(kOpen)) return {};
  const std::size_t line_end = std::min(text.find('\n', kOpen.size()), text.size());
  const std::string_view line = text.substr(kOpen.size(), line_end - kOpen.size());
  const std::size_t saved = line.find(kSaved);
  if (saved == std::string_view::npos) return {};
  std::string_view name = line.substr(saved + kSaved.size());
  name = name.substr(name.find_last_of("/\\") + 1);
  const bool plain = name.ends_with(kEnd) && name.size() > kEnd.size() && !name.starts_with('.') &&
                     check_relative_path(name).has_value();
  return plain ? std::string(name) : std::string();
}

// The mark can be written with other bytes only by \u escapes.
bool may_be_preview(std::string_view token) {
  const std::string_view mark = kOpen.substr(0, kOpen.size() - 1);
  if (!token.starts_with('"')) return false;
  token.remove_prefix(1);
  return token.starts_with(mark) || token.substr(0, 6 * mark.size()).find("\\u") != std::string_view::npos;
}

}  // namespace holdfast::inline v1::open_agent
