#include "disk/real_process.h"

#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>

namespace holdfast::inline v1 {
namespace {

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Field 22 of /proc/PID/stat. The name in field 2 may hold spaces and
// parentheses: count from the last ')'.
std::uint64_t own_start_time() {
  const std::string line = first_line("/proc/self/stat");
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

}  // namespace

ProcessIdentity this_process() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return {::getpid(), own_start_time(), first_line("/proc/sys/kernel/random/boot_id"), host.data()};
}

}  // namespace holdfast::inline v1
