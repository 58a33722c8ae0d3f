// The archive as it is read: the log of captures folded into what is known of each
// session, and the packs with the bytes. Reading locks nothing and changes nothing;
// what is damaged is a finding and hides nothing else. docs/formats/archive.md.
// Lifetime: the FileSystem outlives it. Thread-safety: one thread an object.
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
inline constexpr std::string_view kRestoredFolder = "restored";  // files for agents that take sessions in by a command

// What the log says.
struct CaptureState {
  std::map<CaptureKey, CapturedSession> sessions = {};
  std::uint64_t captures = 0;
  std::uint64_t last_number = 0;
  std::string first_at = {}, last_at = {};
  std::map<std::uint32_t, std::uint64_t> named_until = {};  // pack -> end of the last chunk in it that a line names
  std::vector<Finding> findings = {};
};

// not_found: there is no archive. newer_schema: a newer Holdfast made it.
Result<void> check_archive_format(Directory& directory);
// Which captures count, and who is told of each after it was folded.
struct CaptureRange {
  std::string until = {};  // ISO-8601 in UTC with milliseconds: none that is later; empty: all
  std::function<void(const Capture& capture, const CapturedSession& folded)> seen = {};
};
Result<CaptureState> load_captures(const Context& context, Directory& directory, Packs& packs,
                                   const CaptureRange& range = {});
// Its bytes, in order, block by block, each checked.
Result<void> read_version(Packs& packs, const FileVersion& version,
                          const std::function<Result<void>(std::string_view)>& take);

using CapturedPair = std::pair<const CaptureKey, CapturedSession>;
// Of all stores: the session of that id, or the only one that begins so; LAYOUT/ID too. not_found, which names several.
// `place`: where a session belongs now; of those of one id that belong to the same place the one captured last.
using PlaceOf = std::function<std::string(const CaptureKey& key)>;
Result<const CapturedPair*> find_captured(const CaptureState& state, std::string_view id, const PlaceOf& place = {});

class Archive {
 public:
  static Result<std::unique_ptr<Archive>> open(const Context& context, FileSystem& file_system, const std::string& path,
                                               const CaptureRange& range = {});

  // The bytes of the archive at `path`, for sessions as another one knows them.
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
