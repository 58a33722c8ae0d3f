// Shared by LogReader and read_last: turns lines into records, or into damage and the
// records that can be salvaged from it. Thread-safety: one thread.
#pragma once

#include <holdfast/log_reader.h>

#include <memory>
#include <optional>
#include <vector>

#include "disk/line_buffer.h"
#include "disk/salvage.h"
#include "text/json_marks.h"

namespace holdfast::inline v1 {

class LogScan {
 public:
  // Reads lines from options.from (see LineBuffer) up to `limit`, the end of a line. `vouch` (salvage.h) must outlive
  // the scan.
  LogScan(Context context, std::shared_ptr<File> file, ReadOptions options, std::uint64_t limit = UINT64_MAX,
          const AcceptRecord& vouch = kNoVouch);
  LogScan(const LogScan&) = delete;
  LogScan& operator=(const LogScan&) = delete;

  Result<bool> next(Record& record);

  // Marks of the record that next() returned last; nullptr if there are none (only Check::objects makes them).
  const JsonMarks* marks() const { return marked_ ? &marks_ : nullptr; }

  // A damaged line counts as read once all its salvaged records have been returned.
  std::uint64_t position() const { return salvager_ ? line_.offset : lines_.position(); }
  std::uint64_t in_flight() const { return lines_.in_flight(); }
  std::vector<Damage>& damage() { return damage_; }

 private:
  bool next_framed(Record& record);
  bool looks_whole(std::string_view text);
  bool examine(std::string_view text, Record& record);
  bool next_salvaged(Record& record);

  Context context_;
  ReadOptions options_;
  const AcceptRecord& vouch_;
  LineBuffer lines_;
  Line line_;
  std::optional<Salvager> salvager_;  // set while the records of a damaged line are returned
  std::vector<Damage> damage_;
  JsonMarks marks_;
  bool marked_ = false;
};

// read_last with a `vouch` function (salvage.h).
Result<Tail> read_last_vouched(const Context& context, Directory& directory, std::string_view path, std::size_t count,
                               ReadOptions options, std::uint64_t before, const AcceptRecord& vouch);

}  // namespace holdfast::inline v1
