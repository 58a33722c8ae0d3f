// Which lines of a log of JSON can hold a literal in one of their strings, decided
// on raw bytes: every line that does is told, and few that do not. A writer may
// spell any character as \uXXXX, at any depth of strings inside strings, and some
// as a backslash and a letter (decision 33).
// Thread-safety: constant once made.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "find/anchor.h"

namespace holdfast::inline v1 {

class Sieve;

// One of several literals: what `next` says of any of them.
class Sieves {
 public:
  Sieves() = default;
  // nullopt when there is none, or raw bytes cannot tell of one of them.
  static std::optional<Sieves> of(const std::vector<std::string>& literals, bool match_case);

  // All of them as one; nullopt when one is missing.
  static std::optional<Sieves> all_of(const std::vector<std::optional<Sieves>>& each);

  bool stand_in(std::string_view bytes) const;

 private:
  friend class SieveScan;
  std::vector<Sieve> all_;
};

// Goes over bytes once, whatever the number of literals.
class SieveScan {
 public:
  SieveScan(const Sieves& sieves, std::string_view bytes);
  // Where at or after `from`, which never falls, one of them may stand; npos: nowhere.
  std::size_t next(std::size_t from);

 private:
  const std::vector<Sieve>& all_;
  std::string_view bytes_;
  std::vector<std::size_t> found_;
};

class Sieve {
 public:
  // `literal`: folded unless `match_case`. nullopt when raw bytes cannot tell.
  static std::optional<Sieve> of(std::string_view literal, bool match_case);

  // Where at or after `from` something stands that may be the literal; npos: nowhere.
  std::size_t next(std::string_view bytes, std::size_t from) const;

 private:
  explicit Sieve(Anchor anchor);
  bool may_be_one(std::string_view bytes, std::size_t escape) const;

  Anchor anchor_;
  std::u32string letters_;  // of the anchor, folded
  std::vector<BytePair> pairs_;
};

}  // namespace holdfast::inline v1
