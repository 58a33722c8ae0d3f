// A log of arbitrary bytes, read forwards, from any offset and from the end, and compared
// with a slow splitter. The first four bytes choose the options; the rest is the log, or
// encodes it in tokens, so that whole records and typical damage are found quickly.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "disk/line_buffer.h"
#include "disk/memory_log_testing.h"
#include "text/json_deep.h"

namespace {

using namespace holdfast;

void require(bool condition) {
  if (!condition) std::abort();
}

std::string spelled(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> tokens{"{\"a\":1}\n",
                                               "{\"id\":\"x\"}\n",
                                               "{\"id\":{\"b\":[{}]}}",
                                               "\n",
                                               "{\"",
                                               "\":",
                                               "}",
                                               "[",
                                               "]",
                                               "\"",
                                               ",",
                                               "\\",
                                               " ",
                                               "\r\n",
                                               std::string(3, '\0'),
                                               "\xff",
                                               "{}",
                                               "{\"text\":\"f() {\",\"id\":1}\n",
                                               "1",
                                               "x",
                                               "{\"n\":",
                                               "\\\"",
                                               "\t",
                                               "{\"te"};
  std::string bytes;
  for (std::size_t at = 0; at < size; ++at) bytes += tokens[data[at] % tokens.size()];
  return bytes;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool is_whole(std::string_view record) {
  const JsonFault fault = check_json_of_any_depth(record).fault;
  return record.starts_with('{') && (fault == JsonFault::none || fault == JsonFault::bad_utf8);
}

// Each terminated line must be blank, one record, or one damaged place with its salvaged records.
void check_forward(const std::string& bytes, const ReadLog& log, const ReadOptions& options) {
  std::uint64_t in_flight = 0;
  std::size_t record = 0;
  std::size_t damage = 0;
  for (const PlainLine& line : plain_lines(bytes, in_flight)) {
    const std::uint64_t end = line.offset + line.text.size();
    const std::string_view text = trimmed(line.text);
    if (damage < log.damage.size() && log.damage[damage].offset == line.offset) {
      const Damage& place = log.damage[damage++];
      require(place.length == line.text.size());
      require((place.kind == DamageKind::too_long) == (line.text.size() > options.max_line));
      require(!is_json_object_line(text) || place.kind == DamageKind::too_long);
      if (place.kind == DamageKind::too_deep) {  // a normal record, and a note
        require(place.salvaged == 1 && record < log.records.size());
        const OwnedRecord& deep = log.records[record++];
        require(!deep.salvaged && deep.bytes == text && is_whole(text) && !check_json(text).ok());
        continue;
      }
      std::uint64_t after = line.offset;
      for (std::uint32_t piece = 0; piece < place.salvaged; ++piece, ++record) {
        require(record < log.records.size());
        const OwnedRecord& salvaged = log.records[record];
        require(salvaged.salvaged && salvaged.offset >= after && is_whole(salvaged.bytes));
        after = salvaged.offset + salvaged.bytes.size();
        require(after <= end);
      }
    } else if (!text.empty()) {
      require(line.text.size() <= options.max_line && record < log.records.size());
      const OwnedRecord& whole = log.records[record++];
      require(!whole.salvaged && whole.bytes == text && whole.offset >= line.offset);
      require(options.check == Check::framing || check_json(text).ok());
    }
  }
  require(record == log.records.size() && damage == log.damage.size());
  require(in_flight == log.in_flight && log.position == bytes.size() - in_flight);
  for (const OwnedRecord& item : log.records) {
    require(std::string_view(bytes).substr(static_cast<std::size_t>(item.offset), item.bytes.size()) == item.bytes);
  }
}

template <typename T>
bool is_suffix(const std::vector<T>& tail, const std::vector<T>& all, std::size_t dropped) {
  return tail.size() + dropped == all.size() &&
         std::equal(tail.begin(), tail.end(), all.begin() + static_cast<std::ptrdiff_t>(dropped));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  ReadOptions options;
  options.check = (data[0] & 1) != 0 ? Check::framing : Check::whole;
  if ((data[0] & 2) != 0) options.max_line = data[1];
  if ((data[0] & 4) != 0) options.accept_salvaged = [](std::string_view record) { return record.contains("\"id\""); };
  std::string bytes(reinterpret_cast<const char*>(data) + 4, size - 4);
  if ((data[0] & 32) != 0) bytes = spelled(data + 4, size - 4);
  // Moves the rest across the edge of the reader's buffer.
  const std::size_t edge = data[0] >= 0xF0 ? kLineChunk : kFirstLineChunk;
  if (data[0] % 16 == 15) bytes.insert(0, std::string(edge - data[2], 'x') + ((data[0] & 16) != 0 ? "\n" : ""));

  MemoryDirectory directory(bytes);
  const ReadLog log = read_log(directory, options).value();
  check_forward(bytes, log, options);

  const std::size_t count = data[1] % 8;
  const Tail tail = read_last({}, directory, "log", count, options).value();
  require(tail.in_flight == log.in_flight);
  require(is_suffix(tail.records, log.records, log.records.size() - std::min(count, log.records.size())));

  ReadOptions later = options;
  later.from = bytes.size() - std::min<std::size_t>(bytes.size(), data[3]);
  const ReadLog rest = read_log(directory, later).value();
  const std::size_t newline = later.from == 0 ? 0 : bytes.find('\n', static_cast<std::size_t>(later.from) - 1);
  const std::uint64_t start = later.from == 0 ? 0 : newline == std::string::npos ? UINT64_MAX : newline + 1;
  const auto before = [&](const auto& item) { return item.offset < start; };
  require(is_suffix(rest.records, log.records, static_cast<std::size_t>(std::ranges::count_if(log.records, before))));
  require(is_suffix(rest.damage, log.damage, static_cast<std::size_t>(std::ranges::count_if(log.damage, before))));
  return 0;
}
