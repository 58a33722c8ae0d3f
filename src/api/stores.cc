#include "api/stores.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "disk/resolve.h"
#include "layout/layout.h"
#include "rules/runs/runs.h"
#include "store/engine.h"
#include "store/session_owner.h"
#include "store/session_writer.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxKept = 128;       // writers without a lease that stay open
constexpr std::ptrdiff_t kMaxLeases = 200;  // limit for leases of new sessions, because each has files open

void watch_over(const StoreSettings& settings, StoreOptions& request) {
  request.redact_inputs = request.redact_inputs || settings.redact_inputs;
  request.redact_outputs = request.redact_outputs || settings.redact_outputs;
  request.log_file = settings.log_file;
  request.spans_file = settings.spans_file;
  if (settings.metrics && !settings.cache.empty())
    request.metrics_file = settings.cache + "/metrics-" + xxh3_hex(store_name(request)) + ".jsonl";
}

// Normalizes the options, so a store is the same however it was named: its first root with or without its name, and
// the path of a project's own store in any spelling.
StoreOptions normalized_options(StoreOptions options) {
  const Layout* const layout = find_layout(options.layout);
  if (layout == nullptr) return options;
  auto first = options.roots.extract(std::string(layout->roots().front().name));
  if (!first.empty()) {
    first.key().clear();
    options.roots.insert(std::move(first));
  }
  const auto root = options.roots.find("");
  if (layout->traits().root_is_project && root != options.roots.end()) root->second = resolve_path(root->second);
  return options;
}

// Whether the path of a store leads to another directory by now, or to none: an agent's folder may be moved away or
// made anew while a door stays open.
bool is_replaced(FileSystem& files, Store& store) {
  auto* const engine = engine_or_null(store);
  if (engine == nullptr || &engine->file_system() != &files || engine->roots().first() == nullptr) return false;
  const auto named = files.open_directory(engine->roots().first()->path(), false);
  if (!named) return named.error().code == Code::not_found;
  const auto now = (*named)->stat(""), before = engine->roots().first()->directory().stat("");
  return now && before && !now->same_file(*before);
}

}  // namespace

Stores::Stores(StoreSettings settings) : settings_(std::move(settings)) {}

Stores::~Stores() { (void)close({}); }

std::vector<StoreOptions> Stores::defaults() const {
  return settings_.keep && settings_.current_defaults ? settings_.current_defaults() : settings_.defaults;
}

Result<std::vector<StoreOptions>> Stores::meant(std::string_view name, std::string_view layout, Use use) const {
  if (!name.empty()) {
    HOLDFAST_LET(options, parse_store_name(name));
    return std::vector{std::move(options)};
  }
  std::vector<StoreOptions> found;
  const bool writes = use == Use::write || use == Use::create;
  for (const StoreOptions& options : defaults()) {
    if (layout.empty() ? !writes : options.layout == layout) found.push_back(options);
  }
  if (!found.empty()) return found;
  if (writes && layout.empty() && !settings_.choices.empty()) {
    std::string all;
    for (const std::string& choice : settings_.choices) (all += all.empty() ? "" : ", ") += choice;
    return fail(Code::invalid_argument, "there are several stores here; name one with --store: " + all);
  }
  if (writes && (layout.empty() || layout == settings_.home.layout) && !settings_.home.roots.empty()) {
    found.push_back(settings_.home);
    return found;
  }
  const std::string what = layout.empty() ? std::string() : " of layout " + std::string(layout);
  return fail(Code::not_found,
              "there is no store" + what + " here; create one with holdfast init, or name one with --store");
}

Stores::Turns::Turn Stores::Turns::of(const std::string& what) {
  const ScopedLock lock(mutex_);
  std::erase_if(turns_, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<Mutex>& known = turns_[what];
  Turn turn = known.lock();
  if (turn == nullptr) known = turn = std::make_shared<Mutex>(LockRank::opening);
  return turn;
}

std::shared_ptr<Store> Stores::opened(const std::string& name, bool write) {
  Opened known;
  {
    const ScopedLock lock(mutex_);
    const auto found = opened_.find(name);
    if (found == opened_.end() || (write && !found->second.write)) return nullptr;
    known = found->second;
  }
  return known.write || !is_replaced(*settings_.files, *known.store) ? known.store : nullptr;
}

StoreOptions Stores::completed(const StoreOptions& options, Use use) const {
  StoreOptions request = options;
  request.write = use == Use::write || use == Use::create;
  request.create = request.write && (options.create || use == Use::create);
  request.cache = settings_.cache;
  watch_over(settings_, request);
  request.keep_unwritten = settings_.keep;
  request.sync = settings_.sync;
  if (const auto others = settings_.other_roots.find(request.layout); others != settings_.other_roots.end())
    request.roots.insert(others->second.begin(), others->second.end());
  if (settings_.complete) settings_.complete(request);
  return request;
}

std::vector<StoreOptions> Stores::archived(const Context& context, std::string_view layout, std::string_view wanted) {
  auto all = archived_.look(context, *this, wanted);
  if (!layout.empty()) std::erase_if(all, [&](const StoreOptions& store) { return store.layout != layout; });
  return all;
}

Result<FileSystem*> Stores::files_for(const Context& context, const StoreOptions& options, bool write) {
  const auto root = options.roots.find("");
  if (root != options.roots.end() && root->second.find("/@") != std::string::npos) {
    if (FileSystem* const foreign = machines_.files_of(root->second)) {
      if (!write) return foreign;
      return fail(
          Code::read_only,
          "sessions of other machines are read-only; run holdfast handoff ID --machine NAME --to AGENT to continue "
          "one here",
          root->second);
    }
  }
  if (root == options.roots.end() || !CapturedFiles::is_in(settings_.archive, root->second)) return settings_.files;
  if (write)
    return fail(Code::read_only, "the archive is read-only; run holdfast restore ID to bring a session back",
                root->second);
  if (archived_.files_of(*this, options) == nullptr) archived_.look(context, *this);
  FileSystem* const files = archived_.files_of(*this, options);
  return files == nullptr ? settings_.files : files;
}

StoreOptions Stores::add_known_roots(const StoreOptions& given) const {
  StoreOptions options = normalized_options(given);
  const auto known = [&](const StoreOptions& other) {
    const StoreOptions its = normalized_options(other);
    if (store_name(its) != store_name(options)) return false;
    options.roots = its.roots;
    return true;
  };
  if (options.roots.size() == 1 && !std::ranges::any_of(settings_.defaults, known)) (void)known(settings_.home);
  return options;
}

Result<std::shared_ptr<Store>> Stores::open(const Context& context, const StoreOptions& given, Use use) {
  const StoreOptions options = add_known_roots(given);
  std::string name = store_name(options);
  for (const auto& [root, path] : options.roots)
    if (!root.empty()) name.append("\n").append(root).append("=").append(path);
  const bool write = use == Use::write || use == Use::create;
  if (auto store = opened(name, write)) return store;
  HOLDFAST_LET(files, files_for(context, options, write));
  const Turns::Turn turn = turns_.of(name);
  const ScopedLock opening(*turn);
  if (auto store = opened(name, write)) return store;
  auto result = Store::open(context, *files, completed(options, use));
  if (!result) {
    const bool own = options.layout == "holdfast" && store_name(options) == store_name(settings_.home);
    if (!own || result.error().code != Code::not_found) return fail(result.error());
    return fail(Code::not_found, "Holdfast has no session of its own yet; create one with holdfast session create",
                result.error().path);
  }
  std::shared_ptr<Store> store = std::move(*result);
  Opened before{store, write};  // closed after the lock is released
  std::shared_ptr<Listener> listener;
  {
    const ScopedLock lock(mutex_);
    std::swap(opened_[name], before);
    if (subscribed_) listener = listener_;
  }
  if (listener != nullptr) attach(listener, *store);
  return store;
}

void Stores::warn(Finding finding) {
  const ScopedLock lock(mutex_);
  const auto is_same = [&](const Finding& other) {
    return other.file == finding.file && other.kind == finding.kind && other.consequence == finding.consequence;
  };
  if (std::ranges::none_of(warnings_, is_same)) warnings_.push_back(std::move(finding));
}

std::vector<Finding> Stores::news() {
  std::vector<std::shared_ptr<Store>> open;
  std::vector<Finding> news;
  {
    const ScopedLock lock(mutex_);
    for (const auto& [name, each] : opened_) open.push_back(each.store);
    news = std::exchange(warnings_, {});
  }
  for (const auto& store : open) {
    const auto engine = engine_of(*store);
    if (!engine) continue;
    const std::vector<Finding> all = (*engine)->opening_findings();
    const ScopedLock lock(mutex_);
    for (auto& [name, each] : opened_) {
      if (each.store != store) continue;
      news.insert(news.end(), all.begin() + static_cast<std::ptrdiff_t>(std::min(each.told, all.size())), all.end());
      each.told = std::max(each.told, all.size());
    }
  }
  return news;
}

std::shared_ptr<SessionWriter> Stores::kept_writer(Store& store, const std::string& id, bool leased,
                                                   std::vector<std::shared_ptr<SessionWriter>>& gone) {
  // A lost lease has to be taken again.
  const bool lost = leased && lease_lost(store, id);
  const ScopedLock lock(mutex_);
  const auto found = kept_.find({store.name(), id});
  if (found == kept_.end()) return nullptr;
  const bool again = lost && found->second.leased;
  if ((found->second.leased || !leased) && !again) {
    found->second.used = ++clock_;
    return found->second.writer;
  }
  gone.push_back(std::move(found->second.writer));
  kept_.erase(found);
  return nullptr;
}

std::shared_ptr<SessionWriter> Stores::keep_writer(const std::string& store, std::shared_ptr<SessionWriter> writer,
                                                   const WriterOptions& options,
                                                   std::vector<std::shared_ptr<SessionWriter>>& gone) {
  const bool leased = options.lease != LeaseRequest::none;
  const ScopedLock lock(mutex_);
  // The caller's id may have been a prefix of one that is kept, and that one may have a lease.
  Kept& kept = kept_[{store, writer->id()}];
  if (kept.writer != nullptr && !leased) {
    gone.push_back(std::move(writer));
  } else {
    if (kept.writer != nullptr) gone.push_back(std::move(kept.writer));
    kept = {std::move(writer), leased, options.owner_note, 0};
  }
  kept.used = ++clock_;
  auto result = kept.writer;
  forget_oldest(gone);
  return result;
}

Result<std::shared_ptr<SessionWriter>> Stores::writer(const Context& context, const std::shared_ptr<Store>& store,
                                                      const std::string& id, const WriterOptions& options) {
  const bool leased = options.lease != LeaseRequest::none;
  std::vector<std::shared_ptr<SessionWriter>> gone;  // declared first: destroyed after every lock is released
  if (auto writer = kept_writer(*store, id, leased, gone)) return writer;
  HOLDFAST_TRY(own(context, *store, id));  // before any lock: it may start a process
  const Turns::Turn turn = turns_.of(store->name() + "\n" + id);
  const ScopedLock opening(*turn);
  if (auto writer = kept_writer(*store, id, leased, gone)) return writer;
  HOLDFAST_LET(opened, store->write(context, id, options));
  std::shared_ptr<SessionWriter> writer = std::move(opened);
  if (!settings_.keep) return writer;
  return keep_writer(store->name(), std::move(writer), options, gone);
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
    const ScopedLock lock(mutex_);
    if (kept_.contains({store, writer->id()})) return {};
  }
  return writer->close(context);
}

bool Stores::holds(Store& store, const std::string& id) {
  {
    const ScopedLock lock(mutex_);
    const auto found = kept_.find({store.name(), id});
    if (found == kept_.end() || !found->second.leased) return false;
  }
  return !lease_lost(store, id);
}

bool Stores::owns(const Context& context, Store& store, const std::string& id) {
  return holds(store, id) ||
         (settings_.owner && is_owned_by(context, store, id, settings_.owner->note).value_or(false));
}

Result<void> Stores::flush(const Context& context, const std::string& store, const std::string& id) {
  std::shared_ptr<FileSessionWriter> writer;
  {
    const ScopedLock lock(mutex_);
    const auto found = kept_.find({store, id});
    if (found != kept_.end()) writer = std::dynamic_pointer_cast<FileSessionWriter>(found->second.writer);
  }
  return writer != nullptr ? writer->flush(context) : Result<void>();
}

OwnerClaim Stores::claim() const {
  return {.own_writers = true, .note = settings_.owner ? settings_.owner->note : std::string()};
}

Result<void> Stores::release(const Context& context, Store& store, const std::string& id) {
  std::shared_ptr<SessionWriter> writer;
  if (settings_.owner) HOLDFAST_TRY(release_session_lease(context, store, id, settings_.owner->note));
  {
    const ScopedLock lock(mutex_);
    const auto found = kept_.find({store.name(), id});
    if (found == kept_.end()) return {};
    writer = std::move(found->second.writer);
    kept_.erase(found);
  }
  return writer->close(context);
}

void Stores::reopen(const Context& context, const std::shared_ptr<Store>& store, const std::string& id) {
  std::vector<std::shared_ptr<SessionWriter>> gone;  // declared first: destroyed after every lock is released
  const bool leased = holds(*store, id);
  const Turns::Turn turn = turns_.of(store->name() + "\n" + id);
  const ScopedLock opening(*turn);
  WriterOptions options;
  {
    const ScopedLock lock(mutex_);
    const auto found = kept_.find({store->name(), id});
    if (found == kept_.end()) return;
    options.owner_note = found->second.note;
  }
  // From the old writer: at no time is the session without an owner.
  options.lease = LeaseRequest::take_over;
  if (auto opened = leased ? store->write(context, id, options) : fail(Code::not_found, "")) {
    (void)keep_writer(store->name(), std::move(*opened), options, gone);
    return;
  }
  const ScopedLock lock(mutex_);
  if (auto old = kept_.extract({store->name(), id})) gone.push_back(std::move(old.mapped().writer));
}

Result<bool> Stores::own(const Context& context, Store& store, const std::string& id, bool takeover) const {
  if (!settings_.owner) return false;
  const std::string& note = settings_.owner->note;
  auto owned = is_owned_by(context, store, id, note);
  if (!owned && owned.error().code == Code::busy && takeover) {
    HOLDFAST_TRY(break_session_lease(context, store, id));
    owned = false;
  }
  if (!owned || *owned) return owned;
  auto held = settings_.owner->hold({.store = store.name(), .session = id});
  // Busy can mean that a concurrent call of the same owner won.
  if (!held && held.error().code == Code::busy) return is_owned_by(context, store, id, note);
  HOLDFAST_TRY(held);
  return true;
}

Result<void> Stores::check_free(Store& store, const std::string& id) {
  if (holds(store, id)) return {};
  return check_not_owned(store, id, settings_.owner ? settings_.owner->note : std::string());
}

Result<bool> Stores::own_new(const Context& context, const std::shared_ptr<Store>& store, const std::string& id,
                             const std::string& note) {
  if (!settings_.keep) return own(context, *store, id);
  {
    const ScopedLock lock(mutex_);
    const auto leased = std::ranges::count_if(kept_, [](const auto& one) { return one.second.leased; });
    if (leased >= kMaxLeases) return fail(Code::busy, "this process already holds the leases of too many sessions");
  }
  WriterOptions options;
  options.lease = LeaseRequest::take;
  options.owner_note = note;
  HOLDFAST_TRY(writer(context, store, id, options));
  return true;
}

Result<bool> Stores::own_run(const Context& context, Store& store, const std::string& project, const std::string& id) {
  if (settings_.owner) {
    HOLDFAST_TRY(settings_.owner->hold({.store = store.name(), .run = id, .project = project}));
    return true;
  }
  if (!settings_.keep) return false;
  HOLDFAST_LET(lease, holdfast::own_run(context, store, project, id));
  const ScopedLock lock(mutex_);
  runs_.insert_or_assign({store.name(), id}, std::move(lease));
  return true;
}

Result<void> Stores::release_run(const Context& context, Store& store, const std::string& id) {
  std::optional<Lease> lease;
  {
    const ScopedLock lock(mutex_);
    if (auto found = runs_.extract({store.name(), id})) lease.emplace(std::move(found.mapped()));
  }
  if (lease) return lease->release();
  if (!settings_.owner) return {};
  return holdfast::release_run(context, store, id, settings_.owner->note);
}

Result<void> Stores::check_run_free(Store& store, const std::string& id) {
  {
    const ScopedLock lock(mutex_);
    if (runs_.contains({store.name(), id})) return {};
  }
  return holdfast::check_run_free(store, id, settings_.owner ? settings_.owner->note : std::string());
}

Result<Lease> Stores::lease(const Context& context, const CallOwner::Thing& thing, const std::string& note) {
  HOLDFAST_LET(options, parse_store_name(thing.store));
  HOLDFAST_LET(store, open(context, options, Use::write));
  if (!thing.run.empty()) return holdfast::own_run(context, *store, thing.project, thing.run, note);
  return own_session(context, *store, thing.session, note);
}

void Stores::set_listener(Listener listener) {
  const ScopedLock lock(mutex_);
  listener_ = std::make_shared<Listener>(std::move(listener));
}

void Stores::attach(const std::shared_ptr<Listener>& listener, Store& store) {
  store.subscribe([listener, name = store.name()](const StoreEvent& event) { (*listener)(name, event); });
}

Result<void> Stores::subscribe(const Context& /*context*/) {
  std::vector<std::shared_ptr<Store>> stores;
  std::shared_ptr<Listener> listener;
  {
    const ScopedLock lock(mutex_);
    if (listener_ == nullptr)
      return fail(Code::unsupported,
                  "events need a connection that stays open: holdfast rpc, or Store::subscribe of the C++ library");
    if (std::exchange(subscribed_, true)) return {};
    listener = listener_;
    for (const auto& [name, opened] : opened_) stores.push_back(opened.store);
  }
  for (const auto& store : stores) attach(listener, *store);
  return {};
}

Result<void> Stores::close(const Context& context) {
  std::map<Key, Kept> kept;
  std::map<std::string, Opened, std::less<>> opened;
  std::map<Key, Lease> runs;  // the lease files stay: a run that its owner did not end is abandoned
  {
    const ScopedLock lock(mutex_);
    kept.swap(kept_);
    opened.swap(opened_);
    runs.swap(runs_);
  }
  Result<void> result;
  for (auto& [key, one] : kept) {
    if (auto closed = one.writer->close(context); !closed && result) result = std::move(closed);
  }
  for (auto& [name, one] : opened) {
    const auto files = engine_of(*one.store);
    auto saved = files ? (*files)->flush_unwritten(context) : Result<void>();
    if (saved) continue;
    // Name every store that loses something.
    if (result)
      result = std::move(saved);
    else
      result.error().message += "; " + saved.error().text();
  }
  return result;
}

}  // namespace holdfast::inline v1
