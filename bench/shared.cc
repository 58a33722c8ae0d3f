#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>

#include "bench/jobs.h"

namespace holdfast::bench {

std::shared_ptr<Root> open_root(const std::string& directory) {
  RootOptions options;
  options.create = true;
  return need(Root::open({}, real_file_system(), directory, options));
}

std::string message_of(std::uint64_t number) {
  constexpr std::size_t kBytes = 1024;
  const std::string head = fmt::format(R"({{"id":{},"role":"assistant","text":")", number);
  return head + std::string(kBytes - head.size() - 3, 'x') + "\"}";
}

RawFile::RawFile(const std::string& path)
    : fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600)) {
  if (fd_ < 0) stop("cannot create " + path);
}

RawFile::~RawFile() { ::close(fd_); }

void RawFile::append(const std::string& line, bool sync) const {
  if (::write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) stop("cannot write");
  if (sync && ::fdatasync(fd_) != 0) stop("cannot sync");
}

std::function<void(std::uint64_t)> raw_writer(const std::string& path, bool sync) {
  return [file = std::make_shared<RawFile>(path), sync](std::uint64_t number) {
    file->append(message_of(number) + "\n", sync);
  };
}

void take_turns(std::vector<Variant>& variants, double seconds, int batch) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t number = 0;
  for (int turn = 0; turn == 0 || Clock::now() < end; ++turn) {
    for (auto& variant : variants) {
      for (int call = 0; call < batch; ++call) {
        const auto before = Clock::now();
        variant.once(++number);
        const std::chrono::duration<double, std::micro> time = Clock::now() - before;
        if (turn > 0 && call > 0) variant.samples.push_back(time.count());  // the first turn warms up
      }
    }
  }
}

}  // namespace holdfast::bench
