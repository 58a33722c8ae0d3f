// Finds the session of a store that an id or a prefix of one names. Thread-safety: that of Layout.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/layout.h"

namespace holdfast::inline v1 {

struct SessionMatch {
  std::optional<SessionRef> ref = {};  // set if exactly one id matches
  std::size_t count = 0;               // number of matching ids: several if `id` is only a prefix
  std::vector<std::string> ids = {};   // the first ids that have it as a prefix
  std::vector<SessionRef> files = {};  // with `ref`: all files of the store that have its id
  bool by_key = false;                 // `id` was ID@KEY
};

// True if `text` may abbreviate `id` in a change: it is a prefix, and does not end in a number that `id` merely
// continues with more digits. With session-1 gone, session-1 must not become session-10.
bool abbreviates(std::string_view text, std::string_view id);

// People may abbreviate: freely to read (prefix), more strictly to change something (sure_prefix). The engine requires
// whole ids for changes: if a session goes away between the lookup and the change, another one must not be taken for
// it.
enum class Naming { whole, sure_prefix, prefix };

// Reads names only, no session. A whole id wins over ids that it is a prefix of. Without `ref`, `count` is the number
// of ids with that prefix, whichever naming was asked for. An id that is `overlooked` matches only if no other does.
// If a project's folder was copied with its sessions, several files have the same id: `ref` is the first of them, or
// with ID@KEY the one in the project KEY or at the path KEY in the store.
Result<SessionMatch> match_session(const Layout& layout, Feed& feed, std::string_view id, Naming naming,
                                   const std::function<bool(std::string_view id)>& overlooked = {});

// One of several files with the same id.
struct SessionFile {
  SessionRef ref = {};
  std::string updated_at = {};
  std::uint64_t bytes = 0;
};

// The id means the file with the newest message. Sets `copy` of all others.
void name_copies(std::span<SessionFile> files);

// The numbers of those ids that occur more than once, grouped.
std::vector<std::vector<std::size_t>> find_repeated(std::span<const std::string_view> ids);

// A not_found error that lists the first of `candidates`, one per line.
Error ambiguous_session(std::string_view id, std::size_t count, const std::vector<std::string>& candidates,
                        const std::string& store = {});

// A not_found error: there is none, or more than one.
Error session_match_error(const SessionMatch& match, std::string_view id, const std::string& store);

}  // namespace holdfast::inline v1
