#include "store/session_writer.h"

#include <algorithm>
#include <new>

#include "disk/log_head.h"
#include "disk/steps.h"
#include "layout/change.h"
#include "layout/log_end.h"
#include "layout/message_files.h"
#include "layout/moment.h"
#include "layout/thread_keeper.h"
#include "layout/writable_layout.h"
#include "store/carry_out.h"
#include "store/check_input.h"
#include "store/cleared.h"
#include "store/in_use.h"
#include "store/observed.h"
#include "store/record_lock.h"
#include "store/unwritten_changes.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// True if the disk did not take the message, as opposed to a message that was refused.
bool cannot_persist(Code code) {
  return is_unwritable(code) || code == Code::durability_unknown || code == Code::poisoned || code == Code::unfinished;
}

std::string failed_event(std::string_view thread, std::string_view session, const Error& error) {
  JsonWriter json;
  json.begin_object();
  if (!thread.empty()) json.key("threadId").string(thread);
  json.key("sessionId").string(session).key("code").string(code_name(error.code));
  return json.key("message").string(error.message).end_object().take();
}

}  // namespace

Result<std::unique_ptr<SessionWriter>> FileSessionWriter::open(const Context& context, std::shared_ptr<FileStore> store,
                                                               SessionRef ref, const WriterOptions& options) {
  const SpanWatch watch(context, store->observer());
  std::unique_ptr<FileSessionWriter> writer(new FileSessionWriter(store, std::move(ref)));
  writer->opened_ = context.clock->now();
  HOLDFAST_LET(lease_root, store->roots().root(writer->ref_.place.root));
  if (options.lease != LeaseRequest::none) {
    const std::string& id = writer->ref_.id;
    const std::string name = lease_name(id);
    auto lease = options.lease == LeaseRequest::take
                     ? acquire_lease(context, lease_root, name, options.owner_note, "the session", id)
                     : Lease::take_over(context, lease_root, name, options.owner_note);
    if (!lease) return fail(std::move(lease).error());
    writer->lease_.emplace(std::move(*lease));
    store->own_leases().add(writer->ref_.id, *writer->lease_);
  }
  if (store->layout().message_files() != nullptr) {
    // Planned as a change, so a corrupt session is set aside, as other writers do.
    auto known = store->change(context, [&](DirectoryFeed& look) -> Result<Changes> {
      HOLDFAST_LET(thread, thread_of(store->layout(), look, writer->ref_));
      writer->thread_ = std::move(thread);
      return Changes();
    });
    HOLDFAST_TRY(known);
    if (store->observer() != nullptr && options.lease != LeaseRequest::none)
      watch.end("session.resume", writer->ref_.id, nullptr);
    return writer;
  }
  const auto look = [&](DirectoryFeed& feed) -> Result<Changes> {
    if (store->layout().shape("thread") != nullptr) {
      HOLDFAST_LET(thread, thread_of(store->layout(), feed, writer->ref_));
      writer->thread_ = std::move(thread);
    }
    HOLDFAST_LET(layout, writer_of(store->layout()));
    HOLDFAST_LET(line_writer, layout->line_writer(feed, writer->ref_));
    writer->line_writer_ = std::move(line_writer);
    return Changes();
  };
  DirectoryFeed feed(context, store->roots().directories());
  if (auto looked = look(feed); !looked) {
    if (looked.error().code == Code::unsupported && writer->lease_) {
      writer->mute_ = std::move(looked).error();
      return writer;
    }
    // As a change, so a corrupt document is set aside, as other writers do.
    if (looked.error().code != Code::corrupt) return fail(std::move(looked).error());
    HOLDFAST_TRY(store->change(context, look));
  }
  const Place place = writer->line_writer_->log();
  HOLDFAST_LET(root, store->roots().root(place.root));
  const bool resumed =
      store->observer() != nullptr && options.lease != LeaseRequest::none && root->directory().exists(place.path);
  LogOptions log_options;
  log_options.mode = store->layout().traits().owns_logs ? LogMode::ours : LogMode::shared;
  if (log_options.mode == LogMode::shared) HOLDFAST_TRY(settle_head(context, root, place.path));
  HOLDFAST_LET(log, writer->open_log(context, root, place.path, log_options));
  writer->log_ = std::move(log);
  if (resumed) watch.end("session.resume", writer->ref_.id, nullptr);
  return writer;
}

Result<std::unique_ptr<AppendLog>> FileSessionWriter::open_log(const Context& context,
                                                               const std::shared_ptr<Root>& root,
                                                               const std::string& path, LogOptions options) const {
  options.create = false;
  auto log = AppendLog::open(context, root, path, options);
  if (log || (log.error().code != Code::not_found && log.error().code != Code::unsafe_path)) return log;
  // The log does not exist yet, is being moved to or from the trash, or is not completely cleared. Hold off removals
  // while we find out.
  HOLDFAST_LET(held, store_->hold_session(context, ref_));
  HOLDFAST_TRY(settle_cleared(context, *root, path));
  options.create = true;
  return AppendLog::open(context, root, path, options);
}

FileSessionWriter::~FileSessionWriter() { (void)close({}); }

Error FileSessionWriter::was_closed() const {
  return {Code::invalid_argument, "the session was closed for writing", ref_.id};
}

Result<void> FileSessionWriter::check_lease() const {
  return lease_ ? holdfast::check_lease(*lease_, ref_.id) : Result<void>();
}

Result<AppendedMessage> FileSessionWriter::put(const Context& context, const LineDraft& saying, Durability durability) {
  auto done = observed_write(
      context, store_->observer(), [&] { return put_now(context, saying, durability); },
      [&] { return StepNote{"append", ref_.id, "session.save"}; });
  if (!done && cannot_persist(done.error().code))
    store_->tell("session:persistence_failed", failed_event(thread_, ref_.id, done.error()));
  return done;
}

Result<void> FileSessionWriter::lay(const Context& context, const Changes& beside) const {
  const DirectoryFeed nothing_seen(context, store_->roots().directories());
  return carry_out(context, store_->roots(), store_->layout(), beside, nothing_seen,
                   does(Step::blob_sync) ? Durability::power : Durability::none);
}

std::optional<std::string> FileSessionWriter::last_as_read(const Context& context, std::string_view last,
                                                           bool follows) const {
  const Place log = line_writer_->log();
  const auto root = store_->roots().root(log.root);
  if (!root) return std::nullopt;
  DirectoryFeed feed(context, store_->roots().directories());
  if (follows && !last.empty() && !line_writer_->marks_end(last)) {
    auto end = record_at_end(feed, *line_writer_);
    return end && !end->empty() ? std::optional(std::move(*end)) : std::nullopt;
  }
  const auto stat = (*root)->directory().stat_without_times(log.path);
  if (!stat || stat->size == 0 || stat->size == own_end_) return std::nullopt;
  std::string end(static_cast<std::size_t>(std::min<std::uint64_t>(stat->size, last.size() + 1)), '\0');
  const auto file = (*root)->directory().open(log.path, OpenMode::read);
  const auto count = file ? (*file)->read_at(stat->size - end.size(), end) : fail(file.error());
  if (!count || end == std::string(last) + "\n") return std::nullopt;
  auto found = record_at_end(feed, *line_writer_);
  return found && !found->empty() ? std::optional(std::move(*found)) : std::nullopt;
}

bool FileSessionWriter::begun() const {
  const Place log = line_writer_->log();
  const auto root = store_->roots().root(log.root);
  const auto stat = root ? (*root)->directory().stat_without_times(log.path) : fail(root.error());
  return stat && stat->size > 0;
}

bool FileSessionWriter::has_log() const {
  const Place log = line_writer_->log();
  const auto root = store_->roots().root(log.root);
  return root && (*root)->directory().exists(log.path);
}

Result<AppendedMessage> FileSessionWriter::put_now(const Context& context, const LineDraft& saying,
                                                   Durability durability) {
  // What the line refers to is durable before the line is, and before the log's lock is
  // taken, because it takes the root's lock, which comes first (I-19). Until the line is
  // in the file, nobody may remove the session's folder or set aside texts that already
  // existed (blob_collection.h).
  RecordLock stays;
  // The writer that starts a log also writes its header: no compaction may do so at the same time.
  const bool begins = own_end_ == 0 && saying.after_last && !begun();
  if (begins || !saying.beside.empty() || !saying.refers_to.empty()) {
    HOLDFAST_LET(held, store_->hold_session(context, ref_));
    stays = std::move(held);
    HOLDFAST_TRY(check_files(saying.refers_to));
    if (!saying.beside.empty()) HOLDFAST_TRY(lay(context, saying.beside));
    if (durability == Durability::none) durability = Durability::process;
  }
  AppendedMessage done;
  const auto compose = [&](std::string_view last) -> Result<std::vector<std::string>> {
    // Check under the log's lock: a process that takes the session over opens the log after that, so it either waits
    // for this line or there is none.
    HOLDFAST_TRY(check_lease());
    const auto as_read = saying.after_last ? last_as_read(context, last, saying.follows) : std::nullopt;
    if (as_read) last = *as_read;
    const ScopedLock guard(line_writer_mutex_);
    HOLDFAST_LET(spelling, saying.spell(saying.after_last ? last : std::string_view()));
    done.id = std::move(spelling.id);
    return std::move(spelling.lines);
  };
  Result<Ack> ack;
  if (saying.after_last || (lease_ && durability != Durability::none)) {
    ack = log_->append_all_after_last(context, compose, durability);
  } else {
    HOLDFAST_LET(lines, compose({}));
    const std::vector<std::string_view> views(lines.begin(), lines.end());
    ack = log_->append(context, views, durability);
  }
  if (!ack) {
    // The log may also be gone with its folder.
    if (ack.error().code == Code::not_found && !has_log())
      return fail(Code::not_found, "session " + ref_.id + " was removed; nothing was written");
    return fail(std::move(ack).error());
  }
  done.ack = *ack;
  own_end_ = done.ack.end;
  try {
    if (done.ack.durability == Durability::none && !done.id.empty()) {
      const ScopedLock guard(line_writer_mutex_);
      known_.add(done.id);  // the message may not be in the file yet
    }
    store_->touched(ref_);
  } catch (const std::bad_alloc&) {  // the message is written: do not report a failure
  }
  return done;
}

bool FileSessionWriter::names(const Message& draft) { return !draft.id.empty() || !draft.parent.empty(); }

Result<void> FileSessionWriter::check_files(const std::vector<Place>& files) const {
  for (const Place& file : files) {
    HOLDFAST_LET(root, store_->roots().root(file.root));
    const auto stat = root->directory().stat(file.path);
    if (!stat || stat->kind != FileKind::file)
      return fail(Code::invalid_argument, "blob: this store has no file " + file.path);
  }
  return {};
}

// Requires the log's lock, so nobody adds the same id in the meantime.
Result<void> FileSessionWriter::check_names(const Context& context, const Message& draft) {
  if (!names(draft)) return {};
  const Place log = line_writer_->log();
  HOLDFAST_LET(root, store_->roots().root(log.root));
  HOLDFAST_TRY(known_.read_on(context, root->directory(), log.path, *line_writer_));
  if (!draft.id.empty() && does(Step::message_id_check) && known_.is_taken(draft.id))
    return fail(Code::already_exists, "session " + ref_.id + " already has a message " + draft.id);
  if (!draft.parent.empty() && does(Step::message_parent_check) && !known_.contains(draft.parent))
    return fail(Code::invalid_argument, "parent: session " + ref_.id + " has no message " + draft.parent +
                                            std::string(line_writer_->parents_are()));
  return {};
}

Result<AppendedMessage> FileSessionWriter::put_file(const Context& context, const FileStore::FormatMessage& spell) {
  return observed_write(
      context, store_->observer(),
      [&]() -> Result<AppendedMessage> {
        return store_->add_message(context, ref_, [&](Feed& feed, const Moment& moment) -> Result<Spelling> {
          HOLDFAST_TRY(check_lease());  // under the records lock
          return spell(feed, moment);
        });
      },
      [&] { return StepNote{"append", ref_.id, "session.save"}; });
}

Result<RedactOptions> FileSessionWriter::redaction(const Context& context) const {
  if (thread_.empty()) return store_->redactor().request();
  DirectoryFeed feed(context, store_->roots().directories());
  return store_->redactor().redaction_for(feed, thread_);
}

Result<AppendedMessage> FileSessionWriter::append(const Context& context, const Message& given, Durability durability) {
  const Gate::Pass pass(gate_);
  if (!pass) return fail(was_closed());
  if (mute_) return fail(*mute_);
  HOLDFAST_TRY(check_input(given));
  HOLDFAST_LET(request, redaction(context));
  Message draft = request.any() ? redacted_message(request, given) : given;
  // Only users type.
  if (draft.role != Role::user && draft.origin == Origin::typed) draft.origin = usual_origin(draft.role);
  if (const MessageFiles* const files = store_->layout().message_files()) {
    return put_file(context,
                    [&](Feed& feed, const Moment& moment) { return files->spell_message(feed, ref_, draft, moment); });
  }
  const Moment moment = store_->moment(context);
  LineDraft saying;
  {
    const ScopedLock guard(line_writer_mutex_);
    for (Place& file : line_writer_->refers_to(draft)) saying.refers_to.push_back(std::move(file));
    HOLDFAST_LET(beside, line_writer_->beside(draft));
    saying.beside = std::move(beside);
    saying.after_last = line_writer_->needs_last_record(draft) || names(draft);
    saying.follows = draft.parent.empty();
  }
  saying.spell = [&](std::string_view last) -> Result<Spelling> {
    HOLDFAST_TRY(check_names(context, draft));
    return line_writer_->spell(draft, last, moment);
  };
  return put(context, saying, durability);
}

Result<AppendedMessage> FileSessionWriter::append_raw(const Context& context, std::string_view given,
                                                      Durability durability) {
  const Gate::Pass pass(gate_);
  if (!pass) return fail(was_closed());
  if (mute_) return fail(*mute_);
  HOLDFAST_LET(request, redaction(context));
  const auto hidden = redacted_json(given, request);
  const std::string_view line = hidden ? std::string_view(*hidden) : given;
  if (const MessageFiles* const files = store_->layout().message_files()) {
    return put_file(
        context, [&](Feed& feed, const Moment& moment) { return files->spell_raw_message(feed, ref_, line, moment); });
  }
  const Moment moment = store_->moment(context);
  LineDraft saying;
  saying.after_last = true;
  saying.spell = [&](std::string_view last) -> Result<Spelling> {
    HOLDFAST_LET(spelling, line_writer_->spell_raw(line, last, moment));
    // A client that retries after a lost answer gets already_exists, as for a message. Its parent is not checked.
    Message named;
    named.id = line_writer_->id_in(line);
    HOLDFAST_TRY(check_names(context, named));
    return spelling;
  };
  return put(context, saying, durability);
}

Result<void> FileSessionWriter::flush(const Context& context) {
  const Gate::Pass pass(gate_);
  return pass && log_ ? log_->sync(context) : Result<void>();
}

Result<void> FileSessionWriter::close(const Context& context) {
  if (!gate_.close()) return {};
  Result<void> closed;
  if (log_) closed = log_->close(context);
  log_.reset();
  if (lease_) store_->own_leases().drop(ref_.id, *lease_);
  if (lease_ && lease_->still_ours().value_or(false)) {
    // Remove the lease file too: a lease file without a lock means that its owner died.
    (void)lease_->release();
  }
  if (lease_) store_->record_session_span(context, ref_, opened_);
  lease_.reset();
  gate_.closed();
  return closed;
}

}  // namespace holdfast::inline v1
