// What each session of a store adds to statistics that none before it has counted:
// forks and copies repeat prompts, responses and calls, and each counts once. Made
// of roll-ups, and kept in the cache for the same sessions in the same order
// (docs/formats/index.md). Thread-safety: one thread an object.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/frame_file.h"
#include "model/id_set.h"
#include "model/rollup.h"

namespace holdfast::inline v1 {

// What was new in a quarter of an hour with a model.
struct ShareSlot {
  RollupSlot slot = {};
  std::int64_t prompts = 0, answers = 0, tool_calls = 0, tool_results = 0;
  Usage usage = {};
  Usage unpriced = {};  // the part of it for which no cost was recorded
  double cost = 0;      // recorded, in US dollars
};
using Share = std::vector<ShareSlot>;

// Roll-ups of one session after the other, originals before their copies.
class ShareCounter {
 public:
  // `by_person`: what it says as a user was typed, not written by another agent.
  void add(const Rollup& rollup, bool by_person);
  std::vector<Share> take() { return std::move(shares_); }

 private:
  // What is said of one response so far; the largest figures stand, in the slot of the first.
  struct Response {
    std::size_t share = 0, slot = 0;
    Usage usage = {};
    bool placed = false, counted = false, priced = false;
  };
  void add_response(const RollupItem& item, Response& response);
  // The one of that name, or with a message of that id: copies of a history may leave out what names a response.
  Response& response_of(const RollupItem& item);

  IdSet prompts_, calls_, results_, response_ids_;
  std::vector<std::size_t> named_;                            // of each name, which of responses_ it is
  std::unordered_map<std::uint64_t, std::size_t> by_moment_;  // which of responses_
  std::vector<Response> responses_;
  std::vector<Share> shares_;
};

// The shares of a store as they were last counted, for a few choices of sessions.
class ShareCache {
 public:
  ShareCache(FileSystem& file_system, const std::string& cache, const std::string& store);

  // `stamp`: hash of which sessions, in which order, with which contents.
  std::optional<std::vector<Share>> get(std::uint64_t stamp) const;
  void put(std::uint64_t stamp, const std::vector<Share>& shares);

 private:
  FrameFile file_;
  std::vector<Frame> frames_;
};

}  // namespace holdfast::inline v1
