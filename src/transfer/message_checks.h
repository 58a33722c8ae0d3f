// Checks the messages of one session against each other, in one pass: duplicate ids,
// times that go back, calls and results without each other, missing parents. One thread
// per object.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/id_set.h"
#include "model/tally.h"

namespace holdfast::inline v1 {

// Where a message is; the name is valid as long as its MessageChecks.
struct MessagePlace {
  std::string_view file;
  std::uint64_t offset = 0;
  std::string row = {};  // its id, if it has no offset (in databases)
};

struct MessageFinding {
  MessagePlace place;
  std::string_view kind;
  std::string consequence;
  bool damage = true;
};

class MessageChecks : public Events {
 public:
  // `file` names the file that is being read.
  explicit MessageChecks(std::function<const std::string&()> file) : file_(std::move(file)) {}

  void facts(const SessionFacts& facts) override { tally_.facts(facts); }
  bool message(Message message) override;

  // After the last message: adds what can only be known now, and returns all findings.
  std::vector<MessageFinding> finish();
  const Tally& tally() const { return tally_; }

 private:
  struct OpenCall {
    MessagePlace place;
    std::string agent, response;
  };
  using Calls = std::map<std::string, OpenCall>;  // by call id
  struct Waiting {
    std::string id;
    MessagePlace place;
  };

  void check_id(const Message& message, const MessagePlace& place);
  void check_time(const Message& message, const MessagePlace& place);
  void check_calls(const Message& message, const MessagePlace& place);
  void settle_calls(const Message& message);
  void found(const MessagePlace& place, std::string_view kind, std::string consequence, bool damage);

  std::string_view current_file();

  std::function<const std::string&()> file_;
  std::set<std::string, std::less<>> names_;
  std::string_view last_file_;
  Tally tally_;
  std::vector<MessageFinding> found_;
  IdSet ids_, calls_;
  std::string last_id_;
  std::uint64_t last_offset_ = UINT64_MAX;
  std::vector<Waiting> parents_;  // not seen yet
  std::vector<Waiting> results_;  // whose call was not seen yet
  // Calls without a result: nothing follows yet; the model continued; something else came between.
  Calls open_, passed_, excused_;
  std::map<std::string, std::chrono::system_clock::time_point> last_times_;  // by agent
  MessagePlace first_back_;
  std::size_t times_back_ = 0;
  MessagePlace first_bad_;
  std::string bad_time_;
  std::size_t bad_times_ = 0;
};

}  // namespace holdfast::inline v1
