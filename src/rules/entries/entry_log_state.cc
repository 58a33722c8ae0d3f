#include "rules/entries/entry_log_state.h"

#include <algorithm>

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxOpenLogs = 64;
constexpr std::size_t kFirst = 64;  // includes the id in the head

}  // namespace

Result<void> EntryLogState::catch_up(const Context& context) {
  HOLDFAST_LET(file, root->directory().open(path, OpenMode::read));
  std::string start(kFirst, '\0');
  HOLDFAST_LET(count, file->read_at(0, start));
  start.resize(count);
  if (first.empty() || start != first) {
    first = std::move(start);
    end = changed = 0;
    fold = {};
  }
  HOLDFAST_LET(reader, LogReader::open(context, root->directory(), path, {.from = end}));
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    if (fold.take(record.bytes)) changed = record.offset + record.bytes.size() + 1;
  }
  end = std::max(end, reader.position());
  if (first.size() < kFirst) first.clear();  // the log had no head yet
  return {};
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
