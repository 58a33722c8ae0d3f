// A session as a conversation that any agent could have had: turns of the person and of
// the model, each call with its result. Whatever only its own agent understands is left
// behind and reported.
// Memory: a large session is walked twice, and a walk holds only the turns that wait
// for a result. Thread-safety: one thread per object.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "handoff/report.h"
#include "layout/new_sessions.h"
#include "model/kept_output.h"
#include "model/open_calls.h"

namespace holdfast::inline v1 {

// Replaces an output that never arrived.
inline constexpr std::string_view kNoResult =
    "[There is no output of this tool call: the session ended, or was interrupted, before it came.]";
// Replaces the first prompt of a conversation that does not begin with one.
inline constexpr std::string_view kNoBeginning = "[The beginning of this session was not carried.]";

// What is left behind, as named in the report.
inline constexpr std::string_view kOtherBranches = "messages of other branches";
inline constexpr std::string_view kOfSubAgents = "messages of sub-agents";
inline constexpr std::string_view kWhySubAgents =
    "their own transcripts stay behind; their answers are the results of their calls";

struct Turn : CarriedTurn {
  std::int64_t ordinal = 0;           // of its first message
  std::vector<std::string> ids = {};  // of its messages
  bool summary = false;               // it summarizes everything before it
  bool marked = false;                // it had kTypedMark
  std::string response = {};          // the response that it is part of
  std::vector<bool> answered = {};    // for each result, whether it arrived

  std::size_t calls() const { return results.size(); }
};

// Whether a turn on the user's side has nothing but outputs whose calls are missing: then nobody asked anything.
bool has_only_outputs(const Turn& turn);

struct Conversation {
  CarriedHead head = {};
  std::vector<Turn> turns = {};
  HandoffReport report = {};
};

// Takes numbered turns in order.
class TurnSink {
 public:
  virtual ~TurnSink() = default;
  // Whether to pass the turn on as it is; else it waits for results. Not called for the last turn, which may grow.
  virtual bool is_whole(std::size_t number, const Turn& turn) = 0;
  virtual void take(std::size_t number, Turn turn) = 0;
  // A result of a turn that was already passed on, or an image of such a result.
  virtual void take_late(std::size_t number, const Block& block) = 0;
};

struct TurnBuilderOptions {
  bool aside = true;          // leave out messages of sub-agents
  std::string began = {};     // the time of messages without one
  std::size_t first = 0;      // losses before this turn are not reported
  bool made_results = false;  // calls that never got a result get one that says so
};

// Groups messages into turns, in order.
class TurnBuilder {
 public:
  TurnBuilder(TurnSink& taker, HandoffReport& report, TurnBuilderOptions options);
  void take(Message message);
  void end();  // passes on the turns that wait

 private:
  // The turn of a call, and its index there.
  struct CallPlace {
    bool known = false;
    std::size_t turn = 0, call = 0;
  };

  std::size_t begun() const { return handed_on_ + turns_.size(); }
  void leave(std::string_view kind, std::string_view reason);
  void note_in_turn(std::vector<ReportLine>& lines, std::string_view kind, std::string_view reason);
  void user(const Message& message);
  Turn& begin(const Message& message, Role role);
  void kept_output(const Message& message);
  void prompt(const Message& message);
  void leave_injected(const Message& message);
  void leave_commands();
  void ask_commands();
  void empty_text();
  void note_halves(const Message& message, bool outputs);
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

  TurnSink& taker_;
  HandoffReport& report_;
  const TurnBuilderOptions options_;
  std::string time_;
  std::deque<Turn> turns_;         // those that wait, and the last one
  std::vector<Message> commands_;  // not yet known whether the model answers them
  std::size_t handed_on_ = 0;
  OpenCalls<CallPlace> calls_;
};

// The whole conversation of a session in memory. The project and times of the head come from the session.
Conversation conversation_of(const Transcript& transcript);
CarriedHead head_of(const Session& session);

// The thought in a text that thought_as_text produced; nullopt for any other text.
std::optional<std::string> thought_in(std::string_view text);
std::string thought_as_text(std::string_view thought);

}  // namespace holdfast::inline v1
