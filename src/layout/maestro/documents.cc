#include "layout/maestro/documents.h"

#include <algorithm>
#include <array>

#include "layout/backup_finding.h"
#include "layout/json_pick.h"
#include "layout/maestro/ids.h"
#include "layout/maestro/maestro_layout.h"
#include "layout/record_extension.h"
#include "layout/record_shape.h"
#include "layout/record_version.h"
#include "model/time_formats.h"
#include "text/json_scan.h"

namespace holdfast::inline v1::maestro {
namespace {

constexpr std::string_view kEnding = ".json";

std::int64_t nanoseconds_of(std::string_view written) {
  const auto time = parse_any_time(written);
  if (!time) return 0;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time->time_since_epoch()).count();
}

const RecordShape& shape_of(std::string_view kind) {
  const auto shapes = maestro_shapes();
  return *std::ranges::find(shapes, kind, &RecordShape::kind);
}

Result<std::string> checked(const RecordShape& shape, std::string bytes, const Place& place) {
  const std::string_view text = without_bom(bytes);
  const JsonCheck check = check_json(text);
  if (!check.ok() && check.fault != JsonFault::bad_utf8) {
    return fail(
        Code::corrupt,
        "not a JSON document: " + std::string(json_fault_name(check.fault)) + " at byte " + std::to_string(check.at),
        place.path);
  }
  const JsonView record(text);
  if (record.kind() != JsonKind::object) return fail(Code::corrupt, "not a JSON object", place.path);
  if (record.find(shape.version_field).as_int64() == shape.version) return bytes;
  auto upgraded = upgrade_record(shape, text);
  if (!upgraded) upgraded.error().path = place.path;
  return upgraded;
}

// The file, or its backup if only the backup is good.
Result<std::string> good_version(Feed& feed, const RecordShape& shape, std::string bytes, const Place& place) {
  auto record = checked(shape, std::move(bytes), place);
  if (record || record.error().code != Code::corrupt) return record;
  HOLDFAST_LET(backup, feed.backup(place));
  if (!backup) return record;
  auto before = checked(shape, std::move(*backup), place);
  if (!before) return record;
  feed.complain(place, 0, kRestoredFromBackup, backup_shown_message(record.error().message));
  return before;
}

}  // namespace

Result<std::optional<std::string>> read_object(Feed& feed, std::string_view kind, const Place& place) {
  HOLDFAST_LET(bytes, feed.document(place));
  if (!bytes) return std::nullopt;
  HOLDFAST_LET(record, good_version(feed, shape_of(kind), std::move(*bytes), place));
  return record;
}

Result<std::vector<StoredMessage>> read_messages(Feed& feed, std::string_view thread, std::string_view session) {
  HOLDFAST_TRY(check_id("a thread", thread));
  const Place folder = message_folder(thread);
  const RecordShape& shape = shape_of("message");
  HOLDFAST_LET(entries, feed.list(folder));
  std::vector<StoredMessage> messages;
  messages.reserve(entries.size());
  for (const FeedEntry& entry : entries) {
    if (entry.directory || !entry.name.ends_with(kEnding)) continue;  // another program's temporary files
    const Place place = at(folder.path + "/" + entry.name);
    HOLDFAST_LET(bytes, feed.document(place));
    if (!bytes) continue;  // removed since it was listed
    auto record = good_version(feed, shape, std::move(*bytes), place);
    if (!record) {
      feed.complain(place, 0, code_name(record.error().code), record.error().message);
      continue;
    }
    const auto [owner, created, content, rest] =
        pick<4>(JsonView(*record), {"sessionId", "createdAt", "content", kRest});
    if (!session.empty() && !owner.is_string(session)) continue;
    if (content.kind() != JsonKind::string)
      feed.complain(place, 0, "no_text",
                    !content || content.is_null() ? "it has no content" : "its content is not a text");
    StoredMessage stored{.time_ns = nanoseconds_of(text_of(created)),
                         .id = entry.name.substr(0, entry.name.size() - kEnding.size()),
                         .session = text_of(owner),
                         .names_parent = !text_of(rest.find("parent")).empty()};
    stored.bytes = std::move(*record);  // last: the views above point into it
    messages.push_back(std::move(stored));
  }
  std::ranges::sort(messages, [](const StoredMessage& a, const StoredMessage& b) {
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.id < b.id;
  });
  return messages;
}

}  // namespace holdfast::inline v1::maestro
