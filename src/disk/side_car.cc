#include "disk/side_car.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "base/safe_name.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kHex = 8;  // digits of a checksum

char* put_hex(char* at, std::uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) *at++ = kDigits[(value >> shift) & 0xF];
  return at;
}

// Accepts exactly eight lower-case digits, so each number has one spelling.
std::optional<std::uint32_t> get_hex(std::string_view text) {
  if (text.size() != kHex) return std::nullopt;
  std::uint32_t value = 0;
  for (const char digit : text) {
    const std::size_t number = kDigits.find(digit);
    if (number == std::string_view::npos) return std::nullopt;
    value = value << 4 | static_cast<std::uint32_t>(number);
  }
  return value;
}

// Removes a decimal number without leading zeros, and the space after it, from the front.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || after == end || *after != ' ') return std::nullopt;
  if (text.front() == '0' && after - text.data() > 1) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(after - text.data()) + 1);
  return value;
}

Result<std::unique_ptr<File>> open_side_car(Root& root, std::string_view log_path) {
  const std::string path = side_car_path(root, log_path);
  Directory& directory = root.directory();
  auto file = directory.open(path, OpenMode::append);
  if (!file && file.error().code == Code::not_found) {
    HOLDFAST_TRY(root.ensure_directory(root.side("sums")));
    file = directory.open(path, OpenMode::create_append);
    if (!file && file.error().code == Code::already_exists) file = directory.open(path, OpenMode::append);
  }
  return file;
}

}  // namespace

std::string side_car_path(const Root& root, std::string_view log_path) {
  return root.side("sums", encode_name(log_path));
}

std::uint32_t side_car_chain(std::string_view text, std::uint32_t previous) {
  std::array<char, kHex> digits;
  put_hex(digits.data(), previous);
  return crc32c(text.substr(0, text.size() - kHex), crc32c({digits.data(), kHex}));
}

std::size_t format_side_car_line(std::array<char, kMaxSideCarLine>& into, std::uint64_t start, std::uint64_t length,
                                 std::uint32_t crc, std::uint32_t previous, std::uint32_t& chain) {
  char* at = into.data();
  char* const end = at + into.size();
  at = std::to_chars(at, end, start).ptr;
  *at++ = ' ';
  at = std::to_chars(at, end, length).ptr;
  *at++ = ' ';
  at = put_hex(at, crc);
  *at++ = ' ';
  const auto size = static_cast<std::size_t>(at - into.data()) + kHex;
  chain = side_car_chain({into.data(), size}, previous);
  at = put_hex(at, chain);
  *at++ = '\n';
  return size + 1;
}

std::optional<SideCarLine> parse_side_car_line(std::string_view text) {
  const auto start = take_number(text);
  if (!start) return std::nullopt;
  const auto length = take_number(text);
  if (!length || *length > UINT64_MAX - *start) return std::nullopt;
  if (text.size() != 2 * kHex + 1 || text[kHex] != ' ') return std::nullopt;
  const auto crc = get_hex(text.substr(0, kHex));
  const auto chain = get_hex(text.substr(kHex + 1));
  if (!crc || !chain) return std::nullopt;
  return SideCarLine{*start, *length, *crc, *chain};
}

std::uint32_t chain_after(std::string_view text) {
  if (text.size() < kHex) return kSideCarChainStart;
  return get_hex(text.substr(text.size() - kHex)).value_or(kSideCarChainStart);
}

Result<void> drop_side_car(Root& root, std::string_view log_path) {
  if (!does(Step::checksum_drop)) return {};
  const std::string sums = side_car_path(root, log_path);
  auto gone = root.directory().remove(sums);
  if (!gone) return gone.error().code == Code::not_found ? Result<void>() : gone;
  return does(Step::checksum_drop_sync) ? root.sync_name(sums) : Result<void>();
}

Result<void> put_side_car(Root& root, std::string_view log_path, std::string_view text) {
  if (text.empty()) return {};
  HOLDFAST_LET(file, open_side_car(root, log_path));
  HOLDFAST_LET(written, file->append(text));
  return written == text.size() ? Result<void>() : fail(Code::disk_full, "the checksums were cut short");
}

Result<SideCar> SideCar::open(const Context& context, Root& root, std::string_view log_path) {
  HOLDFAST_TRY(context.check());
  HOLDFAST_LET(file, open_side_car(root, log_path));
  SideCar side_car(std::move(file));
  HOLDFAST_LET(stat, side_car.file_->stat());
  HOLDFAST_TRY(side_car.refresh(stat.size));
  return side_car;
}

// Somebody else added lines, or one of our lines was cut short: reads the end of the file.
Result<void> SideCar::refresh(std::uint64_t size) {
  std::array<char, 2 * kMaxSideCarLine> buffer;
  const std::uint64_t from = size - std::min<std::uint64_t>(size, buffer.size());
  HOLDFAST_LET(count, file_->read_at(from, {buffer.data(), static_cast<std::size_t>(size - from)}));
  std::string_view text(buffer.data(), count);
  size_ = size;
  torn_ = size > 0 && !text.ends_with('\n');
  chain_ = kSideCarChainStart;
  if (size == 0 || torn_) return {};
  text.remove_suffix(1);
  text.remove_prefix(text.rfind('\n') + 1);  // npos + 1 == 0
  chain_ = chain_after(text);
  return {};
}

Result<void> SideCar::add(std::uint64_t start, std::string_view bytes, bool alone) {
  if (!alone) {
    HOLDFAST_LET(stat, file_->stat());
    if (stat.size != size_ && does(Step::checksum_look)) HOLDFAST_TRY(refresh(stat.size));
  }
  std::array<char, kMaxSideCarLine + 1> buffer;
  buffer[0] = '\n';
  std::array<char, kMaxSideCarLine> line;
  std::uint32_t chain = kSideCarChainStart;
  const std::size_t size = format_side_car_line(line, start, bytes.size(), crc32c(bytes), chain_, chain);
  std::copy_n(line.data(), size, buffer.data() + 1);
  const std::string_view text = torn_ ? std::string_view(buffer.data(), size + 1) : std::string_view(line.data(), size);
  const auto written = file_->append(text);
  // A partial write changed the size, so the next add() checks the end again.
  if (!written) return fail(written.error());
  if (*written != text.size()) return fail(Code::disk_full, "the checksum line was cut short");
  size_ += text.size();
  torn_ = false;
  chain_ = chain;
  return {};
}

}  // namespace holdfast::inline v1
