// Folds what a layout reports into the row of `ls`, and into the roll-up for
// statistics: counts, usage and models as the contract defines them, the same
// for every layout. One thread per object.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/events.h"
#include "model/id_set.h"
#include "model/rollup.h"

namespace holdfast::inline v1 {

class Tally : public Events {
 public:
  Tally() = default;
  // Messages from each of these times on (ISO-8601 in UTC, with milliseconds) go into another slot than those before
  // it: a quarter hour that contains such a time is split there.
  explicit Tally(std::vector<std::string> cuts) : cuts_(std::move(cuts)) {}

  void facts(const SessionFacts& facts) override;
  bool message(Message message) override {
    count(message);
    return true;
  }
  // The same for callers that keep the message.
  void count(const Message& message);

  // Fills everything except id, layout, store, path, bytes and damage, which the
  // engine knows. status: archived if its agent archived it, else what the store
  // says, else interrupted if something was pending, else active. Whether an owner
  // is alive, only the engine knows.
  void finish(Session& session) const;

  const Rollup& rollup() const { return rollup_; }

  // Saves all counts, to continue later; facts must be reported again then.
  // `row` is the result of finish(), which holds the first prompt.
  void pack(Packer& out) const;
  static Tally unpack(Unpacker& in, const Session& row);

 private:
  RollupItem* item(RollupItem::Kind kind, std::uint64_t name, std::uint64_t moment, bool side, std::uint64_t said = 0);
  std::uint64_t said_in(const Message& message) const;
  std::uint32_t slot();
  bool note_time(const std::string& timestamp);
  void count_prompt(const Message& message);
  void count_response(const Message& message);
  void count_blocks(const Message& message);

  std::vector<std::string> cuts_;  // ascending
  SessionFacts facts_;
  Rollup rollup_;
  IdSet items_;  // maps an id to an item of the roll-up
  RollupSlot now_;
  std::uint32_t slot_ = UINT32_MAX;  // slot of now_; UINT32_MAX if there is none yet
  std::int64_t records_ = 0;
  std::vector<std::string> models_;
  std::string first_id_, first_response_;
  std::string first_prompt_, first_time_, last_time_, git_branch_, project_;
  bool open_prompt_ = false;
};

}  // namespace holdfast::inline v1
