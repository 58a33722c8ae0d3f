// Decides on raw bytes which lines of a JSON log may contain a literal in one of their
// strings: reports every line that does, and few that do not. A writer may spell any
// character as \uXXXX, at any depth of strings inside strings, and some as a backslash
// and a letter (decision 33).
// Thread-safety: constant once made.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "find/anchor.h"

namespace holdfast::inline v1 {

class Sieve;

// Several literals; one of them must occur.
class Sieves {
 public:
  Sieves() = default;
  // Returns nullopt if there are none, or if raw bytes cannot rule out one of them.
  static std::optional<Sieves> of(const std::vector<std::string>& literals, bool match_case);

  // Combines all of them; nullopt if one is missing.
  static std::optional<Sieves> all_of(const std::vector<std::optional<Sieves>>& each);

  bool stand_in(std::string_view bytes) const;

 private:
  friend class SieveScan;
  std::vector<Sieve> all_;
};

// Scans bytes once, whatever the number of literals.
class SieveScan {
 public:
  SieveScan(const Sieves& sieves, std::string_view bytes);
  // Returns the first position at or after `from` where one of them may occur; npos if none. `from` must not decrease.
  std::size_t next(std::size_t from);

 private:
  const std::vector<Sieve>& all_;
  std::string_view bytes_;
  std::vector<std::size_t> found_;
};

class Sieve {
 public:
  // `literal` is folded unless `match_case`. Returns nullopt if raw bytes cannot rule it out.
  static std::optional<Sieve> of(std::string_view literal, bool match_case);

  // Returns the first position at or after `from` where the literal may occur; npos if none.
  std::size_t next(std::string_view bytes, std::size_t from) const;

 private:
  explicit Sieve(Anchor anchor);
  bool escape_may_match(std::string_view bytes, std::size_t escape) const;

  Anchor anchor_;
  std::u32string letters_;  // the characters of the anchor, folded
  std::vector<BytePair> pairs_;
};

}  // namespace holdfast::inline v1
