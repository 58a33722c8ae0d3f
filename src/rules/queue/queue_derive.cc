#include "rules/queue/queue_derive.h"

#include "base/hash.h"
#include "base/time.h"

namespace holdfast::inline v1 {
namespace {

class Deriving {
 public:
  Deriving(const Context& context, const SyncMap& map, Feed& feed, const QueueFold& known)
      : now_(context.clock->now()), map_(map), feed_(feed), known_(known) {}

  Result<void> look_at(const SessionRef& ref) {
    met_.insert(ref.id);
    const SyncSubject session = map_.session(ref);
    const auto at = known_.sessions.find(ref.id);
    SessionCoverage covered = at == known_.sessions.end() ? SessionCoverage{} : at->second;
    HOLDFAST_LET(document, feed_.document(map_.privacy_document(session)));
    if (!document || map_.local_only(*document)) {
      if (at == known_.sessions.end()) return {};
      out_.withheld.insert(ref.id);
      if (!std::exchange(covered.local_only, true)) out_.accounts.push_back(covered_line(ref.id, covered));
      return {};
    }
    bool news = std::exchange(covered.local_only, false);
    covered.hint = session.hint;
    if (const std::string hash = payload_hash_of(*document); hash != covered.document) {
      add(session, "upsert", *document);
      covered.document = hash;
      news = true;
    }
    HOLDFAST_LET(more, look_at_log(ref.place, session, covered));
    if (news || more) out_.accounts.push_back(covered_line(ref.id, covered));
    return {};
  }

  // Sessions that the queue knows but the store no longer has were deleted.
  Derived finish() && {
    for (const auto& [id, covered] : known_.sessions) {
      if (met_.contains(id)) continue;
      if (!covered.local_only) add({.entity = "session", .id = id, .hint = covered.hint}, "delete", {});
      out_.accounts.push_back(forgotten_line(id, iso8601(now_)));
    }
    return std::move(out_);
  }

 private:
  void add(const SyncSubject& subject, std::string_view op, std::string_view bytes) {
    const auto before = known_.items.find(sync_item_id(subject));
    SyncItem item = new_sync_item(subject, op, bytes, now_, before == known_.items.end() ? nullptr : &before->second);
    out_.items.push_back(std::move(item));
  }

  // Whether the log still begins with the covered part; a cleared log does not.
  Result<bool> goes_on(const Place& log, const SessionCoverage& covered) {
    bool same = false;
    HOLDFAST_TRY(feed_.last_records(log, 1, covered.through, [&](const FeedRecord& record) {
      same = xxh3_hex(record.bytes) == covered.last;
      return true;
    }));
    return same;
  }

  Result<bool> look_at_log(const Place& log, const SyncSubject& session, SessionCoverage& covered) {
    HOLDFAST_LET(stat, feed_.stat(log));
    if (!stat || stat->size == covered.through) return false;
    if (covered.through != 0) {
      HOLDFAST_LET(same, goes_on(log, covered));
      if (!same) covered.through = 0;
    }
    bool more = false;
    HOLDFAST_TRY(feed_.records(log, {covered.through, UINT64_MAX}, [&](const FeedRecord& record) {
      if (const auto line = map_.line(session, record)) add(*line, "upsert", record.bytes);
      covered.through = record.offset + record.bytes.size() + 1;
      covered.last = xxh3_hex(record.bytes);
      more = true;
      return true;
    }));
    return more;
  }

  std::chrono::system_clock::time_point now_;
  const SyncMap& map_;
  Feed& feed_;
  const QueueFold& known_;
  std::set<std::string, std::less<>> met_;
  Derived out_;
};

}  // namespace

Result<Derived> derive_queue(const Context& context, const Layout& layout, const SyncMap& map, Feed& feed,
                             const QueueFold& known) {
  Deriving deriving(context, map, feed, known);
  std::vector<SessionRef> refs;
  HOLDFAST_TRY(layout.find(feed, [&](SessionRef ref) {
    refs.push_back(std::move(ref));
    return true;
  }));
  for (const SessionRef& ref : refs) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_TRY(deriving.look_at(ref));
  }
  return std::move(deriving).finish();
}

}  // namespace holdfast::inline v1
