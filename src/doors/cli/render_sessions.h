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

// The rows of session.list, as many columns of them as fit into style.width; ids are as
// short as they can be, and not shorter than 8 characters.
class SessionScreen {
 public:
  SessionScreen(const RenderStyle& style, std::chrono::system_clock::time_point now);

  void add(JsonView session);
  // `cost` in words; a column only where one is known.
  void add(const SessionView& session, const SessionCost* cost = nullptr);
  // Ids of sessions that are not shown: what is shown must not stand for one of them too.
  void tell_apart_from(const std::vector<std::string_view>& ids) { others_.assign(ids.begin(), ids.end()); }
  // Of those that were added. Once.
  std::string text();

 private:
  struct Column {
    std::string_view name;
    std::size_t most;        // columns
    std::size_t from_width;  // shown on terminals at least so wide
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

// A row of session.list in the table "sessions", as ListTable::add(JsonView) shows it.
void add_session(ListTable& table, const SessionView& session);
// The same in the table "long_sessions".
void add_long_session(ListTable& table, const SessionView& session, const SessionCost& cost);

// The name of a session for other programs, with a NUL behind it: LAYOUT/ID; nothing for an id with a NUL in it.
void add_name_with_zero(std::string& out, const SessionView& session);

// Title, else the first prompt; one line, cleaned for a terminal.
std::string session_title(JsonView session);
// "now", "5m ago", "3h ago", "12d ago"; a day when it is longer ago; empty when it is no time.
std::string short_age(std::string_view iso, std::chrono::system_clock::time_point now);
// Beginnings that tell the ids apart, from each other and from others.
std::vector<std::string> short_ids(const std::vector<std::string>& ids, std::size_t least,
                                   const std::vector<std::string>& others = {});

}  // namespace holdfast::inline v1
