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
  TrigramSet() : seen_(std::size_t{1} << 18) {}  // a bit for each of 2^24: 2 MiB

  // All of the text's, folded; none across two texts.
  void add(std::string_view text);
  std::size_t size() const { return all_.size(); }
  // Each once; the set is empty then.
  std::vector<std::uint32_t> take();

 private:
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint32_t> all_;
};

// Of a text that is folded already; each once.
std::vector<std::uint32_t> trigrams_of(std::string_view folded);

}  // namespace holdfast::inline v1
