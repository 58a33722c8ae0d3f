// Writes a session of the database as the log of older versions, one event per line.
#include "layout/openclaw/belongings.h"
#include "layout/openclaw/databases.h"
#include "layout/openclaw/log_files.h"
#include "layout/openclaw/transcript.h"
#include "layout/row_value.h"

namespace holdfast::inline v1::openclaw {
namespace {

class OpenclawRows final : public SerializedRows {
 public:
  std::optional<Place> place(const SessionRef& ref) const override {
    if (is_log_file(ref.place)) return std::nullopt;
    return Place{ref.place.root, "agents/" + agent_of(ref.place) + "/sessions/" + ref.id + ".jsonl"};
  }

  Result<std::string> mark(Feed& feed, const SessionRef& ref) const override {
    std::string mark = ref.hint;
    const std::string parameters[] = {ref.id};
    HOLDFAST_TRY(feed.rows(ref.place, "SELECT max(seq), count(*) FROM transcript_events WHERE session_id = ?",
                           parameters, [&](std::span<const FeedValue> row) {
                             for (const std::size_t column : {0U, 1U})
                               (mark += '/') += std::to_string(integer_at(row, column).value_or(-1));
                             return false;
                           }));
    return mark;
  }

  Result<void> spell(Feed& feed, const SessionRef& ref, const TakeBytes& take) const override {
    Result<void> taken;
    HOLDFAST_TRY(read_transcript(feed, ref.place, ref.id, [&](std::string_view event, std::uint64_t) {
      taken = take(std::string(event) + "\n");
      return taken.has_value();
    }));
    return taken;
  }
};

}  // namespace

const SerializedRows& serialized_rows() {
  static const OpenclawRows rows;
  return rows;
}

}  // namespace holdfast::inline v1::openclaw
