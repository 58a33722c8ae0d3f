// Decides whether one copy of a session continues another (decision 50; docs/formats/sync.md, "The same
// session on two machines"). Compares the names of blocks; where they differ, compares the bytes after the
// last common block, which are less than a block. Thread-safety: pure except for reading.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "archive/capture.h"
#include "archive/packs.h"

namespace holdfast::inline v1 {

// Returns the bytes of a block, or nullopt if they are not on this machine.
using ReadBlock = std::function<std::optional<std::string>(const FileBlock& block)>;

struct SessionCopy {
  const CaptureKey* key = nullptr;
  const CapturedSession* session = nullptr;
  ReadBlock read = {};
};

// Whether the logs of `longer` begin with or equal those of `other`. Matches logs by file name without
// directory, because a project may be elsewhere on another machine. False if this cannot be decided because
// bytes are missing.
bool continues(const SessionCopy& longer, const SessionCopy& other);

// The total size of the copy's logs. A copy that continues another and is not longer is equal to it.
std::uint64_t log_bytes(const SessionCopy& copy);

// The bytes [from, to) of a version; nullopt if some of them are missing.
std::optional<std::string> bytes_in(const ReadBlock& read, const FileVersion& version, std::uint64_t from,
                                    std::uint64_t to);

// The verified bytes of one block; nullopt if no pack has them. A missing block costs only the lookup of its name.
std::optional<std::string> read_if_there(Packs& packs, const FileBlock& block);

}  // namespace holdfast::inline v1
