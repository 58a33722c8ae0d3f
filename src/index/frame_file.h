// A derived file of checksummed frames that only grows (docs/formats/index.md). A later frame
// replaces an earlier one with the same key. Nothing here is ever an error: what cannot be read
// does not exist, what cannot be written is dropped. Any number of processes may add to one file.
// Thread-safety: one thread.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct Frame {
  std::uint64_t key = 0;
  std::string_view payload = {};
};

class FrameFile {
 public:
  // `cache` is an absolute directory, created on the first write; if empty, there is no file
  // at all. A file that does not begin with `head` is not ours and is treated as empty.
  FrameFile(FileSystem& file_system, std::string cache, std::string name, std::string head);

  // Returns all frames up to the first damaged one, in file order; views of bytes().
  std::vector<Frame> load();
  // What was loaded; never changes.
  const std::shared_ptr<const std::string>& bytes() const { return bytes_; }
  // True if the file must be rewritten before anything can be added.
  bool broken() const { return broken_; }
  std::uint64_t size() const { return bytes_->size(); }

  void add(std::span<const Frame> frames);
  void rewrite(std::span<const Frame> frames);

 private:
  FileSystem& file_system_;
  std::string cache_, name_, head_;
  std::shared_ptr<const std::string> bytes_ = std::make_shared<const std::string>();
  bool broken_ = true;  // no file yet
};

}  // namespace holdfast::inline v1
