#include "layout/maestro/new_message.h"

#include "layout/json_pick.h"
#include "layout/maestro/documents.h"
#include "layout/maestro/ids.h"
#include "layout/maestro/maestro_layout.h"
#include "layout/maestro/message_file.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"
#include "model/time_formats.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::maestro {
namespace {

// Later than everything saved in the thread, so that messages of the same moment keep
// their order.
Result<std::chrono::system_clock::time_point> stamp_for(Feed& feed, std::string_view thread, const Moment& moment) {
  HOLDFAST_TRY(check_id("a thread", thread));
  HOLDFAST_LET(owner, read_object(feed, "thread", thread_place(thread)));
  const std::string previous = owner ? text_of(JsonView(*owner).find("updatedAt")) : std::string();
  return next_stamp(previous, moment.now);
}

// Whether they are equal, except for createdAt if the caller gave none.
Result<bool> same_message(std::string_view stored, const std::string& wanted, bool any_time) {
  std::string now = wanted;
  if (any_time) {
    HOLDFAST_LET(timed, json_set(now, {"createdAt"}, JsonView(stored).find("createdAt").raw()));
    now = std::move(timed);
  }
  return compact_json(JsonView(stored)) == compact_json(JsonView(now));
}

Result<Spelling> add(Feed& feed, std::string_view thread, std::string id, std::string bytes, bool any_time) {
  const Place place = message_place(thread, id);
  Spelling spelling;
  spelling.id = std::move(id);
  HOLDFAST_LET(stored, feed.document(place));
  if (!stored) {
    spelling.first.create(place, std::move(bytes));
    return spelling;
  }
  const bool whole = check_json(without_bom(*stored)).ok();
  if (!whole) return fail(Code::corrupt, "not a JSON document", place.path);
  HOLDFAST_LET(same, same_message(*stored, bytes, any_time));
  if (same) return spelling;
  return fail(Code::already_exists,
              "message " + spelling.id + " already exists with other content; messages are only ever added",
              place.path);
}

// Checks what other programs will read in a record: its version, its role, its content.
Result<void> check_record(JsonView record) {
  const auto [version, role, content, call] = pick<4>(record, {"schemaVersion", "role", "content", "toolCallId"});
  if (version && version.as_int64() != 1)
    return fail(
        Code::schema_version_mismatch,
        "schemaVersion of the message is " + std::string(version.raw().substr(0, 40)) + "; version 1 is required");
  if (!role) return fail(Code::invalid_argument, "a message needs a role");
  if (!role_of(text_of(role)))
    return fail(Code::invalid_argument, "the role of a message must be user, assistant, tool or system, not " +
                                            std::string(role.raw().substr(0, 60)));
  if (content.kind() != JsonKind::string)
    return fail(Code::invalid_argument,
                content ? "the content of a message must be a string" : "a message needs content");
  if (call && !call.is_null() && call.kind() != JsonKind::string)
    return fail(Code::invalid_argument, "toolCallId of a message must be a string or null");
  return {};
}

}  // namespace

Result<Spelling> new_message(Feed& feed, std::string_view thread, std::string_view session, const Message& draft,
                             const Moment& moment) {
  HOLDFAST_LET(stamp, stamp_for(feed, thread, moment));
  if (!draft.timestamp.empty() && !parse_any_time(draft.timestamp))
    return fail(Code::invalid_argument, "the timestamp of the message is not a time: " + draft.timestamp);
  MessageHead head{draft.id.empty() ? new_id("msg", stamp, moment) : draft.id, std::string(thread),
                   std::string(session), iso_micros(stamp)};
  if (!draft.timestamp.empty())
    head.created_at = draft.timestamp.find('T') == std::string::npos ? to_iso_time(draft.timestamp) : draft.timestamp;
  HOLDFAST_TRY(check_id("a message", head.id));
  if (!draft.parent.empty()) {
    HOLDFAST_TRY(check_id("a message", draft.parent));
    HOLDFAST_LET(parent, feed.stat(message_place(thread, draft.parent)));
    if (!parent)
      return fail(Code::invalid_argument,
                  "parent: session " + std::string(session) + " has no message " + draft.parent);
  }
  HOLDFAST_LET(bytes, spell_message_file(draft, head));
  return add(feed, thread, head.id, std::move(bytes), draft.timestamp.empty());
}

Result<Spelling> new_raw_message(Feed& feed, std::string_view thread, std::string_view session, std::string_view record,
                                 const Moment& moment) {
  const JsonCheck check = check_json(record);
  if (!check.ok() || JsonView(record).kind() != JsonKind::object)
    return fail(Code::invalid_record, "a message must be one JSON object");
  HOLDFAST_LET(stamp, stamp_for(feed, thread, moment));
  std::string bytes = pretty_json(JsonView(record));
  bool any_time = false;
  const auto fill = [&](std::string_view key, const std::string& value) -> Result<void> {
    HOLDFAST_LET(edited, json_set(bytes, {JsonStep(key)}, value));
    bytes = std::move(edited);
    return {};
  };
  HOLDFAST_TRY(check_record(JsonView(record)));
  HOLDFAST_TRY(fill("schemaVersion", "1"));
  std::string id = text_of(JsonView(bytes).find("id"));
  if (id.empty()) {
    id = new_id("msg", stamp, moment);
    HOLDFAST_TRY(fill("id", json_quoted(id)));
  }
  HOLDFAST_TRY(check_id("a message", id));
  const std::array<std::pair<std::string_view, std::string_view>, 2> owners{
      {{"threadId", thread}, {"sessionId", session}}};
  for (const auto& [key, owner] : owners) {
    const std::string named = text_of(JsonView(bytes).find(key));
    if (!named.empty() && named != owner)
      return fail(Code::invalid_argument,
                  std::string(key) + " of the message is " + named + ", not " + std::string(owner));
    if (named.empty()) HOLDFAST_TRY(fill(key, json_quoted(owner)));
  }
  const std::string created = text_of(JsonView(bytes).find("createdAt"));
  if (created.empty()) {
    any_time = true;
    HOLDFAST_TRY(fill("createdAt", json_quoted(iso_micros(stamp))));
  } else if (!parse_any_time(created)) {
    return fail(Code::invalid_argument, "createdAt of the message is not a time: " + created);
  }
  if (!JsonView(bytes).find("toolCallId")) HOLDFAST_TRY(fill("toolCallId", "null"));
  return add(feed, thread, id, std::move(bytes), any_time);
}

}  // namespace holdfast::inline v1::maestro
