#include "demo/measure.h"

#include <fcntl.h>
#include <holdfast/append_log.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kBytes = 1024;
constexpr std::uint64_t kMaxSamples = 4000;
constexpr std::uint64_t kWarmUp = 20;

std::string message_of(std::uint64_t number) {
  JsonWriter json;
  json.begin_object().key("n").uint64(number).key("text");
  const std::size_t around = json.text().size() + 4;  // quotes, brace, newline
  json.string(std::string(kBytes - around, 'x')).end_object();
  return json.take();
}

// A file used the way any program would.
class RawFile {
 public:
  explicit RawFile(const std::string& path)
      : fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600)) {}
  ~RawFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  bool append(const std::string& line) const {
    return fd_ >= 0 && ::write(fd_, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
           ::fdatasync(fd_) == 0;
  }

 private:
  int fd_;
};

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

}  // namespace

Result<Timing> measure_append(const Context& context, const std::shared_ptr<Root>& root,
                              std::chrono::milliseconds time) {
  HOLDFAST_LET(log, AppendLog::open(context, root, "timing/holdfast.jsonl"));
  const std::string raw_path = root->path() + "/timing/raw.jsonl";
  const RawFile raw(raw_path);
  std::vector<double> ours;
  std::vector<double> theirs;
  const auto ticks = [&] { return context.clock->ticks(); };
  const auto microseconds = [](auto duration) { return std::chrono::duration<double, std::micro>(duration).count(); };
  const auto end = ticks() + time;
  for (std::uint64_t number = 0; number < kMaxSamples + kWarmUp && ticks() < end; ++number) {
    HOLDFAST_TRY(context.check());
    const std::string message = message_of(number);
    const std::string line = message + "\n";
    const auto first = ticks();
    if (!raw.append(line)) return fail(os_error(errno, "cannot write and sync", raw_path));
    const auto second = ticks();
    HOLDFAST_TRY(log->append(context, message, Durability::power));
    const auto third = ticks();
    if (number < kWarmUp) continue;
    theirs.push_back(microseconds(second - first));
    ours.push_back(microseconds(third - second));
  }
  return Timing{ours.size(), kBytes, median(ours), median(theirs)};
}

}  // namespace holdfast::inline v1
