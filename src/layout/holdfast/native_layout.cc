#include "layout/holdfast/native_layout.h"

#include <array>

#include "base/id.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "layout/change.h"
#include "layout/holdfast/blob.h"
#include "layout/holdfast/format.h"
#include "layout/holdfast/line.h"
#include "layout/holdfast/metadata.h"
#include "layout/holdfast/paths.h"
#include "layout/holdfast/session_document.h"
#include "layout/known_records.h"
#include "layout/moment.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/thread_keeper.h"
#include "layout/workflow_shape.h"
#include "layout/writable_layout.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace native {
namespace {

Place at(std::string path) { return {std::string(kRoot), std::move(path)}; }

class NativeLayout final : public WritableLayout, public RecordKeeper, public ThreadKeeper {
 public:
  std::string_view name() const override { return "holdfast"; }
  std::string_view agent() const override { return "Holdfast"; }
  // The ids of the APIs are longer.
  void clear_made_up(Message& message) const override {
    constexpr std::string_view kStart = "msg_", kLetters = "0123456789abcdefghjkmnpqrstvwxyz";
    const std::string_view id = message.id;
    if (id.size() == kStart.size() + kMaxIdLetters && id.starts_with(kStart) &&
        id.find_first_not_of(kLetters, kStart.size()) == std::string_view::npos)
      message.id.clear();
  }
  LayoutTraits traits() const override {
    return {.seekable_log = true,
            .one_record_each = true,
            .owns_logs = true,
            .corrupt_folder = "corrupt",
            .prompt_history = "history.jsonl"};
  }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {
        {{.name = kRoot, .meaning = "the Holdfast store", .side = ".side"}}};
    return kRoots;
  }
  std::span<const RecordShape> shapes() const override { return native_shapes(); }
  const WorkflowShape* workflow() const override { return &native_workflow(); }
  const RecordKeeper* records() const override { return this; }
  const ThreadKeeper* threads() const override { return this; }
  const SyncMap* sync_map() const override { return &native_sync(); }

  const AgentHome* home() const override { return &native::home(); }
  bool is_record(JsonView object) const override {
    return has_keys(object, {"type", "id", "parent", "role", "blocks"}) ||
           has_keys(object, {"type", "message", "timestamp"}) ||
           has_keys(object, {"type", "schema_version", "id", "created_at"});
  }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(format, feed.document(at(std::string(kFormat))));
    if (!format) return false;
    HOLDFAST_TRY(check_format(*format, true));
    return true;
  }
  Result<Changes> found(Feed&, const Moment& moment) const override {
    Changes changes;
    changes.create(at(std::string(kFormat)), new_format(moment));
    return changes;
  }
  Result<std::string> project_key(Feed&, std::string_view real_path) const override {
    return native::project_key(real_path);
  }

  Result<void> find(Feed& feed, const TakeRef& take) const override {
    HOLDFAST_LET(projects, feed.list(at(std::string(kProjects))));
    for (const FeedEntry& project : projects) {
      if (!project.directory) continue;
      HOLDFAST_LET(sessions, feed.list(at(project_folder(project.name) + "/sessions")));
      for (const FeedEntry& session : sessions) {
        if (!session.directory || !is_safe_name(session.name)) continue;
        HOLDFAST_LET(there, holds_session(feed, session_folder(project.name, session.name)));
        if (there && !take(ref_of(project.name, session.name))) return {};
      }
    }
    return {};
  }

  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    if (!is_safe_name(id)) return std::nullopt;
    HOLDFAST_LET(projects, feed.list(at(std::string(kProjects))));
    for (const FeedEntry& project : projects) {
      HOLDFAST_LET(there, holds_session(feed, session_folder(project.name, id)));
      if (there) return ref_of(project.name, id);
    }
    return std::nullopt;
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    HOLDFAST_LET(known, say_facts(feed, ref, events));
    std::string leaf;
    HOLDFAST_TRY(feed.records(at(messages_log(folder_of(ref))), {}, [&](const FeedRecord& record) {
      return say_record(feed, record, options, known, events, leaf);
    }));
    if (!leaf.empty()) events.leaf(leaf);
    return {};
  }

  // Works as long as every message follows the one before it in the file; a log that
  // switches between branches there must be read whole.
  Result<bool> read_last(Feed& feed, const SessionRef& ref, std::size_t count, Events& events) const override {
    std::vector<std::string> lines;
    HOLDFAST_TRY(feed.last_records(at(messages_log(folder_of(ref))), count, UINT64_MAX, [&](const FeedRecord& record) {
      lines.emplace_back(record.bytes);
      return true;
    }));
    std::string before;
    for (const std::string& line : lines) {
      const JsonView view(line);
      if (kind_of_line(view) == LineKind::leaf) return false;
      if (kind_of_line(view) != LineKind::message) continue;
      if (!before.empty() && !view.find("parent").is_string(before)) return false;
      before = json_text(view, "id");
    }
    HOLDFAST_LET(known, say_facts(feed, ref, events));
    std::string leaf;
    for (const std::string& line : lines) {
      if (!say_record(feed, {line, 0, false}, {.media = ReadOptions::Media::check}, known, events, leaf)) break;
    }
    return true;
  }

  Result<NewSession> create(Feed& feed, const SessionDraft& draft, const Moment& moment) const override {
    HOLDFAST_LET(made, begin(feed, draft, moment));
    made.changes.create(at(session_document(folder_of(made.ref))),
                        new_document(made.ref.id, draft, iso8601(moment.now)));
    return made;
  }

  Result<SessionDraft> creation_draft(Feed& feed, const SessionRef& ref) const override {
    HOLDFAST_LET(bytes, read_document(feed, folder_of(ref)));
    return bytes ? draft_from_document(JsonView(*bytes)) : SessionDraft();
  }

  Result<std::string> thread_of(Feed& feed, const SessionRef& ref) const override {
    HOLDFAST_LET(bytes, read_document(feed, folder_of(ref)));
    return bytes ? json_text(JsonView(*bytes), "thread") : std::string();
  }

  Result<std::unique_ptr<LineWriter>> line_writer(Feed& feed, const SessionRef& ref) const override {
    HOLDFAST_LET(bytes, read_document(feed, folder_of(ref)));
    const JsonView document(bytes ? std::string_view(*bytes) : std::string_view());
    return make_line_writer(ref.id, folder_of(ref), draft_from_document(document), json_text(document, "created_at"));
  }

  Result<Changes> update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                         const Moment& moment) const override {
    const Place place = at(session_document(folder_of(ref)));
    HOLDFAST_LET(bytes, read_document(feed, folder_of(ref)));
    HOLDFAST_LET(anew, bytes ? Result<std::string>(*bytes) : rebuild_document(feed, folder_of(ref), ref.id, moment));
    std::string now = std::move(anew);
    const std::string before = now;
    const auto set = [&](std::string_view key, const std::string& json) -> Result<void> {
      if (JsonView(now).find(key).raw() == json) return {};
      HOLDFAST_LET(edited, json_set(now, {JsonStep(key)}, json));
      now = std::move(edited);
      return {};
    };
    if (patch.title) HOLDFAST_TRY(set("title", json_quoted(*patch.title)));
    if (patch.summary) HOLDFAST_TRY(set("summary", json_quoted(*patch.summary)));
    if (patch.model) HOLDFAST_TRY(set("model", json_quoted(*patch.model)));
    if (patch.status) HOLDFAST_TRY(set("status", json_quoted(status_name(*patch.status))));
    if (patch.metadata) {
      HOLDFAST_LET(wanted, safe_metadata(*patch.metadata));
      for (const JsonItem& item : JsonView(wanted).fields()) {
        const std::string key = item.key();
        if (JsonView(now).find("metadata").find(key).raw() == item.value.raw()) continue;
        auto edited = item.value.is_null() ? json_remove(now, {"metadata", JsonStep(key)})
                                           : json_set(now, {"metadata", JsonStep(key)}, item.value.raw());
        if (!edited) return fail(std::move(edited).error());
        now = std::move(*edited);
      }
    }
    Changes changes;
    if (now != before || !bytes) {
      HOLDFAST_TRY(set("updated_at", json_quoted(iso8601(moment.now))));
      changes.put(place, std::move(now));
    }
    if (patch.leaf) changes.append(at(messages_log(folder_of(ref))), {leaf_line(*patch.leaf, iso8601(moment.now))});
    return changes;
  }

  // session.json takes the role of the header: there is nothing to merge, only secrets to remove.
  Result<std::optional<HeaderLine>> header_line(Feed& feed, const SessionRef& ref,
                                                bool without_secrets) const override {
    const Place place = at(session_document(folder_of(ref)));
    HOLDFAST_LET(bytes, read_document(feed, folder_of(ref)));
    if (!without_secrets || !bytes || secrets_of(JsonView(*bytes)).empty()) return std::nullopt;
    HOLDFAST_LET(clean, without_secrets_of(*bytes));
    HeaderLine line{.log = place, .before = {}, .line = {}, .after = {}};
    line.after.put(place, std::move(clean));
    return line;
  }

  Result<Changes> remove(Feed&, const SessionRef& ref) const override {
    Changes changes;
    changes.remove_tree(at(folder_of(ref)));
    return changes;
  }

  // A copy up to the message, complete in itself, whatever happens to the original. Ids
  // are kept, so shared answers can be recognized as the same.
  Result<NewSession> fork(Feed& feed, const SessionRef& from, const SessionDraft& request,
                          const Moment& moment) const override {
    HOLDFAST_LET(bytes, read_document(feed, folder_of(from)));
    const JsonView document(bytes ? std::string_view(*bytes) : std::string_view());
    SessionDraft draft = draft_from_document(document);
    if (!request.title.empty()) draft.title = request.title;
    if (!request.model.empty()) draft.model = request.model;
    for (const JsonItem& item : JsonView(request.metadata).fields()) {
      HOLDFAST_LET(with,
                   json_set(draft.metadata.empty() ? "{}" : draft.metadata, {JsonStep(item.key())}, item.value.raw()));
      draft.metadata = std::move(with);
    }
    draft.id = request.id;
    const std::string upto = request.parent ? request.parent->message : "";
    draft.parent = Parent{from.id, ParentKind::fork, upto};
    HOLDFAST_LET(made, begin(feed, draft, moment));
    const std::string now = iso8601(moment.now);
    std::string log = session_line(made.ref.id, draft, now) + "\n";
    bool met = upto.empty();
    HOLDFAST_TRY(feed.records(at(messages_log(folder_of(from))), {}, [&](const FeedRecord& record) {
      const JsonView line(record.bytes);
      if (kind_of_line(line) == LineKind::session) return true;
      log.append(record.bytes).append("\n");
      met = met || line.find("id").is_string(upto);
      return upto.empty() || !line.find("id").is_string(upto);
    }));
    if (!met) return fail(Code::not_found, "session " + from.id + " has no message " + upto);
    made.changes.create(at(session_document(folder_of(made.ref))), new_document(made.ref.id, draft, now));
    made.changes.create(at(messages_log(folder_of(made.ref))), std::move(log));
    return made;
  }

 private:
  // A directory without these files is left over from a creation that crashed.
  static Result<bool> holds_session(Feed& feed, const std::string& folder) {
    HOLDFAST_LET(document, feed.stat(at(session_document(folder))));
    if (document) return true;
    HOLDFAST_LET(log, feed.stat(at(messages_log(folder))));
    return log.has_value();
  }

  static SessionRef ref_of(std::string_view project, std::string_view id) {
    return {std::string(id), at(messages_log(session_folder(project, id))), std::string(project), {}};
  }
  static std::string folder_of(const SessionRef& ref) { return session_folder(ref.project, ref.id); }

  // Chooses the id (four letters are nearly always enough) and adds the project's record if it is new.
  Result<NewSession> begin(Feed& feed, const SessionDraft& draft, const Moment& moment) const {
    NewSession made;
    const std::string key = native::project_key(draft.project);
    std::string id = draft.id;
    if (!id.empty() && !is_safe_name(id)) return fail(Code::unsafe_path, "not a valid session id: " + id);
    for (std::size_t letters = 4; id.empty(); ++letters) {
      const std::string request = make_id("ses", moment.entropy(), std::min(letters, kMaxIdLetters));
      HOLDFAST_LET(taken, locate(feed, request));
      if (!taken) id = request;
    }
    HOLDFAST_LET(taken, locate(feed, id));
    if (taken) return fail(Code::already_exists, "session " + id + " already exists");
    made.ref = ref_of(key, id);
    const RecordShape* shape = this->shape("project");
    if (shape != nullptr && !draft.project.empty()) {
      const Place place = at(project_folder(key) + "/project.json");
      HOLDFAST_LET(known, feed.stat(place));
      if (!known) made.changes.put(place, new_project(draft.project, moment));
    }
    return made;
  }

  static std::string new_project(std::string_view path, const Moment& moment) {
    JsonWriter json(JsonLayout::pretty);
    json.begin_object().key("schema_version").int64(1).key("path").string(path);
    json.key("name").string(path.substr(path.rfind('/') + 1)).key("added_at").string(iso8601(moment.now));
    return json.end_object().take() + "\n";
  }

  // Returns true if session.json could be read.
  static Result<bool> say_facts(Feed& feed, const SessionRef& ref, Events& events) {
    const Place place = at(session_document(folder_of(ref)));
    const auto bytes = read_document(feed, folder_of(ref));
    if (!bytes && bytes.error().code != Code::corrupt) return fail(bytes.error());
    if (!bytes) feed.complain(place, 0, "corrupt", bytes.error().message + "; shown from its messages alone");
    if (!bytes || !*bytes) return false;
    for (const auto& path : secrets_of(JsonView(**bytes)))
      feed.complain(place, 0, "secret_in_header",
                    "metadata." + dotted(path) + " is stored in clear text; it is not shown");
    events.facts(facts_of(JsonView(**bytes)));
    return true;
  }

  static bool say_record(Feed& feed, const FeedRecord& record, const ReadOptions& options, bool known, Events& events,
                         std::string& leaf) {
    if (events.prefers_views() && !options.raw && !record.salvaged) {
      MessageView view;
      const ReadLine read = read_line(record.bytes, view, record.marks);
      if (read.kind == LineKind::message && read.shown && !view.id.empty() && !may_be_kept_outputs(view)) {
        view.offset = record.offset;
        leaf.clear();
        return events.view(std::move(view));
      }
    }
    Message message;
    switch (read_line(record.bytes, message, record.marks).kind) {
      case LineKind::session:
        if (!known) events.facts(facts_of_line(JsonView(record.bytes)));
        return true;
      case LineKind::leaf: leaf = json_text(JsonView(record.bytes), "message"); return true;
      case LineKind::other: return say_other(record, options, events);
      case LineKind::message: break;
    }
    message.offset = record.offset;
    if (options.raw) message.raw = record.bytes;
    if (options.whole) read_back(feed, options, message);
    if (!message.id.empty()) leaf.clear();
    return events.report(std::move(message));
  }

  // Reports a line that another program wrote: kept and shown, but not interpreted.
  static bool say_other(const FeedRecord& record, const ReadOptions& options, Events& events) {
    Message message;
    message.role = Role::system;
    message.origin = Origin::notice;
    message.offset = record.offset;
    message.blocks.push_back({.kind = BlockKind::other, .json = std::string(record.bytes)});
    if (options.raw) message.raw = record.bytes;
    return events.report(std::move(message));
  }

  static void read_back(Feed& feed, const ReadOptions& options, Message& message) {
    for (Block& block : message.blocks) {
      if (block.spilled.empty()) continue;
      const bool media = is_media(block.kind);
      if (media && options.media == ReadOptions::Media::name) continue;
      auto whole = read_blob(feed, block.spilled);
      if (!whole) continue;
      if (!media)
        block.text = std::move(*whole);
      else if (options.media == ReadOptions::Media::data)
        block.data = std::move(*whole);
    }
  }
};

}  // namespace

}  // namespace native

const Layout& native_layout() {
  static const native::NativeLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
