#include "layout/codex/lineage.h"

#include <algorithm>

#include "layout/json_pick.h"
#include "text/shell_word.h"

namespace holdfast::inline v1::codex {
namespace {

constexpr int kHeaderWithin = 5;  // records
constexpr std::uint64_t kSlack = std::uint64_t{1} << 20;

struct Link {
  ThreadFile file;
  Position end;
};

// The file that a base refers to: the thread's last one that existed when the child
// began and that starts before the position.
Result<std::optional<ThreadFile>> file_of_base(Feed& feed, const HistoryBase& base, const ThreadFile& child,
                                               const Threads& threads) {
  const auto found = threads.find(base.thread);
  if (found == threads.end()) return std::nullopt;
  std::optional<ThreadFile> last;
  for (const ThreadFile& file : found->second) {
    if (file.path == child.path || file.name.stamp > child.name.stamp) continue;
    if (last && base.end.ordinal >= 0) {
      HOLDFAST_LET(head, read_head(feed, file.path));
      if (head.first_ordinal >= base.end.ordinal) continue;
    }
    last = file;
  }
  return last;
}

// Forwards messages only.
class MessagesOnly final : public Events {
 public:
  explicit MessagesOnly(Events& to) : to_(to) {}
  void facts(const SessionFacts& /*facts*/) override {}
  bool message(Message message) override { return to_.message(std::move(message)); }

 private:
  Events& to_;
};

std::string without_parent(const std::string& thread) {
  return "the history before this file is not shown: the file of the session " + thread +
         " that has it is missing; run holdfast restore " + session_word("codex", thread) +
         " if the archive has that session, or put the file back from a backup";
}

Result<bool> read_link(Feed& feed, const Link& link, bool raw, Events& events) {
  MessagesOnly messages(events);
  RolloutReader reader(messages, link.file.name.thread, raw);
  reader.begin_file(std::nullopt);
  bool wanted = true;
  // Ordinals mark the end even if the file was shifted by some bytes.
  FeedRange range;
  range.to = link.end.offset;
  if (link.end.ordinal >= 0 && range.to < UINT64_MAX - kSlack) range.to += kSlack;
  HOLDFAST_TRY(feed.records({kRoot, link.file.path}, range, [&](const FeedRecord& record) {
    const std::int64_t ordinal = JsonView(record.bytes).find("ordinal").as_int64().value_or(-1);
    if (!link.end.is_after(ordinal, record.offset)) return false;
    wanted = reader.take(record);
    return wanted;
  }));
  return reader.finish() && wanted;
}

}  // namespace

Result<Head> read_head(Feed& feed, const std::string& path) {
  Head head;
  int left = kHeaderWithin;
  HOLDFAST_TRY(feed.records({kRoot, path}, {}, [&](const FeedRecord& record) {
    const auto [type, ordinal, payload] = pick<3>(JsonView(record.bytes), {"type", "ordinal", "payload"});
    if (head.first_ordinal < 0) head.first_ordinal = ordinal.as_int64().value_or(-1);
    if (!type.is_string("session_meta")) return --left > 0;
    head.base = read_meta(payload, {}).base;
    return false;
  }));
  return head;
}

std::vector<std::optional<Position>> where_left(const std::vector<Head>& heads, std::string_view thread) {
  std::vector<std::optional<Position>> left(heads.size());
  for (std::size_t i = 1; i < heads.size(); ++i) {
    if (!heads[i].base || heads[i].base->thread != thread) continue;
    const Position end = heads[i].base->end;
    for (std::size_t j = i; j-- > 0;) {
      const bool inside = j == 0 || end.ordinal < 0 || heads[j].first_ordinal < end.ordinal;
      const Position at = inside ? end : Position{0, 0};
      if (!left[j] || left[j]->ordinal > at.ordinal) left[j] = at;
      if (inside) break;
    }
  }
  return left;
}

Result<bool> read_history(Feed& feed, const HistoryBase& base, const ThreadFile& child, bool raw, Events& events) {
  HOLDFAST_LET(threads, list_threads(feed));
  std::vector<Link> chain;  // newest first
  std::set<std::string> seen{child.path};
  std::optional<HistoryBase> next = base;
  ThreadFile from = child;
  while (next) {
    HOLDFAST_LET(file, file_of_base(feed, *next, from, threads));
    if (!file) {
      feed.complain({kRoot, from.path}, 0, "missing_parent", without_parent(next->thread));
      break;
    }
    if (!seen.insert(file->path).second) {
      feed.complain({kRoot, from.path}, 0, "circular_history", "the history before this file is not shown");
      break;
    }
    chain.push_back({*file, next->end});
    HOLDFAST_LET(head, read_head(feed, file->path));
    next = head.base;
    from = *file;
  }
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    HOLDFAST_LET(wanted, read_link(feed, *link, raw, events));
    if (!wanted) return false;
  }
  return true;
}

}  // namespace holdfast::inline v1::codex
