// What a caller specifies of a session to create or change. Plain values.
#pragma once

#include <holdfast/session.h>

#include <optional>
#include <string>

namespace holdfast::inline v1 {

struct SessionDraft {
  std::string id = {};       // if empty, the layout chooses one
  std::string thread = {};   // id of the session's thread, in layouts that have threads
  std::string project = {};  // real path; empty if none
  std::string title = {};
  std::string first_prompt = {};  // for layouts that derive a title from it
  std::string model = {};
  std::string provider = {};
  std::string agent = {};
  std::string git_branch = {};
  std::optional<Parent> parent = {};
  std::string metadata = {};  // a JSON object with other members that the layout can hold
};

// Empty optionals change nothing.
struct SessionPatch {
  std::optional<std::string> title = {};
  std::optional<std::string> summary = {};
  std::optional<std::string> model = {};
  std::optional<Status> status = {};
  std::optional<std::string> leaf = {};      // id of the last message of the active branch
  std::optional<std::string> metadata = {};  // a JSON object: sets these keys; null removes a key
};

}  // namespace holdfast::inline v1
