// Sessions that are moved to the trash, restored, cleared or deleted, one step
// after the other. At every call another process acts; the power is cut after
// every change to the disk; every call fails once; something else occupies a path.
#include <algorithm>
#include <cerrno>
#include <functional>

#include "sim_interleaving.h"
#include "sim_moves.h"
#include "sim_parts.h"
#include "sim_session.h"
#include "store_picture.h"

namespace holdfast::lab {
namespace {

const std::string kIts = params({{"id", kId}});

struct Scene {
  Scene(const StoreTraits& of, const std::string& name, Outcome& found)
      : traits(of), outcome(found), session(of, *disk, name, found) {
    first.hurry();
    second.hurry();
    session.create(second);
  }

  // Where the next process sees the session: "live", "trashed", "both" or "".
  std::string where(FileSystem& files, const std::string& when) {
    LibraryDoor next(files, std::string(traits.layout), kStoreTop, false);
    auto seen = look_at(next, traits, false);
    if (!seen) session.broken(when, seen.error().text(), &Outcome::unopenable);
    return seen ? seen->slots[session_slot(kId)] : std::string();
  }

  // The session can be written to.
  void goes_on(FileSystem& files, const std::string& when) {
    LibraryDoor next(files, std::string(traits.layout), kStoreTop, false);
    const auto done = next.call("message.append", params({{"session", kId}, {"text", "and on"}}));
    if (!done) session.broken(when, "cannot be appended to: " + done.error().text(), &Outcome::unopenable);
  }

  const StoreTraits& traits;
  Outcome& outcome;
  std::unique_ptr<SimFileSystem> disk = disk_for(traits, 1);
  InterleavingFileSystem way{*disk};
  Session session;
  LibraryDoor first{way, std::string(traits.layout), kStoreTop, true};
  LibraryDoor second{*disk, std::string(traits.layout), kStoreTop, true};
  LibraryDoor patient{*disk, std::string(traits.layout), kStoreTop, true};  // for long waits at every call
};

// ---- another process acts at every call

using Act = std::function<void(Scene&, Door&)>;

void meetings(const StoreTraits& traits, const char* name, const Act& prepare, const Act& act, const Act& visit,
              Outcome& outcome) {
  std::uint64_t calls = 1;
  for (std::uint64_t at = 0; at < calls; ++at) {
    Scene scene(traits, name + (" at call " + std::to_string(at)), outcome);
    prepare(scene, scene.second);
    const std::uint64_t begin = scene.way.calls();
    scene.way.meet(begin + at, [&] { visit(scene, scene.second); });
    act(scene, scene.first);
    calls = std::max(calls, scene.way.calls() - begin);
    scene.way.clear_visits();
    scene.session.judge(*scene.disk, false, "");
  }
}

void nothing(Scene&, Door&) {}
void say_small(Scene& scene, Door& door) { (void)scene.session.append(door, "m1s"); }
void say_large(Scene& scene, Door& door) { (void)scene.session.append(door, "m2b"); }
void move_out(Scene&, Door& door) { (void)door.call("session.trash", kIts); }

// ---- the power is cut after every change to the disk

class Cut final : public SimObserver {
 public:
  using Look = std::function<void(SimFileSystem&, const std::string&)>;
  Cut(SimFileSystem& disk, Look look) : disk_(disk), look_(std::move(look)) { disk_.set_observer(this); }
  ~Cut() override { disk_.set_observer(nullptr); }
  void after(const SimCall& call) override { states(", power lost after call " + std::to_string(call.index)); }
  void states(const std::string& when) {
    for (const std::uint64_t states : {std::uint64_t{0}, std::uint64_t{6}}) {
      auto chooser = Chooser::random(states == 0 ? 1 : states, states == 0 ? 0 : disk_.calls());
      do {
        look_(*disk_.crash(CrashModel::weak, chooser), when);
      } while (chooser.next());
    }
  }

 private:
  SimFileSystem& disk_;
  const Look look_;
};

// The disk after a power loss in which only synced data survived.
std::unique_ptr<SimFileSystem> dark(const SimFileSystem& disk) {
  auto nothing_else = Chooser::random(1, 0);
  return disk.crash(CrashModel::weak, nothing_else);
}

void gone_for_good(const StoreTraits& traits, Outcome& outcome) {
  Scene scene(traits, "a removal that was acknowledged", outcome);
  (void)scene.session.append(scene.second, "m1s");
  const Moves moves(*scene.disk, "/removed/");
  scene.session.must(scene.second, "session.trash", kIts);
  if (moves.may_be_back()) scene.session.broken("", "its old name may be back after a power loss");
}

void brought_back(const StoreTraits& traits, Outcome& outcome) {
  Scene scene(traits, "a session that comes back", outcome);
  (void)scene.session.append(scene.second, "m1s");
  scene.session.must(scene.second, "session.trash", kIts);
  Cut cut(*scene.disk, [&](SimFileSystem& disk, const std::string& when) {
    scene.session.judge(disk, true, when);
    scene.goes_on(disk, when);
  });
  scene.session.must(scene.second, "session.restore", kIts);
}

// In some layouts the title is in another file than the messages: both are live, or both are in the trash.
void half_moved(const StoreTraits& traits, Outcome& outcome) {
  for (const bool back : {false, true}) {
    Scene scene(traits, back ? "a return that is cut short" : "a removal that is cut short", outcome);
    (void)scene.session.append(scene.second, "m1s");
    scene.session.must(scene.second, "session.update", params({{"id", kId}, {"title", "renamed"}}));
    if (back) scene.session.must(scene.second, "session.trash", kIts);
    Cut cut(*scene.disk, [&](SimFileSystem& disk, const std::string& when) {
      LibraryDoor next(disk, std::string(traits.layout), kStoreTop, false);
      (void)next.call("session.update", params({{"id", kId}, {"model", "other"}}));  // finishes what was begun
      auto seen = next.call("session.get", kIts);
      if (!seen) {
        (void)next.call("session.restore", kIts);
        seen = next.call("session.get", kIts);
      }
      if (!seen || !seen->contains("renamed")) scene.session.broken(when, "has lost its title", &Outcome::lost);
      scene.goes_on(disk, when);
      if (const auto again = next.call("session.restore", kIts); !again && again.error().code == Code::already_exists)
        scene.session.broken(when, "cannot be restored: " + again.error().text());
    });
    scene.session.must(scene.patient, back ? "session.restore" : "session.trash", kIts);
  }
}

void deleted_for_good(const StoreTraits& traits, Outcome& outcome) {
  Scene scene(traits, "a trash that is emptied", outcome);
  (void)scene.session.append(scene.second, "m1s");
  scene.session.must(scene.second, "session.trash", kIts);
  Cut cut(*scene.disk, [&](SimFileSystem& disk, const std::string& when) {
    if (scene.where(disk, when) == "trashed") scene.session.judge(disk, true, when);
  });
  scene.session.must(scene.second, "store.prune", params({{"trash_days", raw("0")}}));
}

bool holds(const SimFileSystem& disk, const std::string& text) {
  return std::ranges::any_of(disk.tree(), [&](const SimEntry& entry) { return entry.bytes.contains(text); });
}

// `young`: the last message was not synced, so a power loss before the answer may lose or tear it.
void cleared(const StoreTraits& traits, bool young, Outcome& outcome) {
  Scene scene(traits, "a session that is cleared", outcome);
  (void)scene.session.append(scene.second, "m1s");
  (void)scene.session.append(scene.second, "m2s", !young);
  if (!young) scene.disk->sync_all();
  const auto messages = [&](SimFileSystem& disk, const std::string& when) {
    LibraryDoor next(disk, std::string(traits.layout), kStoreTop, false);
    auto seen = look_at(next, traits, true);
    if (!seen || !seen->damage.empty())
      scene.session.broken(when, seen ? seen->damage.front() : seen.error().text(), &Outcome::altered);
    return seen ? seen->shelves[messages_shelf(kId)].size() : 0;
  };
  const auto kept = [&](const SimFileSystem& disk, const std::string& when) {
    for (const char* message : {"m1s", "m2s"})
      if (!holds(disk, text_of(message, traits)))
        scene.session.broken(when, std::string(message) + " is nowhere", &Outcome::lost);
  };
  {
    Cut cut(*scene.disk, [&](SimFileSystem& disk, const std::string& when) {
      if (young) return;
      kept(disk, when);
      (void)messages(disk, when);
      scene.goes_on(disk, when);
    });
    scene.session.must(scene.first, "session.clear", kIts);
  }
  const auto after = dark(*scene.disk);
  kept(*after, ", after the answer");
  if (messages(*after, ", after the answer") != 0)
    scene.session.broken(", after the answer", "its messages are back after a power loss");
}

// ---- a call fails

class Fails final : public SimObserver {
 public:
  // Fails a sync, or forbids a rename.
  Fails(std::uint64_t number, bool rename) : number_(number), rename_(rename) {}
  Injection before(const SimCall& call) override {
    const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
    if (!(rename_ ? call.kind == SimCallKind::rename : sync) || count_++ != number_) return {};
    return {Injection::Kind::fail, rename_ ? EACCES : EIO};
  }
  bool met() const { return count_ > number_; }

 private:
  const std::uint64_t number_;
  const bool rename_;
  std::uint64_t count_ = 0;
};

// Whatever the answer is: the session is live, or in the trash.
void sick_removal(const StoreTraits& traits, Outcome& outcome) {
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    Scene scene(traits, "a removal whose sync " + std::to_string(number) + " fails", outcome);
    (void)scene.session.append(scene.second, "m1s");
    Fails fails(number, false);
    scene.disk->set_observer(&fails);
    (void)scene.second.call("session.trash", kIts);
    scene.disk->set_observer(nullptr);
    met = fails.met();
    const auto left = scene.disk->clone();
    {
      LibraryDoor next(*left, std::string(traits.layout), kStoreTop, false);  // finishes what was begun
      (void)scene.session.append(next, "m2s");
    }
    scene.session.judge(*left, false, ", next process");
  }
}

// Fails all syncs from one on.
class StaysSick final : public SimObserver {
 public:
  StaysSick(SimFileSystem& disk, std::uint64_t number) : disk_(disk), number_(number) { disk_.set_observer(this); }
  ~StaysSick() override { disk_.set_observer(nullptr); }
  Injection before(const SimCall& call) override {
    const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
    return sync && count_++ >= number_ ? Injection{Injection::Kind::fail, EIO} : Injection{};
  }
  bool met() const { return count_ > number_; }

 private:
  SimFileSystem& disk_;
  const std::uint64_t number_;
  std::uint64_t count_ = 0;
};

// The disk works again, a process finishes what was begun, the power is cut.
void sick_move(const StoreTraits& traits, bool back, bool same_process, Outcome& outcome) {
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    Scene scene(traits,
                (back ? "a return whose syncs fail from " : "a removal whose syncs fail from ") +
                    std::to_string(number) + (same_process ? " on, ended by the same process" : " on"),
                outcome);
    (void)scene.session.append(scene.second, "m1s");
    if (back) scene.session.must(scene.second, "session.trash", kIts);
    {
      const StaysSick sick(*scene.disk, number);
      (void)scene.second.call(back ? "session.restore" : "session.trash", kIts);
      met = sick.met();
    }
    LibraryDoor next(*scene.disk, std::string(traits.layout), kStoreTop, false);
    Door& ends = same_process ? static_cast<Door&>(scene.second) : next;
    (void)ends.call("session.update", params({{"id", kId}, {"title", "renamed"}}));
    (void)ends.call("session.restore", kIts);
    const auto at_once = dark(*scene.disk);
    scene.session.judge(*at_once, true, ", power lost at once");
    scene.goes_on(*at_once, ", power lost at once");
    (void)scene.session.append(ends, "m2s");
    const auto after = dark(*scene.disk);
    scene.session.judge(*after, true, ", power lost");
    scene.goes_on(*after, ", power lost");
  }
}

// What the next process acknowledges must be there after a power loss.
void says(Scene& scene, SimFileSystem& disk, const std::string& when) {
  LibraryDoor next(disk, std::string(scene.traits.layout), kStoreTop, false);
  ++scene.outcome.cases;
  if (!next.call("message.append", params({{"session", kId}, {"text", text_of("m2s", scene.traits)}}))) return;
  const auto after = dark(disk);
  LibraryDoor later(*after, std::string(scene.traits.layout), kStoreTop, false);
  auto seen = look_at(later, scene.traits, false);
  if (!seen || std::ranges::count(seen->shelves[messages_shelf(kId)], "m2s") == 0)
    scene.session.broken(when + ", power lost", "lost m2s", &Outcome::lost);
}

// A message in a cleared session is not lost with the name of its new log.
void sick_clearing(const StoreTraits& traits, Outcome& outcome) {
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    Scene scene(traits, "a clearing whose syncs fail from " + std::to_string(number) + " on", outcome);
    (void)scene.session.append(scene.second, "m1s");
    {
      const StaysSick sick(*scene.disk, number);
      (void)scene.second.call("session.clear", kIts);
      met = sick.met();
    }
    says(scene, *scene.disk, "");
  }
}

// Lets one sync fail, and records the disk as left by a process that dies at any later call.
class FailsAndDies final : public SimObserver {
 public:
  FailsAndDies(SimFileSystem& disk, std::uint64_t number) : disk_(disk), fails_(number, false) {
    disk_.set_observer(this);
  }
  ~FailsAndDies() override { disk_.set_observer(nullptr); }
  Injection before(const SimCall& call) override {
    if (fails_.met()) left.push_back(disk_.clone());
    return fails_.before(call);
  }
  bool met() const { return fails_.met(); }
  std::vector<std::unique_ptr<SimFileSystem>> left;

 private:
  SimFileSystem& disk_;
  Fails fails_;
};

void abandoned_clearing(const StoreTraits& traits, Outcome& outcome) {
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    Scene scene(traits, "a clearing whose sync " + std::to_string(number) + " fails", outcome);
    (void)scene.session.append(scene.second, "m1s");
    std::vector<std::unique_ptr<SimFileSystem>> left;
    {
      FailsAndDies dies(*scene.disk, number);
      const auto done = scene.second.call("session.clear", kIts);
      met = dies.met();
      left = std::move(dies.left);
      const bool refused = !done && done.error().code != Code::durability_unknown;
      auto seen = look_at(scene.second, traits, false);
      if (refused && (!seen || std::ranges::count(seen->shelves[messages_shelf(kId)], "m1s") == 0))
        scene.session.broken("", "is refused, and happened");
    }
    for (std::size_t call = 0; call < left.size(); ++call)
      says(scene, *left[call], ", killed " + std::to_string(call) + " calls later");
  }
}

// The disk as left by a writer that dies between its write and the sync.
class Dies final : public SimObserver {
 public:
  explicit Dies(SimFileSystem& disk) : disk_(disk) { disk_.set_observer(this); }
  ~Dies() override { disk_.set_observer(nullptr); }
  void after(const SimCall& call) override {
    const bool writes = call.kind == SimCallKind::append || call.kind == SimCallKind::write_at;
    if (!left && writes && call.path.ends_with(".jsonl") && !call.path.contains("/.holdfast/")) left = disk_.clone();
  }
  std::unique_ptr<SimFileSystem> left;

 private:
  SimFileSystem& disk_;
};

// A sync of the log fails during the removal or the clearing. What precedes a line that was acknowledged
// afterwards must be as durable as that line.
void dead_writer(const StoreTraits& traits, std::string_view method, Outcome& outcome) {
  const std::string long_text(9000, 'x');  // more than the page to which the next line is written
  const auto say = [](Door& door, const std::string& text) {
    return door.call("message.append", params({{"session", kId}, {"text", text}})).has_value();
  };
  const auto shows = [&](Door& door) {
    const auto seen = door.call("message.list", params({{"session", kId}}));
    return seen && seen->contains(long_text);
  };
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    Scene scene(traits, std::string(method) + " after a writer died, whose sync " + std::to_string(number) + " fails",
                outcome);
    (void)say(scene.second, "one");
    std::unique_ptr<SimFileSystem> left;
    {
      Dies dies(*scene.disk);
      (void)say(scene.second, long_text);
      left = std::move(dies.left);
    }
    if (!left) return;
    {
      LibraryDoor sick(*left, std::string(traits.layout), kStoreTop, false);
      Fails fails(number, false);
      left->set_observer(&fails);
      (void)sick.call(method, kIts);
      left->set_observer(nullptr);
      met = fails.met();
    }
    LibraryDoor next(*left, std::string(traits.layout), kStoreTop, false);
    (void)next.call("session.restore", kIts);
    ++outcome.cases;
    if (!say(next, "two") || !shows(next)) continue;
    const auto after = dark(*left);
    LibraryDoor later(*after, std::string(traits.layout), kStoreTop, false);
    if (!shows(later)) scene.session.broken(", power lost", "lost what stood before the last line", &Outcome::lost);
  }
}

// What is refused has not happened, even after a power loss.
void forbidden_removal(const StoreTraits& traits, Outcome& outcome) {
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    Scene scene(traits, "a deletion whose rename " + std::to_string(number) + " is forbidden", outcome);
    (void)scene.session.append(scene.second, "m1s");
    scene.disk->sync_all();
    Fails fails(number, true);
    scene.disk->set_observer(&fails);
    const auto done = scene.second.call("session.delete", kIts);
    scene.disk->set_observer(nullptr);
    met = fails.met();
    const bool unclear = done || done.error().code == Code::durability_unknown || done.error().code == Code::unfinished;
    if (unclear) continue;
    const auto after = dark(*scene.disk);
    scene.session.judge(*after, true, ", power lost");
    scene.goes_on(*after, ", power lost");
  }
}

// ---- something else occupies a path

// The files of the session outside the side folder.
std::vector<std::string> places(const SimFileSystem& with, const SimFileSystem& without) {
  std::vector<std::string> all;
  for (const SimEntry& entry : with.tree())
    if (entry.kind == FileKind::file && !entry.path.contains("/.holdfast/") && !entry.path.contains("/.side/") &&
        !without.exists(entry.path))
      all.push_back(entry.path);
  return all;
}

class Taken final : public SimObserver {
 public:
  // `meanwhile`: it appears when the file is about to come back; otherwise it is there before.
  Taken(SimFileSystem& disk, std::string place, bool meanwhile)
      : disk_(disk), place_(std::move(place)), meanwhile_(meanwhile) {
    if (!meanwhile_) (void)disk_.put_file(place_, "another");
  }
  Injection before(const SimCall& call) override {
    const bool comes = call.kind == SimCallKind::make_link || call.kind == SimCallKind::rename;
    const bool its = call.to == place_ || place_.starts_with(call.to + "/");
    if (meanwhile_ && comes && its) (void)disk_.put_file(place_, "another");
    return {};
  }
  void after(const SimCall& call) override {
    const bool comes = call.kind == SimCallKind::make_link || call.kind == SimCallKind::rename;
    const bool note = call.path.contains("/unfinished") || call.to.contains("/unfinished");
    moved = moved || (comes && !note && call.path.contains("/removed/"));
  }
  bool moved = false;

 private:
  SimFileSystem& disk_;
  const std::string place_;
  const bool meanwhile_;
};

void taken(const StoreTraits& traits, Outcome& outcome) {
  std::size_t count = 1;
  for (std::size_t which = 0; which < count; ++which)
    for (const bool meanwhile : {false, true}) {
      Scene scene(traits, "a place that is taken", outcome);
      (void)scene.session.append(scene.second, "m1s");
      if (traits.large > 0) (void)scene.session.append(scene.second, "m2b");
      const auto before = scene.disk->clone();
      scene.session.must(scene.second, "session.trash", kIts);
      const auto its = places(*before, *scene.disk);
      if (its.empty()) return scene.session.broken("", "has no file");
      count = its.size();
      Taken other(*scene.disk, its[which], meanwhile);
      scene.disk->set_observer(&other);
      scene.session.must_not(scene.second, "session.restore", kIts);
      scene.disk->set_observer(nullptr);
      const std::string when = ": " + its[which] + (meanwhile ? ", meanwhile" : "");
      if (!meanwhile && other.moved) scene.session.broken(when, "what is refused is begun");
      if (scene.disk->read_file(its[which]).value_or("") != "another")
        scene.session.broken(when, "the other file is overwritten", &Outcome::lost);
      auto top = scene.disk->open_directory("/", false);
      (void)(*top)->remove(its[which].substr(1));
      scene.session.judge(*scene.disk, false, when);
    }
}

}  // namespace

void run_trash(Outcome& outcome) {
  for (const StoreTraits& traits : store_traits()) {
    if (!traits.talks || !traits.trash) continue;
    gone_for_good(traits, outcome);
    brought_back(traits, outcome);
    if (traits.layout != "maestro") half_moved(traits, outcome);  // its sessions have no titles
    deleted_for_good(traits, outcome);
    for (const bool young : {false, true})
      if (traits.layout == "holdfast" || traits.layout == "linggen") cleared(traits, young, outcome);
    taken(traits, outcome);
    sick_removal(traits, outcome);
    for (const bool back : {false, true})
      for (const bool same_process : {false, true}) sick_move(traits, back, same_process, outcome);
    if (traits.layout == "holdfast" || traits.layout == "linggen") sick_clearing(traits, outcome);
    if (traits.layout == "holdfast" || traits.layout == "linggen") abandoned_clearing(traits, outcome);
    dead_writer(traits, "session.trash", outcome);
    if (traits.layout == "holdfast" || traits.layout == "linggen") dead_writer(traits, "session.clear", outcome);
    forbidden_removal(traits, outcome);
    meetings(traits, "a first message meets a removal", &nothing, &say_small, &move_out, outcome);
    if (traits.large > 0) meetings(traits, "a large text meets a removal", &say_small, &say_large, &move_out, outcome);
  }
}

}  // namespace holdfast::lab
