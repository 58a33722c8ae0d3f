// Writing the advisory checksums of a log: one short text line for each range that was
// appended. Format and reading rules: docs/formats/checksums.md.
//
// For the writer of the log, under the log's lock, after the write to the log. Never synced:
// lines lost in a crash leave bytes uncovered, never wrong. A failure is for the caller to
// ignore; the next add() mends a line that was cut short.
// Lifetime: keeps nothing of the Root. Thread-safety: one thread at a time.
#pragma once

#include <holdfast/root.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Where the checksums of the log at `log_path` are, relative to the root.
std::string side_car_path(const Root& root, std::string_view log_path);

// Before another file takes the log's name: its bytes have other offsets. Durable when it returns: bytes without
// checksums are not called wrong, whenever a crash comes.
Result<void> drop_side_car(Root& root, std::string_view log_path);

// `bytes` lie at `start` of the log; `chain` ties the line to the one before it.
struct SideCarLine {
  std::uint64_t start = 0;
  std::uint64_t length = 0;
  std::uint32_t crc = 0;
  std::uint32_t chain = 0;

  std::uint64_t end() const { return start + length; }
};

// The chain before the first line, and after damage.
inline constexpr std::uint32_t kSideCarChainStart = 0;
inline constexpr std::size_t kSideCarLineMax = 64;  // bytes of a line with its newline

// Builds "<start> <length> <crc> <chain>\n" after `previous`; the bytes used.
std::size_t format_side_car_line(std::array<char, kSideCarLineMax>& into, std::uint64_t start, std::uint64_t length,
                                 std::uint32_t crc, std::uint32_t previous, std::uint32_t& chain);

// Parses a line (without newline) by its form alone; nothing when it has another form.
std::optional<SideCarLine> parse_side_car_line(std::string_view text);

// The chain that `text` must end in when it follows `previous`.
std::uint32_t side_car_chain(std::string_view text, std::uint32_t previous);

// The chain for the line after `text`: its last eight digits, whatever else is wrong with
// it; kSideCarChainStart when it does not end in such digits.
std::uint32_t chain_left_by(std::string_view text);

class SideCar {
 public:
  // Opens the side-car of the log, or makes it.
  static Result<SideCar> open(const Context& context, Root& root, std::string_view log_path);

  // `bytes` are at `start` of the log now. `alone`: nobody else has added a line
  // since our last one, so there is no need to look.
  Result<void> add(std::uint64_t start, std::string_view bytes, bool alone = false);

  // End of the last range that was recorded, by anybody, as of open() or the last add(); 0 when there is none.
  std::uint64_t covered_end() const { return covered_end_; }

 private:
  explicit SideCar(std::unique_ptr<File> file) : file_(std::move(file)) {}
  Result<void> refresh(std::uint64_t size);

  std::unique_ptr<File> file_;
  std::uint64_t size_ = 0;  // of the side-car when we last looked
  std::uint32_t chain_ = kSideCarChainStart;
  bool torn_ = false;  // the last line has no newline
  std::uint64_t covered_end_ = 0;
};

}  // namespace holdfast::inline v1
