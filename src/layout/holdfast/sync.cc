// What a native store sends to a remote: each session.json, and each line of each
// messages.jsonl. A session is not sent unless its metadata has
// {"privacy":{"localOnly":false}}.
#include <set>

#include "base/hash.h"
#include "base/safe_name.h"
#include "layout/change.h"
#include "layout/holdfast/blob.h"
#include "layout/holdfast/line.h"
#include "layout/holdfast/native_layout.h"
#include "layout/holdfast/paths.h"
#include "layout/sync_map.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace native {
namespace {

Place at(std::string path) { return {std::string(kRoot), std::move(path)}; }

// Accepts only paths of our own from the other side.
bool is_session_folder(std::string_view folder) {
  constexpr std::string_view kBegin = "projects/", kMiddle = "/sessions/";
  if (!folder.starts_with(kBegin)) return false;
  folder.remove_prefix(kBegin.size());
  const std::size_t middle = folder.find(kMiddle);
  if (middle == std::string_view::npos) return false;
  return is_safe_name(folder.substr(0, middle)) && is_safe_name(folder.substr(middle + kMiddle.size()));
}

class NativeSync final : public SyncMap {
 public:
  bool derived() const override { return true; }
  Place queue_log() const override { return at("queue.jsonl"); }
  Result<std::string> origin(Feed& feed) const override {
    HOLDFAST_LET(format, feed.document(at(std::string(kFormat))));
    if (!format) return std::string();
    return JsonView(*format).find("store_id").as_string().value_or("");
  }

  std::optional<SyncSubject> subject(const Place&, std::string_view) const override { return std::nullopt; }

  SyncSubject session(const SessionRef& ref) const override {
    return {.entity = "session", .id = ref.id, .hint = session_folder(ref.project, ref.id)};
  }
  std::optional<SyncSubject> line(const SyncSubject& session, const FeedRecord& record) const override {
    // A line without an id is identified by its offset.
    std::string id = JsonView(record.bytes).find("id").as_string().value_or("");
    if (id.empty() || kind_of_line(JsonView(record.bytes)) != LineKind::message)
      id = "at-" + std::to_string(record.offset);
    return SyncSubject{"message", std::move(id), session.id, session.hint, record.offset + 1};
  }

  Result<std::vector<SyncSubject>> subjects(Feed&, std::string_view, std::string_view) const override {
    return std::vector<SyncSubject>();  // items of this queue are self-contained
  }

  Place privacy_document(const SyncSubject& subject) const override { return at(session_document(subject.hint)); }
  bool local_only(std::string_view document) const override {
    const JsonView local = JsonView(document).find("metadata").find("privacy").find("localOnly");
    return local.as_bool().value_or(true);
  }

  Result<std::optional<SyncPayload>> payload(Feed& feed, const SyncSubject& subject) const override {
    if (subject.entity == "session") {
      HOLDFAST_LET(document, feed.document(at(session_document(subject.hint))));
      if (!document) return std::nullopt;
      return SyncPayload{std::move(*document)};
    }
    HOLDFAST_LET(bytes, line_at(feed, subject));
    if (!bytes) return std::nullopt;
    SyncPayload payload{std::move(*bytes)};
    Message message;
    read_line(payload.bytes, message);
    for (const Block& block : message.blocks) {
      if (block.spilled.empty()) continue;
      if (auto blob = read_blob(feed, block.spilled)) payload.attachments.emplace_back(block.spilled, std::move(*blob));
    }
    return payload;
  }

  Result<Changes> receive(Feed& feed, std::span<const ReceivedSubject> received) const override {
    Changes changes;
    std::string folder;
    std::vector<std::string> lines;
    for (const auto& [subject, payload] : received) {
      if (!is_session_folder(subject.hint) ||
          (!folder.empty() && folder != subject.hint && subject.entity != "session"))
        return fail(Code::unsafe_path, "not the folder of a session: " + subject.hint);
      if (payload && !check_json(payload->bytes).ok()) return fail(Code::corrupt, "what was received is not JSON");
      if (subject.entity == "session") {
        HOLDFAST_TRY(receive_session(feed, subject, payload, changes));
      } else if (payload) {
        folder = subject.hint;
        HOLDFAST_TRY(receive_texts(feed, payload->attachments, changes));
        lines.push_back(payload->bytes);
      }
    }
    HOLDFAST_TRY(need_session(feed, folder));
    HOLDFAST_TRY(leave_out_known(feed, folder, lines));
    if (!lines.empty()) changes.append(at(messages_log(folder)), std::move(lines));
    return changes;
  }

 private:
  static Result<std::optional<std::string>> line_at(Feed& feed, const SyncSubject& subject) {
    const Place log = at(messages_log(subject.hint));
    const std::uint64_t offset = subject.order - 1;
    std::optional<std::string> found;
    const auto take = [&](const FeedRecord& record) {
      if (record.offset == offset) found = record.bytes;
      return !found && record.offset < offset;
    };
    HOLDFAST_TRY(feed.records(log, {offset, offset + 1}, take));
    if (!found) HOLDFAST_TRY(feed.records(log, {}, take));  // salvaged from damage
    return found;
  }

  static Result<void> receive_session(Feed& feed, const SyncSubject& subject, const std::optional<SyncPayload>& payload,
                                      Changes& changes) {
    const Place place = at(session_document(subject.hint));
    HOLDFAST_LET(before, feed.document(place));
    if (!payload && before) changes.remove_tree(at(subject.hint));
    if (payload && before != payload->bytes) changes.put(place, payload->bytes);
    return {};
  }

  static Result<void> receive_texts(Feed& feed, const std::vector<std::pair<std::string, std::string>>& texts,
                                    Changes& changes) {
    for (const auto& [path, bytes] : texts) {
      if (path != blob_path(sha256_hex(bytes))) return fail(Code::unsafe_path, "not a text of a message: " + path);
      HOLDFAST_LET(there, feed.stat(at(path)));
      if (!there) changes.put(at(path), bytes);
    }
    return {};
  }

  // A folder that is copied piece by piece may receive the lines first.
  static Result<void> need_session(Feed& feed, const std::string& folder) {
    if (folder.empty()) return {};
    HOLDFAST_LET(there, feed.stat(at(session_document(folder))));
    if (there) return {};
    return fail(Code::not_found, "the session of these messages has not arrived yet", folder);
  }

  static Result<void> leave_out_known(Feed& feed, const std::string& folder, std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::set<std::string, std::less<>> missing(lines.begin(), lines.end());
    HOLDFAST_TRY(feed.records(at(messages_log(folder)), {}, [&](const FeedRecord& record) {
      if (const auto found = missing.find(record.bytes); found != missing.end()) missing.erase(found);
      return !missing.empty();
    }));
    std::erase_if(lines, [&](const std::string& line) { return missing.erase(line) == 0; });
    return {};
  }
};

}  // namespace

const SyncMap& native_sync() {
  static const NativeSync map;
  return map;
}

}  // namespace native
}  // namespace holdfast::inline v1
