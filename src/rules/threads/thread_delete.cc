// Deleting a thread with everything in it.
#include <algorithm>

#include "base/sort_stably.h"
#include "layout/change.h"
#include "layout/message_files.h"
#include "layout/record_shape.h"
#include "layout/thread_keeper.h"
#include "layout/writable_layout.h"
#include "model/time_formats.h"
#include "rules/threads/threads.h"
#include "store/deletion.h"
#include "store/engine.h"
#include "store/record_codec.h"
#include "store/record_lock.h"
#include "store/record_lookup.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

Result<std::vector<SessionRef>> sessions_of(const Layout& layout, Feed& feed, std::string_view thread) {
  std::vector<SessionRef> all;
  HOLDFAST_TRY(layout.find(feed, [&](SessionRef ref) {
    all.push_back(std::move(ref));
    return true;
  }));
  std::vector<SessionRef> its;
  for (SessionRef& ref : all) {
    const auto owner = thread_of(layout, feed, ref);  // an unreadable session belongs to no thread
    if (owner && *owner == thread) its.push_back(std::move(ref));
  }
  return its;
}

// Removes every file of the thread's messages, whatever its kind, and the folder.
Result<std::size_t> remove_messages(const RecordShape& shape, Feed& feed, const std::string& thread, Changes& changes) {
  const Place folder{std::string(shape.root), record_folder(shape, thread)};
  HOLDFAST_LET(files, feed.list(folder));
  std::size_t count = 0;
  for (const FeedEntry& file : files) {
    if (file.directory) continue;
    count += record_id(shape, file.name).empty() ? 0 : 1;
    changes.remove({folder.root, folder.path + "/" + file.name});
  }
  if (!files.empty()) changes.remove_tree(folder);
  return count;
}

// A preview has no `deletion`.
Result<Changes> removal(const Context& context, FileStore& engine, DirectoryFeed& feed, const std::string& id,
                        ThreadDeletion& gone, Deletion* deletion, const OwnerClaim& claim = {}) {
  const Layout& layout = engine.layout();
  gone = {};
  if (deletion != nullptr) deletion->begin();
  HOLDFAST_LET(shape, shape_of_kind(layout, "thread"));
  HOLDFAST_LET(place, place_of_record(layout, feed, *shape, {"thread", {}, id}));
  HOLDFAST_LET(there, feed.document(place, std::uint64_t{64} << 20));
  if (!there) return fail(Code::not_found, "there is no thread " + id, place.path);
  Changes changes;
  changes.remove(place);
  HOLDFAST_LET(index, index_threads(layout, feed, {{id, std::nullopt}}, false, engine.moment(context)));
  changes.add(std::move(index));
  HOLDFAST_LET(sessions, sessions_of(layout, feed, id));
  for (const SessionRef& ref : sessions) {
    if (deletion != nullptr) {
      HOLDFAST_TRY(check_unowned(engine, *engine.roots().first(), ref.id, claim));
      deletion->add_session(ref.id);
    }
    ++gone.sessions;
    if (layout.message_files() != nullptr) {
      changes.remove(ref.place);
    } else {
      HOLDFAST_LET(writer, writer_of(layout));
      HOLDFAST_LET(session, writer->remove(feed, ref));
      changes.add(std::move(session));
    }
  }
  if (layout.message_files() != nullptr) {
    HOLDFAST_LET(count, remove_messages(*layout.shape("message"), feed, id, changes));
    gone.messages = count;
  }
  if (deletion != nullptr) {
    HOLDFAST_TRY(deletion->add(changes));
    HOLDFAST_TRY(deletion->note(context));
  }
  return changes;
}

class Listener final : public Events {
 public:
  Listener(std::vector<ThreadMessage>& messages, std::string session, bool raw)
      : messages_(messages), session_(std::move(session)), raw_(raw) {}
  void facts(const SessionFacts&) override {}
  bool message(Message message) override {
    std::string session =
        session_.empty() ? JsonView(message.raw).find("sessionId").as_string().value_or("") : session_;
    if (!raw_) message.raw.clear();
    messages_.push_back({std::move(session), std::move(message)});
    return true;
  }

 private:
  std::vector<ThreadMessage>& messages_;
  std::string session_;
  bool raw_;
};

}  // namespace

Result<std::vector<std::string>> sessions_of_thread(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(engine, engine_of(store));
  DirectoryFeed feed = engine->looking(context);
  HOLDFAST_LET(sessions, sessions_of(engine->layout(), feed, id));
  std::vector<std::string> ids;
  for (const SessionRef& ref : sessions) ids.push_back(ref.id);
  return ids;
}

Result<ThreadDeletion> preview_thread_deletion(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(engine, engine_of(store));
  DirectoryFeed feed = engine->looking(context);
  ThreadDeletion gone;
  HOLDFAST_TRY(removal(context, *engine, feed, std::string(id), gone, nullptr));
  return gone;
}

Result<ThreadDeletion> delete_thread(const Context& context, Store& store, std::string_view id,
                                     const OwnerClaim& claim) {
  HOLDFAST_LET(engine, engine_of(store));
  ThreadDeletion gone;
  HOLDFAST_LET(sessions, engine->hold_sessions(context, LockKind::exclusive));
  HOLDFAST_LET(lock, engine->lock_documents(context));
  FileStore::Subject subject{.thread = std::string(id), .session = {}, .updated_at = {}};
  Deletion deletion(*engine);
  auto done = engine->change(
      context,
      [&](DirectoryFeed& feed) { return removal(context, *engine, feed, std::string(id), gone, &deletion, claim); },
      Durability::power, &subject);
  if (done) engine->tell("thread:deleted", JsonWriter().begin_object().key("threadId").string(id).end_object().take());
  HOLDFAST_TRY(deletion.end(context, std::move(done)));
  return gone;
}

Result<ThreadTranscript> read_thread(const Context& context, Store& store, std::string_view id, bool raw) {
  HOLDFAST_LET(engine, engine_of(store));
  const Layout& layout = engine->layout();
  HOLDFAST_TRY(shape_of_kind(layout, "thread"));
  DirectoryFeed feed = engine->looking(context);
  ThreadTranscript transcript;
  if (const MessageFiles* const files = layout.message_files()) {
    Listener listener(transcript.messages, {}, raw);
    HOLDFAST_TRY(files->read_thread(feed, id, {.raw = true}, listener));
  } else {
    HOLDFAST_LET(sessions, sessions_of(layout, feed, id));
    for (const SessionRef& ref : sessions) {
      Listener listener(transcript.messages, ref.id, raw);
      HOLDFAST_TRY(layout.read(feed, ref, {.raw = raw}, listener));
    }
    sort_stably(transcript.messages, [](const ThreadMessage& a, const ThreadMessage& b) {
      return parse_any_time(a.message.timestamp) < parse_any_time(b.message.timestamp);
    });
  }
  transcript.findings = findings_of(feed);
  return transcript;
}

}  // namespace holdfast::inline v1
