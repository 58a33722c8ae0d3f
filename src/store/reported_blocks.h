// Tracks which blocks of a session were reported. Each is reported once, although
// messages grow, are completed later and sometimes move (a result that was first
// beside its call becomes a message of its own). Keeps hashes, no texts.
// Thread-safety: one thread per object.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace holdfast::inline v1 {

class ReportedBlocks {
 public:
  // Returns the blocks of the message that were not reported before, and marks them as
  // reported. Of a text that has grown, returns the rest. `key` identifies the message.
  std::vector<Block> take(std::uint64_t key, const Message& message);

  // Hashes of the calls and results in these messages.
  static std::unordered_set<std::uint64_t> tool_blocks(const std::vector<Message>& messages);
  // True if everything that was reported of a message is among `others`.
  bool moved_to(std::uint64_t key, const std::unordered_set<std::uint64_t>& others) const;
  // True if a message with that key was taken.
  bool knows(std::uint64_t key) const { return messages_.contains(key); }
  // True if something was reported under `key`, and all of it is in the message, perhaps with more after it.
  bool is_continued(std::uint64_t key, const Message& message) const;
  // From now on, `to` identifies the message that `from` identified.
  void rename(std::uint64_t from, std::uint64_t to);

 private:
  struct Told {
    BlockKind kind;
    std::uint64_t name;  // of a call or a result; 0 if it has none
    std::uint64_t said;
    std::size_t length;  // of its text
  };
  static Told told_of(const Block& block);
  // True if the block `now`, with this text, is the one that was told, or has its text and more.
  static bool is_same(const Told& told, const Told& now, std::string_view text);
  static bool is_empty(const Block& block);

  std::unordered_map<std::uint64_t, std::vector<Told>> messages_;
  std::unordered_set<std::uint64_t> moving_;  // calls and results reported in messages without an id
};

}  // namespace holdfast::inline v1
