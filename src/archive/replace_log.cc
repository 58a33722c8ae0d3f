// ArchiveWriter::replace_log and the forgotten sessions. The order of steps: copy the
// needed chunks of packs that go to new packs and sync them; note which packs go;
// replace the log; remove the packs; remove the note.
#include <holdfast/document.h>

#include <algorithm>
#include <map>

#include "archive/archive_writer.h"
#include "archive/finish_rewrite.h"
#include "archive/lost_lines.h"
#include "disk/free_space.h"
#include "disk/steps.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {

// Empty if the chunk is in no pack. A chunk that cannot be read may still be of use and is copied as it is.
Result<std::string> ArchiveWriter::bytes_to_copy(std::uint32_t pack, const std::string& name,
                                                 std::vector<Finding>& findings) {
  auto bytes = packs_.packed(name);
  if (bytes || (bytes.error().code != Code::corrupt && bytes.error().code != Code::not_found)) return bytes;
  findings.push_back({pack_path(pack), 0, 0, "corrupt", bytes.error().message, 0});
  if (!does(Step::archive_unreadable_stays)) return std::string();
  auto as_it_is = packs_.packed_unverified(name);
  if (!as_it_is && as_it_is.error().code == Code::not_found) return std::string();
  if (as_it_is) findings.back().consequence += "; it is kept as it is";
  return as_it_is;
}

Result<std::uint64_t> ArchiveWriter::copy_needed(const Context& context, std::uint32_t pack,
                                                 const std::unordered_set<std::string>& needed,
                                                 std::vector<Finding>& findings) {
  std::map<std::uint64_t, std::string> order;
  for (const auto& [name, place] : packs_.all()) {
    if (place.pack == pack && needed.contains(name)) order.emplace(place.offset, name);
  }
  std::uint64_t copied = 0;
  for (const auto& [offset, name] : order) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(bytes, bytes_to_copy(pack, name, findings));
    if (bytes.empty()) continue;
    if (end_ + bytes.size() > kPackBytes) HOLDFAST_TRY(begin_pack());
    const std::uint64_t at = end_;
    const std::uint32_t plain = packs_.find(name)->plain;
    HOLDFAST_TRY(write(bytes));
    packs_.add(name,
               {number_, at + kChunkHeaderBytes, static_cast<std::uint32_t>(bytes.size() - kChunkHeaderBytes), plain});
    packs_.set_end(number_, end_);
    copied += bytes.size();
  }
  return copied;
}

PackEnd ArchiveWriter::pack_end() const { return {number_, pack_ ? end_ : UINT64_MAX}; }

// The first pack after `since` stays, empty: it may follow one that was abandoned.
void ArchiveWriter::give_back(const PackEnd& since, const Error& error) {
  const bool stopped = error.code == Code::cancelled || error.code == Code::deadline_exceeded;
  if (replaced_ || (error.code != Code::disk_full && !stopped)) return;
  broken_ = true;
  pack_.reset();
  Directory& directory = root_->directory();
  for (std::uint32_t pack = since.pack; pack <= number_; ++pack) {
    const std::uint64_t keep = pack == since.pack ? since.end : 0;
    if (pack != since.pack) (void)directory.remove(index_path(pack));
    if (pack > since.pack + 1) {
      (void)directory.remove(pack_path(pack));
      continue;
    }
    const auto file = directory.open(pack_path(pack), OpenMode::append);
    if (!file) continue;
    if (const auto stat = (*file)->stat(); stat && stat->size > keep) (void)(*file)->truncate(keep);
  }
}

// Goes on in the pack of the mark, or in the first one after it, whose name is durable.
Result<void> ArchiveWriter::go_back(const WriterMark& mark) {
  Directory& directory = root_->directory();
  if (broken_ || state_.last_number != mark.captures || directory.exists(pack_path(number_ + 1)))
    return fail(Code::poisoned, "an earlier write to the archive failed", pack_path(number_));
  broken_ = true;  // unless all of it succeeds
  added_.clear();  // the whole index is written
  const bool same = number_ == mark.end.pack;
  if (!same && mark.end.end != UINT64_MAX) {
    HOLDFAST_LET(file, directory.open(pack_path(mark.end.pack), OpenMode::append));
    HOLDFAST_TRY(file->truncate(mark.end.end));
    packs_.cut(mark.end.pack, mark.end.end);
  }
  for (; !same && number_ > mark.end.pack + 1; --number_) {
    pack_.reset();
    (void)directory.remove(index_path(number_));
    HOLDFAST_TRY(directory.remove(pack_path(number_)));
    packs_.remove(number_);
  }
  if (!same && !pack_) {
    HOLDFAST_LET(file, directory.open(pack_path(number_), OpenMode::append));
    pack_ = std::move(file);
  }
  if (pack_) {  // otherwise nothing was written
    end_ = same ? mark.end.end : 0;
    synced_ = same ? std::min(synced_, end_) : 0;
    HOLDFAST_TRY(pack_->truncate(end_));
    packs_.cut(number_, end_);
  }
  written_ = mark.written;
  healed_ = mark.healed;
  damaged_ = mark.damaged;
  broken_ = false;
  return {};
}

Result<Rewritten> ArchiveWriter::replace_log(const Context& context, const std::vector<std::string>& lines,
                                             const std::unordered_set<std::string>& needed, LooseBytes strange) {
  HOLDFAST_TRY(commit(context));
  HOLDFAST_TRY(sync_pack());
  const PackEnd since = pack_end();
  auto done = rewrite(context, lines, needed, strange);
  if (!done) give_back(since, done.error());
  return done;
}

std::map<std::uint32_t, std::uint64_t> ArchiveWriter::bytes_of(const std::unordered_set<std::string>& chunks) const {
  std::map<std::uint32_t, std::uint64_t> used;
  for (const auto& [name, place] : packs_.all()) {
    if (chunks.contains(name)) used[place.pack] += kChunkHeaderBytes + place.packed;
  }
  return used;
}

Result<std::map<std::uint32_t, std::uint64_t>> ArchiveWriter::loose_packs(
    const std::map<std::uint32_t, std::uint64_t>& used) const {
  std::map<std::uint32_t, std::uint64_t> sizes;
  for (const auto& [pack, end] : packs_.ends()) {
    HOLDFAST_LET(stat, root_->directory().stat(pack_path(pack)));
    const auto its = used.find(pack);
    if (its == used.end() || its->second != stat.size) sizes[pack] = stat.size;
  }
  return sizes;
}

Result<bool> ArchiveWriter::has_loose_bytes(const std::unordered_set<std::string>& needed) const {
  HOLDFAST_LET(sizes, loose_packs(bytes_of(needed)));
  return std::ranges::any_of(sizes, [](const auto& pack) { return pack.second > 0; });
}

Result<std::set<std::uint32_t>> ArchiveWriter::keep_what_lost_lines_named(
    const Context& context, std::unordered_set<std::string>& needed) const {
  HOLDFAST_LET(unnamed, chunks_without_line(context, root_->directory()));
  std::set<std::uint32_t> left_alone;
  for (const auto& [name, place] : unnamed) {
    if (packs_.find(name) != nullptr)
      needed.insert(name);
    else
      left_alone.insert(place.pack);  // this writer does not trust it
  }
  return left_alone;
}

Result<Rewritten> ArchiveWriter::rewrite(const Context& context, const std::vector<std::string>& lines,
                                         const std::unordered_set<std::string>& needed, LooseBytes strange) {
  if (broken_) return fail(Code::poisoned, "an earlier write to the archive failed", pack_path(number_));
  Rewritten done;
  bool missing = false;
  for (const std::string& name : needed) {
    if (name.empty() || order_ != ArchiveOrder::chunks_first) continue;
    HOLDFAST_LET(there, packs_.has(name));
    missing = missing || !there;
  }
  packs_.prefer_whole();
  const auto log_end = load_log_end(root_->directory());
  std::unordered_set<std::string> staying = needed;
  std::set<std::uint32_t> left_alone;
  if (log_end && !log_end->lost_at.empty() && strange == LooseBytes::stays) {
    HOLDFAST_LET(packs, keep_what_lost_lines_named(context, staying));
    left_alone = std::move(packs);
  }
  const std::map<std::uint32_t, std::uint64_t> used = bytes_of(staying);
  std::vector<std::uint32_t> going;
  HOLDFAST_LET(sizes, loose_packs(used));
  std::uint64_t copies = 0;
  for (const auto& [pack, size] : sizes) {
    if (left_alone.contains(pack)) continue;
    if (const std::uint64_t bytes = missing ? packs_.bytes_outside_chunks(pack, size) : 0; bytes > 0) {
      done.findings.push_back({pack_path(pack), 0, bytes, "corrupt",
                               std::to_string(bytes) + " bytes of it are not a complete chunk" +
                                   (strange == LooseBytes::stays ? "; the pack is kept whole" : " and are removed"),
                               0});
      if (strange == LooseBytes::stays) continue;
    }
    if (const auto its = used.find(pack); its != used.end()) copies += its->second;
    done.bytes_gone += size;
    going.push_back(pack);
  }
  const std::uint64_t free = free_bytes_at(root_->file_system(), root_->path()).value_or(UINT64_MAX);
  if (free < copies)
    return fail(Code::disk_full,
                "copying what stays in the archive needs " + human_size(copies) + " on its disk, which has " +
                    human_size(free) + " free",
                root_->path());
  // From here on nothing is added to a pack that will be removed.
  if (!going.empty()) HOLDFAST_TRY(begin_pack());
  for (const std::uint32_t pack : going) {
    HOLDFAST_LET(copied, copy_needed(context, pack, staying, done.findings));
    done.bytes_kept += copied;
  }
  done.packs = going.size();
  if (does(Step::archive_copies_sync)) HOLDFAST_TRY(sync_pack());
  HOLDFAST_TRY(log_->close(context));
  broken_ = true;
  std::string log;
  // If nothing that is forgotten is left, this is what completes its removal.
  Forgotten forgotten = forgotten_;
  if (strange == LooseBytes::goes) forgotten.lines.pending = false;
  if (strange == LooseBytes::goes) forgotten.unfinished.clear();
  for (const std::string& line : lines_for_log(forgotten)) (log += line) += '\n';
  for (const std::string& line : lines)
    if (!is_forgotten_line(line)) (log += line) += '\n';
  if (does(Step::archive_rewrite_noted)) HOLDFAST_TRY(note_rewrite(context, *root_, log, going));
  // A log that is shorter because it was replaced has lost nothing.
  if (log_end && log_end->bytes > log.size())
    HOLDFAST_TRY(save_log_end(context, *root_, {log.size(), log_end->lost_at}));
  // If there is no space for the new log, the old one stays in place.
  auto installed = replace_document(context, *root_, kCaptureLog, log, {.backup = false});
  replaced_ = installed || installed.error().code != Code::disk_full;
  HOLDFAST_TRY(installed);
  HOLDFAST_TRY(finish_rewrite(context, *root_));
  for (const std::uint32_t pack : going) packs_.remove(pack);
  if (pack_) write_index(context, number_);
  return done;
}

Result<void> ArchiveWriter::note_forgotten(const Context& context, const std::set<CaptureKey>& sessions,
                                           const std::unordered_set<std::string>& lines) {
  forgotten_.sessions.insert(sessions.begin(), sessions.end());
  forgotten_.unfinished.insert(sessions.begin(), sessions.end());
  forgotten_.lines.hashes.insert(lines.begin(), lines.end());
  forgotten_.lines.pending = forgotten_.lines.pending || (!lines.empty() && does(Step::archive_forget_pending));
  return does(Step::archive_forget_noted) ? save_forgotten(context, *root_, forgotten_) : Result<void>();
}

Result<void> ArchiveWriter::note_forgetting_done(const Context& context) {
  if (!forgotten_.lines.pending && forgotten_.unfinished.empty()) return {};
  forgotten_.lines.pending = false;
  forgotten_.unfinished.clear();
  return save_forgotten(context, *root_, forgotten_);
}

}  // namespace holdfast::inline v1
