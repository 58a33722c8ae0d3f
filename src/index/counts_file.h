// What statistics, and continuing to read a log, need for each session, kept apart from
// what lists need: a file of the cache to which pieces are only appended, and from which
// they are read back one by one at the place that the index names (docs/formats/index.md).
// Nothing here is an error: a piece that cannot be read back does not exist.
// Thread-safety: `get` from any thread, also while one thread adds; everything else from
// one thread, exclusively.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// What the counts belong to: a session (its key in the index), and its log up to
// a position (SessionEntry).
struct CountsName {
  std::uint64_t key = 0;
  std::uint64_t generation = 0;
  std::uint64_t position = 0;
};

struct CountsSpot {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // 0 if there are none
};

struct SessionCounts {
  std::string_view state = {};  // state of the layout (Events::rest)
  std::string_view tally = {};  // Tally::pack
};

std::string pack_counts(const CountsName& name, const SessionCounts& counts);
// Views of `piece`; nullopt unless the piece is whole and has this name.
std::optional<SessionCounts> unpack_counts(const CountsName& name, std::string_view piece);

class CountsFile {
 public:
  // `cache` and `name` as in FrameFile.
  CountsFile(FileSystem& file_system, std::string cache, std::string name);

  // Returns views of `buffer`, whose memory is reused.
  std::optional<SessionCounts> get(const CountsName& name, const CountsSpot& spot, std::string& buffer) const;
  // Returns where in the file the pieces begin; nullopt if they are not all
  // there. They can be read after reopen_file().
  std::optional<std::uint64_t> add(std::string_view pieces);
  void reopen_file();
  std::uint64_t size() const { return size_; }

  // Keeps only these and sets their new places; those that could not be read back get none.
  struct Live {
    CountsName name;
    CountsSpot* spot = nullptr;
  };
  void compact(std::span<const Live> live);

 private:
  FileSystem& file_system_;
  std::string cache_, name_;
  std::unique_ptr<File> file_;
  std::uint64_t size_ = 0;
};

}  // namespace holdfast::inline v1
