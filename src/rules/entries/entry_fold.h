// The state of a stream of entries, folded from the lines of its log. Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// One line of the log, parsed.
struct EntryLineView {
  enum class Kind { head, write, again, other } kind = Kind::other;
  std::int64_t at = 0;
  std::size_t drop = 0;
  JsonView entries, summary;
  std::string operation, digest;

  explicit EntryLineView(std::string_view line);
};

// What a writer needs to know: the entries by uuid, and the operations that were applied.
struct EntryFold {
  std::string id;  // of the log: changes when the log is deleted and created again
  bool written = false;
  std::int64_t at = 0;
  std::string summary;               // JSON; empty if none
  std::vector<std::string> uuids;    // of every entry in order; empty for an entry without one
  std::vector<std::uint64_t> lines;  // where the line of every entry begins
  std::unordered_set<std::string> known;
  std::map<std::string, std::string, std::less<>> operations;  // digests by id

  // Returns whether the line, which begins there, changed the stream.
  bool take(std::string_view line, std::uint64_t offset);
  void drop(std::size_t count);
};

// What a reader needs: the entries themselves.
struct EntryContents {
  std::string id, project, session, stream;
  bool written = false;
  std::int64_t at = 0;
  std::vector<std::string> entries;
  std::string summary;

  // Returns whether the line changed the stream.
  bool take(std::string_view line);
};

}  // namespace holdfast::inline v1
