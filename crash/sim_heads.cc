// The first line of a shared log is replaced while a foreign program has the log
// open and continues to append to its open file. The power is cut, or the
// process is killed, after every change to the disk; another process appends at
// every call.
#include <holdfast/log_reader.h>

#include <algorithm>
#include <cerrno>

#include "disk/log_head.h"
#include "sim_interleaving.h"
#include "sim_parts.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

constexpr const char* kLog = "headed.jsonl";
constexpr const char* kPath = "/a/headed.jsonl";

std::string head(int number) { return "{\"head\":" + std::to_string(number) + "}"; }
std::string line(int number) { return "{\"line\":" + std::to_string(number) + "}"; }

LogOptions shared() {
  LogOptions options;
  options.mode = LogMode::shared;
  options.sync_interval = {};
  return options;
}

struct Expected {
  int head = 0;                      // acknowledged
  bool changing = false;             // being changed to the next one
  std::vector<std::string> power;    // acknowledged lines, and those that the other program has synced
  std::vector<std::string> foreign;  // of the other program: survive a kill
  std::vector<std::string> known;    // everything that anybody wrote
};

class Heads final : public SimObserver {
 public:
  Heads(std::uint64_t at, Outcome& outcome) : at_(at), outcome_(outcome), way_(disk_) {
    (void)disk_.put_file(kPath, head(0) + "\n");
  }

  std::uint64_t run() {
    auto directory = disk_.open_directory(kRootA, false);
    if (!directory) return 0;
    auto foreign = (*directory)->open(kLog, OpenMode::append);
    auto root = Root::open(context(), way_, kRootA);
    auto other = Root::open({}, disk_, kRootA);
    if (!foreign || !root || !other) return 0;
    foreign_ = foreign->get();
    ours(*root);
    disk_.set_observer(this);
    const std::uint64_t begin = way_.calls();
    way_.meet(begin + at_, [this] { append_late(); });
    for (int next = 1; next <= 2; ++next) {
      expected_.changing = true;
      auto done = replace_head(context(), *root, {kLog, head(next - 1), head(next)});
      if (!done) broken("cannot be replaced: " + done.error().text());
      expected_.changing = false;
      expected_.head = next;
      stop(" when it was acknowledged");
      ours(*other);
      append_late();
      settle(*root);
    }
    const std::uint64_t calls = way_.calls() - begin;
    way_.clear_visits();
    disk_.set_observer(nullptr);
    return calls;
  }

  // The machine stops here.
  void after(const SimCall& call) override { stop(" after call " + std::to_string(call.index)); }

 private:
  void stop(const std::string& where) {
    auto alive = disk_.clone();
    verify(*alive, true, where + ", killed");
    for (const CrashModel model : {CrashModel::ordered, CrashModel::weak}) {
      auto chooser = Chooser::random(3, at_ + disk_.calls());
      do {
        auto dark = disk_.crash(model, chooser);
        verify(*dark, false, where + ", power lost");
      } while (chooser.next());
    }
  }

  Context context() const { return {{}, {}, &clock_}; }

  void append_late() {
    const std::string text = line(++lines_);
    expected_.known.push_back(text);
    if (!foreign_->append(text + "\n")) return;
    expected_.foreign.push_back(text);
    if (lines_ % 3 != 0 && foreign_->sync()) expected_.power.push_back(text);
  }

  void ours(const std::shared_ptr<Root>& root) {
    const std::string text = line(++lines_);
    expected_.known.push_back(text);
    auto log = AppendLog::open(context(), root, kLog, shared());
    auto ack = log ? (*log)->append(context(), text) : fail(log.error());
    if (ack)
      expected_.power.push_back(text);
    else
      broken("cannot be appended to: " + ack.error().text());
  }

  void settle(const std::shared_ptr<Root>& root) {
    if (auto settled = settle_head(context(), root, kLog); !settled) broken(settled.error().text());
  }

  void verify(SimFileSystem& disk, bool killed_only, const std::string& where) {
    ++outcome_.cases;
    auto root = Root::open({}, disk, kRootA);
    if (!root) return broken(where + ": " + root.error().text(), &Outcome::unopenable);
    Again again(*this, disk, where);
    if (!killed_only && !inside_ && (at_ + disk_.calls()) % 5 == 0) disk.set_observer(&again);
    const auto settled = settle_head({}, *root, kLog);
    disk.set_observer(nullptr);
    if (!settled) return broken(where + ": " + settled.error().text());
    auto log = AppendLog::open({}, *root, kLog, shared());
    if (!log) return broken(where + ": " + log.error().text(), &Outcome::unopenable);
    auto reader = LogReader::open({}, (*root)->directory(), kLog);
    if (!reader) return broken(where + ": " + reader.error().text(), &Outcome::unopenable);
    std::vector<std::string> found;
    Record record;
    while (reader->next(record).value_or(false)) found.emplace_back(record.bytes);
    const std::string first = found.empty() ? std::string() : found.front();
    if (first != head(expected_.head) && !(expected_.changing && first == head(expected_.head + 1)))
      return broken(where + ": the first line is " + first, &Outcome::lost);
    for (std::size_t i = 1; i < found.size(); ++i)
      if (std::ranges::find(expected_.known, found[i]) == expected_.known.end())
        broken(where + ": a line that nobody wrote: " + found[i], &Outcome::altered);
    for (const auto& each : expected_.known) {
      const auto count = std::ranges::count(found, each);
      const auto in = [&](const std::vector<std::string>& list) { return std::ranges::find(list, each) != list.end(); };
      if (count > 1) broken(where + ": there twice: " + each);
      const bool must = in(expected_.power) || (killed_only && in(expected_.foreign));
      outcome_.acknowledged += must ? 1 : 0;
      if (must && count == 0) broken(where + ": gone: " + each, &Outcome::lost);
    }
    if (killed_only && !inside_) later(disk, where);
  }

  // What was settled after a kill stays settled.
  void later(SimFileSystem& disk, const std::string& where) {
    inside_ = true;
    auto nothing = Chooser::random(1, 0);
    auto dark = disk.crash(CrashModel::weak, nothing);
    verify(*dark, false, where + ", and power lost later");
    inside_ = false;
  }

  // The power is cut a second time, while the rest is being settled.
  struct Again final : SimObserver {
    Again(Heads& heads, SimFileSystem& disk, std::string where)
        : heads_(heads), disk_(disk), where_(std::move(where)) {}
    void after(const SimCall& call) override {
      heads_.inside_ = true;
      auto chooser = Chooser::random(2, call.index + heads_.at_);
      do {
        auto dark = disk_.crash(CrashModel::weak, chooser);
        heads_.verify(*dark, false, where_ + ", and again after call " + std::to_string(call.index));
      } while (chooser.next());
      heads_.inside_ = false;
    }
    Heads& heads_;
    SimFileSystem& disk_;
    const std::string where_;
  };

  void broken(const std::string& how, std::uint64_t Outcome::* count = &Outcome::wrong) {
    outcome_.fail(count, "first line, a late line at call " + std::to_string(at_) + how);
  }

  const std::uint64_t at_;
  Outcome& outcome_;
  JumpingClock clock_;
  SimFileSystem disk_;
  InterleavingFileSystem way_;
  File* foreign_ = nullptr;
  Expected expected_;
  int lines_ = 0;
  bool inside_ = false;
};

// Lets one sync fail. Records the disk as left by a process that dies at any later call; the last one is that
// of a process that survives.
struct Sickly final : SimObserver {
  Sickly(SimFileSystem& files, std::uint64_t at) : disk(files), number(at) { disk.set_observer(this); }
  ~Sickly() override { disk.set_observer(nullptr); }
  Injection before(const SimCall& call) override {
    if (count > number) left.push_back(disk.clone());
    const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
    return sync && count++ == number ? Injection{Injection::Kind::fail, EIO} : Injection{};
  }
  SimFileSystem& disk;
  const std::uint64_t number;
  std::uint64_t count = 0;
  std::vector<std::unique_ptr<SimFileSystem>> left;
};

// What is appended after that is not lost with the name of the new file.
void sick_heads(Outcome& outcome) {
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    SimFileSystem disk;
    (void)disk.put_file(kPath, head(0) + "\n");
    auto root = Root::open({}, disk, kRootA);
    if (!root) return outcome.fail(&Outcome::unopenable, root.error().text());
    std::vector<std::unique_ptr<SimFileSystem>> left;
    {
      Sickly sick(disk, number);
      (void)replace_head({}, *root, {kLog, head(0), head(1)});
      met = sick.count > number;
      left = std::move(sick.left);
      left.push_back(disk.clone());
    }
    for (std::size_t call = 0; call < left.size(); ++call) {
      ++outcome.cases;
      auto next = Root::open({}, *left[call], kRootA);
      if (!next || !settle_head({}, *next, kLog)) continue;
      auto log = AppendLog::open({}, *next, kLog, shared());
      if (!log || !(*log)->append({}, line(1))) continue;
      auto nothing = Chooser::random(1, 0);
      const auto dark = left[call]->crash(CrashModel::weak, nothing);
      if (!dark->read_file(kPath).value_or("").contains(line(1)))
        outcome.fail(&Outcome::lost, "first line, sync " + std::to_string(number) + " fails, killed " +
                                         std::to_string(call) + " calls later: lost an acknowledged line");
    }
  }
}

}  // namespace

void run_heads(Outcome& outcome) {
  sick_heads(outcome);
  std::uint64_t calls = 1;
  for (std::uint64_t at = 0; at < calls; ++at) calls = std::max(calls, Heads(at, outcome).run());
}

}  // namespace holdfast::lab
