// The facts about a session's messages that are needed to choose a branch, without
// their texts: about 100 bytes per message, however long it is. branch.h has the rule.
// Thread-safety: one owner; const calls from any thread.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class BranchMap {
 public:
  // Messages must be added in stored order.
  void add(const Message& message);
  // Adds the messages of another map, which are stored after these.
  void add(const BranchMap& later);
  std::size_t size() const { return nodes_.size(); }
  // True if the message with this number may be `message`.
  bool is(std::size_t number, const Message& message) const;

  // True if a message has this id.
  bool has(std::string_view id) const { return !id.empty() && named_[known(id)].first != kNobody; }

  // Follows the last reply to message `id`, the last reply to that, and so on; returns the id
  // of the end. Empty if no message of the main agent has this id or names it as its parent.
  std::string_view last_after(std::string_view id) const;

  // Compares the contents of two messages that have the same id. Not called if there are none.
  using Same = std::function<bool(std::size_t, std::size_t)>;
  std::vector<bool> on_branch(std::string_view leaf, const Same& same) const;

  // How many calls and results with one tool id the kept messages contain.
  struct ToolUse {
    std::uint32_t calls = 0, results = 0;
  };
  using ToolUses = std::vector<ToolUse>;
  ToolUses tool_uses(const std::vector<bool>& kept) const;
  ToolUse tool_use(const ToolUses& uses, std::string_view id) const;
  // The messages [from, to), and all messages with results of their calls.
  std::vector<std::size_t> with_results_for(std::size_t from, std::size_t to) const;

 private:
  using Name = std::uint32_t;  // number of an id; 0 means no id
  struct Slot {
    std::uint32_t tag = 0;  // part of the hash, to skip most comparisons
    Name name = 0;          // 0 if the slot is free
  };
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  struct Node {
    Name id = 0, parent = 0, response = 0;
    bool side = false, abandoned = false;
  };
  struct Named {
    std::uint64_t hash = 0;
    std::size_t begin = 0, size = 0;  // in texts_
    std::uint32_t first = kNobody;    // first message with this id
    std::uint32_t last = kNobody;
    std::uint32_t follower = kNobody;  // the last message of the main agent whose parent this is
    bool linked = false;               // of the main agent, or the parent of one of its messages
  };
  struct Tool {
    std::uint32_t node;
    Name id;
    bool call;
  };

  Name name(std::string_view id);
  Name name(std::string_view id, std::uint64_t hash);
  std::size_t slot_of(std::string_view id, std::uint64_t hash) const;
  void grow(std::size_t names);
  std::string_view text(Name name) const {
    return std::string_view(texts_).substr(named_[name].begin, named_[name].size);
  }
  Name known(std::string_view id) const;
  void link(Node node);
  std::uint32_t before(std::uint32_t at) const;
  bool is_line() const;
  std::vector<bool> on_line(std::string_view leaf) const;
  bool hangs_on(const std::vector<bool>& kept, Name parent) const;
  std::vector<bool> on_tree(std::string_view leaf, const Same& same) const;
  std::vector<bool> way_from(std::uint32_t at) const;
  void add_responses(std::vector<bool>& kept) const;

  std::string texts_;                                  // texts of all ids
  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // size is a power of two
  std::vector<Named> named_ = std::vector<Named>(1);   // indexed by Name
  std::vector<Node> nodes_;
  std::vector<Tool> tools_;
  bool names_parents_ = false;
};

}  // namespace holdfast::inline v1
