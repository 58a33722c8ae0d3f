// Writes one file of a synthetic store, with the ids and times that its lines need. Thread-safety: one owner.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "bench/synthetic_text.h"

namespace holdfast::bench {

class SyntheticFile {
 public:
  // Creates the file; ends the program if that fails.
  SyntheticFile(const std::string& path, std::uint64_t seed, std::chrono::sys_seconds begin);
  ~SyntheticFile();
  SyntheticFile(const SyntheticFile&) = delete;
  SyntheticFile& operator=(const SyntheticFile&) = delete;

  Dice dice;

  SyntheticFile& put(std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) buffer_ += text;
    return *this;
  }
  SyntheticFile& number(std::uint64_t value);
  // Ends the line and advances the time a little.
  void end_line();
  // "2026-11-15T01:06:36.345Z", the time of the current line.
  std::string_view stamp() const { return {stamp_, sizeof stamp_}; }
  std::uint64_t seconds() const { return now_ms_ / 1000; }
  // Advances the time, like people between prompts.
  void pause(std::uint64_t ms);
  std::string uuid();
  std::string name(std::string_view prefix);  // prefix and 24 letters
  std::uint64_t bytes() const { return written_ + buffer_.size(); }

 private:
  void flush();
  void set_stamp();

  std::string path_;
  int fd_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  std::uint64_t now_ms_;
  std::uint64_t day_ = UINT64_MAX;  // the day whose date is in stamp_
  char stamp_[24];
};

}  // namespace holdfast::bench
