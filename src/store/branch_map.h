// What choosing a branch needs of the messages of a session, without their texts:
// some 100 bytes a message, whatever it says. The rule is branch.h's.
// Thread-safety: one owner; constant calls from any thread.
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
  // In stored order.
  void add(const Message& message);
  // The messages of another map, which were stored behind these.
  void add(const BranchMap& later);
  std::size_t size() const { return nodes_.size(); }
  // Whether the message of that number may be this one.
  bool is(std::size_t number, const Message& message) const;

  // Whether a message has that id.
  bool has(std::string_view id) const { return !id.empty() && named_[known(id)].first != kNobody; }

  // Whoever followed the message last, and so on to the end; empty when no message
  // of the main agent has that id or names it.
  std::string_view last_after(std::string_view id) const;

  // Says of two messages of one id whether they say the same. Not asked when there are none.
  using Same = std::function<bool(std::size_t, std::size_t)>;
  std::vector<bool> on_branch(std::string_view leaf, const Same& same) const;

  // How often the kept messages call a tool and give a result by one id.
  struct ToolUse {
    std::uint32_t calls = 0, results = 0;
  };
  using ToolUses = std::vector<ToolUse>;
  ToolUses tool_uses(const std::vector<bool>& kept) const;
  ToolUse tool_use(const ToolUses& uses, std::string_view id) const;
  // The messages [from, to), and all that hold results of their calls.
  std::vector<std::size_t> with_results_for(std::size_t from, std::size_t to) const;

 private:
  using Name = std::uint32_t;  // of an id; 0: no id
  struct Slot {
    std::uint32_t tag = 0;  // a part of the hash, so that few others have to be looked at
    Name name = 0;          // 0: free
  };
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  struct Node {
    Name id = 0, parent = 0, response = 0;
    bool side = false, abandoned = false;
  };
  struct Named {
    std::uint64_t hash = 0;
    std::size_t begin = 0, size = 0;  // in texts_
    std::uint32_t first = kNobody;    // message of that id
    std::uint32_t last = kNobody;
    std::uint32_t follower = kNobody;  // the last message of the main agent that names it as its parent
    bool linked = false;               // the main agent's, or named by one as parent
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

  std::string texts_;                                  // of all ids
  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two
  std::vector<Named> named_ = std::vector<Named>(1);   // by Name
  std::vector<Node> nodes_;
  std::vector<Tool> tools_;
  bool names_parents_ = false;
};

}  // namespace holdfast::inline v1
