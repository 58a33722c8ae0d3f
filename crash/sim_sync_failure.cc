// T6: every sync of a workload fails, of files and of directories. Two writers (two
// processes, as far as the library can tell) share the logs: a success that the kernel
// falsely reports must never become an acknowledgement of either.
#include <array>
#include <atomic>
#include <cerrno>

#include "parts.h"
#include "sim_verify.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

struct Stroke {
  Op op;
  unsigned writer;
};

using Workload = std::vector<Stroke>;

// Some with a purpose, and random ones.
std::vector<Workload> make_workloads(std::uint64_t seed, int random_ones) {
  static constexpr std::array kOps{Op::append,       Op::append_batch, Op::append_process, Op::append_shared,
                                   Op::foreign_line, Op::replace,      Op::remove,         Op::commit,
                                   Op::number,       Op::increment,    Op::tally};
  std::vector<Workload> all{
      {{Op::append, 0}, {Op::append, 1}, {Op::append, 0}, {Op::append, 1}, {Op::append_batch, 0}, {Op::append, 1}},
      {{Op::append_process, 0}, {Op::append_process, 1}, {Op::append, 0}, {Op::append, 1}, {Op::append, 0}},
      {{Op::append_shared, 0},
       {Op::foreign_line, 0},
       {Op::append_shared, 1},
       {Op::append_shared, 0},
       {Op::append_shared, 1}},
      {{Op::replace, 0}, {Op::replace, 1}, {Op::replace, 0}, {Op::remove, 1}, {Op::replace, 0}},
      {{Op::commit, 0}, {Op::append, 1}, {Op::commit, 1}, {Op::append, 0}, {Op::commit, 0}},
      {{Op::commit, 0}, {Op::commit, 0}, {Op::commit, 1}, {Op::commit, 0}, {Op::commit, 1}},
      // The first mark creates the side folder; the syncs after it lose its name.
      {{Op::append_batch, 1},
       {Op::commit, 1},
       {Op::append_batch, 0},
       {Op::append, 1},
       {Op::replace, 1},
       {Op::commit, 1}},
      {{Op::number, 0}, {Op::number, 1}, {Op::number, 0}},
      {{Op::increment, 0}, {Op::tally, 1}, {Op::increment, 1}, {Op::tally, 0}},
      {{Op::append, 0}, {Op::torn_tail, 1}, {Op::append, 0}, {Op::append, 1}},
  };
  Random random(seed);
  for (int i = 0; i < random_ones; ++i) {
    Workload workload;
    for (std::uint64_t length = 4 + random.below(3); workload.size() < length;)
      workload.push_back({kOps[random.below(kOps.size())], static_cast<unsigned>(random.below(2))});
    all.push_back(std::move(workload));
  }
  return all;
}

std::string spell(const Workload& workload) {
  std::string text;
  for (const auto& [op, writer] : workload)
    text += std::string(text.empty() ? "[" : ",") + op_name(op) + " by " + std::to_string(writer);
  return text + "]";
}

class SyncFailer final : public SimObserver {
 public:
  SyncFailer(World& world, std::uint64_t which, std::uint64_t many, std::string what, Outcome& outcome)
      : world_(world), which_(which), many_(many), what_(std::move(what)), outcome_(outcome) {}

  Injection before(const SimCall& call) override {
    if (call.kind != SimCallKind::sync && call.kind != SimCallKind::sync_directory) return {};
    const std::uint64_t number = count_++;
    if (number < which_ || number >= which_ + many_) return {};
    return {Injection::Kind::fail, EIO};
  }

  // A repaired file replaces something that was safe: it must be safe itself by
  // then, even if the power is cut in between.
  void after(const SimCall& call) override {
    if (count_ <= which_ || (call.kind != SimCallKind::rename && call.kind != SimCallKind::sync_directory)) return;
    auto chooser = Chooser::random(2, which_);
    do {
      auto dark = world_.disk().crash(CrashModel::weak, chooser);
      verify(*dark, world_.oracle(), After::power_loss, which_,
             what_ + ", power lost at call " + std::to_string(call.index), outcome_);
    } while (chooser.next());
  }
  std::uint64_t count() const { return count_; }

 private:
  World& world_;
  std::uint64_t which_;
  std::uint64_t many_;
  const std::string what_;
  Outcome& outcome_;
  std::uint64_t count_ = 0;
};

// Runs the workload with syncs [which, which + many) failing, then crashes. Returns the total number of syncs.
std::uint64_t run_one(const Workload& workload, std::uint64_t which, std::uint64_t many, Outcome& outcome) {
  const std::string what =
      spell(workload) + ", sync " + std::to_string(which) + " and " + std::to_string(many - 1) + " more fail";
  World world(which + 1, 2);
  SyncFailer failer(world, which, many, what, outcome);
  world.disk().set_observer(&failer);
  ++outcome.cases;
  for (const auto& stroke : workload) {
    auto done = world.perform(stroke.op, stroke.writer);
    if (!done && done.error().os_error != EIO && done.error().code != Code::durability_unknown &&
        done.error().code != Code::poisoned)
      outcome.fail(&Outcome::wrong, what + ": " + op_name(stroke.op) + " failed with " + done.error().text());
    // The machine may lose power at any moment.
    auto nothing = Chooser::random(2, which);
    do {
      auto dark = world.disk().crash(CrashModel::weak, nothing);
      verify(*dark, world.oracle(), After::power_loss, which, what + ", power lost after " + op_name(stroke.op),
             outcome);
    } while (nothing.next());
    auto alive = world.disk().clone();
    verify(*alive, world.oracle(), After::process_death, which, what + ", killed after " + op_name(stroke.op), outcome);
    // The next process has trusted what it found, so it must be durable.
    Oracle opened = world.oracle();
    for (auto& log : opened.logs) log.synced();
    auto last = Chooser::random(1, which);
    auto dark = alive->crash(CrashModel::weak, last);
    verify(*dark, opened, After::power_loss, which, what + ", killed, reopened, power lost", outcome);
  }
  world.disk().set_observer(nullptr);
  return failer.count();
}

}  // namespace

Outcome run_t6(const Options& options) {
  const auto workloads = make_workloads(options.seed, pick(options, 0, 8, 80));
  std::atomic<std::size_t> next{0};
  Outcome outcome = in_parallel([&](unsigned, unsigned, Outcome& found) {
    for (std::size_t i = next++; i < workloads.size(); i = next++)
      for (const std::uint64_t many : {1U, 2U, 5U, 1000U}) {
        std::uint64_t syncs = 1;
        for (std::uint64_t which = 0; which < syncs; ++which)
          syncs = std::max(syncs, run_one(workloads[i], which, many, found));
      }
  });
  outcome.unit = "runs";
  outcome.note =
      "every sync of " + std::to_string(workloads.size()) + " workloads of two writers, 1, 2, 5 or all from there on";
  return outcome;
}

}  // namespace holdfast::lab
