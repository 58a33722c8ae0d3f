// Streams of the api for many readers. Readers of the same stream share one run of its operation: who comes later is
// told what was told before. A reader takes what is there when it has room for it; one that stays far behind the others
// is left behind, and an operation waits while even the fastest has enough to take.
#pragma once

#include <holdfast/context.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "api/dispatch.h"
#include "api/stores.h"
#include "base/mutex.h"

namespace holdfast::inline v1 {

// Thread-safety: any thread.
class SharedStream {
 public:
  // Told that there is something to take, after take() has found nothing; from any thread, with no lock held.
  using Bell = std::function<void()>;
  using Reader = std::uint64_t;

  struct Taken {
    std::string frames = {};  // as server-sent events
    bool over = false;        // nothing comes behind them
  };

  // nullopt: it cannot be joined any more, its beginning is gone or it has ended.
  std::optional<Reader> join(Bell bell);
  // The last one to go ends the operation.
  void leave(Reader reader);
  Taken take(Reader reader, std::size_t most);

  // Runs the operation to its end.
  void run(Stores& stores, const std::string& method, const std::string& params, Secrets secrets);
  void stop() { stop_.request_stop(); }

 private:
  struct Place {
    std::uint64_t next = 0;   // number of the frame that is to be taken
    std::uint64_t bytes = 0;  // of all that it has taken
    bool waits = true;
    Bell bell;
  };
  using Frame = std::shared_ptr<const std::string>;

  // False: nobody reads on.
  bool add(std::string frame, bool last);
  std::uint64_t fastest() const HOLDFAST_REQUIRES(mutex_);
  bool has_room() const HOLDFAST_REQUIRES(mutex_);
  void drop_taken() HOLDFAST_REQUIRES(mutex_);

  std::stop_source stop_;
  Mutex mutex_;
  std::condition_variable_any taken_;
  std::deque<Frame> frames_ HOLDFAST_GUARDED_BY(mutex_);
  std::uint64_t first_ HOLDFAST_GUARDED_BY(mutex_) = 0;  // number of the first frame that is kept
  std::size_t bytes_ HOLDFAST_GUARDED_BY(mutex_) = 0;    // of them all
  std::uint64_t told_ HOLDFAST_GUARDED_BY(mutex_) = 0;   // bytes of all that ever came
  bool over_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool left_ HOLDFAST_GUARDED_BY(mutex_) = false;  // by everybody
  std::map<Reader, Place> readers_ HOLDFAST_GUARDED_BY(mutex_);
  Reader last_reader_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

// Thread-safety: one thread. The destructor ends what runs.
class Streams {
 public:
  struct Joined {
    std::shared_ptr<SharedStream> stream;
    SharedStream::Reader reader = 0;
  };

  Streams(Stores& stores, std::size_t most) : stores_(stores), most_(most) {}
  ~Streams() { end(); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  // Ends what runs; nobody joins any more.
  void end();

  // busy: too many run, or the system has no thread left.
  Result<Joined> join(const std::string& method, const std::string& params, Secrets secrets,
                      const SharedStream::Bell& bell);

 private:
  struct Running {
    std::string key;
    std::shared_ptr<SharedStream> stream;
    std::shared_ptr<std::atomic<bool>> ended;
    std::jthread thread;
  };

  Stores& stores_;
  const std::size_t most_;
  std::list<Running> running_;
};

}  // namespace holdfast::inline v1
