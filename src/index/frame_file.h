// A derived file of checksummed frames that only grows (docs/formats/index.md).
// A later frame of the same key stands for an earlier one. Nothing here is ever
// an error: what cannot be read is not there, what cannot be written is not kept.
// Any number of processes may add to one file. Thread-safety: one thread.
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
  // `cache`: an absolute directory, made when something is written; empty: no file
  // at all. A file that does not begin with `head` is of somebody else, and empty.
  FrameFile(FileSystem& file_system, std::string cache, std::string name, std::string head);

  // All frames up to the first that is not whole, in file order; views of bytes().
  std::vector<Frame> load();
  // What was loaded; never changed.
  const std::shared_ptr<const std::string>& bytes() const { return bytes_; }
  // The file has to be written anew before anything can be added.
  bool broken() const { return broken_; }
  std::uint64_t size() const { return bytes_->size(); }

  void add(std::span<const Frame> frames);
  void rewrite(std::span<const Frame> frames);

 private:
  FileSystem& file_system_;
  std::string cache_, name_, head_;
  std::shared_ptr<const std::string> bytes_ = std::make_shared<const std::string>();
  bool broken_ = true;  // there is none yet
};

}  // namespace holdfast::inline v1
