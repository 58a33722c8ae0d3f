#include "base/lock_rank.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "base/another_process.h"

namespace holdfast::inline v1 {
namespace {

struct Held {
  std::uint64_t number;
  LockRank rank;
  LockOrder order;
};

// Plain data, so a thread that takes no lock pays nothing for it.
constexpr std::size_t kMost = 32;
thread_local std::array<Held, kMost> held;
thread_local std::size_t held_count = 0;
thread_local std::uint64_t numbers = 0;
thread_local std::size_t due_count = 0;
thread_local bool running = false;

std::vector<std::function<void()>>& due() {
  thread_local std::vector<std::function<void()>> list;
  return list;
}

std::atomic<LockComplaint> complaint{nullptr};

const char* name_of(LockRank rank) {
  static constexpr std::array<const char*, 12> kNames{"opening", "session", "sessions",    "index_write",
                                                      "records", "index",   "lease",       "log_writes",
                                                      "root",    "log",     "line_writer", "leaf"};
  return kNames[static_cast<std::size_t>(rank)];
}

void complain(const char* verb, const char* what, LockRank while_held) noexcept {
  const LockComplaint told = complaint.load(std::memory_order_relaxed);
  if (told == nullptr) return;
  std::array<char, 160> text;
  std::snprintf(text.data(), text.size(), "lock order (I-19): %s %s while a lock of rank %s is held", verb, what,
                name_of(while_held));
  told(text.data());
}

}  // namespace

std::uint64_t hold_rank(LockRank rank, LockOrder order) noexcept {
  for (std::size_t i = 0; i < held_count; ++i) {
    const bool ordered = held[i].order < order || order == LockOrder{} || held[i].order == LockOrder{};
    const bool below = held[i].rank < rank || (rank == LockRank::root && held[i].rank == rank && ordered);
    if (!below) {
      complain("taking one of rank", name_of(rank), held[i].rank);
      break;
    }
  }
  if (held_count == kMost) {
    complain("taking too many of rank", name_of(rank), held[kMost - 1].rank);
    return 0;
  }
  held[held_count++] = {++numbers, rank, order};
  return numbers;
}

void drop_rank(std::uint64_t number) noexcept {
  if (number == 0) return;
  for (std::size_t i = held_count; i-- > 0;) {
    if (held[i].number != number) continue;
    for (std::size_t j = i + 1; j < held_count; ++j) held[j - 1] = held[j];
    --held_count;
    return;
  }
}

void check_no_locks_held(const char* what) noexcept {
  if (held_count > 0) complain("waiting for", what, held[held_count - 1].rank);
}

void when_unlocked(std::function<void()> work) {
  due().push_back(std::move(work));
  ++due_count;
  run_deferred_work();
}

void run_deferred_work() noexcept {
  if (due_count == 0 || held_count > 0 || running) return;
  running = true;
  // By index: the work may add more work, which runs after it.
  for (std::size_t i = 0; i < due().size(); ++i) {
    try {
      const auto work = std::move(due()[i]);
      work();
    } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody left to report to
    }
  }
  due().clear();
  due_count = 0;
  running = false;
}

struct AnotherProcess::Left {
  std::vector<Held> locks;
  std::vector<std::function<void()>> work;
  bool at_work;
};

AnotherProcess::AnotherProcess()
    : left_(new Left{{held.begin(), held.begin() + static_cast<std::ptrdiff_t>(held_count)},
                     std::exchange(due(), {}),
                     std::exchange(running, false)}) {
  held_count = 0;
  due_count = 0;
}

AnotherProcess::~AnotherProcess() {
  std::ranges::copy(left_->locks, held.begin());
  held_count = left_->locks.size();
  due() = std::move(left_->work);
  due_count = due().size();
  running = left_->at_work;
  delete left_;
}

LockComplaint set_lock_complaint(LockComplaint told) noexcept {
  return complaint.exchange(told, std::memory_order_relaxed);
}

}  // namespace holdfast::inline v1
