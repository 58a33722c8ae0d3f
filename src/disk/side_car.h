// Writes the advisory checksums of a log: one short text line per appended range.
// Format and reading rules: docs/formats/checksums.md.
//
// Used by the writer of the log, under the log's lock, after the write to the log. Never
// synced: lines lost in a crash leave bytes uncovered, never wrong. Callers should ignore
// failures; the next add() repairs a line that was cut short.
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

// Path of the checksums of the log at `log_path`, relative to the root.
std::string side_car_path(const Root& root, std::string_view log_path);

// Must be called before another file takes the log's name, because its bytes have other offsets. Durable on
// return: whenever a crash happens, bytes without checksums are not reported as wrong.
Result<void> drop_side_car(Root& root, std::string_view log_path);

// For a log whose first bytes, `head`, are replaced by `new_head` others: the side-car with which the rest stays
// covered as it was. Requires the log's lock.
Result<std::string> side_car_behind(const Context& context, Root& root, std::string_view log_path,
                                    std::string_view head, std::uint64_t new_head);
// Call once the new file durably has the log's name, under its lock: drop_side_car removed the previous text.
Result<void> put_side_car(Root& root, std::string_view log_path, std::string_view text);

// A range of the log at `start`; `chain` ties the line to the one before it.
struct SideCarLine {
  std::uint64_t start = 0;
  std::uint64_t length = 0;
  std::uint32_t crc = 0;
  std::uint32_t chain = 0;

  std::uint64_t end() const { return start + length; }
};

// The chain before the first line, and after damage.
inline constexpr std::uint32_t kSideCarChainStart = 0;
inline constexpr std::size_t kMaxSideCarLine = 64;  // bytes of a line, including its newline

// Formats "<start> <length> <crc> <chain>\n" to follow the chain value `previous`; returns the number of bytes.
std::size_t format_side_car_line(std::array<char, kMaxSideCarLine>& into, std::uint64_t start, std::uint64_t length,
                                 std::uint32_t crc, std::uint32_t previous, std::uint32_t& chain);

// Parses a line (without newline), checking only its form; nullopt if the form is wrong.
std::optional<SideCarLine> parse_side_car_line(std::string_view text);

// The chain value that `text` must end in if it follows `previous`.
std::uint32_t side_car_chain(std::string_view text, std::uint32_t previous);

// The chain value for the line after `text`: its last eight digits, whatever else is
// wrong with it; kSideCarChainStart if it does not end in eight digits.
std::uint32_t chain_after(std::string_view text);

class SideCar {
 public:
  // Opens the side-car of the log, creating it if necessary.
  static Result<SideCar> open(const Context& context, Root& root, std::string_view log_path);

  // Records that `bytes` are now at `start` of the log. Pass `alone` if nobody
  // else has added a line since our last one; then add() does not check for that.
  Result<void> add(std::uint64_t start, std::string_view bytes, bool alone = false);

 private:
  explicit SideCar(std::unique_ptr<File> file) : file_(std::move(file)) {}
  Result<void> refresh(std::uint64_t size);

  std::unique_ptr<File> file_;
  std::uint64_t size_ = 0;  // size of the side-car when last checked
  std::uint32_t chain_ = kSideCarChainStart;
  bool torn_ = false;  // the last line has no newline
};

}  // namespace holdfast::inline v1
