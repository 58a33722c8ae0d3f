#include "archive/archive_writer.h"

#include <holdfast/document.h>

#include <algorithm>

#include "archive/damaged_chunks.h"
#include "archive/finish_rewrite.h"
#include "archive/lost_lines.h"
#include "archive/remembered_captures.h"
#include "archive/sync_parents.h"
#include "base/hash.h"
#include "base/id.h"
#include "base/lock_rank.h"
#include "base/own_folder.h"
#include "base/time.h"
#include "disk/steps.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLinesAtOnce = 64;
constexpr std::size_t kReadLinesAtOnce = 4096;  // of another machine's sessions, which can be read again
constexpr std::string_view kFormatText = "{\"holdfast_archive\":1,\"incompat\":[]}\n";

Result<std::unique_ptr<File>> lock_archive(Root& root) {
  const std::string name = root.side("locks", "archive");
  HOLDFAST_TRY(root.ensure_directory(root.side("locks")));
  while (true) {
    auto file = root.directory().open(name, OpenMode::update);
    if (!file && file.error().code == Code::not_found) {
      file = root.directory().open(name, OpenMode::create_update);
      if (!file && file.error().code == Code::already_exists) continue;
    }
    if (!file) return fail(std::move(file).error());
    HOLDFAST_LET(held, (*file)->try_lock(LockKind::exclusive));
    if (!held && does(Step::archive_lock))
      return fail(Code::busy, "another process is writing to the archive", root.path());
    const auto own = (*file)->stat();
    const auto named = root.directory().stat(name);
    if ((own && named && own->same_file(*named)) || !does(Step::archive_lock_inode_check)) return file;
  }
}

// Nothing is captured yet. Whoever created the archive may have crashed, or failed to sync, before it was durable.
Result<void> make_durable(const Context& context, FileSystem& file_system, Root& root) {
  const auto log = root.directory().stat(kCaptureLog);
  if (log && log->size > 0) return {};
  if (does(Step::archive_own_name)) HOLDFAST_TRY(sync_parents(file_system, root.path()));
  if (does(Step::archive_format_again) || !root.directory().exists(kArchiveFormat))
    HOLDFAST_TRY(replace_document(context, root, kArchiveFormat, kFormatText, {.backup = false}));
  return {};
}

}  // namespace

std::string machine_id(FileSystem& file_system) {
  std::string id(64, '\0');
  if (const auto etc = file_system.open_directory("/etc", false)) {
    if (const auto file = (*etc)->open("machine-id", OpenMode::read)) id.resize((*file)->read_at(0, id).value_or(0));
  }
  return sha256_hex("holdfast archive\n" + id).substr(0, 16);
}

Result<std::unique_ptr<ArchiveWriter>> ArchiveWriter::open(const Context& context, FileSystem& file_system,
                                                           const std::string& path, ArchiveOrder order,
                                                           const std::string& cache) {
  RankHold rank(LockRank::lease);  // only tried, never waited for; once held, it blocks nobody
  HOLDFAST_LET(root,
               own_folder(Root::open(context, file_system, path, {.side = std::string(kArchiveSide), .create = true})));
  HOLDFAST_LET(lock, lock_archive(*root));
  rank.drop();
  // Only a directory that contains nothing but what was just created becomes an archive.
  if (auto known = check_archive_format(root->directory()); !known) {
    if (known.error().code != Code::not_found) return fail(std::move(known).error());
    HOLDFAST_LET(entries, root->directory().list(""));
    if (entries.size() > 1)
      return fail(Code::storage_unavailable,
                  "there are other files in the place of the archive's folder, and nothing that says that it is an "
                  "archive; move them away",
                  root->path());
  }
  HOLDFAST_TRY(make_durable(context, file_system, *root));
  if (does(Step::archive_rewrite_ended)) HOLDFAST_TRY(finish_rewrite(context, *root));
  HOLDFAST_LET(packs, Packs::load(context, root->directory()));
  std::unique_ptr<ArchiveWriter> writer(new ArchiveWriter(std::move(root), std::move(lock), std::move(packs), order));
  HOLDFAST_TRY(writer->prepare(context, cache));
  return writer;
}

ArchiveWriter::~ArchiveWriter() = default;

Result<void> ArchiveWriter::prepare(const Context& context, const std::string& cache) {
  HOLDFAST_TRY(root_->ensure_directory(kPacks));
  had_log_ = root_->directory().exists(kCaptureLog);
  HOLDFAST_LET(log, AppendLog::open(context, root_, std::string(kCaptureLog),
                                    {.max_line = kMaxCaptureLine, .sync_interval = {}, .checksums = false}));
  log_ = std::move(log);
  for (Finding& found : log_->findings()) findings_.push_back(std::move(found));
  RememberedCaptures memory(root_->file_system(), cache, root_->path());
  HOLDFAST_LET(state, load_captures(context, root_->directory(), packs_, {}, cache.empty() ? nullptr : &memory));
  state_ = std::move(state);
  HOLDFAST_TRY(mend_last_pack(context));
  // A pack that is missing may be put back, so its number is not used again.
  if (packs_.highest_number() > number_) {
    number_ = packs_.highest_number();
    pack_.reset();
    unused_ = false;
  }
  HOLDFAST_TRY(find_damaged());
  HOLDFAST_TRY(find_forgotten(context));
  device_ = machine_id(root_->file_system());
  const std::string device = "devices/" + device_ + ".json";
  if (!root_->directory().exists(device)) {
    HOLDFAST_TRY(root_->ensure_directory("devices"));
    const std::string text = JsonWriter()
                                 .begin_object()
                                 .key("device")
                                 .string(device_)
                                 .key("since")
                                 .string(iso8601(context.clock->now()))
                                 .end_object()
                                 .take();
    HOLDFAST_TRY(replace_document(context, *root_, device, text + "\n", {.backup = false}));
  }
  return {};
}

// If the list or the log is older than the other, notes what the other knows. On a full disk, the next writer does.
Result<void> ArchiveWriter::find_forgotten(const Context& context) {
  HOLDFAST_LET(known, load_known_forgotten(context, root_->directory()));
  forgotten_ = std::move(known.all);
  log_never_had_list_ = known.log_never_had_it;
  if (forgotten_.lines.salt.empty()) forgotten_.lines.salt = base32_letters(root_->file_system().entropy(), 26);
  const auto note = [&]() -> Result<void> {
    LogEnd end = load_log_end(root_->directory()).value_or(LogEnd());
    // The captures since the log is from are lost.
    if (known.log_is_older && end.lost_at.empty()) {
      end.lost_at = iso8601(context.clock->now());
      HOLDFAST_TRY(save_log_end(context, *root_, end));
    }
    return known.list_is_older || known.log_is_older ? save_forgotten(context, *root_, forgotten_) : Result<void>();
  };
  if (const auto noted = note(); !noted && noted.error().code != Code::disk_full) return noted;
  if (known.list_is_older)
    findings_.push_back({std::string(kForgotten), 0, 0, "older",
                         "it lacked some of what is forgotten: it was lost, or an older one was put back; it is "
                         "written again from what the log knows",
                         0});
  if (known.log_is_older)
    findings_.push_back({std::string(kCaptureLog), 0, 0, "older",
                         "it does not know of everything that is forgotten, as after an older log was put back; what "
                         "was forgotten has to be removed again",
                         0});
  return {};
}

// Loads the list, without chunks that can be read again and missing ones that no session needs, and adds those that are
// missing by now.
Result<void> ArchiveWriter::find_damaged() {
  damaged_ = load_damaged(root_->directory());
  was_damaged_ = !damaged_.empty();
  std::erase_if(damaged_, [&](const std::string& name) { return packs_.read(name).has_value(); });
  // Chunks of another machine's sessions that are not here were never fetched.
  if (order_ == ArchiveOrder::lines_first) return {};
  std::erase_if(damaged_, [&](const std::string& name) { return packs_.find(name) == nullptr; });
  HOLDFAST_LET(missing, missing_chunks(state_, packs_));
  damaged_.merge(missing);
  was_damaged_ = was_damaged_ || !damaged_.empty();
  if (was_damaged_ && damaged_ == load_damaged(root_->directory()))
    healing_tried_ = load_healing_tried(root_->directory());
  return {};
}

// The end of the last chunk of a pack that a line names, 0 if there is none.
std::uint64_t ArchiveWriter::named_end(std::uint32_t pack) const {
  const auto named = state_.named_until.find(pack);
  return named == state_.named_until.end() ? 0 : named->second.end;
}

// Everything up to the last chunk that a line names was synced and is whole. After it there
// may be anything: another writer crashed, a sync failed, or the power went, and the index may
// be wrong there. If lines come first, this applies to the whole pack.
Result<void> ArchiveWriter::mend_last_pack(const Context& context) {
  number_ = packs_.last();
  if (number_ == 0) return {};
  if (const auto named = state_.named_until.find(number_); named != state_.named_until.end()) {
    HOLDFAST_LET(there, packs_.has(named->second.name));  // may look into all packs, which moves what find() returns
    const ChunkPlace* const place = packs_.find(named->second.name);
    // The index misled whoever looked for the chunks that lines name.
    if (!there || place == nullptr || place->pack != number_ || place->end() != named->second.end) {
      HOLDFAST_TRY(packs_.scan());
      HOLDFAST_LET(state, load_captures(context, root_->directory(), packs_));
      state_ = std::move(state);
    }
  }
  for (const auto& [pack, end] : packs_.ends()) {
    const std::uint64_t sure = named_end(pack);
    if (pack != number_ && sure < end && does(Step::archive_pack_limit)) packs_.limit(pack, sure);
  }
  const std::string path = pack_path(number_);
  HOLDFAST_LET(file, root_->directory().open(path, OpenMode::append));
  HOLDFAST_LET(stat, file->stat());
  if (stat.size == 0 && does(Step::archive_pack_name_anew)) {
    unused_ = true;
    return {};
  }
  const std::uint64_t sure = order_ == ArchiveOrder::lines_first ? 0 : named_end(number_);
  std::uint64_t end = sure;
  HOLDFAST_LET(after, packs_.rescan(context, number_, sure));
  for (const auto& [name, place] : after) {
    if (place.offset != end + kChunkHeaderBytes) break;
    if (does(Step::archive_tail_check) && !packs_.is_whole(name, place)) break;
    end = place.end();
  }
  // More than any writer of ours wrote, or perhaps a damaged chunk that a capture needs which cannot be read, and what
  // follows it: leave the pack as it is and add nothing to it.
  if (stat.size > end + kPackBytes || (end < stat.size && !state_.findings.empty())) {
    packs_.limit(number_, end);
    return {};
  }
  if (end < stat.size) {
    std::string tail(static_cast<std::size_t>(stat.size - end), '\0');
    HOLDFAST_LET(count, file->read_at(end, tail));
    tail.resize(count);
    Result<std::string> moved = std::string();
    if (does(Step::archive_tail_aside)) moved = root_->quarantine(context, path, end, tail, "torn");
    HOLDFAST_TRY(moved);
    HOLDFAST_TRY(file->truncate(end));
    findings_.push_back(
        {path, end, stat.size - end, "torn", "the end of a chunk is missing; a copy is in " + *moved, 0});
    packs_.cut(number_, end);
  }
  // Chunks that an earlier writer left unsynced count as stored from now on.
  if (auto synced = end > sure && does(Step::archive_tail_sync) ? file->sync() : Result<void>(); !synced) {
    abandon();
    return synced;
  }
  // A pack that was cut may be put back, too.
  if (packs_.index_end(number_) > end) return {};
  pack_ = std::move(file);
  end_ = synced_ = end;
  return {};
}

// The name is durable before the first byte is written. The name of an empty pack may be one that could not be
// synced: the pack is renamed to the next number in one step, because another pack may be abandoned in favor of it.
Result<void> ArchiveWriter::begin_pack() {
  HOLDFAST_TRY(sync_pack());
  const std::uint32_t next = number_ + 1;
  if (unused_) HOLDFAST_TRY(root_->directory().rename(pack_path(number_), pack_path(next)));
  HOLDFAST_LET(file, root_->directory().open(pack_path(next), unused_ ? OpenMode::append : OpenMode::create_append));
  if (std::exchange(unused_, false)) packs_.remove(number_);
  if (does(Step::archive_pack_name)) HOLDFAST_TRY(root_->sync_name(pack_path(next)));
  pack_ = std::move(file);
  number_ = next;
  end_ = synced_ = 0;
  added_.clear();
  packs_.set_end(next, 0);
  return {};
}

// Once another pack follows, nothing is added to this one, and chunks in it that no line names are not trusted.
void ArchiveWriter::abandon() {
  if (!does(Step::archive_abandon)) return;
  broken_ = true;
  (void)root_->directory().open(pack_path(number_ + 1), OpenMode::create_append);
}

Result<void> ArchiveWriter::sync_pack() {
  if (!pack_ || synced_ == end_) return {};
  if (auto synced = does(Step::archive_pack_sync) ? pack_->sync() : Result<void>(); !synced) {
    // The next sync may lie (I-7), so remove what this one covered.
    if (does(Step::archive_cut)) {
      (void)pack_->truncate(synced_);
      packs_.cut(number_, synced_);
    }
    abandon();
    return synced;
  }
  synced_ = end_;
  return {};
}

Result<void> ArchiveWriter::write(std::string_view bytes) {
  std::string_view left = bytes;
  while (!left.empty()) {
    auto count = pack_->append(left);
    if (count && *count == 0) count = fail(Code::disk_full, "cannot append", pack_path(number_));
    if (!count) {
      if (!pack_->truncate(end_)) broken_ = true;
      return fail(std::move(count).error());
    }
    left.remove_prefix(*count);
  }
  end_ += bytes.size();
  written_ += bytes.size();
  return {};
}

Result<std::string> ArchiveWriter::add_chunk(const Context& context, std::string_view plain) {
  std::string name = sha256_hex(plain);
  HOLDFAST_LET(known, packs_.has(name));
  const bool damaged = damaged_.contains(name);
  if (known && !damaged) return name;
  if (broken_) return fail(Code::poisoned, "an earlier write to the archive failed", pack_path(number_));
  HOLDFAST_LET(bytes, pack_chunk(name, plain));
  if (!pack_ || (end_ > 0 && end_ + bytes.size() > kPackBytes)) {
    if (pack_) write_index(context, number_);
    HOLDFAST_TRY(begin_pack());
  }
  const std::uint64_t at = end_;
  HOLDFAST_TRY(write(bytes));
  const ChunkPlace place{number_, at + kChunkHeaderBytes, static_cast<std::uint32_t>(bytes.size() - kChunkHeaderBytes),
                         static_cast<std::uint32_t>(plain.size())};
  packs_.add(name, place);
  packs_.set_end(number_, end_);
  if (added_.empty()) added_from_ = at;
  added_ += Packs::index_line(name, place);
  if (damaged) {
    healed_ += damaged_.erase(name);
    healing_tried_ = 0;
  }
  return name;
}

bool ArchiveWriter::is_damaged(const FileVersion& version) const {
  return !damaged_.empty() &&
         std::ranges::any_of(version.blocks, [&](const FileBlock& block) { return damaged_.contains(block.name); });
}

Result<void> ArchiveWriter::note_damage(const Context& context) {
  return was_damaged_ ? save_damaged(context, *root_, damaged_, healing_tried_) : Result<void>();
}

Result<void> ArchiveWriter::add(const Context& context, Capture capture) {
  capture.number = state_.last_number + 1;
  capture.device = device_;
  const auto known = state_.sessions.find(capture.session);
  capture.base = known == state_.sessions.end() ? 0 : known->second.number;
  // The row may repeat a forgotten line.
  if (is_holed(capture) || (known != state_.sessions.end() && is_holed(known->second)))
    capture.row = without_texts(capture.row);
  HOLDFAST_LET(line, line_of(context, capture));
  state_.last_number = capture.number;
  fold(capture, state_.sessions[capture.session]);
  lines_.push_back(std::move(line));
  const std::size_t at_once = order_ == ArchiveOrder::lines_first ? kReadLinesAtOnce : kLinesAtOnce;
  return lines_.size() < at_once ? Result<void>() : commit(context);
}

Result<std::string> ArchiveWriter::line_of(const Context& context, const Capture& capture) {
  const std::string files = write_files(capture.files);
  std::string line = write_capture(capture, files, {});
  if (line.size() <= kMaxCaptureLine) return line;
  std::vector<std::string> chunks;
  for (std::size_t at = 0; at < files.size(); at += kMaxChunk) {
    HOLDFAST_LET(name, add_chunk(context, std::string_view(files).substr(at, kMaxChunk)));
    chunks.push_back(std::move(name));
  }
  line = write_capture(capture, {}, chunks);
  if (line.size() > kMaxCaptureLine)
    return fail(Code::too_large, "a session of " + std::to_string(capture.files.size()) + " files is too large");
  return line;
}

Result<void> ArchiveWriter::commit(const Context& context) {
  if (lines_.empty()) return {};
  if (broken_) return fail(Code::poisoned, "an earlier write to the archive failed", pack_path(number_));
  HOLDFAST_TRY(sync_pack());
  const std::vector<std::string_view> records(lines_.begin(), lines_.end());
  if (auto done = log_->append(context, records, Durability::power); !done) {
    broken_ = true;
    return fail(std::move(done).error());
  }
  lines_.clear();
  return {};
}

// Derived: if it cannot be written, the pack itself is scanned.
void ArchiveWriter::write_index(const Context& context, std::uint32_t pack) const {
  if (pack == number_ && !added_.empty() && added_from_ > 0 && packs_.indexed(pack) == added_from_ &&
      packs_.index_end(pack) == added_from_) {
    const auto file = root_->directory().open(index_path(pack), OpenMode::append);
    if (const auto count = file ? (*file)->append(added_) : Result<std::size_t>(0); count && *count == added_.size())
      return;
  }
  (void)replace_document(context, *root_, index_path(pack), packs_.index_of(pack),
                         {.backup = false, .durability = Durability::none});
}

void note_run(const Context& context, Root& root, std::string_view json) {
  const std::string text = std::string(json) + "\n";
  if (replace_document(context, root, kLastRun, text, {.backup = false, .durability = Durability::none})) return;
  // On a full disk the place of the previous one may do.
  const auto file = root.directory().open(kLastRun, OpenMode::update);
  if (!file) return;
  if (!(*file)->write_at(0, text) || !(*file)->truncate(text.size())) (void)root.directory().remove(kLastRun);
}

Result<void> ArchiveWriter::close(const Context& context) {
  HOLDFAST_TRY(commit(context));
  HOLDFAST_TRY(sync_pack());
  // A writer that was killed left none.
  for (const auto& [pack, end] : packs_.ends())
    if ((pack == number_ && written_ > 0) || packs_.index_end(pack) < end) write_index(context, pack);
  return log_->close(context);
}

}  // namespace holdfast::inline v1
