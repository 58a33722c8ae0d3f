#include "rules/entries/entry_log_state.h"

#include <algorithm>

#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxOpenLogs = 64;
constexpr std::size_t kBeginning = 64;

}  // namespace

Result<void> EntryLogState::catch_up(const Context& context) {
  std::unique_ptr<File> file = std::move(folded);  // if reading fails, the next caller starts again
  HOLDFAST_LET(grown, has_only_grown(file.get()));
  if (!grown) {
    HOLDFAST_LET(now, root->directory().open(path, OpenMode::read));
    file = std::move(now);
    end = changed = last_at = 0;
    fold = {};
    last.clear();
  }
  HOLDFAST_LET(reader, LogReader::open(context, root->directory(), path, {.from = end}));
  Record record;
  while (grown ? does(Step::entry_catch_up) : true) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    last = record.bytes.substr(0, kBeginning);
    last_at = record.offset;
    if (fold.take(record.bytes, record.offset)) changed = record.offset + record.bytes.size() + 1;
  }
  end = std::max(end, reader.position());
  folded = std::move(file);
  return {};
}

// Somebody may have deleted the log and created it again, put an older one in its place, or cut it. If others have
// written to an older one that was copied into the same file, it may be as long by now; then another line begins where
// the last one was.
Result<bool> EntryLogState::has_only_grown(File* file) const {
  if (file == nullptr) return false;
  if (!does(Step::entry_other_log)) return true;
  HOLDFAST_LET(before, file->stat());
  HOLDFAST_LET(now, root->directory().stat_without_times(path));
  if (!before.same_file(now) || now.size < end) return false;
  std::string found(last.size(), '\0');
  HOLDFAST_LET(count, file->read_at(last_at, found));
  return count == last.size() && found == last;
}

std::shared_ptr<EntryLogState> EntryLogStates::find(const std::string& path) {
  const ScopedLock guard(mutex_);
  const auto at = books_.find(path);
  if (at == books_.end()) return nullptr;
  at->second.used = ++clock_;
  return at->second.book;
}

std::shared_ptr<EntryLogState> EntryLogStates::keep(std::shared_ptr<EntryLogState> book) {
  std::vector<std::shared_ptr<EntryLogState>> gone;  // closed after the lock is released
  const ScopedLock guard(mutex_);
  const auto [at, added] = books_.try_emplace(book->path, Kept{book, 0});
  at->second.used = ++clock_;
  std::shared_ptr<EntryLogState> kept = at->second.book;
  if (books_.size() > kMaxOpenLogs) {
    const auto oldest = std::ranges::min_element(books_, {}, [](const auto& entry) { return entry.second.used; });
    gone.push_back(std::move(oldest->second.book));
    books_.erase(oldest);
  }
  return kept;
}

void EntryLogStates::forget(const std::string& path) {
  std::shared_ptr<EntryLogState> gone;
  const ScopedLock guard(mutex_);
  if (const auto at = books_.find(path); at != books_.end()) {
    gone = std::move(at->second.book);
    books_.erase(at);
  }
}

}  // namespace holdfast::inline v1
