#include "layout/linggen/linggen_layout.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/safe_name.h"
#include "base/time.h"
#include "layout/change.h"
#include "layout/known_records.h"
#include "layout/linggen/line.h"
#include "layout/linggen/paths.h"
#include "layout/linggen/session_yaml.h"
#include "layout/moment.h"
#include "layout/new_session_parts.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/writable_layout.h"
#include "model/time_formats.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/yaml_edit.h"
#include "text/yaml_value.h"

namespace holdfast::inline v1 {
namespace linggen {
namespace {

std::int64_t second_of(const Moment& moment) {
  return std::chrono::floor<std::chrono::seconds>(moment.now.time_since_epoch()).count();
}

constexpr std::chrono::system_clock::time_point kLongAgo = std::chrono::system_clock::time_point::min();

std::string folder_of(const SessionRef& ref) { return session_folder(ref.project, ref.id); }

SessionRef ref_of(std::string_view project, std::string_view id) {
  return {std::string(id), at_home(messages_log(session_folder(project, id))), std::string(project), {}};
}

// session.yaml as JSON; nullopt if it is missing or unreadable.
Result<std::optional<std::string>> read_yaml(Feed& feed, const SessionRef& ref, bool complain = true) {
  const Place place = at_home(session_document(folder_of(ref)));
  HOLDFAST_LET(bytes, feed.document(place));
  if (!bytes) return std::nullopt;
  auto json = yaml_to_json(*bytes);
  if (json && JsonView(*json).kind() == JsonKind::object) return std::move(*json);
  if (complain) {
    feed.complain(place, 0, "corrupt",
                  bytes->empty() ? "an empty file: the session is shown from its messages alone"
                                 : "not a YAML mapping: the session is shown from its messages alone");
  }
  return std::nullopt;
}

Result<SessionFacts> say_facts(Feed& feed, const SessionRef& ref, Events& events) {
  HOLDFAST_LET(yaml, read_yaml(feed, ref));
  SessionFacts facts;
  if (yaml) facts = facts_of(JsonView(*yaml));
  if (!ref.project.empty()) {
    HOLDFAST_LET(path, path_of_key(feed, ref.project));
    if (!path.empty()) facts.project = path;
  }
  events.facts(facts);
  return facts;
}

// Linggen writes whole seconds, and several sessions may change within one. If the file was changed in the second that
// the session names, or in the next one (a write takes time), the time of the file is more precise. `last` is the time
// of the last message, if any.
Result<void> say_moment(Feed& feed, const SessionRef& ref, const SessionFacts& facts, std::string_view last,
                        Events& events) {
  const auto created = parse_any_time(facts.created_at), said = parse_any_time(last);
  if (!created && !said) return {};
  const auto named = std::max(created.value_or(kLongAgo), said.value_or(kLongAgo));
  if (named != std::chrono::floor<std::chrono::seconds>(named)) return {};
  auto moment = named;
  for (std::string file : {session_document(folder_of(ref)), messages_log(folder_of(ref))}) {
    HOLDFAST_LET(stat, feed.stat(at_home(std::move(file))));
    if (!stat) continue;
    const auto changed = std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(stat->mtime_ns)));
    if (changed < named + std::chrono::seconds(2)) moment = std::max(moment, changed);
  }
  SessionFacts more;
  if (moment != named) more.updated_at = iso8601(moment);
  events.facts(more);
  return {};
}

class LinggenLayout final : public WritableLayout, public RecordKeeper {
 public:
  std::string_view name() const override { return "linggen"; }
  std::string_view agent() const override { return "Linggen"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 2> kRoots = {
        {{.name = kHome, .meaning = "the Linggen home"},
         {.name = kWorkspace, .meaning = "the workspace", .required = false, .side = ".linggen/.holdfast"}}};
    return kRoots;
  }
  const RecordKeeper* records() const override { return this; }
  std::span<const RecordShape> shapes() const override { return linggen_shapes(); }
  Result<std::string> project_key(Feed& feed, std::string_view real_path) const override {
    return key_of_path(feed, real_path);
  }

  const AgentHome* home() const override { return &linggen::home(); }
  bool is_record(JsonView object) const override {
    return has_keys(object, {"agent_id", "from_id", "to_id", "content"}) ||
           has_keys(object, {"run_id", "triggered_at"});
  }
  Result<bool> recognise(Feed& feed) const override {
    static constexpr std::array<std::string_view, 12> kNames = {".holdfast", "agents",   "config",   "credentials.json",
                                                                "data",      "ling.pid", "logs",     "missions",
                                                                "plans",     "projects", "sessions", "skills"};
    HOLDFAST_LET(entries, feed.list(at_home("")));
    return std::ranges::any_of(
        entries, [](const FeedEntry& entry) { return std::ranges::find(kNames, entry.name) != kNames.end(); });
  }

  Result<void> find(Feed& feed, const TakeRef& take) const override {
    HOLDFAST_LET(keys, folders_with_sessions(feed));
    for (const std::string& key : keys) {
      HOLDFAST_LET(sessions, feed.list(at_home(parent_of_sessions(key))));
      for (const FeedEntry& session : sessions) {
        if (!session.directory) continue;
        if (!is_plain_name(session.name)) {
          feed.complain(at_home(session_folder(key, session.name)), 0, "unsafe_name",
                        "skipped: not a valid session id");
          continue;
        }
        // An empty folder is left over from a failed creation.
        HOLDFAST_LET(there, has_session(feed, key, session.name));
        if (there && !take(ref_of(key, session.name))) return {};
      }
    }
    return {};
  }

  // Every project has a session `default`; ID@KEY selects one of several.
  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    if (!is_plain_name(id)) return std::nullopt;
    HOLDFAST_LET(keys, folders_with_sessions(feed));
    std::vector<SessionRef> found;
    for (const std::string& key : keys) {
      HOLDFAST_LET(there, has_session(feed, key, id));
      if (there) found.push_back(ref_of(key, id));
      const std::string suffix = "@" + key;
      if (there || !id.ends_with(suffix)) continue;
      HOLDFAST_LET(named, has_session(feed, key, id.substr(0, id.size() - suffix.size())));
      if (named) found.push_back(ref_of(key, id.substr(0, id.size() - suffix.size())));
    }
    if (found.size() > 1) {
      return fail(Code::not_found, std::to_string(found.size()) + " projects have a session " + std::string(id) +
                                       "; name one of them as " + found[0].id + "@" + found[0].project);
    }
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    HOLDFAST_LET(facts, say_facts(feed, ref, events));
    const bool untitled = facts.title == kNoTitle;
    LineReader reader;
    std::string last, prompt;
    HOLDFAST_TRY(feed.records(ref.place, {}, [&](const FeedRecord& record) {
      Message message = reader.read(JsonView(record.bytes), record.offset);
      if (options.raw) message.raw = record.bytes;
      if (!message.timestamp.empty() && !message.side) last = message.timestamp;
      if (untitled && prompt.empty() && message.role == Role::user && message.origin == Origin::typed && !message.side)
        prompt = message.text();
      return events.report(std::move(message));
    }));
    if (!prompt.empty()) events.facts({.title = auto_title(prompt)});
    return say_moment(feed, ref, facts, last, events);
  }

  Result<bool> read_last(Feed& feed, const SessionRef& ref, std::size_t count, Events& events) const override {
    LineReader reader;
    std::vector<Message> last;
    HOLDFAST_TRY(feed.last_records(ref.place, count, UINT64_MAX, [&](const FeedRecord& record) {
      last.push_back(reader.read(JsonView(record.bytes), record.offset));
      return true;
    }));
    // Messages that name their parent may form branches, which only a full read can resolve.
    if (std::ranges::any_of(last, [](const Message& message) { return !message.parent.empty(); })) return false;
    HOLDFAST_LET(facts, say_facts(feed, ref, events));
    std::string time;
    for (Message& message : last) {
      if (!message.timestamp.empty() && !message.side) time = message.timestamp;
      if (!events.report(std::move(message))) break;
    }
    HOLDFAST_TRY(say_moment(feed, ref, facts, time, events));
    return true;
  }

  void clear_made_up(Message& message) const override {
    if (message.agent == kDefaultAgent) message.agent.clear();
    if (is_made_up_response(message.response)) message.response.clear();
  }
  LayoutTraits traits() const override { return {.holds_summaries = false, .holds_status = false}; }

  std::vector<std::string> unsupported_fields(const SessionDraft& draft) const override {
    std::vector<std::string> names;
    if (!draft.provider.empty()) names.emplace_back("provider");
    if (!draft.git_branch.empty()) names.emplace_back("git_branch");
    if (draft.parent) names.emplace_back("parent");
    return names;
  }

  Result<NewSession> create(Feed& feed, const SessionDraft& draft, const Moment& moment) const override {
    HOLDFAST_LET(made, begin(feed, draft, moment));
    made.changes.create(made.ref.place, "");
    return made;
  }

  Result<std::unique_ptr<LineWriter>> line_writer(Feed& feed, const SessionRef& ref) const override {
    HOLDFAST_LET(yaml, read_yaml(feed, ref, false));
    std::string agent;
    if (yaml) agent = JsonView(*yaml).find("agent_id").as_string().value_or("");
    return make_line_writer(folder_of(ref), std::move(agent));
  }

  Result<Changes> update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                         const Moment& moment) const override {
    if (patch.summary) return cannot("the summary of a session");
    if (patch.status) return cannot("the status of a session");
    if (patch.leaf) return cannot("branches");
    const Place place = at_home(session_document(folder_of(ref)));
    HOLDFAST_LET(yaml, read_yaml(feed, ref, false));
    HOLDFAST_LET(bytes, feed.document(place));
    if (!yaml) {
      // Nothing in it is worth keeping: write a new file and keep the bad one as a backup.
      HOLDFAST_LET(fresh, new_session_yaml(ref.id, {.title = patch.title.value_or("")}, second_of(moment), false));
      bytes = std::move(fresh);
    }
    std::string now = *bytes;
    const auto set = [&](std::string_view key, std::string_view json) -> Result<void> {
      auto edited = json == "null" ? yaml_remove(now, key) : yaml_set(now, key, json);
      if (!edited) return fail(std::move(edited).error());
      now = std::move(*edited);
      return {};
    };
    if (patch.title) HOLDFAST_TRY(set("title", json_quoted(*patch.title)));
    if (patch.model) HOLDFAST_TRY(set("model_id", json_quoted(*patch.model)));
    if (patch.metadata) {
      for (const JsonItem& item : JsonView(*patch.metadata).fields()) {
        const std::string key = item.key();
        if (key == "id" || key == "created_at") return cannot("another " + key + " of a session");
        HOLDFAST_TRY(set(key, item.value.raw()));
      }
    }
    Changes changes;
    changes.put(place, std::move(now));
    return changes;
  }

  Result<Changes> remove(Feed&, const SessionRef& ref) const override {
    Changes changes;
    changes.remove_tree(at_home(folder_of(ref)));
    return changes;
  }

  // Copies the lines up to and including those of the message with that id, else the one at that offset: most lines
  // have no id.
  Result<NewSession> fork(Feed& feed, const SessionRef& from, const SessionDraft& request,
                          const Moment& moment) const override {
    HOLDFAST_LET(yaml, read_yaml(feed, from, false));
    SessionDraft draft = request;
    if (yaml) {
      const SessionFacts facts = facts_of(JsonView(*yaml));
      if (draft.title.empty()) draft.title = facts.title;
      if (draft.model.empty()) draft.model = facts.model;
      if (draft.metadata.empty()) draft.metadata = facts.metadata;
      if (draft.project.empty()) draft.project = facts.project;
    }
    if (!from.project.empty()) {
      HOLDFAST_LET(path, path_of_key(feed, from.project));
      draft.project = path;
    }
    const std::string upto = request.parent ? request.parent->message : "";
    std::uint64_t last = UINT64_MAX;
    if (!upto.empty()) {
      HOLDFAST_LET(end, last_line_of(feed, from, upto));
      last = end;
    }
    std::string log;
    HOLDFAST_TRY(feed.records(from.place, {}, [&](const FeedRecord& record) {
      if (record.offset > last) return false;
      log.append(record.bytes).append("\n");
      return true;
    }));
    draft.parent.reset();
    HOLDFAST_LET(made, begin(feed, draft, moment, &from));
    made.changes.create(made.ref.place, std::move(log));
    return made;
  }

 private:
  // The offset of the last line of a message, which is named by its id or by the offset of its only line.
  static Result<std::uint64_t> last_line_of(Feed& feed, const SessionRef& ref, const std::string& message) {
    std::uint64_t wanted = UINT64_MAX;
    const bool number =
        std::from_chars(message.data(), message.data() + message.size(), wanted).ptr == message.data() + message.size();
    std::optional<std::uint64_t> by_id, by_offset;
    std::string response;  // shared by the lines of a message
    HOLDFAST_TRY(feed.records(ref.place, {}, [&](const FeedRecord& record) {
      const JsonView rest = JsonView(record.bytes).find(kRest);
      const bool begins = rest.find("id").kind() == JsonKind::string;
      if (by_id && (begins || response.empty() || !rest.find("response").is_string(response))) return false;
      if (by_id || rest.find("id").is_string(message)) {
        by_id = record.offset;
        response = rest.find("response").as_string().value_or("");
      }
      if (number && record.offset == wanted) by_offset = record.offset;
      return true;
    }));
    if (by_id) return *by_id;
    if (by_offset) return *by_offset;
    return fail(Code::not_found, "session " + ref.id + " has no message " + message);
  }

  static std::string parent_of_sessions(std::string_view key) {
    const std::string folder = session_folder(key, "x");
    return folder.substr(0, folder.size() - 2);
  }

  // The keys of projects, and "" for the flat folder of current versions.
  static Result<std::vector<std::string>> folders_with_sessions(Feed& feed) {
    std::vector<std::string> keys = {""};
    HOLDFAST_LET(projects, feed.list(at_home(std::string(kProjects))));
    for (FeedEntry& project : projects) {
      if (project.directory) keys.push_back(std::move(project.name));
    }
    return keys;
  }

  static Result<bool> has_session(Feed& feed, std::string_view key, std::string_view id) {
    if (id.empty()) return false;
    const std::string folder = session_folder(key, id);
    HOLDFAST_LET(yaml, feed.stat(at_home(session_document(folder))));
    if (yaml) return true;
    HOLDFAST_LET(log, feed.stat(at_home(messages_log(folder))));
    return log.has_value();
  }

  // Current versions of Linggen look for sessions in one flat folder only.
  static Result<bool> is_flat(Feed& feed) {
    HOLDFAST_LET(flat, feed.list(at_home(std::string(kSessions))));
    HOLDFAST_LET(projects, feed.list(at_home(std::string(kProjects))));
    return !flat.empty() && projects.empty();
  }

  // Chooses the id; adds session.yaml, and the project's record if it is new. A fork goes beside its original.
  Result<NewSession> begin(Feed& feed, const SessionDraft& draft, const Moment& moment,
                           const SessionRef* beside = nullptr) const {
    std::string id = draft.id;
    // ID@KEY selects the session ID of a project (locate).
    if (!id.empty() && (!is_plain_name(id) || id.contains('@')))
      return fail(Code::unsafe_path, "not a valid session id: " + id);
    HOLDFAST_LET(flat_store, is_flat(feed));
    const bool flat = beside != nullptr ? beside->project.empty() : draft.project.empty() || flat_store;
    std::string key;
    if (beside != nullptr) {
      key = beside->project;
    } else if (!flat) {
      HOLDFAST_LET(found, key_of_path(feed, draft.project));
      key = std::move(found);
    }
    for (bool taken = id.empty(); taken;) {
      id = "sess-" + std::to_string(second_of(moment)) + "-" + hex_digits(moment, 8);
      HOLDFAST_LET(there, locate(feed, id));
      taken = there.has_value();
    }
    HOLDFAST_LET(there, has_session(feed, key, id));
    if (there) return fail(Code::already_exists, "session " + id + " already exists");
    NewSession made;
    made.ref = ref_of(key, id);
    HOLDFAST_LET(yaml, new_session_yaml(id, draft, second_of(moment), flat));
    made.changes.create(at_home(session_document(folder_of(made.ref))), std::move(yaml));
    if (key.empty() || draft.project.empty()) return made;
    const Place project = at_home(project_document(key));
    HOLDFAST_LET(known, feed.document(project));
    if (!known) made.changes.create(project, new_project(draft.project, second_of(moment)));
    return made;
  }

  static std::string new_project(std::string_view path, std::int64_t second) {
    JsonWriter json(JsonLayout::pretty);
    json.begin_object().key("path").string(path).key("name").string(path.substr(path.rfind('/') + 1));
    return json.key("added_at").int64(second).end_object().take();
  }
};

}  // namespace
}  // namespace linggen

const Layout& linggen_layout() {
  static const linggen::LinggenLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
