#include "store/select_rows.h"

#include <algorithm>

#include "model/time_formats.h"

namespace holdfast::inline v1 {
namespace {

bool newer(const RowHead& a, const RowHead& b) {
  if (a.updated_at != b.updated_at) return a.updated_at > b.updated_at;
  return a.id < b.id;
}

// A row with the first 16 characters of its time as numbers, which are enough to order most rows.
struct Timed {
  explicit Timed(std::size_t number, std::string_view time)
      : row(number), month(eight(time, 0)), rest(eight(time, 8)) {}

  std::size_t row;
  std::uint64_t month, rest;

 private:
  static std::uint64_t eight(std::string_view text, std::size_t at) {
    std::uint64_t number = 0;
    for (std::size_t i = at; i < at + 8; ++i)
      number = number << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
    return number;
  }
};

std::vector<std::size_t> newest_first(std::span<const SessionRow> rows, std::vector<Timed> chosen) {
  std::ranges::sort(chosen, [&](const Timed& a, const Timed& b) {
    if (a.month != b.month) return a.month > b.month;
    if (a.rest != b.rest) return a.rest > b.rest;
    return newer(rows[a.row].head.row, rows[b.row].head.row);
  });
  std::vector<std::size_t> order;
  order.reserve(chosen.size());
  for (const Timed& one : chosen) order.push_back(one.row);
  return order;
}

// `wanted` is the path, or the layout's key; with a '/' at the end it includes everything
// below. Anything that is not a path also matches the name of a directory, or a prefix of it.
bool is_project(std::string_view project, std::string_view wanted) {
  if (project == wanted) return true;
  if (wanted.starts_with('/'))
    return wanted.ends_with('/') && project.starts_with(wanted.substr(0, wanted.size() - 1)) &&
           (project.size() + 1 == wanted.size() || project.starts_with(wanted));
  const std::size_t slash = project.rfind('/');
  return slash != std::string_view::npos && project.substr(slash + 1).starts_with(wanted);
}

// A filter, with its times in the format of rows.
class Sifter {
 public:
  explicit Sifter(const SessionFilter& filter)
      : filter_(filter), since_(when(filter.since)), until_(when(filter.until)) {}

  bool passes(const SessionRow& session) const {
    const RowHead& row = session.head.row;
    if (!filter_.project.empty() && !is_project(row.project, filter_.project) &&
        (filter_.also_project.empty() || !is_project(row.project, filter_.also_project)))
      return false;
    if (filter_.status && session.status != *filter_.status) return false;
    if (!filter_.subagents && session.is_subagent()) return false;
    if (!filter_.since.empty() && row.updated_at < since_) return false;
    return filter_.until.empty() || row.updated_at <= until_;
  }

 private:
  static std::string when(const std::string& time) { return time.empty() ? std::string() : to_iso_time(time); }

  const SessionFilter& filter_;
  std::string since_, until_;
};

}  // namespace

std::vector<std::size_t> select_rows(std::span<const SessionRow> rows, const SessionFilter& filter) {
  const Sifter sifter(filter);
  std::vector<Timed> chosen;
  chosen.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (sifter.passes(rows[i])) chosen.emplace_back(i, rows[i].head.row.updated_at);
  }
  return newest_first(rows, std::move(chosen));
}

}  // namespace holdfast::inline v1
