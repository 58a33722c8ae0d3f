// The trigrams of folded text: all runs of three bytes. Whoever looks for three
// bytes or more in a text looks for trigrams that are among them.
// Thread-safety: one thread an object.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class TrigramSet {
 public:
  TrigramSet() : ascii_(std::size_t{1} << 15) {}  // 256 KiB

  // All of the text's, folded; none across two texts.
  void add(std::string_view text);
  // Each once; the set is empty then.
  std::vector<std::uint32_t> take();

 private:
  std::size_t add_ascii(std::string_view text, std::size_t from);
  std::size_t add_others(std::string_view text, std::size_t from);
  void note(std::uint32_t gram);

  std::vector<std::uint64_t> ascii_;  // a bit for each of 2^21: seven bits a byte
  std::vector<std::uint64_t> seen_;   // a bit for each of 2^24, once a text needs one: 2 MiB
  std::vector<std::uint32_t> others_;
};

// Of a text that is folded already; each once.
std::vector<std::uint32_t> trigrams_of(std::string_view folded);

}  // namespace holdfast::inline v1
