// Sessions that are copies of others without saying so: some agents fork or
// resume by copying messages into a new file. The ids of the copies show it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/session.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// What a session is recognised by; views of the caller's.
struct Kin {
  std::string_view id = {}, updated_at = {};
  std::string_view first_message = {}, first_response = {}, began_at = {};  // Lineage
  bool names_parent = false;

  static Kin of(const Session& session);
};

struct CopyOf {
  std::size_t origin = 0;  // its number
  ParentKind kind = ParentKind::fork;
};

// Of sessions of one store that begin with the same message, the one begun first
// is the origin and the others its forks; those that share only the first API
// response are resumed copies (the agent gave the messages new ids). A parent
// that a session names stays. Sessions without a Lineage are left alone.
std::vector<std::optional<CopyOf>> find_copies(std::span<const Kin> sessions);

// The same, with the parents set.
void infer_parents(std::span<Session> sessions);

}  // namespace holdfast::inline v1
