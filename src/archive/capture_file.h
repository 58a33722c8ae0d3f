// One file into chunks: as little of it as is new, and nothing that it never was.
// Thread-safety: as the writer's.
#pragma once

#include <memory>
#include <optional>

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

// Whether a file that was captured so at that time can have changed since without its times telling it (decision 34).
bool is_same_file(const FileVersion& version, const FileStat& now, std::int64_t captured_ns);

// Bytes as they come, into blocks of a version, behind those that it has. Forgotten lines stay out, and the version
// says so.
class BlockMaker {
 public:
  BlockMaker(const Context& context, ArchiveWriter& writer, FileVersion& version)
      : context_(context), writer_(writer), version_(version), seen_(version.agents_size()) {}
  Result<void> add(std::string_view bytes);
  Result<void> end();  // what is left is the tail

 private:
  Result<void> take(std::string_view block);
  Result<void> cut(std::string_view bytes);
  Result<void> end_line();

  const Context& context_;
  ArchiveWriter& writer_;
  FileVersion& version_;
  std::string left_;
  std::string line_;       // that is not at its end
  bool too_long_ = false;  // it is too long to be a forgotten one
  bool dropped_ = false;
  std::uint64_t seen_;
};

// Whether rows that were spelled out of a damaged database say nothing that `shown` does not say.
Result<bool> only_lost_rows(ArchiveWriter& writer, const FileVersion& now, const FileVersion* shown);

// What it is now. `before`: as it was captured last, and `shown`: what is shown of it, or nullptr. nullopt: there is no
// such file (any more). unsafe_path when it is no plain file: links are not followed. busy when it never stood still
// long enough.
Result<std::optional<FileVersion>> capture_file(const Context& context, ArchiveWriter& writer, Directory& directory,
                                                const std::string& path, const FileVersion* before,
                                                const FileVersion* shown);

// The same of a file that is open, whatever its name leads to by now; one attempt. nullopt: it changed meanwhile.
Result<std::optional<FileVersion>> capture_open_file(const Context& context, ArchiveWriter& writer, File& file,
                                                     const std::string& path, const FileVersion* before,
                                                     const FileVersion* shown);

}  // namespace holdfast::inline v1
