// What is known about a session as a whole: a row of `ls`. Plain values.
#pragma once

#include <holdfast/export.h>
#include <holdfast/message.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class Status { unknown, running, interrupted, active, complete, failed, stopped };
HOLDFAST_EXPORT std::string_view status_name(Status status);
HOLDFAST_EXPORT std::optional<Status> status_of(std::string_view name);

enum class ParentKind { fork, resume, subagent };
HOLDFAST_EXPORT std::string_view parent_kind_name(ParentKind kind);
HOLDFAST_EXPORT std::optional<ParentKind> parent_kind_of(std::string_view name);

struct Parent {
  std::string id = {};
  ParentKind kind = ParentKind::fork;
  std::string message = {};  // the message it was forked from; empty for the end of the parent

  bool operator==(const Parent&) const = default;
};

// Defined the same way for all agents: docs/formats/messages.md.
struct Counts {
  std::int64_t user = 0;          // prompts typed by the person
  std::int64_t assistant = 0;     // answers, one per API response
  std::int64_t tool_calls = 0;    // distinct call ids
  std::int64_t tool_results = 0;  // calls with a result
  std::int64_t records = 0;       // records of the log or rows

  bool operator==(const Counts&) const = default;
};

// What the session was waiting for when its records end.
enum class Pending { none, answer, tool };

// Facts that a layout finds in headers, metadata and indexes. An empty field is
// unknown; merge() prefers the later of two known values.
struct SessionFacts {
  std::string project = {};  // the real path, not an encoding of it
  std::string title = {};
  std::string git_branch = {};
  std::string created_at = {};  // in any written form
  std::string updated_at = {};
  std::string model = {};  // named by the session, not by a message
  std::optional<Parent> parent = {};
  std::optional<Status> status = {};    // if the store records it
  std::optional<Pending> pending = {};  // if the store records it; otherwise derived from the messages
  std::optional<bool> archived = {};
  std::optional<std::int64_t> subagents = {};
  std::string summary = {};
  std::string metadata = {};  // a JSON object of everything else that the layout keeps; empty if none
  // This agent's forks and resumed copies repeat messages with their ids and name
  // no parent, so the parent is found by comparing sessions (model/lineage.h).
  bool copies_keep_ids = false;
  std::string began_at = {};  // when the file itself was begun, if recorded; copied messages are older

  HOLDFAST_EXPORT void merge(const SessionFacts& later);
};

// Identifies a session as a copy of another one; empty for layouts whose copies name their parent.
struct Lineage {
  std::string first_message = {};   // id
  std::string first_response = {};  // of the API
  std::string began_at = {};        // ISO-8601 UTC

  bool operator==(const Lineage&) const = default;
};

struct Session {
  std::string id = {};
  std::string layout = {};
  std::string store = {};  // "LAYOUT:ROOT"
  std::string path = {};   // of the main file, relative to the root that contains it
  std::string project = {};
  std::string title = {};
  std::string first_prompt = {};
  Status status = Status::unknown;
  std::string created_at = {};  // ISO-8601 UTC, or empty
  std::string updated_at = {};
  bool counted = true;  // if false, only the end of the session was read; counts, models and usage are unknown
  Counts counts = {};
  std::vector<std::string> models = {};
  Usage usage = {};
  std::string git_branch = {};
  std::optional<Parent> parent = {};
  std::int64_t subagents = 0;
  std::uint64_t bytes = 0;
  std::int64_t damage = 0;
  Pending pending = Pending::none;
  bool archived = false;
  bool inner = false;  // the transcript of a sub-agent that is part of another session
  std::string summary = {};
  std::string metadata = {};  // a JSON object, or empty
  Lineage lineage = {};
};

}  // namespace holdfast::inline v1
