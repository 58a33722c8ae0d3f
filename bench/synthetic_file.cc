#include "bench/synthetic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "bench/table.h"

namespace holdfast::bench {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;
constexpr std::uint64_t kDayMs = 86'400'000;

void put_digits(char* at, std::uint64_t value, int digits) {
  for (int place = digits - 1; place >= 0; --place, value /= 10) at[place] = static_cast<char>('0' + value % 10);
}

}  // namespace

SyntheticFile::SyntheticFile(const std::string& path, std::uint64_t seed, std::chrono::sys_seconds begin)
    : dice(seed),
      path_(path),
      fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)),
      now_ms_(static_cast<std::uint64_t>(begin.time_since_epoch().count()) * 1000) {
  if (fd_ < 0) stop("cannot create " + path + ": " + std::strerror(errno));
  buffer_.reserve(kBuffer + (std::size_t{1} << 16));
  std::memcpy(stamp_, "0000-00-00T00:00:00.000Z", sizeof stamp_);
  set_stamp();
}

SyntheticFile::~SyntheticFile() {
  flush();
  ::close(fd_);
}

void SyntheticFile::flush() {
  for (std::string_view left = buffer_; !left.empty();) {
    const ssize_t done = ::write(fd_, left.data(), left.size());
    if (done <= 0) stop("cannot write " + path_ + ": " + std::strerror(errno));
    left.remove_prefix(static_cast<std::size_t>(done));
  }
  written_ += buffer_.size();
  buffer_.clear();
}

void SyntheticFile::set_stamp() {
  if (now_ms_ / kDayMs != day_) {
    day_ = now_ms_ / kDayMs;
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day_))};
    put_digits(stamp_, static_cast<std::uint64_t>(static_cast<int>(date.year())), 4);
    put_digits(stamp_ + 5, static_cast<unsigned>(date.month()), 2);
    put_digits(stamp_ + 8, static_cast<unsigned>(date.day()), 2);
  }
  const std::uint64_t of_day = now_ms_ % kDayMs;
  put_digits(stamp_ + 11, of_day / 3'600'000, 2);
  put_digits(stamp_ + 14, of_day / 60'000 % 60, 2);
  put_digits(stamp_ + 17, of_day / 1000 % 60, 2);
  put_digits(stamp_ + 20, of_day % 1000, 3);
}

SyntheticFile& SyntheticFile::number(std::uint64_t value) {
  char digits[20];
  int count = 0;
  do digits[count++] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  while (count > 0) buffer_ += digits[--count];
  return *this;
}

void SyntheticFile::end_line() {
  buffer_ += '\n';
  if (buffer_.size() >= kBuffer) flush();
  pause(dice.between(1, 900));
}

void SyntheticFile::pause(std::uint64_t ms) {
  now_ms_ += ms;
  set_stamp();
}

std::string SyntheticFile::uuid() {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string id = "00000000-0000-4000-8000-000000000000";
  std::uint64_t bits[2] = {dice.next(), dice.next()};
  std::size_t taken = 0;
  for (std::size_t at = 0; at < id.size(); ++at) {
    if (id[at] == '-' || at == 14 || at == 19) continue;
    std::uint64_t& from = bits[taken++ / 16];
    id[at] = kHex[from & 15];
    from >>= 4;
  }
  return id;
}

std::string SyntheticFile::name(std::string_view prefix) {
  static constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz";
  std::string id(prefix);
  std::uint64_t bits = 0;
  for (int n = 0; n < 24; ++n, bits >>= 5) {
    if (n % 12 == 0) bits = dice.next();
    id += kLetters[bits & 31];
  }
  return id;
}

}  // namespace holdfast::bench
