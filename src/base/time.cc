#include "base/time.h"

namespace holdfast::inline v1 {
namespace {

using namespace std::chrono;
using Point = system_clock::time_point;

void append_digits(std::string& out, long long value, int digits) {
  const std::size_t start = out.size();
  out.append(static_cast<std::size_t>(digits), '0');
  for (std::size_t at = out.size(); at > start && value > 0; value /= 10)
    out[--at] = static_cast<char>('0' + value % 10);
}

struct Parts {
  explicit Parts(Point time) : day(floor<days>(time)), date(day), clock(floor<milliseconds>(time - day)) {}
  sys_days day;
  year_month_day date;
  hh_mm_ss<milliseconds> clock;
};

// Reads a text from left to right; after a fault every call returns false.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool number(int digits, int& value) {
    value = 0;
    for (int i = 0; i < digits; ++i) {
      if (text_.empty() || text_.front() < '0' || text_.front() > '9') return false;
      value = value * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
    }
    return true;
  }
  bool one_of(std::string_view set) {
    if (text_.empty() || !set.contains(text_.front())) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool at_end() const { return text_.empty(); }
  char peek() const { return text_.empty() ? '\0' : text_.front(); }

 private:
  std::string_view text_;
};

bool read_fraction(Reader& in, nanoseconds& fraction) {
  fraction = nanoseconds::zero();
  if (!in.one_of(".,")) return true;
  nanoseconds::rep value = 0;
  int digits = 0;
  for (int digit = 0; digits < 9 && in.number(1, digit); ++digits) value = value * 10 + digit;
  if (digits == 0) return false;
  for (; digits < 9; ++digits) value *= 10;
  fraction = nanoseconds(value);
  return true;
}

bool read_offset(Reader& in, minutes& offset) {
  offset = minutes::zero();
  if (in.one_of("Zz")) return true;
  const bool west = in.peek() == '-';
  int hour = 0;
  int minute = 0;
  if (!in.one_of("+-") || !in.number(2, hour) || hour > 23) return false;
  if (!in.at_end()) {
    in.one_of(":");
    if (!in.number(2, minute) || minute > 59) return false;
  }
  offset = hours(hour) + minutes(minute);
  if (west) offset = -offset;
  return true;
}

}  // namespace

std::string iso8601(Point time) {
  const Parts parts(time);
  std::string out;
  append_digits(out, static_cast<int>(parts.date.year()), 4);
  append_digits(out.append(1, '-'), static_cast<unsigned>(parts.date.month()), 2);
  append_digits(out.append(1, '-'), static_cast<unsigned>(parts.date.day()), 2);
  append_digits(out.append(1, 'T'), parts.clock.hours().count(), 2);
  append_digits(out.append(1, ':'), parts.clock.minutes().count(), 2);
  append_digits(out.append(1, ':'), parts.clock.seconds().count(), 2);
  append_digits(out.append(1, '.'), parts.clock.subseconds().count(), 3);
  return out.append(1, 'Z');
}

std::string compact_utc(Point time) {
  const Parts parts(time);
  std::string out;
  append_digits(out, static_cast<int>(parts.date.year()), 4);
  append_digits(out, static_cast<unsigned>(parts.date.month()), 2);
  append_digits(out, static_cast<unsigned>(parts.date.day()), 2);
  append_digits(out.append(1, 'T'), parts.clock.hours().count(), 2);
  append_digits(out, parts.clock.minutes().count(), 2);
  append_digits(out, parts.clock.seconds().count(), 2);
  return out.append(1, 'Z');
}

std::optional<Point> parse_iso8601(std::string_view text) {
  Reader in(text);
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0;
  nanoseconds fraction{};
  minutes offset{};
  const bool shape = in.number(4, y) && in.one_of("-") && in.number(2, mo) && in.one_of("-") && in.number(2, d) &&
                     in.one_of("Tt ") && in.number(2, h) && in.one_of(":") && in.number(2, mi) && in.one_of(":") &&
                     in.number(2, s) && read_fraction(in, fraction) && read_offset(in, offset) && in.at_end();
  const year_month_day date{year(y), month(static_cast<unsigned>(mo)), day(static_cast<unsigned>(d))};
  if (!shape || !date.ok() || h > 23 || mi > 59 || s > 60) return std::nullopt;
  const sys_seconds whole = sys_days(date) + hours(h) + minutes(mi) + seconds(s) - offset;
  // Nanoseconds in 64 bits reach from 1677 to 2262; a second of margin holds the fraction.
  if (whole <= ceil<seconds>(Point::min()) || whole >= floor<seconds>(Point::max())) return std::nullopt;
  return Point(whole) + duration_cast<Point::duration>(fraction);
}

}  // namespace holdfast::inline v1
