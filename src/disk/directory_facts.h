// What the operating system reports about a directory, for diagnostics only. No decision depends
// on these facts: the engine finds out what is permitted by trying it through FileSystem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast::inline v1 {

struct DirectoryFacts {
  std::uint32_t mode = 0;  // permission bits
  bool readable = false;   // by this process, including its entries
  bool writable = false;
  bool ours = false;             // owned by the user of this process
  bool open_to_others = false;   // other users may read it and enter all directories above it
  std::uint64_t free_bytes = 0;  // available to this user; 0 if unknown
};

// Always asks the real machine, whatever FileSystem is in use. nullopt if it cannot be examined. Thread-safety: any
// thread.
std::optional<DirectoryFacts> directory_facts(const std::string& path);

}  // namespace holdfast::inline v1
