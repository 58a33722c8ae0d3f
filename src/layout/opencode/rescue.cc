// Rescue of one session out of opencode's database: every row that can still be
// read, as the JSON that `opencode import` takes. Damaged pages hide only the
// rows on them.

#include <algorithm>
#include <string>
#include <vector>

#include "layout/opencode/import_document.h"
#include "layout/opencode/lost_messages.h"
#include "layout/opencode/opencode_layout.h"
#include "layout/opencode/rows_file.h"
#include "layout/row_value.h"
#include "layout/session_rescue.h"

namespace holdfast::inline v1::opencode {
namespace {

constexpr std::uint64_t kMostFailures = 4096;  // queries about damaged places

// Rows by number, in spans that are halved where one of them cannot be read.
class SpanReader {
 public:
  SpanReader(Feed& feed, const Place& database) : feed_(feed), database_(database) {}

  // `columns` and `table` are ours; `which` is one more condition with a `?` for
  // `value`, written so that no index answers it.
  Result<void> read(const std::string& columns, const std::string& table, const std::string& which,
                    const std::string& value, const Feed::TakeRow& take) {
    select_ = "SELECT " + columns + " FROM " + table +
              " NOT INDEXED WHERE rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) AND " + which;
    value_ = value;
    std::uint64_t last = 0;
    const auto newest =
        feed_.rows(database_, "SELECT max(rowid) FROM " + table, {}, [&](std::span<const FeedValue> row) {
          last = static_cast<std::uint64_t>(std::max<std::int64_t>(0, integer_at(row, 0).value_or(0)));
          return true;
        });
    if (!newest) {
      if (newest.error().code != Code::corrupt) return newest;
      HOLDFAST_LET(stat, feed_.stat(database_));
      last = stat ? stat->size / 16 : 0;  // no row is smaller
    }
    return span(1, last, take);
  }

  // Rows that were asked for one by one and could not be read; there may never have been such a row.
  std::uint64_t failures() const { return unreadable_; }

 private:
  Result<void> span(std::uint64_t from, std::uint64_t to, const Feed::TakeRow& take) {
    if (from > to) return {};
    const std::string parameters[] = {std::to_string(from), std::to_string(to), value_};
    const auto read = feed_.rows(database_, select_, parameters, take);
    if (read || read.error().code != Code::corrupt) return read;
    if (++asked_ > kMostFailures || from == to) {
      unreadable_ += to - from + 1;
      return {};
    }
    const std::uint64_t middle = from + (to - from) / 2;
    HOLDFAST_TRY(span(from, middle, take));
    return span(middle + 1, to, take);
  }

  Feed& feed_;
  const Place& database_;
  std::string select_, value_;
  std::uint64_t asked_ = 0, unreadable_ = 0;
};

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

// The row of the session is lost: what its messages say of it.
std::string rebuilt_info(const SavedSession& saved, std::string_view id) {
  return session_info({.id = id,
                       .slug = "rescued",
                       .project = "global",
                       .directory = saved.directory,
                       .title = "Rescued session",
                       .version = "0.0.0",
                       .created = saved.first,
                       .updated = saved.last});
}

// Rescued::records are messages and parts, those made again too; ::lost counts rows
// that could not be read, as far as that is known. not_found
// when the database has neither the session nor a message of it, corrupt when
// not even its schema can be read.
Result<std::optional<Rescued>> rescue_session(Feed& feed, const Place& database, std::string_view session) {
  const std::string id(session);
  Rescued rescued;
  SavedSession saved;
  SpanReader reader(feed, database);
  HOLDFAST_TRY(reader.read("id, slug, project_id, directory, title, version, parent_id, time_created, time_updated",
                           "session", "+id = ?", id, [&](std::span<const FeedValue> row) {
                             saved.info = info_of(row);
                             return true;
                           }));
  std::uint64_t broken = 0;
  HOLDFAST_TRY(
      reader.read("id, time_created, data", "message", "+session_id = ?", id, [&](std::span<const FeedValue> row) {
        if (!saved.add_message(id, std::string(text_at(row, 0)), integer_at(row, 1).value_or(0), text_at(row, 2)))
          ++broken;
        return true;
      }));
  LostMessages lost;
  HOLDFAST_TRY(reader.read(
      "id, message_id, data, time_created", "part", "+session_id = ?", id, [&](std::span<const FeedValue> row) {
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
  rescued.lost = std::max(broken + reader.failures(), rescued.tools.restored);
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
  std::optional<TakenIn> taken_in(std::string_view rescued, std::uint64_t random) const override {
    return import_form(rescued, random);
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const OpencodeRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::opencode
