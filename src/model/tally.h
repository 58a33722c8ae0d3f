// Folds what a layout says into the row of `ls`: counts, usage and models by the
// definitions of the contract, the same for every layout. One thread an object.
#pragma once

#include <string>
#include <vector>

#include "model/events.h"
#include "model/id_set.h"

namespace holdfast::inline v1 {

class Tally : public Events {
 public:
  void facts(const SessionFacts& facts) override { facts_.merge(facts); }
  bool message(Message message) override {
    count(message);
    return true;
  }
  // The same for somebody who keeps the message.
  void count(const Message& message);

  // Fills everything but id, layout, store, path, bytes and damage, which the
  // engine knows. status: what the store says, else interrupted when something
  // was pending, else active. A living owner is the engine's knowledge.
  void finish(Session& session) const;

 private:
  struct Response {
    Usage usage;           // the largest figures seen
    bool counted = false;  // as an answer
  };
  void count_response(const Message& message);

  SessionFacts facts_;
  Counts counts_;
  std::vector<std::string> models_;
  IdSet response_ids_;
  std::vector<Response> responses_;  // by their number in response_ids_
  Usage anonymous_;                  // of answers that nothing names
  IdSet calls_, results_, prompts_;
  std::size_t answered_ = 0;  // calls with a result
  std::string first_id_, first_response_;
  std::string first_prompt_, first_time_, last_time_, git_branch_, project_;
  bool open_prompt_ = false;
  bool any_message_ = false;
};

}  // namespace holdfast::inline v1
