// Small promises of a store, each with one right outcome: what is set aside, what waits
// for a person, what is ready, what is still to be sent, what was wiped.
#include <holdfast/store.h>

#include "disk/log_head.h"
#include "rules/queue/queue_storage.h"
#include "rules/workflow/workflow_ready.h"
#include "sim_moves.h"
#include "sim_parts.h"
#include "sim_sick.h"
#include "sim_world.h"
#include "store/paused_sessions.h"
#include "store_door.h"
#include "store_world.h"

namespace holdfast::lab {
namespace {

// The disk after a power loss in which only synced data survived.
std::unique_ptr<SimFileSystem> dark(const SimFileSystem& disk) {
  auto nothing = Chooser::random(1, 0);
  return disk.crash(CrashModel::weak, nothing);
}

bool holds(const SimFileSystem& disk, std::string_view text) {
  for (const SimEntry& entry : disk.tree())
    if (entry.bytes.contains(text)) return true;
  return false;
}

const StoreTraits& traits_of(std::string_view layout) {
  for (const StoreTraits& traits : store_traits())
    if (traits.layout == layout) return traits;
  return store_traits().front();
}

std::shared_ptr<Store> open(FileSystem& files, const std::string& layout, bool sync, Outcome& outcome) {
  StoreOptions options{.layout = layout, .roots = {{"", kStoreTop}}, .write = true, .create = true};
  options.sync = sync;
  auto store = Store::open({}, files, options);
  if (!store) outcome.fail(&Outcome::unopenable, layout + ": " + store.error().text());
  return store ? *store : nullptr;
}

// A file that cannot be read is moved aside, durably.
void set_aside(Outcome& outcome) {
  constexpr std::string_view kGarbage = "no state of any session";
  const auto disk = disk_for(traits_of("lopen"), 1);
  {
    LibraryDoor door(*disk, "lopen", kStoreTop, false);
    if (const auto made = door.call("session.start", params({{"module", "one"}, {"no_resume", raw("true")}})); !made)
      return outcome.fail(&Outcome::wrong, "lopen: " + made.error().text());
  }
  for (const std::string& path : disk->paths())
    if (path.ends_with("/state.json")) (void)disk->put_file(path, kGarbage);
  if (!holds(*disk, kGarbage)) return outcome.fail(&Outcome::wrong, "lopen: a session has no state");
  ++outcome.cases;
  const Moves moves(*disk, "");
  (void)open(*disk, "lopen", false, outcome);
  if (moves.count() == 0) outcome.fail(&Outcome::wrong, "a session that cannot be read is not moved aside");
  if (moves.may_be_lost())
    outcome.fail(&Outcome::lost, "a session that cannot be read may be nowhere after a power loss");
}

void paused(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/keep", "");
  auto root = Root::open({}, disk, kRootA);
  if (!root) return outcome.fail(&Outcome::unopenable, root.error().text());
  PausedSessions().pause(**root, "x", "the disk is full");
  const auto after = dark(disk);
  auto next = Root::open({}, *after, kRootA);
  if (!next || !PausedSessions().why(**next, "x"))
    outcome.fail(&Outcome::lost, "a session that stands still goes on after a power loss");
}

void ready(Outcome& outcome) {
  ++outcome.cases;
  const auto disk = disk_for(traits_of("lopen"), 1);
  const auto store = open(*disk, "lopen", false, outcome);
  if (store == nullptr) return;
  struct Silent final : SimObserver {
    Injection before(const SimCall& call) override {
      return call.kind == SimCallKind::sync && call.path.contains("/ready/") ? Injection{Injection::Kind::fail, EIO}
                                                                             : Injection{};
    }
  } sick;
  disk->set_observer(&sick);
  const auto done = prepare_workflow({}, *store);
  disk->set_observer(nullptr);
  if (done) outcome.fail(&Outcome::wrong, "a store is ready on a medium that takes nothing");
}

// What was saved while the item was being sent is still to be sent.
void saved_meanwhile(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  const auto store = open(disk, "holdfast", true, outcome);
  if (store == nullptr) return;
  const auto id = store->create(
      {}, {.project = "/srv/p", .title = "one", .metadata = R"({"privacy":{"localOnly":false}})"}, Durability::power);
  auto book = open_queue_storage(*store);
  auto derived = book ? (*book)->derive({}) : fail(book.error());
  if (!id || !derived || derived->empty())
    return outcome.fail(&Outcome::wrong, "nothing is queued: " + (derived ? "" : derived.error().text()));
  const SyncItem sent = derived->front();
  SessionPatch patch;
  patch.title = "two";
  const auto saved = store->update({}, *id, patch);
  const auto again = (*book)->derive({});
  if (!saved || !again || again->empty()) return outcome.fail(&Outcome::wrong, "what is saved again is not queued");
  (void)(*book)->settle({}, sent, std::nullopt);
  const auto left = (*book)->item({}, sent.id);
  if (!left || !*left) outcome.fail(&Outcome::lost, "what was saved while an item was sent is never sent");
}

// A refused import leaves no session, even after a power loss: neither if its log cannot be renamed into
// place, nor if the file beside the log, which is written after it, cannot.
void refused_import_at(std::string_view ending, Outcome& outcome) {
  ++outcome.cases;
  const StoreTraits& traits = traits_of("open-agent");
  const auto disk = disk_for(traits, 1);
  LibraryDoor door(*disk, "open-agent", kStoreTop, false);
  struct Forbidden final : SimObserver {
    explicit Forbidden(std::string_view name) : ending(name) {}
    Injection before(const SimCall& call) override {
      const bool named = call.kind == SimCallKind::rename && call.to.ends_with(ending);
      return named ? Injection{Injection::Kind::fail, EACCES} : Injection{};
    }
    std::string_view ending;
  } forbidden(ending);
  disk->set_observer(&forbidden);
  const auto done = door.call(
      "session.import",
      params(
          {{"text", R"({"session":{"title":"refused","project":"/p"},"messages":[{"role":"user","text":"one"}]})"}}));
  disk->set_observer(nullptr);
  if (done) return outcome.fail(&Outcome::wrong, "an import is acknowledged that was forbidden");
  const auto after = dark(*disk);
  LibraryDoor next(*after, "open-agent", kStoreTop, false);
  const auto list = next.call("session.list", "{}");
  if (!list || !list->contains("\"total\":0"))
    outcome.fail(&Outcome::wrong, "a refused import: " + (list ? *list : list.error().text()));
}
void refused_import(Outcome& outcome) {
  for (const std::string_view ending : {".jsonl", ".json"}) refused_import_at(ending, outcome);
}

// What was wiped from the old file does not come back.
void wiped(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/log", "{\"key\":\"secret\"}\n{\"n\":1}\n");
  auto root = Root::open({}, disk, kRootA);
  const auto done = root ? replace_head({}, *root, {"log", "{\"key\":\"secret\"}", "{\"key\":\"\"}", true})
                         : Result<void>(fail(root.error()));
  if (!done) return outcome.fail(&Outcome::wrong, done.error().text());
  if (holds(*dark(disk), "secret")) outcome.fail(&Outcome::altered, "a wiped first line is back after a power loss");
}

}  // namespace

void run_corners(Outcome& outcome) {
  for (void (*each)(Outcome&) : {&set_aside, &paused, &ready, &saved_meanwhile, &refused_import, &wiped}) each(outcome);
}

}  // namespace holdfast::lab
