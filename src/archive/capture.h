// A capture: what one session's files were at one moment, as one line of the log.
// It says only what is new since the capture of the same session before it, its
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
  std::uint32_t size = kBlockBytes;  // less only behind the last whole block: the tail

  bool operator==(const FileBlock&) const = default;
};

// A file as it was. Whole blocks of kBlockBytes come first, then the tail in pieces as they were appended.
struct FileVersion {
  std::uint64_t size = 0;
  std::uint32_t mode = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  std::vector<FileBlock> blocks = {};
  bool worse = false;  // kept, but the version before it is the one to show
  bool gone = false;   // its agent has removed it since
  // Lines of it are forgotten: how long the agent's file was with them. 0: it is whole.
  std::uint64_t holed = 0;

  std::uint64_t agents_size() const { return holed == 0 ? size : holed; }

  // SHA-256 of the names of its blocks, each with a newline.
  std::string hash() const;
  // How many blocks are whole ones.
  std::size_t sealed() const;
};

struct CaptureKey {
  std::string layout, store, id;
  auto operator<=>(const CaptureKey&) const = default;
};

struct FileChange {
  Place place;
  std::shared_ptr<const FileVersion> version;
  std::size_t keep = 0;  // blocks that are those of the base
  bool moved = false;    // lies elsewhere in the same session by now: no version at all
};

struct Capture {
  std::uint64_t number = 0;
  std::uint64_t base = 0;  // 0: none
  std::string at = {}, device = {};
  std::string first_at = {};  // of the first capture of the session, in a line that stands for several
  CaptureKey session = {};
  bool inner = false;
  std::string row = {};     // a JSON object for people: title, project, times
  std::string origin = {};  // a JSON object that says where it came from; empty: from a store of this machine
  std::vector<FileChange> files = {};
};

using Versions = std::map<Place, std::shared_ptr<const FileVersion>>;

// All of a session that the archive knows.
struct CapturedSession {
  std::uint64_t number = 0;  // of its last capture
  std::string at = {}, first_at = {};
  std::string shown_at = {};  // when what is shown was captured; later captures were worse
  std::string device = {};    // that captured it last
  bool inner = false;
  std::string row = {};
  std::string origin = {};  // of its last capture
  Versions last = {};       // as its files were seen last
  Versions head = {};       // what is shown and restored

  std::uint64_t bytes() const;
};

// The files of a capture: an array that stands in the line, or in chunks that the line names.
std::string write_files(const std::vector<FileChange>& files);
// `files`: what write_files said, or the names of the chunks that hold it.
std::string write_capture(const Capture& capture, std::string_view files, const std::vector<std::string>& chunks);

struct CaptureLine {
  Capture capture;                  // without files
  std::string files;                // the array; empty when it is in chunks
  std::vector<std::string> chunks;  // that hold it
};
Result<CaptureLine> read_capture(std::string_view line);
// Onto what the base left; corrupt when it is not what the line was written against.
Result<std::vector<FileChange>> read_files(std::string_view array, const Versions& base);

// Whether lines of it are forgotten.
bool is_holed(const Capture& capture);
bool is_holed(const CapturedSession& session);
// The row of a session without what was said in it.
std::string without_texts(std::string_view row);

void fold(const Capture& capture, CapturedSession& session);

}  // namespace holdfast::inline v1
