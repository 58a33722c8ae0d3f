// Folds what a layout says into the row of `ls`: counts, usage and models by the
// definitions of the contract, the same for every layout. One thread an object.
#pragma once

#include <map>
#include <set>
#include <string>

#include "model/events.h"

namespace holdfast::inline v1 {

class Tally : public Events {
 public:
  void facts(const SessionFacts& facts) override { facts_.merge(facts); }
  bool message(Message message) override;

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
  std::map<std::string, Response> responses_;  // by API response
  Usage anonymous_;                            // of answers that nothing names
  std::set<std::string> calls_, results_;
  std::set<std::string> prompts_;
  std::string first_prompt_, first_time_, last_time_, git_branch_, project_;
  bool open_prompt_ = false;
  bool any_message_ = false;
};

}  // namespace holdfast::inline v1
