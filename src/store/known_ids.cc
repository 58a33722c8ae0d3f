#include "store/known_ids.h"

#include <holdfast/log_reader.h>

#include <algorithm>
#include <charconv>

#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

Result<void> KnownIds::read_on(const Context& context, Directory& directory, const std::string& log,
                               const LineWriter& line_writer) {
  const auto stat = directory.stat_without_times(log);
  if (!stat && stat.error().code != Code::not_found) return fail(stat.error());
  const std::uint64_t size = stat ? stat->size : 0;
  if (size < read_to_ ||
      (stat && file_ && !file_->same_file(*stat))) {  // the log was cleared, and may have grown again
    ids_.clear();
    unnamed_.clear();
    read_to_ = 0;
  }
  if (stat) file_ = *stat;
  if (size == read_to_) return {};
  HOLDFAST_LET(reader, LogReader::open(context, directory, log, {.check = Check::framing, .from = read_to_}));
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    if (std::string id = line_writer.id_in(record.bytes); !id.empty())
      ids_.insert(std::move(id));
    else if (line_writer.names_by_offset())
      unnamed_.push_back(record.offset);
  }
  read_to_ = reader.position();
  return {};
}

bool KnownIds::is_taken(std::string_view id) const {
  if (contains(id)) return true;
  std::uint64_t offset = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), offset);
  return error == std::errc() && end == id.data() + id.size() && std::ranges::binary_search(unnamed_, offset);
}

}  // namespace holdfast::inline v1
