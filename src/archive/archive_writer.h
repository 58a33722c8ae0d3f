// Writes to an archive: chunks into the last pack, captures into the log, in that
// order of durability: a line is appended only once all that it names is synced.
// One writer at a time, across processes. Lifetime: the FileSystem outlives it.
// Thread-safety: one thread an object.
//
// Crash-safety: what a crash leaves is chunks that no line names, and half a chunk at
// the end of the last pack, which the next writer copies aside and cuts.
#pragma once

#include <holdfast/append_log.h>

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

// This machine, to archives: the same for all who use it, and of no use elsewhere.
std::string machine_id(FileSystem& file_system);

// Which is on the medium first, a line or the chunks that it names.
enum class ArchiveOrder {
  chunks_first,
  lines_first,  // chunks of another machine's sessions come when somebody wants them
};

// What becomes of bytes in a pack that are of no chunk when a chunk that a line names is in no pack: it may be among
// them.
enum class Strange {
  stays,  // the pack is kept whole
  goes,   // so that nothing that is forgotten is left in them
};

struct Rewritten {
  std::uint64_t packs = 0;       // that went
  std::uint64_t bytes_gone = 0;  // of them
  std::uint64_t bytes_kept = 0;  // that were copied out of them
  std::vector<Finding> findings = {};
};

class ArchiveWriter {
 public:
  // Makes the archive when there is none. busy while another process or thread writes to it.
  static Result<std::unique_ptr<ArchiveWriter>> open(const Context& context, FileSystem& file_system,
                                                     const std::string& path,
                                                     ArchiveOrder order = ArchiveOrder::chunks_first);
  ~ArchiveWriter();  // what was not committed is not captured
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  const std::string& path() const { return root_->path(); }
  const CaptureState& state() const { return state_; }
  Packs& packs() { return packs_; }
  // What it mended.
  const std::vector<Finding>& findings() const { return findings_; }

  // Its name. Known bytes are not written again. At most kMaxChunk.
  Result<std::string> add_chunk(const Context& context, std::string_view plain);
  // Number, device and base are filled in. Durable with the next commit, or before.
  Result<void> add(const Context& context, Capture capture);
  // All captures that were added are durable (power) when this returns.
  Result<void> commit(const Context& context);
  Result<void> close(const Context& context);

  // The line of a capture as it stands, with its number and base; a list of files that is too long goes into chunks.
  Result<std::string> line_of(const Context& context, const Capture& capture);
  // Makes these lines the log, and lets go of every chunk that is not among `needed`: what is needed of a pack with
  // others in it is copied first, as it is if it cannot be read. What a crash leaves of it, the next writer finishes.
  // Nothing can be added afterwards.
  Result<Rewritten> replace_log(const Context& context, const std::vector<std::string>& lines,
                                const std::unordered_set<std::string>& needed, Strange strange = Strange::stays);

  // Sessions that are never captured again, whatever their agents still have.
  const std::set<CaptureKey>& forgotten() const { return forgotten_.sessions; }
  // Lines that are not, hashed with that salt.
  const ForgottenLines& forgotten_lines() const { return forgotten_.lines; }
  // Durable before anything of it goes; lines are pending until note_lines_gone().
  Result<void> note_forgotten(const Context& context, const std::set<CaptureKey>& sessions,
                              const std::unordered_set<std::string>& lines = {});
  Result<void> note_lines_gone(const Context& context);
  // Chunks that are known to be damaged: add_chunk writes them again. Files with one of them are captured anew.
  bool is_damaged(const FileVersion& version) const;
  std::uint64_t healed() const { return healed_; }
  // Durable once the rest is: of those that were known, the ones that are still damaged.
  Result<void> note_damage(const Context& context);
  Root& root() { return *root_; }
  // What this run did, for people; one JSON object. Nothing rests on it.
  void note_run(const Context& context, std::string_view json) const;

  std::uint64_t bytes_written() const { return written_; }

 private:
  ArchiveWriter(std::shared_ptr<Root> root, std::unique_ptr<File> lock, Packs packs, ArchiveOrder order)
      : order_(order), lock_(std::move(lock)), root_(std::move(root)), packs_(std::move(packs)) {}
  Result<void> prepare(const Context& context);
  Result<void> mend_last_pack(const Context& context);
  void find_damaged();
  Result<void> begin_pack();
  Result<std::uint64_t> copy_needed(const Context& context, std::uint32_t pack,
                                    const std::unordered_set<std::string>& needed, std::vector<Finding>& findings);
  Result<std::string> bytes_to_copy(std::uint32_t pack, const std::string& name, std::vector<Finding>& findings);
  Result<void> sync_pack();
  void abandon();
  Result<void> write(std::string_view bytes);
  void write_index(const Context& context) const;

  const ArchiveOrder order_;
  std::unique_ptr<File> lock_;
  std::shared_ptr<Root> root_;
  Packs packs_;
  CaptureState state_;
  std::vector<Finding> findings_;
  std::string device_;
  std::unique_ptr<AppendLog> log_;
  std::unique_ptr<File> pack_;  // the last one; nullptr until something is written
  std::uint32_t number_ = 0;    // of it
  bool unused_ = false;         // nobody has written to it yet
  std::uint64_t end_ = 0;
  std::uint64_t synced_ = 0;
  std::uint64_t written_ = 0;
  bool broken_ = false;  // nothing more can be promised
  std::vector<std::string> lines_;
  Forgotten forgotten_;
  std::set<std::string> damaged_;
  bool was_damaged_ = false;  // there is a list of them
  std::uint64_t healed_ = 0;
};

}  // namespace holdfast::inline v1
