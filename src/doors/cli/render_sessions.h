// `ls` on a terminal: a table that fits its width. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/listed_sessions.h"
#include "doors/cli/list_table.h"
#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The rows of session.list, with as many columns as fit into style.width. Ids are as
// short as possible, but at least 8 characters long. The few that are longer than the
// column have a line of their own.
class SessionScreen {
 public:
  SessionScreen(const RenderStyle& style, std::chrono::system_clock::time_point now);

  void add(JsonView session);
  // `cost` as text; its column appears only if some cost is known.
  void add(const SessionView& session, const SessionCost* cost = nullptr);
  // Ids of sessions that are not shown: shortened ids must not match them either.
  void set_other_ids(const std::vector<std::string_view>& ids) { others_.assign(ids.begin(), ids.end()); }
  // The table of the added rows. Must be called only once.
  std::string text();

 private:
  struct Column {
    std::string_view name;
    std::size_t most;        // maximum width in columns
    std::size_t from_width;  // shown on terminals at least this wide
    std::vector<std::string> cells = {};
    std::size_t width = 0;
  };

  struct Row {
    std::string_view id = {}, updated_at = {}, layout = {}, status = {}, project = {}, title = {}, first_prompt = {};
    std::optional<std::int64_t> prompts = {};
    std::string out = {}, cost = {};
  };

  void add(const Row& row);
  std::string line_at(std::size_t row, bool head) const;

  RenderStyle style_;
  std::chrono::system_clock::time_point now_;
  std::vector<Column> columns_;
  std::vector<std::string> others_;
};

// The same with the rows of the answer.
std::string render_sessions(JsonView answer, const RenderStyle& style, std::chrono::system_clock::time_point now);

// Adds a row of session.list to the table "sessions", like ListTable::add(JsonView).
void add_session(ListTable& table, const SessionView& session);
// The same for the table "long_sessions".
void add_long_session(ListTable& table, const SessionView& session, const SessionCost& cost);

// Appends LAYOUT/ID and a NUL, for other programs; nothing if the id contains a NUL.
void append_nul_terminated_name(std::string& out, const SessionView& session);

// The title, else the first prompt; one line, cleaned for a terminal.
std::string session_title(JsonView session);
// "now", "5m ago", "3h ago", "12d ago"; the date if it is longer ago; empty if it is not a time.
std::string short_age(std::string_view iso, std::chrono::system_clock::time_point now);
// Unique prefixes of the ids, also unique among `others`. What follows an @ tells copies apart and stays whole.
std::vector<std::string> short_ids(const std::vector<std::string>& ids, std::size_t least,
                                   const std::vector<std::string>& others = {});

}  // namespace holdfast::inline v1
