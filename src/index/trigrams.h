// The trigrams of folded text: all runs of three bytes. A text can only contain
// a string of three or more bytes if it contains all trigrams of that string.
// Thread-safety: one thread per object.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class TrigramSet {
 public:
  TrigramSet() : ascii_(std::size_t{1} << 15) {}  // 256 KiB

  // Adds all trigrams of the folded text; none spans two texts.
  void add(std::string_view text);
  // Returns each trigram once, and empties the set.
  std::vector<std::uint32_t> take();

 private:
  std::size_t add_ascii(std::string_view text, std::size_t from);
  std::size_t add_others(std::string_view text, std::size_t from);
  void note(std::uint32_t gram);

  std::vector<std::uint64_t> ascii_;  // a bit for each of 2^21: seven bits per byte
  std::vector<std::uint64_t> seen_;   // a bit for each of 2^24, allocated when a text needs it: 2 MiB
  std::vector<std::uint32_t> others_;
};

// `folded` must be folded already; returns each trigram once.
std::vector<std::uint32_t> trigrams_of(std::string_view folded);

}  // namespace holdfast::inline v1
