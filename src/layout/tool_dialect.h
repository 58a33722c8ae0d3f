// How one agent's records represent tools: which calls a record makes, which it answers, and how to write the
// lost half of such a pair. Each agent has one dialect, returned by its layout. `transfer/tool_pairs` decides
// where a record is made, the dialect only how.
// Thread-safety: dialects are constant. Lifetime: they live as long as the program.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/rescued.h"
#include "model/kept_output.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The text of a made record in place of what is lost; agents show it to the model and to people. An output
// without its call is kept after kCallLost (kept_output.h).
inline constexpr std::string_view kOutputLost =
    "[The output of this tool call was lost: the session file was damaged here and has been rescued.]";
inline constexpr std::string_view kArgumentsLost =
    "[The call of this tool, with its arguments, was lost: the session file was damaged here and has been rescued.]";

// The turn_key of answers without an id: they form one turn until a result comes between them.
inline constexpr std::string_view kOneAnswer = "+";

struct ToolMention {
  std::string id = {};
  std::string name = {};       // empty if the record does not say
  std::string arguments = {};  // JSON; empty if the record does not say
  std::string result = {};     // JSON of a result in the agent's own format, if a call must repeat it
  bool answers = false;        // the result of a call
};

// What one record says about tools.
struct ToolActivity {
  std::vector<ToolMention> calls = {};     // made by the record
  std::vector<ToolMention> mentions = {};  // answered, or reported as begun
  bool turn = false;                       // a prompt or an answer: the conversation continues
  std::string turn_key = {};               // records with the same key are one turn; see kOneAnswer
  std::string strand = {};                 // whose conversation this is: sub-agents may be interleaved
  bool empty() const { return calls.empty() && mentions.empty() && !turn; }
};

// Where a made record goes, and what it is made from.
struct InsertionPoint {
  std::span<const RescuedRecord> records;  // all of the log or document
  std::size_t at = 0;                      // index of the record after it
  JsonView before;                         // the record before it; may be none
  JsonView beside;                         // the record with the half that was not lost
  std::string id;                          // of the made record, if the agent's records have ids
  std::string parent;                      // JSON of the id that it follows: a string or null
};

class ToolDialect {
 public:
  virtual ~ToolDialect() = default;
  virtual ToolActivity talk(JsonView record) const = 0;
  // A result for `call` that says that the output is lost; empty if there cannot have been one here.
  virtual std::string make_result(const InsertionPoint& place, const ToolMention& call) const = 0;
  // A record that makes `calls`, each of which has a name; empty if it cannot be made.
  virtual std::string make_call(const InsertionPoint& place, std::span<const ToolMention> calls) const = 0;
  // `record` with the results of `ids` replaced by plain text.
  virtual Result<std::string> as_text(const std::string& record, std::span<const std::string> ids) const = 0;
};

}  // namespace holdfast::inline v1
