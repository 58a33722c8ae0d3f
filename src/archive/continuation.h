// Whether one copy of a session continues another (decision 50; docs/formats/sync.md, "The same session on two
// machines"). Told by the names of blocks, and where those do not tell it by the bytes behind the last block that both
// have, which are less than a block. Thread-safety: pure but for what is read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "archive/capture.h"
#include "archive/packs.h"

namespace holdfast::inline v1 {

struct SessionCopy {
  const CaptureKey* key = nullptr;
  const CapturedSession* session = nullptr;
  // The bytes of a block of it; nothing when they are not here.
  std::function<std::optional<std::string>(const FileBlock& block)> read = {};
};

// Whether the logs of `longer` are those of `other` or begin with them. Logs are recognised by their names without
// directories: the same project lies elsewhere on another machine. False where it cannot be told, because the bytes
// are not here.
bool continues(const SessionCopy& longer, const SessionCopy& other);

// How long its logs are: a copy that continues another and is not longer is the same.
std::uint64_t log_bytes(const SessionCopy& copy);

// The bytes of one block, checked; nothing when no pack has them, at the cost of looking up its name.
std::optional<std::string> read_if_there(Packs& packs, const FileBlock& block);

}  // namespace holdfast::inline v1
