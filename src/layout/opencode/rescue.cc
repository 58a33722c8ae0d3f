// Rescue of one session out of opencode's database: every row that can still be
// read, as the JSON that `opencode import` takes. Damaged pages hide only the
// rows on them.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "layout/opencode/opencode_layout.h"
#include "layout/row_value.h"
#include "layout/session_rescue.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::opencode {
namespace {

constexpr std::uint64_t kMostFailures = 4096;  // questions about damaged places

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

// {"id":…, and the rest of what the row holds as JSON.
std::string with_ids(std::string_view data, std::initializer_list<std::pair<std::string_view, std::string_view>> ids) {
  JsonWriter json;
  json.begin_object();
  for (const auto& [name, id] : ids) json.key(name).string(id);
  for (const JsonItem& field : JsonView(data).fields()) {
    bool ours = false;
    for (const auto& [name, id] : ids) ours = ours || field.key_is(name);
    if (!ours) json.key(field.key()).raw(field.value.raw());
  }
  return json.end_object().take();
}

struct SavedMessage {
  std::string json;
  std::map<std::string, std::string> parts;  // by id, which is their order
};

struct SavedSession {
  std::string info;
  std::map<std::pair<std::int64_t, std::string>, SavedMessage> messages;  // in the order of opencode
  std::map<std::string, std::pair<std::int64_t, std::string>, std::less<>> by_id;
  std::string directory, version;
  std::int64_t first = 0, last = 0;
};

std::string session_info(std::span<const FeedValue> row) {
  JsonWriter json;
  json.begin_object();
  constexpr std::string_view kNames[] = {"id", "slug", "projectID", "directory", "title", "version", "parentID"};
  for (std::size_t n = 0; n < std::size(kNames); ++n) {
    if (n < 6 || !text_at(row, n).empty()) json.key(kNames[n]).string(text_at(row, n));
  }
  json.key("time").begin_object().key("created").int64(integer_at(row, 7).value_or(0));
  return json.key("updated").int64(integer_at(row, 8).value_or(0)).end_object().end_object().take();
}

// The row of the session is lost: what its messages say of it.
std::string rebuilt_info(const SavedSession& saved, std::string_view id) {
  JsonWriter json;
  json.begin_object().key("id").string(id).key("slug").string("rescued").key("projectID").string("global");
  json.key("directory").string(saved.directory).key("title").string("Rescued session").key("version").string("0.0.0");
  json.key("time").begin_object().key("created").int64(saved.first).key("updated").int64(saved.last);
  return json.end_object().end_object().take();
}

std::string import_document(const SavedSession& saved) {
  std::string text = "{\n  \"info\": " + saved.info + ",\n  \"messages\": [";
  bool first = true;
  for (const auto& [place, message] : saved.messages) {
    text += std::exchange(first, false) ? "\n    " : ",\n    ";
    text += "{\"info\": " + message.json + ", \"parts\": [";
    bool first_part = true;
    for (const auto& [id, part] : message.parts) (text += std::exchange(first_part, false) ? "" : ", ") += part;
    text += "]}";
  }
  return text + "\n  ]\n}\n";
}

// Rescued::records are messages and parts; ::lost counts rows that could not be
// read, as far as that is known, and parts whose message could not. not_found
// when the database has neither the session nor a message of it, corrupt when
// not even its schema can be read.
Result<std::optional<Rescued>> rescue_session(Feed& feed, const Place& database, std::string_view session) {
  const std::string id(session);
  Rescued rescued;
  SavedSession saved;
  SpanReader reader(feed, database);
  HOLDFAST_TRY(reader.read("id, slug, project_id, directory, title, version, parent_id, time_created, time_updated",
                           "session", "+id = ?", id, [&](std::span<const FeedValue> row) {
                             saved.info = session_info(row);
                             return true;
                           }));
  std::uint64_t broken = 0;
  HOLDFAST_TRY(
      reader.read("id, time_created, data", "message", "+session_id = ?", id, [&](std::span<const FeedValue> row) {
        const std::string message(text_at(row, 0));
        const std::string_view data = text_at(row, 2);
        const std::int64_t at = integer_at(row, 1).value_or(0);
        if (check_json(data).fault != JsonFault::none || JsonView(data).kind() != JsonKind::object) {
          ++broken;
          return true;
        }
        saved.messages[{at, message}].json = with_ids(data, {{"id", message}, {"sessionID", id}});
        saved.by_id[message] = {at, message};
        if (saved.directory.empty()) saved.directory = JsonView(data).find("path").find("cwd").as_string().value_or("");
        saved.first = saved.first == 0 ? at : std::min(saved.first, at);
        saved.last = std::max(saved.last, at);
        return true;
      }));
  HOLDFAST_TRY(reader.read("id, message_id, data", "part", "+session_id = ?", id, [&](std::span<const FeedValue> row) {
    const std::string part(text_at(row, 0)), message(text_at(row, 1));
    const std::string_view data = text_at(row, 2);
    const auto place = saved.by_id.find(message);
    if (place == saved.by_id.end() || !check_json(data).ok() || JsonView(data).kind() != JsonKind::object) {
      ++broken;
      return true;
    }
    saved.messages[place->second].parts[part] =
        with_ids(data, {{"id", part}, {"sessionID", id}, {"messageID", message}});
    ++rescued.records;
    return true;
  }));
  if (saved.messages.empty() && saved.info.empty())
    return fail(Code::not_found, "no row of the session " + id + " can be read", database.path);
  if (saved.info.empty()) {
    saved.info = rebuilt_info(saved, id);
    rescued.headers = 1;
  }
  rescued.records += saved.messages.size();
  rescued.lost = broken + reader.failures();
  rescued.bytes = import_document(saved);
  return rescued;
}

class OpencodeRescue final : public SessionRescue {
 public:
  std::string_view database_ending() const override { return ".db"; }
  Result<std::optional<Rescued>> rescue_rows(Feed& feed, const Place& place, std::string_view session) const override {
    return rescue_session(feed, place, session);
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const OpencodeRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::opencode
