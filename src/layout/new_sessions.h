// Gives an agent a session that it did not have: writes a conversation of any agent as
// a new file that this agent can resume. Optional interface of the layouts whose
// clients were seen to load such files (docs/interop.md).
// Formats only: handoff/ decides what to carry over and writes the files.
// Thread-safety: NewSessions is constant; a SessionFormatter is for one thread.
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

// Precedes the output of a failed tool in formats that cannot mark failures.
inline constexpr std::string_view kFailedMark = "[This tool call failed.]\n";
// In the same formats, precedes the output of a successful tool that would be taken for a failure.
inline constexpr std::string_view kSucceededMark = "[This tool call succeeded, whatever its output says.]\n";

// Precedes a typed prompt that the agent would take for something else.
inline constexpr std::string_view kTypedMark = "[The user typed:]\n";

// Everything that one side says before the other side speaks.
struct CarriedTurn {
  Role role = Role::user;                      // user or assistant
  std::string time = {};                       // ISO-8601 UTC
  std::string model = {};                      // of the answer; may be empty
  std::vector<Block> blocks = {};              // user: text and media; assistant: text, thinking and tool_call
  std::vector<Block> results = {};             // one tool_result for each call, in the order of the calls
  std::vector<std::string> result_times = {};  // of each result; if empty, the time of the turn
  const std::string& result_time(std::size_t result) const {
    return result < result_times.size() && !result_times[result].empty() ? result_times[result] : time;
  }
  // When the last result arrived.
  std::string results_time() const {
    std::string last = time;
    for (const std::string& one : result_times) last = one > last ? one : last;
    return last;
  }
  // Images in the results, and other media if the agent takes any, each with the index of its result.
  struct Picture {
    std::size_t result = 0;
    Block image = {};
  };
  std::vector<Picture> pictures = {};
};

struct CarriedHead {
  std::string project = {};  // an absolute directory
  std::string title = {};    // may be empty, like all fields below
  std::string git_branch = {};
  std::string began = {};  // time of the first turn, ISO-8601 UTC
  std::string model = {};  // of the last answer
};

// Formats one new session, from beginning to end. Every function appends to `out`.
class SessionFormatter {
 public:
  virtual ~SessionFormatter() = default;
  virtual const std::string& id() const = 0;
  virtual std::string path() const = 0;  // of the main file, below the first root
  virtual void begin(std::string& out) = 0;
  virtual void turn(const CarriedTurn& turn, std::string& out) = 0;
  virtual void end(std::string& /*out*/) {}
};

// What the agent supports in a new session.
struct NewSessionTraits {
  bool thinks = false;         // sends thoughts to its model that it did not sign itself; else they become text
  bool alternates = false;     // two turns of the same side must not be adjacent
  bool any_arguments = false;  // the input of a tool may be JSON other than an object
  bool images = true;          // in prompts
  bool result_images = false;  // in the outputs of tools
  bool failed_images = true;   // also in the outputs of failed tools
  bool documents = false;      // PDF and texts in prompts
  bool any_media = false;      // audio and documents of any type, in prompts and in the outputs of tools
  bool citations = false;      // keeps the sources that the model named for a text
  bool models = true;          // keeps the name of the model of each answer
  bool titles = true;
  bool branches = true;                   // keeps the git branch
  bool summaries = false;                 // distinguishes a summary of what came before from a prompt
  bool calls_last = false;                // within one answer, texts precede calls
  bool one_text = false;                  // a prompt is one text, and so is an answer
  std::string_view text_input_tool = {};  // the tool whose input is a text, not an object
  bool failures = true;                   // a result says whether its tool failed; else kFailedMark does
  // If `failures` is false: returns whether an output itself shows the failure and needs no mark.
  bool (*shows_failure)(std::string_view output) = nullptr;
  // Returns what the agent takes a prompt for, judged by its beginning; kTypedMark corrects it. nullptr if the format
  // records the origin.
  Origin (*inferred_origin)(std::string_view text) = nullptr;
  // If set, the file is not part of a store: this command, followed by the file, imports it.
  std::string_view import_command = {};
};

class NewSessions {
 public:
  virtual ~NewSessions() = default;
  virtual NewSessionTraits traits() const = 0;
  // `feed` reads the target store. Fails with invalid_argument if the agent cannot have sessions of such a project.
  virtual Result<std::unique_ptr<SessionFormatter>> begin(Feed& feed, const CarriedHead& head,
                                                          const Moment& moment) const = 0;
};

}  // namespace holdfast::inline v1
