#include "disk/real_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace holdfast::inline v1 {
namespace {

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Field 22 of /proc/PID/stat. The name in field 2 may contain spaces and
// parentheses, so count from the last ')'.
std::uint64_t start_time(const std::string& stat_file) {
  const std::string line = first_line(stat_file.c_str());
  const auto close = line.rfind(')');
  if (close == std::string::npos) return 0;
  std::istringstream fields(line.substr(close + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number)
    if (!(fields >> field)) return 0;
  std::istringstream digits(field);
  std::uint64_t ticks = 0;
  digits >> ticks;
  return ticks;
}

// When the machine booted, in seconds since 1970.
std::int64_t boot_time() {
  std::ifstream file("/proc/stat");
  std::string word;
  std::int64_t seconds = 0;
  while (file >> word) {
    if (word == "btime") {
      file >> seconds;
      break;
    }
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return seconds;
}

bool has_open(std::int64_t pid, std::string_view path_end) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::filesystem::path target = std::filesystem::read_symlink(entry.path(), error);
    if (!error && target.native().ends_with(path_end)) return true;
  }
  return false;
}

bool opened_for_writing(const std::filesystem::path& process, const std::filesystem::path& descriptor) {
  std::ifstream info(process / "fdinfo" / descriptor.filename());
  std::string word;
  while (info >> word) {
    if (word != "flags:") continue;
    unsigned flags = 0;
    return info >> std::oct >> flags && (flags & O_ACCMODE) != O_RDONLY;
  }
  return false;
}

}  // namespace

std::optional<std::int64_t> find_writing_process(const std::string& path) {
  std::error_code error;
  const std::filesystem::path wanted = std::filesystem::canonical(path, error);
  if (error) return std::nullopt;
  for (const auto& process : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = process.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(::getpid())) continue;
    std::error_code hidden;  // processes of other users, or gone by now
    for (const auto& descriptor : std::filesystem::directory_iterator(process.path() / "fd", hidden)) {
      if (std::filesystem::read_symlink(descriptor.path(), hidden) != wanted) continue;
      if (opened_for_writing(process.path(), descriptor.path())) return std::stoll(name);
    }
  }
  return std::nullopt;
}

ProcessIdentity this_process() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return {::getpid(), start_time("/proc/self/stat"), first_line("/proc/sys/kernel/random/boot_id"), host.data()};
}

std::int64_t this_process_id() { return ::getpid(); }

std::optional<std::uint64_t> process_start(std::int64_t pid) {
  const std::uint64_t ticks = start_time("/proc/" + std::to_string(pid) + "/stat");
  if (ticks == 0) return std::nullopt;
  return ticks;
}

std::optional<std::int64_t> process_start_ns(std::int64_t pid) {
  const auto ticks = process_start(pid);
  const long rate = ::sysconf(_SC_CLK_TCK);
  if (!ticks || rate <= 0) return std::nullopt;
  return (boot_time() + static_cast<std::int64_t>(*ticks) / rate) * 1'000'000'000;
}

// "1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF"; lines of waiters have "->" in front.
bool is_locked(std::uint64_t inode, std::string_view path_end) {
  std::ifstream file("/proc/locks");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string number, kind, advisory, mode, place;
    std::int64_t pid = 0;
    if (!(fields >> number >> kind >> advisory >> mode >> pid >> place) || kind != "FLOCK" || pid <= 0) continue;
    if (place.substr(place.rfind(':') + 1) == std::to_string(inode) && has_open(pid, path_end)) return true;
  }
  return false;
}

}  // namespace holdfast::inline v1
