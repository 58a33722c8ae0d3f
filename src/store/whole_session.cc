#include "store/whole_session.h"

#include <holdfast/append_log.h>

#include <map>
#include <memory>
#include <utility>

#include "layout/change.h"
#include "layout/message_files.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"
#include "model/time_formats.h"
#include "store/check_input.h"
#include "store/engine.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// Changes that build on each other before any is carried out: the feed shows their results.
class Drafted {
 public:
  Drafted(DirectoryFeed& feed, const std::shared_ptr<const UnwrittenFiles>& unwritten)
      : feed_(feed),
        files_(unwritten ? std::make_shared<UnwrittenFiles>(*unwritten) : std::make_shared<UnwrittenFiles>()) {
    feed_.overlay_files(files_);
  }

  void add(const Changes& changes) {
    for (const Change& change : changes.list()) {
      const bool document = change.kind == ChangeKind::put || change.kind == ChangeKind::create;
      if (document) {
        put(change);
      } else {
        others_.add(change);
      }
    }
  }

  Result<void> add_line(const Place& log, std::string_view line) {
    const std::size_t longest = LogOptions().max_line;
    if (line.size() > longest)
      return fail(
          Code::too_large,
          "a record of " + std::to_string(line.size()) + " bytes is over the limit of " + std::to_string(longest),
          log.path);
    if (!is_json_object_line(line)) return fail(Code::invalid_record, "a record must be one JSON object", log.path);
    auto [at, fresh] = made_.try_emplace(log);
    if (fresh) at->second = {ChangeKind::create, log, {}, {}};
    at->second.bytes.append(line).push_back('\n');
    return {};
  }

  Changes take() {
    Changes all;
    for (auto& [place, change] : made_) all.add(std::move(change));
    all.add(std::move(others_));
    return all;
  }

 private:
  void put(const Change& change) {
    auto [at, fresh] = made_.try_emplace(change.place, change);
    if (!fresh) at->second.bytes = change.bytes;  // the change stays a create or a put
    UnwrittenFile& shown = (*files_)[change.place];
    shown.bytes = change.bytes;
    if (!fresh) return;
    const auto base = feed_.revisions().find(change.place);
    shown.base = base == feed_.revisions().end() ? Revision(kAbsent) : base->second;
  }

  DirectoryFeed& feed_;
  std::shared_ptr<UnwrittenFiles> files_;
  std::map<Place, Change> made_;
  Changes others_;
};

Result<void> add_messages(FileStore& engine, DirectoryFeed& feed, const SessionRef& ref, const Moment& now,
                          const RedactOptions& request, std::span<const Message> messages, Drafted& drafted) {
  if (messages.empty()) return {};
  const MessageFiles* const files = engine.layout().message_files();
  std::unique_ptr<LineWriter> line_writer;
  if (files == nullptr) {
    HOLDFAST_LET(writer, writer_of(engine.layout()));
    HOLDFAST_LET(made, writer->line_writer(feed, ref));
    line_writer = std::move(made);
  }
  std::string last;
  for (const Message& given : messages) {
    Message draft = request.any() ? redacted_message(request, given) : given;
    if (line_writer) {
      for (const Place& file : line_writer->refers_to(draft)) {
        HOLDFAST_LET(there, feed.stat(file));
        if (!there) return fail(Code::invalid_argument, "blob: this store has no file " + file.path);
      }
      HOLDFAST_LET(beside, line_writer->beside(draft));
      drafted.add(beside);
    }
    HOLDFAST_LET(spelling,
                 line_writer ? line_writer->spell(draft, last, now) : files->spell_message(feed, ref, draft, now));
    drafted.add(spelling.first);
    for (const std::string& line : spelling.lines) HOLDFAST_TRY(drafted.add_line(line_writer->log(), line));
    if (!spelling.lines.empty()) last = std::move(spelling.lines.back());
  }
  return {};
}

// Clears the fields of the draft that the layout cannot store.
void leave_out(const WritableLayout& layout, SessionDraft& draft, std::vector<std::string>& left_out) {
  for (const std::string& name : layout.unsupported_fields(draft)) {
    left_out.push_back("layout " + std::string(layout.name()) + " cannot hold: " + name + " of a session");
    if (name == "provider") draft.provider.clear();
    if (name == "git_branch") draft.git_branch.clear();
    if (name == "parent") draft.parent.reset();
  }
}

Moment moment_at(Moment now, std::string_view time) {
  if (const auto then = parse_any_time(time)) now.now = *then;
  return now;
}

// One patch per fact, so a layout can refuse those it cannot store and keep the rest.
std::vector<SessionPatch> patches_of(const SessionPast& past) {
  std::vector<SessionPatch> patches;
  const auto add = [&]() -> SessionPatch& { return patches.emplace_back(); };
  if (!past.summary.empty()) add().summary = past.summary;
  if (past.status == Status::complete || past.status == Status::failed || past.status == Status::stopped)
    add().status = past.status;
  if (!past.origin.empty()) add().metadata = past.origin;
  return patches;
}

// Refuses what could not be read back as it was given.
Result<void> check_whole(const SessionDraft& draft, const SessionPast& past, std::span<const Message> messages) {
  HOLDFAST_TRY(check_input(draft));
  for (const auto& [name, time] : {std::pair("created_at", &past.created_at), {"updated_at", &past.updated_at}}) {
    if (!time->empty() && !parse_any_time(*time))
      return fail(Code::invalid_argument, std::string(name) + " is not a time");  // see check_input.cc
  }
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (const auto checked = check_input(messages[i]); !checked)
      return fail(checked.error().code, "message " + std::to_string(i) + ": " + checked.error().message);
  }
  return {};
}

}  // namespace

Result<WholeSession> create_whole(const Context& context, Store& store, const SessionDraft& draft,
                                  const SessionPast& past, std::span<const Message> messages) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_TRY(check_whole(draft, past, messages));
  const Layout& layout = engine->layout();
  SessionRef made;
  WholeSession whole;
  FileStore::Subject subject;
  // Holds off removals, so texts that already exist stay (blob_collection.h).
  HOLDFAST_LET(sessions, engine->hold_sessions(context, LockKind::shared));
  HOLDFAST_LET(mark, engine->lock_mark(context));
  HOLDFAST_LET(lock, engine->lock_threads(context));
  const auto plan = [&](DirectoryFeed& feed) -> Result<Changes> {
    const Moment now = engine->moment(context);
    const Moment then = moment_at(now, past.created_at);
    whole.left_out.clear();
    SessionDraft request = draft;
    HOLDFAST_LET(writer, writer_of(layout));
    leave_out(*writer, request, whole.left_out);
    HOLDFAST_LET(touch, engine->thread_for(context, feed, request, now));
    HOLDFAST_LET(safe, engine->redactor().hidden(feed, request));
    HOLDFAST_LET(session, writer->create(feed, safe, then));
    made = session.ref;
    subject.session = touch.last_session.emplace(made.id);
    Drafted drafted(feed, engine->unwritten());
    drafted.add(session.changes);
    if (!request.thread.empty()) {
      HOLDFAST_LET(thread, engine->touch_thread(feed, touch, now, subject));
      drafted.add(thread);
    }
    RedactOptions hide = engine->redactor().request();
    if (!request.thread.empty()) {
      HOLDFAST_LET(of_thread, engine->redactor().redaction_for(feed, request.thread));
      hide = of_thread;
    }
    // Before the messages, because the first line of a log contains all of it.
    const Moment last = past.updated_at.empty() ? then : moment_at(now, past.updated_at);
    for (const SessionPatch& patch : patches_of(past)) {
      HOLDFAST_LET(hidden, engine->redactor().hidden(feed, made, patch));
      auto changes = writer->update(feed, made, hidden, last);
      if (!changes && changes.error().code != Code::unsupported) return fail(std::move(changes).error());
      if (changes) drafted.add(*changes);
      if (!changes) whole.left_out.push_back(changes.error().message);
    }
    HOLDFAST_TRY(add_messages(*engine, feed, made, now, hide, messages, drafted));
    return drafted.take();
  };
  HOLDFAST_TRY(engine->change(context, plan, Durability::power, &subject));
  subject.thread.empty() ? engine->touched(made) : engine->persisted(subject);
  whole.id = made.id;
  return whole;
}

}  // namespace holdfast::inline v1
