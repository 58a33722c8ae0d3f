// Reads an archive: folds the log of captures into the state of each session, and finds
// the bytes in the packs. Reading takes no lock and changes nothing. Damage becomes a
// finding and does not hide anything else. Format: docs/formats/archive.md.
// Lifetime: the FileSystem must outlive the object. Thread-safety: one thread per object.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/capture.h"
#include "archive/packs.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kCaptureLog = "log.jsonl";
inline constexpr std::string_view kArchiveFormat = "FORMAT";
inline constexpr std::string_view kArchiveSide = ".side";
inline constexpr std::string_view kRestoredFolder = "restored";  // files for agents that import sessions with a command

// The log, folded.
struct CaptureState {
  std::map<CaptureKey, CapturedSession> sessions = {};
  std::uint64_t captures = 0;
  std::uint64_t last_number = 0;
  std::string first_at = {}, last_at = {};
  // By pack: the last chunk in it that a line names, and where it ends.
  struct LastNamed {
    std::uint64_t end = 0;
    std::string name = {};
  };
  std::map<std::uint32_t, LastNamed> named_until = {};
  std::uint64_t log_end = 0;     // the end of the last complete line
  std::uint64_t unfinished = 0;  // bytes after it
  std::vector<Finding> findings = {};
};

// Fails with not_found if there is no archive, newer_schema if a newer Holdfast made it, corrupt if FORMAT is missing
// from an archive; the error then says how to mend it.
Result<void> check_archive_format(Directory& directory);
class RememberedCaptures;  // archive/remembered_captures.h
// Which captures to load, and a callback for each capture after it has been folded.
struct CaptureRange {
  std::string until = {};  // ISO-8601 in UTC with milliseconds; later captures are skipped; empty: no limit
  std::function<void(const Capture& capture, const CapturedSession& folded)> seen = {};
  // The cache directory. If there is one, and neither of the above, the state of an unchanged log is remembered there.
  std::string cache = {};
  // Sessions whose names do not contain this may be missing.
  std::string containing = {};
};
Result<CaptureState> load_captures(const Context& context, Directory& directory, Packs& packs,
                                   const CaptureRange& range = {}, RememberedCaptures* memory = nullptr);
// Passes the bytes of a version to `take`, in order, block by block. Each block is verified first.
Result<void> read_version(Packs& packs, const FileVersion& version,
                          const std::function<Result<void>(std::string_view)>& take);

using CapturedPair = std::pair<const CaptureKey, CapturedSession>;
// Finds a session in all stores by its id, by a unique prefix of its id, or by LAYOUT/ID. Fails with not_found; if
// several match, the error names them. If `place` (where a session belongs now) is given and returns the same place for
// several captures of one id, the latest counts.
using PlaceOf = std::function<std::string(const CaptureKey& key)>;
Result<const CapturedPair*> find_captured(const CaptureState& state, std::string_view id, const PlaceOf& place = {});

class Archive {
 public:
  static Result<std::unique_ptr<Archive>> open(const Context& context, FileSystem& file_system, const std::string& path,
                                               const CaptureRange& range = {});

  // Reads the bytes of the archive at `path` for the sessions of another archive's `state`.
  static Result<std::unique_ptr<Archive>> open_as(const Context& context, FileSystem& file_system,
                                                  const std::string& path, CaptureState state);

  const CaptureState& state() const { return state_; }
  Packs& packs() { return packs_; }
  Directory& directory() { return *directory_; }

  Result<const CapturedPair*> find(std::string_view id, const PlaceOf& place = {}) const {
    return find_captured(state_, id, place);
  }

 private:
  Archive(std::unique_ptr<Directory> directory, Packs packs, CaptureState state)
      : directory_(std::move(directory)), packs_(std::move(packs)), state_(std::move(state)) {}

  std::unique_ptr<Directory> directory_;
  Packs packs_;
  CaptureState state_;
};

}  // namespace holdfast::inline v1
