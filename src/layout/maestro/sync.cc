// What a Maestro store sends to a remote: its threads, sessions and messages,
// each a document of its own, unless the thread is local only (seed 004,
// section 8).
#include "layout/change.h"
#include "layout/maestro/ids.h"
#include "layout/maestro/maestro_layout.h"
#include "layout/sync_map.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace maestro {
namespace {

constexpr std::string_view kJson = ".json";

// "thr_1" for "threads/thr_1.json"; empty if the path has another form.
std::string_view name_in(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder) || !path.ends_with(kJson)) return {};
  return path.substr(folder.size(), path.size() - folder.size() - kJson.size());
}

Place place_of(const SyncSubject& subject) {
  if (subject.entity == "thread") return thread_place(subject.id);
  if (subject.entity == "session") return session_place(subject.id);
  return message_place(subject.owner, subject.id);
}

class MaestroSync final : public SyncMap {
 public:
  bool derived() const override { return false; }

  std::optional<SyncSubject> subject(const Place& place, std::string_view bytes) const override {
    const std::string_view path = place.path;
    if (const auto id = name_in(path, "threads/"); !id.empty())
      return SyncSubject{.entity = "thread", .id = std::string(id)};
    if (const auto id = name_in(path, "sessions/"); !id.empty())
      return SyncSubject{"session", std::string(id), JsonView(bytes).find("threadId").as_string().value_or("")};
    const auto inner = name_in(path, "messages/");
    const auto slash = inner.find('/');
    if (inner.empty() || slash == std::string_view::npos) return std::nullopt;
    return SyncSubject{"message", std::string(inner.substr(slash + 1)), std::string(inner.substr(0, slash))};
  }

  SyncSubject session(const SessionRef& ref) const override { return {.entity = "session", .id = ref.id}; }
  std::optional<SyncSubject> line(const SyncSubject&, const FeedRecord&) const override { return std::nullopt; }

  Result<std::vector<SyncSubject>> subjects(Feed& feed, std::string_view entity, std::string_view id) const override {
    std::vector<SyncSubject> all;
    const auto add = [&](std::string owner) {
      all.push_back({std::string(entity), std::string(id), std::move(owner)});
    };
    if (!check_id("an entity", id)) return all;
    if (entity == "thread") {
      add({});
    } else if (entity == "session") {
      HOLDFAST_LET(bytes, feed.document(session_place(id)));
      if (bytes) add(JsonView(*bytes).find("threadId").as_string().value_or(""));
    } else if (entity == "message") {
      HOLDFAST_LET(threads, feed.list(at("threads")));
      for (const FeedEntry& entry : threads) {
        if (entry.name.ends_with(kJson)) add(entry.name.substr(0, entry.name.size() - kJson.size()));
      }
    }
    return all;
  }

  Place privacy_document(const SyncSubject& subject) const override {
    return thread_place(subject.entity == "thread" ? subject.id : subject.owner);
  }
  bool local_only(std::string_view document) const override {
    return JsonView(document).find("privacy").find("localOnly").as_bool().value_or(true);
  }

  Result<std::optional<SyncPayload>> payload(Feed& feed, const SyncSubject& subject) const override {
    if (subject.entity == "message" && subject.owner.empty()) return std::nullopt;  // no thread here has it
    HOLDFAST_LET(bytes, feed.document(place_of(subject)));
    if (!bytes) return std::nullopt;
    return SyncPayload{std::move(*bytes)};
  }

  Result<Changes> receive(Feed& feed, std::span<const ReceivedSubject> received) const override {
    Changes changes;
    for (const auto& [subject, payload] : received) {
      if (!payload && subject.entity == "message" && subject.owner.empty()) continue;  // no thread here had it
      HOLDFAST_TRY(check_received(subject, payload));
      const Place place = place_of(subject);
      HOLDFAST_LET(before, feed.document(place));
      if (payload && before != payload->bytes) changes.put(place, payload->bytes);
      if (!payload && before) {
        changes.remove(place);
        if (subject.entity == "thread") changes.remove_tree(message_folder(subject.id));
      }
    }
    return changes;
  }

 private:
  static Result<void> check_received(const SyncSubject& subject, const std::optional<SyncPayload>& payload) {
    const bool message = subject.entity == "message";
    if (subject.entity != "thread" && subject.entity != "session" && !message)
      return fail(Code::corrupt, "not part of a Maestro store: " + subject.entity);
    HOLDFAST_TRY(check_id("a " + subject.entity, subject.id));
    if (message) HOLDFAST_TRY(check_id("a thread", subject.owner));
    if (!payload) return {};
    // Its own fields must match the place it is stored in.
    const JsonView record(payload->bytes);
    if (!check_json(payload->bytes).ok() || !record.find("id").is_string(subject.id) ||
        (message && !record.find("threadId").is_string(subject.owner)))
      return fail(Code::corrupt, "what was received is not " + subject.entity + " " + subject.id);
    return {};
  }
};

}  // namespace

const SyncMap& maestro_sync() {
  static const MaestroSync map;
  return map;
}

}  // namespace maestro
}  // namespace holdfast::inline v1
