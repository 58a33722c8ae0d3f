// T2: every mutating call of a workload fails in nine ways, once or permanently. Nothing
// acknowledged may be lost, no error may be silent, and when the fault is gone the store
// must work again, in the same process and in the next.
#include <array>
#include <atomic>
#include <cerrno>

#include "parts.h"
#include "sim_verify.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

struct Fault {
  const char* name;
  Injection injection;
};

using Kind = Injection::Kind;
constexpr std::array<Fault, 9> kFaults{{
    {"ENOSPC", {Kind::fail, ENOSPC}},
    {"EDQUOT", {Kind::fail, EDQUOT}},
    {"EIO", {Kind::fail, EIO}},
    {"EINTR", {Kind::fail, EINTR}},
    {"EROFS", {Kind::fail, EROFS}},
    {"EACCES", {Kind::fail, EACCES}},
    {"short", {Kind::short_write, ENOSPC}},
    {"kill before", {Kind::kill_before}},
    {"kill inside", {Kind::kill_inside}},
}};

using Workload = std::vector<Op>;

// A few with a purpose, and random ones.
std::vector<Workload> make_workloads(std::uint64_t seed, int random_ones) {
  std::vector<Workload> all{
      {Op::append, Op::append_batch, Op::append},
      {Op::append_process, Op::append, Op::append_process, Op::append_process},
      {Op::append_shared, Op::foreign_line, Op::append_shared, Op::foreign_torn, Op::append_shared},
      {Op::replace, Op::replace, Op::remove, Op::replace},
      {Op::commit, Op::commit, Op::append, Op::commit},
      {Op::append, Op::torn_tail, Op::append_batch, Op::torn_tail, Op::append},
      {Op::number, Op::number, Op::number},
      {Op::increment, Op::tally, Op::increment, Op::tally},
      {Op::replace, Op::commit, Op::append_shared, Op::number, Op::append, Op::replace, Op::commit},
  };
  Random random(seed);
  for (int i = 0; i < random_ones; ++i) {
    Workload workload;
    for (std::uint64_t length = 4 + random.below(5); workload.size() < length;)
      workload.push_back(static_cast<Op>(random.below(kOpCount)));
    all.push_back(std::move(workload));
  }
  return all;
}

std::string spell(const Workload& workload) {
  std::string text;
  for (const Op op : workload) text += std::string(text.empty() ? "[" : ",") + op_name(op);
  return text + "]";
}

class Injector final : public SimObserver {
 public:
  Injector(std::uint64_t at, const Injection& injection, bool sticky)
      : at_(at), injection_(injection), sticky_(sticky) {}

  Injection before(const SimCall& call) override {
    if (!armed_ || call.index < at_ || (call.index > at_ && !sticky_)) return {};
    if (!hit_) first_ = call.kind;
    hit_ = true;
    if (call.kind == SimCallKind::truncate) truncated_ = true;
    return injection_;
  }
  void disarm() { armed_ = false; }
  bool hit() const { return hit_; }
  bool hit_truncate() const { return truncated_; }
  bool began_with_sync() const { return hit_ && first_ == SimCallKind::sync; }

 private:
  std::uint64_t at_;
  Injection injection_;
  bool sticky_;
  bool armed_ = true;
  bool hit_ = false;
  SimCallKind first_ = SimCallKind::create;
  bool truncated_ = false;
};

std::uint64_t count_calls(const Workload& workload) {
  World world(1);
  for (const Op op : workload) (void)world.perform(op);
  return world.disk().calls();
}

void run_one(const Workload& workload, std::uint64_t at, const Fault& fault, bool sticky, Outcome& outcome) {
  const std::string what =
      spell(workload) + " call " + std::to_string(at) + " " + fault.name + (sticky ? " sticky" : " once");
  World world(at);
  Injector injector(at, fault.injection, sticky);
  world.disk().set_observer(&injector);
  bool killed = false;
  ++outcome.cases;
  for (const Op op : workload) {
    const bool before = injector.hit();
    // While the medium accepts nothing, not even a mark, a process that ends
    // could not tell the next one what it knows: the window that
    // docs/durability.md names.
    const bool ends = op == Op::reopen || op == Op::torn_tail;
    if (before && sticky && ends) continue;
    auto done = world.perform(op);
    if (!before && sticky && ends && injector.began_with_sync()) return;  // the last sync of the ended process
    killed = injector.hit() && fault.injection.kind != Kind::fail && fault.injection.kind != Kind::short_write;
    if (killed) break;
    if (done) continue;
    if (!before && !injector.hit())
      outcome.fail(&Outcome::wrong, what + ": failed without a fault: " + done.error().text());
    if (done.error().message.empty()) outcome.fail(&Outcome::wrong, what + ": an error without words");
    // A failed append leaves no fragment, unless cutting it failed too. (A truncation is never short.)
    const bool can_cut = fault.injection.kind == Kind::short_write || (!sticky && !injector.hit_truncate());
    const std::string log = world.disk().read_file("/a/ours.jsonl").value_or("");
    if ((op == Op::append || op == Op::append_batch) && can_cut && !log.empty() && log.back() != '\n')
      outcome.fail(&Outcome::wrong, what + ": a failed append left a fragment");
  }
  injector.disarm();
  if (killed) {
    world.drop_handles();
  } else {
    // The fault is gone: the same process continues with the same handles.
    for (const Op op : {Op::append, Op::append_shared, Op::replace, Op::commit, Op::number})
      if (auto done = world.perform(op); !done)
        outcome.fail(&Outcome::unopenable,
                     what + ": the fault is gone, but " + op_name(op) + ": " + done.error().text());
  }
  world.disk().set_observer(nullptr);
  auto alive = world.disk().clone();
  verify(*alive, world.oracle(), After::process_death, at, what, outcome);
  auto chooser = Chooser::random(2, at);
  do {
    auto dark = world.disk().crash(CrashModel::weak, chooser);
    verify(*dark, world.oracle(), After::power_loss, at + 1, what + ", then power lost", outcome);
  } while (chooser.next());
}

}  // namespace

Outcome run_t2(const Options& options) {
  struct Case {
    const Workload* workload;
    std::uint64_t at;
  };
  const auto workloads = make_workloads(options.seed, pick(options, 0, 16, 120));
  std::vector<Case> cases;
  const std::uint64_t step = options.size == Size::small ? 3 : 1;
  for (const auto& workload : workloads)
    for (std::uint64_t at = 0, calls = count_calls(workload); at < calls; at += step) cases.push_back({&workload, at});
  std::atomic<std::size_t> next{0};
  Outcome outcome = in_parallel([&](unsigned, unsigned, Outcome& found) {
    for (std::size_t i = next++; i < cases.size(); i = next++)
      for (const auto& fault : kFaults)
        for (const bool sticky : {false, true}) run_one(*cases[i].workload, cases[i].at, fault, sticky, found);
  });
  outcome.unit = "runs";
  outcome.note = std::to_string(cases.size()) + " calls of " + std::to_string(workloads.size()) +
                 " workloads x 9 faults x {once, sticky}; then the fault is gone and work goes on";
  return outcome;
}

}  // namespace holdfast::lab
