// Streams of the api for many readers. Readers of the same stream share one run of its operation, and a later
// reader gets what came before. Each reader takes data at its own pace. A reader that stays far behind the
// others is dropped, and an operation waits while even the fastest reader has enough data.
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
  // Called when there is something to take, after take() has found nothing; from any thread, with no lock held.
  using ReadyCallback = std::function<void()>;
  using Reader = std::uint64_t;

  struct Taken {
    std::string frames = {};  // as server-sent events
    bool over = false;        // the end of the stream
  };

  // nullopt if it cannot be joined any more: its beginning is gone, or it has ended.
  std::optional<Reader> join(ReadyCallback bell);
  // When the last reader leaves, the operation ends.
  void leave(Reader reader);
  Taken take(Reader reader, std::size_t most);

  // Runs the operation to its end.
  void run(Stores& stores, const std::string& method, const std::string& params, Secrets secrets);
  void stop() { stop_.request_stop(); }

 private:
  struct Place {
    std::uint64_t next = 0;   // number of the next frame to take
    std::uint64_t bytes = 0;  // taken so far
    bool waits = true;
    ReadyCallback bell;
  };
  using Frame = std::shared_ptr<const std::string>;

  // Returns false if the stream was stopped or has no reader left.
  bool add(std::string frame, bool last);
  std::uint64_t fastest() const HOLDFAST_REQUIRES(mutex_);
  bool has_room() const HOLDFAST_REQUIRES(mutex_);
  void drop_taken() HOLDFAST_REQUIRES(mutex_);

  std::stop_source stop_;
  Mutex mutex_;
  std::condition_variable_any taken_;
  std::deque<Frame> frames_ HOLDFAST_GUARDED_BY(mutex_);
  std::uint64_t first_ HOLDFAST_GUARDED_BY(mutex_) = 0;  // number of the first frame in frames_
  std::size_t bytes_ HOLDFAST_GUARDED_BY(mutex_) = 0;    // size of frames_
  std::uint64_t told_ HOLDFAST_GUARDED_BY(mutex_) = 0;   // total bytes of all frames so far
  bool over_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool left_ HOLDFAST_GUARDED_BY(mutex_) = false;  // all readers have left
  std::map<Reader, Place> readers_ HOLDFAST_GUARDED_BY(mutex_);
  Reader last_reader_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

// Thread-safety: one thread. The destructor ends all running streams.
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

  // Ends all running streams; nobody can join any more.
  void end();

  // Fails with busy if too many run, or the system has no thread left.
  Result<Joined> join(const std::string& method, const std::string& params, Secrets secrets,
                      const SharedStream::ReadyCallback& bell);

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
