#include "api/stores.h"

#include <algorithm>

#include "base/hash.h"
#include "store/session_owner.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxKept = 128;  // writers without a lease that stay open

void watch_over(const StoreSettings& settings, StoreOptions& wish) {
  wish.redact_inputs = wish.redact_inputs || settings.redact_inputs;
  wish.redact_outputs = wish.redact_outputs || settings.redact_outputs;
  wish.log_file = settings.log_file;
  wish.spans_file = settings.spans_file;
  if (settings.metrics && !settings.cache.empty())
    wish.metrics_file = settings.cache + "/metrics-" + xxh3_hex(store_name(wish)) + ".jsonl";
}

}  // namespace

Stores::Stores(StoreSettings settings) : settings_(std::move(settings)) {}

Stores::~Stores() { (void)close({}); }

Result<std::vector<StoreOptions>> Stores::meant(std::string_view name, std::string_view layout, Use use) const {
  if (!name.empty()) {
    HOLDFAST_LET(options, store_named(name));
    return std::vector{std::move(options)};
  }
  std::vector<StoreOptions> found;
  const bool writes = use == Use::write || use == Use::create;
  for (const StoreOptions& options : settings_.defaults) {
    if (layout.empty() ? !writes : options.layout == layout) found.push_back(options);
  }
  if (!found.empty()) return found;
  if (writes && (layout.empty() || layout == settings_.home.layout) && !settings_.home.roots.empty()) {
    found.push_back(settings_.home);
    return found;
  }
  const std::string what = layout.empty() ? std::string() : " of layout " + std::string(layout);
  return fail(Code::not_found, "there is no store" + what + " here; holdfast init makes one, --store names one");
}

Result<std::shared_ptr<Store>> Stores::open(const Context& context, const StoreOptions& options, Use use) {
  const std::string name = store_name(options);
  const bool write = use == Use::write || use == Use::create;
  const std::lock_guard lock(mutex_);
  if (const auto found = opened_.find(name); found != opened_.end() && (found->second.write || !write))
    return found->second.store;
  StoreOptions wish = options;
  wish.write = write;
  wish.create = write && (options.create || use == Use::create);
  wish.cache = settings_.cache;
  watch_over(settings_, wish);
  wish.keep_unwritten = settings_.keep;
  wish.sync = settings_.sync;
  if (const auto others = settings_.other_roots.find(wish.layout); others != settings_.other_roots.end())
    wish.roots.insert(others->second.begin(), others->second.end());
  if (settings_.complete) settings_.complete(wish);
  HOLDFAST_LET(store, Store::open(context, *settings_.files, std::move(wish)));
  if (subscribed_) attach(store);
  opened_[name] = {store, write};
  return store;
}

Result<std::shared_ptr<SessionWriter>> Stores::writer(const Context& context, const std::shared_ptr<Store>& store,
                                                      const std::string& id, const WriterOptions& options) {
  const bool leased = options.lease != LeaseWish::none;
  std::vector<std::shared_ptr<SessionWriter>> gone;  // declared first: they end after the lock is free
  const std::lock_guard lock(mutex_);
  if (const auto found = kept_.find({store->name(), id}); found != kept_.end()) {
    // Who was robbed of a session and wants it again has to take it again.
    const bool again = leased && found->second.leased && was_robbed(*store, found->first.second);
    if ((found->second.leased || !leased) && !again) {
      found->second.used = ++clock_;
      return found->second.writer;
    }
    gone.push_back(std::move(found->second.writer));
    kept_.erase(found);
  }
  HOLDFAST_TRY(own(context, *store, id));
  HOLDFAST_LET(opened, store->write(context, id, options));
  std::shared_ptr<SessionWriter> writer = std::move(opened);
  if (!settings_.keep) return writer;
  // `id` may have been a prefix of one that is kept, and that one may have a lease.
  Kept& kept = kept_[{store->name(), writer->id()}];
  if (kept.writer != nullptr && !leased) {
    gone.push_back(std::move(writer));
  } else {
    if (kept.writer != nullptr) gone.push_back(std::move(kept.writer));
    kept = {std::move(writer), leased, 0};
  }
  kept.used = ++clock_;
  auto result = kept.writer;
  forget_oldest(gone);
  return result;
}

void Stores::forget_oldest(std::vector<std::shared_ptr<SessionWriter>>& gone) {
  if (kept_.size() <= kMaxKept) return;
  auto oldest = kept_.end();
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if (at->second.leased || at->second.writer.use_count() > 1) continue;
    if (oldest == kept_.end() || at->second.used < oldest->second.used) oldest = at;
  }
  if (oldest == kept_.end()) return;
  gone.push_back(std::move(oldest->second.writer));
  kept_.erase(oldest);
}

Result<void> Stores::done(const Context& context, const std::string& store,
                          const std::shared_ptr<SessionWriter>& writer) {
  {
    const std::lock_guard lock(mutex_);
    if (kept_.contains({store, writer->id()})) return {};
  }
  return writer->close(context);
}

bool Stores::holds(const std::string& store, const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find({store, id});
  return found != kept_.end() && found->second.leased;
}

Result<void> Stores::release(const Context& context, const std::string& store, const std::string& id) {
  std::shared_ptr<SessionWriter> writer;
  {
    const std::lock_guard lock(mutex_);
    if (settings_.owner) {
      if (const auto its = opened_.find(store); its != opened_.end())
        HOLDFAST_TRY(disown_session(context, *its->second.store, id, settings_.owner->note));
    }
    const auto found = kept_.find({store, id});
    if (found == kept_.end()) return {};
    writer = std::move(found->second.writer);
    kept_.erase(found);
  }
  return writer->close(context);
}

Result<bool> Stores::own(const Context& context, Store& store, const std::string& id, bool takeover) const {
  if (!settings_.owner) return false;
  const std::string& note = settings_.owner->note;
  auto owned = owned_by(context, store, id, note);
  if (!owned && owned.error().code == Code::busy && takeover) {
    HOLDFAST_TRY(dispossess_session(context, store, id));
    owned = false;
  }
  if (!owned || *owned) return owned;
  auto held = settings_.owner->hold(store.name(), id);
  // Two calls of one owner at once: the other one was faster.
  if (!held && held.error().code == Code::busy) return owned_by(context, store, id, note);
  HOLDFAST_TRY(held);
  return true;
}

void Stores::set_listener(Listener listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::make_shared<Listener>(std::move(listener));
}

void Stores::attach(const std::shared_ptr<Store>& store) {
  store->subscribe([listener = listener_, name = store->name()](const StoreEvent& event) { (*listener)(name, event); });
}

Result<void> Stores::subscribe(const Context& /*context*/) {
  const std::lock_guard lock(mutex_);
  if (listener_ == nullptr)
    return fail(Code::unsupported, "events need a door that stays open: holdfast rpc, or the library");
  if (subscribed_) return {};
  subscribed_ = true;
  for (auto& [name, opened] : opened_) attach(opened.store);
  return {};
}

Result<void> Stores::close(const Context& context) {
  std::map<Key, Kept> kept;
  std::map<std::string, Opened, std::less<>> opened;
  {
    const std::lock_guard lock(mutex_);
    kept.swap(kept_);
    opened.swap(opened_);
  }
  Result<void> result;
  for (auto& [key, one] : kept) {
    if (auto closed = one.writer->close(context); !closed && result) result = std::move(closed);
  }
  return result;
}

}  // namespace holdfast::inline v1
