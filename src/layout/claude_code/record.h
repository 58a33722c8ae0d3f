// One line of a transcript in the model's words. Tree records (user, assistant,
// system, attachment) become messages; flat ones tell about the session.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::claude_code {

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

// The records of one response repeat its figures byte for byte: read once.
struct SeenUsage {
  std::string bytes = {};
  std::optional<Usage> usage = {};
};

// Without `whole` only what counting needs is filled: no texts of answers, no
// inputs and outputs of tools, and records that the model has no words for are
// mere links of the chain.
Record read_record(std::string_view line, bool whole, SeenUsage& seen);

}  // namespace holdfast::inline v1::claude_code
