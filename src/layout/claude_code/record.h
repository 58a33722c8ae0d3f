// One line of a transcript in the model's words. Tree records (user, assistant,
// system, attachment) become messages; flat ones tell about the session.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <string_view>

#include "text/json_marks.h"
#include "text/json_value.h"

namespace holdfast::inline v1::claude_code {

// What a prompt is that begins so, in a record without marks.
Origin origin_of_text(std::string_view text);

enum class RecordKind {
  message,  // `message` is whole
  leaf,     // `text` is the end of the active branch
  title,    // `text` is what the person called the session
  summary,  // `text`, of the history that ends in `about`
  other,
};

struct Record {
  RecordKind kind = RecordKind::other;
  Message message = {};
  std::string text = {};
  std::string about = {};
  std::string session = {};      // sessionId
  std::string timestamp = {};    // of a flat record
  std::string forked_from = {};  // the session that a copied record came from
  std::string started = {};      // a tool result's sub-agent
  bool tree = false;
};

// What was sent to the model, written down once more; the payload comes last.
inline bool is_request_payload(std::string_view type, std::string_view key) {
  return type.starts_with("api-request") && (key == "shape" || key == "message" || key == "params");
}

// A record that has a message is one even without a uuid.
inline bool is_said(std::string_view type) { return type == "user" || type == "assistant"; }

// The records of one response repeat its figures byte for byte, and those of a
// session what they end with (where it runs): read once.
struct SeenBefore {
  std::string usage_bytes = {};
  std::optional<Usage> usage = {};
  std::string end_bytes = {};  // from the value of userType on
  MessageContext end = {};
};

struct RecordOptions {
  // Without it only what counting needs is filled: no texts of answers, no inputs
  // and outputs of tools, and records that the model has no words for are mere
  // links of the chain.
  bool whole = true;
  bool previews = true;  // of outputs that lie beside the log, even so
  bool session = true;   // sessionId
};

Record read_record(std::string_view line, RecordOptions options, SeenBefore& seen, const JsonMarks* marks = nullptr);

// How much stood behind toolUseResult in the last record that had one; 0: not known.
// The rest of most records is as long.
struct SeenRest {
  std::size_t size = 0;
};

// Only what the tree is made of: kind, leaf and title; of a message its id, parent
// and side, and the ids of calls and results. All else is stepped over, and nothing
// that has a key twice is looked for behind toolUseResult.
Record read_tree_record(std::string_view line, SeenRest& seen, const JsonMarks* marks = nullptr);

}  // namespace holdfast::inline v1::claude_code
