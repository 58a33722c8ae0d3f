#include "base/safe_name.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxSafe = 128;

bool equals_folded(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, ascii_lower);
}

// Windows looks only at the part before the first dot.
bool is_device_name(std::string_view name) {
  const std::string_view stem = name.substr(0, name.find('.'));
  if (stem.size() == 4 && stem[3] >= '1' && stem[3] <= '9')
    return equals_folded(stem.substr(0, 3), "com") || equals_folded(stem.substr(0, 3), "lpt");
  for (const std::string_view device : {"con", "prn", "aux", "nul"})
    if (equals_folded(stem, device)) return true;
  return false;
}

std::string percent_encoded(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  const bool device = is_device_name(text);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool plain = is_ascii_lower(c) || is_ascii_digit(c) || c == '_' || (c == '-' && i > 0) ||
                       (c == '.' && i > 0 && text[i - 1] != '.');
    if (plain && !(device && i == 0)) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.push_back('%');
      out.push_back(kDigits[byte >> 4]);
      out.push_back(kDigits[byte & 15]);
    }
    if (out.size() > kMaxName) break;  // the rest would be cut anyway
  }
  return out;
}

Result<void> unsafe(std::string_view path, std::string_view why) {
  return fail(Code::unsafe_path, "not a safe relative path: " + std::string(why), std::string(path));
}

}  // namespace

bool is_safe_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxSafe || !is_ascii_alnum(name.front()) || name.back() == '.') return false;
  const auto allowed = [](char c) { return is_ascii_alnum(c) || c == '.' || c == '_' || c == '-'; };
  return std::ranges::all_of(name, allowed) && !name.contains("..") && !is_device_name(name);
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxName || name == "." || name.back() == '.' || name.back() == ' ') return false;
  const auto bad = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F || c == '/' || c == '\\';
  };
  return std::ranges::none_of(name, bad) && !name.contains("..") && !is_device_name(name) && is_utf8(name);
}

std::string encode_name(std::string_view text) {
  if (is_safe_name(text)) return std::string(text);
  constexpr std::size_t kShortHash = 8;
  const std::string hash = sha256_hex(text);
  std::string out = percent_encoded(text);
  if (out.size() + 1 + kShortHash <= kMaxName) return out.append("~").append(hash, 0, kShortHash);
  out.resize(kMaxName - 1 - hash.size());
  return out.append("~").append(hash);
}

Result<void> check_relative_path(std::string_view path) {
  if (path.empty()) return unsafe(path, "it is empty");
  if (path.size() > kMaxRelativePath) return unsafe(path, "it is longer than 4000 bytes");
  if (path.front() == '/') return unsafe(path, "it is absolute");
  if (path.contains('\0')) return unsafe(path, "it holds a NUL byte");
  for (std::size_t from = 0;;) {
    const std::size_t slash = std::min(path.find('/', from), path.size());
    const std::string_view part = path.substr(from, slash - from);
    if (part.empty()) return unsafe(path, "it has an empty component");
    if (part == "." || part == "..") return unsafe(path, "it has a '.' or '..' component");
    if (part.size() > kMaxName) return unsafe(path, "a component is longer than 255 bytes");
    if (slash == path.size()) return {};
    from = slash + 1;
  }
}

}  // namespace holdfast::inline v1
