#include "index/directory_feed.h"

#include <algorithm>

#include "base/time.h"
#include "disk/copies.h"
#include "disk/log_reader_scan.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "index/describe_damage.h"
#include "index/hashed_file.h"
#include "index/packed_lines.h"
#include "layout/known_records.h"
#include "source/compressed.h"
#include "source/rows.h"
#include "text/json_deep.h"

namespace holdfast::inline v1 {
namespace {

bool is_missing(const Error& error) { return error.code == Code::not_found; }

bool is_deep_record(std::string_view line, bool& deep) {
  return line.starts_with('{') && check_deep_json(line, deep).ok() && deep;
}

// Vouches for records of a log by comparing them with others in it, which are read on first use.
AcceptRecord vouch_for(const Context& context, Directory& directory, const std::string& path) {
  constexpr std::size_t kOthers = 16, kSmall = std::size_t{256} << 10;
  const auto look = [&context, &directory, path] {
    std::vector<std::string> others;
    auto file = directory.open(path, OpenMode::read);
    if (!file) return others;
    LogScan reader(context, std::move(*file), {});
    for (Record record; others.size() < kOthers;) {
      const auto more = reader.next(record);
      if (!more || !*more) break;
      if (!record.salvaged && record.bytes.size() <= kSmall) others.emplace_back(record.bytes);
    }
    return others;
  };
  return [look, others = std::optional<std::vector<std::string>>()](std::string_view object) mutable {
    if (!others) others = look();
    return is_record_beside(JsonView(object), *others);
  };
}

// Says what is lost in these bytes of a copy; empty if they are as they were.
std::string describe_gaps(const std::vector<CopyGap>& gaps, std::uint64_t from, std::uint64_t length) {
  std::string text;
  for (const CopyGap& gap : gaps) {
    if (gap.offset >= from + length || gap.offset + gap.length <= from) continue;
    text += text.empty() ? "" : "; ";
    text += std::to_string(gap.length) + " bytes from byte " + std::to_string(gap.offset) +
            " on are lost in the archive: " + gap.why;
  }
  return text;
}

}  // namespace

Result<std::optional<std::string>> DirectoryFeed::whole(Directory& directory, const Place& file, std::uint64_t limit) {
  const auto stat = directory.stat_to_read(file.path);
  return read_up_to(directory, file, stat ? stat->size : 0, limit);
}

Result<std::optional<std::string>> DirectoryFeed::read_up_to(Directory& directory, const Place& file,
                                                             std::uint64_t size, std::uint64_t limit) {
  if (size > limit) {
    return fail(Code::too_large,
                "a file of " + std::to_string(size) + " bytes is over the limit of " + std::to_string(limit),
                directory.path() + "/" + file.path);
  }
  auto bytes = read_whole(directory, file.path);
  if (bytes) {
    bytes_ += bytes->size();
    note_gaps(directory, file);
    return std::move(*bytes);
  }
  if (is_missing(bytes.error())) return std::nullopt;
  return fail(std::move(bytes).error());
}

Directory* DirectoryFeed::directory_of(const Place& place) const {
  const auto at = roots_.find(place.root);
  return at == roots_.end() ? nullptr : at->second;
}

const UnwrittenFile* DirectoryFeed::kept(const Place& place) const {
  if (!kept_) return nullptr;
  const auto at = kept_->find(place);
  return at == kept_->end() ? nullptr : &at->second;
}

Result<bool> DirectoryFeed::note(Directory& directory, const Place& place) {
  const auto stat = directory.stat_to_read(place.path);
  if (!stat && !is_missing(stat.error())) return fail(stat.error());
  const Fingerprint now = stat ? Fingerprint::of(*stat) : Fingerprint::missing();
  read_.try_emplace(place, now);
  return stat.has_value() && stat->kind == FileKind::file;
}

Result<std::vector<FeedEntry>> DirectoryFeed::list(const Place& directory) {
  Directory* root = directory_of(directory);
  if (root == nullptr && seen_ == nullptr) return std::vector<FeedEntry>();
  std::vector<FeedEntry> entries;
  const auto add = [&](std::span<const DirectoryEntry> names) {
    entries.reserve(names.size());
    for (const DirectoryEntry& entry : names) {
      if (entry.kind == FileKind::file || entry.kind == FileKind::directory)
        entries.push_back({entry.name, entry.kind == FileKind::directory});
      else
        special_.insert({directory.root, (directory.path.empty() ? "" : directory.path + "/") + entry.name});
    }
  };
  const auto list = [&]() -> Result<void> {
    if (seen_ == nullptr) return list_now(*root, directory, add);
    HOLDFAST_LET(listing, seen_->list(directory));
    add(listing->names);
    return {};
  };
  if (const auto listed = list(); !listed) {
    if (!lenient_ || listed.error().code != Code::permission_denied || directory.path.empty())
      return fail(listed.error());
    complain(directory, 0, code_name(Code::permission_denied), "cannot be listed; what is in it is left out");
  }
  if (kept_) list_kept(directory, entries);
  return entries;
}

// The answer changes when a name is added or removed.
Result<void> DirectoryFeed::list_now(Directory& root, const Place& directory, const TakeNames& take) {
  if (!directory.path.empty()) {
    const auto stat = root.stat_to_read(directory.path);
    if (stat || is_missing(stat.error()))
      read_.try_emplace(directory, stat ? Fingerprint::of(*stat) : Fingerprint::missing());
  }
  const auto names = root.list_to_read(directory.path);
  if (names) take(*names);
  // A file in place of a directory has no names either.
  if (names || is_missing(names.error()) || names.error().code == Code::unsafe_path) return {};
  return fail(names.error());
}

void DirectoryFeed::list_kept(const Place& directory, std::vector<FeedEntry>& entries) const {
  const std::string prefix = directory.path.empty() ? "" : directory.path + "/";
  for (const auto& [place, file] : *kept_) {
    if (place.root != directory.root || !place.path.starts_with(prefix)) continue;
    const std::string rest = place.path.substr(prefix.size());
    const auto slash = rest.find('/');
    const std::string name = rest.substr(0, slash);
    const bool folder = slash != std::string::npos;
    const auto there = std::ranges::find(entries, name, &FeedEntry::name);
    if (!file.bytes && !folder && there != entries.end()) entries.erase(there);
    if (file.bytes && there == entries.end()) entries.push_back({name, folder});
  }
  std::ranges::sort(entries, {}, &FeedEntry::name);
}

Result<std::optional<FeedStat>> DirectoryFeed::stat(const Place& file) {
  asked_more_ = true;
  if (const UnwrittenFile* ours = kept(file)) {
    if (!ours->bytes) return std::nullopt;
    return FeedStat{ours->bytes->size(), 0};
  }
  Directory* root = directory_of(file);
  if (root == nullptr) return std::nullopt;
  const auto stat = root->stat_to_read(file.path);
  if (stat) return FeedStat{stat->size, stat->mtime_ns};
  if (is_missing(stat.error())) return std::nullopt;
  return fail(stat.error());
}

Result<std::optional<std::string>> DirectoryFeed::link(const Place& name) {
  asked_more_ = true;
  Directory* root = directory_of(name);
  if (root == nullptr) return std::nullopt;
  const auto stat = root->stat(name.path);
  if (!stat) {
    if (is_missing(stat.error()) || stat.error().code == Code::unsafe_path) return std::nullopt;
    return fail(stat.error());
  }
  if (stat->kind != FileKind::symlink) return std::nullopt;
  HOLDFAST_LET(target, root->read_symlink(name.path));
  return target;
}

Result<std::optional<std::string>> DirectoryFeed::document(const Place& file, std::uint64_t limit) {
  Directory* root = directory_of(file);
  if (const UnwrittenFile* ours = kept(file)) {
    revisions_.try_emplace(file, ours->base);
    return ours->bytes;
  }
  if (root == nullptr) return std::nullopt;
  // One stat serves both note() and whole().
  const auto stat = root->stat_to_read(file.path);
  if (!stat && !is_missing(stat.error())) return fail(stat.error());
  read_.try_emplace(file, stat ? Fingerprint::of(*stat) : Fingerprint::missing());
  if (!stat || stat->kind != FileKind::file) {
    revisions_.try_emplace(file, kAbsent);
    return std::nullopt;
  }
  HOLDFAST_LET(bytes, read_up_to(*root, file, stat->size, limit));
  revisions_.try_emplace(file, bytes ? revision_of(*bytes) : Revision(kAbsent));
  return bytes;
}

Result<std::optional<std::string>> DirectoryFeed::plain_document(const Place& file, std::uint64_t limit,
                                                                 std::string_view sha256) {
  if (const UnwrittenFile* ours = kept(file)) return ours->bytes;
  Directory* root = directory_of(file);
  if (root == nullptr) return std::nullopt;
  const std::string path = root->path() + "/" + file.path;
  const auto named = root->stat(file.path);
  if (!named && !is_missing(named.error())) return fail(named.error());
  read_.try_emplace(file, named ? Fingerprint::of(*named) : Fingerprint::missing());
  if (!named) return std::nullopt;
  if (named->kind != FileKind::file)
    return fail(Code::unsafe_path, "not a plain file; it is not followed and not read", path);
  if (named->size > limit)
    return fail(Code::too_large,
                "a file of " + std::to_string(named->size) + " bytes is over the limit of " + std::to_string(limit),
                path);
  HOLDFAST_LET(opened, root->open(file.path, OpenMode::read));
  // The name may have become a link in the meantime.
  HOLDFAST_LET(there, opened->stat());
  if (!there.same_file(*named)) return fail(Code::unsafe_path, "the file was replaced while it was being opened", path);
  std::string bytes(static_cast<std::size_t>(named->size), '\0');
  HOLDFAST_LET(count, opened->read_at(0, bytes));
  bytes.resize(count);
  bytes_ += count;
  note_gaps(*root, file);
  if (!sha256.empty() && does(Step::blob_hash) && sha256_hex(bytes) != sha256)
    return fail(Code::corrupt, "its bytes do not match the SHA-256 in its name", path);
  return bytes;
}

Result<std::optional<std::string>> DirectoryFeed::backup(const Place& file) {
  Directory* root = directory_of(file);
  if (!backup_of_ || root == nullptr) return std::nullopt;
  const Place before{file.root, backup_of_(file)};
  // The answer depends on the backup, so note it; but nothing is written there, so record no revision.
  HOLDFAST_LET(there, note(*root, before));
  if (!there) return std::nullopt;
  return whole(*root, before, std::uint64_t{64} << 20);
}

void DirectoryFeed::note_damage(const Place& log, const std::vector<Damage>& damage) {
  Directory* const root = directory_of(log);
  const auto gaps = root == nullptr || damage.empty() ? std::vector<CopyGap>() : copy_gaps(*root, log.path);
  for (const Damage& place : damage) {
    if (std::string lost = describe_gaps(gaps, place.offset, place.length); !lost.empty())
      add_finding({log, place.offset, place.length, std::string(kLostInCopy), std::move(lost), place.salvaged});
    else
      add_finding({log, place.offset, place.length, std::string(damage_kind_name(place.kind)),
                   describe_damage(place.kind, place.salvaged), place.salvaged});
  }
}

void DirectoryFeed::note_gaps(Directory& directory, const Place& file) {
  for (const CopyGap& gap : copy_gaps(directory, file.path))
    add_finding({file, gap.offset, gap.length, std::string(kLostInCopy), describe_gaps({gap}, gap.offset, gap.length)});
}

void DirectoryFeed::add_finding(PlacedFinding finding) {
  const auto [known, fresh] = placed_.try_emplace({finding.place, finding.offset}, findings_.size());
  if (fresh)
    findings_.push_back(std::move(finding));
  else if (findings_[known->second].salvaged < finding.salvaged)
    findings_[known->second] = std::move(finding);  // the first read may have ended inside it
}

void DirectoryFeed::count_bytes(const Place& log, std::uint64_t from, std::uint64_t to) {
  std::uint64_t& counted = counted_[log];
  from = std::max(from, counted);
  if (to <= from) return;
  bytes_ += to - from;
  counted = to;
}

void DirectoryFeed::track(Place log, Xxh3Stream prefix, std::uint64_t hashed) {
  tracked_log_ = std::move(log);
  tracking_ = true;
  prefix_ = std::move(prefix);
  prefix_size_ = hashed;
  track_.reset();
}

// Only once: it is not known what a second read of the same log would hash.
Result<std::shared_ptr<File>> DirectoryFeed::open_log(Directory& directory, const Place& log) {
  HOLDFAST_LET(file, directory.open(log.path, OpenMode::read));
  if (!tracking_ || log != tracked_log_) return std::shared_ptr<File>(std::move(file));
  tracking_ = false;
  return std::make_shared<HashedFile>(std::move(file), std::move(prefix_), prefix_size_);
}

Result<void> DirectoryFeed::records(const Place& log, FeedRange range, const TakeRecord& take) {
  Directory* root = directory_of(log);
  if (root == nullptr) return {};
  HOLDFAST_LET(there, note(*root, log));
  if (!there) return {};
  if (log.path.ends_with(".zst")) return packed_records(*root, log, range, take);
  ReadOptions options;
  options.check = check_;
  options.from = range.from;
  options.max_line = max_line_;
  HOLDFAST_TRY(context_.check());
  HOLDFAST_LET(file, open_log(*root, log));
  const AcceptRecord vouch = vouch_for(context_, *root, log.path);
  LogScan reader(context_, file, options, UINT64_MAX, vouch);
  const bool sieved = wanted_ && log == skimmed_log_;
  Record record;
  bool ended = false;
  while (true) {
    HOLDFAST_LET(more, reader.next(record));
    ended = !more;
    if (!more || record.offset >= range.to) break;
    const bool skim = sieved && !record.salvaged && !wanted_(record.bytes);
    if (!take({record.bytes, record.offset, record.salvaged, skim, reader.marks()})) break;
  }
  const std::uint64_t position = reader.position();
  count_bytes(log, range.from, position);
  note_damage(log, reader.damage());
  if (const auto* hashed = dynamic_cast<const HashedFile*>(file.get());
      hashed != nullptr && ended && reader.in_flight() == 0 && hashed->hashed() >= position)
    track_ = {position, hashed->hashed(), hashed->hash()};
  if (!ended || reader.in_flight() == 0 || position >= range.to) return {};
  HOLDFAST_LET(last, last_line(*root, log, position, reader.in_flight()));
  for (const OwnedRecord& one : last)
    if (one.offset >= range.to || !take({one.bytes, one.offset, one.salvaged})) break;
  return {};
}

// How far the clock of another machine may be ahead. A file with a later time was not written just now: it would be
// young until that time has passed.
constexpr std::int64_t kSkewNs = 60'000'000'000;

bool DirectoryFeed::is_young(const Place& log) const {
  Directory* const root = directory_of(log);
  if (root == nullptr || dynamic_cast<HasCopyGaps*>(root) != nullptr) return false;  // nobody writes to a copy
  const auto stat = root->stat_to_read(log.path);
  if (!stat) return false;
  const std::int64_t age = unix_ns(context_.clock->now()) - stat->mtime_ns;
  return age < kInFlightNs && age > -kSkewNs;
}

// No record is a prefix of another one, so a whole record without its newline
// is as it was written, whether its writer lives or not.
Result<std::vector<OwnedRecord>> DirectoryFeed::last_line(Directory& directory, const Place& log, std::uint64_t offset,
                                                          std::uint64_t length) {
  std::vector<OwnedRecord> records;
  const auto again = std::ranges::find_if(
      unfinished_, [&](const UnfinishedLine& one) { return one.place == log && one.offset == offset; });
  UnfinishedLine& unfinished = again == unfinished_.end() ? unfinished_.emplace_back() : *again;
  unfinished = {log, offset, length};
  unfinished.cut = !is_young(log);
  if (length > max_line_) {
    if (unfinished.cut) note_damage(log, {{offset, length, DamageKind::too_long, 0}});
    return records;
  }
  HOLDFAST_LET(file, directory.open(log.path, OpenMode::read));
  std::string line(static_cast<std::size_t>(length), '\0');
  HOLDFAST_LET(count, file->read_at(offset, line));
  line.resize(count);
  bool deep = false;
  if (count == length && (is_json_object_line(line) || is_deep_record(line, deep))) {
    if (deep) note_damage(log, {{offset, length, DamageKind::too_deep, 1}});
    unfinished.whole = true;
    unfinished.cut = false;
    count_bytes(log, offset, offset + length);
    records.push_back({std::move(line), offset, false});
  } else if (unfinished.cut) {
    // Without a `vouch` function: an object inside a record that was cut off must not be taken for a record.
    for (const Span& span : salvage(line))
      records.push_back({line.substr(span.offset, span.length), offset + span.offset, true});
    const auto salvaged = static_cast<std::uint32_t>(records.size());
    if (line.contains('\0'))
      note_damage(log, {{offset, length, DamageKind::nul, salvaged}});
    else
      add_finding({log, offset, length, "truncated", "the last record was cut off; it is not shown", salvaged});
  }
  return records;
}

constexpr char kUnconfirmed[] =
    "what was unpacked here is shown and may be wrong: this part of the compressed file is damaged, and no checksum "
    "confirms it";

Result<void> DirectoryFeed::packed_records(Directory& directory, const Place& log, FeedRange range,
                                           const TakeRecord& take) {
  HOLDFAST_LET(file, directory.open(log.path, OpenMode::read));
  HOLDFAST_LET(stat, file->stat());
  count_bytes(log, 0, stat.size);
  PackedLines lines(context_, *file, max_line_);
  const AcceptRecord all;
  std::vector<std::string> first;
  const AcceptRecord vouch = [&](std::string_view object) { return is_record_beside(JsonView(object), first); };
  const auto take_line = [&](const Line& line) {
    if (line.offset >= range.to) return false;
    if (line.offset < range.from || line.length == 0) return true;
    if (!line.too_long && is_json_object_line(line.text)) {
      if (first.empty()) first.emplace_back(line.text);
      return take({line.text, line.offset, false});
    }
    if (bool deep = false; !line.too_long && is_deep_record(line.text, deep)) {
      note_damage(log, {{line.offset, line.length, DamageKind::too_deep, 1}});
      return take({line.text, line.offset, false});
    }
    const DamageKind kind = line.too_long ? DamageKind::too_long : classify(line.text);
    Salvager salvager(line.text, all, vouch);
    std::uint32_t salvaged = 0;
    bool wanted = true;
    for (Span found; wanted && salvager.next(found); ++salvaged)
      wanted = take({line.text.substr(found.offset, found.length), line.offset + found.offset, true});
    note_damage(log, {{line.offset, line.length, kind, salvaged}});
    return wanted;
  };
  const std::uint64_t limit = plain_limit(stat.size);
  HOLDFAST_LET(end, lines.read(limit, take_line));
  note_gaps(directory, log);
  const bool damaged = end == UnpackStatus::damaged || end == UnpackStatus::torn;
  if (damaged && lines.position() == 0)
    add_finding({log, 0, 0, "torn", "no record of it can be unpacked; nothing is shown", 0});
  else if (damaged)
    add_finding({log, lines.position(), 0, "torn", "the rest cannot be unpacked and is not shown", 0});
  // The decoder detects a flipped bit late, or only by the checksum at the end of its frame, and a flipped bit in the
  // size of a block looks like truncation.
  const std::uint64_t from = lines.confirmed();
  if (damaged && from < lines.position()) {
    PlacedFinding doubt{log, from, lines.position() - from, "unconfirmed", kUnconfirmed, 0};
    const bool told = std::ranges::any_of(findings_, [&](const PlacedFinding& one) {
      return one.place == log && one.kind == doubt.kind && one.offset == from;
    });
    if (!told) findings_.push_back(std::move(doubt));
  }
  if (end == UnpackStatus::too_large)
    add_finding({log, lines.position(), 0, "too_large",
                 "it unpacks to more than " + std::to_string(limit) +
                     " bytes, too many for a transcript of its size; the rest is not shown",
                 0});
  return {};
}

Result<bool> DirectoryFeed::last_records(const Place& log, std::size_t count, std::uint64_t before,
                                         const TakeRecord& take) {
  Directory* root = directory_of(log);
  if (root == nullptr) return true;
  HOLDFAST_LET(there, note(*root, log));
  if (!there) return true;
  ReadOptions options;
  options.check = check_;
  const AcceptRecord vouch = vouch_for(context_, *root, log.path);
  HOLDFAST_LET(tail, read_last_vouched(context_, *root, log.path, count, options, before, vouch));
  note_damage(log, tail.damage);
  std::vector<OwnedRecord> last;
  if (tail.in_flight > 0 && count > 0) {
    const auto stat = root->stat_to_read(log.path);
    const std::uint64_t size = stat ? stat->size : 0;
    if (before >= size && size >= tail.in_flight) {
      HOLDFAST_LET(found, last_line(*root, log, size - tail.in_flight, tail.in_flight));
      last = std::move(found);
    }
  }
  // These records count towards `count`.
  const std::size_t all = tail.records.size() + last.size(), first = all > count ? all - count : 0;
  for (std::size_t i = first; i < all; ++i) {
    const bool behind = i >= tail.records.size();
    const OwnedRecord& record = behind ? last[i - tail.records.size()] : tail.records[i];
    if (!behind) bytes_ += record.bytes.size();
    if (!take({record.bytes, record.offset, record.salvaged})) return tail.reached_start;
  }
  return tail.reached_start && first == 0;
}

Result<void> DirectoryFeed::rows(const Place& database, std::string_view select,
                                 std::span<const std::string> parameters, const TakeRow& take) {
  Directory* root = directory_of(database);
  if (root == nullptr) return {};
  HOLDFAST_LET(there, note(*root, database));
  if (!there) return {};
  // Data that is not yet in the database file itself changes the answer too.
  HOLDFAST_TRY(note(*root, {database.root, database.path + "-wal"}));
  // The size of a session in a database is that of its rows.
  return read_rows(root->path() + "/" + database.path, select, parameters, [&](std::span<const FeedValue> row) {
    for (const FeedValue& value : row)
      if (const auto* const text = std::get_if<std::string_view>(&value)) bytes_ += text->size();
    return take(row);
  });
}

void DirectoryFeed::complain(const Place& file, std::uint64_t offset, std::string_view kind,
                             std::string_view consequence) {
  findings_.push_back({file, offset, 0, std::string(kind), std::string(consequence), 0});
}

}  // namespace holdfast::inline v1
