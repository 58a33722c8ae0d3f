// How an agent is given a session that it did not have: a conversation of any
// agent, spelled as a new file that this agent resumes. A power of the layouts
// whose clients were seen to load such files (docs/interop.md).
// Spelling only: handoff/ decides what is carried and writes the files.
// Thread-safety: NewSessions is constant; a spelling is for one thread.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "layout/feed.h"
#include "layout/moment.h"

namespace holdfast::inline v1 {

// In front of the output of a tool that failed, where a format has no mark for that.
inline constexpr std::string_view kFailedMark = "[This tool call failed.]\n";
// There, in front of the output of one that succeeded and that would be taken for one of a failure.
inline constexpr std::string_view kSucceededMark = "[This tool call succeeded, whatever its output says.]\n";

// In front of a prompt that a person typed and that the agent would take for something else.
inline constexpr std::string_view kTypedMark = "[The user typed:]\n";

// What one side says until the other one does.
struct CarriedTurn {
  Role role = Role::user;           // user or assistant
  std::string time = {};            // ISO-8601 UTC
  std::string model = {};           // that answered; may be empty
  std::vector<Block> blocks = {};   // text and images of a user; text, thinking and tool_call of an assistant
  std::vector<Block> results = {};  // one tool_result for each call, in their order
  std::vector<std::string> result_times = {};  // of each result; empty: that of the turn
  const std::string& result_time(std::size_t result) const {
    return result < result_times.size() && !result_times[result].empty() ? result_times[result] : time;
  }
  // When all of them were there.
  std::string results_time() const {
    std::string last = time;
    for (const std::string& one : result_times) last = one > last ? one : last;
    return last;
  }
  // Images of the results, by the number of the result that they belong to.
  struct Picture {
    std::size_t result = 0;
    Block image = {};
  };
  std::vector<Picture> pictures = {};
};

struct CarriedHead {
  std::string project = {};  // an absolute directory
  std::string title = {};    // may be empty, as all that follows
  std::string git_branch = {};
  std::string began = {};  // ISO-8601 UTC, of the first turn
  std::string model = {};  // that answered last
};

// One new session, from its beginning to its end; everything is appended to `out`.
class SessionSpelling {
 public:
  virtual ~SessionSpelling() = default;
  virtual const std::string& id() const = 0;
  virtual std::string path() const = 0;  // of its main file, below the first root
  virtual void begin(std::string& out) = 0;
  virtual void turn(const CarriedTurn& turn, std::string& out) = 0;
  virtual void end(std::string& /*out*/) {}
};

// What the agent does with what it is given.
struct NewSessionTraits {
  bool thinks = false;         // sends thoughts on to its model that it did not sign itself; else they become text
  bool alternates = false;     // two turns of one side must not follow each other
  bool any_arguments = false;  // the input of a tool may be other JSON than an object
  bool images = true;          // in prompts
  bool result_images = false;  // in the outputs of tools
  bool failed_images = true;   // in those of tools that failed, too
  bool models = true;          // keeps the name of the model of each answer
  bool titles = true;
  bool branches = true;              // keeps the git branch
  bool summaries = false;            // knows a summary of what came before from a prompt
  bool calls_last = false;           // in one answer, texts stand in front of calls
  bool one_text = false;             // a prompt is one text, and so is an answer
  std::string_view takes_text = {};  // the tool whose input is a text, not an object
  bool failures = true;              // a result says whether its tool failed; else kFailedMark does
  // Where it does not: whether an output says so by itself, and needs no such mark.
  bool (*tells_failure)(std::string_view output) = nullptr;
  // What a prompt is taken for by how it begins; kTypedMark corrects it. nullptr: the format says what it is.
  Origin (*taken_for)(std::string_view text) = nullptr;
  // The file is no part of a store: this command, followed by the file, takes it in. Empty: it is.
  std::string_view import_command = {};
};

class NewSessions {
 public:
  virtual ~NewSessions() = default;
  virtual NewSessionTraits traits() const = 0;
  // `feed` shows the store that it is for. invalid_argument: the agent cannot have sessions of such a project.
  virtual Result<std::unique_ptr<SessionSpelling>> begin(Feed& feed, const CarriedHead& head,
                                                         const Moment& moment) const = 0;
};

}  // namespace holdfast::inline v1
