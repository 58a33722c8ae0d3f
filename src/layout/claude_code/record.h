// Parses one line of a transcript. Tree records (user, assistant, system, attachment)
// become messages; flat records describe the session.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <string_view>

#include "text/json_marks.h"
#include "text/json_value.h"

namespace holdfast::inline v1::claude_code {

// The origin of a prompt in a record without marks, judged by its beginning.
Origin origin_of_text(std::string_view text);

enum class RecordKind {
  message,  // `message` is complete
  leaf,     // `text` is the end of the active branch
  title,    // `text` is the title that the person gave the session
  summary,  // `text` summarizes the history that ends in `about`
  other,
};

struct Record {
  RecordKind kind = RecordKind::other;
  Message message = {};
  std::string text = {};
  std::string about = {};
  std::string session = {};      // sessionId
  std::string timestamp = {};    // of a flat record
  std::string forked_from = {};  // the session that the record was copied from
  std::string started = {};      // the sub-agent behind a tool result
  bool tree = false;
};

// A copy of what was sent to the model; the payload comes last.
inline bool is_request_payload(std::string_view type, std::string_view key) {
  return type.starts_with("api-request") && (key == "shape" || key == "message" || key == "params");
}

// A user or assistant record with a message is a message even without a uuid.
inline bool is_said(std::string_view type) { return type == "user" || type == "assistant"; }

// Whether a record without a uuid is shown although it is none of the above: it contains words, and its type is none
// of those that describe the session or the client. `line` is the record.
bool is_unknown_record(std::string_view type, std::string_view line);

// Whether an attachment is a prompt that was typed while the agent worked. It has no user record.
bool is_queued_prompt(JsonView attachment);

// Caches parsed parts that repeat byte for byte: the token counts in the records of one
// response, and the end of each record of a session (where it runs).
struct ParseCache {
  std::string usage_bytes = {};
  std::optional<Usage> usage = {};
  std::string end_bytes = {};  // from the value of userType to the end
  MessageContext end = {};
};

struct RecordOptions {
  // If false, only what counting needs is filled: no texts of answers and no inputs and
  // outputs of tools. Records of unknown types then only link the chain.
  bool whole = true;
  bool previews = true;  // even then, previews of outputs that are in files beside the log
  bool session = true;   // sessionId
};

Record read_record(std::string_view line, RecordOptions options, ParseCache& seen, const JsonMarks* marks = nullptr);

// The length of what followed toolUseResult in the last record that had one; 0 if
// unknown. It is the same for most records.
struct TailSizeCache {
  std::size_t size = 0;
};

// Reads only what the tree is made of: kind, leaf and title; for a message its id,
// parent and side, and the ids of calls and results. Skips everything else, and does
// not look for duplicate keys after toolUseResult.
Record read_tree_record(std::string_view line, TailSizeCache& seen, const JsonMarks* marks = nullptr);

}  // namespace holdfast::inline v1::claude_code
