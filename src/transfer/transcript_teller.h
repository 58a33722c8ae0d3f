// Tells a transcript as text while its messages come: each is printed as soon as
// the results of its calls are there, for they stand beside the calls.
// Memory: the messages that wait, and a line for each result (with `tools`, the
// results that may be wanted again). Thread-safety: one thread an object.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "transfer/terminal_markdown.h"
#include "transfer/transcript_text.h"

namespace holdfast::inline v1 {

// What all the messages hold, those that have not come yet too.
class Foresight {
 public:
  virtual ~Foresight() = default;
  virtual bool has_result(std::string_view call) const = 0;
  virtual std::size_t calls(std::string_view id) const = 0;
};

class TranscriptTeller {
 public:
  // False: nobody reads any more.
  using Sink = std::function<bool(std::string_view)>;
  // Asked once, and only when too much waits; it may take its time. The answer
  // outlives the teller; nullptr: nobody knows, so it waits on.
  using Ask = std::function<const Foresight*()>;

  TranscriptTeller(const TextStyle& style, Sink sink, Ask ask);

  void head(const Session& session);
  // False: nobody reads any more. Without owning it, the message has to stay until end().
  bool take(const Message& message);
  bool take(Message&& message);
  bool end(const Session& session);

 private:
  bool is_asked_for(const Message& message) const { return style_.at && message.ordinal == *style_.at; }
  bool told_at_all(const Message& message) const;
  bool waits(const Message& message) const;
  bool drain();
  bool flush(std::size_t from);
  void note(const Message& message);
  void facts(const Session& session, bool opening);
  void parent_line(const Session& session);
  void tell_message(const Message& message);
  void title(const Message& message);
  void tell_block(const Message& message, const Block& block);
  void thought(const Block& block);
  void call(const Block& block);
  std::string result_text(const Block& block) const;

  const TextStyle& style_;
  Sink sink_;
  Ask ask_;
  const Foresight* foresight_ = nullptr;
  bool asked_ = false, ended_ = false, wanted_ = true, begun_ = false, printed_ = false;
  bool project_told_ = false;
  Paint paint_;
  std::deque<Message> owned_;
  std::deque<const Message*> waiting_;
  std::unordered_map<std::string, std::string> results_;  // by the call's id, as they are told
  std::size_t results_bytes_ = 0;
  std::set<std::string, std::less<>> calls_;
  std::string day_;
  std::string response_;  // whose tokens were told last
  std::string out_;
};

}  // namespace holdfast::inline v1
