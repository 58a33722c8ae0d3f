// Where the states of a published session are at the remote, so that they can be erased there.
// Thread-safety: as the writer's.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

// The segments with states of a session, and every chunk that they named.
struct Traces {
  std::set<std::uint64_t> seqs = {};
  std::set<std::uint64_t> needed = {};  // those since the last whole state, which new readers need
  std::set<std::string> chunks = {};    // all names that they may have at the remote
};

using NamesOfChunk = std::function<std::vector<std::string>(const std::string& policy, const std::string& chunk)>;

// From the log of an archive of what was published; `names_of` returns the names of a chunk at the remote.
Result<std::map<CaptureKey, Traces>> published_traces(const Context& context, ArchiveWriter& writer,
                                                      const NamesOfChunk& names_of);

}  // namespace holdfast::inline v1
