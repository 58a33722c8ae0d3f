#include "storm_wire.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/hash.h"
#include "lab.h"

namespace holdfast::lab {
namespace {

// Cells of 16 bytes, each valid inside a JSON string by itself: plain text,
// escapes, text that looks like another record, and UTF-8 of two to four bytes.
constexpr std::size_t kCell = 16;
constexpr std::array<std::string_view, 16> kCells{
    "the quick brown ",
    "fox jumps over 1",
    "\\\"},{\\\"w\\\":7, ",
    "{\\\"w\\\":1,\\\"s\\\"",
    "\\n\\r\\t line end.",
    "\\\\ back \\\\ slash",
    "\\u2028 \\u2029 ab",
    "0123456789abcdef",
    "caf\xc3\xa9 na\xc3\xafve ok.",
    "\xe2\x82\xac 12.50 \xe2\x82\xac...",
    "\xf0\x9f\x98\x80 smile \xf0\x9f\x98\x80",
    "\\ud83d\\ude00 yes",
    "}}}]]] [[[{{{ ,:",
    "                ",
    "a/b\\/c/d e-f_g~h",
    "null true false ",
};

std::string make_cells() {
  std::string cells;
  for (auto cell : kCells) {
    std::string text(cell);
    text.resize(kCell, ' ');
    cells += text;
  }
  return cells;
}

std::size_t payload_length(Random& random, Profile profile) {
  if (profile == Profile::small) return random.below(400);
  const auto draw = random.below(1000);
  if (profile == Profile::soak) {
    if (draw < 1) return 256 * 1024 + random.below(768 * 1024);
    if (draw < 20) return 16 * 1024 + random.below(48 * 1024);
    return 100 + random.below(5000);
  }
  if (draw < 2) return (1536 + random.below(512)) * 1024;
  if (draw < 20) return (192 + random.below(128)) * 1024;
  if (draw < 300) return 2000 + random.below(18'000);
  return 100 + random.below(1900);
}

std::uint64_t mixed(std::uint64_t seed, RecordName name) {
  return seed ^ (name.writer * 0xd6e8feb86659fd93ULL) ^ (name.sequence * 0xa0761d6478bd642fULL);
}

bool take_number(std::string_view& text, std::string_view prefix, std::uint64_t& number) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

constexpr std::string_view kPayload = "},\"p\":\"";
constexpr std::string_view kEnd = "\",\"z\":{\"role\":\"end\",\"ok\":true}}";

}  // namespace

std::string make_record(std::uint64_t seed, RecordName name, Profile profile) {
  static const std::string cells = make_cells();
  Random random(mixed(seed, name));
  const std::size_t count = payload_length(random, profile) / kCell + 1;
  std::string payload;
  payload.resize(count * kCell);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 16 == 0) bits = random.next();
    std::memcpy(payload.data() + i * kCell, cells.data() + (bits & 15U) * kCell, kCell);
    bits >>= 4U;
  }
  std::string record = "{\"w\":" + std::to_string(name.writer) + ",\"s\":" + std::to_string(name.sequence) +
                       ",\"m\":{\"l\":" + std::to_string(payload.size()) + ",\"c\":" + std::to_string(crc32c(payload));
  record.reserve(record.size() + payload.size() + 64);
  return record.append(kPayload).append(payload).append(kEnd);
}

std::optional<RecordName> name_of(std::string_view line) {
  RecordName name;
  if (!take_number(line, "{\"w\":", name.writer) || !take_number(line, ",\"s\":", name.sequence)) return std::nullopt;
  return line.starts_with(",\"m\":{") ? std::optional(name) : std::nullopt;
}

bool is_intact(std::string_view line, std::uint64_t seed, Profile profile) {
  const auto name = name_of(line);
  return name && line == make_record(seed, *name, profile);
}

bool checksum_holds(std::string_view line) {
  std::uint64_t number = 0;
  std::uint64_t length = 0;
  if (!take_number(line, "{\"w\":", number) || !take_number(line, ",\"s\":", number) ||
      !take_number(line, ",\"m\":{\"l\":", length) || !take_number(line, ",\"c\":", number))
    return false;
  return line.starts_with(kPayload) && line.ends_with(kEnd) && line.size() == kPayload.size() + length + kEnd.size() &&
         crc32c(line.substr(kPayload.size(), length)) == number;
}

void report(const Message& message) {
  // The storm is over: nobody reads any more.
  if (::write(kReportFd, &message, sizeof message) != static_cast<ssize_t>(sizeof message)) ::_exit(3);
}

std::vector<std::string> Job::words() const {
  return {role,
          std::to_string(static_cast<int>(omitted)),
          std::to_string(seed),
          std::to_string(writer),
          std::to_string(limit),
          root,
          path,
          shared ? "shared" : "ours"};
}

std::optional<Job> Job::from_words(int argc, char** argv) {
  if (argc != 8) return std::nullopt;
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  return Job{argv[0], static_cast<Step>(number(1)),         number(2), number(3), number(4), argv[5],
             argv[6], std::string_view(argv[7]) == "shared"};
}

}  // namespace holdfast::lab
