#include "storm_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "layout/moment.h"

extern char** environ;  // NOLINT: the name is the system's

namespace holdfast::lab {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(45);  // longer than the library waits for a lock

microseconds life_after_first_ack(Random& random) {
  const auto draw = random.below(100);
  const std::uint64_t time = draw < 60   ? 200 + random.below(2'800)
                             : draw < 90 ? 3'000 + random.below(7'000)
                                         : 10'000 + random.below(20'000);
  return microseconds(time);
}

struct Running {
  Job job;
  Child child;
  Moment started;
  std::optional<Moment> death;  // when to kill it; unset before the first acknowledgement
  bool told = false;            // it reported trouble
};

bool is_first_sign(const Job& job, const Message& message) {
  if (message.kind == Kind::ack || message.kind == Kind::held) return true;
  return message.kind == Kind::opened && (job.role == "read" || job.role == "compact" || job.role == "lease");
}

class Loop {
 public:
  Loop(const StormPlan& plan, std::uint64_t& next_writer)
      : plan_(plan), next_writer_(next_writer), random_(plan.seed), running_(plan.slots.size()) {}

  std::uint64_t run() {
    while (kills_ < plan_.kills) {
      for (std::size_t i = 0; i < running_.size(); ++i)
        if (!running_[i]) start(i);
      wait();
    }
    over_ = true;
    for (auto& each : running_)
      if (each) each->child.kill();
    for (std::size_t i = 0; i < running_.size(); ++i)
      while (running_[i]) read(i);
    return kills_;
  }

 private:
  void start(std::size_t i) {
    Job job = plan_.slots[i].next(next_writer_, random_);
    job.writer = next_writer_;
    next_writer_ += 4;
    std::vector<std::string> words{plan_.program, "--child"};
    for (auto& word : job.words()) words.push_back(std::move(word));
    running_[i] = std::make_unique<Running>(Running{job, Child(words, kReportFd), steady_clock::now(), {}, false});
    // Some die while they start, open or recover.
    if (random_.chance(15)) running_[i]->death = running_[i]->started + microseconds(random_.below(6'000));
  }

  void wait() {
    const Moment now = steady_clock::now();
    Moment wake = now + std::chrono::milliseconds(50);
    for (auto& each : running_) {
      if (!each || each->child.killed()) continue;
      if (!each->death && now - each->started > kPatience) {
        plan_.broken(each->job, "no acknowledgement for 45 s");
        each->death = now;
      }
      if (!each->death) continue;
      if (*each->death <= now)
        each->child.kill();
      else
        wake = std::min(wake, *each->death);
    }
    std::vector<pollfd> fds;
    std::vector<std::size_t> owners;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (!running_[i]) continue;
      fds.push_back({running_[i]->child.fd(), POLLIN, 0});
      owners.push_back(i);
    }
    const auto left = std::max<std::int64_t>(0, std::chrono::nanoseconds(wake - now).count());
    const timespec timeout{left / 1'000'000'000, left % 1'000'000'000};
    if (::ppoll(fds.data(), fds.size(), &timeout, nullptr) <= 0) return;
    for (std::size_t k = 0; k < fds.size(); ++k)
      if (fds[k].revents != 0) read(owners[k]);
  }

  void read(std::size_t i) {
    Running& running = *running_[i];
    std::string& pending = running.child.pending();
    const bool more = running.child.read_some(pending);
    std::size_t at = 0;
    for (; pending.size() - at >= sizeof(Message); at += sizeof(Message)) {
      Message message;
      std::memcpy(&message, pending.data() + at, sizeof message);
      plan_.take(running.job, message);
      running.told = running.told || message.kind == Kind::trouble;
      if (!running.death && is_first_sign(running.job, message))
        running.death = steady_clock::now() + life_after_first_ack(random_);
    }
    pending.erase(0, at);
    if (more) return;
    const int status = running.child.reap();
    if (!pending.empty()) plan_.broken(running.job, "half a message in the pipe");
    const bool died = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && running.child.killed();
    if (died && !over_ && plan_.slots[i].counts) ++kills_;
    // 1 is the exit code after reported trouble; a sanitizer uses it too.
    if (!died && !(WIFEXITED(status) && WEXITSTATUS(status) == (running.told ? 1 : 0)))
      plan_.broken(running.job, "a child ended with wait status " + std::to_string(status));
    running_[i].reset();
  }

  const StormPlan& plan_;
  std::uint64_t& next_writer_;
  Random random_;
  std::vector<std::unique_ptr<Running>> running_;
  std::uint64_t kills_ = 0;
  bool over_ = false;
};

}  // namespace

Child::Child(const std::vector<std::string>& words, int pipe_fd) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: exec's signature
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], pipe_fd);
  const int error = ::posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  fd_ = ends[0];
  if (error != 0) {
    pid_ = -1;
    ::close(fd_);
    throw std::runtime_error("cannot start " + words[0]);
  }
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      fd_(std::exchange(other.fd_, -1)),
      killed_(other.killed_),
      pending_(std::move(other.pending_)) {}

Child::~Child() {
  if (pid_ > 0) {
    kill();
    reap();
  }
  if (fd_ >= 0) ::close(fd_);
}

void Child::kill() {
  if (pid_ > 0 && !std::exchange(killed_, true)) ::kill(pid_, SIGKILL);
}

bool Child::read_some(std::string& into) {
  std::array<char, std::size_t{1} << 16> buffer;  // NOLINT: filled by read
  ssize_t count = 0;
  do count = ::read(fd_, buffer.data(), buffer.size());
  while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  into.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

int Child::reap() {
  int status = 0;
  while (pid_ > 0 && ::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

std::uint64_t run_storm(const StormPlan& plan, std::uint64_t& next_writer) { return Loop(plan, next_writer).run(); }

std::optional<std::string> output_of(const std::vector<std::string>& words) {
  try {
    Child child(words, 1);
    std::string output;
    while (child.read_some(output)) {
    }
    const int status = child.reap();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return output;
  } catch (const std::runtime_error&) {
  }
  return std::nullopt;
}

ScratchDirectory::ScratchDirectory(const std::string& base) : path_(base + "/holdfast-storm-XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a directory in " + base);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (std::getenv("HOLDFAST_LAB_KEEP") == nullptr) std::filesystem::remove_all(path_, ignored);
}

std::string memory_directory(const std::string& otherwise) {
  return ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : otherwise;
}

}  // namespace holdfast::lab
