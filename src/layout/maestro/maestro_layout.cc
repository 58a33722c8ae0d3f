#include "layout/maestro/maestro_layout.h"

#include <algorithm>
#include <array>
#include <map>

#include "layout/change.h"
#include "layout/json_pick.h"
#include "layout/maestro/documents.h"
#include "layout/maestro/ids.h"
#include "layout/maestro/index_file.h"
#include "layout/maestro/message_file.h"
#include "layout/maestro/new_message.h"
#include "layout/maestro/session_file.h"
#include "layout/message_files.h"
#include "layout/moment.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/session_rescue.h"
#include "layout/thread_keeper.h"
#include "layout/writable_layout.h"
#include "model/marker.h"
#include "model/time_formats.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace maestro {
namespace {

constexpr std::string_view kEnding = ".json";

SessionRef ref_of(std::string_view id) { return {std::string(id), session_place(id), {}, {}}; }

// False if the receiver wants no more. In a session where any message names its parent, one that names none follows the
// previous one, as in the layouts that write it down: otherwise it would begin a conversation of its own.
bool say(const std::vector<StoredMessage>& messages, const Layout::ReadOptions& options, Events& events) {
  std::map<std::string_view, std::string_view> previous;  // of each session that is a tree
  for (const StoredMessage& stored : messages) {
    if (stored.names_parent) previous.emplace(stored.session, std::string_view());
  }
  for (const StoredMessage& stored : messages) {
    Message message = message_of(JsonView(stored.bytes));
    message.id = stored.id;
    if (const auto tree = previous.find(stored.session); tree != previous.end() && !message.side) {
      if (message.parent.empty() && !is_compact_boundary(message)) message.parent = tree->second;
      tree->second = stored.id;
    }
    if (options.raw) message.raw = stored.bytes;
    if (!events.report(std::move(message))) return false;
  }
  return true;
}

class MaestroLayout final : public WritableLayout, public RecordKeeper, public ThreadKeeper, public MessageFiles {
 public:
  std::string_view name() const override { return "maestro"; }
  std::string_view agent() const override { return "Maestro"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "the sessions directory of Maestro's data"}}};
    return kRoots;
  }
  void clear_made_up(Message& message) const override {
    if (is_new_id("msg", message.id)) message.id.clear();
  }
  LayoutTraits traits() const override {
    return {.holds_summaries = false, .sessions_in_threads = true, .corrupt_folder = kCorruptFolder};
  }
  const RecordKeeper* records() const override { return this; }
  const ThreadKeeper* threads() const override { return this; }
  const MessageFiles* message_files() const override { return this; }
  const SyncMap* sync_map() const override { return &maestro_sync(); }
  const SessionRescue* rescue() const override { return &maestro::rescue(); }
  std::span<const RecordShape> shapes() const override { return maestro_shapes(); }
  // Only messages are grouped, by their thread.
  Result<std::string> project_key(Feed&, std::string_view thread) const override {
    HOLDFAST_TRY(check_id("a thread", thread));
    return std::string(thread);
  }

  Result<bool> recognise(Feed& feed) const override {
    static constexpr std::array<std::string_view, 6> kNames = {".holdfast", "index.json", "messages",
                                                               "sessions",  "sync_queue", "threads"};
    HOLDFAST_LET(entries, feed.list(at("")));
    return std::ranges::any_of(
        entries, [](const FeedEntry& entry) { return std::ranges::find(kNames, entry.name) != kNames.end(); });
  }

  Result<void> find(Feed& feed, const TakeRef& take) const override {
    HOLDFAST_LET(entries, feed.list(at("sessions")));
    for (const FeedEntry& entry : entries) {
      if (entry.directory || !entry.name.ends_with(kEnding)) continue;
      const std::string id = entry.name.substr(0, entry.name.size() - kEnding.size());
      if (!check_id("a session", id)) {
        feed.complain(at("sessions/" + entry.name), 0, "unsafe_name", "skipped: not a valid session id");
      } else if (!take(ref_of(id))) {
        return {};
      }
    }
    return {};
  }

  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    if (!check_id("a session", id)) return std::nullopt;
    for (const Place& place : {session_place(id), corrupt_place(id)}) {
      HOLDFAST_LET(there, feed.stat(place));
      if (there) return ref_of(id);
    }
    return std::nullopt;
  }

  Result<std::string> thread_of(Feed& feed, const SessionRef& ref) const override {
    HOLDFAST_LET(bytes, session_bytes(feed, ref));
    return text_of(JsonView(bytes).find("threadId"));
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    const auto thread = say_facts(feed, ref, events);
    if (!thread && (thread.error().code == Code::corrupt || thread.error().code == Code::not_found))
      return read_left(feed, ref, thread.error(), options, events);
    if (!thread) return fail(thread.error());
    if (!check_id("a thread", *thread)) return {};
    HOLDFAST_LET(messages, read_messages(feed, *thread, ref.id));
    say(messages, options, events);
    return {};
  }

  Result<void> read_thread(Feed& feed, std::string_view thread, const ReadOptions& options,
                           Events& events) const override {
    HOLDFAST_LET(messages, read_messages(feed, thread, {}));
    say(messages, options, events);
    return {};
  }

  Result<bool> read_head(Feed& feed, const SessionRef& ref, Events& events) const override {
    HOLDFAST_TRY(say_facts(feed, ref, events));
    return true;
  }

  std::vector<std::string> unsupported_fields(const SessionDraft& draft) const override {
    std::vector<std::string> names;
    if (!draft.provider.empty()) names.emplace_back("provider");
    if (!draft.git_branch.empty()) names.emplace_back("git_branch");
    if (draft.parent) names.emplace_back("parent");
    return names;
  }

  Result<NewSession> create(Feed& feed, const SessionDraft& draft, const Moment& moment) const override {
    HOLDFAST_TRY(check_id("a thread", draft.thread));
    const std::string id = draft.id.empty() ? new_id("ses", moment.now, moment) : draft.id;
    HOLDFAST_TRY(check_id("a session", id));
    NewSession made{ref_of(id), {}};
    HOLDFAST_LET(there, feed.stat(made.ref.place));
    if (there) return fail(Code::already_exists, "session " + id + " already exists", made.ref.place.path);
    made.changes.create(made.ref.place, new_session_file(id, draft, iso_micros(moment.now)));
    return made;
  }

  Result<Spelling> spell_message(Feed& feed, const SessionRef& ref, const Message& draft,
                                 const Moment& moment) const override {
    HOLDFAST_LET(thread, thread_of(feed, ref));
    return new_message(feed, thread, ref.id, draft, moment);
  }

  Result<Spelling> spell_raw_message(Feed& feed, const SessionRef& ref, std::string_view record,
                                     const Moment& moment) const override {
    HOLDFAST_LET(thread, thread_of(feed, ref));
    return new_raw_message(feed, thread, ref.id, record, moment);
  }

  Result<Changes> update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                         const Moment& moment) const override {
    HOLDFAST_LET(bytes, session_bytes(feed, ref));
    HOLDFAST_LET(now, patch_session_file(bytes, patch, iso_micros(moment.now)));
    Changes changes;
    if (now != bytes) changes.put(ref.place, std::move(now));
    return changes;
  }

  Result<Changes> index_threads(Feed& feed, const SavedThreads& saved, bool anew, const Moment& moment) const override {
    return index_changes(feed, saved, anew, moment);
  }

  Result<Changes> remove(Feed& feed, const SessionRef& ref) const override {
    Changes changes;
    HOLDFAST_LET(thread, thread_of(feed, ref));
    if (check_id("a thread", thread)) {
      HOLDFAST_LET(messages, read_messages(feed, thread, ref.id));
      for (const StoredMessage& stored : messages) changes.remove(message_place(thread, stored.id));
    }
    changes.remove(ref.place);
    return changes;
  }

 private:
  static Result<std::string> session_bytes(Feed& feed, const SessionRef& ref) {
    HOLDFAST_LET(bytes, read_object(feed, "session", ref.place));
    if (!bytes) return fail(Code::not_found, "there is no session " + ref.id, ref.place.path);
    return std::move(*bytes);
  }

  // Returns the session's thread.
  static Result<std::string> say_facts(Feed& feed, const SessionRef& ref, Events& events) {
    HOLDFAST_LET(bytes, session_bytes(feed, ref));
    const JsonView record(bytes);
    SessionFacts facts = session_facts(record);
    std::string thread = text_of(record.find("threadId"));
    if (check_id("a thread", thread)) add_thread(feed, thread, facts);
    events.facts(facts);
    return thread;
  }

  // Title and model belong to the thread; a session is shown without them if the thread cannot be read.
  static void add_thread(Feed& feed, const std::string& thread, SessionFacts& facts) {
    const auto owner = read_object(feed, "thread", thread_place(thread));
    if (!owner || !*owner) return;
    facts.title = text_of(JsonView(**owner).find("title"));
    facts.model = text_of(JsonView(**owner).find("model"));
  }

  // A session whose record cannot be read (`why`) or was moved aside: its messages name it. Fails with `why` if there
  // are none. Whoever needs the record itself (read_head, writers) still fails.
  static Result<void> read_left(Feed& feed, const SessionRef& ref, const Error& why, const ReadOptions& options,
                                Events& events) {
    std::string what = why.message;
    if (why.code == Code::not_found) {  // removed, unless it is there
      const Place aside = corrupt_place(ref.id);
      HOLDFAST_LET(there, feed.stat(aside));
      if (!there) return fail(why);
      what = "the record of this session could not be read and is now " + aside.path;
    }
    HOLDFAST_LET(threads, threads_naming(feed, ref.id));
    if (threads.empty()) return fail(why);
    feed.complain(ref.place, 0, code_name(Code::corrupt),
                  what + "; its messages are shown, without what only the record holds");
    SessionFacts facts;
    add_thread(feed, threads.front(), facts);
    events.facts(facts);
    for (const std::string& thread : threads) {
      HOLDFAST_LET(messages, read_messages(feed, thread, ref.id));
      if (!say(messages, options, events)) return {};
    }
    return {};
  }
};

}  // namespace
}  // namespace maestro

const Layout& maestro_layout() {
  static const maestro::MaestroLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
