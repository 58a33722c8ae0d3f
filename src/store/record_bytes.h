// Copies of records that stay where they are while more are added. Thread-safety: one owner.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class RecordBytes {
 public:
  std::string_view add(std::string_view record) {
    if (record.size() > left_) {
      left_ = std::max(kChunk, record.size());
      next_ = chunks_.emplace_back(std::make_unique_for_overwrite<char[]>(left_)).get();
    }
    std::memcpy(next_, record.data(), record.size());
    const std::string_view copy(next_, record.size());
    next_ += record.size();
    left_ -= record.size();
    size_ += record.size();
    return copy;
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kChunk = std::size_t{64} << 10;

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  std::size_t left_ = 0, size_ = 0;
};

}  // namespace holdfast::inline v1
