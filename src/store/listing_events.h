// Collects what a layout reports about a session, for a list of its messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/events.h"

namespace holdfast::inline v1 {

class ListingEvents : public Events {
 public:
  // Reading can start here; `count` messages were reported before.
  struct Checkpoint {
    std::uint64_t offset = 0;
    std::string state = {};
    std::size_t count = 0;
  };

  void facts(const SessionFacts& /*facts*/) override {}
  bool message(Message message) override {
    message.ordinal = std::ssize(messages);
    messages.push_back(std::move(message));
    return true;
  }
  void leaf(std::string_view id) override { leaf_id = id; }
  void rest(std::string_view state) override {
    rested = true;
    rest_state = state;
    rest_count = messages.size();
  }
  void checkpoint(std::uint64_t offset, std::string_view state) override {
    checkpoints.push_back({offset, std::string(state), messages.size()});
  }

  std::vector<Message> messages;
  std::string leaf_id;
  std::vector<Checkpoint> checkpoints;
  bool rested = false;  // reported at the end; rest_state and rest_count are from then
  std::string rest_state;
  std::size_t rest_count = 0;
};

}  // namespace holdfast::inline v1
