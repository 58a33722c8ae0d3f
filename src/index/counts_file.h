// What statistics and going on need of each session, apart from what lists need:
// a file of the cache to which pieces are only ever added, read back one by one
// from the place that the index names (docs/formats/index.md). Nothing here is an
// error: a piece that cannot be read back is not there.
// Thread-safety: `get` from any thread, also while one thread adds; the rest one
// thread, while nothing else is.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Whose they are: of a session (its key in the index), of what its log held up to
// a position (SessionEntry).
struct CountsName {
  std::uint64_t key = 0;
  std::uint64_t generation = 0;
  std::uint64_t position = 0;
};

struct CountsSpot {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // 0: nowhere
};

struct SessionCounts {
  std::string_view state = {};  // of the layout (Events::rest)
  std::string_view tally = {};  // Tally::pack
};

std::string pack_counts(const CountsName& name, const SessionCounts& counts);
// Views of `piece`; nullopt unless it is whole, and the one that was meant.
std::optional<SessionCounts> unpack_counts(const CountsName& name, std::string_view piece);

class CountsFile {
 public:
  // `cache` and `name` as FrameFile has them.
  CountsFile(FileSystem& file_system, std::string cache, std::string name);

  // Views of `buffer`, whose memory is used again.
  std::optional<SessionCounts> get(const CountsName& name, const CountsSpot& spot, std::string& buffer) const;
  // Where in the file the pieces begin; nullopt: they are not all there. They are
  // got after the next look.
  std::optional<std::uint64_t> add(std::string_view pieces);
  void look_again();
  std::uint64_t size() const { return size_; }

  // Keeps only these, and tells their new places; those that could not be read back have none.
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
