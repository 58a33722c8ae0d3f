// What a caller says of a session that is to be made or changed. Plain values.
#pragma once

#include <holdfast/session.h>

#include <optional>
#include <string>

namespace holdfast::inline v1 {

struct SessionDraft {
  std::string id = {};       // empty: the layout makes one
  std::string thread = {};   // id of the thread that it belongs to, in layouts that have threads
  std::string project = {};  // real path; empty: none
  std::string title = {};
  std::string first_prompt = {};  // for layouts that make a title of it
  std::string model = {};
  std::string provider = {};
  std::string agent = {};
  std::string git_branch = {};
  std::optional<Parent> parent = {};
  std::string metadata = {};  // a JSON object: what else the layout can hold
};

// Empty optionals change nothing.
struct SessionPatch {
  std::optional<std::string> title = {};
  std::optional<std::string> summary = {};
  std::optional<std::string> model = {};
  std::optional<Status> status = {};
  std::optional<std::string> leaf = {};      // the active branch ends here
  std::optional<std::string> metadata = {};  // a JSON object; its keys are set, a null removes one
};

}  // namespace holdfast::inline v1
