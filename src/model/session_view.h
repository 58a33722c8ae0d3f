// A row of `ls` without copies: the fields of a Session as views of bytes that
// somebody else owns. Plain values.
#pragma once

#include <holdfast/session.h>

#include <optional>
#include <string_view>
#include <vector>

#include "text/json_write.h"

namespace holdfast::inline v1 {

struct ParentView {
  std::string_view id = {};
  ParentKind kind = ParentKind::fork;
  std::string_view message = {};
};

struct LineageView {
  std::string_view first_message = {}, first_response = {}, began_at = {};
};

// Same field names as Session, so one function writes both.
struct SessionView {
  std::string_view id = {}, layout = {}, store = {}, path = {}, project = {}, title = {}, first_prompt = {};
  Status status = Status::unknown;
  std::string_view created_at = {}, updated_at = {};
  bool counted = true;
  Counts counts = {};
  std::vector<std::string_view> models = {};
  Usage usage = {};
  std::string_view git_branch = {};
  std::optional<ParentView> parent = {};
  std::int64_t subagents = 0;
  std::uint64_t bytes = 0;
  std::int64_t damage = 0;
  bool archived = false;
  std::string_view summary = {}, metadata = {};
  LineageView lineage = {};
};

// Writes the same as write_session (model_json.h) for a Session.
void write_session(JsonWriter& json, const SessionView& session);

}  // namespace holdfast::inline v1
