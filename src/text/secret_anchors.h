// One pass over a text that stops where a secret could begin: looks up four case-folded
// bytes at each position in a small table.
// Thread-safety: constant once built.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class SecretAnchors {
 public:
  static const SecretAnchors& all();

  struct Anchor {
    std::string_view text;
    bool any_case = false;
    std::size_t rule = 0;  // kNamed: a word from the name of a value
  };
  static constexpr std::size_t kNamed = SIZE_MAX;

  // Returns the first position at or after `from` where an anchor may begin; text.size() if there is none.
  std::size_t next(std::string_view text, std::size_t from) const {
    const char* const bytes = text.data();
    if (text.size() < 4) return text.size();
    const std::size_t last = text.size() - 4;
    for (std::size_t at = from; at <= last; ++at) {
      if (slots_[slot(folded(bytes + at))] != 0) return at;
    }
    return text.size();
  }

  // Passes the anchors that match at `at` to `take`, in rule order, until it returns true; returns whether it did.
  template <typename Take>
  bool at(std::string_view text, std::size_t at, const Take& take) const {
    for (std::uint16_t i = slots_[slot(folded(text.data() + at))]; i != 0; i = chains_[i].next) {
      const Anchor& anchor = chains_[i].anchor;
      if (stands(anchor, text, at) && take(anchor)) return true;
    }
    return false;
  }

 private:
  SecretAnchors();
  void add(const Anchor& anchor);
  void add_key(std::string_view four, const Anchor& anchor);
  static bool stands(const Anchor& anchor, std::string_view text, std::size_t at);

  static constexpr unsigned kBits = 14;
  static std::uint32_t folded(const char* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, 4);
    return word | 0x20202020U;
  }
  static std::uint32_t slot(std::uint32_t word) { return (word * 2654435761U) >> (32 - kBits); }

  struct Chain {
    Anchor anchor;
    std::uint16_t next = 0;
  };
  std::deque<std::string> kept_;      // owns the text of composed anchors
  std::vector<std::uint16_t> slots_;  // first index of a chain; 0 if none
  std::vector<Chain> chains_;         // [0] is unused
};

}  // namespace holdfast::inline v1
