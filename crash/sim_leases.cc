// Leases: at every call of a process that acquires, takes over or releases one, another process
// does the same. There is at most one owner, and nobody loses a lease that nobody took.
#include <holdfast/lease.h>

#include <array>

#include "sim_interleaving.h"
#include "sim_parts.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

enum class Deed { take, take_over, give_up };
constexpr std::array kDeeds{Deed::take, Deed::take_over, Deed::give_up};
constexpr std::array<const char*, 3> kDeedNames{"take", "take over", "give up"};

class Leases {
 public:
  Leases(Deed first, Deed visit, int owner, std::uint64_t at, Outcome& outcome)
      : first_(first), visit_(visit), owner_(owner), at_(at), outcome_(outcome), way_(disk_) {
    (void)disk_.put_file("/a/keep", "");
  }

  std::uint64_t run() {
    ++outcome_.cases;
    if (!open(0, way_) || !open(1, disk_)) return 0;
    if (owner_ >= 0 && !act(Deed::take, owner_)) broken("the first lease is refused");
    const std::uint64_t begin = way_.calls();
    way_.meet(begin + at_, [this] { visited_ = act(visit_, 1); });
    const bool done = act(first_, 0);
    const std::uint64_t calls = way_.calls() - begin;
    way_.clear_visits();
    judge(done);
    for (auto& each : processes_) each.lease.reset();
    return calls;
  }

 private:
  struct Process {
    JumpingClock clock;
    std::shared_ptr<Root> root;
    std::optional<Lease> lease;
  };

  bool open(int who, FileSystem& way) {
    auto root = Root::open({{}, {}, &processes_[who].clock}, way, kRootA);
    if (!root) broken(root.error().text());
    if (root) processes_[who].root = *root;
    return root.has_value();
  }

  // Returns whether it was granted.
  bool act(Deed deed, int who) {
    Process& self = processes_[who];
    const Context context{{}, {}, &self.clock};
    if (deed == Deed::give_up) {
      if (!self.lease) return false;
      auto gone = self.lease->release();
      if (!gone) broken("giving up fails: " + gone.error().text());
      self.lease.reset();
      return gone.has_value();
    }
    if (self.lease) return false;  // it already holds it
    auto lease =
        deed == Deed::take ? Lease::acquire(context, self.root, "x") : Lease::take_over(context, self.root, "x");
    if (!lease && lease.error().code != Code::busy) broken(lease.error().text());
    if (lease) self.lease.emplace(std::move(*lease));
    return lease.has_value();
  }

  bool owns(int who) const { return processes_[who].lease && processes_[who].lease->still_ours().value_or(false); }

  void judge(bool done) {
    const bool taken_over = (visited_ && visit_ == Deed::take_over) || (done && first_ == Deed::take_over);
    if (owns(0) && owns(1)) broken("two own it");
    for (const int who : {0, 1})
      if (processes_[who].lease && !owns(who) && !taken_over)
        broken("who has it does not own it, though nobody took it over");
    if (taken_over && !owns(0) && !owns(1) && (processes_[0].lease || processes_[1].lease))
      broken("it was taken over, and nobody owns it");
    const auto seen = look_at_lease(*processes_[1].root, "x");
    if (!seen || seen->alive != (owns(0) || owns(1))) broken("a third one sees it otherwise");
  }

  void broken(const std::string& how) {
    outcome_.fail(&Outcome::wrong, std::string("lease: ") + kDeedNames[static_cast<std::size_t>(first_)] + " meets " +
                                       kDeedNames[static_cast<std::size_t>(visit_)] + " at call " +
                                       std::to_string(at_) + ", owner before " + std::to_string(owner_) + ": " + how);
  }

  const Deed first_;
  const Deed visit_;
  const int owner_;  // before the scene; -1: nobody
  const std::uint64_t at_;
  Outcome& outcome_;
  SimFileSystem disk_;
  InterleavingFileSystem way_;
  Process processes_[2];
  bool visited_ = false;
};

}  // namespace

void run_leases(Outcome& outcome) {
  for (const Deed first : kDeeds)
    for (const Deed visit : kDeeds)
      for (const int owner : {-1, 0, 1}) {
        std::uint64_t calls = 1;
        for (std::uint64_t at = 0; at < calls; ++at)
          calls = std::max(calls, Leases(first, visit, owner, at, outcome).run());
      }
}

}  // namespace holdfast::lab
