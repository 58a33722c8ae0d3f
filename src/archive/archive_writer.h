// Writes to an archive: chunks into the last pack, captures into the log, durable in that order: a
// line is appended only after every chunk that it names is synced. One writer at a time, across
// processes. Lifetime: the FileSystem must outlive the object. Thread-safety: one thread per
// object.
//
// Crash-safety: a crash may leave chunks that no line names, and a partial chunk at the end of the
// last pack. The next writer copies the partial chunk aside and truncates the pack.
#pragma once

#include <holdfast/append_log.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "archive/archive.h"
#include "archive/forgotten.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kLastRun = "last-run.json";
inline constexpr std::string_view kForgotten = "forgotten.json";
inline constexpr std::string_view kRewrite = "rewrite.json";

// The id of this machine in archives: the same for all users, and useless elsewhere.
std::string machine_id(FileSystem& file_system);

// Which reaches the disk first, a line or the chunks that it names.
enum class ArchiveOrder {
  chunks_first,
  lines_first,  // the chunks of another machine's sessions are fetched on demand
};

// What replace_log does with bytes in a pack that belong to no chunk, when a chunk that a line names is in no
// pack. The missing chunk may be among these bytes.
enum class LooseBytes {
  stays,  // the whole pack is kept
  goes,   // the bytes are removed, so nothing forgotten is left in them
};

struct Rewritten {
  std::uint64_t packs = 0;       // removed packs
  std::uint64_t bytes_gone = 0;  // total size of the removed packs
  std::uint64_t bytes_kept = 0;  // bytes copied from the removed packs to new ones
  std::vector<Finding> findings = {};
};

// Writes one JSON object that tells people what a run did. Nothing depends on it, but what an earlier run wrote does
// not stay.
void note_run(const Context& context, Root& root, std::string_view json);

// Where the packs end.
struct PackEnd {
  std::uint32_t pack = 0;
  std::uint64_t end = 0;
};

// What a writer had added, to go back to.
struct WriterMark {
  PackEnd end = {};
  std::uint64_t captures = 0, written = 0, healed = 0;
  std::set<std::string> damaged = {};
};

class ArchiveWriter {
 public:
  // Creates the archive if there is none. Fails with busy while another process or thread writes to it. `cache` as in
  // CaptureRange.
  static Result<std::unique_ptr<ArchiveWriter>> open(const Context& context, FileSystem& file_system,
                                                     const std::string& path,
                                                     ArchiveOrder order = ArchiveOrder::chunks_first,
                                                     const std::string& cache = {});
  ~ArchiveWriter();  // drops captures that were not committed
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  const std::string& path() const { return root_->path(); }
  const CaptureState& state() const { return state_; }
  Packs& packs() { return packs_; }
  // Whether there was a log when the archive was opened.
  bool had_log() const { return had_log_; }
  // What opening the archive repaired.
  const std::vector<Finding>& findings() const { return findings_; }

  // Writes a chunk of at most kMaxChunk bytes, unless it is already stored. Returns its name.
  Result<std::string> add_chunk(const Context& context, std::string_view plain);
  // Adds a capture and fills in its number, device and base. It becomes durable with the next commit() at the latest.
  Result<void> add(const Context& context, Capture capture);
  // When this returns, all captures added so far are durable (power).
  Result<void> commit(const Context& context);
  Result<void> close(const Context& context);

  // The log line of a capture, with number and base as given. A list of files that is too long goes into chunks.
  Result<std::string> line_of(const Context& context, const Capture& capture);
  // Replaces the log with `lines` and drops every chunk that is not in `needed`. Needed chunks in a pack that
  // goes are copied to a new pack first; a chunk that cannot be read is copied as it is. If a crash
  // interrupts this, the next writer finishes it. Fails with disk_full before anything is copied if there is too
  // little space. Nothing can be added afterwards.
  Result<Rewritten> replace_log(const Context& context, const std::vector<std::string>& lines,
                                const std::unordered_set<std::string>& needed, LooseBytes strange = LooseBytes::stays);

  // Whether packs have anything but these chunks: other chunks, or what a crash left.
  Result<bool> has_loose_bytes(const std::unordered_set<std::string>& needed) const;

  PackEnd pack_end() const;
  // After a rewrite that ran out of space or was stopped: removes everything that it added to the packs since, unless
  // the log may name it already. Nothing can be added afterwards.
  void give_back(const PackEnd& since, const Error& error);

  WriterMark mark() const { return {pack_end(), state_.last_number, written_, healed_, damaged_}; }
  // After a chunk did not fit on the disk: removes everything that was added to the packs since, so that smaller
  // sessions may fit. Fails if a capture was added since, or if the writer cannot go on.
  Result<void> go_back(const WriterMark& mark);

  // Sessions that are never captured again, even if their agents still have them.
  const std::set<CaptureKey>& forgotten() const { return forgotten_.sessions; }
  // Lines that are never captured again, as salted hashes.
  const ForgottenLines& forgotten_lines() const { return forgotten_.lines; }
  const Forgotten& all_forgotten() const { return forgotten_; }
  // Whether Holdfast before 0.3 wrote the log, and it does not repeat what is forgotten. replace_log() adds that.
  bool log_never_had_list() const { return log_never_had_list_; }
  // Durable before any of it is removed. All of it stays unfinished until note_forgetting_done().
  Result<void> note_forgotten(const Context& context, const std::set<CaptureKey>& sessions,
                              const std::unordered_set<std::string>& lines = {});
  Result<void> note_forgetting_done(const Context& context);
  // Whether the version needs a chunk that is known to be damaged or missing. Such a file is captured anew, and
  // add_chunk writes the damaged chunks again.
  bool is_damaged(const FileVersion& version) const;
  // The chunks that are known to be damaged or missing, and were not written again.
  const std::set<std::string>& damaged() const { return damaged_; }
  std::uint64_t healed() const { return healed_; }
  // The number of the last capture when healing exactly these chunks from other versions was tried in vain; 0: never.
  std::uint64_t healing_tried() const { return healing_tried_; }
  void note_healing_tried(std::uint64_t captures) { healing_tried_ = captures; }
  // Records which of the known damaged chunks are still damaged. Must be called once everything else is durable.
  Result<void> note_damage(const Context& context);
  Root& root() { return *root_; }
  std::uint64_t bytes_written() const { return written_; }

 private:
  ArchiveWriter(std::shared_ptr<Root> root, std::unique_ptr<File> lock, Packs packs, ArchiveOrder order)
      : order_(order), lock_(std::move(lock)), root_(std::move(root)), packs_(std::move(packs)) {}
  Result<void> prepare(const Context& context, const std::string& cache);
  Result<void> mend_last_pack(const Context& context);
  std::uint64_t named_end(std::uint32_t pack) const;
  Result<void> find_damaged();
  Result<void> find_forgotten(const Context& context);
  Result<void> begin_pack();
  Result<Rewritten> rewrite(const Context& context, const std::vector<std::string>& lines,
                            const std::unordered_set<std::string>& needed, LooseBytes strange);
  // By pack: the size of these chunks; the size of each pack that has other bytes, or none.
  std::map<std::uint32_t, std::uint64_t> bytes_of(const std::unordered_set<std::string>& chunks) const;
  Result<std::map<std::uint32_t, std::uint64_t>> loose_packs(const std::map<std::uint32_t, std::uint64_t>& used) const;
  // Adds the chunks that lines may have named that are missing by now. Returns the packs to leave as they are.
  Result<std::set<std::uint32_t>> keep_what_lost_lines_named(const Context& context,
                                                             std::unordered_set<std::string>& needed) const;
  Result<std::uint64_t> copy_needed(const Context& context, std::uint32_t pack,
                                    const std::unordered_set<std::string>& needed, std::vector<Finding>& findings);
  Result<std::string> bytes_to_copy(std::uint32_t pack, const std::string& name, std::vector<Finding>& findings);
  Result<void> sync_pack();
  void abandon();
  Result<void> write(std::string_view bytes);
  void write_index(const Context& context, std::uint32_t pack) const;

  const ArchiveOrder order_;
  std::unique_ptr<File> lock_;
  std::shared_ptr<Root> root_;
  Packs packs_;
  CaptureState state_;
  std::vector<Finding> findings_;
  std::string device_;
  std::unique_ptr<AppendLog> log_;
  std::unique_ptr<File> pack_;  // the last pack; nullptr until something is written
  std::uint32_t number_ = 0;    // number of pack_, or of the one before the next
  bool unused_ = false;         // nobody has written to pack_ yet
  std::uint64_t end_ = 0;
  std::uint64_t synced_ = 0;
  std::uint64_t written_ = 0;
  std::string added_ = {};  // lines for the index of what was added to pack_
  std::uint64_t added_from_ = 0;
  bool broken_ = false;    // a write or sync failed, or the log was replaced; nothing more can be written
  bool replaced_ = false;  // the log was replaced, or may have been
  std::vector<std::string> lines_;
  Forgotten forgotten_;
  bool log_never_had_list_ = false;
  std::set<std::string> damaged_;
  bool had_log_ = false;
  bool was_damaged_ = false;  // damage is known, or was when the archive was opened
  std::uint64_t healed_ = 0, healing_tried_ = 0;
};

}  // namespace holdfast::inline v1
