// Text for a model, bounded in size. Whatever is left out is counted, where it is left out. Thread-safety: any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// Parts of a text, of which some may be abridged. It is cut only here, so that a cut after an abridged part still
// counts what that part left out.
class QuotedText {
 public:
  QuotedText() = default;
  explicit QuotedText(std::string_view text) { add(text); }

  void add(std::string_view text) { add(text, text.size()); }
  // At most the first `most` bytes of it, with a note of how many are missing.
  void add(std::string_view text, std::size_t most);

  bool empty() const { return parts_.empty(); }
  std::string text() const;
  // The text, or its first bytes and a note of all that is missing from there on.
  std::string cut(std::size_t most) const;
  // The same, so that it takes at most `most` bytes as a JSON string, including the note; or only the note.
  std::string fitted(std::size_t most) const;

 private:
  struct Part {
    std::string shown;
    std::size_t hidden = 0;  // bytes left out after it
  };

  std::vector<Part> parts_;  // none is empty
};

// At most `most` bytes, not cut inside a character, with a note of what is missing.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace holdfast::inline v1
