#include "layout/open_agent/paths.h"

#include <algorithm>
#include <array>

#include "base/safe_name.h"
#include "layout/moment.h"

namespace holdfast::inline v1::open_agent {
namespace {

constexpr std::size_t kUuidLength = 36;

bool is_hex(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

bool fits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

}  // namespace

bool is_uuid(std::string_view text) { return text.size() == kUuidLength && fits(text); }
bool may_begin_uuid(std::string_view text) { return text.size() < kUuidLength && fits(text); }

std::string new_uuid(const Moment& moment) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::array<std::uint64_t, 2> random{moment.entropy(), moment.entropy()};
  std::string uuid;
  uuid.reserve(kUuidLength);
  for (std::size_t digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) uuid += '-';
    std::uint64_t value = random[digit / 16] >> (4 * (digit % 16)) & 15U;
    if (digit == 12) value = 4;                  // version: random
    if (digit == 16) value = 8U | (value & 3U);  // variant
    uuid += kDigits[static_cast<std::size_t>(value)];
  }
  return uuid;
}

std::string bad_id_text(std::string_view id) {
  return "Invalid session ID format: " + std::string(id) +
         ". Expected UUID format (e.g., 550e8400-e29b-41d4-a716-446655440000). Custom session IDs are not supported in "
         "v0.2.0.";
}

Result<std::string> project_folder_name(std::string_view real_path) {
  std::string name(real_path);
  std::ranges::replace(name, '/', '-');
  // "memory" is in the same folder as the projects but is not one.
  if (name.empty() || name == "memory")
    return fail(Code::unsafe_path, "not the path of a project", std::string(real_path));
  HOLDFAST_TRY(check_relative_path(name));
  return name;
}

std::string folder_of(const SessionRef& ref) { return ref.place.path.substr(0, ref.place.path.rfind('/')); }

std::string log_path(std::string_view folder, std::string_view id) {
  return std::string(folder) + "/" + std::string(id) + std::string(kLogEnd);
}

std::string side_path(std::string_view id) { return std::string(kHeaders) + "/" + std::string(id) + ".json"; }

std::string results_folder(std::string_view folder, std::string_view id) {
  return std::string(folder) + "/" + std::string(id) + "/tool-results";
}

SessionRef ref_in(std::string_view folder, std::string_view id) {
  const bool grouped = folder.starts_with(std::string(kProjects) + "/");
  return {std::string(id),
          at(log_path(folder, id)),
          grouped ? std::string(folder.substr(kProjects.size() + 1)) : std::string(),
          {}};
}

}  // namespace holdfast::inline v1::open_agent
