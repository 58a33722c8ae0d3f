#include "disk/log_tail.h"

#include <algorithm>
#include <string>

#include "disk/salvage.h"
#include "disk/steps.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// Returns the bytes after the last newline; nullopt if there are more than
// `limit` of them.
Result<std::optional<std::string>> read_tail(File& file, std::uint64_t end, std::size_t limit) {
  std::string tail;
  std::size_t want = std::size_t{64} << 10;
  while (true) {
    const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(want, end));
    tail.resize(length);
    HOLDFAST_LET(count, file.read_at(end - length, tail));
    tail.resize(count);
    if (const auto newline = tail.rfind('\n'); newline != std::string::npos) return tail.substr(newline + 1);
    if (length == end) return tail;
    if (length > limit) return std::nullopt;
    want *= 4;
  }
}

Result<Finding> seal(File& file, Finding finding, std::string consequence) {
  HOLDFAST_LET(count, file.append("\n"));
  if (count != 1) return fail(Code::disk_full, "cannot terminate the last line of the log", finding.file);
  finding.consequence = std::move(consequence);
  return finding;
}

}  // namespace

Result<Finding> mend_tail(const Context& context, Root& root, std::string_view path, File& file, std::size_t max_line) {
  HOLDFAST_LET(stat, file.stat());
  HOLDFAST_LET(tail, read_tail(file, stat.size, max_line));
  Finding finding;
  finding.file = path;
  finding.kind = damage_kind_name(DamageKind::too_long);
  if (!tail) {
    finding.offset = stat.size;
    return seal(file, std::move(finding),
                "the last line is longer than the limit; it was terminated and left in place");
  }
  finding.offset = stat.size - tail->size();
  finding.length = tail->size();
  if (does(Step::log_tail_whole) && is_json_object_line(*tail)) {
    finding.kind = damage_kind_name(DamageKind::torn);
    return seal(file, std::move(finding), "the last record lacked only its newline, which was added");
  }
  finding.kind = damage_kind_name(classify(*tail));
  if (does(Step::log_tail_salvage) && !salvage(*tail).empty())
    return seal(file, std::move(finding),
                "the last line is damaged but holds whole records; it was terminated and left in place");
  if (does(Step::log_quarantine)) {
    auto moved = root.quarantine(context, path, finding.offset, *tail, finding.kind);
    if (!moved)
      return seal(file, std::move(finding),
                  "the last line is a fragment; it could not be copied aside (" + moved.error().message +
                      "), so it was terminated and left in place");
    finding.moved_to = std::move(*moved);
  }
  HOLDFAST_TRY(file.truncate(finding.offset));
  finding.consequence = "an unfinished last record, never acknowledged, was moved aside";
  return finding;
}

}  // namespace holdfast::inline v1
