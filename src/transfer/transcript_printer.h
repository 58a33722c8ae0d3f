// Prints a transcript as text while its messages arrive: each one as soon as the
// results of its calls are known, because they are printed beside the calls. A result
// without a call (open_calls.h) is printed where it stands. Memory: the ids of calls and
// results, the messages that wait, and their results. Thread-safety: one thread per object.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/open_calls.h"
#include "transfer/terminal_markdown.h"
#include "transfer/transcript_text.h"

namespace holdfast::inline v1 {

// What all messages contain, including those that have not arrived yet.
class Lookahead {
 public:
  virtual ~Lookahead() = default;
  virtual std::size_t results(std::string_view id) const = 0;  // how many have this id
};

class TranscriptPrinter {
 public:
  // Returns false if nobody reads any more.
  using Sink = std::function<bool(std::string_view)>;
  // Called at most once, and only if too many messages wait; may be slow. The result
  // must outlive the teller; nullptr if unknown, and then messages wait on.
  using Ask = std::function<const Lookahead*()>;

  TranscriptPrinter(const TextStyle& style, Sink sink, Ask ask);

  void head(const Session& session);
  // Returns false if nobody reads any more. A message passed by reference must stay valid until end().
  bool take(const Message& message);
  bool take(Message&& message);
  bool end(const Session& session);

 private:
  struct Waiting {
    const Message* message = nullptr;
    std::size_t first_call = 0;      // the number of its first call
    std::vector<bool> answers = {};  // for each block, whether it is a result with a call; empty if none is
  };

  bool is_asked_for(const Message& message) const { return style_.at && message.ordinal == *style_.at; }
  bool is_shown(const Message& message) const;
  bool waits(const Waiting& one) const;
  bool drain();
  bool flush(std::size_t from);
  Waiting note(const Message& message);
  void pass(const Waiting& one);
  void facts(const Session& session, bool opening);
  void parent_line(const Session& session);
  void tell_message(const Waiting& one);
  void title(const Message& message);
  void tell_block(const Message& message, const Block& block, std::size_t number);
  void thought(const Block& block);
  void call(const Block& block, std::size_t number);
  std::string result_text(const Block& block) const;

  const TextStyle& style_;
  Sink sink_;
  Ask ask_;
  const Lookahead* lookahead_ = nullptr;
  bool asked_ = false, ended_ = false, wanted_ = true, begun_ = false, printed_ = false;
  bool project_told_ = false;
  Paint paint_;
  std::deque<Message> owned_;
  std::deque<Waiting> waiting_;
  // Calls are numbered in the order in which they arrive.
  OpenCalls<std::size_t> calls_;
  std::size_t calls_taken_ = 0, calls_passed_ = 0;
  std::unordered_map<std::size_t, std::string> results_;  // by the number of the call, as printed
  std::size_t results_bytes_ = 0;
  std::string day_;
  std::string response_;  // whose tokens were printed last
  std::string out_;
};

}  // namespace holdfast::inline v1
