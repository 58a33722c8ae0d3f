#include "store/paused_sessions.h"

#include <charconv>
#include <system_error>

#include "base/safe_name.h"
#include "disk/staged.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

std::string mark_of(const Root& root, std::string_view id) { return root.side("paused", encode_name(id)); }

// The "0000001c" of "OS Error: No space left on device (0x0000001c)"; empty if there is none.
std::string error_number(std::string_view why) {
  const std::size_t at = why.find("(0x");
  if (at == std::string_view::npos || why.find(')', at) != at + 11) return {};
  return std::string(why.substr(at + 3, 8));
}

std::string words_of(const std::string& number) {
  int error = 0;
  std::from_chars(number.data(), number.data() + number.size(), error, 16);
  return std::generic_category().message(error);
}

// The error number in the name of a file beside the mark; empty if there is none.
std::string number_beside(Root& root, std::string_view id) {
  const std::string start = encode_name(id) + "~";
  const auto entries = root.directory().list(root.side("paused"));
  if (!entries) return {};
  for (const DirectoryEntry& entry : *entries) {
    if (entry.name.starts_with(start) && entry.name.size() == start.size() + 8) return entry.name.substr(start.size());
  }
  return {};
}

}  // namespace

void PausedSessions::pause(Root& root, std::string_view id, std::string_view why) {
  {
    const ScopedLock guard(mutex_);
    why_[std::string(id)] = why;
  }
  // The name alone is enough: a full disk often has room for a name but not for bytes.
  if (!root.ensure_directory(root.side("paused"))) return;
  const auto file = root.directory().open(mark_of(root, id), OpenMode::create_update);
  const auto wrote = file ? (*file)->write_at(0, why) : fail(Code::io_error, {});
  // A full disk may still accept an empty file whose name contains the system's error number.
  if (const std::string number = error_number(why); !wrote && !number.empty())
    (void)root.directory().open(mark_of(root, id) + "~" + number, OpenMode::create_update);
  if (does(Step::paused_sync)) (void)root.directory().sync_directory(root.side("paused"));
}

std::optional<std::string> PausedSessions::why(Root& root, std::string_view id) const {
  {
    const ScopedLock guard(mutex_);
    if (const auto at = why_.find(id); at != why_.end()) return at->second;
  }
  const auto written = read_whole(root.directory(), mark_of(root, id));
  if (!written) return std::nullopt;
  if (!written->empty()) return *written;
  const std::string number = number_beside(root, id);
  return "its state could not be saved | Path: " + root.path() +
         (number.empty() ? std::string() : " | OS Error: " + words_of(number) + " (0x" + number + ")");
}

Result<void> PausedSessions::go_on(Root& root, std::string_view id) {
  if (const std::string number = number_beside(root, id); !number.empty())
    (void)root.directory().remove(mark_of(root, id) + "~" + number);
  auto gone = root.directory().remove(mark_of(root, id));
  if (!gone && gone.error().code != Code::not_found) return gone;
  const ScopedLock guard(mutex_);
  if (const auto at = why_.find(id); at != why_.end()) why_.erase(at);
  return {};
}

}  // namespace holdfast::inline v1
