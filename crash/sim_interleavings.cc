// T5: what needs a particular moment. At every file system call of a process,
// including reads and locks, another one does something from beginning to end;
// whoever finds a lock held gives up at once. Then both continue, the machine
// stops, and everything is compared with the oracle.
#include <array>
#include <atomic>
#include <cerrno>

#include "parts.h"
#include "sim_interleaving.h"
#include "sim_parts.h"
#include "sim_verify.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

// What the second process does at that moment.
struct Visit {
  const char* name;
  Op op;
  bool sick = false;   // its first sync fails, and what it covered is lost
  bool again = false;  // and once more, which repairs it
};

constexpr std::array kFirst{Op::append,  Op::append_batch, Op::append_shared, Op::append_process,
                            Op::replace, Op::remove,       Op::commit,        Op::number,
                            Op::reopen,  Op::increment,    Op::tally};

constexpr std::array kVisits{
    Visit{"append", Op::append},
    Visit{"append_shared", Op::append_shared},
    Visit{"append_process", Op::append_process},
    Visit{"foreign_line", Op::foreign_line},
    Visit{"replace", Op::replace},
    Visit{"commit", Op::commit},
    Visit{"number", Op::number},
    Visit{"reopen", Op::reopen},
    Visit{"increment", Op::increment},
    Visit{"tally", Op::tally},
    Visit{"torn_tail", Op::torn_tail},
    Visit{"append, sick", Op::append, true},
    Visit{"append, sick and mended", Op::append, true, true},
    Visit{"append_shared, sick", Op::append_shared, true},
    Visit{"append_shared, sick and mended", Op::append_shared, true, true},
};

class Sickness final : public SimObserver {
 public:
  Injection before(const SimCall& call) override {
    if (call.kind != SimCallKind::sync || !due.exchange(false)) return {};
    return {Injection::Kind::fail, EIO};
  }
  std::atomic<bool> due{false};
};

enum class Before {
  nothing,  // both processes are new, and so is everything else
  work,     // both have everything open
  sickness  // the last sync of the first one's logs failed
};

bool is_sync_error(const Error& error) {
  return error.os_error == EIO || error.code == Code::durability_unknown || error.code == Code::poisoned;
}

class Meeting {
 public:
  Meeting(Op first, const Visit& visit, Before before, std::uint64_t at, Outcome& outcome)
      : first_(first),
        visit_(visit),
        before_(before),
        at_(at),
        outcome_(outcome),
        world_(at + 1, 2),
        way_(world_.disk()) {
    world_.lead(0, way_, {{}, {}, &clocks_[0]});
    world_.lead(1, world_.disk(), {{}, {}, &clocks_[1]});
    world_.disk().set_observer(&sickness_);
  }

  // Returns the number of calls that the first process made.
  std::uint64_t run() {
    prepare();
    const std::uint64_t begin = way_.calls();
    way_.meet(begin + at_, [this] { visit(); });
    expect(world_.perform(first_, 0), "the first one's " + std::string(op_name(first_)), tolerant());
    const std::uint64_t calls = way_.calls() - begin;
    way_.clear_visits();
    judge("");
    for (const unsigned writer : {1U, 0U})
      for (const Op op : {visit_.op, first_})
        if (op != Op::torn_tail)
          expect(world_.perform(op, writer), "afterwards, " + std::to_string(writer) + " " + op_name(op), false);
    judge(", both went on");
    ++outcome_.cases;
    return calls;
  }

 private:
  void prepare() {
    if (before_ == Before::nothing) return;
    for (const unsigned writer : {0U, 1U})
      for (const Op op : {Op::append, Op::append_shared, Op::commit, Op::increment, Op::tally})
        expect(world_.perform(op, writer), "before", false);
    if (before_ != Before::sickness) return;
    for (const Op op : {Op::append, Op::append_shared}) {
      sickness_.due = true;
      expect(world_.perform(op, 0), "sick before", true);
    }
  }

  // A writer that dies in the middle of a line held the lock until then.
  bool could_write() {
    auto directory = world_.disk().open_directory(kRootA, false);
    auto log = directory ? (*directory)->open(kLogs[0], OpenMode::append) : fail(Code::not_found, "no root");
    return log && (*log)->try_lock(LockKind::exclusive).value_or(false);
  }

  void visit() {
    if (visit_.op == Op::torn_tail && !could_write()) return;
    sickness_.due = visit_.sick;
    auto done = world_.perform(visit_.op, 1);
    sickness_.due = false;
    if (!done && done.error().code == Code::busy) return;  // the first one holds a lock
    expect(done, "the visitor's " + std::string(visit_.name), tolerant());
    if (!visit_.again) return;
    done = world_.perform(visit_.op, 1);
    if (!done && done.error().code != Code::busy) expect(done, "mending", tolerant());
  }

  bool tolerant() const { return visit_.sick || before_ == Before::sickness; }

  void expect(const Result<void>& done, const std::string& what, bool may_fail_to_sync) {
    if (done || (may_fail_to_sync && is_sync_error(done.error()))) return;
    outcome_.fail(&Outcome::wrong, name() + ": " + what + ": " + done.error().text());
  }

  void judge(const std::string& when) {
    auto alive = world_.disk().clone();
    verify(*alive, world_.oracle(), After::process_death, at_, name() + when + ", killed", outcome_);
    auto chooser = Chooser::random(2, at_);
    do {
      auto dark = world_.disk().crash(CrashModel::weak, chooser);
      verify(*dark, world_.oracle(), After::power_loss, at_, name() + when + ", power lost", outcome_);
    } while (chooser.next());
  }

  std::string name() const {
    return std::string(op_name(first_)) + " meets " + visit_.name + " at call " + std::to_string(at_) +
           (before_ == Before::nothing    ? ", both new"
            : before_ == Before::sickness ? ", after a failed sync"
                                          : "");
  }

  const Op first_;
  const Visit& visit_;
  const Before before_;
  const std::uint64_t at_;
  Outcome& outcome_;
  JumpingClock clocks_[2];
  Sickness sickness_;
  World world_;
  InterleavingFileSystem way_;
};

}  // namespace

void run_interleavings(Outcome& outcome) {
  struct Case {
    Op first;
    const Visit* visit;
    Before before;
  };
  std::vector<Case> cases;
  for (const Op first : kFirst)
    for (const Visit& visit : kVisits)
      for (const Before before : {Before::nothing, Before::work, Before::sickness})
        cases.push_back({first, &visit, before});
  std::atomic<std::size_t> next{0};
  outcome.merge(in_parallel([&](unsigned, unsigned, Outcome& found) {
    for (std::size_t i = next++; i < cases.size(); i = next++) {
      std::uint64_t calls = 1;
      for (std::uint64_t at = 0; at < calls; ++at)
        calls = std::max(calls, Meeting(cases[i].first, *cases[i].visit, cases[i].before, at, found).run());
    }
  }));
}

Outcome run_t5(const Options& options) {
  struct Group {
    std::string_view name;
    void (*run)(Outcome&);
  };
  static constexpr Group kGroups[] = {{"meetings", &run_interleavings},
                                      {"leases", &run_leases},
                                      {"heads", &run_heads},
                                      {"planted", &run_planted},
                                      {"logs", &run_planted_logs},
                                      {"documents", &run_planted_documents},
                                      {"journals", &run_journals},
                                      {"refused", &run_refused},
                                      {"scenes", &run_scenes},
                                      {"locks", &run_locks},
                                      {"corners", &run_corners},
                                      {"blobs", &run_blobs},
                                      {"trash", &run_trash}};
  Outcome outcome;
  for (const Group& group : kGroups)
    if (options.replay.empty() || options.replay == group.name) group.run(outcome);
  if (options.replay.empty()) run_entries(outcome, pick<std::uint64_t>(options, 16, 5, 1));
  if (options.replay == "entries") run_entries(outcome, 1);
  outcome.unit = "meetings";
  outcome.note = std::to_string(kFirst.size()) + " operations, each met at every call by " +
                 std::to_string(kVisits.size()) + " others; leases, first lines, planted journals, scenes of stores";
  return outcome;
}

}  // namespace holdfast::lab
