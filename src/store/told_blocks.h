// Which blocks of a session were told: each is told once, although messages grow,
// are completed later and sometimes move (a result that first stood beside its call
// becomes a message of its own). Remembers hashes, no texts.
// Thread-safety: one thread an object.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace holdfast::inline v1 {

class ToldBlocks {
 public:
  // What of the message was not told before; from now on it is. Of a text that has
  // grown that is the rest. `key` is what the message is known by.
  std::vector<Block> take(std::uint64_t key, const Message& message);

  // The calls and results in these messages.
  static std::unordered_set<std::uint64_t> tool_blocks(const std::vector<Message>& messages);
  // Whether all that was told of a message is among those.
  bool moved_to(std::uint64_t key, const std::unordered_set<std::uint64_t>& others) const;

 private:
  struct Told {
    BlockKind kind;
    std::uint64_t name;  // of a call or a result; 0: it has none
    std::uint64_t said;
    std::size_t length;  // of its text
  };
  static Told told_of(const Block& block);
  static bool is_empty(const Block& block);

  std::unordered_map<std::uint64_t, std::vector<Told>> messages_;
  std::unordered_set<std::uint64_t> moving_;  // calls and results told in messages without an id
};

}  // namespace holdfast::inline v1
