// Captures one file as chunks: reads as little of it as is new, and never mixes
// bytes of two states. Thread-safety: as the writer's.
#pragma once

#include <memory>
#include <optional>

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

// Whether the times of a file that was captured then would show a later change (decision 34).
bool is_settled(const FileVersion& version, std::int64_t captured_ns);
// Whether the size, inode and times prove that the file has not changed since it was captured.
bool is_same_file(const FileVersion& version, const FileStat& now, std::int64_t captured_ns);

// Cuts bytes into blocks and appends them to a version. Leaves out forgotten lines and records that in the
// version.
class BlockMaker {
 public:
  BlockMaker(const Context& context, ArchiveWriter& writer, FileVersion& version)
      : context_(context), writer_(writer), version_(version), seen_(version.agents_size()) {}
  Result<void> add(std::string_view bytes);
  Result<void> end();  // writes the rest as the tail

 private:
  Result<void> take(std::string_view block);
  Result<void> cut(std::string_view bytes);
  Result<void> end_line();

  const Context& context_;
  ArchiveWriter& writer_;
  FileVersion& version_;
  std::string left_;
  std::string line_;       // the line so far, without its end
  bool too_long_ = false;  // line_ is too long to be a forgotten line
  bool dropped_ = false;
  std::uint64_t seen_;
};

// Whether rows read from a damaged database contain nothing that `shown` does not contain.
Result<bool> only_lost_rows(ArchiveWriter& writer, const FileVersion& now, const FileVersion* shown);

// Compares a log that its agent has compressed with the last version of the log. `whole`: all of it can be unpacked.
// `lacks`: how many lines are not in it. Fails with corrupt or not_found if the archive cannot read `packed`.
struct CompressedLog {
  bool whole = false;
  std::uint64_t lacks = 0;
};
Result<CompressedLog> compare_compressed(ArchiveWriter& writer, const FileVersion& packed, const FileVersion& log);

inline constexpr char kNotPlainFile[] = "not a plain file; links are not followed";

// Captures the current state of a file. `before` is the last captured version, `shown` the one to show, each
// nullptr if none. Returns nullopt if there is no such file (any more). Fails with unsafe_path if it is not a
// plain file (links are not followed), busy if it kept changing.
Result<std::optional<FileVersion>> capture_file(const Context& context, ArchiveWriter& writer, Directory& directory,
                                                const std::string& path, const FileVersion* before,
                                                const FileVersion* shown);

// Captures an open file, whatever its name refers to by now. Tries once; returns nullopt if it changed meanwhile.
Result<std::optional<FileVersion>> capture_open_file(const Context& context, ArchiveWriter& writer, File& file,
                                                     const std::string& path, const FileVersion* before,
                                                     const FileVersion* shown);

}  // namespace holdfast::inline v1
