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

// What is in a line, whatever is to be known of it.
struct EntryLineView {
  enum class Kind { head, write, again, other } kind = Kind::other;
  std::int64_t at = 0;
  std::size_t drop = 0;
  JsonView entries, summary;
  std::string operation, digest;

  explicit EntryLineView(std::string_view line);
};

// What a writer has to know: which entries are there, by uuid, and which operations were applied.
struct EntryFold {
  std::string id;  // of the log: another one after it was deleted and made anew
  bool written = false;
  std::int64_t at = 0;
  std::string summary;             // JSON; empty: none
  std::vector<std::string> uuids;  // of every entry in order; empty where it has none
  std::unordered_set<std::string> known;
  std::map<std::string, std::string, std::less<>> operations;  // digests by id

  // Whether the line changed the stream.
  bool take(std::string_view line);
  void drop(std::size_t count);
};

// What a reader wants: the entries themselves.
struct EntryContents {
  std::string id, project, session, stream;
  bool written = false;
  std::int64_t at = 0;
  std::vector<std::string> entries;
  std::string summary;

  bool take(std::string_view line);  // the same
};

}  // namespace holdfast::inline v1
