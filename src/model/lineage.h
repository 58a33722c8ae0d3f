// Finds sessions that are copies of others without saying so: some agents fork or
// resume by copying messages into a new file. The ids of the messages reveal it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/session.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// What identifies a session; views of the caller's data.
struct LineageFacts {
  std::string_view id = {}, updated_at = {};
  std::string_view first_message = {}, first_response = {}, began_at = {};  // Lineage
  bool names_parent = false;

  static LineageFacts of(const Session& session);
};

struct CopyOf {
  std::size_t origin = 0;  // number of the original session
  ParentKind kind = ParentKind::fork;
};

// Of the sessions of one store that begin with the same message, the one that
// began first is the origin and the others are its forks; those that share only
// the first API response are resumed copies (the agent gave the messages new ids).
// A parent that a session names stays. Sessions without a Lineage are ignored.
std::vector<std::optional<CopyOf>> find_copies(std::span<const LineageFacts> sessions);

// The same, and sets the parents.
void infer_parents(std::span<Session> sessions);

}  // namespace holdfast::inline v1
