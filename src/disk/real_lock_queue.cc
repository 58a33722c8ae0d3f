#include "disk/real_lock_queue.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include "base/start_thread.h"

namespace holdfast::inline v1 {
namespace {

// A lock whose holder is stuck must not cost one thread per waiter that gave up.
constexpr int kMaxLeftBehind = 16;
std::atomic<int> left_behind{0};

}  // namespace

struct LockQueue::Waiter {
  Waiter(Descriptor file_in, LockKind kind_in) : file(std::move(file_in)), kind(kind_in) {}

  std::mutex mutex;  // guards everything below except `kind`
  std::condition_variable done;
  Descriptor file;  // a duplicate descriptor of the same open file, so both share the lock
  const LockKind kind;
  bool wanted = true;
  bool over = false;
  int error = 0;

  void run() {
    int number = 0;
    const int waited_for = file.get();
    while (::flock(waited_for, kind == LockKind::shared ? LOCK_SH : LOCK_EX) != 0) {
      number = errno;
      if (number != EINTR) break;
      number = 0;
    }
    const std::scoped_lock guard(mutex);
    if (number == 0 && !wanted) ::flock(waited_for, LOCK_UN);
    if (!wanted) --left_behind;
    file = Descriptor();
    error = number;
    over = true;
    done.notify_one();
  }
};

Result<bool> LockQueue::wait(int descriptor, LockKind kind, std::chrono::nanoseconds time) {
  if (waiter_ && waiter_->kind != kind) return fail(Code::unsupported, "already waiting for another kind of lock");
  if (!waiter_) {
    if (left_behind >= kMaxLeftBehind) return fail(Code::unsupported, "too many waits for locks were abandoned");
    Descriptor second(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (!second) return fail(Code::unsupported, "no file descriptor left to wait with");
    auto waiter = std::make_shared<Waiter>(std::move(second), kind);
    // Block all signals in this thread: they are for the program's own threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::jthread thread = start_thread([waiter] { waiter->run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!thread.joinable()) return fail(Code::unsupported, "no thread left to wait with");
    thread.detach();
    waiter_ = std::move(waiter);
  }
  std::unique_lock guard(waiter_->mutex);
  if (!waiter_->wanted) {
    if (waiter_->over) {  // the lock was released in the meantime
      guard.unlock();
      waiter_.reset();
      return false;
    }
    waiter_->wanted = true;
    --left_behind;
  }
  if (!waiter_->done.wait_for(guard, time, [this] { return waiter_->over; })) return false;
  const int error = waiter_->error;
  guard.unlock();
  waiter_.reset();
  if (error == 0) return true;
  return fail(os_error(error, "cannot lock", {}));
}

void LockQueue::leave(int descriptor) {
  if (!waiter_) return;
  {
    const std::scoped_lock guard(waiter_->mutex);
    const bool wanted = std::exchange(waiter_->wanted, false);
    if (!waiter_->over) {
      if (wanted) ++left_behind;
      return;
    }
    if (wanted && waiter_->error == 0 && descriptor >= 0) ::flock(descriptor, LOCK_UN);
  }
  waiter_.reset();
}

bool LockQueue::occupied() {
  if (!waiter_) return false;
  {
    const std::scoped_lock guard(waiter_->mutex);
    if (!waiter_->over) return true;
  }
  waiter_.reset();
  return false;
}

}  // namespace holdfast::inline v1
