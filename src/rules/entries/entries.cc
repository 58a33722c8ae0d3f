#include "rules/entries/entries.h"

#include <algorithm>
#include <functional>

#include "base/hash.h"
#include "base/id.h"
#include "base/time.h"
#include "disk/steps.h"
#include "rules/entries/entry_lines.h"
#include "rules/entries/entry_log_state.h"
#include "rules/entries/entry_read.h"
#include "store/deletion.h"
#include "store/engine.h"
#include "text/json_copy.h"
#include "text/json_scan.h"
#include "text/redact_json.h"

namespace holdfast::inline v1 {
namespace {

std::string digest_of(const EntryWrite& write) {
  std::string text = write.expected ? "replace" : "append";
  const auto add = [&](const std::vector<std::string>& entries) {
    text += '\n';
    for (const std::string& entry : entries) text.append(canonical_json(JsonView(entry))).append(1, '\n');
  };
  if (write.expected) add(*write.expected);
  add(write.entries);
  return sha256_hex(text);
}

bool same_entry(const std::string& a, const std::string& b) {
  return a == b || canonical_json(JsonView(a)) == canonical_json(JsonView(b));
}

// Constant while the stream is unchanged: lines that only repeat a write do not count.
std::string version_of(std::string_view id, std::uint64_t changed) {
  return std::string(id) + "." + std::to_string(changed);
}

Result<void> check_after(const std::optional<std::string>& after, std::string_view version, const std::string& path) {
  if (!after || *after == version || !does(Step::entry_version_check)) return {};
  return fail(Code::conflict, "somebody else wrote to the stream since it was read", path);
}

// One write, while the log is locked.
class Writing {
 public:
  Writing(const Context& context, FileStore& files, const EntryKey& key, const EntryWrite& write, EntryLogState& book)
      : context_(context), files_(files), key_(key), write_(write), book_(book), digest_(digest_of(write)) {}

  Result<std::vector<std::string>> compose() {
    HOLDFAST_TRY(book_.catch_up(context_));
    EntryFold& fold = book_.fold;
    done_ = {.total = fold.uuids.size(), .mtime = fold.at};
    id_ = fold.id;
    changed_ = book_.changed;
    const auto at = fold.operations.find(write_.operation);
    if (at != fold.operations.end() && does(Step::entry_operation_check)) {
      if (at->second != digest_ && does(Step::entry_digest_check))
        return fail(Code::already_exists, "operation " + write_.operation + " was a different transaction", book_.path);
      return std::vector<std::string>();  // there already, and durable with the answer
    }
    HOLDFAST_TRY(
        check_after(write_.after, fold.written ? version_of(fold.id, book_.changed) : std::string(), book_.path));
    HOLDFAST_TRY(check_end());
    choose();
    const std::size_t drop = write_.expected ? write_.expected->size() : 0;
    summary_ = write_.summary.empty() ? std::string() : hidden(write_.summary);
    const bool same_summary = summary_.empty() || (fold.written && summary_ == fold.summary);
    if (chosen_.empty() && drop == 0 && write_.operation.empty() && same_summary) return std::vector<std::string>();
    return spell(drop);
  }

  EntryWriteResult done(std::uint64_t end) const {
    EntryWriteResult written = done_;
    written.version = version_of(id_, done_.applied ? end : changed_);
    return written;
  }

 private:
  Result<void> check_end() const {
    if (!write_.expected || write_.expected->empty()) return {};
    HOLDFAST_LET(end,
                 read_last_entries(context_, book_.root->directory(), book_.path, book_.fold, write_.expected->size()));
    // As the caller has it, or as it would be stored now: it may be from before this store redacted anything.
    const auto is_meant = [&](const std::string& stored, const std::string& given) {
      return same_entry(stored, given) || same_entry(stored, hidden(given));
    };
    const bool same = end.size() == write_.expected->size() &&
                      (std::ranges::equal(end, *write_.expected, is_meant) || !does(Step::entry_suffix_check));
    if (!same)
      return fail(Code::conflict, "the stream does not end with the entries that are to be replaced", book_.path);
    return {};
  }

  // Selects the entries whose uuid is not in the stream without the replaced entries.
  void choose() {
    const EntryFold& fold = book_.fold;
    const std::size_t drop = write_.expected ? write_.expected->size() : 0;
    const std::span kept = std::span(fold.uuids).first(fold.uuids.size() - drop);
    std::unordered_set<std::string> leaving;
    for (const std::string& uuid : std::span(fold.uuids).last(drop)) leaving.insert(uuid);
    std::unordered_set<std::string> coming;
    for (const std::string& entry : write_.entries) {
      const std::string uuid = JsonView(entry).find("uuid").as_string().value_or("");
      const bool there =
          !uuid.empty() && ((fold.known.contains(uuid) && !leaving.contains(uuid) && does(Step::entry_uuid_check)) ||
                            !coming.insert(uuid).second);
      if (there)
        ++done_.duplicates;
      else
        chosen_.push_back(hidden(entry));
    }
    done_.appended = chosen_.size();
    done_.total = kept.size() + chosen_.size();
  }

  std::string hidden(const std::string& entry) const {
    const RedactOptions options = files_.redactor().request();
    if (!options.any()) return entry;
    return redacted_json(entry, options).value_or(entry);
  }

  Result<std::vector<std::string>> spell(std::size_t drop) {
    const auto now = context_.clock->now();
    done_.applied = true;
    done_.mtime = std::max(unix_ms(now), book_.fold.at);  // setting the clock back does not change the order
    std::vector<std::string> lines;
    if (book_.end == 0) {
      id_ = make_id("ent", files_.file_system().entropy(), kMaxIdLetters);
      lines.push_back(entry_head_line(key_, id_, iso8601(now)));
    }
    lines.push_back(entry_write_line({.at = done_.mtime,
                                      .operation = write_.operation,
                                      .digest = digest_,
                                      .drop = drop,
                                      .entries = chosen_,
                                      .summary = summary_}));
    return lines;
  }

  const Context& context_;
  FileStore& files_;
  const EntryKey& key_;
  const EntryWrite& write_;
  EntryLogState& book_;
  const std::string digest_;
  std::string id_;
  std::uint64_t changed_ = 0;  // when the write began
  std::vector<std::string> chosen_;
  std::string summary_;
  EntryWriteResult done_;
};

// Deleting a session waits until its log is created, and vice versa.
Result<std::shared_ptr<EntryLogState>> open_entry_log(const Context& context, FileStore& files, EntryLogStates& books,
                                                      const std::string& path) {
  if (auto known = books.find(path)) return known;
  HOLDFAST_LET(held, files.hold_sessions(context, LockKind::shared));
  auto book = std::make_shared<EntryLogState>();
  book->root = files.roots().first();
  book->path = path;
  HOLDFAST_LET(log, AppendLog::open(context, book->root, path));
  book->log = std::move(log);
  return books.keep(std::move(book));
}

Result<EntryWrite> checked(const EntryWrite& given) {
  EntryWrite write = given;
  const auto compact = [](std::vector<std::string>& entries) -> Result<void> {
    for (std::string& entry : entries) {
      if (!check_json(entry).ok() || JsonView(entry).kind() != JsonKind::object)
        return fail(Code::invalid_record, "an entry must be a JSON object");
      entry = compact_json(JsonView(entry));
    }
    return {};
  };
  HOLDFAST_TRY(compact(write.entries));
  if (write.expected) HOLDFAST_TRY(compact(*write.expected));
  if (!write.summary.empty()) write.summary = compact_json(JsonView(write.summary));
  return write;
}

// The result of a write of nothing: the state of the stream.
Result<EntryWriteResult> written_so_far(const Context& context, Store& store, const EntryKey& key,
                                        const std::optional<std::string>& after) {
  HOLDFAST_LET(stream, load_entries(context, store, key));
  HOLDFAST_TRY(check_after(after, stream.version, entry_log_path(key)));
  return EntryWriteResult{.total = stream.entries.size(), .version = stream.version, .mtime = stream.mtime};
}

}  // namespace

Result<FileStore*> entries_of(Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  if (store.layout_name() == "holdfast") return files;
  return fail(Code::unsupported, "layout " + std::string(store.layout_name()) + " cannot hold: entries", store.name());
}

Result<EntryWriteResult> write_entries(const Context& context, Store& store, const EntryKey& key,
                                       const EntryWrite& given) {
  HOLDFAST_LET(files, entries_of(store));
  if (!files->roots().writable()) return fail(Code::invalid_argument, "the store was opened read-only", store.name());
  HOLDFAST_TRY(check_entry_key(key));
  HOLDFAST_LET(write, checked(given));
  const std::string path = entry_log_path(key);
  const bool replaces = write.expected && !write.expected->empty();
  if (write.entries.empty() && !replaces && write.operation.empty() && write.summary.empty())
    return written_so_far(context, store, key, write.after);
  if (!files->roots().first()->directory().exists(path) && (replaces || (write.after && !write.after->empty())))
    return fail(Code::conflict, "the stream has no entries", path);
  const auto books = files->belonging<EntryLogStates>();
  while (true) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(book, open_entry_log(context, *files, *books, path));
    Writing writing(context, *files, key, write, *book);
    const auto ack = book->log->append_all_after_last(context, [&](std::string_view) { return writing.compose(); });
    if (ack) return writing.done(ack->end);
    if (ack.error().code != Code::not_found || !does(Step::entry_deleted_anew)) return fail(ack.error());
    books->forget(path);  // deleted meanwhile: this write comes after the deletion
  }
}

Result<EntryStream> load_entries(const Context& context, Store& store, const EntryKey& key) {
  HOLDFAST_LET(files, entries_of(store));
  HOLDFAST_TRY(check_entry_key(key));
  auto read = read_entry_log(context, files->roots().first()->directory(), entry_log_path(key));
  if (!read && read.error().code == Code::not_found) return EntryStream{};
  if (!read) return fail(std::move(read).error());
  EntryStream stream;
  stream.written = read->contents.written;
  stream.entries = std::move(read->contents.entries);
  stream.summary = std::move(read->contents.summary);
  if (stream.written) stream.version = version_of(read->contents.id, read->changed);
  stream.mtime = read->contents.at;
  stream.findings = std::move(read->findings);
  return stream;
}

Result<bool> delete_entries(const Context& context, Store& store, const EntryKey& key) {
  HOLDFAST_LET(files, entries_of(store));
  if (!files->roots().writable()) return fail(Code::invalid_argument, "the store was opened read-only", store.name());
  HOLDFAST_TRY(check_entry_key(key));
  const std::string path = key.stream.empty() ? entry_session_folder(key) : entry_log_path(key);
  HOLDFAST_LET(held, files->hold_sessions(context, LockKind::exclusive));
  if (!files->roots().first()->directory().exists(path)) return false;
  Deletion deletion(*files);
  auto done = files->change(context, [&](DirectoryFeed&) -> Result<Changes> {
    Changes changes;
    changes.remove_tree({std::string(files->layout().roots().front().name), path});
    deletion.begin();
    HOLDFAST_TRY(deletion.add(changes));
    HOLDFAST_TRY(deletion.note(context));
    return changes;
  });
  HOLDFAST_TRY(deletion.end(context, std::move(done)));
  return true;
}

}  // namespace holdfast::inline v1
