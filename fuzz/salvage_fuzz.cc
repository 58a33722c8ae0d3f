// One damaged line of arbitrary bytes. Whatever it contains, a record appended to it must be found if a schema
// distinguishes it from a nested object. If the first byte is odd, the rest encodes the line in tokens.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "disk/salvage.h"
#include "text/json_scan.h"

namespace {

using namespace holdfast;

void require(bool condition) {
  if (!condition) std::abort();
}

std::string spelled(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> tokens{
      "{\"a\":1}", "{\"id\":", "{\"",      "\":",   "}",   "[",
      "]",         "\"",       ",",        "\\",    " ",   std::string(2, '\0'),
      "\xff",      "{}",       "{",        "1",     "x",   "\"{\"",
      ":",         "\\\"",     "{\"b\":[", "{\"te", "tru", "\\u00"};
  std::string bytes;
  for (std::size_t at = 0; at < size; ++at) bytes += tokens[data[at] % tokens.size()];
  return bytes;
}

std::vector<Span> check(std::string_view line, const AcceptRecord& accept) {
  std::vector<Span> spans;
  Salvager salvager(line, accept);
  std::size_t after = 0;
  for (Span span; salvager.next(span);) {
    require(span.offset >= after && span.length >= 2 && span.offset + span.length <= line.size());
    const std::string_view record = line.substr(span.offset, span.length);
    require(record.front() == '{' && json_value_end(record, 0) == record.size());
    require(!record.contains('\0') && (!accept || accept(record)));
    after = span.offset + span.length;
    spans.push_back(span);
  }
  require(salvager.work() <= kSalvageWork * line.size());
  require(spans == salvage(line, accept));
  return spans;
}

// Without a schema: whole objects up to the end of the piece, or the records at the start of the line.
void check_certain(std::string_view line, const std::vector<Span>& spans) {
  for (std::size_t index = 0; index < spans.size(); ++index) {
    const std::size_t end = spans[index].offset + spans[index].length;
    const std::size_t next = skip_json_space(line, end);
    if (next == line.size() || line[next] == '\0') continue;
    if (index + 1 < spans.size() && spans[index + 1].offset == next) continue;
    // Only spaces and whole records may precede it.
    std::size_t at = 0;
    for (std::size_t before = 0; before <= index; ++before) {
      require(skip_json_space(line, at) == spans[before].offset);
      at = spans[before].offset + spans[before].length;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string line(reinterpret_cast<const char*>(data), size);
  if (size > 0 && data[0] % 2 != 0) line = spelled(data + 1, size - 1);
  for (char& byte : line) byte = byte == '\n' ? ' ' : byte;
  check_certain(line, check(line, {}));
  (void)classify(line);

  const std::string glued = R"({"id":"k","in":{"x":[{}]}})";
  const AcceptRecord accept = [](std::string_view record) { return record.starts_with(R"({"id":)"); };
  const std::string whole = line + glued;
  const std::vector<Span> spans = check(whole, accept);
  require(!spans.empty() && spans.back() == Span{line.size(), glued.size()});
  return 0;
}
