// Prints a transcript as text while its messages arrive: each one as soon as the
// results of its calls are known, because they are printed beside the calls. Memory:
// the messages that wait, and a line for each result (with `tools`, the results that
// may be needed again). Thread-safety: one thread per object.
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

// What all messages contain, including those that have not arrived yet.
class Lookahead {
 public:
  virtual ~Lookahead() = default;
  virtual bool has_result(std::string_view call) const = 0;
  virtual std::size_t calls(std::string_view id) const = 0;
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
  bool is_asked_for(const Message& message) const { return style_.at && message.ordinal == *style_.at; }
  bool is_shown(const Message& message) const;
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
  const Lookahead* lookahead_ = nullptr;
  bool asked_ = false, ended_ = false, wanted_ = true, begun_ = false, printed_ = false;
  bool project_told_ = false;
  Paint paint_;
  std::deque<Message> owned_;
  std::deque<const Message*> waiting_;
  std::unordered_map<std::string, std::string> results_;  // by the call's id, as printed
  std::size_t results_bytes_ = 0;
  std::set<std::string, std::less<>> calls_;
  std::string day_;
  std::string response_;  // whose tokens were printed last
  std::string out_;
};

}  // namespace holdfast::inline v1
