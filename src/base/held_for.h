// The note in a lease that one process holds for another (`holdfast call --owner-pid`). It tells owners apart, so it
// contains when the owner started; people are shown only its process. Thread-safety: pure functions.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kHeldFor = "for process ", kHeldSince = ", started at tick ";

// `start` is the start of the process in clock ticks since boot.
inline std::string held_for(std::int64_t pid, std::string_view start) {
  return std::string(kHeldFor) + std::to_string(pid) + std::string(kHeldSince) + std::string(start);
}

// The process in such a note; nullopt if this is another note.
inline std::optional<std::int64_t> process_held_for(std::string_view note) {
  if (!note.starts_with(kHeldFor)) return std::nullopt;
  note.remove_prefix(kHeldFor.size());
  std::int64_t pid = 0;
  const auto [end, error] = std::from_chars(note.data(), note.data() + note.size(), pid);
  note.remove_prefix(static_cast<std::size_t>(end - note.data()));
  return error == std::errc() && note.starts_with(kHeldSince) ? std::optional(pid) : std::nullopt;
}

}  // namespace holdfast::inline v1
