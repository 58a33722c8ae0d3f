#include "doors/http/streams.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/dispatch.h"
#include "api/error_json.h"
#include "base/start_thread.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kKept = std::size_t{256} << 10;  // already taken by all readers, kept for later ones
constexpr std::size_t kAhead = std::size_t{1} << 20;   // not taken by any reader, before the operation waits
constexpr std::size_t kBehind = std::size_t{8} << 20;  // how far a reader may be behind another

std::string event(std::string_view name, std::string_view data) {
  std::string frame;
  if (!name.empty()) frame.append("event: ").append(name).append("\n");
  return frame.append("data: ").append(data).append("\n\n");
}

}  // namespace

std::optional<SharedStream::Reader> SharedStream::join(ReadyCallback bell) {
  const ScopedLock lock(mutex_);
  if (first_ > 0 || over_ || left_) return std::nullopt;
  readers_.emplace(++last_reader_, Place{0, 0, frames_.empty(), std::move(bell)});
  return last_reader_;
}

void SharedStream::leave(Reader reader) {
  {
    const ScopedLock lock(mutex_);
    readers_.erase(reader);
    left_ = readers_.empty();
    if (left_) stop_.request_stop();
  }
  taken_.notify_all();
}

SharedStream::Taken SharedStream::take(Reader reader, std::size_t most) {
  Taken taken;
  {
    const ScopedLock lock(mutex_);
    const auto found = readers_.find(reader);
    if (found == readers_.end()) return {.over = true};
    Place& place = found->second;
    if (place.next < first_)
      return {event("error", R"({"error":{"code":"busy","message":"this reader is too far behind"}})"), true};
    while (place.next < first_ + frames_.size() && taken.frames.size() < most)
      taken.frames += *frames_[place.next++ - first_];
    place.bytes += taken.frames.size();
    taken.over = over_ && place.next == first_ + frames_.size();
    place.waits = taken.frames.empty() && !taken.over;
    drop_taken();
  }
  taken_.notify_all();
  return taken;
}

std::uint64_t SharedStream::fastest() const {
  std::uint64_t most = first_;
  for (const auto& [reader, place] : readers_) most = std::max(most, place.next);
  return most;
}

bool SharedStream::has_room() const {
  if (left_) return true;
  std::uint64_t taken = 0;
  for (const auto& [reader, place] : readers_) taken = std::max(taken, place.bytes);
  return told_ - taken < kAhead;
}

void SharedStream::drop_taken() {
  std::uint64_t slowest = first_ + frames_.size();
  for (const auto& [reader, place] : readers_) slowest = std::min(slowest, place.next);
  const std::uint64_t fast = fastest();
  while (bytes_ > kKept && !frames_.empty() && first_ < (bytes_ > kBehind ? fast : slowest)) {
    bytes_ -= frames_.front()->size();
    frames_.pop_front();
    ++first_;
  }
}

bool SharedStream::add(std::string frame, bool last) {
  std::vector<ReadyCallback> bells;
  {
    UniqueLock lock(mutex_);
    const auto room = [&]() HOLDFAST_REQUIRES(mutex_) { return has_room(); };
    if (!last) taken_.wait(lock, stop_.get_token(), room);
    if (left_ || (stop_.stop_requested() && !last)) return false;
    bytes_ += frame.size();
    told_ += frame.size();
    frames_.push_back(std::make_shared<const std::string>(std::move(frame)));
    over_ = last;
    drop_taken();
    for (auto& [reader, place] : readers_)
      if (std::exchange(place.waits, false)) bells.push_back(place.bell);
  }
  for (const ReadyCallback& bell : bells) bell();
  return true;
}

void SharedStream::run(Stores& stores, const std::string& method, const std::string& params, Secrets secrets) {
  Context context;
  context.stop = stop_.get_token();
  const auto answer = dispatch(
      context, stores, method, params, [&](std::string_view item) { return add(event({}, item), false); }, secrets);
  add(answer ? event("end", *answer) : event("error", error_json(answer.error())), true);
}

void Streams::end() {
  for (const Running& one : running_) one.stream->stop();
  running_.clear();
}

Result<Streams::Joined> Streams::join(const std::string& method, const std::string& params, Secrets secrets,
                                      const SharedStream::ReadyCallback& bell) {
  std::erase_if(running_, [](const Running& one) { return one.ended->load(); });
  const std::string key = method + (secrets == Secrets::masked ? " masked " : " ") + params;
  for (const Running& one : running_) {
    if (one.key != key) continue;
    if (const auto reader = one.stream->join(bell)) return Joined{one.stream, *reader};
  }
  if (running_.size() >= most_) return fail(Code::busy, "at most " + std::to_string(most_) + " streams run at a time");
  const auto stream = std::make_shared<SharedStream>();
  const SharedStream::Reader reader = *stream->join(bell);
  const auto ended = std::make_shared<std::atomic<bool>>(false);
  std::jthread thread = start_thread([&stores = stores_, stream, method, params, secrets, ended] {
    stream->run(stores, method, params, secrets);
    *ended = true;
  });
  if (!thread.joinable()) return fail(Code::busy, "the system has no thread left for a stream");
  running_.push_back({key, stream, ended, std::move(thread)});
  return Joined{stream, reader};
}

}  // namespace holdfast::inline v1
