// Large texts that are no longer referenced, and their collection. At every call of one
// process another acts; the power is cut after every change to the disk: a referenced
// text must be readable, and one that may still become referenced must be somewhere.
#include <holdfast/store.h>

#include <algorithm>
#include <functional>

#include "base/hash.h"
#include "layout/holdfast/line.h"
#include "sim_interleaving.h"
#include "sim_moves.h"
#include "sim_parts.h"
#include "sim_world.h"
#include "store/blob_collection.h"

namespace holdfast::lab {
namespace {

constexpr std::chrono::hours kMonth{24 * 30};

std::string text_of_blob() { return std::string(native::kBlobOver, 'x') + "own"; }

Message large() {
  Message message;
  message.origin = Origin::typed;
  message.blocks.push_back({.kind = BlockKind::text, .text = text_of_blob()});
  return message;
}

class Blobs {
 public:
  Blobs(std::string what, Outcome& outcome) : what_(std::move(what)), outcome_(outcome), way_(disk_) {
    ++outcome_.cases;
    clock_.sleep(kMonth * 12);
    visitors_.sleep(kMonth * 12);
    store_ = open(disk_, clock_);
    // A removed session that left its text behind, and another one that may use the text again.
    heir_ = make();
    const std::string gone = make();
    say(*store_, gone, clock_);
    if (auto removed = store_->remove(context(clock_), gone); !removed) broken(removed.error().text());
    disk_.sync_all();
    said_ = false;
  }

  SimFileSystem& disk() { return disk_; }
  InterleavingFileSystem& way() { return way_; }

  void say(Store& store, const std::string& id, const Clock& clock) {
    auto writer = store.write(context(clock), id, {});
    auto done = writer ? (*writer)->append(context(clock), large(), Durability::power) : fail(writer.error());
    said_ = done.has_value();
    if (!done && done.error().code != Code::busy) broken(done.error().text());
  }
  void say_by(FileSystem& files, const Clock& clock) {
    said_ = false;
    if (const auto store = open(files, clock)) say(*store, heir_, clock);
  }
  void collect_by(FileSystem& files, const Clock& clock) {
    const auto store = open(files, clock);
    const auto done =
        store ? collect_blobs(context(clock), *store, clock.now()) : Result<CollectedBlobs>(CollectedBlobs());
    if (!done && done.error().code != Code::busy) broken(done.error().text());
  }
  const JumpingClock& mine() const { return clock_; }
  const JumpingClock& visitors() const { return visitors_; }

  // The acknowledged text can be read.
  void reads() { reads(disk_); }
  void reads(FileSystem& disk) {
    if (!said_) return;
    ++outcome_.cases;
    const auto store = open(disk, clock_);
    const auto seen = store ? store->read(context(clock_), heir_, {}) : fail(Code::internal, "no store");
    const bool whole = seen && std::ranges::any_of(seen->messages, [](const Message& message) {
                         return message.text() == text_of_blob();
                       });
    if (!whole) broken("a text that is named cannot be read", &Outcome::lost);
  }

  // The text is in its place, or set aside.
  void somewhere(const SimFileSystem& disk, const std::string& when) {
    ++outcome_.cases;
    const std::string name = sha256_hex(text_of_blob());
    for (const SimEntry& entry : disk.tree())
      if (entry.path.ends_with(name) && entry.bytes == text_of_blob()) return;
    broken(when + ": a text is nowhere", &Outcome::lost);
  }

  void broken(const std::string& how, std::uint64_t Outcome::* count = &Outcome::wrong) {
    outcome_.fail(count, what_ + ": " + how);
  }

 private:
  static Context context(const Clock& clock) { return {{}, {}, &clock}; }

  std::shared_ptr<Store> open(FileSystem& files, const Clock& clock) {
    auto store = Store::open(context(clock), files,
                             {.layout = "holdfast", .roots = {{"", "/store"}}, .write = true, .create = true});
    if (!store) broken(store.error().text(), &Outcome::unopenable);
    return store ? *store : nullptr;
  }
  std::string make() {
    auto id = store_->create(context(clock_), {.project = "/srv/p"}, Durability::power);
    if (!id) broken(id.error().text());
    return id.value_or("");
  }

  const std::string what_;
  Outcome& outcome_;
  JumpingClock clock_, visitors_;
  SimFileSystem disk_;
  InterleavingFileSystem way_;
  std::shared_ptr<Store> store_;
  std::string heir_;
  bool said_ = false;
};

// The power is cut whenever a text has moved: an acknowledged one can be read.
struct GoneAfterMoves final : SimObserver {
  explicit GoneAfterMoves(Blobs& its) : blobs(its) { blobs.disk().set_observer(this); }
  ~GoneAfterMoves() override { blobs.disk().set_observer(nullptr); }
  void after(const SimCall& call) override {
    if (call.kind != SimCallKind::rename || call.path.find("blobs") == std::string::npos) return;
    auto chooser = Chooser::random(1, 1);
    const auto disk = blobs.disk().crash(CrashModel::weak, chooser);
    blobs.reads(*disk);
  }
  Blobs& blobs;
};

// One process writes a text that another collects.
void meetings(Outcome& outcome) {
  for (const bool collects : {true, false}) {
    std::uint64_t calls = 1;
    for (std::uint64_t at = 0; at < calls; ++at) {
      Blobs blobs(std::string(collects ? "a collection meets a text" : "a text meets a collection") + " at call " +
                      std::to_string(at),
                  outcome);
      blobs.way().meet(at, [&] {
        collects ? blobs.say_by(blobs.disk(), blobs.visitors()) : blobs.collect_by(blobs.disk(), blobs.visitors());
      });
      {
        const GoneAfterMoves gone(blobs);
        collects ? blobs.collect_by(blobs.way(), blobs.mine()) : blobs.say_by(blobs.way(), blobs.mine());
      }
      calls = std::max(calls, blobs.way().calls());
      blobs.way().clear_visits();
      blobs.reads();
    }
  }
}

struct Cut final : SimObserver {
  explicit Cut(Blobs& its) : blobs(its) { blobs.disk().set_observer(this); }
  ~Cut() override { blobs.disk().set_observer(nullptr); }
  void after(const SimCall& call) override {
    for (const std::uint64_t seed : {std::uint64_t{0}, call.index + 1}) {
      auto chooser = Chooser::random(seed == 0 ? 1 : 12, seed);
      do {
        blobs.somewhere(*blobs.disk().crash(CrashModel::weak, chooser),
                        "power lost after call " + std::to_string(call.index));
      } while (chooser.next());
    }
  }
  Blobs& blobs;
};

// A text is set aside and put back.
void cuts(Outcome& outcome) {
  Blobs blobs("a text that is set aside and put back", outcome);
  {
    const Moves moves(blobs.disk(), "/removed/blobs.");
    blobs.collect_by(blobs.disk(), blobs.mine());
    if (moves.count() != 1 || moves.may_be_lost()) blobs.broken("a text may be nowhere after a power loss");
  }
  // Somebody relied on the text: the reference appears when the text is already set aside.
  blobs.disk().sync_all();
  (void)blobs.disk().put_file("/store/projects/named.txt", sha256_hex(text_of_blob()));
  const Cut cut(blobs);
  blobs.collect_by(blobs.disk(), blobs.mine());
}

// A text that was just set aside stays.
void grace(Outcome& outcome) {
  Blobs blobs("a text that was set aside a moment ago", outcome);
  for (int round = 0; round < 3; ++round) blobs.collect_by(blobs.disk(), blobs.mine());
  blobs.somewhere(blobs.disk(), "at once");
}

// A folder of sessions that is not available now may reference it.
void out_of_reach(Outcome& outcome) {
  Blobs blobs("a text beside a link that leads nowhere", outcome);
  auto store = blobs.disk().open_directory("/store", false);
  if (!store || !(*store)->make_symlink("/elsewhere/sessions", "projects/away")) return blobs.broken("no link");
  for (int round = 0; round < 3; ++round) {
    blobs.collect_by(blobs.disk(), blobs.mine());
    blobs.mine().sleep(kMonth * 2);
  }
  blobs.somewhere(blobs.disk(), "after months");
}

}  // namespace

void run_blobs(Outcome& outcome) {
  for (void (*each)(Outcome&) : {&grace, &out_of_reach, &cuts, &meetings}) each(outcome);
}

}  // namespace holdfast::lab
