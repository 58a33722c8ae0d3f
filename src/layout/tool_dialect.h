// How one agent's records speak of tools: which calls a record asks for, which
// it answers, and how a lost half of such a pair is spelled. One dialect an
// agent, which its layout hands out; `transfer/tool_pairs` decides where something is made, a dialect only how.
// Thread-safety: dialects are constant. Lifetime: they live as long as the program.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/rescued.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// What a made record says in place of what is lost; agents show it to model and people.
inline constexpr std::string_view kOutputLost =
    "[The output of this tool call was lost: the session file was damaged here and has been rescued.]";
inline constexpr std::string_view kArgumentsLost =
    "[The call of this tool, with its arguments, was lost: the session file was damaged here and has been rescued.]";
inline constexpr std::string_view kCallLost =
    "[The tool call that gave this output was lost: the session file was damaged here and has been rescued. "
    "The output:]\n";

// The key of answers that have no name: one turn as long as no result comes between them.
inline constexpr std::string_view kOneAnswer = "+";

struct ToolMention {
  std::string id = {};
  std::string name = {};       // empty: the record does not say
  std::string arguments = {};  // JSON; empty: the record does not say
  std::string result = {};     // JSON of a result in the agent's own shape, where a call must repeat it
  bool answers = false;        // it is the result of a call
};

// What one record says.
struct ToolTalk {
  std::vector<ToolMention> calls = {};     // asked for
  std::vector<ToolMention> mentions = {};  // answered, or reported as begun
  bool turn = false;                       // a prompt or an answer: the conversation goes on
  std::string turn_key = {};               // records with the same key are one turn; see kOneAnswer
  std::string strand = {};                 // whose conversation: sub-agents may speak in between
  bool empty() const { return calls.empty() && mentions.empty() && !turn; }
};

// Where a made record will stand, and what it is made from.
struct ToolPlace {
  std::span<const RescuedRecord> records;  // all of the log or document
  std::size_t at = 0;                      // the record behind it
  JsonView before;                         // the record in front of it; may be none
  JsonView beside;                         // the record of the half that was not lost
  std::string id;                          // its own, where the agent gives records one
  std::string parent;                      // JSON of what it follows: a string or null
};

class ToolDialect {
 public:
  virtual ~ToolDialect() = default;
  virtual ToolTalk talk(JsonView record) const = 0;
  // A result for `call`, which says that the output is lost; empty: nothing can have stood here.
  virtual std::string make_result(const ToolPlace& place, const ToolMention& call) const = 0;
  // A record that asks for `calls`, of which each has a name; empty: cannot be made.
  virtual std::string make_call(const ToolPlace& place, std::span<const ToolMention> calls) const = 0;
  // `record` with the results of `ids` as plain text.
  virtual Result<std::string> as_text(const std::string& record, std::span<const std::string> ids) const = 0;
};

}  // namespace holdfast::inline v1
