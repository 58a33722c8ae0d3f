// What the operating system says of a directory, for a report on the machine.
// Nothing is decided by it: rights are found out by doing, through FileSystem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast::inline v1 {

struct DirectoryFacts {
  std::uint32_t mode = 0;  // permission bits
  bool readable = false;   // by this process, what is in it too
  bool writable = false;
  bool ours = false;             // it belongs to the user of this process
  bool open_to_others = false;   // other users may read it, and pass all directories above it
  std::uint64_t free_bytes = 0;  // for this user; 0: not known
};

// Of the real machine, whatever FileSystem there is. nullopt: it cannot be looked at. Thread-safety: any thread.
std::optional<DirectoryFacts> directory_facts(const std::string& path);

}  // namespace holdfast::inline v1
