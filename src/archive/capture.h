// A capture: the state of one session's files at one moment, as one line of the log.
// It contains only what is new since the previous capture of the same session, its
// base. Format: docs/formats/archive.md. Thread-safety: plain values, pure functions.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/chunk.h"
#include "layout/place.h"

namespace holdfast::inline v1 {

inline constexpr std::size_t kMaxCaptureLine = std::size_t{16} << 10;

struct FileBlock {
  std::string name;
  std::uint32_t size = kBlockBytes;  // smaller only in the tail, after the last whole block

  bool operator==(const FileBlock&) const = default;
};

// One version of a file: whole blocks of kBlockBytes first, then the tail in pieces as they were appended.
struct FileVersion {
  std::uint64_t size = 0;
  std::uint32_t mode = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  std::vector<FileBlock> blocks = {};
  bool worse = false;  // kept, but the previous version is the one to show
  bool gone = false;   // the agent has removed the file since
  // If lines were removed because they are forgotten: the size of the agent's file with them. Otherwise 0.
  std::uint64_t holed = 0;
  // How many lines of an earlier version of a log this one and those between them lack, although it has others. Only
  // the versions tell what they are.
  std::uint64_t lacks = 0;

  std::uint64_t agents_size() const { return holed == 0 ? size : holed; }

  // SHA-256 of the names of the blocks, each followed by a newline.
  std::string hash() const;
  // The number of whole blocks.
  std::size_t sealed() const;
};

struct CaptureKey {
  std::string layout, store, id;
  auto operator<=>(const CaptureKey&) const = default;
};

struct FileChange {
  Place place;
  std::shared_ptr<const FileVersion> version;
  std::size_t keep = 0;  // number of leading blocks shared with the base
  bool moved = false;    // the file is elsewhere in the same session now; there is no version
};

struct Capture {
  std::uint64_t number = 0;
  std::uint64_t base = 0;  // 0: none
  std::string at = {}, device = {};
  std::string first_at = {};  // of the session's first capture, in a line that replaces several
  CaptureKey session = {};
  bool inner = false;
  std::string row = {};     // a JSON object for people: title, project, times
  std::string origin = {};  // a JSON object that says where the capture came from; empty: a store of this machine
  std::vector<FileChange> files = {};
};

using Versions = std::map<Place, std::shared_ptr<const FileVersion>>;

// Everything that the archive knows about a session.
struct CapturedSession {
  std::uint64_t number = 0;  // of its last capture
  std::string at = {}, first_at = {};
  std::string shown_at = {};  // when the shown version was captured; later captures were worse
  std::string device = {};    // the last device that captured the session
  bool inner = false;
  std::string row = {};
  std::string origin = {};  // of its last capture
  Versions last = {};       // the files as last seen
  Versions head = {};       // what is shown and restored

  std::uint64_t bytes() const;
  std::uint64_t lacks() const;  // of all shown files
};

// Writes the files of a capture as an array, which goes into the line or into chunks that the line names.
std::string write_files(const std::vector<FileChange>& files);
// `files` is the result of write_files; if it is in chunks, `chunks` has their names instead.
std::string write_capture(const Capture& capture, std::string_view files, const std::vector<std::string>& chunks);

// Every line of the log ends with a checksum of the rest. `object` is the line without it.
std::string with_checksum(std::string object);
// False if the line has a checksum that is wrong. Lines written before 0.3 have none.
bool has_right_checksum(std::string_view line);

struct CaptureLine {
  Capture capture;                  // without its files
  std::string files;                // the array; empty when it is in chunks
  std::vector<std::string> chunks;  // the chunks that hold the array
};
// `line` is a JSON object, and has been checked to be one.
Result<CaptureLine> read_capture(std::string_view line);
// Applies the array to the files of the base. Fails with corrupt if the line was written against another base.
// `is_checked`: it is part of a text that has passed check_json.
Result<std::vector<FileChange>> read_files(std::string_view array, const Versions& base, bool is_checked = false);

// Whether forgotten lines were removed from it.
bool is_holed(const Capture& capture);
bool is_holed(const CapturedSession& session);
// The row of a session without any text of the conversation.
std::string without_texts(std::string_view row);

void fold(const Capture& capture, CapturedSession& session);

}  // namespace holdfast::inline v1
