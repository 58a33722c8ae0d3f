#include "rules/queue/drain.h"

#include "base/hash.h"
#include "base/was_stopped.h"
#include "disk/real_process.h"
#include "rules/queue/queue_events.h"
#include "rules/queue/queue_storage.h"
#include "rules/queue/redact_payload.h"
#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{64} << 20;

class Round {
 public:
  Round(const Context& context, FileStore& store, const SyncMap& map, QueueStorage& book, Transport& transport,
        const DrainOptions& options, std::string origin)
      : context_(context),
        store_(store),
        map_(map),
        book_(book),
        transport_(transport),
        options_(options),
        origin_(std::move(origin)) {}

  Result<void> one(const SyncItem& listed) {
    auto lease = Lease::acquire(context_, store_.roots().first(), "sync-" + listed.id, "sending");
    if (!lease) {
      if (lease.error().code != Code::busy) return fail(std::move(lease).error());
      ++done_.busy;
      return {};
    }
    auto result = hold(listed.id);
    (void)lease->release();
    return result;
  }

  const DrainResult& done() const { return done_; }

 private:
  // Sends the item, which this process now owns, in its current state.
  Result<void> hold(std::string_view id) {
    HOLDFAST_LET(item, book_.item(context_, id));
    if (!item || !is_due(*item, context_.clock->now())) return {};
    auto packed = pack(*item);
    // An unreadable record counts as a failed attempt, so it does not block other items.
    if (!packed)
      return was_stopped(packed.error()) ? fail(std::move(packed).error()) : failed(*item, packed.error().text());
    if (packed->gone) return drop(*item, done_.gone);
    if (packed->withheld) return withhold(*item);
    HOLDFAST_TRY(context_.check());
    Parcel& parcel = packed->parcel;
    if (options_.redact && parcel.payload) parcel.redacted = redact_payload(*parcel.payload);
    note_attempt(context_, store_, *item);
    const DeliveryResult answer = transport_.send(context_, parcel);
    if (answer.delivery == Delivery::delivered) return drop(*item, done_.sent);
    return failed(*item, answer.reason);
  }

  struct Packed {
    Parcel parcel;
    bool gone = false;      // nothing left to send
    bool withheld = false;  // now local only
  };
  Result<Packed> pack(const SyncItem& item) {
    DirectoryFeed feed(context_, store_.roots().directories());
    HOLDFAST_LET(subject, subject_of(feed, item));
    const bool deletion = item.op == "delete";
    Packed packed{.parcel = {.origin = origin_,
                             .layout = std::string(store_.layout_name()),
                             .item = item.id,
                             .subject = subject,
                             .payload = {}}};
    if (!deletion) {
      HOLDFAST_LET(payload, map_.payload(feed, subject));
      packed.gone = !payload;
      if (packed.gone) return packed;
      packed.parcel.payload = std::move(payload);
    }
    // Check privacy last: what is forbidden by now is not sent.
    HOLDFAST_LET(privacy, feed.document(map_.privacy_document(subject), kLargest));
    packed.withheld = privacy ? map_.local_only(*privacy) : !deletion;
    return packed;
  }

  Result<SyncSubject> subject_of(DirectoryFeed& feed, const SyncItem& item) {
    SyncSubject subject{item.entity, item.entity_id, item.owner, item.hint, item.order};
    if (map_.derived()) return subject;
    HOLDFAST_LET(all, map_.subjects(feed, item.entity, item.entity_id));
    for (const SyncSubject& one : all) {
      if (sync_item_id(one) == item.id) return one;
    }
    for (const SyncSubject& one : all) {  // an item named by another program
      HOLDFAST_LET(there, map_.payload(feed, one));
      if (there) return one;
    }
    return subject;
  }

  // Also if the subject was saved meanwhile: then the new intent stays queued.
  Result<void> drop(const SyncItem& item, std::size_t& count) {
    HOLDFAST_TRY(book_.settle(context_, item, std::nullopt));
    ++count;
    return {};
  }

  // A derived queue hides such items and keeps them for when they may be sent again.
  Result<void> withhold(const SyncItem& item) {
    if (!map_.derived()) return drop(item, done_.withheld);
    ++done_.withheld;
    return {};
  }

  Result<void> failed(const SyncItem& item, std::string reason) {
    const SyncItem now = after_failure(item, context_.clock->now(), store_.moment(context_).entropy());
    HOLDFAST_TRY(book_.settle(context_, item, now));
    ++(now.failed() ? done_.given_up : done_.failed);
    done_.reason = std::move(reason);
    tell_failed(context_, store_, now);
    return {};
  }

  const Context& context_;
  FileStore& store_;
  const SyncMap& map_;
  QueueStorage& book_;
  Transport& transport_;
  const DrainOptions& options_;
  std::string origin_;
  DrainResult done_;
};

}  // namespace

Result<std::string> origin_of(const Context& context, Store& store) {
  HOLDFAST_LET(map, sync_map_of(store));
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed(context, files->roots().directories());
  HOLDFAST_LET(own, map->origin(feed));
  if (!own.empty()) return own;
  return std::string(store.layout_name()) + "-" + sha256_hex(this_process().host + "\n" + store.name()).substr(0, 16);
}

Result<DrainResult> drain_queue(const Context& context, Store& store, Transport& transport,
                                const DrainOptions& options) {
  HOLDFAST_LET(map, sync_map_of(store));
  HOLDFAST_LET(files, engine_of(store));
  if (!files->options().write) return fail(Code::invalid_argument, "the store was opened read-only", store.name());
  if (!files->options().sync)
    return fail(Code::invalid_argument, "the sync queue is off; turn it on with the setting sync_enabled",
                store.name());
  std::string origin = options.origin;
  if (origin.empty()) {
    HOLDFAST_LET(own, origin_of(context, store));
    origin = std::move(own);
  }
  HOLDFAST_LET(book, open_queue_storage(store));
  HOLDFAST_LET(fresh, book->derive(context));
  for (const SyncItem& item : fresh) report_enqueued(context, *files, item);
  HOLDFAST_LET(queued, book->items(context));
  Round round(context, *files, *map, *book, transport, options, std::move(origin));
  std::size_t tried = 0;
  for (const SyncItem& item : queued.items) {
    HOLDFAST_TRY(context.check());
    if (!is_due(item, context.clock->now())) continue;
    if (options.limit != 0 && tried++ == options.limit) break;
    HOLDFAST_TRY(round.one(item));
  }
  return round.done();
}

}  // namespace holdfast::inline v1
