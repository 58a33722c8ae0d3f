// A session as a conversation that any agent could have had: turns of the person
// and of the model, each call with its result. Whatever only its own agent
// understands is left behind, and the report says so.
// Memory: a large session is walked twice, and no walk holds more of it than the
// turns that wait for a result. Thread-safety: one thread an object.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "handoff/report.h"
#include "layout/new_sessions.h"

namespace holdfast::inline v1 {

// In place of an output that never came.
inline constexpr std::string_view kNoResult =
    "[There is no output of this tool call: the session ended, or was interrupted, before it came.]";
// In front of an output whose call is not there.
inline constexpr std::string_view kNoCall = "[The output of a tool whose call is not in the session:]\n";
// In place of the person's first words, where a conversation does not begin with them.
inline constexpr std::string_view kNoBeginning = "[The beginning of this session was not carried.]";

// What stays behind, in the report.
inline constexpr std::string_view kOtherBranches = "messages of other branches";
inline constexpr std::string_view kOfSubAgents = "messages of sub-agents";
inline constexpr std::string_view kWhySubAgents =
    "their own transcripts stay behind; their answers are the results of their calls";

struct Turn : CarriedTurn {
  std::int64_t ordinal = 0;           // of its first message
  std::vector<std::string> ids = {};  // of its messages
  bool summary = false;               // of everything before it
  bool command = false;               // nobody typed it as a prompt
  bool marked = false;                // it came with kTypedMark
  std::string response = {};          // that it is part of
  std::vector<bool> answered = {};    // of each result, whether it came

  std::size_t calls() const { return results.size(); }
};

struct Conversation {
  CarriedHead head = {};
  std::vector<Turn> turns = {};
  HandoffReport report = {};
};

// Takes turns in their order, by their numbers.
class TurnTaker {
 public:
  virtual ~TurnTaker() = default;
  // Whether it is handed on as it is; else it waits for results. Not asked of the last turn, which may grow.
  virtual bool is_whole(std::size_t number, const Turn& turn) = 0;
  virtual void take(std::size_t number, Turn turn) = 0;
  // A result of a turn that was handed on, or an image of one.
  virtual void take_late(std::size_t number, const Block& block) = 0;
};

struct GatherOptions {
  bool aside = true;          // messages of sub-agents are left behind
  std::string began = {};     // the time of what says none
  std::size_t first = 0;      // what is left behind before this turn is not reported
  bool made_results = false;  // calls that never got a result get one that says so
};

// Makes turns of messages, in their order.
class TurnGatherer {
 public:
  TurnGatherer(TurnTaker& taker, HandoffReport& report, GatherOptions options);
  void take(Message message);
  void end();  // hands on what waits

 private:
  // A call: the number of its turn, and its number there.
  struct CallPlace {
    bool known = false;
    std::size_t turn = 0, call = 0;
  };

  std::size_t begun() const { return handed_on_ + turns_.size(); }
  void leave(std::string_view kind, std::string_view reason);
  void note_in_turn(std::vector<ReportLine>& lines, std::string_view kind, std::string_view reason);
  void user(const Message& message);
  Turn& begin(const Message& message, Role role);
  void prompt(const Message& message);
  void leave_commands();
  void ask_commands();
  void empty_text();
  void add_said(const Block& block, Turn& turn);
  void assistant(const Message& message);
  bool joins(const Message& message) const;
  void add_answer(const Block& block, Turn& turn, bool served);
  void results(const Message& message, const std::vector<Block>& blocks);
  bool comes_late(const CallPlace& place) const;
  CallPlace result(const Message& message, const Block& block);
  void add_picture(const CallPlace& place, const Block& picture);
  void hand_on_whole();
  void hand_on();

  TurnTaker& taker_;
  HandoffReport& report_;
  const GatherOptions options_;
  std::string time_;
  std::deque<Turn> turns_;         // that wait, and the last one
  std::vector<Message> commands_;  // of which it is not known yet whether the model answers them
  std::size_t handed_on_ = 0;
  // Calls that wait for a result, by their id.
  std::map<std::string, std::vector<CallPlace>, std::less<>> waiting_;
};

// Of a session that is in memory, and all of it. `project` and times of the head are set from the session.
Conversation conversation_of(const Transcript& transcript);
CarriedHead head_of(const Session& session);

// Whether the text is a thought in the shape that thought_as_text gives it, and what it says.
std::optional<std::string> thought_in(std::string_view text);
std::string thought_as_text(std::string_view thought);

}  // namespace holdfast::inline v1
