#include <dirent.h>
#include <fcntl.h>
#include <holdfast/watch.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>

#include "disk/real_path.h"

namespace holdfast::inline v1 {
namespace {

// Events that can change what a reader sees. IN_ATTRIB: a file may have become readable.
constexpr std::uint32_t kEvents = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                  IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr int kMaxReads = 64;  // a writer that never pauses must not block wait() forever
// Polling interval for directories for which the kernel has no watch left.
constexpr auto kLook = std::chrono::milliseconds(500);

using Ticks = std::chrono::steady_clock;

// The context's own clock says how much time is left, but the wait is in real
// time, because poll knows no other clock.
std::optional<Ticks::time_point> real_deadline(const Context& context) {
  if (!context.deadline) return std::nullopt;
  const auto left = *context.deadline - context.clock->ticks();
  const auto now = Ticks::now();
  return left >= Ticks::time_point::max() - now ? Ticks::time_point::max() : now + left;
}

// Facts that differ after a change.
struct SeenFile {
  ino_t number = 0;
  off_t size = 0;
  std::int64_t written = 0, changed = 0;  // nanoseconds

  bool operator==(const SeenFile&) const = default;
};
using SeenFiles = std::map<std::string, SeenFile>;

// nullopt if it is no longer a directory, or cannot be read.
std::optional<SeenFiles> look_at(const std::string& directory) {
  DIR* const open = ::opendir(directory.c_str());
  if (open == nullptr) return std::nullopt;
  const auto nanoseconds = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  SeenFiles files;
  while (const dirent* const entry = ::readdir(open)) {
    const std::string_view name = entry->d_name;
    struct stat facts{};
    if (name == "." || name == ".." || ::fstatat(::dirfd(open), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    files.emplace(name, SeenFile{facts.st_ino, facts.st_size, nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim)});
  }
  ::closedir(open);
  return files;
}

std::string path_in(const std::string& directory, std::string_view name) {
  return name.empty() ? directory : directory + (directory.ends_with('/') ? "" : "/") + std::string(name);
}

}  // namespace

struct HOLDFAST_HIDDEN Watch::Impl {
  Descriptor events;  // empty if the system has no inotify instance left; then every directory is polled
  Descriptor bell;    // signaled by wake() and by a stop request
  std::atomic<bool> woken = false;
  // A directory that was added under several names (links) has one watch number.
  std::map<int, std::set<std::string>> directories;
  // Directories that are polled, and what was last seen there. One that is gone was reported and is dropped, as the
  // kernel does.
  std::map<std::string, SeenFiles> looked_at;
  Ticks::time_point next_look = {};

  void ring() {
    const std::uint64_t one = 1;
    (void)!::write(bell.get(), &one, sizeof one);  // fails only if it is already signaled
  }
  void quiet() {
    std::uint64_t count = 0;
    (void)!::read(bell.get(), &count, sizeof count);
  }

  void take(const inotify_event& event, std::string_view name, std::set<std::string>& paths, bool& overflow) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) overflow = true;
    const auto found = directories.find(event.wd);
    if (found == directories.end()) return;
    if ((event.mask & IN_IGNORED) != 0) {
      directories.erase(found);
      return;
    }
    for (const auto& directory : found->second) paths.insert(path_in(directory, name));
    if ((event.mask & IN_MOVE_SELF) != 0) {
      // Its old name no longer leads to it. The caller was notified and can add the name again.
      ::inotify_rm_watch(events.get(), event.wd);
      directories.erase(found);
    }
  }

  // Adds the paths that differ from the last poll.
  void look(std::set<std::string>& paths) {
    if (looked_at.empty() || Ticks::now() < next_look) return;
    for (auto at = looked_at.begin(); at != looked_at.end();) {
      auto& [directory, before] = *at;
      auto now = look_at(directory);
      if (!now) {
        paths.insert(directory);
        at = looked_at.erase(at);
        continue;
      }
      for (const auto& [name, file] : *now)
        if (const auto known = before.find(name); known == before.end() || known->second != file)
          paths.insert(path_in(directory, name));
      for (const auto& [name, file] : before)
        if (!now->contains(name)) paths.insert(path_in(directory, name));
      before = std::move(*now);
      ++at;
    }
    next_look = Ticks::now() + kLook;
  }

  // Reads all pending events. Returns true if there is something to report.
  Result<bool> drain(Changed& changed) {
    alignas(inotify_event) char buffer[16384];
    std::set<std::string> paths;
    look(paths);
    for (int reads = 0; events && reads < kMaxReads; ++reads) {
      const auto count = ::read(events.get(), buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) break;
      if (count < 0) return fail(file_error(errno, "cannot read what changed", {}));
      for (const char* at = buffer; at < buffer + count;) {
        inotify_event event;
        std::memcpy(&event, at, sizeof event);
        // The name is padded with NULs to event.len.
        take(event, event.len == 0 ? "" : at + sizeof event, paths, changed.overflow);
        at += sizeof event + event.len;
      }
    }
    changed.paths.assign(paths.begin(), paths.end());
    return !changed.paths.empty() || changed.overflow;
  }

  Result<void> sleep(std::optional<Ticks::time_point> until) {
    pollfd waiting[2] = {{events ? events.get() : -1, POLLIN, 0}, {bell.get(), POLLIN, 0}};
    if (!looked_at.empty()) until = std::min(until.value_or(next_look), next_look);
    timespec time{};
    if (until) {
      const auto left = std::max<Ticks::duration>(*until - Ticks::now(), Ticks::duration::zero());
      const auto whole = std::chrono::floor<std::chrono::seconds>(left);
      time.tv_sec = static_cast<time_t>(whole.count());
      time.tv_nsec = static_cast<long>(std::chrono::nanoseconds(left - whole).count());
    }
    if (::ppoll(waiting, 2, until ? &time : nullptr, nullptr) < 0 && errno != EINTR)
      return fail(file_error(errno, "cannot wait for changes", {}));
    if ((waiting[1].revents & POLLIN) != 0) quiet();
    return {};
  }
};

Watch::Watch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(Watch&&) noexcept = default;
Watch::~Watch() = default;

Result<Watch> Watch::create() {
  auto impl = std::make_unique<Impl>();
  impl->bell = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!impl->bell) return fail(file_error(errno, "cannot watch for changes", {}));
  impl->events = Descriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  // fs.inotify.max_user_instances is shared by all programs of a user: others may have used up all instances.
  if (!impl->events && errno != EMFILE && errno != ENFILE && errno != ENOMEM)
    return fail(file_error(errno, "cannot watch for changes", {}));
  return Watch(std::move(impl));
}

Result<void> Watch::add(std::string_view directory) {
  std::string path(directory);
  if (!path.starts_with('/') || path.contains('\0'))
    return fail(Code::invalid_argument, "only absolute paths can be watched", std::move(path));
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const int number = impl_->events
                         ? ::inotify_add_watch(impl_->events.get(), path.c_str(), kEvents | IN_ONLYDIR | IN_EXCL_UNLINK)
                         : -1;
  // Here ENOSPC does not mean the disk, but fs.inotify.max_user_watches.
  if (number < 0 && impl_->events && errno != ENOSPC) return fail(file_error(errno, "cannot watch", path));
  if (number < 0) {
    if (impl_->looked_at.contains(path)) return {};
    auto files = look_at(path);
    if (!files) return fail(file_error(errno, "cannot watch", path));
    if (impl_->looked_at.empty()) impl_->next_look = Ticks::now() + kLook;
    impl_->looked_at.emplace(std::move(path), std::move(*files));
    return {};
  }
  impl_->directories[number].insert(std::move(path));
  return {};
}

Result<Changed> Watch::wait(const Context& context) {
  HOLDFAST_TRY(context.check());
  const auto until = real_deadline(context);
  const std::stop_callback on_stop(context.stop, [this] { impl_->ring(); });
  while (true) {
    Changed changed;
    HOLDFAST_LET(something, impl_->drain(changed));
    if (something) return changed;
    if (impl_->woken.exchange(false)) return Changed{};
    if (context.stop.stop_requested()) return fail(Code::cancelled, "interrupted");
    if (until && Ticks::now() >= *until) return fail(Code::deadline_exceeded, "the deadline has passed");
    HOLDFAST_TRY(impl_->sleep(until));
  }
}

void Watch::wake() {
  impl_->woken.store(true);
  impl_->ring();
}

}  // namespace holdfast::inline v1
