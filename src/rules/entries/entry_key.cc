#include "rules/entries/entry_key.h"

#include "base/ascii.h"
#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxName = 4096;

// Letters for people, and a hash that distinguishes names.
std::string folder_name(std::string_view text) {
  std::string name;
  for (const char letter : text.substr(0, 40)) {
    if (is_ascii_alnum(letter))
      name += ascii_lower(letter);
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  if (!name.empty() && name.back() != '-') name += '-';
  return name + sha256_hex(text).substr(0, 32);
}

Result<void> check_name(std::string_view what, const std::string& name, bool required) {
  if (required && name.empty()) return fail(Code::invalid_argument, "entries need a " + std::string(what));
  if (name.size() > kMaxName)
    return fail(Code::invalid_argument,
                "a " + std::string(what) + " must have at most " + std::to_string(kMaxName) + " bytes");
  return {};
}

}  // namespace

Result<void> check_entry_key(const EntryKey& key) {
  HOLDFAST_TRY(check_name("project", key.project, true));
  HOLDFAST_TRY(check_name("session", key.session, true));
  return check_name("stream", key.stream, false);
}

std::string entry_project_folder(std::string_view project) {
  return std::string(kEntryFolder) + "/" + folder_name(project);
}

std::string entry_session_folder(const EntryKey& key) {
  return entry_project_folder(key.project) + "/" + folder_name(key.session);
}

std::string entry_log_path(const EntryKey& key) {
  const std::string folder = entry_session_folder(key) + "/";
  return folder + (key.stream.empty() ? std::string(kMainEntries) : "stream-" + folder_name(key.stream) + ".jsonl");
}

bool is_entry_log(std::string_view name) {
  return name == kMainEntries || (name.starts_with("stream-") && name.ends_with(".jsonl"));
}

}  // namespace holdfast::inline v1
