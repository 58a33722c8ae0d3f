// Shared by the fuzz targets that use a whole store.
#pragma once

#include <holdfast/log_reader.h>
#include <holdfast/root.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crash/disk/sim_file_system.h"

namespace holdfast::fuzz {

inline void require(bool condition) {
  if (!condition) std::abort();
}

// Takes choices from the front of the input; zeros when it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  bool empty() const { return rest_.empty(); }
  // As many bytes as the next two bytes say, or the rest.
  std::string bytes() {
    const std::size_t low = byte();
    const std::size_t high = byte();
    const std::size_t count = std::min(rest_.size(), low | high << 8);
    std::string taken(rest_.substr(0, count));
    rest_.remove_prefix(count);
    return taken;
  }
  std::string all() { return std::string(std::exchange(rest_, {})); }

 private:
  std::string_view rest_;
};

inline std::vector<std::string> records_of(Root& root, std::string_view path, std::size_t max_line) {
  ReadOptions options;
  options.max_line = max_line;
  auto reader = LogReader::open({}, root.directory(), path, std::move(options));
  require(reader.has_value());
  std::vector<std::string> records;
  Record record;
  while (true) {
    const auto more = reader->next(record);
    require(more.has_value());
    if (!*more) return records;
    records.emplace_back(record.bytes);
  }
}

inline bool quarantined(SimFileSystem& disk, Root& root, std::string_view bytes) {
  const auto names = root.directory().list(root.side("corrupt"));
  return names && std::ranges::any_of(*names, [&](const DirectoryEntry& each) {
           return disk.read_file(root.path() + "/" + root.side("corrupt", each.name)) == bytes;
         });
}

}  // namespace holdfast::fuzz
