// Folds what a layout says into the row of `ls`, and into the roll-up that
// statistics are made of: counts, usage and models by the definitions of the
// contract, the same for every layout. One thread an object.
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
  // What was said from each of these moments on (ISO-8601 in UTC, with milliseconds) is in another slot than what was
  // said before it: a quarter of an hour that one of them is in is cut there.
  explicit Tally(std::vector<std::string> cuts) : cuts_(std::move(cuts)) {}

  void facts(const SessionFacts& facts) override;
  bool message(Message message) override {
    count(message);
    return true;
  }
  // The same for somebody who keeps the message.
  void count(const Message& message);

  // Fills everything but id, layout, store, path, bytes and damage, which the
  // engine knows. status: archived when its agent put it away, else what the store
  // says, else interrupted when something was pending, else active. A living owner
  // is the engine's knowledge.
  void finish(Session& session) const;

  const Rollup& rollup() const { return rollup_; }

  // Everything that was counted, for going on later; facts are told again then.
  // `row` is what finish() made of it: it holds the first prompt.
  void pack(Packer& out) const;
  static Tally unpack(Unpacker& in, const Session& row);

 private:
  RollupItem* item(RollupItem::Kind kind, std::uint64_t name, std::uint64_t moment, bool side);
  std::uint32_t slot();
  void note_time(const std::string& timestamp);
  void count_prompt(const Message& message);
  void count_response(const Message& message);
  void count_blocks(const Message& message);

  std::vector<std::string> cuts_;  // rising
  SessionFacts facts_;
  Rollup rollup_;
  IdSet items_;  // which item of the roll-up an id is
  RollupSlot now_;
  std::uint32_t slot_ = UINT32_MAX;  // of now_; not made yet
  std::int64_t records_ = 0;
  std::vector<std::string> models_;
  std::string first_id_, first_response_;
  std::string first_prompt_, first_time_, last_time_, git_branch_, project_;
  bool open_prompt_ = false;
};

}  // namespace holdfast::inline v1
