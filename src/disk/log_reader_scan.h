// What LogReader and read_last share: lines become records, or damage with what can be
// salvaged from it. Thread-safety: one thread.
#pragma once

#include <holdfast/log_reader.h>

#include <memory>
#include <optional>
#include <vector>

#include "disk/line_buffer.h"
#include "disk/salvage.h"

namespace holdfast::inline v1 {

class LogScan {
 public:
  // Lines from options.from (LineBuffer) up to `limit`, the end of a line.
  LogScan(Context context, std::shared_ptr<File> file, ReadOptions options, std::uint64_t limit = UINT64_MAX);
  LogScan(const LogScan&) = delete;
  LogScan& operator=(const LogScan&) = delete;

  Result<bool> next(Record& record);

  // A damaged line counts as read when all its salvaged records were handed out.
  std::uint64_t position() const { return salvager_ ? line_.offset : lines_.position(); }
  std::uint64_t in_flight() const { return lines_.in_flight(); }
  std::vector<Damage>& damage() { return damage_; }

 private:
  bool looks_whole(std::string_view text) const;
  bool examine(std::string_view text, Record& record);
  bool next_salvaged(Record& record);

  Context context_;
  ReadOptions options_;
  LineBuffer lines_;
  Line line_;
  std::optional<Salvager> salvager_;  // while the records of a damaged line are handed out
  std::vector<Damage> damage_;
};

}  // namespace holdfast::inline v1
