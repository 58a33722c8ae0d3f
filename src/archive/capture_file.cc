#include "archive/capture_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "base/time.h"
#include "disk/salvage.h"
#include "source/compressed.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kAttempts = 6;
constexpr std::size_t kMaxPieces = 32;                           // of a tail, before they are merged into one
constexpr std::uint64_t kMaxDocument = std::uint64_t{64} << 20;  // larger files are not checked for being JSON
constexpr int kMaxLookedUp = 64;                                 // a hostile line can contain millions of objects
constexpr std::int64_t kRacyNs = 2'000'000'000;
constexpr std::int64_t kTickNs = 100'000'000;  // longer than the clock granularity of any file system

bool is_log(std::string_view path) { return path.ends_with(".jsonl"); }

bool unchanged(const FileStat& a, const FileStat& b) {
  return a.same_file(b) && a.size == b.size && a.mtime_ns == b.mtime_ns && a.ctime_ns == b.ctime_ns;
}

// Whether the file changed so recently that another change may not show in its times.
bool is_fresh(const Context& context, const FileStat& stat) {
  return std::max(stat.mtime_ns, stat.ctime_ns) + kTickNs > unix_ns(context.clock->now());
}

// The file's bytes [from, from + size); fewer if the file ends earlier.
Result<std::string> bytes_at(File& file, std::uint64_t from, std::uint64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  HOLDFAST_LET(count, file.read_at(from, bytes));
  bytes.resize(count);
  return bytes;
}

// Whether the file still contains the blocks of `version` from number `first` on.
Result<bool> holds(File& file, const FileVersion& version, std::size_t first) {
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < version.blocks.size(); ++i) {
    const FileBlock& block = version.blocks[i];
    if (i >= first) {
      HOLDFAST_LET(bytes, bytes_at(file, at, block.size));
      if (bytes.size() != block.size || sha256_hex(bytes) != block.name) return false;
    }
    at += block.size;
  }
  return true;
}

// Cuts the file up to `size` into blocks; the first `keep` are taken from `before`. nullopt if the file is shorter.
Result<std::optional<FileVersion>> cut(const Context& context, ArchiveWriter& writer, File& file, std::uint64_t size,
                                       const FileVersion* before, std::size_t keep) {
  FileVersion made;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < keep; ++i) {
    made.blocks.push_back(before->blocks[i]);
    at += before->blocks[i].size;
  }
  while (at < size) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(bytes, bytes_at(file, at, std::min<std::uint64_t>(size - at, kBlockBytes)));
    if (at + bytes.size() < size && bytes.size() < kBlockBytes) return std::nullopt;
    HOLDFAST_LET(name, writer.add_chunk(context, bytes));
    made.blocks.push_back({std::move(name), static_cast<std::uint32_t>(bytes.size())});
    at += bytes.size();
  }
  made.size = size;
  return made;
}

// The first block of a captured log that is compared before the log counts as one that only grew.
std::size_t first_compared(const FileVersion& before) { return std::max<std::size_t>(before.sealed(), 1) - 1; }

// A log that only grew is read from its last whole block on. That block must be unchanged.
Result<std::size_t> blocks_to_keep(const ArchiveWriter& writer, File& file, const std::string& path,
                                   const FileStat& now, const FileVersion* before) {
  if (before == nullptr || !is_log(path) || before->inode != now.inode || before->size > now.size ||
      before->holed != 0 || writer.is_damaged(*before))
    return 0;
  const std::size_t sealed = before->sealed();
  HOLDFAST_LET(same, holds(file, *before, first_compared(*before)));
  if (!same) return 0;
  const std::uint64_t tail = now.size - static_cast<std::uint64_t>(sealed) * kBlockBytes;
  const std::size_t pieces = before->blocks.size() - sealed;
  return tail < kBlockBytes && pieces < kMaxPieces ? before->blocks.size() : sealed;
}

Result<std::string> first_bytes(ArchiveWriter& writer, const FileVersion& version, std::uint64_t limit) {
  std::string text;
  for (const FileBlock& block : version.blocks) {
    if (text.size() >= limit) break;
    HOLDFAST_LET(bytes, writer.packs().read(block.name));
    text += bytes;
  }
  text.resize(static_cast<std::size_t>(std::min<std::uint64_t>(text.size(), limit)));
  return text;
}

// Records in a chain are identified by their ids. When a rescue leaves out a lost record, it links the next one to
// another and turns the output of a lost call into text; the record counts as the same.
std::uint64_t record_hash(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kChains{
      {{"uuid", "parentUuid"}, {"id", "parentId"}}};
  for (const auto& [name, parent] : kChains) {
    const JsonView json(line);
    if (json.find(name).kind() == JsonKind::string && json.find(parent)) return xxh3_64(json.find(name).raw());
  }
  return xxh3_64(line);
}

// The whole records of a log, those inside damaged lines included, and the number of damaged lines. The bytes after the
// last newline may still grow, unless they contain something that no writer writes. `vouch` as for a Salvager.
struct SoundLines {
  std::size_t damaged = 0;
  std::unordered_set<std::uint64_t> sound = {};
};
SoundLines sound_lines(std::string_view log, const AcceptRecord& vouch = kNoVouch) {
  SoundLines lines;
  for (std::size_t at = 0, end = 0; (end = log.find('\n', at)) != std::string_view::npos; at = end + 1) {
    const std::string_view line = log.substr(at, end - at);
    if (JsonView(line).kind() == JsonKind::object && check_json(line).ok()) {
      lines.sound.insert(record_hash(line));
    } else if (!line.empty()) {
      ++lines.damaged;
      for (const Span& record : salvage(line, {}, vouch))
        lines.sound.insert(record_hash(line.substr(record.offset, record.length)));
    }
  }
  if (log.substr(log.rfind('\n') + 1).contains('\0')) ++lines.damaged;
  return lines;
}

// Compares a log with what it was before. `only_lost`: it lacks lines, or is damaged where it was not, and contains
// nothing new. An object in a torn record may be a part of that record, or a new record that was glued to it: it is new
// if the log did not contain it before. `lacks` counts the lines that are not in it any more, except for the first,
// which may be a header that is written anew.
struct LogChange {
  bool only_lost = false;
  std::uint64_t lacks = 0;
};
LogChange change_of(std::string_view is, std::string_view was) {
  if (is.starts_with(was)) return {};
  int looked_up = 0;
  const AcceptRecord is_new = [&](std::string_view record) {
    return ++looked_up <= kMaxLookedUp && !was.contains(record);
  };
  const SoundLines now = sound_lines(is, is_new), then = sound_lines(was);
  const std::uint64_t first = record_hash(was.substr(0, was.find('\n')));
  const auto is_lost = [&](std::uint64_t line) { return line != first && !now.sound.contains(line); };
  return {(now.damaged > then.damaged || now.sound.size() < then.sound.size()) &&
              std::ranges::all_of(now.sound, [&](std::uint64_t line) { return then.sound.contains(line); }),
          static_cast<std::uint64_t>(std::ranges::count_if(then.sound, is_lost))};
}

bool is_compressed(std::string_view path) { return path.ends_with(".zst"); }

// Whether all of a compressed file can be unpacked; `more` returns its bytes, which are `size` in all. `plain` gets
// what is in it, unless that is more than a document.
Result<bool> unpacks(const std::function<Result<std::string_view>()>& more, std::uint64_t size, std::string& plain) {
  bool fits = true;
  const auto end = unpack_zstd(more, plain_limit(size), [&](std::string_view piece) {
    fits = fits && plain.size() + piece.size() <= kMaxDocument;
    if (fits) plain += piece;
    return true;
  });
  if (!fits) plain.clear();
  if (!end && end.error().code != Code::too_large) return fail(end.error());
  return end && *end == UnpackStatus::whole;
}

Result<bool> is_whole_zstd(std::string_view packed) {
  std::string plain;
  return unpacks([&]() -> Result<std::string_view> { return std::exchange(packed, {}); }, packed.size(), plain);
}

// Whether `is` equals the text `was` except for NULs in place of some bytes.
bool only_lost_to_nuls(std::string_view is, std::string_view was) {
  bool lost = false;
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (i < was.size() && is[i] == was[i]) continue;
    if (is[i] != '\0') return false;
    lost = lost || i < was.size();
  }
  return lost && !was.contains('\0');
}

// Sets whether the new version is worse than the shown one, or else what it lacks of it. A document that was whole and
// is not any more was caught while being rewritten; a file that only lost its end, some lines, or bytes to NULs
// contains nothing new.
Result<bool> is_worse(const std::string& path, ArchiveWriter& writer, FileVersion& now, const FileVersion* shown) {
  if (shown == nullptr) return false;
  now.lacks = shown->lacks;
  if (now.blocks == shown->blocks) return false;
  const bool document = path.ends_with(".json");
  const bool grown = now.blocks.size() >= shown->blocks.size() &&
                     std::equal(shown->blocks.begin(), shown->blocks.end(), now.blocks.begin());
  if (grown || now.size > kMaxDocument || shown->size > kMaxDocument) return false;
  if (now.size == 0) return true;
  HOLDFAST_LET(is, first_bytes(writer, now, now.size));
  auto before = first_bytes(writer, *shown, shown->size);
  // If the shown version cannot be read, no other is worse.
  if (!before && (before.error().code == Code::corrupt || before.error().code == Code::not_found)) return false;
  HOLDFAST_LET(was, std::move(before));
  if (is.size() < was.size() && was.starts_with(is)) return true;
  if (only_lost_to_nuls(is, was)) return true;
  if (is_log(path)) {
    const LogChange change = change_of(is, was);
    // Lines that were forgotten meanwhile are not missed.
    if (change.lacks > 0 && now.holed == 0) now.lacks = change.lacks;
    return change.only_lost;
  }
  if (is_compressed(path)) {
    HOLDFAST_LET(whole, is_whole_zstd(is));
    return whole ? Result<bool>(false) : is_whole_zstd(was);
  }
  return document && !check_json(is).ok() && check_json(was).ok();
}

Result<std::optional<FileVersion>> finished(const std::string& path, ArchiveWriter& writer, FileVersion version,
                                            const FileStat& start, const FileVersion* shown) {
  version.mode = start.mode;
  version.mtime_ns = start.mtime_ns;
  version.ctime_ns = start.ctime_ns;
  version.inode = start.inode;
  HOLDFAST_LET(worse, is_worse(path, writer, version, shown));
  version.worse = worse;
  return version;
}

// Passes the file's bytes [from, size) to `take` and returns their hash; nullopt if the file is shorter.
Result<std::optional<std::string>> pass_on(const Context& context, File& file, std::uint64_t from, std::uint64_t size,
                                           const std::function<Result<void>(std::string_view)>& take) {
  Xxh3Stream hash;
  while (from < size) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(bytes, bytes_at(file, from, std::min<std::uint64_t>(size - from, kBlockBytes)));
    if (bytes.empty()) return std::nullopt;
    hash.add(bytes);
    HOLDFAST_TRY(take(bytes));
    from += bytes.size();
  }
  return hash.hex();
}

// If any lines are forgotten, every line is checked before a byte of it is written. A log that only grew is
// read from its previous end, if that was the end of a line; everything else is read from the start, but
// known chunks are not written again.
Result<std::optional<FileVersion>> capture_lines(const Context& context, ArchiveWriter& writer, File& file,
                                                 const std::string& path, const FileVersion* before,
                                                 const FileVersion* shown) {
  HOLDFAST_LET(start, file.stat());
  HOLDFAST_LET(keep, blocks_to_keep(writer, file, path, start, before));
  FileVersion version;
  if (keep > 0 && keep == before->blocks.size()) {
    HOLDFAST_LET(last, bytes_at(file, before->size - 1, 1));
    if (last == "\n") version = {.size = before->size, .blocks = before->blocks};
  }
  const std::uint64_t from = version.size;
  BlockMaker blocks(context, writer, version);
  HOLDFAST_LET(hash,
               pass_on(context, file, from, start.size, [&](std::string_view bytes) { return blocks.add(bytes); }));
  if (!hash) return std::nullopt;
  HOLDFAST_TRY(blocks.end());
  HOLDFAST_LET(end, file.stat());
  const bool changed = !unchanged(start, end);
  if (changed && (!is_log(path) || end.size < start.size)) return std::nullopt;
  if (changed || is_fresh(context, end)) {
    HOLDFAST_LET(again, pass_on(context, file, from, start.size, [](std::string_view) { return Result<void>(); }));
    if (again != hash) return std::nullopt;
    if (from > 0) {
      HOLDFAST_LET(same, holds(file, *before, first_compared(*before)));
      if (!same) return std::nullopt;
    }
  }
  return finished(path, writer, std::move(version), start, shown);
}

}  // namespace

Result<void> BlockMaker::take(std::string_view block) {
  HOLDFAST_TRY(context_.check());
  HOLDFAST_LET(name, writer_.add_chunk(context_, block));
  version_.blocks.push_back({std::move(name), static_cast<std::uint32_t>(block.size())});
  version_.size += block.size();
  return {};
}

Result<void> BlockMaker::cut(std::string_view bytes) {
  left_ += bytes;
  std::size_t at = 0;
  for (; left_.size() - at >= kBlockBytes; at += kBlockBytes)
    HOLDFAST_TRY(take(std::string_view(left_).substr(at, kBlockBytes)));
  left_.erase(0, at);
  return {};
}

Result<void> BlockMaker::add(std::string_view bytes) {
  seen_ += bytes.size();
  if (writer_.forgotten_lines().hashes.empty()) return cut(bytes);
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::size_t count = newline == std::string_view::npos ? bytes.size() : newline + 1;
    line_ += bytes.substr(0, count);
    bytes.remove_prefix(count);
    if (newline != std::string_view::npos) {
      HOLDFAST_TRY(end_line());
    } else if (line_.size() > kMaxForgottenLine) {
      too_long_ = true;
      HOLDFAST_TRY(cut(std::exchange(line_, {})));
    }
  }
  return {};
}

Result<void> BlockMaker::end_line() {
  const bool forgotten = !too_long_ && writer_.forgotten_lines().contains(line_);
  dropped_ = dropped_ || forgotten;
  too_long_ = false;
  if (!forgotten) HOLDFAST_TRY(cut(line_));
  line_.clear();
  return {};
}

Result<void> BlockMaker::end() {
  if (!line_.empty()) HOLDFAST_TRY(end_line());
  if (dropped_ || version_.holed != 0) version_.holed = seen_;
  return left_.empty() ? Result<void>() : take(left_);
}

bool is_settled(const FileVersion& version, std::int64_t captured_ns) {
  return std::max(version.mtime_ns, version.ctime_ns) + kRacyNs < captured_ns;
}

bool is_same_file(const FileVersion& version, const FileStat& now, std::int64_t captured_ns) {
  return version.agents_size() == now.size && version.inode == now.inode && version.mtime_ns == now.mtime_ns &&
         version.ctime_ns == now.ctime_ns && version.mode == now.mode && is_settled(version, captured_ns);
}

Result<bool> only_lost_rows(ArchiveWriter& writer, const FileVersion& now, const FileVersion* shown) {
  if (shown == nullptr || now.blocks == shown->blocks || now.size > kMaxDocument || shown->size > kMaxDocument)
    return false;
  HOLDFAST_LET(is, first_bytes(writer, now, now.size));
  const auto was = first_bytes(writer, *shown, shown->size);
  return was && change_of(is, *was).only_lost;
}

Result<CompressedLog> compare_compressed(ArchiveWriter& writer, const FileVersion& packed, const FileVersion& log) {
  auto next = packed.blocks.begin();
  std::string block, plain;
  const auto more = [&]() -> Result<std::string_view> {
    if (next == packed.blocks.end()) return std::string_view();
    HOLDFAST_LET(bytes, writer.packs().read((next++)->name));
    block = std::move(bytes);
    return block;
  };
  HOLDFAST_LET(whole, unpacks(more, packed.size, plain));
  if (!whole || plain.empty() || log.size > kMaxDocument) return CompressedLog{.whole = whole};
  const auto was = first_bytes(writer, log, log.size);
  return CompressedLog{.whole = true, .lacks = was ? change_of(plain, *was).lacks : 0};
}

Result<std::optional<FileVersion>> capture_open_file(const Context& context, ArchiveWriter& writer, File& file,
                                                     const std::string& path, const FileVersion* before,
                                                     const FileVersion* shown) {
  if (!writer.forgotten_lines().hashes.empty()) return capture_lines(context, writer, file, path, before, shown);
  HOLDFAST_LET(start, file.stat());
  HOLDFAST_LET(keep, blocks_to_keep(writer, file, path, start, before));
  HOLDFAST_LET(made, cut(context, writer, file, start.size, before, keep));
  if (!made) return std::nullopt;  // the file became shorter
  HOLDFAST_LET(end, file.stat());
  // A log may grow while it is read. The bytes that were read or compared must be unchanged; check that also if the
  // times prove nothing.
  const bool changed = !unchanged(start, end);
  if (changed && (!is_log(path) || end.size < start.size)) return std::nullopt;
  if (changed || is_fresh(context, end)) {
    HOLDFAST_LET(same, holds(file, *made, keep == 0 ? 0 : first_compared(*before)));
    if (!same) return std::nullopt;
  }
  return finished(path, writer, std::move(*made), start, shown);
}

Result<std::optional<FileVersion>> capture_file(const Context& context, ArchiveWriter& writer, Directory& directory,
                                                const std::string& path, const FileVersion* before,
                                                const FileVersion* shown) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    HOLDFAST_TRY(context.check());
    const auto named = directory.stat(path);
    if (!named && named.error().code == Code::not_found) return std::nullopt;
    if (!named) return fail(named.error());
    if (named->kind != FileKind::file) return fail(Code::unsafe_path, kNotPlainFile, path);
    auto opened = directory.open(path, OpenMode::read);
    if (!opened && opened.error().code == Code::not_found) continue;
    if (!opened) return fail(std::move(opened).error());
    File& file = **opened;
    HOLDFAST_LET(start, file.stat());
    if (!start.same_file(*named)) continue;
    HOLDFAST_LET(version, capture_open_file(context, writer, file, path, before, shown));
    if (version) return version;
  }
  return fail(Code::busy, "it changed every time it was read; the next run tries again", path);
}

}  // namespace holdfast::inline v1
