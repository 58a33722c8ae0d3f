// What each session of a store adds to statistics that no session before it has
// counted: forks and copies repeat prompts, responses and calls, and each counts once.
// Two are one if their ids are the same, and unless these are unique, their times and models.
// Computed from roll-ups, and cached for the same sessions in the same order
// (docs/formats/index.md). Thread-safety: one thread per object.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/frame_file.h"
#include "model/id_set.h"
#include "model/rollup.h"

namespace holdfast::inline v1 {

// What was new in a quarter of an hour with one model.
struct ShareSlot {
  RollupSlot slot = {};
  std::int64_t prompts = 0, answers = 0, tool_calls = 0, tool_results = 0;
  Usage usage = {};
  Usage unpriced = {};  // the part of it without a recorded cost
  double cost = 0;      // recorded, in US dollars
};
using Share = std::vector<ShareSlot>;

// Takes the roll-ups of one session after the other, originals before their copies.
class ShareCounter {
 public:
  // `by_person`: the user messages were typed by a person, not written by another agent.
  void add(const Rollup& rollup, bool by_person);
  std::vector<Share> take() { return std::move(shares_); }

 private:
  // What is known of one response so far; the largest figures count, in the slot where it was first seen.
  struct Response {
    std::size_t share = 0, slot = 0;
    Usage usage = {};
    bool placed = false, counted = false, priced = false;
  };
  void add_response(const RollupItem& item, Response& response);
  // Indexes into responses_ by hash.
  struct Known {
    IdSet keys = {};
    std::vector<std::size_t> numbers = {};

    std::optional<std::size_t> find(std::uint64_t key) const;
    void add(std::uint64_t key, std::size_t number);
  };
  // Finds a response by its name, or by its first message: copies of a history may leave out the name. `own` has the
  // first messages of this session.
  Response& response_of(const RollupItem& item, Known& own);

  // Short ids alone may be those of unrelated sessions.
  IdSet prompts_, calls_, results_;
  Known known_;
  std::vector<Response> responses_;
  std::vector<Share> shares_;
};

// The last computed shares of a store, for a few selections of sessions.
class ShareCache {
 public:
  ShareCache(FileSystem& file_system, const std::string& cache, const std::string& store);

  // `stamp` is a hash of the sessions, their order and their contents.
  std::optional<std::vector<Share>> get(std::uint64_t stamp) const;
  void put(std::uint64_t stamp, const std::vector<Share>& shares);

 private:
  FrameFile file_;
  std::vector<Frame> frames_;
};

}  // namespace holdfast::inline v1
