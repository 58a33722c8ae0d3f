// Rescues one session from opencode's database: every row that can still be read, as
// the JSON that `opencode import` accepts. Damaged pages hide only the rows on them.

#include <algorithm>
#include <string>

#include "layout/opencode/import_document.h"
#include "layout/opencode/lost_messages.h"
#include "layout/opencode/opencode_layout.h"
#include "layout/opencode/rows_file.h"
#include "layout/opencode/surviving_rows.h"
#include "layout/row_value.h"
#include "layout/session_rescue.h"
#include "layout/table_salvager.h"
#include "text/shell_word.h"

namespace holdfast::inline v1::opencode {
namespace {

// Sessions with a message are listed without their row.
constexpr std::string_view kWithoutSession =
    "SELECT session_id, count(*) FROM part WHERE session_id NOT IN (SELECT id FROM session) AND session_id NOT IN "
    "(SELECT session_id FROM message) GROUP BY session_id";

std::string info_of(std::span<const FeedValue> row) {
  return session_info({.id = text_at(row, 0),
                       .slug = text_at(row, 1),
                       .project = text_at(row, 2),
                       .directory = text_at(row, 3),
                       .title = text_at(row, 4),
                       .version = text_at(row, 5),
                       .parent = text_at(row, 6),
                       .created = integer_at(row, 7).value_or(0),
                       .updated = integer_at(row, 8).value_or(0)});
}

// Rescued::records counts messages and parts, including those rebuilt; ::lost counts
// rows that could not be read or hold no JSON, if known. Fails with not_found if the
// database has neither the session nor a message of it, and with corrupt if not even
// its schema can be read.
Result<std::optional<Rescued>> rescue_session(Feed& feed, const Place& database, std::string_view session) {
  const std::string id(session);
  Rescued rescued;
  SavedSession saved;
  TableSalvager reader(feed, database);
  HOLDFAST_TRY(reader.read("id, slug, project_id, directory, title, version, parent_id, time_created, time_updated",
                           "session", "+id = ?", id, [&](std::span<const FeedValue> row) {
                             saved.info = info_of(row);
                             return true;
                           }));
  std::uint64_t broken = 0, read = 0;
  HOLDFAST_TRY(
      reader.read("id, time_created, data", "message", "+session_id = ?", id, [&](std::span<const FeedValue> row) {
        ++read;
        if (!saved.add_message(id, std::string(text_at(row, 0)), integer_at(row, 1).value_or(0), text_at(row, 2)))
          ++broken;
        return true;
      }));
  LostMessages lost;
  HOLDFAST_TRY(reader.read(
      "id, message_id, data, time_created", "part", "+session_id = ?", id, [&](std::span<const FeedValue> row) {
        ++read;
        const std::string part(text_at(row, 0)), message(text_at(row, 1));
        const bool known = saved.by_id.contains(message);
        const bool whole = known ? saved.add_part(id, part, message, text_at(row, 2))
                                 : lost.add(message, part, integer_at(row, 3).value_or(0), text_at(row, 2));
        ++(whole ? rescued.records : broken);
        return true;
      }));
  rescued.tools.restored = lost.restore(saved, id);
  if (saved.messages.empty() && saved.info.empty())
    return fail(Code::not_found, "no row of the session " + id + " can be read", database.path);
  if (saved.info.empty()) {
    saved.info = rebuilt_info(saved, id);
    rescued.headers = 1;
  }
  rescued.records += saved.messages.size();
  rescued.lost = lost_rows(feed, database, id, read, reader.missed());
  if (rescued.lost) rescued.lost = std::max(*rescued.lost + broken, rescued.tools.restored);
  rescued.bytes = import_document(saved);
  return rescued;
}

class OpencodeRescue final : public SessionRescue {
 public:
  std::string_view database_ending() const override { return ".db"; }
  Result<std::optional<Rescued>> rescue_rows(Feed& feed, const Place& place, std::string_view session) const override {
    if (is_rows_file(place)) return std::nullopt;
    return rescue_session(feed, place, session);
  }
  Result<void> report_lost_sessions(Feed& feed) const override {
    const std::string root = "data";
    HOLDFAST_LET(top, feed.list({root, ""}));
    for (const FeedEntry& entry : top) {
      if (entry.directory || !entry.name.starts_with("opencode") || !entry.name.ends_with(database_ending())) continue;
      const Place database{root, entry.name};
      const auto asked = feed.rows(database, kWithoutSession, {}, [&](std::span<const FeedValue> row) {
        const std::string id(text_at(row, 0));
        const std::int64_t count = integer_at(row, 1).value_or(0);
        std::string what = "the session " + id + " is not listed: its row and its messages are gone, and ";
        what.append(std::to_string(count)).append(count == 1 ? " part of them is" : " parts of them are");
        what.append(" left; run holdfast rescue ");
        feed.complain(database, 0, "lost_session",
                      what.append(session_word("opencode", id)).append(" -o FILE to save what is there"));
        return true;
      });
      // Damaged pages are reported when the sessions are read.
      if (!asked && asked.error().code != Code::schema_mismatch && asked.error().code != Code::corrupt) return asked;
    }
    return {};
  }
  std::optional<ImportableSession> as_importable(std::string_view rescued, std::uint64_t random) const override {
    return import_form(rescued, random);
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const OpencodeRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::opencode
