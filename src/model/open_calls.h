// Finds the call that each result of a tool answers, from calls and results in the order of the session. Ids do not
// name calls reliably: some agents use one again, even within an answer, or write none. So a result belongs to the
// earliest call before it with the same id (an empty one too) that has no result yet. If the person speaks while a
// call has no result, a later call with its id takes its place: else one interrupted call would shift every result
// that follows. Each step takes constant time on average. Thread-safety: one owner.
#pragma once

#include <holdfast/session.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

// `Call` is what the user of this class wants to know about a call.
template <typename Call>
class OpenCalls {
 public:
  // Before the blocks of each message.
  void begin(const Message& message) {
    if (message.role == Role::user && message.origin == Origin::typed) ++prompts_;
  }

  void call(std::string_view id, Call call) {
    Same& same = same_of(id);
    if (same.prompts != prompts_) same.close_all();
    same.prompts = prompts_;
    same.called = true;
    same.open.push_back(std::move(call));
  }

  // The call that a result answers; it is no longer open. nullopt if no call with this id is open.
  std::optional<Call> result(std::string_view id) {
    Same& same = same_of(id);
    ++same.results;
    if (same.first == same.open.size()) return std::nullopt;
    std::optional<Call> found(std::move(same.open[same.first]));
    if (++same.first == same.open.size()) same.close_all();
    return found;
  }

  // Whether any call had this id, open or not.
  bool has_call(std::string_view id) const {
    const auto found = all_.find(id);
    return found != all_.end() && found->second.called;
  }

  // How many results had this id, with or without a call.
  std::size_t results(std::string_view id) const {
    const auto found = all_.find(id);
    return found == all_.end() ? 0 : found->second.results;
  }

  // How many open calls with the same id come before this one; nullopt if it is not open. Only if calls are numbers
  // that increase.
  std::optional<std::size_t> open_before(std::string_view id, const Call& call) const {
    const auto found = all_.find(id);
    if (found == all_.end()) return std::nullopt;
    const auto& open = found->second.open;
    const auto first = open.begin() + found->second.first;
    const auto place = std::lower_bound(first, open.end(), call);
    if (place == open.end() || *place != call) return std::nullopt;
    return static_cast<std::size_t>(place - first);
  }

 private:
  struct Same {  // the calls with one id
    std::vector<Call> open = {};
    std::uint32_t first = 0;  // of the open ones: those before it have their results
    std::uint32_t results = 0;
    std::uint32_t prompts = 0;  // before the last call
    bool called = false;

    void close_all() {
      open.clear();
      first = 0;
    }
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view id) const { return std::hash<std::string_view>()(id); }
  };

  Same& same_of(std::string_view id) {
    const auto found = all_.find(id);
    return found != all_.end() ? found->second : all_.emplace(std::string(id), Same()).first->second;
  }

  std::unordered_map<std::string, Same, Hash, std::equal_to<>> all_;
  std::uint32_t prompts_ = 0;
};

}  // namespace holdfast::inline v1
