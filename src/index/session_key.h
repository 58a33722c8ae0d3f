// Identifies a session in derived files: hashes of its place, its id, and what its
// layout knows about it from elsewhere (the hint), which its entry was made from
// too. Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <string>

#include "base/hash.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

struct SessionKey {
  std::uint64_t hash = 0;
  std::uint64_t check = 0;  // a second hash: together they identify one session

  bool operator==(const SessionKey&) const = default;
  static SessionKey of(const SessionRef& ref) {
    std::string text;
    text.append(ref.place.root).append("\n").append(ref.place.path).append("\n");
    text.append(ref.id).append("\n").append(ref.hint);
    return {xxh3_64(text), xxh3_64(text, kCheckSeed)};
  }

 private:
  static constexpr std::uint64_t kCheckSeed = 0x686f6c6466617374;
};

}  // namespace holdfast::inline v1
